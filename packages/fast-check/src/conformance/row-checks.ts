/** Rows and gradients: what one correction is made of. */

import { gradient } from '@tautline/core/kernel'
import { atMost, skip, type SuiteCheck } from './check.js'
import type { ConformanceOptions } from './options.js'
import {
  begin,
  copyState,
  startHere,
  farthest,
  H,
  length,
  measured,
  momentumOf,
  moveAll,
  nudge,
  poses,
  rotationsOnce,
  sweeps,
} from './substep.js'
import { rigidOf } from './state-checks.js'
import type { Live } from './trial.js'

/** Step of the central differences [m, rad]: ε^(1/3), where truncation meets round-off. */
const STEP = 6e-6
/** Vectors shorter than this [m, rad] have no direction to take a gradient of. */
const SHORT = 0.02
/** A turn of 1e-3 rad read from two quaternions has three digits less; it is large where its inverse mass is small. */
const ANGULAR = 10
/** How much an error in metres changes when a body moves by one, and one in radians when it turns by one: between these. */
const STEEPEST = 10
const FLATTEST = 0.01
/** Gradients that are a turn of δ old are off by δ, and so is their share of a correction of that size; rows and sweeps
 *  multiply it. */
const SECOND_ORDER = 100
/** Largest such correction [m, rad]. */
const SMALL = 0.02

const SHOW = ['console.dir(gradient(constraint0), { depth: null })']

