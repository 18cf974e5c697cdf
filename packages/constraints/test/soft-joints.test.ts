/** Joints that give way: between two bodies, in chains and in loops, thrown at default settings. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ConstraintType, solidBox, World, type WorldOptions } from '@tautline/core'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { angleOf, ballSocket, fixed, hinge, slider, swingTwist, universal } from '../src/index.js'

/** Share of the energy at the start that a scene may gain. */
const GAIN = 0.01
const STEPS = 100
/** Push at the latch [N], and the speed [m/s] that the first step may give. */
const PUSH = 10
const MOST_SPEED = 0.01

type Vec3 = [number, number, number]
type Pairs = readonly (readonly [number, number])[]

const LAYOUTS: Record<string, Pairs> = {
  pair: [[0, 1]],
  chain: [
    [0, 1],
    [1, 2],
  ],
  loop: [
    [0, 1],
    [1, 3],
    [3, 2],
    [2, 0],
  ],
}

/** Definitions without their bodies, from numbers in [0, 1). */
const SOFT: Record<string, (u: () => number) => [ConstraintType<never>, object]> = {
  fixed: (u) => [fixed as never, { ...softness(u), angularCompliance: 10 ** (-5 + 3 * u()), angularDamping: 5 * u() }],
  hinge: (u) => [hinge as never, { ...softness(u), axis: direction(u), ...limits(u), frictionTorque: stuck(u) }],
  slider: (u) => [slider as never, { ...softness(u), axis: direction(u), ...limits(u), frictionForce: stuck(u) }],
  universal: (u) => [universal as never, { ...softness(u), axisA: [1, 0, 0], axisB: [0, u(), 1] }],
  swingTwist: (u) => {
    const drive = { stiffness: 100 * u(), target: [0.3, 0.1, -0.2, 0.92] }
    return [swingTwist as never, { ...softness(u), axis: direction(u), drive, frictionTorque: u() }]
  },
}

function softness(u: () => number): object {
  return { point: [u(), u() - 0.5, u() - 0.5], compliance: 10 ** (-5 + 3 * u()), damping: u() < 0.3 ? 0 : 10 * u() }
}

function limits(u: () => number): object {
  return u() < 0.5 ? {} : { limits: { min: -0.2 * u(), max: 0.05 + 0.3 * u(), compliance: 10 ** (-5 + 3 * u()) } }
}

/** None, or as good as stuck. */
function stuck(u: () => number): number {
  return u() < 0.5 ? 0 : 1e6
}

function direction(u: () => number): Vec3 {
  return [u() - 0.5, u() - 0.5, u() + 0.1]
}

function scene(kind: string, pairs: Pairs, seed: number, options: WorldOptions = {}): World {
  const numbers = new Random(seed)
  const u = (): number => numbers.next()
  const world = new World({ gravity: [0, 0, 0], substeps: 1 + Math.floor(8 * u()), ...options })
  const [type, def] = SOFT[kind](u)
  const count = Math.max(...pairs.flat()) + 1
  const bodies = Array.from({ length: count }, (_, k) => {
    const mass = 10 ** (2 * u() - 1)
    const inertia: Vec3 = [mass * (0.1 + 0.1 * u()), mass * (0.1 + 0.1 * u()), mass * (0.1 + 0.1 * u())]
    return world.addBody({ position: [(k % 2) + 0.1 * u(), (k >> 1) + 0.4 * u(), 0.3 * u()], mass, inertia })
  })
  for (const [a, b] of pairs) world.add(type, { ...def, a: bodies[a], b: bodies[b] } as never)
  for (const body of bodies) {
    body.setVelocity([6 * u() - 3, 6 * u() - 3, 6 * u() - 3])
    body.setAngularVelocity([10 * u() - 5, 10 * u() - 5, 10 * u() - 5])
  }
  return world
}

