/** What each node of a piece gives way by under a load of its own. */

import type { BodyColumns } from '@tautline/core/kernel'
import type { ElasticBatch } from './element.js'
import type { Piece } from './piece.js'
import { timesTransposed } from './response.js'
import { assembleStiffness, AT_REST } from './stiffness.js'

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
