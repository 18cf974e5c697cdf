import { fc, test as property } from '@fast-check/vitest'
import { type Body, type Constraint, solidBox, World, type WorldOptions } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../core/test/support/runs.js'
import { Random } from '../../../core/test/support/random.js'
import { ballSocket, hinge, swingTwist } from '../../src/index.js'
import { chain, worst } from './support.js'

/** A joint that is met [m, rad]. */
const MET = 1e-8
/** Centre of mass, as a share of the extent: round-off. */
const KEPT = 1e-12
/** Speed that nothing made, by 1e-9 m or rad that a repair may leave over a substep of 1/60 s [m/s, rad/s]. */
const NO_SPEED = 1e-6

function centre(bodies: readonly Body[]): number[] {
  const mass = bodies.reduce((sum, body) => sum + body.mass, 0)
  return [0, 1, 2].map((k) => bodies.reduce((sum, body) => sum + body.mass * body.position[k], 0) / mass)
}

function speed(bodies: readonly Body[]): number {
  return Math.max(...bodies.flatMap(({ velocity, angularVelocity }) => [...velocity, ...angularVelocity]).map(Math.abs))
}

/** Puts every body elsewhere by up to `far` [m] and turns it by up to about `angle` [rad]. */
function knock(bodies: readonly Body[], random: Random, far: number, angle: number): void {
  for (const body of bodies) {
    const [x, y, z] = random.vector(far)
    const [u, v, w] = random.vector(0.5 * angle)
    const [p, q] = [body.position, body.orientation]
    body.setPosition([p[0] + x, p[1] + y, p[2] + z])
    const turned = [q[0] + u, q[1] + v, q[2] + w, q[3]]
    const length = Math.hypot(...turned)
    body.setOrientation(turned.map((c) => c / length) as [number, number, number, number])
  }
}

/** A chain of boxes on joints of random kinds, with limits, that satisfies them. */
function mixed(seed: number, fixed: boolean, options: WorldOptions = {}) {
  const random = new Random(seed)
  const world = new World({ gravity: [0, 0, 0], substeps: 1, ...options })
  const bodies: Body[] = []
  const joints: Constraint[] = []
  const range = { min: -0.4, max: 0.4 }
  for (let k = 0; k < 6; k++) {
    const mass = 10 ** random.between(0, 2)
    const b = world.addBody({ position: [0.5 * k + 0.25, 0, 0], mass, inertia: solidBox(mass, [0.5, 0.1, 0.1]) })
    const at = { a: bodies[k - 1] ?? null, b, point: [0.5 * k, 0, 0] as const }
    if (k > 0 || fixed) {
      const kind = random.below(3)
      joints.push(
        (kind === 0
          ? world.add(ballSocket, at)
          : kind === 1
            ? world.add(hinge, { ...at, axis: [0, 0, 1], limits: range })
            : world.add(swingTwist, {
                ...at,
                axis: [1, 0, 0],
                swing: { y: range, z: range },
                twist: range,
              })) as Constraint,
      )
    }
    bodies.push(b)
  }
  return { world, bodies, joints, random }
}

describe('projection of trees', () => {
  test('a box on a ball joint comes back with its anchor, and turns by its lever', () => {
    const { world, bodies, joints } = chain({ links: 1 })
    bodies[0].setPosition([0.25, 0.1, 0])
    expect(world.project().violation).toBeLessThan(MET)
    expect(worst(joints)).toBeLessThan(MET)
  })

  property.prop([fc.integer({ min: 1, max: 1e6 }), fc.boolean()], { numRuns: runs(40), seed: 1 })(
    'random chains: joints met, velocities and time the same, the centre of mass of free ones too',
    (seed, fixed) => {
      const { world, bodies, random } = mixed(seed, fixed)
      for (const body of bodies) body.setVelocity(random.vector(1))
      knock(bodies, random, 0.2, 0.5)
      const [before, motion] = [
        centre(bodies),
        bodies.map(({ velocity, angularVelocity }) => [...velocity, ...angularVelocity]),
      ]
      const { violation } = world.project()
      expect(violation).toBeLessThan(MET)
      expect(bodies.map(({ velocity, angularVelocity }) => [...velocity, ...angularVelocity])).toEqual(motion)
      expect(world.time).toBe(0)
      if (fixed) return
      const after = centre(bodies)
      for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(3 * KEPT)
    },
  )

  test('what projects once is where it is to be: again, it stays', () => {
    const { world, bodies, random } = mixed(5, true)
    knock(bodies, random, 0.2, 0.5)
    world.project()
    const hash = world.hash()
    expect(world.project().passes).toBe(1)
    expect(world.hash()).toBe(hash)
  })

  test('a loop is closed by its border', () => {
    const world = new World({ solver: 'direct' })
    const corners = [
      [0, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
      [0, 1, 0],
    ] as const
    const bodies = corners.map(([x, y], k) => {
      const [z, w] = corners[(k + 1) % 4]
      return world.addBody({ position: [(x + z) / 2, (y + w) / 2, 0], inertia: solidBox(1, [1, 1, 0.1]) })
    })
    corners.forEach((point, k) => world.add(ballSocket, { a: bodies[(k + 3) % 4], b: bodies[k], point }))
    const before = centre(bodies)
    knock(bodies, new Random(2), 0.1, 0.2)
    const knocked = centre(bodies)
    expect(knocked).not.toEqual(before)
    expect(world.project().violation).toBeLessThan(MET)
    const after = centre(bodies)
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - knocked[k])).toBeLessThan(KEPT)
  })
})

describe('starts that violate joints', () => {
  property.prop(
    [fc.integer({ min: 1, max: 1e6 }), fc.boolean(), fc.constantFrom<'auto' | 'direct'>('auto', 'direct')],
    {
      numRuns: runs(40),
      seed: 1,
    },
  )('give no speed', (seed, fixed, solver) => {
    const { world, bodies, random } = mixed(seed, fixed, { solver })
    knock(bodies, random, 0.2, 0.5)
    for (let step = 0; step < 3; step++) {
      world.step(1 / 60)
      expect(speed(bodies)).toBeLessThan(NO_SPEED)
    }
  })

  test('repairSpeed bounds the way back', () => {
    const { world, bodies, joints } = chain({
      links: 4,
      hanging: true,
      options: { gravity: [0, 0, 0], repairSpeed: 1.5 },
    })
    for (const body of bodies) body.setPosition([body.position[0] + 0.3, body.position[1], 0])
    for (let step = 0; step < 4; step++) {
      const before = bodies.map(({ position }) => [...position])
      world.step(1 / 60)
      bodies.forEach(({ position }, k) => {
        expect(Math.hypot(...before[k].map((x, axis) => position[axis] - x))).toBeLessThan(1.5 / 60 + MET)
      })
      expect(speed(bodies)).toBeLessThan(NO_SPEED)
    }
    for (let step = 0; step < 120; step++) world.step(1 / 60)
    expect(worst(joints)).toBeLessThan(MET)
  })

  test('what repairSpeed has left for later steps is repaired by a projection at once', () => {
    const { world, bodies, joints } = chain({
      links: 4,
      hanging: true,
      options: { gravity: [0, 0, 0], repairSpeed: 1.5 },
    })
    for (const body of bodies) body.setPosition([body.position[0] + 0.3, body.position[1], 0])
    world.step(1 / 60)
    expect(worst(joints)).toBeGreaterThan(0.1)
    expect(world.project().violation).toBeLessThan(MET)
    expect(worst(joints)).toBeLessThan(MET)
  })
})
