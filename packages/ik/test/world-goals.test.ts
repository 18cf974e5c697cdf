/** Goals on the bodies of a world: loops stay closed, what is too far is approached, free trees move as the metric of mass has it. */

import { ballSocket, hinge } from '@tautline/constraints'
import { type Body, World } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { type BoneDef, IkSolver, Pose, PositionGoal, Rig, WorldPose } from '../src/index.js'
import { limbOf, turnLimb } from '../src/ragdoll/detours.js'
import { toRagdoll, worldGoals } from '../src/ragdoll/index.js'

/** What a projection leaves [m, rad]. */
const CLOSED = 1e-7
/** Half a central difference's way [m], and what the third order of it and round-off leave of a slope. */
const WAY = 1e-4
const SLOPE = 1e-6

/** A square of four bars of 1 m, hinged to the ground at one corner: a loop. */
function square(): { world: World; bars: Body[] } {
  const world = new World({ gravity: [0, 0, 0] })
  const centres = [
    [0.5, 0, 0],
    [1, 0.5, 0],
    [0.5, 1, 0],
    [0, 0.5, 0],
  ] as const
  const bars = centres.map((position) => world.addBody({ position, mass: 1, inertia: [0.1, 0.1, 0.1] }))
  world.add(hinge, { a: null, b: bars[0], point: [0, 0, 0], axis: [0, 0, 1] })
  world.add(ballSocket, { a: bars[0], b: bars[1], point: [1, 0, 0] })
  world.add(ballSocket, { a: bars[1], b: bars[2], point: [1, 1, 0] })
  world.add(ballSocket, { a: bars[2], b: bars[3], point: [0, 1, 0] })
  world.add(ballSocket, { a: bars[3], b: bars[0], point: [0, 0, 0] })
  return { world, bars }
}

function tree(random: Random, root: 'pinned' | 'free'): Rig {
  const bones: BoneDef[] = [{ name: 'root', parent: null, position: [0, 0, 0], tip: random.direction() }]
  for (let k = 0; k < 6; k++) {
    bones.push({
      name: `bone ${k}`,
      // The last three are a chain that reaches any way; what hangs on them and on the root moves along.
      parent: k < 3 ? random.below(k + 1) : k === 3 ? random.below(4) : k,
      position: random.direction(),
      rotation: random.rotation(),
      tip: random.direction(),
      ...(k % 2 === 0 && { joint: { kind: 'hinge', axis: random.direction() } }),
    })
  }
  return Rig.from(bones).root(root)
}

/** Places of joints after a point of the last bone has gone by a way, by the solver of rigs or on the world's loop. */
function moved(rig: Rig, way: readonly number[], onLoop: boolean): number[] {
  const pose = new Pose(rig)
  const last = rig.count - 1
  const at = new WorldPose(rig).update(rig, pose).point(rig.names[last], [0, 0, 0])
  const centre = [0, 1, 2].map((k) => rig.centre[3 * last + k])
  const to: [number, number, number] = [at[0] + way[0], at[1] + way[1], at[2] + way[2]]
  if (!onLoop) {
    const options = { metric: 'fullMass', blend: 0, damping: 0, tolerance: 1e-13 } as const
    const solver = new IkSolver(rig, options)
    solver.add(new PositionGoal(rig, last, to, { point: [0, 0, 0] }))
    solver.solve(pose)
    const places = new WorldPose(rig).update(rig, pose)
    return Array.from(places.positions)
  }
  const world = new World({ gravity: [0, 0, 0] })
  const { bodies } = toRagdoll(rig, pose, world)
  const goals = worldGoals(world, { tolerance: 1e-9 })
  goals.position(bodies[last], [-centre[0], -centre[1], -centre[2]], to)
  expect(goals.solve().converged).toBe(true)
  return bodies.flatMap((body, i) => Array.from(body.toWorld([0, 1, 2].map((k) => -rig.centre[3 * i + k]) as never)))
}

