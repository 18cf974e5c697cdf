/** What every constraint type must keep, whatever it holds: one suite over `support/table.ts`. */

import type { World } from '@tautline/core'
import { type Body, type Constraint, fromJSON } from '@tautline/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import {
  begin,
  farthest,
  H,
  length,
  measured,
  momentumOf,
  multipliers,
  nudge,
  poses,
  type Scene,
  scene,
  sweeps,
  typesOf,
} from './support/scene.js'
import { copyState } from './joints/support.js'
import { type Fields, TABLE } from './support/table.js'

/** Step of the central differences [m, rad]: ε^(1/3), where truncation meets round-off. */
const STEP = 6e-6
/** Their error: STEP² times third derivatives, which near the kinks that are left out reach 10⁴. */
const GRADIENT = 1e-6
/** The same for a cone's narrow ellipse, whose curvature near its centre has no bound. */
const GRADIENT_CONE = 1e-4
/** The same for ∂F/∂X of a law with drag: forces of 500 N, a step of 6e-7 that is divided by h. */
const TANGENT = 1e-2
/** Vectors shorter than this [m, rad] have no direction to take a gradient of. */
const SHORT = 0.02
/** Two orders of the same sums. */
const SAME = 1e-11
/** The same for joints that turn about a pivot: its K, of condition up to 1e5, is inverted in two ways. */
const SAME_PIVOTED = 1e-8
const PIVOTED: readonly string[] = ['hinge', 'fixed', 'universal', 'swingTwist']
/** Of the magnitudes that were added up. */
const MOMENTUM = 1e-12
/** The same: reading a turn of 1e-3 rad from two quaternions loses three digits; the turn is large where w is small. */
const ANGULAR = 1e-11
/** A world turned, solved and turned back: rotations by quaternions are good to 1e-15, and a sweep may multiply it. */
const TURNED = 1e-9
/** What 2000 sweeps leave [m, rad] of errors of 0.1, or else a thousandth: rows that couple through long levers are slow. */
const CONVERGED = 1e-6
/** The gradient at the end of a step against that of each sweep, when a step moves and turns by a hundredth. */
const READ_OUT = 0.1

/** An angle or a length from the pose that it was read from: the root of a round-off in an angle's cosine is not in it. */
const PRESENT = 1e-12
/** Fields that say how long, how far or how bent, each with the present pose as its default. */
const SIZES = ['length', 'stretch', 'angle', 'rest', 'limits', 'limitsA', 'limitsB', 'swing', 'twist']

/** Gradients that are a turn of δ old are off by δ, and so is their share of a correction of that size; rows and sweeps
 *  multiply it. */
const SECOND_ORDER = 100
/** Largest such correction [m, rad]. */
const SMALL = 0.02

/** Runs a property over seeds; those where `check` says it does not apply do not count. */
function always(check: (seed: number) => boolean | void, numRuns = 60): void {
  fc.assert(
    fc.property(fc.integer(), (seed) => fc.pre(check(seed) !== false)),
    { seed: SEED, numRuns, maxSkipsPerRun: 1000 },
  )
}

/** A scalar as it is, a vector's length. */
const size = (c: readonly number[]): number => (c.length === 1 ? c[0] : length(c))

function isFinite({ world, constraint }: Scene): boolean {
  return (
    world.report.nonFinite.length === 0 &&
    Number.isFinite(constraint.error) &&
    poses({ world } as Scene).every(Number.isFinite)
  )
}

/** What a row is made of: the type's own columns, and the common ones. */
function stored(constraint: Constraint): Record<string, number[]> {
  const { batch } = constraint
  const row = constraint.row()
  const names = [
    ...Object.keys(batch.type.columns),
    'compliance',
    'rayleigh',
    'relaxation',
    'regularization',
    'breakForce',
    'enabled',
  ]
  return Object.fromEntries(
    names.map((name) => {
      const column = batch.columns[name]
      const stride = column.length / batch.table.capacity
      return [name, Array.from(column.subarray(stride * row, stride * (row + 1)))]
    }),
  )
}

