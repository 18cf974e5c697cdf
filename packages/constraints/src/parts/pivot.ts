/**
 * Turning about a pivot: the angular rows of a joint, pushed together with the reaction that keeps its anchors together.
 *
 * A couple n alone turns both bodies about their centres of mass and parts the anchors by u = (I_a⁻¹ n) × r_a + (I_b⁻¹ n) × r_b.
 * With the force f = −K⁻¹ u at the anchors, K their 3×3 inverse effective mass (64) with the softness of their rows, these stay met, and the
 * effective inverse inertia is w = nᵀ (I_a⁻¹ + I_b⁻¹) n − uᵀ K⁻¹ u: that of the joint, not of the free bodies. Without it
 * the pivot undoes what a drive has just turned, and a damped drive sags (docs/method.md).
 */

import { type BodyColumns, RUNAWAY, rotate } from '@tautline/core/kernel'
import { SOFT } from './levers.js'

/**
 * Numbers of scratch of a pivot: the reaction F (9), f = F n; the effective inverse inertia W (9); the turns Θ_a and Θ_b
 * (18), Θ_a n of a and −Θ_b n of b; where its multipliers are. All 3×3 row-major.
 */
export const PIVOT = 37

/** Places of W, Θ_a and Θ_b, and of the multipliers' offset. */
export const W = 9
const TURN_A = 18
const TURN_B = 27
const OFFSET = 36

/** In place of a pivot: the bodies turn freely about their centres of mass. Only its W is filled. */
const FREE = /* @__PURE__ */ new Float64Array(PIVOT)

/** A determinant of K below this has no inverse: nothing at the pivot can be moved. */
const SINGULAR = 1e-300

/** The bodies turn freely: what the rows read in place of a pivot, until the next call. W = I_a⁻¹ + I_b⁻¹ (131). */
export function freely(bodies: BodyColumns, a: number, b: number): Float64Array {
  const I = bodies.inverseInertia
  const e = 9 * a
  const f = 9 * b
  FREE[W] = I[e] + I[f]
  FREE[W + 1] = I[e + 1] + I[f + 1]
  FREE[W + 2] = I[e + 2] + I[f + 2]
  FREE[W + 3] = I[e + 3] + I[f + 3]
  FREE[W + 4] = I[e + 4] + I[f + 4]
  FREE[W + 5] = I[e + 5] + I[f + 5]
  FREE[W + 6] = I[e + 6] + I[f + 6]
  FREE[W + 7] = I[e + 7] + I[f + 7]
  FREE[W + 8] = I[e + 8] + I[f + 8]
  return FREE
}

/**
 * Fills `p` from the levers in `g`, which meet at one point, and the softness there; κ of the pivot is at `l` in `lambda`. Returns `p`, or the
 * free bodies when nothing there can be moved. Written out in one function: see `solveLinearBlock`.
 */
