/**
 * Total length of a rope of particles (Waterson 136–139).
 *
 *   c = Σ ‖d_k‖ − L [m],  d_k = x_k − x_{k+1}
 *   ∂c/∂x_k = d̂_k − d̂_{k−1}, at the ends d̂_1 and −d̂_{N−1}
 *
 * Departures: unilateral by default, as a slack rope does not push (the paper's row is an equality). Where the rope is
 * straight and what could move lies between ends that cannot, the gradient vanishes: below a kink of about 1e-6 rad it is
 * taken as zero, and the row waits, or bears its load through compliance or `regularization`.
 *
 * It speeds up rows of single lengths and does not replace them: nodes may slide along the rope. A rope that is shorter
 * than the distance of two fixed ends has no solution, and near the straight line steps grow as 1/kink: give it
 * `regularization`, of the order of an inverse mass.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import { nonNegative, type ResolvedDef, RUNAWAY } from '@tautline/core/kernel'
import { dropNoise, NOISE } from './parts/centres.js'
import { isAtRest, lengthMode, type LengthMode, lowerForce, upperForce } from './parts/length-mode.js'
import { IMMOVABLE } from './parts/vector.js'
import { keepsAll } from './parts/momenta.js'
import { TOO_SHORT } from './parts/levers.js'

/** The centres of two or more bodies, in order along the rope. */
export interface RopeLengthDef extends ManyDef {
  /** Total length [m], >= 0. @defaultValue the present total */
  length?: number
  /** `rope` may be shorter, `strut` longer, `rigid` neither. @defaultValue 'rope' */
  mode?: LengthMode
}

type Column = 'rest' | 'lower' | 'upper'

/** What `resolve` gives: what `write` reads is there. */
type ResolvedRopeLength = ResolvedDef<RopeLengthDef, 'mode' | 'length'>

/** Keeps the length of a chain of bodies: `world.add(ropeLength, { bodies: nodes })`. */
export const ropeLength: ConstraintType<RopeLengthDef, Column, ResolvedRopeLength> = {
  name: 'ropeLength',
  order: 2,
  multipliers: 1,
  fields: ['bodies', 'length', 'mode'],
  columns: { rest: 1, lower: 1, upper: 1 },

  resolve(def, { bodies }) {
    if (def.bodies.length < 2) throw new RangeError(`ropeLength: bodies must be two or more, got ${def.bodies.length}`)
    const x = bodies.position
    let total = 0
    for (let k = 0; k + 1 < def.bodies.length; k++) {
      const p = 4 * def.bodies[k].index
      const q = 4 * def.bodies[k + 1].index
      const [dx, dy, dz] = [x[p] - x[q], x[p + 1] - x[q + 1], x[p + 2] - x[q + 2]]
      total += Math.sqrt(dx * dx + dy * dy + dz * dz)
    }
    const length = nonNegative('ropeLength: length', def.length ?? total)
    return { ...def, length, mode: lengthMode('ropeLength', def.mode ?? 'rope') }
  },

  write({ columns }, row, def) {
    columns.rest[row] = def.length
    columns.lower[row] = lowerForce(def.mode)
    columns.upper[row] = upperForce(def.mode)
  },

  evaluate(bodies, batch, row, out) {
    const { rest, lower, upper, compliance, rayleigh } = batch.columns
    const { ids, arity } = batch
    const x = bodies.position
    const group = out.group('scalar', 'position', 'm')
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
    group.lower = lower[row]
    group.upper = upper[row]
    out.row(0, -rest[row])
    const k = out.count - 1
    for (let b = 0; b + 1 < arity; b++) {
      const p = 4 * ids[arity * row + b]
      const q = 4 * ids[arity * row + b + 1]
      const [dx, dy, dz] = [x[p] - x[q], x[p + 1] - x[q + 1], x[p + 2] - x[q + 2]]
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
      out.c[k] += length
      if (length < TOO_SHORT) continue
      out.linear(b, dx / length, dy / length, dz / length)
      out.linear(b + 1, -dx / length, -dy / length, -dz / length)
    }
    dropNoise(bodies, ids, arity * row, arity, out.J, 6 * arity * k, 6, 1)
  },

  keepsMomenta: keepsAll,
  outline({ position }, { ids, arity }, row, out) {
    for (let k = arity * row + 1; k < arity * (row + 1); k++) out.link(position, 4 * ids[k - 1], 4 * ids[k])
  },
  loop: {
    sweep(bodies, batch, from, to) {
      const { ids, arity } = batch
      const { rest, lower, upper, lambda, softness, gamma, relaxation } = batch.columns
      const x = bodies.position
      const start = bodies.startPosition
      for (let row = from; row < to; row++) {
        const first = arity * row
        let total = 0
        let w = 0
        let masses = 0
        let moved = 0
        // d̂ of the segment before; none before the first node.
        let ux = 0
        let uy = 0
        let uz = 0
        for (let b = first; b < first + arity; b++) {
          const p = 4 * ids[b]
          let vx = 0
          let vy = 0
          let vz = 0
          if (b + 1 < first + arity) {
            const q = 4 * ids[b + 1]
            const dx = x[p] - x[q]
            const dy = x[p + 1] - x[q + 1]
            const dz = x[p + 2] - x[q + 2]
            const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
            total += length
            if (length >= TOO_SHORT) {
              vx = dx / length
              vy = dy / length
              vz = dz / length
            }
          }
          const jx = vx - ux
          const jy = vy - uy
          const jz = vz - uz
          w += x[p + 3] * (jx * jx + jy * jy + jz * jz)
          masses += x[p + 3]
          if (gamma[row] > 0)
            moved += jx * (x[p] - start[p]) + jy * (x[p + 1] - start[p + 1]) + jz * (x[p + 2] - start[p + 2])
          ux = vx
          uy = vy
          uz = vz
        }
        const a = softness[row]
        const old = lambda[row]
        if (isAtRest(total - rest[row], old, lower[row], upper[row])) continue
        let error = total - rest[row] + a * old
        const straight = w <= NOISE * masses
        if (straight) w = 0
        if (gamma[row] > 0) {
          error += gamma[row] * moved
          w *= 1 + gamma[row]
        }
        if (w + a <= IMMOVABLE) continue
        let fresh = old - (relaxation[row] * error) / (w + a)
        if (fresh < lower[row]) fresh = 0
        if (fresh > upper[row]) fresh = 0
        lambda[row] = fresh
        const s = fresh - old
        if (s === 0 || straight || !(Math.abs(s) < RUNAWAY)) continue
        // Directions anew, each before its first node moves: no row length is known beforehand, so none is stored.
        ux = uy = uz = 0
        for (let b = first; b < first + arity; b++) {
          const p = 4 * ids[b]
          let vx = 0
          let vy = 0
          let vz = 0
          if (b + 1 < first + arity) {
            const q = 4 * ids[b + 1]
            const dx = x[p] - x[q]
            const dy = x[p + 1] - x[q + 1]
            const dz = x[p + 2] - x[q + 2]
            const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
            if (length >= TOO_SHORT) {
              vx = dx / length
              vy = dy / length
              vz = dz / length
            }
          }
          const m = s * x[p + 3]
          if (m !== 0) {
            x[p] += m * (vx - ux)
            x[p + 1] += m * (vy - uy)
            x[p + 2] += m * (vz - uz)
          }
          ux = vx
          uy = vy
          uz = vz
        }
      }
    },
  },
}
