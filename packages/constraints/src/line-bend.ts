/**
 * Bending of a line of bodies at one of them: threads of cloth, ropes, cables.
 *
 *        1              b = (x_2 − x_1)/g − (x_1 − x_0)/h,  h and g the lengths before and after at rest:
 *   h  /   \  g         b = Σ K_k x_k,  K = (1/h, −1/h − 1/g, 1/g),  Σ K = 0
 *     0     2           straight at rest: c = b, a vector, ∂c/∂x_k = K_k 1;  curved: c = ‖b‖ − ρ, ρ = ‖b‖ at rest, along b
 *
 * ‖b‖ = 2 sin(θ/2) for a turn by θ [rad] of a line that does not stretch, so c is an angle, and of a line of bending stiffness E I [N m²] the row has
 * `stiffness` E I/((h + g)/2) [N m/rad]: ½ k θ² is then ½ E I κ² over the length that belongs to the body.
 *
 * Source: Provot, "Deformation constraints in a mass-spring model to describe rigid cloth behavior" (1995), for the three points of a thread. Departure: his flexion
 * spring is a distance over two threads, which vanishes for a small turn; a second difference does not, and is linear.
 * Like isometricBend, to which it is what a strip is to a sheet, a curved one is one row that does not tell a turn from its mirror image, and is kept by angular momentum on convergence.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import type { BodyColumns, ResolvedDef } from '@tautline/core/kernel'
import { finiteVector, nonNegative, RUNAWAY } from '@tautline/core/kernel'
import { outlineLine } from './parts/outline.js'
import { IMMOVABLE } from './parts/vector.js'
import { keepsAll } from './parts/momenta.js'

/** Three bodies in a row, at their centres; the line turns at the middle one. */
export interface LineBendDef extends ManyDef {
  /** Lengths before and after the middle at rest [m]. @defaultValue those of the present shape */
  lengths?: readonly number[]
  /** ‖b‖ at rest [rad]; 0 is straight. @defaultValue that of the present shape */
  rest?: number
}

type Column = 'inverse' | 'rest'

/** A turn [rad] below this at rest is a straight line with round-off. */
const UNBENT = 1e-9
/** Lengths [m] below this have no direction. */
const POINT = 1e-9

const b = /* @__PURE__ */ new Float64Array(3)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedLineBend = ResolvedDef<LineBendDef, 'lengths' | 'rest'>