export function pivotAt(
  bodies: BodyColumns,
  a: number,
  b: number,
  g: Float64Array,
  l: number,
  p: Float64Array,
): Float64Array {
  const { position: x, inverseInertia: I } = bodies
  // Softness is a mass at the anchors that no body has.
  const m = x[4 * a + 3] + x[4 * b + 3] + g[SOFT]
  const rx = g[0]
  const ry = g[1]
  const rz = g[2]
  const sx = g[3]
  const sy = g[4]
  const sz = g[5]
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
  // −U = [r]ₓ I⁻¹ of both.
  const a0 = ry * A6 - rz * A3
  const a1 = ry * A7 - rz * A4
  const a2 = ry * A8 - rz * A5
  const a3 = rz * A0 - rx * A6
  const a4 = rz * A1 - rx * A7
  const a5 = rz * A2 - rx * A8
  const a6 = rx * A3 - ry * A0
  const a7 = rx * A4 - ry * A1
  const a8 = rx * A5 - ry * A2
  const b0 = sy * B6 - sz * B3
  const b1 = sy * B7 - sz * B4
  const b2 = sy * B8 - sz * B5
  const b3 = sz * B0 - sx * B6
  const b4 = sz * B1 - sx * B7
  const b5 = sz * B2 - sx * B8
  const b6 = sx * B3 - sy * B0
  const b7 = sx * B4 - sy * B1
  const b8 = sx * B5 - sy * B2
  // K = (1/m_a + 1/m_b) 1 − [r]ₓ I⁻¹ [r]ₓ of both (64).
  const K0 = m + a2 * ry - a1 * rz + b2 * sy - b1 * sz
  const K1 = a0 * rz - a2 * rx + b0 * sz - b2 * sx
  const K2 = a1 * rx - a0 * ry + b1 * sx - b0 * sy
  const K3 = a5 * ry - a4 * rz + b5 * sy - b4 * sz
  const K4 = m + a3 * rz - a5 * rx + b3 * sz - b5 * sx
  const K5 = a4 * rx - a3 * ry + b4 * sx - b3 * sy
  const K6 = a8 * ry - a7 * rz + b8 * sy - b7 * sz
  const K7 = a6 * rz - a8 * rx + b6 * sz - b8 * sx
  const K8 = m + a7 * rx - a6 * ry + b7 * sx - b6 * sy
  const C0 = K4 * K8 - K5 * K7
  const C3 = K5 * K6 - K3 * K8
  const C6 = K3 * K7 - K4 * K6
  const determinant = K0 * C0 + K1 * C3 + K2 * C6
  if (Math.abs(determinant) <= SINGULAR) return freely(bodies, a, b)
  const C1 = K2 * K7 - K1 * K8
  const C2 = K1 * K5 - K2 * K4
  const C4 = K0 * K8 - K2 * K6
  const C5 = K2 * K3 - K0 * K5
  const C7 = K1 * K6 - K0 * K7
  const C8 = K0 * K4 - K1 * K3
  const s = 1 / determinant
  const u0 = s * (a0 + b0)
  const u1 = s * (a1 + b1)
  const u2 = s * (a2 + b2)
  const u3 = s * (a3 + b3)
  const u4 = s * (a4 + b4)
  const u5 = s * (a5 + b5)
  const u6 = s * (a6 + b6)
  const u7 = s * (a7 + b7)
  const u8 = s * (a8 + b8)
  // F = −K⁻¹ U
  const F0 = C0 * u0 + C1 * u3 + C2 * u6
  const F1 = C0 * u1 + C1 * u4 + C2 * u7
  const F2 = C0 * u2 + C1 * u5 + C2 * u8
  const F3 = C3 * u0 + C4 * u3 + C5 * u6
  const F4 = C3 * u1 + C4 * u4 + C5 * u7
  const F5 = C3 * u2 + C4 * u5 + C5 * u8
  const F6 = C6 * u0 + C7 * u3 + C8 * u6
  const F7 = C6 * u1 + C7 * u4 + C8 * u7
  const F8 = C6 * u2 + C7 * u5 + C8 * u8
  // Couples on a and b, e_j + r × f_j in column j.
  const S0 = 1 + ry * F6 - rz * F3
  const S1 = ry * F7 - rz * F4
  const S2 = ry * F8 - rz * F5
  const S3 = rz * F0 - rx * F6
  const S4 = 1 + rz * F1 - rx * F7
  const S5 = rz * F2 - rx * F8
  const S6 = rx * F3 - ry * F0
  const S7 = rx * F4 - ry * F1
  const S8 = 1 + rx * F5 - ry * F2
  const T0 = 1 + sy * F6 - sz * F3
  const T1 = sy * F7 - sz * F4
  const T2 = sy * F8 - sz * F5
  const T3 = sz * F0 - sx * F6
  const T4 = 1 + sz * F1 - sx * F7
  const T5 = sz * F2 - sx * F8
  const T6 = sx * F3 - sy * F0
  const T7 = sx * F4 - sy * F1
  const T8 = 1 + sx * F5 - sy * F2
  // Θ = I⁻¹ times the couples.
  const P0 = A0 * S0 + A1 * S3 + A2 * S6
  const P1 = A0 * S1 + A1 * S4 + A2 * S7
  const P2 = A0 * S2 + A1 * S5 + A2 * S8
  const P3 = A3 * S0 + A4 * S3 + A5 * S6
  const P4 = A3 * S1 + A4 * S4 + A5 * S7
  const P5 = A3 * S2 + A4 * S5 + A5 * S8
  const P6 = A6 * S0 + A7 * S3 + A8 * S6
  const P7 = A6 * S1 + A7 * S4 + A8 * S7
  const P8 = A6 * S2 + A7 * S5 + A8 * S8
  const Q0 = B0 * T0 + B1 * T3 + B2 * T6
  const Q1 = B0 * T1 + B1 * T4 + B2 * T7
  const Q2 = B0 * T2 + B1 * T5 + B2 * T8
  const Q3 = B3 * T0 + B4 * T3 + B5 * T6
  const Q4 = B3 * T1 + B4 * T4 + B5 * T7
  const Q5 = B3 * T2 + B4 * T5 + B5 * T8
  const Q6 = B6 * T0 + B7 * T3 + B8 * T6
  const Q7 = B6 * T1 + B7 * T4 + B8 * T7
  const Q8 = B6 * T2 + B7 * T5 + B8 * T8
  p[0] = F0
  p[1] = F1
  p[2] = F2
  p[3] = F3
  p[4] = F4
  p[5] = F5
  p[6] = F6
  p[7] = F7
  p[8] = F8
  // W from what each couple moves together with its reaction: sums of squares, where I⁻¹ − Uᵀ K⁻¹ U would cancel.
  p[W] = m * (F0 * F0 + F3 * F3 + F6 * F6) + S0 * P0 + S3 * P3 + S6 * P6 + T0 * Q0 + T3 * Q3 + T6 * Q6
  p[W + 1] = m * (F0 * F1 + F3 * F4 + F6 * F7) + S0 * P1 + S3 * P4 + S6 * P7 + T0 * Q1 + T3 * Q4 + T6 * Q7
  p[W + 2] = m * (F0 * F2 + F3 * F5 + F6 * F8) + S0 * P2 + S3 * P5 + S6 * P8 + T0 * Q2 + T3 * Q5 + T6 * Q8
  p[W + 3] = m * (F1 * F0 + F4 * F3 + F7 * F6) + S1 * P0 + S4 * P3 + S7 * P6 + T1 * Q0 + T4 * Q3 + T7 * Q6
  p[W + 4] = m * (F1 * F1 + F4 * F4 + F7 * F7) + S1 * P1 + S4 * P4 + S7 * P7 + T1 * Q1 + T4 * Q4 + T7 * Q7
  p[W + 5] = m * (F1 * F2 + F4 * F5 + F7 * F8) + S1 * P2 + S4 * P5 + S7 * P8 + T1 * Q2 + T4 * Q5 + T7 * Q8
  p[W + 6] = m * (F2 * F0 + F5 * F3 + F8 * F6) + S2 * P0 + S5 * P3 + S8 * P6 + T2 * Q0 + T5 * Q3 + T8 * Q6
  p[W + 7] = m * (F2 * F1 + F5 * F4 + F8 * F7) + S2 * P1 + S5 * P4 + S8 * P7 + T2 * Q1 + T5 * Q4 + T8 * Q7
  p[W + 8] = m * (F2 * F2 + F5 * F5 + F8 * F8) + S2 * P2 + S5 * P5 + S8 * P8 + T2 * Q2 + T5 * Q5 + T8 * Q8
  p[TURN_A] = P0
  p[TURN_A + 1] = P1
  p[TURN_A + 2] = P2
  p[TURN_A + 3] = P3
  p[TURN_A + 4] = P4
  p[TURN_A + 5] = P5
  p[TURN_A + 6] = P6
  p[TURN_A + 7] = P7
  p[TURN_A + 8] = P8
  p[TURN_B] = Q0
  p[TURN_B + 1] = Q1
  p[TURN_B + 2] = Q2
  p[TURN_B + 3] = Q3
  p[TURN_B + 4] = Q4
  p[TURN_B + 5] = Q5
  p[TURN_B + 6] = Q6
  p[TURN_B + 7] = Q7
  p[TURN_B + 8] = Q8
  p[OFFSET] = l
  return p
}