describe.each(TABLE)(`$name (seed ${SEED})`, (entry) => {
  const isBounded = (def: Fields): boolean => entry.rigid !== undefined && Object.keys(def).length >= 0

  test('a definition goes in and comes out, at any later pose', () => {
    always((seed) => {
      const s = scene(entry, seed)
      const { world, constraint } = s
      const { def } = constraint
      const context = { bodies: world.bodies.columns, iterations: world.settings.iterations }
      expect(entry.type.resolve(def as never, context)).toEqual(def)
      const hash = world.hash()
      const before = stored(constraint)
      constraint.remove()
      const again = world.add(entry.type, def)
      expect(world.hash()).toBe(hash)
      expect(again.def).toEqual(def)
      expect(stored(again)).toEqual(before)
      again.set({})
      expect(again.def).toEqual(def)
      expect(stored(again)).toEqual(before)
    })
  })

  test.runIf(entry.rigid !== undefined && entry.type.name !== 'contact')(
    'what is left out is as it stands: no error',
    () => {
      always((seed) => {
        const change = (def: Fields): Fields => {
          const kept = Object.entries((entry.rigid as (def: Fields) => Fields)(def)).filter(
            ([field]) => !SIZES.includes(field),
          )
          return Object.fromEntries(kept)
        }
        const s = scene(entry, seed, { far: 0, change })
        if ('axisA' in s.def && 'axisB' in s.def) return false
        expect(s.constraint.error).toBeLessThan(PRESENT)
      }, 30)
    },
  )

  test('JSON goes on with the same bits', () => {
    always((seed) => {
      const s = scene(entry, seed, { options: { substeps: 3 } })
      s.world.step()
      s.world.step()
      const again = fromJSON(JSON.stringify(s.world), typesOf(s))
      for (let k = 0; k < 3; k++) {
        expect(again.hash()).toBe(s.world.hash())
        s.world.step()
        again.step()
      }
    }, 20)
  })

  test('a snapshot goes on with the same bits', () => {
    always((seed) => {
      const { world } = scene(entry, seed, { options: { substeps: 3 } })
      world.step()
      const snapshot = world.snapshot()
      world.step()
      const hash = world.hash()
      world.restore(snapshot)
      world.step()
      expect(world.hash()).toBe(hash)
    }, 20)
  })

  test('gradients are those of central differences', () => {
    const tolerance = entry.name.includes('cone') ? GRADIENT_CONE : GRADIENT
    always((seed) => {
      const s = scene(entry, seed)
      begin(s, seed)
      const before = measured(s)
      const isLaw = before.some(({ law }) => law === 'law')
      const { rows } = s.constraint.batch
      const tangent = rows.tangent.slice()
      s.bodies.forEach((body, b) => {
        if (body === null) return
        for (let axis = 0; axis < (body.isParticle ? 3 : 6); axis++) {
          nudge(s.world, body, axis, STEP)
          const up = measured(s)
          nudge(s.world, body, axis, -2 * STEP)
          const down = measured(s)
          nudge(s.world, body, axis, STEP)
          if (isLaw) {
            if (s.world.bodies.columns.position[4 * body.index + 3] === 0) continue
            const n = up[0].c.length
            up[0].c.forEach((value, k) => {
              const slope = (value - down[0].c[k]) / (2 * STEP)
              expect(Math.abs(slope - tangent[n * k + 6 * b + axis]), `row ${k}, body ${b}, axis ${axis}`).toBeLessThan(
                TANGENT,
              )
            })
            continue
          }
          before.forEach(({ c, gradient }, k) => {
            if (c.length > 1 && length(c) < SHORT) return
            // Where a limit's nearer side changes within the step there is no gradient.
            if (Math.abs(size(up[k].c) - size(down[k].c)) > 1e-3) return
            const slope = (size(up[k].c) - size(down[k].c)) / (2 * STEP)
            const off = Math.abs(slope - gradient[6 * b + axis])
            expect(off, `group ${k}, body ${b}, axis ${axis}`).toBeLessThan(tolerance * Math.max(1, length(gradient)))
          })
        }
      })
    })
  })

  test.runIf(entry.type.sweep !== undefined)('the loop is the reference step', () => {
    always((seed) => {
      const [own, reference] = [true, false].map(() => {
        const s = scene(entry, seed)
        begin(s, seed)
        return s
      })
      if (entry.bounded === true && own.constraint.batch.common.compliance[own.constraint.row()] === 0) return false
      for (let sweep = 0; sweep < 3; sweep++) {
        sweeps(own, 1, true)
        sweeps(reference, 1, false)
        const [a, b] = [own, reference].map((s) => [...poses(s), ...multipliers(s)])
        expect(farthest(a, b)).toBeLessThan(PIVOTED.includes(entry.type.name) ? SAME_PIVOTED : SAME)
        // From the same state again: a joint thrown far off may multiply what is left.
        copyState(own.world, reference.world)
      }
    })
  })

  test('one correction keeps linear momentum, and angular momentum where the type says so', () => {
    always((seed) => {
      const s = scene(entry, seed, { free: true, particles: false })
      begin(s, seed, 0)
      const groups = measured(s).length
      const { rows } = s.constraint.batch
      const J = rows.J.slice(0, 6 * rows.arity * rows.count)
      const {
        linear,
        angular,
        size: total,
        noise,
        inverse,
      } = momentumOf(s, () => {
        sweeps(s, 1)
      })
      expect(linear).toBeLessThanOrEqual(MOMENTUM * total + noise)
      if (total === 0) return false
      // Several groups in a row are several corrections, each about the pose the last one left.
      if (entry.type.turnsWithFrame === false || groups !== 1) return
      // A body that turned by more than π looks as if it had turned the other way.
      if (s.bodies.some((body, b) => length(turnOf(inverse, body?.index ?? 0, J, b, s)) > 3)) return
      expect(angular).toBeLessThanOrEqual(ANGULAR * total + noise)
    })
  })

  test.runIf(entry.type.turnsWithFrame !== false)('no row pushes or turns the whole', () => {
    always((seed) => {
      const s = scene(entry, seed, { free: true })
      begin(s, seed)
      measured(s)
      const { batch } = s.constraint
      const { J, count } = batch.rows
      const { position } = s.world.bodies.columns
      for (let k = 0; k < count; k++) {
        const linear = [0, 0, 0]
        const angular = [0, 0, 0]
        let total = 1
        for (let b = 0; b < batch.arity; b++) {
          const o = 6 * (batch.arity * k + b)
          const x = position.subarray(4 * batch.ids[batch.arity * s.constraint.row() + b])
          for (let i = 0; i < 3; i++) {
            const [r, t] = [(i + 1) % 3, (i + 2) % 3]
            linear[i] += J[o + i]
            angular[i] += J[o + 3 + i] + x[r] * J[o + t] - x[t] * J[o + r]
            total += Math.abs(J[o + i]) + Math.abs(J[o + 3 + i])
          }
        }
        expect(length(linear)).toBeLessThan(MOMENTUM * total)
        // The bend of weights pulls its four bodies each along its own line: only their sum turns nothing.
        if (entry.name !== 'isometricBend') expect(length(angular)).toBeLessThan(MOMENTUM * total)
      }
    })
  })

  test.runIf(entry.worldFrame !== true)('the whole turned and moved gives the same, turned and moved', () => {
    always((seed) => {
      const here = scene(entry, seed)
      if (here.bodies.includes(null)) return false
      begin(here, seed)
      const there = scene(entry, seed)
      begin(there, seed)
      const random = new Random(seed + 2)
      const q = random.rotation()
      const shift = random.vector(5)
      moveAll(there, q, shift)
      for (const s of [here, there]) sweeps(s, 2)
      moveAll(here, q, shift)
      // Where there are several, κ is a vector that turns with the world.
      if (entry.type.multipliers === 1) expect(farthest(multipliers(here), multipliers(there))).toBeLessThan(TURNED)
      // q and −q are the same rotation.
      const turnedBoth = [here, there].map((s) =>
        s.world.bodies.all().flatMap((body) => [...body.position, ...positive(body.orientation)]),
      )
      expect(farthest(turnedBoth[0], turnedBoth[1])).toBeLessThan(TURNED)
    })
  })

  test('what has infinite mass does not move', () => {
    always((seed) => {
      const s = scene(entry, seed)
      const fixed = s.world.bodies.all().filter((body) => body.type !== 'dynamic')
      if (fixed.length === 0) return false
      const pose = (): unknown => fixed.map((body) => [body.position, body.orientation])
      const before = pose()
      begin(s, seed)
      sweeps(s, 3)
      expect(pose()).toEqual(before)
      const world = Array.from(s.world.bodies.columns.position.subarray(0, 3))
      expect(world).toEqual([0, 0, 0])
    })
  })

  test('degenerate poses stay finite, and so do steps from them', () => {
    const half = Math.PI
    const turns: [number, number, number][] = [
      [0, 0, 0],
      [half, 0, 0],
      [0, half, 0],
      [0, 0, half],
      [1.2, -2, 1.9],
    ]
    const layouts: ((k: number) => [number, number, number])[] = [
      () => [0, 0, 0],
      (k) => [k, 0, 0],
      (k) => [k % 2, 0, 0],
      (k) => [1e-9 * k, 1e-13 * k, 0],
      (k) => [1e4 * k, -1e4 * k, 1e4],
    ]
    always((seed) => {
      for (const turnBy of turns) {
        for (const layout of layouts) {
          for (const isRigid of [false, true]) {
            const s = scene(entry, seed, {
              far: 0,
              options: { substeps: 2 },
              ...(isRigid && entry.rigid && { change: entry.rigid }),
            })
            s.bodies.forEach((body, k) => {
              if (body === null) return
              body.setPosition(layout(k))
              if (body.isParticle) return
              body.setOrientation([0, 0, 0, 1])
              if (k === 0) continueTurn(s.world, body, turnBy)
            })
            for (let k = 0; k < 3; k++) s.world.step()
            expect(isFinite(s), `turned by ${turnBy.join()}, at ${layout(1).join()}, rigid ${isRigid}`).toBe(true)
          }
        }
      }
    }, 6)
  })

  test.runIf(isBounded({}) && entry.bounded !== true)('without softness it converges', () => {
    always((seed) => {
      const s = scene(entry, seed, { far: 0.05, change: entry.rigid as (def: Fields) => Fields })
      begin(s, seed)
      const before = s.constraint.error
      sweeps(s, 2000)
      const after = s.constraint.error
      if (after > CONVERGED && before > 0.3) return false
      expect(after).toBeLessThan(Math.max(CONVERGED, (entry.slow === true ? 0.1 : 0.001) * before))
    }, 40)
  })

  test('force and couple are λ/h² along the rows, and what moves the bodies', () => {
    always((seed) => {
      const s = scene(entry, seed, { far: 0.02, options: { dt: H, iterations: 20, energyGuard: false } })
      const { world, constraint, bodies } = s
      settle(s)
      const random = new Random(seed + 3)
      const pushes = bodies.map(() => random.vector(20))
      bodies.forEach((body, b) => body?.applyForce(pushes[b]))
      const before = bodies.map((body) => body?.velocity ?? [0, 0, 0])
      world.step()
      const { batch } = constraint
      const lambda = constraint.multipliers
      measured(s)
      const { J, multiplier, count } = batch.rows
      bodies.forEach((body, b) => {
        const { force, torque } = constraint.reaction(b)
        const expected = [0, 0, 0]
        const couple = [0, 0, 0]
        let total = 1e-4
        for (let k = 0; k < count; k++) {
          const o = 6 * (batch.arity * k + b)
          const push = lambda[multiplier[k]] / (H * H)
          const isCouple = bodies.every((_, c) => [0, 1, 2].every((i) => J[6 * (batch.arity * k + c) + i] === 0))
          total += Math.abs(push) * length(Array.from(J.subarray(o, o + 3)))
          for (let i = 0; i < 3; i++) {
            expected[i] += push * J[o + i]
            if (isCouple) couple[i] += push * J[o + 3 + i]
          }
        }
        expect(farthest(force, expected)).toBeLessThan(SAME)
        expect(farthest(torque, couple)).toBeLessThan(SAME)
        if (b === 0) {
          expect(constraint.force).toBeCloseTo(length(force), 9)
          expect(constraint.torque).toBeCloseTo(length(torque), 9)
        }
        if (body === null || body.type !== 'dynamic') return
        const felt = [0, 1, 2].map((k) => (body.mass * (body.velocity[k] - before[b][k])) / H - pushes[b][k])
        const off = length(felt.map((f, k) => f - force[k]))
        expect(off).toBeLessThan(READ_OUT * total)
      })
    }, 30)
  })

  test('it breaks above its limit and not below', () => {
    always((seed) => {
      const build = (limit: Fields): Scene =>
        scene(entry, seed, { far: 0.05, options: { dt: H }, change: (def) => ({ ...def, ...limit }) })
      const free = build({})
      free.world.step()
      const { force, torque } = free.constraint
      if (force < 1e-6 && torque < 1e-6) return false
      for (const [field, value] of [
        ['breakForce', force],
        ['breakTorque', torque],
      ] as const) {
        if (value < 1e-6) continue
        for (const share of [0.99, 1.01]) {
          const s = build({ [field]: share * value })
          s.world.step()
          expect(s.constraint.broken).toBe(share < 1)
          expect(s.constraint.enabled).toBe(share > 1)
          expect(s.world.report.broken).toHaveLength(share < 1 ? 1 : 0)
        }
      }
    }, 20)
  })

  test('frozen and start gradients agree with fresh ones as errors get small', () => {
    always((seed) => {
      const [fresh, frozen, start] = (['fresh', 'frozen', 'start'] as const).map((jacobians) => {
        const s = scene(entry, seed, {
          far: 1e-4,
          options: { jacobians, dt: H, iterations: 3 },
          ...(entry.rigid && { change: entry.rigid }),
        })
        const before = poses(s)
        s.world.step()
        return { before, after: poses(s) }
      })
      const moved = farthest(fresh.before, fresh.after)
      // Only small corrections are second order: a contact may begin ten centimetres deep.
      if (moved > SMALL) return false
      for (const other of [frozen, start]) {
        expect(other.before).toEqual(fresh.before)
        expect(farthest(fresh.after, other.after)).toBeLessThan(SECOND_ORDER * moved * moved + 1e-9)
      }
      return true
    }, 20)
  })

  test('switched off it does nothing', () => {
    always((seed) => {
      const s = scene(entry, seed, {
        change: (def) => ({ ...def, enabled: false }),
        options: { gravity: [0, -9.81, 0] },
      })
      const without = scene(entry, seed, { options: { gravity: [0, -9.81, 0] } })
      without.constraint.remove()
      for (const { world } of [s, without]) for (let k = 0; k < 2; k++) world.step()
      expect(poses(s)).toEqual(poses(without))
      expect(s.constraint.force).toBe(0)
      expect(s.constraint.torque).toBe(0)
    }, 20)
  })
})