export const ROW_CHECKS: readonly SuiteCheck[] = [
  {
    name: 'gradient',
    says: 'gradients are those of central differences',
    holds(attempt) {
      const s = attempt.live({ far: 0.4 })
      begin(s)
      const before = measured(s)
      s.bodies.forEach((body, b) => {
        if (body === null) return
        for (let axis = 0; axis < (body.isParticle ? 3 : 6); axis++) {
          nudge(s.world, body, axis, STEP)
          const up = measured(s)
          nudge(s.world, body, axis, -2 * STEP)
          const down = measured(s)
          nudge(s.world, body, axis, STEP)
          before.forEach((group, k) => {
            const at = (row: number): string => `row ${row} of group ${k}, body ${b}, ${AXES[axis]}`
            if (group.law === 'implicitForce') {
              if (s.world.bodies.columns.position[4 * body.index + 3] === 0) return
              group.tangent.forEach((tangent, row) => {
                const slope = (up[k].c[row] - down[k].c[row]) / (2 * STEP)
                const off = Math.abs(slope - tangent[6 * b + axis])
                atMost(off, attempt.tolerances.tangent, `tangent less differences, ${at(row)},`)
              })
              return
            }
            if (group.size > 1 && group.error < SHORT) return
            // Rows that come and go, as a limit's do, have no gradient there.
            if (up[k] === undefined || down[k] === undefined) return
            const [ahead, behind] = [(up[k].error - group.error) / STEP, (group.error - down[k].error) / STEP]
            // An error that jumps, as where the nearer side of a range changes, has none either.
            if (Math.abs(up[k].error - down[k].error) > 1e-3) return
            const off = Math.abs(0.5 * (ahead + behind) - group.gradient[6 * b + axis])
            // At a kink whatever lies between its two slopes is one.
            const kink = 0.5 * Math.abs(ahead - behind)
            const bound = attempt.tolerances.gradient * Math.max(1, length(group.gradient)) + kink
            atMost(off, bound, `gradient less differences, ${at(0)},`)
          })
        }
      })
    },
    last: SHOW,
    kernel: ['gradient'],
  },
  {
    name: 'units',
    says: 'errors are in metres and radians, as their unit says',
    holds(attempt) {
      const s = attempt.live()
      begin(s)
      for (const { law, unit, rows } of gradient(s.constraint)) {
        if (law !== 'position' || (unit !== 'm' && unit !== 'rad')) continue
        for (const { bodies } of rows) {
          const linear = Math.max(...bodies.map((body) => length(body.linear)))
          const angular = Math.max(...bodies.map((body) => length(body.angular)))
          const moves = s.bodies.some((body) => body !== null && !body.isParticle)
          if (unit === 'm' && linear === 0 && angular > 0) {
            throw new Error(`unit of a row that only turns must be rad, got m`)
          }
          if (unit === 'rad' && linear > 0) continue
          const slope = unit === 'm' ? linear : angular
          if (slope === 0 || !moves) continue
          const what = unit === 'm' ? 'metre that a body moves, in m,' : 'radian that a body turns, in rad,'
          atMost(slope, STEEPEST, `error a ${what}`)
          if (slope < FLATTEST) throw new Error(`error a ${what} must be at least ${FLATTEST}, got ${slope}`)
        }
      }
    },
    last: SHOW,
    kernel: ['gradient'],
  },
  {
    name: 'loop',
    says: 'its sweep is the reference over evaluate',
    applies: ({ type }) => type.loop?.sweep !== undefined,
    holds(attempt) {
      for (const [far, count] of [
        [0.3, 3],
        [2, 1],
      ]) {
        const [own, reference] = [true, false].map(() => {
          const s = attempt.live({ far, free: attempt.subject.options.freeLoop === true })
          begin(s)
          return s
        })
        const { common } = own.constraint.batch
        if (attempt.subject.options.boundedRate === true && common.compliance[own.constraint.row()] === 0) skip()
        for (let sweep = 0; sweep < count; sweep++) {
          // Each correction is that of a substep of its own: what one presses through length 0 its loop may take another way.
          if (sweep > 0) for (const s of [own, reference]) startHere(s.world)
          sweeps(own, 1, true)
          sweeps(reference, 1, false)
          const [a, b] = [own, reference].map((s) => [...poses(s), ...s.constraint.multipliers])
          atMost(farthest(a, b), attempt.tolerances.loop, `sweep less reference, disturbed by ${far},`)
          // From the same state again: a joint thrown far off may multiply what is left.
          copyState(own.world, reference.world)
        }
      }
    },
  },
  {
    name: 'momentum',
    says: 'one correction keeps momentum',
    applies: ({ options }) => momentumKept(options) !== 'none',
    holds(attempt) {
      const { type, options } = attempt.subject
      const s = attempt.live({ free: true, particles: false })
      begin(s, 0)
      const groups = gradient(s.constraint)
      const repeatsFrom = options.repeatsFrom ?? Infinity
      const isRepeated = groups.some((group) => group.rows.some(({ error }) => Math.abs(error) >= repeatsFrom))
      const { rows } = s.constraint.batch
      const J = rows.J.slice(0, 6 * rows.arity * rows.count)
      const { linear, angular, size, noise, inverse } = momentumOf(s, () => {
        sweeps(s, 1)
      })
      atMost(linear, attempt.tolerances.momentum * size + noise, 'linear momentum that one correction gives [kg m]')
      if (size === 0) skip()
      // Several groups in a row are several corrections, each about the pose the last one left; so is a row solved again.
      if (groups.length !== 1 || isRepeated) return
      if (momentumKept(options) !== 'both' || type.traits?.rotatesWithFrame === false) return
      // A body that turned by more than π looks as if it had turned the other way.
      if (s.bodies.some((body, b) => length(turnOf(inverse, body?.index ?? 0, J, b, s)) > 3)) return
      const bound = ANGULAR * attempt.tolerances.momentum * size + noise
      atMost(angular, bound, 'angular momentum that one correction gives [kg m²]')
    },
    last: SHOW,
    kernel: ['gradient'],
  },
  {
    name: 'rows',
    says: 'no row pushes or turns the whole',
    applies: ({ options }) => momentumKept(options) !== 'none',
    holds(attempt) {
      const s = attempt.live({ far: 2, free: true })
      begin(s)
      const tolerance = attempt.tolerances.momentum
      for (const { law, rows } of gradient(s.constraint)) {
        // The rows of a law are forces and torques of their own, whose sum its tangent tells.
        if (law === 'implicitForce') continue
        for (const { bodies } of rows) {
          const linear = [0, 0, 0]
          const angular = [0, 0, 0]
          let total = 1
          bodies.forEach((own, b) => {
            const x = s.bodies[b]?.position ?? [0, 0, 0]
            for (let i = 0; i < 3; i++) {
              const [r, t] = [(i + 1) % 3, (i + 2) % 3]
              linear[i] += own.linear[i]
              angular[i] += own.angular[i] + x[r] * own.linear[t] - x[t] * own.linear[r]
              total += (1 + length(Array.from(x))) * Math.abs(own.linear[i]) + Math.abs(own.angular[i])
            }
          })
          atMost(length(linear), tolerance * total, 'sum of ∂c/∂x over the bodies')
          if (momentumKept(attempt.subject.options) !== 'both') continue
          atMost(length(angular), tolerance * total, 'sum of ∂c/∂θ + x × ∂c/∂x over the bodies')
        }
      }
    },
    last: SHOW,
    kernel: ['gradient'],
  },
  {
    name: 'frame',
    says: 'the whole turned and moved gives the same, turned and moved',
    applies: ({ options }) => options.worldFrame !== true,
    holds(attempt) {
      const { rotation, shift } = attempt.trial.whole
      const here = attempt.live()
      if (here.bodies.includes(null)) skip()
      begin(here)
      const there = attempt.live()
      begin(there)
      moveAll(there, rotation, shift)
      for (const s of [here, there]) sweeps(s, 2)
      moveAll(here, rotation, shift)
      const tolerance = attempt.tolerances.frame
      // Where there are several, λ is a vector that turns with the world.
      if (attempt.subject.type.multipliers === 1) {
        const off = farthest(here.constraint.multipliers, there.constraint.multipliers)
        atMost(off, tolerance, 'multiplier of a world that is turned less the one of a world that is not')
      }
      const off = farthest(rotationsOnce(here), rotationsOnce(there))
      atMost(off, tolerance, 'poses of a world that is turned less those of one that is turned afterwards')
    },
    last: SHOW,
    kernel: ['gradient'],
  },
  {
    name: 'jacobians',
    says: 'frozen and start gradients agree with fresh ones as errors get small',
    share: 1 / 3,
    holds(attempt) {
      const { rigid } = attempt.subject.options
      const change = rigid === false ? undefined : rigidOf(attempt.subject.options)
      const [fresh, frozen, start] = (['fresh', 'frozen', 'start'] as const).map((jacobians) => {
        // Rows that are solved directly have fresh gradients always.
        const options = { jacobians, solver: 'sweep', dt: H, iterations: 3 } as const
        const s = attempt.live({ far: 1e-4, options, change })
        const before = poses(s)
        s.world.step()
        return { before, after: poses(s) }
      })
      const moved = farthest(fresh.before, fresh.after)
      // Only small corrections are second order: a contact may begin ten centimetres deep.
      if (moved > SMALL) skip()
      for (const other of [frozen, start]) {
        const off = farthest(fresh.after, other.after)
        atMost(off, SECOND_ORDER * moved * moved + 1e-9, 'poses with gradients of the start less those with fresh ones')
      }
    },
  },
]

const AXES = ['x', 'y', 'z', 'about x', 'about y', 'about z']

/** Which momentum the rows of a type keep. */
function momentumKept({ momentum, worldFrame }: ConformanceOptions): 'both' | 'linear' | 'none' {
  return momentum ?? (worldFrame === true ? 'none' : 'both')
}

/** I⁻¹ Jᵀ λ of one body: by how much one correction from λ = 0 has turned it. */
function turnOf(inverse: Float64Array, i: number, J: Float64Array, b: number, { constraint }: Live): number[] {
  const { arity, multiplier } = constraint.batch.rows
  const lambda = constraint.multipliers
  const couple = [0, 0, 0]
  for (let k = 0; 6 * arity * k < J.length; k++) {
    for (let r = 0; r < 3; r++) couple[r] += lambda[multiplier[k]] * J[6 * (arity * k + b) + 3 + r]
  }
  return [0, 1, 2].map((r) => [0, 1, 2].reduce((sum, c) => sum + inverse[9 * i + 3 * r + c] * couple[c], 0))
}
