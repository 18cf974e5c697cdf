/** Ragdolls that stand by themselves: quietly, pushed, on slopes and platforms; that fall on their hands; that look and reach. */

import { box, Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import { type Balance, balance, type BalanceOptions, type Ragdoll, ragdoll, ragdollAsset } from '../src/index.js'
import { nearestInSupport } from '../src/ragdoll/active/support.js'
import { betterFoot, exponential } from '../src/ragdoll/active/stepping.js'
import { humanoid } from './support/figures.js'
import type { Foot } from '../src/ragdoll/active/foot.js'
import type { Moment } from '../src/ragdoll/active/moment.js'
import { nextTilt, tiltRotation } from '../src/ragdoll/active/tilt.js'
import { sample } from '../../core/test/support/runs.js'

const asset = ragdollAsset(humanoid())
/** Of the skeleton's origin over the ground, so that its soles touch it [m]. */
const LIFT = 0
/** Sway of one that stands quietly after a second [m/s]; far below what is seen. */
const QUIET = 0.01

interface Scene {
  readonly world: World
  readonly doll: Ragdoll
  readonly standing: Balance
}

function scene(options: BalanceOptions & { dt?: number; normal?: [number, number, number] } = {}): Scene {
  const { dt = 1 / 60, normal = [0, 1, 0], ...rest } = options
  const world = new World({ dt })
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane(normal, 0) })
  const doll = ragdoll(world, asset, { position: [0, LIFT, 0] })
  return { world, doll, standing: balance(doll, rest) }
}

function run({ world, standing }: Scene, seconds: number, each?: (k: number) => void): void {
  const steps = Math.round(seconds / world.settings.dt)
  for (let k = 0; k < steps; k++) {
    standing.update()
    world.step()
    each?.(k)
  }
}

const speedOf = ({ doll }: Scene): number =>
  Math.max(...doll.bodies.map(({ velocity }) => Math.hypot(velocity[0], velocity[1], velocity[2])))

describe('standing', () => {
  it.each(sample([30, 60, 144]))('is quiet at %i Hz', (hz) => {
    const made = scene({ dt: 1 / hz })
    run(made, 1.5)
    const { centre } = made.standing
    run(made, 0.5)
    expect(made.standing.state).toBe('standing')
    expect(made.standing.steps).toBe(0)
    expect(speedOf(made)).toBeLessThan(QUIET)
    const moved = made.standing.centre
    expect(Math.hypot(moved[0] - centre[0], moved[1] - centre[1], moved[2] - centre[2])).toBeLessThan(QUIET)
  })

  it.each(
    sample([
      [0, 4],
      [4, 0],
    ]),
  )('keeps its feet on a slope of %i° and %i°, though not quietly', (x, z) => {
    const [a, b] = [x, z].map((degrees) => Math.tan((degrees * Math.PI) / 180))
    const size = Math.hypot(a, 1, b)
    const made = scene({ normal: [a / size, 1 / size, b / size] })
    run(made, 1.5)
    expect(made.standing.state).toBe('standing')
    expect(made.standing.steps).toBe(0)
  })

  it('rides a platform that starts and stops', () => {
    const world = new World()
    const collisions = new Collisions(world)
    const floor = world.addBody({ type: 'kinematic', position: [0, -0.5, 0] })
    collisions.addCollider(floor, { shape: box([3, 0.5, 3]), friction: 1 })
    const doll = ragdoll(world, asset, { position: [0, LIFT, 0] })
    const made = { world, doll, standing: balance(doll) }
    const way = 0.3
    run(made, 3, (k) => {
      const t = Math.min(Math.max(k / 60 - 0.5, 0) / 2, 1)
      floor.setTarget([way * t * t * (3 - 2 * t), -0.5, 0])
    })
    expect(made.standing.state).toBe('standing')
    expect(made.standing.centre[0]).toBeGreaterThan(0.8 * way)
  })
})

describe('pushes', () => {
  it.each(sample([3, 0]))('holds a push from %i eighths of the way round', (eighth) => {
    const made = scene()
    run(made, 1)
    const angle = (eighth * Math.PI) / 4
    const push = 12
    made.doll.body('chest').applyImpulse([push * Math.sin(angle), 0, push * Math.cos(angle)])
    run(made, 1)
    expect(made.standing.state).toBe('standing')
  })

  it('steps where ankles do not hold it, and falls where it may not', () => {
    const [free, bound] = [scene(), scene({ steps: false })]
    for (const made of [free, bound]) {
      run(made, 1)
      made.doll.body('chest').applyImpulse([0, 0, 45])
      run(made, 1.5)
    }
    expect(free.standing.steps).toBeGreaterThan(0)
    expect(['standing', 'stepping']).toContain(free.standing.state)
    expect(bound.standing.steps).toBe(0)
    expect(['falling', 'fallen']).toContain(bound.standing.state)
  })

  it.each([
    [0, 0.3],
    [1, 0.3],
    [0, -0.3],
  ])('steps with the foot behind: foot %i, falling by %d m', (behind, fall) => {
    const { standing } = scene()
    const { feet, moment } = standing as unknown as { feet: [Foot, Foot]; moment: Moment }
    const { ankle } = feet[behind]
    feet[behind].ankle = [ankle[0], ankle[1], ankle[2] - Math.sign(fall) * 0.25]
    const [x, y, z] = moment.capture
    expect(betterFoot(feet, { ...moment, capture: [x, y, z + fall] }, 0.3)).toBe(behind)
  })

  it('falls from what no step holds, and lies still', { tags: ['thorough'] }, () => {
    const made = scene()
    run(made, 1)
    made.doll.body('chest').applyImpulse([0, 0, 250])
    run(made, 2.5)
    expect(made.standing.state).toBe('fallen')
    expect(speedOf(made)).toBeLessThan(0.5)
  })
})

