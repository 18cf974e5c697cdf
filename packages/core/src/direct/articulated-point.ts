/** Motion of a joint's point with the parent, and the force that it takes (articulated.ts). */

import { MUT, MUU, UP } from './articulated-columns.js'

/** (U, θ_p) of a joint with factors at k, from six numbers a node; q < 0 where it holds to what does not move. */
export function pointMotion(factors: Float64Array, k: number, nodes: Float64Array, q: number, out: Float64Array): void {
  if (q < 0) {
    out[0] = out[1] = out[2] = out[3] = out[4] = out[5] = 0
    return
  }
  const X = factors[k + UP]
  const Y = factors[k + UP + 1]
  const Z = factors[k + UP + 2]
  const a = nodes[q + 3]
  const b = nodes[q + 4]
  const c = nodes[q + 5]
  out[0] = nodes[q] + b * Z - c * Y
  out[1] = nodes[q + 1] + c * X - a * Z
  out[2] = nodes[q + 2] + a * Y - b * X
  out[3] = a
  out[4] = b
  out[5] = c
}

/** M_UU U + M_Uθ θ_p of the (U, θ_p) in `motion`. */
export function pointForce(factors: Float64Array, k: number, motion: Float64Array, out: Float64Array): void {
  const M = k + MUU
  const T = k + MUT
  const U = motion[0]
  const V = motion[1]
  const W = motion[2]
  const a = motion[3]
  const b = motion[4]
  const c = motion[5]
  out[0] =
    factors[M] * U + factors[M + 1] * V + factors[M + 2] * W + factors[T] * a + factors[T + 1] * b + factors[T + 2] * c
  out[1] =
    factors[M + 1] * U +
    factors[M + 3] * V +
    factors[M + 4] * W +
    factors[T + 3] * a +
    factors[T + 4] * b +
    factors[T + 5] * c
  out[2] =
    factors[M + 2] * U +
    factors[M + 4] * V +
    factors[M + 5] * W +
    factors[T + 6] * a +
    factors[T + 7] * b +
    factors[T + 8] * c
}
