/**
 * The rows that hold two anchors together, c = δp [m]: the linear part of every joint with a pivot. Its softness is the
 * constraint's own `compliance` and `damping`; κ stands first among the constraint's multipliers.
 */

import type { Batch, BodyColumns, CommonColumn, Columns, Rows } from '@tautline/core'
import { levers, LEVERS, meetHalfway } from './levers.js'
import { movedPair } from './linear.js'
import { solveLinearVector } from './vector.js'

type PointColumn = CommonColumn | 'anchorA' | 'anchorB'

const g = /* @__PURE__ */ new Float64Array(LEVERS)
const m = /* @__PURE__ */ new Float64Array(3)

/** The three rows for `evaluate`, multipliers 0 to 2. */
export function pointRows(
  bodies: BodyColumns,
  batch: Batch<'anchorA' | 'anchorB'>,
  row: number,
  out: Rows,
  block: boolean,
): void {
  const { anchorA, anchorB, compliance, rayleigh } = batch.columns
  levers(bodies, batch.ids[2 * row], batch.ids[2 * row + 1], anchorA, anchorB, row, g)
  meetHalfway(g)
  const group = out.group(block ? 'block' : 'line', 'position', 'm')
  group.compliance = compliance[row]
  group.rayleigh = rayleigh[row]
  for (let k = 0; k < 3; k++) {
    out.row(k, g[6 + k])
    const [nx, ny, nz] = [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0]
    out.point(0, 1, g[0], g[1], g[2], nx, ny, nz)
    out.point(1, -1, g[3], g[4], g[5], nx, ny, nz)
  }
}

/** One update of the three rows; κ at `l` in `lambda`. */
export function solvePoint(
  bodies: BodyColumns,
  a: number,
  b: number,
  columns: Columns<PointColumn>,
  row: number,
  l: number,
  block: boolean,
  g: Float64Array,
): void {
  const { lambda } = columns
  const soft = columns.softness[row]
  const gamma = columns.gamma[row]
  levers(bodies, a, b, columns.anchorA, columns.anchorB, row, g)
  meetHalfway(g)
  let ex = g[6] + soft * lambda[l]
  let ey = g[7] + soft * lambda[l + 1]
  let ez = g[8] + soft * lambda[l + 2]
  if (gamma > 0) {
    movedPair(bodies, a, b, g, m)
    ex += gamma * m[0]
    ey += gamma * m[1]
    ez += gamma * m[2]
  }
  const xi = columns.relaxation[row]
  solveLinearVector(bodies, a, b, g, lambda, l, ex, ey, ez, 1 + gamma, soft, xi, block, Infinity)
}
