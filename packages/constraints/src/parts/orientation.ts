/**
 * The rows that hold one orientation against another: c = the rotation vector [rad] that takes q_B to q_A, in the world
 * frame, the short way round.
 *
 *   q_A = q_a f, q_B = q_b or q_b g, in the scratch `F` of frames.ts; ∂‖c‖ = ĉ on a, −ĉ on b, exactly
 *
 * A block: the bodies may be far from round, and a couple keeps angular momentum in any direction.
 */

import { type BodyColumns, type Group, rotationBetween, type Rows } from '@tautline/core'
import { turnedPair } from './angular.js'
import { compose } from './frames.js'
import { inertiaMatrixAbout } from './pivot.js'
import { solveAngularVector } from './vector.js'

const F = /* @__PURE__ */ new Float64Array(8)
const c = /* @__PURE__ */ new Float64Array(3)
const m = /* @__PURE__ */ new Float64Array(3)
const K = /* @__PURE__ */ new Float64Array(9)

/** No wanted velocity. */
export const AT_REST: Float64Array = /* @__PURE__ */ new Float64Array(3)

/** Opens the group for `evaluate` and writes its three rows, from the frames in `G`. */
export function orientationRows(
  out: Rows,
  G: Float64Array,
  multiplier: number,
  law: 'position' | 'force',
  rate: ArrayLike<number>,
): Group {
  rotationBetween(G, 0, G, 4, c, 0)
  const group = out.group('block', law, 'rad')
  for (let k = 0; k < 3; k++) {
    out.row(multiplier + k, c[k], rate[k])
    out.angular(0, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0)
    out.angular(1, k === 0 ? -1 : 0, k === 1 ? -1 : 0, k === 2 ? -1 : 0)
  }
  return group
}

/**
 * One update from the frames in `G`, about the pivot `p` or `FREE`: e = s c + d (δ − h rate) + a κ with gain s + d. `rate` is the wanted angular velocity
 * of a against b; the radius is in units of κ.
 */
export function solveOrientation(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  G: Float64Array,
  lambda: Float64Array,
  l: number,
  s: number,
  d: number,
  soft: number,
  xi: number,
  radius: number,
  rate: Float64Array,
  h: number,
): void {
  rotationBetween(G, 0, G, 4, c, 0)
  let ex = s * c[0] + soft * lambda[l]
  let ey = s * c[1] + soft * lambda[l + 1]
  let ez = s * c[2] + soft * lambda[l + 2]
  if (d > 0) {
    turnedPair(bodies, a, b, m)
    ex += d * (m[0] - h * rate[0])
    ey += d * (m[1] - h * rate[1])
    ez += d * (m[2] - h * rate[2])
  }
  solveAngularVector(bodies, a, b, p, lambda, l, ex, ey, ez, s + d, soft, xi, true, radius)
}

/** q_A = q_a reference and q_B = q_b into `F`: what a joint of fixed orientation compares. */
function referred(bodies: BodyColumns, a: number, b: number, reference: Float64Array, row: number): void {
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
  referred(bodies, a, b, columns.reference, row)
  const group = orientationRows(out, F, multiplier, 'position', AT_REST)
  group.withReaction = pivoted
  group.compliance = columns.angularCompliance[row]
  group.rayleigh = columns.angularRayleigh[row]
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
  referred(bodies, a, b, columns.reference, row)
  const soft = columns.angularCompliance[row] / (h * h) + columns.regularization[row]
  const gamma = columns.angularRayleigh[row] / h
  const xi = columns.relaxation[row]
  solveOrientation(bodies, a, b, p, F, columns.lambda, l, 1, gamma, soft, xi, Infinity, AT_REST, h)
}

/**
 * What `acceleration` drives multiply stiffness and damping by: the mean effective inertia tr(K⁻¹)/3 [kg m²], which does
 * not depend on the frame; 3/tr K where some direction cannot turn.
 */
export function meanInertia(bodies: BodyColumns, a: number, b: number, p: Float64Array): number {
  inertiaMatrixAbout(bodies, a, b, p, K)
  const A = K[4] * K[8] - K[5] * K[7]
  const B = K[0] * K[8] - K[2] * K[6]
  const C = K[0] * K[4] - K[1] * K[3]
  const determinant = K[0] * A - K[1] * (K[3] * K[8] - K[5] * K[6]) + K[2] * (K[3] * K[7] - K[4] * K[6])
  const mean = (K[0] + K[4] + K[8]) / 3
  if (mean === 0) return 0
  return determinant > STIFF * mean * mean * mean ? (A + B + C) / (3 * determinant) : 1 / mean
}

/** Relative determinant of K below which a direction counts as locked. */
const STIFF = 1e-9