describe(`soft joints (seed ${SEED})`, () => {
  for (const kind of Object.keys(SOFT)) {
    for (const [layout, pairs] of Object.entries(LAYOUTS)) {
      test(`a ${layout} of ${kind} gains nothing when thrown`, () => {
        fc.assert(
          fc.property(fc.nat(), (seed) => {
            const world = scene(kind, pairs, seed)
            const { kinetic, elastic, total } = world.energy()
            for (let step = 0; step < STEPS; step++) {
              world.step()
              expect(world.energy().total - total).toBeLessThanOrEqual(GAIN * (kinetic + elastic))
            }
          }),
          { seed: SEED, numRuns: runs(3) },
        )
      })
    }
  }

  test('a loop is solved directly, also when it is rigid', () => {
    const world = scene('fixed', LAYOUTS.loop, 1)
    const joints = world.constraints()
    world.step()
    expect(world.report.direct.joints).toBe(joints.length)
    for (const joint of joints) joint.set({ compliance: 0, angularCompliance: 0 } as never)
    world.step()
    expect(world.report.direct.joints).toBe(joints.length)
  })
})

/** Joints that turn about their pivot when they are swept: its reaction has to know how soft it is. */
describe(`soft joints that are swept (seed ${SEED})`, () => {
  for (const kind of ['fixed', 'hinge', 'universal', 'swingTwist']) {
    test(`a pair on a ${kind} gains nothing when thrown, without the guard`, () => {
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const world = scene(kind, LAYOUTS.pair, seed, { solver: 'sweep', energyGuard: false })
          const { kinetic, elastic, total } = world.energy()
          for (let step = 0; step < STEPS; step++) {
            world.step()
            expect(world.energy().total - total).toBeLessThanOrEqual(GAIN * (kinetic + elastic))
          }
        }),
        { seed: SEED, numRuns: runs(20) },
      )
    })
  }

  test.each([1e-6, 1e-5, 1e-4])('a swept latch of %f m/N beside a hinge holds still under 10 N', (compliance) => {
    const world = new World()
    const leaf = world.addBody({ mass: 25, inertia: solidBox(25, [1, 2, 0.08]), position: [0.5, 1, 0] })
    const door = world.add(hinge, { b: leaf, point: [0, 1, 0], axis: [0, 1, 0] })
    const latch = world.add(fixed, { b: leaf, point: [1, 1, 0], compliance, solver: 'sweep' })
    for (let step = 0; step < 240; step++) {
      leaf.applyForce([0, 0, PUSH], [1, 1, 0])
      world.step()
      expect(Math.hypot(...leaf.velocity)).toBeLessThan(MOST_SPEED)
    }
    expect(latch.force).toBeLessThanOrEqual(PUSH)
    expect(Math.abs(angleOf(door))).toBeLessThan(1.1 * PUSH * compliance)
  })
})

describe('a heavy body on a chain of light ones on soft joints', () => {
  const JOINTS: readonly [string, ConstraintType<never>, object][] = [
    ['ball sockets', ballSocket as never, {}],
    ['hinges', hinge as never, { axis: [0, 0, 1] }],
    ['fixed joints', fixed as never, {}],
  ]

  /** How far 1 t hangs below where it was made, on links of 1 kg, when it has come to rest [m]. */
  function extension(type: ConstraintType<never>, fields: object, options: WorldOptions, links: number): number {
    const world = new World(options)
    // Critical for the heavy body on all of them.
    const damping = 2 * Math.sqrt((1000 * links) / COMPLIANCE)
    const bodies = Array.from({ length: links }, (_, k) => {
      const mass = k === links - 1 ? 1000 : 1
      return world.addBody({ position: [0, -(k + 0.5), 0], mass, inertia: solidBox(mass, [0.1, 1, 0.1]) })
    })
    bodies.forEach((b, k) => {
      const def = {
        a: k === 0 ? null : bodies[k - 1],
        b,
        point: [0, -k, 0],
        compliance: COMPLIANCE,
        damping,
        ...fields,
      }
      world.add(type, def as never)
    })
    for (let step = 0; step < 300; step++) world.step()
    return 0.5 - links - bodies[links - 1].position[1]
  }

  const COMPLIANCE = 1e-6
  for (const [name, type, fields] of JOINTS) {
    test(`extends by what the compliance says at any number of substeps: ${name}`, () => {
      for (const links of [1, 2, 6, 11]) {
        // Each joint bears the bodies below it.
        const load = 9.81 * (1000 * links + (links * (links - 1)) / 2)
        for (const substeps of [1, 2, 5, 20]) {
          for (const solver of ['auto', 'direct'] as const) {
            const share = extension(type, fields, { substeps, solver }, links) / (COMPLIANCE * load)
            expect(Math.abs(share - 1), `${links} links, ${substeps} substeps, ${solver}`).toBeLessThan(1e-3)
          }
        }
      }
    })
  }
})
