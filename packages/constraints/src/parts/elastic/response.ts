/** What a piece gives way by under forces, by its factor. */

import { FIT_SCRATCH, fitRotation } from '../rotation-fit.js'
import type { Piece } from './piece.js'
import type { BodyColumns } from '@tautline/core/kernel'
import type { ElasticBatch } from './element.js'
import { assembleStiffness, AT_REST } from './stiffness.js'

const FIT = /* @__PURE__ */ new Float64Array(FIT_SCRATCH)

const R = /* @__PURE__ */ new Float64Array(9)

/** K⁻¹ f in place of the forces in `step`; half way, their work f·K⁻¹ f into `out[0]`. */
export function respond({ step, factor, turned, mean }: Piece, out?: Float64Array): void {
  fitRotation(mean, R, FIT)
  // In the frame that has turned along since the factor was made.
  timesTransposed(R, turned, R)
  for (let o = 0; o < step.length; o += 3) {
    const x = step[o]
    const y = step[o + 1]
    const z = step[o + 2]
    step[o] = R[0] * x + R[3] * y + R[6] * z
    step[o + 1] = R[1] * x + R[4] * y + R[7] * z
    step[o + 2] = R[2] * x + R[5] * y + R[8] * z
  }
  factor.solveLower(step)
  if (out !== undefined) {
    let work = 0
    for (let o = 0; o < step.length; o++) work += step[o] * step[o]
    out[0] = work
  }
  factor.solveUpper(step)
  for (let o = 0; o < step.length; o += 3) {
    const x = step[o]
    const y = step[o + 1]
    const z = step[o + 2]
    step[o] = R[0] * x + R[1] * y + R[2] * z
    step[o + 1] = R[3] * x + R[4] * y + R[5] * z
    step[o + 2] = R[6] * x + R[7] * y + R[8] * z
  }
}

/** A Bᵀ of two matrices, row by row; `out` may be A. */
function timesTransposed(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 9; i += 3) {
    const x = a[i]
    const y = a[i + 1]
    const z = a[i + 2]
    for (let j = 0; j < 3; j++) out[i + j] = x * b[3 * j] + y * b[3 * j + 1] + z * b[3 * j + 2]
  }
}

const power = /* @__PURE__ */ new Float64Array(9)
const product = /* @__PURE__ */ new Float64Array(9)

/** Finds what each node would give way by under a load of its own, at rest: no less than along the softest direction. */
export function findCompliance(columns: BodyColumns, batch: ElasticBatch, piece: Piece, h: number): void {
  const { factor, softest, bodyOf } = piece
  piece.softestFor = h
  assembleStiffness(columns, batch, piece, h, AT_REST)
  const isDefinite = factor.factorise()
  if (isDefinite) factor.invert()
  for (let i = 0; i < bodyOf.length; i++) {
    const w = columns.position[4 * bodyOf[i] + 3]
    softest[i] = isDefinite ? Math.min(largestEigenvalue(factor.diagonal, 9 * i) / (h * h), w) : w
  }
}

/** The largest eigenvalue of a symmetric, positive definite matrix, too large by 7 % at most: the eighth root of its eighth power's norm. */
function largestEigenvalue(m: Float64Array, o: number): number {
  const scale = m[o] + m[o + 4] + m[o + 8]
  if (!(scale > 0)) return 0
  for (let k = 0; k < 9; k++) power[k] = m[o + k] / scale
  for (let n = 0; n < 3; n++) {
    timesTransposed(power, power, product)
    power.set(product)
  }
  let squared = 0
  for (let k = 0; k < 9; k++) squared += power[k] * power[k]
  return scale * Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(squared))))
}
