/** Feet on the ground: flat ground changes nothing, slopes and steps are stood on, holes lower the hips, and nothing pops. */

import { rotateVector } from '@tautline/core/kernel'
import { describe, expect, it } from 'vitest'
import { type FootOptions, FootPlacement, type GroundAt } from '../src/foot.js'
import { IkSolver, Pose, Rig, WorldPose } from '../src/index.js'

/** What a solve leaves [m]: its tolerance times the reach. */
const SOLVED = 1e-4

const knee = { kind: 'hinge', axis: [1, 0, 0], limits: { min: -0.2, max: 2.6 } } as const

/** Legs of 0.8 m, slightly bent, whose ankles are 0.1 m over the ground. */
function legs(): Rig {
  return Rig.from([
    { name: 'root', parent: null, position: [0, 0, 0] },
    { name: 'hips', parent: 0, position: [0, 0.895, 0] },
    ...[1, -1].flatMap((side) => {
      const name = side > 0 ? 'left' : 'right'
      return [
        { name: `${name} thigh`, parent: 'hips', position: [0.1 * side, 0, 0], rotation: bend(-0.12) },
        { name: `${name} shin`, parent: `${name} thigh`, position: [0, -0.4, 0], rotation: bend(0.24), joint: knee },
        {
          name: `${name} foot`,
          parent: `${name} shin`,
          position: [0, -0.4, 0],
          rotation: bend(-0.12),
          tip: [0, -0.1, 0.15],
        },
      ] as const
    }),
  ]).root('free')
}

function bend(angle: number): [number, number, number, number] {
  return [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)]
}

const LEGS = ['left', 'right'].map((side) => ({ hip: `${side} thigh`, foot: `${side} foot` }))

function setUp(
  ground?: GroundAt,
  options: FootOptions = {},
): {
  rig: Rig
  solver: IkSolver
  feet: FootPlacement
  stand(change?: (pose: Pose) => void, dt?: number): { pose: Pose; world: WorldPose }
} {
  const rig = legs()
  const solver = new IkSolver(rig, { iterations: 100, tolerance: 1e-5 })
  const feet = new FootPlacement(rig, solver, LEGS, ground, options)
  return {
    rig,
    solver,
    feet,
    stand(change, dt) {
      const pose = new Pose(rig)
      change?.(pose)
      feet.place(pose, dt)
      solver.solve(pose)
      return { pose, world: new WorldPose(rig).update(rig, pose) }
    },
  }
}

const plane =
  (height: (x: number, z: number) => number, normal: readonly number[] = [0, 1, 0]): GroundAt =>
  (x, _y, z, out) => {
    out.set([height(x, z), ...normal])
  }

/** Height and place of an ankle. */
function ankle(rig: Rig, world: WorldPose, side: string): number[] {
  const i = rig.indexOf(`${side} foot`)
  return [...world.positions.slice(3 * i, 3 * i + 3)]
}