/** Resists bending of a line: `world.add(lineBend, { bodies: [before, at, after], stiffness })`. */
export const lineBend: ConstraintType<LineBendDef, Column, ResolvedLineBend> = {
  name: 'lineBend',
  order: 2,
  arity: 3,
  multipliers: 3,
  fields: ['bodies', 'lengths', 'rest'],
  columns: { inverse: 2, rest: 1 },

  resolve(def, { bodies }) {
    const ids = Int32Array.from(def.bodies, (body) => body.index)
    const lengths =
      def.lengths === undefined
        ? [apart(bodies, ids[0], ids[1]), apart(bodies, ids[1], ids[2])]
        : Array.from(finiteVector('lineBend: lengths', def.lengths, 2))
    for (const length of lengths) {
      if (!(length > POINT && length < Infinity)) {
        throw new RangeError(`lineBend: lengths must be finite and > 0, got ${length}`)
      }
    }
    if (def.rest !== undefined)
      return Object.assign({}, def, { lengths, rest: nonNegative('lineBend: rest', def.rest) })
    turn(bodies, ids, 0, 1 / lengths[0], 1 / lengths[1])
    const rest = Math.sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2])
    return Object.assign({}, def, { lengths, rest: rest > UNBENT ? rest : 0 })
  },

  write({ columns }, row, def) {
    const [h, g] = def.lengths
    columns.inverse.set([1 / h, 1 / g], 2 * row)
    columns.rest[row] = def.rest
  },

  evaluate(bodies, batch, row, out) {
    const { inverse, rest, compliance, rayleigh } = batch.columns
    const before = inverse[2 * row]
    const after = inverse[2 * row + 1]
    turn(bodies, batch.ids, 3 * row, before, after)
    const length = Math.sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2])
    const isCurved = rest[row] !== 0
    if (isCurved && length <= UNBENT) return
    const group = out.group(isCurved ? 'scalar' : 'line', 'position', 'rad')
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
    const weights = [before, -before - after, after]
    if (isCurved) {
      out.row(0, length - rest[row])
      for (let i = 0; i < 3; i++) {
        const K = weights[i] / length
        out.linear(i, K * b[0], K * b[1], K * b[2])
      }
      return
    }
    for (let k = 0; k < 3; k++) {
      out.row(k, b[k])
      for (let i = 0; i < 3; i++) {
        const K = weights[i]
        out.linear(i, k === 0 ? K : 0, k === 1 ? K : 0, k === 2 ? K : 0)
      }
    }
  },

  keepsMomenta: keepsAll,
  outline: outlineLine,
  loop: {
    sweep(bodies, batch, from, to) {
      const { ids } = batch
      const { inverse, rest, lambda, softness, gamma, relaxation } = batch.columns
      const x = bodies.position
      const start = bodies.startPosition
      for (let row = from; row < to; row++) {
        const p = 4 * ids[3 * row]
        const q = 4 * ids[3 * row + 1]
        const r = 4 * ids[3 * row + 2]
        const before = inverse[2 * row]
        const after = inverse[2 * row + 1]
        const wp = x[p + 3]
        const wq = x[q + 3]
        const wr = x[r + 3]
        const at = before + after
        const bx = after * (x[r] - x[q]) - before * (x[q] - x[p])
        const by = after * (x[r + 1] - x[q + 1]) - before * (x[q + 1] - x[p + 1])
        const bz = after * (x[r + 2] - x[q + 2]) - before * (x[q + 2] - x[p + 2])
        const isCurved = rest[row] !== 0
        const length = isCurved ? Math.sqrt(bx * bx + by * by + bz * bz) : 1
        // Which way a curved line that has gone straight is to bend is unknown.
        if (isCurved && length <= UNBENT) continue
        const l = 3 * row
        const a = softness[row]
        let ex = isCurved ? 0 : bx + a * lambda[l]
        let ey = isCurved ? 0 : by + a * lambda[l + 1]
        let ez = isCurved ? 0 : bz + a * lambda[l + 2]
        let w = before * before * wp + at * at * wq + after * after * wr
        if (gamma[row] > 0) {
          const g = gamma[row]
          ex += g * (bx - after * (start[r] - start[q]) + before * (start[q] - start[p]))
          ey += g * (by - after * (start[r + 1] - start[q + 1]) + before * (start[q + 1] - start[p + 1]))
          ez += g * (bz - after * (start[r + 2] - start[q + 2]) + before * (start[q + 2] - start[p + 2]))
          w *= 1 + g
        }
        if (w + a <= IMMOVABLE) continue
        const scale = -relaxation[row] / (w + a)
        if (isCurved) {
          const e = length - rest[row] + a * lambda[l] + (ex * bx + ey * by + ez * bz) / length
          lambda[l] += scale * e
          ex = (e * bx) / length
          ey = (e * by) / length
          ez = (e * bz) / length
        } else {
          lambda[l] += scale * ex
          lambda[l + 1] += scale * ey
          lambda[l + 2] += scale * ez
        }
        if (!(Math.abs(scale) * (Math.abs(ex) + Math.abs(ey) + Math.abs(ez)) < RUNAWAY)) continue
        if (wp !== 0) {
          const m = scale * before * wp
          x[p] += m * ex
          x[p + 1] += m * ey
          x[p + 2] += m * ez
        }
        if (wq !== 0) {
          const m = -scale * at * wq
          x[q] += m * ex
          x[q + 1] += m * ey
          x[q + 2] += m * ez
        }
        if (wr !== 0) {
          const m = scale * after * wr
          x[r] += m * ex
          x[r + 1] += m * ey
          x[r + 2] += m * ez
        }
      }
    },
  },
}

function apart(bodies: BodyColumns, i: number, j: number): number {
  const x = bodies.position
  const [dx, dy, dz] = [x[4 * i] - x[4 * j], x[4 * i + 1] - x[4 * j + 1], x[4 * i + 2] - x[4 * j + 2]]
  return Math.sqrt(dx * dx + dy * dy + dz * dz)
}

/** b, of differences: far from the origin the sum itself would cancel. */
function turn(bodies: BodyColumns, ids: Int32Array, o: number, before: number, after: number): void {
  const x = bodies.position
  const [p, q, r] = [4 * ids[o], 4 * ids[o + 1], 4 * ids[o + 2]]
  for (let k = 0; k < 3; k++) b[k] = after * (x[r + k] - x[q + k]) - before * (x[q + k] - x[p + k])
}