describe('goals on a world', () => {
  it('closes a loop that a goal pulls at', () => {
    const { world, bars } = square()
    const goals = worldGoals(world)
    const corner = goals.position(bars[2], [0.5, 0, 0], [1, 1, 0])
    const random = new Random(SEED)
    for (let k = 0; k < 20; k++) {
      corner.target.set([random.between(0.2, 1.1), random.between(0.2, 1.1), 0])
      expect(goals.solve()).toMatchObject({ converged: true, share: 1 })
      expect(corner.error).toBeLessThan(CLOSED)
      expect(world.project({ iterations: 1 }).violation).toBeLessThan(CLOSED)
    }
  })

  it('approaches what is too far, with all joints closed', () => {
    const { world, bars } = square()
    const goals = worldGoals(world)
    const corner = goals.position(bars[2], [0.5, 0, 0], [3, 1, 0])
    const { converged, share, violation } = goals.solve()
    expect(converged).toBe(false)
    expect(share).toBeGreaterThan(0.2)
    expect(violation).toBeLessThan(CLOSED)
    const [x, y] = corner.body.toWorld([0.5, 0, 0])
    expect(Math.hypot(x, y)).toBeGreaterThan(1.95)
  })

  it('turns a body to an orientation, in steps where asked', () => {
    const { world, bars } = square()
    const goals = worldGoals(world, { maxStep: 0.1 })
    const goal = goals.pose(bars[0], [-0.5, 0, 0], [0, 0, 0], [0, 0, Math.sin(0.3), Math.cos(0.3)])
    const { converged, projections } = goals.solve()
    expect(converged).toBe(true)
    expect(projections).toBeGreaterThanOrEqual(6)
    expect(goal.angle).toBeLessThan(CLOSED)
  })

  it.each(['pinned', 'free'] as const)('moves a %s tree as `fullMass` does, to first order', (root) => {
    const random = new Random(SEED)
    for (let k = 0; k < 10; k++) {
      const rig = tree(random, root)
      const d = random.direction()
      const way = [WAY * d[0], WAY * d[1], WAY * d[2]]
      const back = way.map((x) => -x)
      const slopes = [true, false].map((onLoop) => {
        const [ahead, behind] = [moved(rig, way, onLoop), moved(rig, back, onLoop)]
        return ahead.map((x, i) => (x - behind[i]) / (2 * WAY))
      })
      slopes[0].forEach((slope, i) => expect(Math.abs(slope - slopes[1][i])).toBeLessThan(SLOPE))
    }
  })

  it('lets go, and refuses what is wrong with nothing added', () => {
    const { world, bars } = square()
    const before = world.constraints().length
    expect(() => worldGoals(world, { tolerance: -1 })).toThrow(RangeError)
    expect(() => worldGoals(world, { steps: 3 } as object)).toThrow(/steps/)
    const goals = worldGoals(world)
    expect(() => goals.position(bars[0], [0, 0, 0], [NaN, 0, 0])).toThrow(/target/)
    const goal = goals.position(bars[0], [0, 0, 0], [0.5, 0, 0])
    goal.target[0] = NaN
    expect(() => goals.solve()).toThrow(/target/)
    goals.release()
    expect(goal.constraint.alive).toBe(false)
    expect(() => goals.remove(goal)).toThrow(RangeError)
    expect(world.constraints()).toHaveLength(before)
  })
})

describe('limbs of goals', () => {
  it('run from the goal to what holds it, and take along what hangs on them', () => {
    const { world, bars } = square()
    const [, , , , closing] = world.constraints()
    closing.remove()
    const limb = limbOf(world, bars[2], new Set())
    expect(limb.map(({ body }) => body)).toEqual([bars[2], bars[1], bars[0]])
    expect(limb.map(({ bodies }) => bodies.length)).toEqual([2, 3, 4])
    turnLimb(limb, 3, 8)
    expect(world.project({ iterations: 1 }).violation).toBeLessThan(CLOSED)
    expect(Math.abs(bars[2].position[2])).toBeGreaterThan(0.01)
  })

  it('end where a loop is closed', () => {
    const { world, bars } = square()
    expect(limbOf(world, bars[2], new Set())).toEqual([])
  })
})
