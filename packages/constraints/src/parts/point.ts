/**
 * The rows that hold two anchors together, c = δp [m]: the linear part of every joint with a pivot. Its softness is the
 * constraint's own `compliance` and `damping`; κ stands first among the constraint's multipliers.
 */

import type { Batch, BodyColumns, CommonColumn, Columns, Rows } from '@tautline/core'
import { levers, LEVERS, meetHalfway } from './levers.js'
import { displacePair, movedPair, pairInverseMass } from './linear.js'
import { IMMOVABLE, solveLinearBlock, STEP } from './vector.js'

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

/** One update of the three rows as a block; κ at `l` in `lambda`, levers into `g`. Written out: see `solveLinearBlock`. */
export function solvePoint(
  bodies: BodyColumns,
  a: number,
  b: number,
  columns: Columns<PointColumn>,
  row: number,
  l: number,
  g: Float64Array,
): void {
  const { position: x, orientation: q } = bodies
  const { anchorA, anchorB, lambda } = columns
  const p = 4 * a
  const u = 4 * b
  const ax = q[p]
  const ay = q[p + 1]
  const az = q[p + 2]
  const aw = q[p + 3]
  const bx = q[u]
  const by = q[u + 1]
  const bz = q[u + 2]
  const bw = q[u + 3]
  const ox = anchorA[3 * row]
  const oy = anchorA[3 * row + 1]
  const oz = anchorA[3 * row + 2]
  const cx = anchorB[3 * row]
  const cy = anchorB[3 * row + 1]
  const cz = anchorB[3 * row + 2]
  const sx = 2 * (ay * oz - az * oy)
  const sy = 2 * (az * ox - ax * oz)
  const sz = 2 * (ax * oy - ay * ox)
  let rx = ox + aw * sx + (ay * sz - az * sy)
  let ry = oy + aw * sy + (az * sx - ax * sz)
  let rz = oz + aw * sz + (ax * sy - ay * sx)
  const tx = 2 * (by * cz - bz * cy)
  const ty = 2 * (bz * cx - bx * cz)
  const tz = 2 * (bx * cy - by * cx)
  let mx = cx + bw * tx + (by * tz - bz * ty)
  let my = cy + bw * ty + (bz * tx - bx * tz)
  let mz = cz + bw * tz + (bx * ty - by * tx)
  const dx = x[p] + rx - x[u] - mx
  const dy = x[p + 1] + ry - x[u + 1] - my
  const dz = x[p + 2] + rz - x[u + 2] - mz
  rx -= 0.5 * dx
  mx += 0.5 * dx
  ry -= 0.5 * dy
  my += 0.5 * dy
  rz -= 0.5 * dz
  mz += 0.5 * dz
  g[0] = rx
  g[1] = ry
  g[2] = rz
  g[3] = mx
  g[4] = my
  g[5] = mz
  const soft = columns.softness[row]
  const gamma = columns.gamma[row]
  let ex = dx + soft * lambda[l]
  let ey = dy + soft * lambda[l + 1]
  let ez = dz + soft * lambda[l + 2]
  if (gamma > 0) {
    movedPair(bodies, a, b, g, m)
    ex += gamma * m[0]
    ey += gamma * m[1]
    ez += gamma * m[2]
  }
  STEP[0] = 1
  STEP[1] = gamma
  STEP[2] = soft
  STEP[3] = columns.relaxation[row]
  STEP[5] = ex
  STEP[6] = ey
  STEP[7] = ez
  solveLinearBlock(bodies, a, b, g, lambda, l)
}

/** One update of the three rows along the error (61–68): ±κ is parallel to it. */
export function solvePointAlong(
  bodies: BodyColumns,
  a: number,
  b: number,
  columns: Columns<PointColumn>,
  row: number,
  l: number,
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
  const squared = ex * ex + ey * ey + ez * ez
  if (squared === 0) return
  m[0] = ex
  m[1] = ey
  m[2] = ez
  const denominator = ((1 + gamma) * pairInverseMass(bodies, a, b, g, m, 0)) / squared + soft
  if (denominator <= IMMOVABLE) return
  const s = -columns.relaxation[row] / denominator
  for (let k = 0; k < 3; k++) {
    m[k] *= s
    lambda[l + k] += m[k]
  }
  displacePair(bodies, a, b, g, m)
}
