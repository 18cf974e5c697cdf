/**
 * The rows that hold two axes parallel (Waterson 80–87): c = −φ ŵ [rad] on the directions t₁, t₂ ⊥ n_a.
 *
 *   φ = atan2(‖n_a × n_b‖, n_a·n_b),  ŵ = n_a × n_b/‖n_a × n_b‖,  ∂‖c‖ = −ŵ on a, +ŵ on b
 *
 * n_a, t₁, t₂ are the axes of a's frame in `F`, n_b is the x axis of b's. asin (80) folds at 90°. Where the axes oppose
 * each other ŵ = t₁. Two rows instead of the vector: turning about the axis has to stay free, and a block is needed for
 * bodies that are not round (plane.ts).
 */

import {
  atan2,
  type BodyColumns,
  type Curvature,
  frameX,
  frameY,
  frameZ,
  type Group,
  type Rows,
} from '@tautline/core/kernel'
import { pairRotation } from './angular.js'
import { rotateAbout, W } from './pivot.js'
import { planeDelta } from './plane.js'
import { STEP } from './vector.js'
import { ERROR, ROW_DAMPING, ROW_SOFTNESS, ROW_STIFFNESS } from './registers.js'

/** Numbers of scratch `A`: [t₁ (3), t₂ (3), c₁, c₂]. */
export const ALIGNMENT = 8

/** Sine of an angle below which s − φ X has no digits left. */
const SMALL = 1e-4

const N = /* @__PURE__ */ new Float64Array(6)
const U = /* @__PURE__ */ new Float64Array(6)
const m = /* @__PURE__ */ new Float64Array(3)

/** Fills `A` from the frames in `F`. */
export function measureAlignment(F: Float64Array, A: Float64Array): void {
  frameX(F, 0, N, 0)
  frameX(F, 4, N, 3)
  frameY(F, 0, A, 0)
  frameZ(F, 0, A, 3)
  const X = N[0] * N[3] + N[1] * N[4] + N[2] * N[5]
  const Y = A[0] * N[3] + A[1] * N[4] + A[2] * N[5]
  const Z = A[3] * N[3] + A[4] * N[4] + A[5] * N[5]
  const s = Math.sqrt(Y * Y + Z * Z)
  const phi = atan2(s, X)
  const k = s > 0 ? phi / s : 1
  A[6] = s > 0 ? k * Z : -phi
  A[7] = -k * Y
}

/**
 * Opens the group for `evaluate` and writes its rows, multipliers `multiplier` and the next one, with the true gradient of c where it is
 * asked for.
 */
export function alignmentRows(
  out: Rows,
  A: Float64Array,
  multiplier: number,
  law: 'position' | 'force',
  rate: ArrayLike<number>,
  isExact: boolean,
): Group {
  const group = out.group('block', law, 'rad')
  const from = isExact && measureGradient(A) ? U : A
  for (let k = 0; k < 2; k++) {
    out.rowAt(multiplier + k, A, 6 + k)
    out.rate[out.count - 1] = A[3 * k] * rate[0] + A[3 * k + 1] * rate[1] + A[3 * k + 2] * rate[2]
    out.rotations(1, from, 3 * k)
  }
  return group
}

/**
 * The gradients of c₁ and c₂ on a, −U on b, into `U`; false where they are t₁ and t₂ but for s, or the axes oppose each other. In a's frame
 * n_b = (X, Y, Z), s² = Y² + Z², k = φ/s and p = (s − φ X)/s³:
 *
 *   ∂c₁ = (−k Y, k X + p Z², −p Y Z),   ∂c₂ = (−k Z, −p Y Z, k X + p Y²)
 */
function measureGradient(A: Float64Array): boolean {
  const X = N[0] * N[3] + N[1] * N[4] + N[2] * N[5]
  const Y = A[0] * N[3] + A[1] * N[4] + A[2] * N[5]
  const Z = A[3] * N[3] + A[4] * N[4] + A[5] * N[5]
  const s = Math.sqrt(Y * Y + Z * Z)
  if (s < SMALL) return false
  const phi = atan2(s, X)
  const k = phi / s
  const p = (s - phi * X) / (s * s * s)
  const across = -p * Y * Z
  for (let c = 0; c < 3; c++) {
    U[c] = -k * Y * N[c] + (k * X + p * Z * Z) * A[c] + across * A[3 + c]
    U[3 + c] = -k * Z * N[c] + across * A[c] + (k * X + p * Y * Y) * A[3 + c]
  }
  return true
}

/**
 * Geometric stiffness of the two rows at `l` in `lambda`, from the `A` and the axes that `measureAlignment` left: near c = 0 they
 * are t₂·n_b and −t₁·n_b.
 */
export function alignmentCurvature(A: Float64Array, lambda: Float64Array, l: number, out: Curvature): void {
  out.pair(lambda, l, 1, A, 3, N, 3)
  out.pair(lambda, l + 1, -1, A, 0, N, 3)
}

/**
 * One update about the pivot `p`: e = s c + d (δ − h rate) + a κ with s, d, a, ξ and the radius in `STEP`. `rate` is the
 * wanted angular velocity of a against b.
 */
export function solveAlignment(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  A: Float64Array,
  lambda: Float64Array,
  l: number,
  rate: Float64Array,
  h: number,
): void {
  const s = STEP[ROW_STIFFNESS]
  const d = STEP[ROW_DAMPING]
  const soft = STEP[ROW_SOFTNESS]
  let e1 = s * A[6] + soft * lambda[l]
  let e2 = s * A[7] + soft * lambda[l + 1]
  if (d > 0) {
    pairRotation(bodies, a, b, m)
    const x = m[0] - h * rate[0]
    const y = m[1] - h * rate[1]
    const z = m[2] - h * rate[2]
    e1 += d * (A[0] * x + A[1] * y + A[2] * z)
    e2 += d * (A[3] * x + A[4] * y + A[5] * z)
  }
  STEP[ERROR] = e1
  STEP[ERROR + 1] = e2
  if (planeDelta(p, W, A, lambda, l, m)) rotateAbout(bodies, a, b, p, lambda, m)
}