describe('bracing', () => {
  it.each(sample([0, 90, 135, 180, 195], 3))(
    'meets the ground with a hand before its head, pushed to %i°',
    (degrees) => {
      const made = scene()
      const collisions = made.world.stages.find((stage) => stage instanceof Collisions) as Collisions
      run(made, 1)
      const angle = (degrees * Math.PI) / 180
      made.doll.body('chest').applyImpulse([170 * Math.sin(angle), 0, 170 * Math.cos(angle)])
      const touches = (name: string): boolean =>
        collisions.events.some(
          ({ a, b }) =>
            [a.body, b.body].includes(made.doll.body(name)) &&
            (a.body ?? b.body) !== null &&
            (a.body === null || b.body === null),
        )
      let [hand, head] = [false, false]
      for (let k = 0; k < 120 && !hand && !head; k++) {
        run(made, 1 / 60)
        hand = touches('leftHand') || touches('rightHand')
        head = touches('head')
      }
      expect([hand, head]).toEqual([true, false])
    },
  )
})

describe('aims', () => {
  it('looks at a point, no faster than it may, and to the front again', () => {
    const made = scene()
    run(made, 0.6)
    const facing = (): number => {
      const [, y, , w] = made.doll.body('head').orientation
      return 2 * Math.atan2(y, w)
    }
    made.standing.lookAt([5, 1.6, 5], { speed: 1 })
    run(made, 0.2)
    expect(facing()).toBeLessThan(0.3)
    run(made, 1.2)
    expect(facing()).toBeGreaterThan(0.6)
    made.standing.lookAt(null)
    run(made, 1)
    expect(Math.abs(facing())).toBeLessThan(0.05)
  })

  it('reaches for a point and stays on its feet, a thing in its hand', () => {
    const made = scene()
    const { world, doll, standing } = made
    run(made, 1)
    const prop = world.addBody({ position: doll.body('leftHand').position, mass: 1, inertia: [0.01, 0.01, 0.01] })
    doll.hold('leftHand', prop)
    const point: [number, number, number] = [0.25, 1.3, 0.45]
    standing.reach('left', point)
    run(made, 1.5)
    expect(standing.state).toBe('standing')
    const hand = doll.body('leftHand').position
    expect(Math.hypot(hand[0] - point[0], hand[1] - point[1], hand[2] - point[2])).toBeLessThan(0.15)
  })
})

describe('what it refuses', () => {
  it('says what is wrong', () => {
    const world = new World()
    const bare = ragdoll(world, asset)
    expect(() => balance(bare)).toThrow(/collisions/)
    const { doll, standing } = scene()
    expect(() => balance(doll, { stepps: true } as BalanceOptions)).toThrow(/stepps/)
    expect(() => balance(doll, { stepTime: 0 })).toThrow(RangeError)
    expect(() => standing.reach('middle' as 'left', [0, 0, 0])).toThrow(/hand/)
    expect(() => standing.lookAt([0, Number.NaN, 0])).toThrow(/point/)
    const eleven = ragdoll(doll.world, ragdollAsset(humanoid(), { detail: 11 }), { position: [5, 0, 0] })
    expect(() => balance(eleven)).toThrow(/feet/)
  })

  it('lies down when it loses a leg', () => {
    const made = scene()
    run(made, 0.5)
    made.doll.cut('leftLowerLeg')
    run(made, 0.5)
    expect(made.standing.state).toBe('fallen')
  })
})

describe('parts of it', () => {
  it('finds the nearest point of a support polygon', () => {
    const square: [number, number, number][] = [
      [0, 0, 0],
      [1, 0, 0],
      [1, 0, 1],
      [0, 0, 1],
      [0.5, 0, 0.5],
    ]
    expect(nearestInSupport(square, [0.3, 2, 0.4], [0, 1, 0])).toEqual([0.3, 2, 0.4])
    const [x, y, z] = nearestInSupport(square, [3, 2, 0.4], [0, 1, 0])
    expect([x, y, z].map((value) => Math.round(1e9 * value) / 1e9)).toEqual([1, 2, 0.4])
  })

  it('grows as an exponential', () => {
    for (const x of [0, 0.3, 1, 1.6]) expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThan(1e-4)
  })
})

describe('the hip strategy', () => {
  const moment = { up: [0, 1, 0], capture: [0.5, 0, 0], base: [0, 0, 0], excess: 0.4 } as unknown as Moment

  it('bends to the way of a fall up to a bound, and comes back slowly', () => {
    const tilts = Array.from({ length: 30 }, () => 0)
    let tilt: [number, number, number] = [0, 0, 0]
    for (const k of tilts.keys()) {
      tilt = nextTilt(tilt, moment, 1, 1 / 60)
      tilts[k] = tilt[0]
    }
    expect(tilts[0]).toBeGreaterThan(0)
    expect(tilts[0]).toBeLessThan(tilts[1])
    const most = tilts[29]
    expect(2 * Math.atan(most)).toBeCloseTo(0.24, 2)
    // The head goes where the capture point is: about −z from up to +x.
    expect(tiltRotation(tilt, [0, 1, 0])[2]).toBeLessThan(0)
    const back = nextTilt(tilt, { ...moment, excess: 0 }, 1, 1 / 60)
    expect(most - back[0]).toBeGreaterThan(0)
    expect(most - back[0]).toBeLessThan(tilts[0])
  })

  it('leaves one who stands upright', () => {
    expect(nextTilt([0, 0, 0], { ...moment, excess: 0 }, 1, 1 / 60)).toEqual([0, 0, 0])
    expect(tiltRotation([0, 0, 0], [0, 1, 0])).toEqual([0, 0, 0, 1])
  })
})
