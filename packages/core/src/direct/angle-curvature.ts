/**
 * Geometric stiffness of a pair's scalar angles under load: limits, and drives on an angle. With n(δ) the gradient of an angle on b
 * when b is turned by δ, N = ∂n/∂δ and λ its multiplier,
 *
 *   K_aa = K_bb = −λ (N + Nᵀ)/2,    K_ba = λ ([n]ₓ + N)
 *
 * as the angle depends on the orientation of b seen from a alone. N is taken by differences of `evaluate`: angles have many forms,
 * and few are loaded at a time.
 */

import type { Batch } from '../state/batch.js'
import type { BodyColumns } from '../state/body-columns.js'
import { rotateBy } from '../math/rotation.js'
import type { Rows } from '../define/rows.js'
import type { Curvature } from './curvature.js'

/** Turn of the differences [rad]: their error is of its order, that of rounding 1e-16 over it. */
const TURN = 1e-7

/** Σ λ n, and the same after a turn. */
const couple = /* @__PURE__ */ new Float64Array(3)
const changed = /* @__PURE__ */ new Float64Array(3)
const kept = /* @__PURE__ */ new Float64Array(4)
const turned = /* @__PURE__ */ new Float64Array(3)
/** Σ λ N, row-major. */
const N = /* @__PURE__ */ new Float64Array(9)

/** Whether joint `row`, just evaluated, has a scalar angle under load. */
export function hasLoadedAngle(batch: Batch, row: number): boolean {
  const { rows, type } = batch
  const { lambda } = batch.common
  for (let q = 0; q < rows.groupCount; q++) {
    if (!isAngle(rows, q)) continue
    if (lambda[type.multipliers * row + rows.multiplier[rows.groups[q].start]] !== 0) return true
  }
  return false
}

/** Adds what its angles' multipliers do. Evaluates the joint anew: its rows have been read. */
export function addAngleCurvature(bodies: BodyColumns, batch: Batch, row: number, out: Curvature): void {
  const { orientation } = bodies
  const o = 4 * batch.ids[2 * row + 1]
  sumCouples(bodies, batch, row, couple)
  for (let k = 0; k < 4; k++) kept[k] = orientation[o + k]
  for (let c = 0; c < 3; c++) {
    for (let k = 0; k < 3; k++) turned[k] = k === c ? TURN : 0
    rotateBy(orientation, o, turned)
    sumCouples(bodies, batch, row, changed)
    for (let k = 0; k < 3; k++) N[3 * k + c] = (changed[k] - couple[k]) / TURN
    for (let k = 0; k < 4; k++) orientation[o + k] = kept[k]
  }
  for (let i = 0, t = 0; i < 3; i++) {
    for (let j = 0; j <= i; j++, t++) {
      const s = 0.5 * (N[3 * i + j] + N[3 * j + i])
      out.turnA[t] -= s
      out.turnB[t] -= s
    }
  }
  if (out.safe) return
  for (let k = 0; k < 9; k++) out.ba[21 + 6 * ((k / 3) | 0) + (k % 3)] += N[k]
  out.ba[22] -= couple[2]
  out.ba[23] += couple[1]
  out.ba[27] += couple[2]
  out.ba[29] -= couple[0]
  out.ba[33] -= couple[1]
  out.ba[34] += couple[0]
  out.coupled = true
}

/** Scalar rows of a turn that hold a position, or draw to one: friction has no potential. */
function isAngle(rows: Rows, q: number): boolean {
  const { size, unit, law } = rows.groups[q]
  return size === 1 && unit === 'rad' && law !== 'rate' && law !== 'implicitForce'
}

function sumCouples(bodies: BodyColumns, batch: Batch, row: number, out: Float64Array): void {
  const { rows, type } = batch
  const { lambda } = batch.common
  rows.clear()
  type.evaluate(bodies, batch, row, rows)
  out[0] = out[1] = out[2] = 0
  for (let q = 0; q < rows.groupCount; q++) {
    if (!isAngle(rows, q)) continue
    const k = rows.groups[q].start
    const l = lambda[type.multipliers * row + rows.multiplier[k]]
    for (let c = 0; c < 3; c++) out[c] += l * rows.J[12 * k + 9 + c]
  }
}
