/**
 * One update of a vector row with the multiplier κ (3): from e = s c + d δ + a κ, with gain s + d and softness a,
 *
 *   line    Δκ = −ξ e / (gain êᵀKê + a)      one scalar solve along the error (61–68); ±κ is parallel to it
 *   block   Δκ = −ξ (gain K + a 1)⁻¹ e       (71–73, 123)
 *
 * and, where there is a radius, the accumulated κ is held inside a ball by magnitude (132).
 */

import type { BodyColumns } from '@tautline/core'
import { addMassMatrix, displacePair, pairInverseMass } from './linear.js'
import { inertiaMatrixAbout, inverseInertiaAbout, turnAbout } from './pivot.js'

/** A row whose gain·w + a is below this moves nothing that can be moved. */
export const IMMOVABLE = 1e-300

const K = /* @__PURE__ */ new Float64Array(9)
const D = /* @__PURE__ */ new Float64Array(3)

/** For a push at the levers in `g`. `l` is the offset of κ in `lambda`; `radius` is in units of κ. */
export function solveLinearVector(
  bodies: BodyColumns,
  a: number,
  b: number,
  g: Float64Array,
  lambda: Float64Array,
  l: number,
  ex: number,
  ey: number,
  ez: number,
  gain: number,
  soft: number,
  xi: number,
  block: boolean,
  radius: number,
): void {
  const squared = ex * ex + ey * ey + ez * ez
  if (squared === 0) return
  if (block) {
    K.fill(0)
    addMassMatrix(bodies, a, g[0], g[1], g[2], K)
    addMassMatrix(bodies, b, g[3], g[4], g[5], K)
    if (!solveBlock(gain, soft, -xi * ex, -xi * ey, -xi * ez)) return
  } else {
    const w = pairInverseMass(bodies, a, b, g, ex, ey, ez) / squared
    if (!alongError(gain * w + soft, xi, ex, ey, ez)) return
  }
  accumulate(lambda, l, radius)
  displacePair(bodies, a, b, g, D[0], D[1], D[2])
}

/** For a couple between two bodies, about the pivot `p` or `FREE`. */
export function solveAngularVector(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  lambda: Float64Array,
  l: number,
  ex: number,
  ey: number,
  ez: number,
  gain: number,
  soft: number,
  xi: number,
  block: boolean,
  radius: number,
): void {
  const squared = ex * ex + ey * ey + ez * ez
  if (squared === 0) return
  if (block) {
    inertiaMatrixAbout(bodies, a, b, p, K)
    if (!solveBlock(gain, soft, -xi * ex, -xi * ey, -xi * ez)) return
  } else {
    const w = inverseInertiaAbout(bodies, a, b, p, ex, ey, ez) / squared
    if (!alongError(gain * w + soft, xi, ex, ey, ez)) return
  }
  accumulate(lambda, l, radius)
  turnAbout(bodies, a, b, p, lambda, D[0], D[1], D[2])
}

function alongError(denominator: number, xi: number, ex: number, ey: number, ez: number): boolean {
  if (denominator <= IMMOVABLE) return false
  const s = -xi / denominator
  D[0] = s * ex
  D[1] = s * ey
  D[2] = s * ez
  return true
}

/** D = (gain K + soft 1)⁻¹ r by cofactors; K need not be symmetric (36). */
function solveBlock(gain: number, soft: number, rx: number, ry: number, rz: number): boolean {
  const a = gain * K[0] + soft
  const b = gain * K[1]
  const c = gain * K[2]
  const d = gain * K[3]
  const e = gain * K[4] + soft
  const f = gain * K[5]
  const g = gain * K[6]
  const h = gain * K[7]
  const i = gain * K[8] + soft
  const A = e * i - f * h
  const B = f * g - d * i
  const C = d * h - e * g
  const determinant = a * A + b * B + c * C
  if (Math.abs(determinant) <= IMMOVABLE) return false
  const s = 1 / determinant
  D[0] = s * (A * rx + (c * h - b * i) * ry + (b * f - c * e) * rz)
  D[1] = s * (B * rx + (a * i - c * g) * ry + (c * d - a * f) * rz)
  D[2] = s * (C * rx + (b * g - a * h) * ry + (a * e - b * d) * rz)
  return true
}

/** κ += D, inside the ball; D becomes what was added. */
function accumulate(lambda: Float64Array, l: number, radius: number): void {
  let x = lambda[l] + D[0]
  let y = lambda[l + 1] + D[1]
  let z = lambda[l + 2] + D[2]
  if (radius < Infinity) {
    const squared = x * x + y * y + z * z
    if (squared > radius * radius) {
      const shrink = radius / Math.sqrt(squared)
      x *= shrink
      y *= shrink
      z *= shrink
    }
    D[0] = x - lambda[l]
    D[1] = y - lambda[l + 1]
    D[2] = z - lambda[l + 2]
  }
  lambda[l] = x
  lambda[l + 1] = y
  lambda[l + 2] = z
}
