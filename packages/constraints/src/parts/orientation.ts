/**
 * The rows that hold one orientation against another: c = the rotation vector [rad] that takes q_B to q_A, in the world
 * frame, the short way round.
 *
 *   q_A = q_a f, q_B = q_b or q_b g, in the scratch `F` of frames.ts; ∂‖c‖ = ĉ on a, −ĉ on b, exactly
 *
 * A block: the bodies may be far from round, and a couple keeps angular momentum in any direction.
 */

import { type BodyColumns, compose, cos, type Group, rotationBetween, type Rows, sin } from '@tautline/core/kernel'
import { pairRotation } from './angular.js'
import { W } from './pivot.js'
import { solveAngularBlock, STEP } from './vector.js'
import { ERROR, RADIUS, RELAXATION, ROW_DAMPING, ROW_SOFTNESS, ROW_STIFFNESS } from './registers.js'

const F = /* @__PURE__ */ new Float64Array(8)
const c = /* @__PURE__ */ new Float64Array(3)
const m = /* @__PURE__ */ new Float64Array(3)
const UA = /* @__PURE__ */ new Float64Array(9)
const UB = /* @__PURE__ */ new Float64Array(9)

/** Square of an angle below which q is that of its series [rad²]. */
const SMALL = 1e-6

/** x, y and z. */
export const AXES: Float64Array = /* @__PURE__ */ Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)
/** No wanted velocity. */
export const AT_REST: Float64Array = /* @__PURE__ */ new Float64Array(3)

/** Opens the group for `evaluate` and writes its three rows, from the frames in `G`, with the true gradient of c where it is asked for. */
export function orientationRows(
  out: Rows,
  G: Float64Array,
  multiplier: number,
  law: 'position' | 'force',
  rate: ArrayLike<number>,
  isExact: boolean,
): Group {
  rotationBetween(G, 0, G, 4, c, 0)
  const group = out.group('block', law, 'rad')
  if (isExact) measureGradient()
  for (let k = 0; k < 3; k++) {
    out.rowAt(multiplier + k, c, k)
    out.rate[out.count - 1] = rate[k]
    if (isExact) out.rotationsApart(UA, 3 * k, UB, 3 * k)
    else out.rotations(1, AXES, 3 * k)
  }
  return group
}

/**
 * How the rotation vector c, ‖c‖ = φ, changes with a turn of a, U_A, and of b, −U_B:
 *
 *   U_A = 1 − ½ [c]ₓ + q (c cᵀ − φ² 1),   U_B = U_Aᵀ,   q = (1 − (φ/2) cot(φ/2))/φ²
 */
function measureGradient(): void {
  const squared = c[0] * c[0] + c[1] * c[1] + c[2] * c[2]
  const half = 0.5 * Math.sqrt(squared)
  const q = squared < SMALL ? 1 / 12 : (1 - (half * cos(half)) / sin(half)) / squared
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) UA[3 * i + j] = q * c[i] * c[j]
    UA[4 * i] += 1 - q * squared
  }
  for (let k = 0; k < 3; k++) {
    const i = (k + 1) % 3
    const j = (k + 2) % 3
    // [c]ₓ has −c_k in row i, column j.
    UA[3 * i + j] += 0.5 * c[k]
    UA[3 * j + i] -= 0.5 * c[k]
  }
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) UB[3 * i + j] = UA[3 * j + i]
}

/**
 * One update from the frames in `G`, about the pivot `p`: e = s c + d (δ − h rate) + a κ with s, d, a, ξ and the radius
 * in `STEP`. `rate` is the wanted angular velocity of a against b.
 */
export function solveOrientation(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  G: Float64Array,
  lambda: Float64Array,
  l: number,
  rate: Float64Array,
  h: number,
): void {
  const s = STEP[ROW_STIFFNESS]
  const d = STEP[ROW_DAMPING]
  const soft = STEP[ROW_SOFTNESS]
  rotationBetween(G, 0, G, 4, c, 0)
  let ex = s * c[0] + soft * lambda[l]
  let ey = s * c[1] + soft * lambda[l + 1]
  let ez = s * c[2] + soft * lambda[l + 2]
  if (d > 0) {
    pairRotation(bodies, a, b, m)
    ex += d * (m[0] - h * rate[0])
    ey += d * (m[1] - h * rate[1])
    ez += d * (m[2] - h * rate[2])
  }
  STEP[ERROR] = ex
  STEP[ERROR + 1] = ey
  STEP[ERROR + 2] = ez
  solveAngularBlock(bodies, a, b, p, lambda, l)
}

/** q_A = q_a reference and q_B = q_b into `F`: what a joint of fixed orientation compares. */
export function referred(
  bodies: BodyColumns,
  a: number,
  b: number,
  reference: Float64Array,
  row: number,
  F: Float64Array,
): void {
  compose(bodies.orientation, 4 * a, reference, 4 * row, F, 0)
  for (let k = 0; k < 4; k++) F[4 + k] = bodies.orientation[4 * b + k]
}

/** The rigid or compliant rows of `reference` at `row`. */
export function heldOrientationRows(
  bodies: BodyColumns,
  a: number,
  b: number,
  columns: Record<'reference' | 'angularCompliance' | 'angularRayleigh', Float64Array>,
  row: number,
  out: Rows,
  multiplier: number,
  pivoted: boolean,
): void {
  referred(bodies, a, b, columns.reference, row, F)
  const { angularCompliance, angularRayleigh } = columns
  const isExact = out.isExact(angularCompliance, angularRayleigh, row)
  const group = orientationRows(out, F, multiplier, 'position', AT_REST, isExact)
  group.pivotCompensated = pivoted
  group.compliance = angularCompliance[row]
  group.rayleigh = angularRayleigh[row]
}

/** Their update; κ at `l`. */
export function holdOrientation(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  columns: Record<
    'reference' | 'angularCompliance' | 'angularRayleigh' | 'lambda' | 'relaxation' | 'regularization',
    Float64Array
  >,
  row: number,
  l: number,
  h: number,
): void {
  referred(bodies, a, b, columns.reference, row, F)
  STEP[ROW_STIFFNESS] = 1
  STEP[ROW_DAMPING] = columns.angularRayleigh[row] / h
  STEP[ROW_SOFTNESS] = columns.angularCompliance[row] / (h * h) + columns.regularization[row]
  STEP[RELAXATION] = columns.relaxation[row]
  STEP[RADIUS] = Infinity
  solveOrientation(bodies, a, b, p, F, columns.lambda, l, AT_REST, h)
}

/**
 * What `acceleration` drives multiply stiffness and damping by: the mean effective inertia tr(W⁻¹)/3 [kg m²], which does
 * not depend on the frame; 3/tr W where some direction cannot turn.
 */
export function meanInertia(p: Float64Array): number {
  const C0 = p[W + 4] * p[W + 8] - p[W + 5] * p[W + 7]
  const C1 = p[W + 3] * p[W + 8] - p[W + 5] * p[W + 6]
  const C2 = p[W + 3] * p[W + 7] - p[W + 4] * p[W + 6]
  const C4 = p[W] * p[W + 8] - p[W + 2] * p[W + 6]
  const C8 = p[W] * p[W + 4] - p[W + 1] * p[W + 3]
  const determinant = p[W] * C0 - p[W + 1] * C1 + p[W + 2] * C2
  const mean = (p[W] + p[W + 4] + p[W + 8]) / 3
  if (mean === 0) return 0
  return determinant > STIFF * mean * mean * mean ? (C0 + C4 + C8) / (3 * determinant) : 1 / mean
}

/** Relative determinant of W below which a direction counts as locked. */
const STIFF = 1e-9