/** nᵀ W n [1/(kg m²)]: effective inverse inertia of a couple about the pivot; n is at `o` of `t`. */
export function inverseInertiaAbout(p: Float64Array, t: Float64Array, o: number): number {
  const x = t[o]
  const y = t[o + 1]
  const z = t[o + 2]
  return (
    x * (p[W] * x + p[W + 1] * y + p[W + 2] * z) +
    y * (p[W + 3] * x + p[W + 4] * y + p[W + 5] * z) +
    z * (p[W + 6] * x + p[W + 7] * y + p[W + 8] * z)
  )
}

/** Turns a by the couple n and b by −n about the pivot, and adds the reaction to the pivot's κ in `lambda`; nothing where n is not finite. */
export function rotateAbout(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  lambda: Float64Array,
  n: Float64Array,
): void {
  const { position: x, orientation: q, inverseInertia } = bodies
  const o = 4 * a
  const u = 4 * b
  const nx = n[0]
  const ny = n[1]
  const nz = n[2]
  if (!(Math.abs(nx) + Math.abs(ny) + Math.abs(nz) < RUNAWAY)) return
  const wa = x[o + 3]
  const wb = x[u + 3]
  const isFree = p === FREE
  if (!isFree) {
    const l = p[OFFSET]
    const fx = p[0] * nx + p[1] * ny + p[2] * nz
    const fy = p[3] * nx + p[4] * ny + p[5] * nz
    const fz = p[6] * nx + p[7] * ny + p[8] * nz
    lambda[l] += fx
    lambda[l + 1] += fy
    lambda[l + 2] += fz
    if (wa !== 0) {
      x[o] += wa * fx
      x[o + 1] += wa * fy
      x[o + 2] += wa * fz
    }
    if (wb !== 0) {
      x[u] -= wb * fx
      x[u + 1] -= wb * fy
      x[u + 2] -= wb * fz
    }
  }
  const I = isFree ? inverseInertia : p
  const e = isFree ? 9 * a : TURN_A
  const f = isFree ? 9 * b : TURN_B
  if (wa !== 0) {
    rotate(
      q,
      o,
      I[e] * nx + I[e + 1] * ny + I[e + 2] * nz,
      I[e + 3] * nx + I[e + 4] * ny + I[e + 5] * nz,
      I[e + 6] * nx + I[e + 7] * ny + I[e + 8] * nz,
    )
  }
  if (wb === 0) return
  rotate(
    q,
    u,
    -(I[f] * nx + I[f + 1] * ny + I[f + 2] * nz),
    -(I[f + 3] * nx + I[f + 4] * ny + I[f + 5] * nz),
    -(I[f + 6] * nx + I[f + 7] * ny + I[f + 8] * nz),
  )
}
