/**
 * Geometric stiffness of a pair's scalar angles under load, limits and drives on an angle, where their type does not write it: N of `Curvature.angles` by
 * differences of `evaluate`. The ellipse of a cone and angles about two axes have many forms, and few are loaded at a time.
 */

import type { Batch } from '../state/batch.js'
import type { BodyColumns } from '../state/body-columns.js'
import { rotateBy } from '../math/rotation.js'
import type { Rows } from '../define/rows.js'
import type { Curvature } from '../define/curvature.js'

/** Turn of the differences [rad]: their error is of its order, that of rounding 1e-16 over it. */
const TURN = 1e-7

/** Σ λ n and Σ λ N, row-major; Σ λ n after a turn. */
const angles = /* @__PURE__ */ new Float64Array(12)
const changed = /* @__PURE__ */ new Float64Array(3)
const kept = /* @__PURE__ */ new Float64Array(4)
const turned = /* @__PURE__ */ new Float64Array(3)

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
  sumCouples(batch, row, angles)
  for (let k = 0; k < 4; k++) kept[k] = orientation[o + k]
  for (let c = 0; c < 3; c++) {
    for (let k = 0; k < 3; k++) turned[k] = k === c ? TURN : 0
    rotateBy(orientation, o, turned)
    batch.rows.clear()
    batch.type.evaluate(bodies, batch, row, batch.rows)
    sumCouples(batch, row, changed)
    for (let k = 0; k < 3; k++) angles[3 + 3 * k + c] = (changed[k] - angles[k]) / TURN
    for (let k = 0; k < 4; k++) orientation[o + k] = kept[k]
  }
  out.angles(angles)
}

/** Scalar rows of a turn that hold a position, or draw to one: friction has no potential. */
function isAngle(rows: Rows, q: number): boolean {
  const { size, unit, law } = rows.groups[q]
  return size === 1 && unit === 'rad' && law !== 'rate' && law !== 'implicitForce'
}

/** Σ λ n of the rows that were evaluated last. */
function sumCouples(batch: Batch, row: number, out: Float64Array): void {
  const { rows, type } = batch
  const { lambda } = batch.common
  out[0] = out[1] = out[2] = 0
  for (let q = 0; q < rows.groupCount; q++) {
    if (!isAngle(rows, q)) continue
    const k = rows.groups[q].start
    const l = lambda[type.multipliers * row + rows.multiplier[k]]
    for (let c = 0; c < 3; c++) out[c] += l * rows.J[12 * k + 9 + c]
  }
}
