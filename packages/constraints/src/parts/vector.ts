/**
 * One update of a vector row with the multiplier κ (3): from e = s c + d δ + a κ, with gain s + d and softness a,
 *
 *   block   Δκ = −ξ (gain K + a 1)⁻¹ e       (71–73, 123)
 *
 * and, where there is a radius, the accumulated κ is held inside a ball by magnitude (132). What goes from one function
 * that V8 does not inline to another goes through `STEP`: numbers among arguments would go through the heap.
 */

import { type BodyColumns, IMMOVABLE, RUNAWAY, rotate } from '@tautline/core/kernel'
import { rotateAbout, W } from './pivot.js'
import { ERROR, RADIUS, RELAXATION, ROW_DAMPING, ROW_SOFTNESS, ROW_STIFFNESS } from './registers.js'

export { IMMOVABLE }

/** What the update in hand reads: [s, d, a, ξ, radius in units of κ, e (3)]. Rows of two numbers leave the third e. */
export const STEP: Float64Array = /* @__PURE__ */ new Float64Array(8)

const D = /* @__PURE__ */ new Float64Array(3)

/** For a push at the levers in `g`, without a radius. `l` is the offset of κ in `lambda`. */
export function solveLinearBlock(
  bodies: BodyColumns,
  a: number,
  b: number,
  g: Float64Array,
  lambda: Float64Array,
  l: number,
): void {
  const { position: x, orientation: q, inverseInertia: I } = bodies
  const p = 4 * a
  const u = 4 * b
  const rx = g[0]
  const ry = g[1]
  const rz = g[2]
  const mx = g[3]
  const my = g[4]
  const mz = g[5]
  const gain = STEP[ROW_STIFFNESS] + STEP[ROW_DAMPING]
  const soft = STEP[ROW_SOFTNESS]
  const ex = STEP[ERROR]
  const ey = STEP[ERROR + 1]
  const ez = STEP[ERROR + 2]
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
  const scale = -STEP[RELAXATION] / determinant
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

/** For a couple between two bodies, about the pivot `p`; the matrix need not be symmetric (36). */
export function solveAngularBlock(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  lambda: Float64Array,
  l: number,
): void {
  const gain = STEP[ROW_STIFFNESS] + STEP[ROW_DAMPING]
  const soft = STEP[ROW_SOFTNESS]
  const radius = STEP[RADIUS]
  const ex = STEP[ERROR]
  const ey = STEP[ERROR + 1]
  const ez = STEP[ERROR + 2]
  if (ex === 0 && ey === 0 && ez === 0) return
  const K0 = gain * p[W] + soft
  const K1 = gain * p[W + 1]
  const K2 = gain * p[W + 2]
  const K3 = gain * p[W + 3]
  const K4 = gain * p[W + 4] + soft
  const K5 = gain * p[W + 5]
  const K6 = gain * p[W + 6]
  const K7 = gain * p[W + 7]
  const K8 = gain * p[W + 8] + soft
  const C0 = K4 * K8 - K5 * K7
  const C1 = K5 * K6 - K3 * K8
  const C2 = K3 * K7 - K4 * K6
  const determinant = K0 * C0 + K1 * C1 + K2 * C2
  if (Math.abs(determinant) <= IMMOVABLE) return
  const scale = -STEP[RELAXATION] / determinant
  let nx = scale * (C0 * ex + (K2 * K7 - K1 * K8) * ey + (K1 * K5 - K2 * K4) * ez)
  let ny = scale * (C1 * ex + (K0 * K8 - K2 * K6) * ey + (K2 * K3 - K0 * K5) * ez)
  let nz = scale * (C2 * ex + (K1 * K6 - K0 * K7) * ey + (K0 * K4 - K1 * K3) * ez)
  if (radius < Infinity) {
    const x = lambda[l] + nx
    const y = lambda[l + 1] + ny
    const z = lambda[l + 2] + nz
    const squared = x * x + y * y + z * z
    if (squared > radius * radius) {
      const shrink = radius / Math.sqrt(squared)
      nx = shrink * x - lambda[l]
      ny = shrink * y - lambda[l + 1]
      nz = shrink * z - lambda[l + 2]
    }
  }
  lambda[l] += nx
  lambda[l + 1] += ny
  lambda[l + 2] += nz
  D[0] = nx
  D[1] = ny
  D[2] = nz
  rotateAbout(bodies, a, b, p, lambda, D)
}