/** I⁻¹ Jᵀ λ of one body: by how much one correction from λ = 0 has turned it. */
function turnOf(inverse: Float64Array, i: number, J: Float64Array, b: number, { constraint }: Scene): number[] {
  const { arity, multiplier } = constraint.batch.rows
  const lambda = constraint.multipliers
  const couple = [0, 0, 0]
  for (let k = 0; 6 * arity * k < J.length; k++) {
    for (let r = 0; r < 3; r++) couple[r] += lambda[multiplier[k]] * J[6 * (arity * k + b) + 3 + r]
  }
  return [0, 1, 2].map((r) => [0, 1, 2].reduce((sum, c) => sum + inverse[9 * i + 3 * r + c] * couple[c], 0))
}

/** Lets the bodies come to rest where the constraint wants them. */
function settle({ world }: Scene): void {
  for (let k = 0; k < 100; k++) {
    world.step()
    for (const body of world.bodies.all()) {
      if (body.type !== 'dynamic') continue
      body.setVelocity([0, 0, 0])
      body.setAngularVelocity([0, 0, 0])
    }
  }
}

/** Turns a body by a rotation vector of any length. */
function continueTurn(world: World, body: Body, [x, y, z]: readonly [number, number, number]): void {
  const angle = length([x, y, z])
  if (angle === 0) return
  const s = Math.sin(angle / 2) / angle
  body.setOrientation([s * x, s * y, s * z, Math.cos(angle / 2)])
}

