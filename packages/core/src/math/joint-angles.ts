/**
 * Angles of a joint and their gradients, from its two frames in `F`: q_A at 0, q_B at 4. An angle is four numbers of scratch,
 * [φ, n (3)], with ∂φ/∂θ_b = n and ∂φ/∂θ_a = −n: φ grows as b turns about n relative to a.
 *
 * n_a, n_b: x axes of the frames; (X, Y, Z): the components of n_b along the axes x̂, ŷ, ẑ of a's frame.
 *   twist     φ = 2 atan2(q_x, q_w), q = q̄_A q_B;  n = (n_a + n_b)/(1 + n_a·n_b)
 *   swing     (θ_y, θ_z) = θ (−Z, Y)/s,  s = √(Y² + Z²),  θ = atan2(s, X): the rotation vector of the turn n_a → n_b
 *             ∂θ_y = −θ_z x̂ + (1 − κθ_z²) ŷ + κθ_yθ_z ẑ,  ∂θ_z = θ_y x̂ + κθ_yθ_z ŷ + (1 − κθ_y²) ẑ,  κ = (1 − θ/tan θ)/θ²
 *   two axes  q = Rx(α) Rz(β), d = x̂_A·ẑ_B:
 *             α = atan2(−ŷ_A·ẑ_B, ẑ_A·ẑ_B),  n = (x̂_A − d ẑ_B)/(1 − d²)
 *             β = atan2(−ŷ_B·x̂_A, x̂_B·x̂_A),  n = (ẑ_B − d x̂_A)/(1 − d²)
 * Twist is undefined where the swing is half a turn, α and β where the two axes are parallel: the gradient is cut there.
 *
 * N = ∂n/∂δ as b is turned by δ, for geometric stiffness:
 *   twist     N = −s [n_b]ₓ − s n (n_b × n_a)ᵀ,  s = 1/(1 + n_a·n_b)
 *   swing     the derivative of the gradients above with ∂κ = μ (θ_y n_y + θ_z n_z),  μ = (1/sin²θ + 1/(θ tan θ) − 2/θ²)/θ²
 */

import { atan2At } from './elementary.js'
import { frameX, frameY, frameZ } from './frames.js'

/** Numbers of scratch of one angle. */
export const ANGLE = 4

/** 1 + n_a·n_b and 1 − d² are at least this in gradients: within 0.1 rad of the singularity rows turn the bodies less. */
const SINGULAR = 0.005
/** Below this 1 + n_a·n_b, within 1.4 mrad of half a turn of swing, twist has no gradient: what remains of it says nothing. */
const UNDEFINED = 1e-6
/** Below this squared swing [rad²] κ is 1/3 to the last bit but one. */
const SMALL_SWING = 1e-15
/** Least sin θ in κ: keeps it finite at half a turn of swing. */
const LEAST_SINE = 0.01
/** Below this squared swing [rad²] κ and μ are series, which are as exact there. */
const SERIES_SWING = 1e-3

const U = /* @__PURE__ */ new Float64Array(12)
const P = /* @__PURE__ */ new Float64Array(3)
const Q = /* @__PURE__ */ new Float64Array(3)

/** Angle about the common x axis. */
export function twistAngle(F: Float64Array, t: Float64Array): void {
  const x = F[3] * F[4] - F[0] * F[7] - F[1] * F[6] + F[2] * F[5]
  const w = F[3] * F[7] + F[0] * F[4] + F[1] * F[5] + F[2] * F[6]
  t[0] = w < 0 ? -x : x
  t[1] = w < 0 ? -w : w
  atan2At(t, 0)
  t[0] *= 2
  frameX(F, 0, U, 0)
  frameX(F, 4, U, 3)
  const d = 1 + U[0] * U[3] + U[1] * U[4] + U[2] * U[5]
  const s = d < UNDEFINED ? 0 : 1 / Math.max(d, SINGULAR)
  t[1] = s * (U[0] + U[3])
  t[2] = s * (U[1] + U[4])
  t[3] = s * (U[2] + U[5])
}

/** The two swing angles, into `y` and `z`. */
export function swingAngles(F: Float64Array, y: Float64Array, z: Float64Array): void {
  frameX(F, 0, U, 0)
  frameY(F, 0, U, 3)
  frameZ(F, 0, U, 6)
  frameX(F, 4, U, 9)
  const X = U[0] * U[9] + U[1] * U[10] + U[2] * U[11]
  const Y = U[3] * U[9] + U[4] * U[10] + U[5] * U[11]
  const Z = U[6] * U[9] + U[7] * U[10] + U[8] * U[11]
  const s = Math.sqrt(Y * Y + Z * Z)
  y[0] = s
  y[1] = X
  atan2At(y, 0)
  const theta = y[0]
  const k = s > 0 ? theta / s : 1
  const ty = s > 0 ? -k * Z : theta
  const tz = k * Y
  const squared = theta * theta
  const kappa = squared < SMALL_SWING ? 1 / 3 : (1 - (theta * X) / (X < 0 ? Math.max(s, LEAST_SINE) : s)) / squared
  const yy = 1 - kappa * tz * tz
  const yz = kappa * ty * tz
  const zz = 1 - kappa * ty * ty
  y[0] = ty
  z[0] = tz
  for (let i = 0; i < 3; i++) {
    y[1 + i] = -tz * U[i] + yy * U[3 + i] + yz * U[6 + i]
    z[1 + i] = ty * U[i] + yz * U[3 + i] + zz * U[6 + i]
  }
}