describe('feet on the ground', () => {
  it('leaves a pose on flat ground alone', () => {
    const { rig, feet, stand } = setUp(plane(() => 0))
    const { pose } = stand()
    expect(feet.lowered).toBe(0)
    pose.positions.forEach((x, k) => expect(x).toBe(rig.restPosition[k]))
    const before = new WorldPose(rig).update(rig, new Pose(rig))
    expect(ankle(rig, new WorldPose(rig).update(rig, pose), 'left')).toEqual(ankle(rig, before, 'left'))
  })

  it('stands on steps, up without the hips and down with them', () => {
    const { rig, feet, stand } = setUp(plane((x) => (x > 0 ? 0.2 : 0)))
    const rest = ankle(rig, new WorldPose(rig).update(rig, new Pose(rig)), 'left')
    const up = stand()
    expect(ankle(rig, up.world, 'left')[1]).toBeCloseTo(rest[1] + 0.2, 3)
    expect(ankle(rig, up.world, 'right')[1]).toBeCloseTo(rest[1], 3)
    expect(feet.lowered).toBe(0)
    feet.ground = plane((x) => (x > 0 ? -0.15 : 0))
    const down = stand()
    expect(ankle(rig, down.world, 'left')[1]).toBeCloseTo(rest[1] - 0.15, 3)
    expect(ankle(rig, down.world, 'right')[1]).toBeCloseTo(rest[1], 3)
    expect(feet.lowered).toBeGreaterThan(0.1)
    expect(feet.lowered).toBeLessThan(0.15)
  })

  it('lays soles on a slope, an ankle’s height from it', () => {
    const angle = 0.35
    const normal = [0, Math.cos(angle), -Math.sin(angle)]
    const { rig, feet, stand } = setUp(
      plane((_x, z) => Math.tan(angle) * z, normal),
      { orientationWeight: 1 },
    )
    const { world } = stand()
    for (const side of ['left', 'right']) {
      const i = rig.indexOf(`${side} foot`)
      const up = new Float64Array(3)
      rotateVector(world.rotations, 4 * i, 0, 1, 0, up, 0)
      normal.forEach((n, k) => expect(up[k]).toBeCloseTo(n, 3))
      const [x, y, z] = ankle(rig, world, side)
      const rest = ankle(rig, new WorldPose(rig).update(rig, new Pose(rig)), side)
      expect(x * normal[0] + y * normal[1] + z * normal[2]).toBeCloseTo(rest[1], 3)
    }
    feet.weight = 0
    const off = stand()
    expect(ankle(rig, off.world, 'left')[1]).toBeCloseTo(
      ankle(rig, new WorldPose(rig).update(rig, new Pose(rig)), 'left')[1],
      3,
    )
  })

  it('goes no farther up, down or aslant than it may', () => {
    const steep = [0, Math.cos(1), Math.sin(1)]
    const { feet, stand, rig } = setUp(
      plane((x) => (x > 0 ? 3 : -3), steep),
      { mostUp: 0.1, mostDown: 0.2, mostTilt: 0.2 },
    )
    stand()
    const rest = ankle(rig, new WorldPose(rig).update(rig, new Pose(rig)), 'left')[1]
    const [left, right] = feet.feet
    expect(left.position.target[1]).toBeCloseTo(rest + 0.1, 12)
    expect(right.position.target[1]).toBeCloseTo(rest - 0.2, 12)
    const up = new Float64Array(3)
    rotateVector(left.orientation.target, 0, 0, 1, 0, up, 0)
    expect(up[1]).toBeCloseTo(Math.cos(0.2), 12)
  })

  it('takes heights by hand, and no ground for none', () => {
    const { feet, stand, rig } = setUp()
    feet.feet[0].ground.set([0.1, 0, 1, 0])
    const rest = ankle(rig, new WorldPose(rig).update(rig, new Pose(rig)), 'left')[1]
    expect(ankle(rig, stand().world, 'left')[1]).toBeCloseTo(rest + 0.1, 3)
    feet.feet[0].ground.fill(NaN)
    const { pose, world } = stand()
    expect(ankle(rig, world, 'left')[1]).toBeCloseTo(rest, 3)
    expect(pose.positions.every((x) => Number.isFinite(x))).toBe(true)
  })

  it('does not reach for the ground with a foot in the air, but stays above it', () => {
    const lifted = (pose: Pose): void => {
      pose.rotations.set(bend(-1.2), 8)
      pose.rotations.set(bend(1.6), 12)
    }
    const { feet, stand } = setUp(plane((x) => (x > 0 ? -0.2 : 0)))
    stand(lifted)
    expect(feet.lowered).toBe(0)
    const inAir = feet.feet[0].position.target[1]
    feet.ground = plane(() => 0)
    stand(lifted)
    expect(feet.feet[0].position.target[1]).toBeCloseTo(inAir, 6)
    feet.ground = plane(() => 0.15)
    stand(lifted)
    expect(feet.feet[0].position.target[1]).toBeCloseTo(inAir + 0.15, 6)
  })

  it('never pops: steps of the ankles and hips are in proportion to those along the path', () => {
    const hills = (x: number, z: number): number => 0.12 * Math.sin(2.1 * z) + 0.08 * Math.cos(3 * x + z)
    const ground: GroundAt = (x, _y, z, out) => {
      const [dx, dz] = [-0.24 * Math.sin(3 * x + z), 0.252 * Math.cos(2.1 * z) - 0.08 * Math.sin(3 * x + z)]
      out.set([hills(x, z), -dx, 1, -dz])
    }
    const most = (frames: number): number => {
      const { stand } = setUp(ground, { smoothTime: 0 })
      let before: number[] | undefined
      let step = 0
      for (let k = 0; k <= frames; k++) {
        const t = (4 * k) / frames
        const { world } = stand((pose) => {
          pose.positions[2] = t
          for (const [o, phase] of [
            [2, 0],
            [5, Math.PI],
          ] as const) {
            const swing = Math.sin(5 * t + phase)
            pose.rotations.set(bend(-0.12 - 0.4 * swing), 4 * o)
            pose.rotations.set(bend(0.24 + 0.5 * Math.max(0, Math.cos(5 * t + phase)) ** 2), 4 * o + 4)
          }
        }, 1 / 60)
        const now = [...world.positions]
        if (before !== undefined) step = Math.max(step, ...now.map((x, i) => Math.abs(x - (before as number[])[i])))
        before = now
      }
      return step
    }
    const [coarse, fine] = [most(400), most(1600)]
    expect(coarse).toBeLessThan(0.05)
    expect(fine).toBeLessThan(0.25 * coarse * 1.3 + SOLVED)
  })

  it('follows a stair at its own pace', () => {
    const dt = 1 / 60
    const { feet, stand } = setUp(plane(() => 0))
    stand(undefined, dt)
    const level = feet.feet[0].position.target[1]
    feet.ground = plane(() => 0.2)
    const heights = Array.from({ length: 60 }, () => {
      stand(undefined, dt)
      return feet.feet[0].position.target[1] - level
    })
    expect(heights[0]).toBeCloseTo((0.2 * dt) / (dt + 0.1), 12)
    expect(heights[59]).toBeCloseTo(0.2, 3)
    heights.forEach((h, k) => expect(h).toBeGreaterThan(k === 0 ? 0 : heights[k - 1]))
  })

  it('names what is wrong, and adds nothing then', () => {
    const rig = legs()
    const solver = new IkSolver(rig)
    const make = (options: FootOptions, def = LEGS): (() => FootPlacement) => {
      return () => new FootPlacement(rig, solver, def, undefined, options)
    }
    expect(() => new FootPlacement(legs(), solver, LEGS)).toThrow(/solver must be one of the rig/)
    expect(make({}, [{ hip: 'left foot', foot: 'right foot' }])).toThrow(
      /foot must hang on hip by a leg, got right foot/,
    )
    expect(make({}, [{ hip: 'left foot', foot: 'left foot' }])).toThrow(/foot must hang on hip/)
    expect(() => new FootPlacement(legs().root('pinned'), solver, LEGS)).toThrow(/solver must be one of the rig/)
    const pinned = legs().root('pinned')
    expect(() => new FootPlacement(pinned, new IkSolver(pinned), LEGS)).toThrow(/root of the rig must be free/)
    expect(make({ mostUp: -1 })).toThrow(/mostUp must be >= 0/)
    expect(make({ lift: 0 })).toThrow(/lift must be > 0/)
    expect(make({ up: [0, 0, 0] })).toThrow(/up must be a direction/)
    expect(make({ smoothTime: NaN })).toThrow(/smoothTime/)
    expect(solver.goals).toEqual([])
  })
})