/** x ← R x + shift for poses, present and at the start; inertia follows. */
function moveAll({ world }: Scene, q: ArrayLike<number>, shift: ArrayLike<number>): void {
  const c = world.bodies.columns
  for (const body of world.bodies.all()) {
    const o = 4 * body.index
    const starts = [movePoint(q, shift, c.startPosition, o), multiply(q, c.startOrientation, o)]
    const orientation = multiply(q, c.orientation, o)
    body.setPosition(movePoint(q, shift, c.position, o))
    body.setOrientation(orientation as [number, number, number, number])
    c.startPosition.set(starts[0], o)
    c.startOrientation.set(starts[1], o)
  }
}

function movePoint(
  q: ArrayLike<number>,
  shift: ArrayLike<number>,
  x: ArrayLike<number>,
  o: number,
): [number, number, number] {
  const v = [x[o], x[o + 1], x[o + 2]]
  const cross = (a: ArrayLike<number>, b: readonly number[]): number[] => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ]
  const t = cross(q, v)
  const u = cross(q, t)
  return v.map((value, k) => value + 2 * q[3] * t[k] + 2 * u[k] + shift[k]) as [number, number, number]
}

function multiply(p: ArrayLike<number>, q: ArrayLike<number>, o: number): number[] {
  const [x, y, z, w] = [q[o], q[o + 1], q[o + 2], q[o + 3]]
  return [
    p[3] * x + p[0] * w + p[1] * z - p[2] * y,
    p[3] * y - p[0] * z + p[1] * w + p[2] * x,
    p[3] * z + p[0] * y - p[1] * x + p[2] * w,
    p[3] * w - p[0] * x - p[1] * y - p[2] * z,
  ]
}

function positive(q: ArrayLike<number>): number[] {
  const largest = [0, 1, 2, 3].reduce((k, j) => (Math.abs(q[j]) > Math.abs(q[k]) ? j : k), 0)
  return Array.from(q, (x) => (q[largest] < 0 ? -x : x))
}