/** Adds λ n and λ N of the twist `t` in the frames `F` to `into`, which has both side by side, N row-major; λ at `l`. */
export function addTwistTurn(
  F: Float64Array,
  t: Float64Array,
  lambda: Float64Array,
  l: number,
  into: Float64Array,
): void {
  frameX(F, 0, U, 0)
  frameX(F, 4, U, 3)
  const ax = U[0]
  const ay = U[1]
  const az = U[2]
  const bx = U[3]
  const by = U[4]
  const bz = U[5]
  const f = lambda[l]
  const d = 1 + ax * bx + ay * by + az * bz
  const s = d < UNDEFINED ? 0 : f / Math.max(d, SINGULAR)
  // The cut gradient keeps its scale.
  const e = d < SINGULAR ? 0 : -s
  U[6] = e * (by * az - bz * ay)
  U[7] = e * (bz * ax - bx * az)
  U[8] = e * (bx * ay - by * ax)
  for (let i = 0; i < 3; i++) {
    into[i] += f * t[1 + i]
    for (let k = 0; k < 3; k++) into[3 + 3 * i + k] += t[1 + i] * U[6 + k]
  }
  into[4] += s * bz
  into[5] -= s * by
  into[6] -= s * bz
  into[8] += s * bx
  into[9] += s * by
  into[10] -= s * bx
}

/** The same of the two swing angles `y` and `z`, with their multipliers in `lambda`. */
export function addSwingTurn(
  F: Float64Array,
  y: Float64Array,
  z: Float64Array,
  lambda: Float64Array,
  into: Float64Array,
): void {
  frameX(F, 0, U, 0)
  frameY(F, 0, U, 3)
  frameZ(F, 0, U, 6)
  frameX(F, 4, U, 9)
  const a = lambda[0]
  const b = lambda[1]
  const ty = y[0]
  const tz = z[0]
  const squared = ty * ty + tz * tz
  let kappa = 1 / 3 + squared * (1 / 45 + squared * (2 / 945))
  let mu = 2 / 45 + squared * (8 / 945 + squared * (2 / 1575))
  if (squared > SERIES_SWING) {
    const X = U[0] * U[9] + U[1] * U[10] + U[2] * U[11]
    const sine = Math.sqrt(Math.max(1 - X * X, LEAST_SINE * LEAST_SINE))
    const theta = Math.sqrt(squared)
    kappa = (1 - (theta * X) / sine) / squared
    mu = (1 / (sine * sine) + X / (theta * sine) - 2 / squared) / squared
  }
  // N along the axes of a's frame, of n_y and of n_z.
  const turned = b * ty - a * tz
  P[0] = b
  P[1] = tz * (mu * turned * ty + b * kappa)
  P[2] = -mu * turned * ty * ty - kappa * (turned + b * ty)
  Q[0] = -a
  Q[1] = mu * turned * tz * tz + kappa * (turned - a * tz)
  Q[2] = ty * (a * kappa - mu * turned * tz)
  for (let i = 0; i < 3; i++) {
    into[i] += a * y[1 + i] + b * z[1 + i]
    const p = U[i] * P[0] + U[3 + i] * P[1] + U[6 + i] * P[2]
    const q = U[i] * Q[0] + U[3 + i] * Q[1] + U[6 + i] * Q[2]
    for (let k = 0; k < 3; k++) into[3 + 3 * i + k] += p * y[1 + k] + q * z[1 + k]
  }
}

/** Of two axes, the angle about the one on a, the x axis of its frame. */
export function angleAboutA(F: Float64Array, t: Float64Array): void {
  frameX(F, 0, U, 0)
  frameY(F, 0, U, 3)
  frameZ(F, 0, U, 6)
  frameZ(F, 4, U, 9)
  t[0] = -(U[3] * U[9] + U[4] * U[10] + U[5] * U[11])
  t[1] = U[6] * U[9] + U[7] * U[10] + U[8] * U[11]
  atan2At(t, 0)
  leaning(t)
}

/** The angle about the one on b, the z axis of its frame. */
export function angleAboutB(F: Float64Array, t: Float64Array): void {
  frameZ(F, 4, U, 0)
  frameY(F, 4, U, 3)
  frameX(F, 4, U, 6)
  frameX(F, 0, U, 9)
  t[0] = -(U[3] * U[9] + U[4] * U[10] + U[5] * U[11])
  t[1] = U[6] * U[9] + U[7] * U[10] + U[8] * U[11]
  atan2At(t, 0)
  leaning(t)
}

/** n = (e − d f)/(1 − d²), d = e·f, of the axes e at 0 and f at 9 of `U`. */
function leaning(t: Float64Array): void {
  const d = U[0] * U[9] + U[1] * U[10] + U[2] * U[11]
  const s = 1 / Math.max(1 - d * d, SINGULAR)
  t[1] = s * (U[0] - d * U[9])
  t[2] = s * (U[1] - d * U[10])
  t[3] = s * (U[2] - d * U[11])
}
