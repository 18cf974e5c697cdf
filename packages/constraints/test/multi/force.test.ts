import { type Body, type Constraint, fromJSON, World } from '@tautline/core'
import { cos, quaternionFromRotationVector } from '@tautline/core/kernel'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEED } from '../../../core/test/support/seed.js'
import { force, type ForceBody } from '../../src/force.js'
import {
  begin,
  check,
  farthest,
  gradientByDifferences,
  H,
  length,
  poses,
  rowsOf,
  sweeps,
  type Vector,
} from './support.js'

/** Λ − h² F after enough updates: round-off of impulses of order one. */
const FIXED_POINT = 1e-12
/** Momentum of a step of internal forces. */
const MOMENTUM = 1e-12
/** A Jacobian by differences against one by hand: central differences with a step of 6e-7, or 1.4e-4 m/s. */
const JACOBIAN = 1e-7

/** k (target − x) on one body: a spring to a fixed point. */
function pull(name: string): ReturnType<typeof force<{ k: number; target: Vector }>> {
  return force<{ k: number; target: Vector }>({
    name,
    bodies: 1,
    force([body], _h, out, { k, target }) {
      const x = body.position
      out.force(0, k * (target[0] - x[0]), k * (target[1] - x[1]), k * (target[2] - x[2]))
    },
    energy([body], { k, target }) {
      return (
        0.5 * k * [0, 1, 2].reduce((sum, i) => sum + (target[i] - body.position[i]) * (target[i] - body.position[i]), 0)
      )
    },
  })
}

interface SpringParams {
  k: number
  damping: number
  length: number
  anchorA: Vector
  anchorB: Vector
}

/** A damped spring with a rest length between two points of rigid bodies. */
const spring = force<SpringParams>({
  name: 'spring',
  bodies: 2,
  force([a, b], _h, out, { k, damping, length: rest, anchorA, anchorB }) {
    const [p, q] = [a.point(anchorA), b.point(anchorB)]
    const [u, v] = [a.velocityAt(anchorA), b.velocityAt(anchorB)]
    const d = [0, 1, 2].map((i) => p[i] - q[i])
    const l = length(d)
    const rate = [0, 1, 2].reduce((sum, i) => sum + (d[i] / l) * (u[i] - v[i]), 0)
    const f = (-k * (l - rest) - damping * rate) / l
    out.forceAt(0, a.position, p, f * d[0], f * d[1], f * d[2])
    out.forceAt(1, b.position, q, -f * d[0], -f * d[1], -f * d[2])
  },
})

/** Newton's attraction. */
const attraction = force<{ mu: number }>({
  name: 'attraction',
  bodies: 2,
  force([a, b], _h, out, { mu }) {
    const d = [0, 1, 2].map((i) => b.position[i] - a.position[i])
    const f = mu / length(d) ** 3
    out.force(0, f * d[0], f * d[1], f * d[2])
    out.force(1, -f * d[0], -f * d[1], -f * d[2])
  },
})

const drag = (body: ForceBody, c: number): Vector => {
  const v = body.velocity
  const s = -c * length(Array.from(v))
  return [s * v[0], s * v[1], s * v[2]]
}

/** Quadratic drag −c|v|v, with and without its Jacobian −c (|v| 1 + v v̂ᵀ)/h. */
const quadraticDrag = force<{ c: number }>({
  name: 'quadraticDrag',
  bodies: 1,
  force([body], _h, out, { c }) {
    out.force(0, ...drag(body, c))
  },
})
const quadraticDragByHand = force<{ c: number }>({
  name: 'quadraticDragByHand',
  bodies: 1,
  force([body], _h, out, { c }) {
    out.force(0, ...drag(body, c))
  },
  jacobian([body], h, out, { c }) {
    const v = body.velocity
    const speed = length(Array.from(v))
    const block = [0, 1, 2].flatMap((i) =>
      [0, 1, 2].map((j) => (i === j ? speed : 0) + (speed > 0 ? (v[i] * v[j]) / speed : 0)),
    )
    out.block(0, 0, block, -c / h)
  },
})

/** Torque −k φ about z towards the world's axes: φ from the x axis of the body. */
const torsion = force<{ k: number }>({
  name: 'torsion',
  bodies: 1,
  force([body], _h, out, { k }) {
    const q = body.orientation
    out.torque(0, 0, 0, -2 * k * q[2] * q[3])
  },
})

function still(substeps = 1): World {
  return new World({ gravity: [0, 0, 0], substeps })
}

/** |Λ − h² F| of every row, from `evaluate`. */
function offFixedPoint(constraint: Constraint): number {
  constraint.batch.rows.substep = H
  const { c } = rowsOf(constraint)
  return farthest(
    constraint.multipliers,
    c.map((value) => -H * H * value),
  )
}

