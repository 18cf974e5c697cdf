import { fc, test as property } from '@fast-check/vitest'
import { type Body, type Constraint, solidBox, type Solver, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../core/test/support/runs.js'
import { Random } from '../../../core/test/support/random.js'
import { ballSocket, distance, pointDrive, swingTwist } from '../../src/index.js'
import { EXACT, worst } from './support.js'

/** A solved joint [m, rad]. */
const MET = 1e-8
/** Round-off of energy, as a share of m g L. */
const NO_GAIN = 1e-9
/** Passes end where bodies are balanced to a millionth of what rows push. */
const PUSHED = 1e-5
/** Round-off of a speed that friction takes away [rad/s]. */
const SPEED = 1e-9
/** What is left of a spin that was stopped: a pass may leave 1e-9 rad of a substep of 1/240 s [rad/s]. */
const STOPPED = 3e-7

interface Bent {
  world: World
  bodies: Body[]
  joints: Constraint[]
  scale: number
}

/** Links of 0.5 m along random directions, hung from the world at the first. */
function bent(seed: number, links: number, decades: number, spin: number, limited: boolean, substeps: number): Bent {
  const random = new Random(seed)
  const world = new World({ ...EXACT, substeps, energyGuard: false })
  const bodies: Body[] = []
  const joints: Constraint[] = []
  const end = [0, 0, 0]
  const speed = [0, 0, 0]
  let mass = 0
  let q = [0, 0, 0, 1]
  for (let k = 0; k < links; k++) {
    q = turned(q, random.vector(limited ? 0.2 : 2))
    const m = 10 ** random.between(0, decades)
    const half = along(q, 0.25)
    const w = random.vector(spin)
    const v = [w[1] * half[2] - w[2] * half[1], w[2] * half[0] - w[0] * half[2], w[0] * half[1] - w[1] * half[0]]
    const b = world.addBody({
      position: [end[0] + half[0], end[1] + half[1], end[2] + half[2]],
      orientation: q as [number, number, number, number],
      mass: m,
      inertia: solidBox(m, [0.5, 0.1, 0.1]),
      velocity: [speed[0] + v[0], speed[1] + v[1], speed[2] + v[2]],
      angularVelocity: w,
    })
    const points = {
      a: bodies[k - 1] ?? null,
      b,
      anchorA: (k === 0 ? [0, 0, 0] : [0.25, 0, 0]) as [number, number, number],
      anchorB: [-0.25, 0, 0] as const,
    }
    const swing = { y: { min: -0.8, max: 0.8 }, z: { min: -0.8, max: 0.8 } }
    const frame = [0, 0, 0, 1] as const
    joints.push(
      (limited
        ? world.add(swingTwist, {
            ...points,
            frameA: frame,
            frameB: frame,
            swing,
            swingShape: k % 2 === 0 ? 'cone' : 'pyramid',
            twist: { min: -0.5, max: 0.5 },
          })
        : world.add(ballSocket, points)) as Constraint,
    )
    for (let c = 0; c < 3; c++) {
      end[c] += 2 * half[c]
      speed[c] += 2 * v[c]
    }
    mass += m
    bodies.push(b)
  }
  return { world, bodies, joints, scale: 9.81 * mass * 0.5 * links }
}

/** (1 + v/2) q, of unit length. */
function turned([x, y, z, w]: readonly number[], [u, v, t]: ArrayLike<number> & Iterable<number>): number[] {
  const raw = [
    x + 0.5 * (w * u + y * t - z * v),
    y + 0.5 * (w * v + z * u - x * t),
    z + 0.5 * (w * t + x * v - y * u),
    w - 0.5 * (x * u + y * v + z * t),
  ]
  const length = Math.hypot(...raw)
  return raw.map((c) => c / length)
}

/** The body's x axis times `length`. */
function along([x, y, z, w]: readonly number[], length: number): number[] {
  return [length * (1 - 2 * (y * y + z * z)), length * 2 * (x * y + w * z), length * 2 * (x * z - w * y)]
}

describe('what is thrown', () => {
  test('a tree whose pass is not solved repeats its substep by halves, and no joint parts', () => {
    let halved = 0
    for (let seed = 1; seed <= 3; seed++) {
      const { world, joints, scale } = bent(seed, 10, 6, 5, false, 1)
      const start = world.energy().total
      for (let step = 0; step < 60; step++) {
        world.step(1 / 60)
        halved += world.report.direct.halved
        if (world.report.direct.unsolved === 0) expect(worst(joints)).toBeLessThan(MET)
        expect(world.energy().total - start).toBeLessThan(NO_GAIN * scale)
      }
    }
    expect(halved).toBeGreaterThan(0)
  })

  test('the force of a joint is that of the whole substep, also where it was repeated by halves', () => {
    const dt = 1 / 60
    let halved = 0
    for (let seed = 1; seed <= 3; seed++) {
      const { world, bodies, joints } = bent(seed, 10, 6, 5, false, 1)
      for (let step = 0; step < 60; step++) {
        const before = bodies.map(({ velocity }) => Array.from(velocity))
        world.step(dt)
        if (world.report.direct.unsolved > 0) continue
        halved += world.report.direct.halved
        // What hangs on the world is moved by its weight and the first joint alone: R = Σ m (Δv/dt − g).
        const { force } = joints[0].reaction(1)
        for (let c = 0; c < 3; c++) {
          const g = world.settings.gravity[c]
          const pushes = bodies.map(({ mass, velocity }, k) => mass * ((velocity[c] - before[k][c]) / dt - g))
          const size = pushes.reduce((sum, push) => sum + Math.abs(push), 0)
          expect(Math.abs(pushes.reduce((sum, push) => sum + push, 0) - force[c])).toBeLessThan(PUSHED * (1 + size))
        }
      }
    }
    expect(halved).toBeGreaterThan(0)
  })

  property.prop([fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(1, 2, 8)], { numRuns: runs(6), seed: 1 })(
    'random limited chains never have more energy than at the start, without the guard',
    (seed, substeps) => {
      const { world, joints, scale } = bent(seed, 6, 1, 0, true, substeps)
      const start = world.energy().total
      for (let step = 0; step < 60; step++) {
        world.step(1 / 60)
        expect(world.energy().total - start).toBeLessThan(NO_GAIN * scale)
        expect(worst(joints)).toBeLessThan(MET)
      }
    },
  )

  property.prop([fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(1, 2, 8)], { numRuns: runs(20), seed: 1 })(
    'thrown chains led by point drives to places at rest never have more energy than at the start, without the guard',
    (seed, substeps) => {
      const random = new Random(seed)
      const world = new World({ ...EXACT, substeps, energyGuard: false })
      const count = 1 + random.below(6)
      const links = Array.from({ length: count }, (_, k) => {
        const mass = 10 ** random.between(0, 3)
        const at = { position: [0, -0.25 - 0.5 * k, 0] as const, mass, inertia: solidBox(mass, [0.1, 0.5, 0.1]) }
        return world.addBody({ ...at, velocity: random.vector(3), angularVelocity: random.vector(10) })
      })
      links.slice(1).forEach((b, k) => world.add(ballSocket, { a: links[k], b, point: [0, -0.5 * (k + 1), 0] }))
      for (let k = 1 + random.below(3); k > 0; k--) {
        const body = links[random.below(count)]
        const omega = 2 * Math.PI * 10 ** random.between(-0.5, 1.5)
        world.add(pointDrive, {
          bodies: [body],
          point: random.vector(0.3),
          target: random.vector(2),
          stiffness: body.mass * omega * omega,
          damping: random.chance(0.3) ? 0 : body.mass * omega * random.between(0, 3),
          maxForce: random.chance(0.5) ? Infinity : body.mass * 10 ** random.between(0, 3),
        })
      }
      const start = world.energy().total
      const weight = links.reduce((sum, { mass }) => sum + 9.81 * mass * 0.5 * count, 0)
      for (let step = 0; step < 60; step++) {
        world.step(1 / 30)
        expect(world.energy().total - start).toBeLessThan(NO_GAIN * (Math.abs(start) + weight))
      }
    },
  )
})

describe('friction torque at its bound', () => {
  /** A ball of 2 kg m² on a joint at its centre, spinning about an oblique axis at 3 rad/s. */
  function spinning(torque: number, solver: Solver) {
    const world = new World({ ...EXACT, gravity: [0, 0, 0], substeps: 4 })
    const axis = [2 / 3, -1 / 3, 2 / 3]
    const b = world.addBody({
      inertia: 2,
      angularVelocity: axis.map((c) => 3 * c) as [number, number, number],
    })
    world.add(swingTwist, { a: null, b, point: [0, 0, 0], frictionTorque: torque, solver })
    const speed = () => axis.reduce((sum, c, k) => sum + c * b.angularVelocity[k], 0)
    return { world, b, speed }
  }

  test.each(['direct', 'sweep'] as const)('slows a spin by τ/I and stops it dead: %s', (solver) => {
    const { world, b, speed } = spinning(4, solver)
    // ω = 3 − 2 t, until 1.5 s.
    for (let step = 1; step <= 89; step++) {
      world.step(1 / 60)
      expect(Math.abs(speed() - (3 - (2 * step) / 60))).toBeLessThan(SPEED)
    }
    for (let step = 0; step < 3; step++) world.step(1 / 60)
    const before = [...b.orientation]
    for (let step = 0; step < 60; step++) world.step(1 / 60)
    expect(Math.hypot(...b.angularVelocity)).toBeLessThan(STOPPED)
    for (let k = 0; k < 4; k++) expect(Math.abs(b.orientation[k] - before[k])).toBeLessThan(STOPPED)
  })
})

test('a rigid length of 0 has no direction, and is swept also where all is to be solved directly', () => {
  const world = new World({ ...EXACT, solver: 'direct' })
  const bodies = [0, 1, 1, 2].map((x, k) =>
    world.addParticle({ position: [0.2 * x, 0, 0], ...(k === 0 ? { type: 'static' as const } : {}) }),
  )
  const links = bodies.slice(1).map((b, k) => world.add(distance, { a: bodies[k], b, length: k === 1 ? 0 : 0.2 }))
  for (let step = 0; step < 60; step++) {
    world.step()
    expect(world.report.direct?.joints).toBe(2)
    expect(world.report.direct?.halved).toBe(0)
  }
  links[1].set({ length: 0.1 })
  world.step()
  expect(world.report.direct?.joints).toBe(3)
})
