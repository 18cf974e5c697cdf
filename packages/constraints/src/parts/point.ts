/**
 * The rows that hold two anchors together, c = δp [m]: the linear part of every joint with a pivot. Its softness is the
 * constraint's own `compliance` and `damping`; κ stands first among the constraint's multipliers.
 */

import {
  type Batch,
  type BodyColumns,
  type CommonColumn,
  type Columns,
  type Curvature,
  type Rows,
  RUNAWAY,
  rotate,
} from '@tautline/core/kernel'
import { levers, LEVERS, meetHalfway, SOFT } from './levers.js'
import { displacePair, movedPair, pairInverseMass } from './linear.js'
import { IMMOVABLE } from './vector.js'

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
  if (!out.isExact(compliance, rayleigh, row)) meetHalfway(g)
  const group = out.group(block ? 'block' : 'line', 'position', 'm')
  group.compliance = compliance[row]
  group.rayleigh = rayleigh[row]
  out.points(0, g)
}

/** Their geometric stiffness, for `curvature`; the levers of the last `pointRows`. κ at `l` in `lambda`. */
export function pointCurvature(lambda: Float64Array, l: number, out: Curvature): void {
  out.point(lambda, l, g)
}

/**
 * One update of the three rows as a block; κ at `l` in `lambda`, levers into `g`. Written out in one function: what goes
 * from one function that V8 does not inline to another goes through memory, and numbers among arguments through the heap.
 */
export function solvePoint(
  bodies: BodyColumns,
  a: number,
  b: number,
  columns: Columns<PointColumn>,
  row: number,
  l: number,
  g: Float64Array,
): void {
  const { position: x, orientation: q, inverseInertia: I } = bodies
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
  const A0 = I[9 * a]
  const A1 = I[9 * a + 1]
  const A2 = I[9 * a + 2]
  const A3 = I[9 * a + 3]
  const A4 = I[9 * a + 4]
  const A5 = I[9 * a + 5]
  const A6 = I[9 * a + 6]
  const A7 = I[9 * a + 7]
  const A8 = I[9 * a + 8]
  const B0 = I[9 * b]
  const B1 = I[9 * b + 1]
  const B2 = I[9 * b + 2]
  const B3 = I[9 * b + 3]
  const B4 = I[9 * b + 4]
  const B5 = I[9 * b + 5]
  const B6 = I[9 * b + 6]
  const B7 = I[9 * b + 7]
  const B8 = I[9 * b + 8]
  const wa = x[p + 3]
  const wb = x[u + 3]
  const soft = columns.softness[row]
  const gamma = columns.gamma[row]
  const gain = 1 + gamma
  g[SOFT] = soft / gain
  let ex = dx + soft * lambda[l]
  let ey = dy + soft * lambda[l + 1]
  let ez = dz + soft * lambda[l + 2]
  if (gamma > 0) {
    movedPair(bodies, a, b, g, m)
    ex += gamma * m[0]
    ey += gamma * m[1]
    ez += gamma * m[2]
  }
  const w = wa + wb
  const k0 = ry * A6 - rz * A3
  const k1 = ry * A7 - rz * A4
  const k2 = ry * A8 - rz * A5
  const k3 = rz * A0 - rx * A6
  const k4 = rz * A1 - rx * A7
  const k5 = rz * A2 - rx * A8
  const k6 = rx * A3 - ry * A0
  const k7 = rx * A4 - ry * A1
  const k8 = rx * A5 - ry * A2
  const h0 = my * B6 - mz * B3
  const h1 = my * B7 - mz * B4
  const h2 = my * B8 - mz * B5
  const h3 = mz * B0 - mx * B6
  const h4 = mz * B1 - mx * B7
  const h5 = mz * B2 - mx * B8
  const h6 = mx * B3 - my * B0
  const h7 = mx * B4 - my * B1
  const h8 = mx * B5 - my * B2
  const K0 = gain * (w + k2 * ry - k1 * rz + h2 * my - h1 * mz) + soft
  const K1 = gain * (k0 * rz - k2 * rx + h0 * mz - h2 * mx)
  const K2 = gain * (k1 * rx - k0 * ry + h1 * mx - h0 * my)
  const K3 = gain * (k5 * ry - k4 * rz + h5 * my - h4 * mz)
  const K4 = gain * (w + k3 * rz - k5 * rx + h3 * mz - h5 * mx) + soft
  const K5 = gain * (k4 * rx - k3 * ry + h4 * mx - h3 * my)
  const K6 = gain * (k8 * ry - k7 * rz + h8 * my - h7 * mz)
  const K7 = gain * (k6 * rz - k8 * rx + h6 * mz - h8 * mx)
  const K8 = gain * (w + k7 * rx - k6 * ry + h7 * mx - h6 * my) + soft
  const C0 = K4 * K8 - K5 * K7
  const C1 = K5 * K6 - K3 * K8
  const C2 = K3 * K7 - K4 * K6
  const determinant = K0 * C0 + K1 * C1 + K2 * C2
  if (Math.abs(determinant) <= IMMOVABLE) return
  const scale = -columns.relaxation[row] / determinant
  const nx = scale * (C0 * ex + (K2 * K7 - K1 * K8) * ey + (K1 * K5 - K2 * K4) * ez)
  const ny = scale * (C1 * ex + (K0 * K8 - K2 * K6) * ey + (K2 * K3 - K0 * K5) * ez)
  const nz = scale * (C2 * ex + (K1 * K6 - K0 * K7) * ey + (K0 * K4 - K1 * K3) * ez)
  lambda[l] += nx
  lambda[l + 1] += ny
  lambda[l + 2] += nz
  if (!(Math.abs(nx) + Math.abs(ny) + Math.abs(nz) < RUNAWAY)) return
  if (wa !== 0) {
    x[p] += wa * nx
    x[p + 1] += wa * ny
    x[p + 2] += wa * nz
    const fx = ry * nz - rz * ny
    const fy = rz * nx - rx * nz
    const fz = rx * ny - ry * nx
    rotate(q, p, A0 * fx + A1 * fy + A2 * fz, A3 * fx + A4 * fy + A5 * fz, A6 * fx + A7 * fy + A8 * fz)
  }
  if (wb === 0) return
  x[u] -= wb * nx
  x[u + 1] -= wb * ny
  x[u + 2] -= wb * nz
  const jx = my * nz - mz * ny
  const jy = mz * nx - mx * nz
  const jz = mx * ny - my * nx
  rotate(q, u, -(B0 * jx + B1 * jy + B2 * jz), -(B3 * jx + B4 * jy + B5 * jz), -(B6 * jx + B7 * jy + B8 * jz))
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