function handle<Def extends object>(constraint: Constraint<Def>): Constraint {
  return constraint as unknown as Constraint
}

describe(`force (seed ${SEED})`, () => {
  test('two springs on one mass add up: 0.6 of the way, where (106) as printed goes 0.75', () => {
    // h² k/m = 0.75 each: implicit Euler gives x = 2·0.75/(1 + 2·0.75) of the way to the target both have.
    const h = 1 / 10
    const k = 0.75 / (h * h)
    for (const first of ['left', 'right']) {
      const world = new World({ gravity: [0, 0, 0], substeps: 1, iterations: 60 })
      const body = world.addParticle({ position: [0, 0, 0] })
      const [left, right] = [pull('left'), pull('right')]
      for (const type of first === 'left' ? [left, right] : [right, left]) {
        world.add(type, { bodies: [body], params: { k, target: [1, 0, 0] } })
      }
      world.step(h)
      expect(Math.abs(body.position[0] - 0.6)).toBeLessThan(FIXED_POINT)
    }
  })

  test('one spring is implicit Euler in one sweep, since its law is linear', () => {
    const h = 0.1
    const world = still()
    const body = world.addParticle({ position: [0, 0, 0], velocity: [1, 2, 3], mass: 2 })
    const spring1 = world.add(pull('spring1'), { bodies: [body], params: { k: 30, target: [1, 0, -1] } })
    world.step(h)
    const expected = [1, 2, 3].map((v, i) => {
      const a = (30 * h * h) / 2
      return (h * v + a * [1, 0, -1][i]) / (1 + a)
    })
    // The Jacobian by differences is off by 1e-9 of itself: one update leaves that.
    expect(farthest(Array.from(body.position), expected)).toBeLessThan(1e-9)
    const F = expected.map((x, i) => 30 * ([1, 0, -1][i] - x))
    expect(farthest(spring1.reaction().force, F)).toBeLessThan(JACOBIAN)
    expect(spring1.error).toBe(0)
    expect(spring1.force).toBeCloseTo(length(F), 6)
    expect(world.energy().elastic).toBeCloseTo((F[0] * F[0] + F[1] * F[1] + F[2] * F[2]) / 60, 8)
    expect(world.residual().spring1).toEqual({})
  })

  test('the fixed point is Λ = h² F(X), and internal forces keep momentum: a spring between anchors of rigid bodies', () => {
    const vector = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -1, max: 1, noNaN: true }))) as fc.Arbitrary<Vector>
    const scene = fc.record({
      anchorA: vector,
      anchorB: vector,
      turnA: vector,
      turnB: vector,
      spinA: vector,
      damping: fc.constantFrom(0, 40),
    })
    check(SEED, scene, ({ anchorA, anchorB, turnA, turnB, spinA, damping }) => {
      const world = still()
      const a = rigid(world, [0, 0, 0], turnA, spinA, 2)
      const b = rigid(world, [4, 1, 0], turnB, [0, 0, 0], 3)
      const params = { k: 2e3, damping, length: 1, anchorA, anchorB }
      const law = handle(world.add(spring, { bodies: [a, b], params }))
      const before = world.momentum().linear
      begin(world)
      // Both have drifted in the substep: the law sees the velocities of the iterate.
      world.bodies.columns.position[4 * a.index] += 0.01
      sweeps(world, 1, false)
      world.step(H)
      expect(farthest(world.momentum().linear, before)).toBeLessThan(MOMENTUM * 100)
      begin(world)
      sweeps(world, 30, false)
      expect(offFixedPoint(law)).toBeLessThan(FIXED_POINT)
      const torque = law.multipliers
      expect(length([0, 1, 2].map((i) => torque[i] + torque[6 + i]))).toBeLessThan(FIXED_POINT)
      // Σ (x × F + τ) = 0 about the pose reached.
      const moment = [0, 1, 2].map((i) => {
        const [r, s] = [(i + 1) % 3, (i + 2) % 3]
        return [a, b].reduce((sum, body, n) => {
          const [x, l] = [body.position, torque.slice(6 * n, 6 * n + 6)]
          return sum + x[r] * l[s] - x[s] * l[r] + l[3 + i]
        }, 0)
      })
      expect(length(moment)).toBeLessThan(10 * FIXED_POINT)
    })
  })

  test('K is −∂F/∂X: by differences as by hand', () => {
    const vector = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -3, max: 3, noNaN: true }))) as fc.Arbitrary<Vector>
    check(SEED, vector, (moved) => {
      fc.pre(length(moved) > 1)
      const tangents = [quadraticDrag, quadraticDragByHand].map((type) => {
        const world = still()
        const body = world.addParticle({ position: [0, 0, 0], mass: 2 })
        const law = handle(world.add(type, { bodies: [body], params: { c: 0.7 } }))
        begin(world)
        for (let k = 0; k < 3; k++) world.bodies.columns.position[4 * body.index + k] += H * moved[k]
        law.batch.rows.substep = H
        rowsOf(law)
        return Array.from(law.batch.rows.tangent)
      })
      expect(farthest(tangents[0], tangents[1])).toBeLessThan(JACOBIAN * length(tangents[1]))
    })
  })

  test('K of a law on rigid bodies is the derivative of what evaluate says', () => {
    const world = still()
    const a = rigid(world, [0, 0, 0], [0.3, 1, -0.4], [0, 0, 0], 2)
    const b = rigid(world, [2, 1, 0], [1, 0.2, 0.5], [0, 0, 0], 3)
    const params = {
      k: 50,
      damping: 2,
      length: 1,
      anchorA: [0.3, 0.2, 0.1] as Vector,
      anchorB: [-0.4, 0, 0.2] as Vector,
    }
    const law = handle(world.add(spring, { bodies: [a, b], params }))
    begin(world)
    law.batch.rows.substep = H
    rowsOf(law)
    const tangent = Array.from(law.batch.rows.tangent)
    // c = −F: its gradient is K.
    const numeric = gradientByDifferences(law, [a, b], 1e-5)
    numeric.forEach((row, k) => {
      expect(farthest(row, tangent.slice(12 * k, 12 * k + 12))).toBeLessThan(1e-4)
    })
  })

  test('quadratic drag: v + h c v²/m = v₀ a substep, exact to round-off', () => {
    for (const type of [quadraticDrag, quadraticDragByHand]) {
      const world = new World({ gravity: [0, 0, 0], substeps: 1, iterations: 8 })
      const body = world.addParticle({ position: [0, 0, 0], velocity: [30, 0, 0], mass: 2 })
      world.add(type, { bodies: [body], params: { c: 0.5 } })
      const h = 1 / 60
      let v = 30
      for (let k = 0; k < 120; k++) {
        world.step(h)
        const a = (h * 0.5) / 2
        v = (Math.sqrt(1 + 4 * a * v) - 1) / (2 * a)
      }
      expect(Math.abs(body.velocity[0] - v)).toBeLessThan(1e-9)
      // And first order in h towards v₀/(1 + v₀ c t/m).
      expect(Math.abs(v - 30 / (1 + (30 * 0.5 * 2) / 2)) / v).toBeLessThan(0.03)
    }
  })

  test('gravitation: a circular orbit keeps its period, linear momentum to round-off', () => {
    const world = still(2000)
    // Reduced mass: ω² = mu (1/m₁ + 1/m₂)/r³ = 1.
    const a = world.addParticle({ position: [-2 / 3, 0, 0], velocity: [0, -2 / 3, 0], mass: 1 })
    const b = world.addParticle({ position: [1 / 3, 0, 0], velocity: [0, 1 / 3, 0], mass: 2 })
    world.add(attraction, { bodies: [a, b], params: { mu: 2 / 3 } })
    const before = world.momentum()
    for (let k = 0; k < 10; k++) world.step((2 * Math.PI) / 10)
    expect(farthest(world.momentum().linear, before.linear)).toBeLessThan(MOMENTUM)
    // Implicit Euler spirals out by about π h a turn, h = 3e-4.
    expect(farthest(Array.from(b.position), [1 / 3, 0, 0])).toBeLessThan(0.02)
  })

  test('torsion: a rigid body turns back as θ₀ cos(√(k/I) t), and a turn converges to h² τ', () => {
    const world = still(400)
    const theta = 0.02
    const q = new Float64Array(4)
    quaternionFromRotationVector(q, 0, 0, 0, theta)
    const body = world.addBody({ position: [1, 2, 3], orientation: [q[0], q[1], q[2], q[3]], mass: 1, inertia: 0.5 })
    const law = world.add(torsion, { bodies: [body], params: { k: 2 } })
    for (let k = 0; k < 30; k++) world.step(1 / 60)
    const expected = theta * cos(2 * 0.5)
    // Implicit Euler damps by ½ ω² h t: 1e-5 of it here; the law is k sin φ, 7e-5 of it.
    expect(Math.abs(2 * body.orientation[2] - expected) / theta).toBeLessThan(3e-4)
    expect(law.torque).toBeCloseTo(2 * expected, 4)
    expect(law.force).toBe(0)
  })

  test('a torque that brakes rotation: ω ← ω/(1 + h c/I) a substep', () => {
    const brake = force({
      name: 'brake',
      bodies: 1,
      force([body], _h, out) {
        const w = body.angularVelocity
        out.torque(0, -3 * w[0], -3 * w[1], -3 * w[2])
      },
    })
    const h = 1 / 60
    const world = new World({ gravity: [0, 0, 0], substeps: 1, iterations: 4 })
    const body = world.addBody({ position: [0, 0, 0], mass: 1, inertia: 0.5, angularVelocity: [2, -4, 5] })
    world.add(brake, { bodies: [body] })
    for (let k = 0; k < 10; k++) world.step(h)
    const share = (1 / (1 + (h * 3) / 0.5)) ** 10
    expect(farthest(Array.from(body.angularVelocity), [2 * share, -4 * share, 5 * share])).toBeLessThan(1e-9)
  })

  test.each(['frozen', 'start'] as const)('%s gradients change nothing: the rows are the coordinates', (jacobians) => {
    const run = (options: object): number[] => {
      const world = new World({ gravity: [0, 0, 0], substeps: 2, iterations: 3, ...options })
      const a = rigid(world, [0, 0, 0], [0.3, 1, -0.4], [1, 2, 3], 2)
      const b = rigid(world, [2, 1, 0], [1, 0.2, 0.5], [0, 0, 0], 3)
      world.add(spring, {
        bodies: [a, b],
        params: { k: 500, damping: 2, length: 1, anchorA: [0.3, 0, 0], anchorB: [0, 0.4, 0] },
      })
      for (let k = 0; k < 5; k++) world.step()
      return poses(world)
    }
    expect(run({ jacobians })).toEqual(run({}))
  })

  test('it breaks at its load, and saves and restores with a scene', () => {
    const type = pull('rope')
    const world = still()
    const body = world.addParticle({ position: [0, 0, 0], mass: 1e6 })
    world.add(type, { bodies: [body], params: { k: 10, target: [1, 0, 0] }, breakForce: 11 })
    const weak = world.add(type, { bodies: [body], params: { k: 10, target: [1, 0, 0] }, breakForce: 9 })
    world.step()
    expect(world.report.broken.map(({ slot }) => slot)).toEqual([weak.slot])
    const copy = fromJSON(JSON.stringify(world), [type as never])
    for (const each of [world, copy]) for (let k = 0; k < 5; k++) each.step()
    expect(poses(copy)).toEqual(poses(world))
  })

  test('a static body feels nothing, and one without a way to move leaves the rest solvable', () => {
    const world = still()
    const a = world.addParticle({ position: [0, 0, 0], mass: Infinity })
    const b = world.addParticle({ position: [2, 0, 0] })
    const params = { k: 100, damping: 0, length: 1, anchorA: [0, 0, 0] as Vector, anchorB: [0, 0, 0] as Vector }
    const law = world.add(spring, { bodies: [a, b], params })
    world.step()
    expect(a.position).toEqual([0, 0, 0])
    expect(b.position[0]).toBeLessThan(2)
    expect(law.reaction(0).force[0]).toBeGreaterThan(0)
  })

  test('what is wrong is said', () => {
    const law = { name: 'law', bodies: 1, force(): void {} }
    expect(() => force({ ...law, name: '' })).toThrow('force: name must be a text, got ')
    for (const bodies of [0, 5, 1.5]) {
      expect(() => force({ ...law, bodies })).toThrow(`law: bodies must be an integer from 1 to 4, got ${bodies}`)
    }
    expect(() => force({ ...law, force: 3 as never })).toThrow('law: force must be a function, got 3')
    expect(() => force({ ...law, jacobian: 3 as never })).toThrow('law: jacobian must be a function, got 3')
    expect(() => force({ ...law, energy: 3 as never })).toThrow('law: energy must be a function, got 3')
    const world = still()
    const body = world.addParticle({ position: [0, 0, 0] })
    expect(() => world.add(force(law), { bodies: [body], stiffness: 3 })).toThrow(
      'law: stiffness must be left out, as it has its own, got 3',
    )
    const bad = force({ name: 'bad', bodies: 1, force: (_bodies, _h, out) => out.force(0, NaN, 0, 0) })
    expect(() => world.add(bad, { bodies: [body] })).toThrow('bad: force must be finite at the present state, got NaN')
    expect(world.constraints()).toEqual([])
  })
})

function rigid(world: World, position: Vector, turned: Vector, angularVelocity: Vector, mass: number): Body {
  const q = new Float64Array(4)
  quaternionFromRotationVector(q, 0, turned[0], turned[1], turned[2])
  const inertia = [0.4 * mass, 0.5 * mass, 0.6 * mass]
  return world.addBody({ position, orientation: [q[0], q[1], q[2], q[3]], angularVelocity, mass, inertia })
}
