/**
 * Rotations as unit quaternions q = [x, y, z, w] in flat arrays, `o` the index of x; a rotation vector δθ [rad] is axis
 * times angle, in the world frame, and acts from the left.
 *
 *   turn       q ← exp(δθ/2) q,  exp(δθ/2) = (δθ s, c),  s = sin(θ/2)/θ,  c = cos(θ/2),  θ = |δθ|
 *   between    q p̄ = (v, c)  →  δθ = 2 atan2(|v|, c) v/|v|,  c >= 0
 *   vectors    R(q) a = a + 2 w (u × a) + 2 u × (u × a),  u = (x, y, z)
 *   tensors    R diag(d) Rᵀ
 *
 * Waterson, "Displacement Based Dynamics", (43)-(46) for the use; θ = 2 atan2 in place of his Δθ/Δt (docs/method.md).
 * Nothing here normalises but `normalizeQuaternion`: each turn adds some 1e-16 to |q| − 1, so once a substep is plenty.
 */

import { atan2At, atanDefectAt, sinCos } from './elementary.js'
import { compose } from './frames.js'

const TWO_PI = 2 * Math.PI

/** Squared angle [rad²] up to which `turn` needs no sine: |δθ| <= 1/2. */
const SMALL_TURN = 0.25

/** sin(θ/2)/θ = 1/2 + S1 θ² + S2 θ⁴ + … up to SMALL_TURN, fitted by Remez's exchange: off by 6e-17 of itself at most. */
const S1 = -0.02083333333333
const S2 = 0.0002604166665371982
const S3 = -1.5500976421583246e-6
const S4 = 5.374840313292088e-9

/** Scratch of turns beyond: the rotation vector, and the quaternion of it. */
const FAR = /* @__PURE__ */ new Float64Array(3)
const EXP = /* @__PURE__ */ new Float64Array(4)

/** No rotation. */
const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1)

/** Turns q by the world-frame rotation vector (x, y, z) [rad]: q ← exp(δθ/2) q. The caller renormalises once a substep. */
export function rotate(q: Float64Array, o: number, x: number, y: number, z: number): void {
  const u = x * x + y * y + z * z
  if (u <= SMALL_TURN) {
    const s = 0.5 + u * (S1 + u * (S2 + u * (S3 + u * S4)))
    // cos(θ/2) is near 1: a root loses nothing, keeps |exp| = 1 whatever s is, and is faster than a second polynomial.
    multiply(q, o, s * x, s * y, s * z, Math.sqrt(1 - s * s * u))
  } else {
    FAR[0] = x
    FAR[1] = y
    FAR[2] = z
    turnFar(q, o, FAR)
  }
}

/**
 * The same for a rotation vector `v` in memory, written out: a caller too large for `turn` to be inlined would have its
 * three numbers boxed.
 */
export function rotateBy(q: Float64Array, o: number, v: Float64Array): void {
  const x = v[0]
  const y = v[1]
  const z = v[2]
  const u = x * x + y * y + z * z
  if (u > SMALL_TURN) {
    turnFar(q, o, v)
    return
  }
  const s = 0.5 + u * (S1 + u * (S2 + u * (S3 + u * S4)))
  const w = Math.sqrt(1 - s * s * u)
  const ax = s * x
  const ay = s * y
  const az = s * z
  const qx = q[o]
  const qy = q[o + 1]
  const qz = q[o + 2]
  const qw = q[o + 3]
  q[o] = w * qx + ax * qw + ay * qz - az * qy
  q[o + 1] = w * qy - ax * qz + ay * qw + az * qx
  q[o + 2] = w * qz + ax * qy - ay * qx + az * qw
  q[o + 3] = w * qw - ax * qx - ay * qy - az * qz
}

/** Scales q to unit length. */
export function normalizeQuaternion(q: Float64Array, o: number): void {
  const x = q[o]
  const y = q[o + 1]
  const z = q[o + 2]
  const w = q[o + 3]
  const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w)
  q[o] = x * scale
  q[o + 1] = y * scale
  q[o + 2] = z * scale
  q[o + 3] = w * scale
}

/**
 * Writes the rotation vector [rad] that takes p[u…] to q[o…] the short way round (at most π) to out[k…k + 2].
 *
 * Divided by the time between the two it is the angular velocity (43-46). q and −q are the same rotation.
 */
export function rotationBetween(
  q: Float64Array,
  o: number,
  p: Float64Array,
  u: number,
  out: Float64Array,
  k: number,
): void {
  const px = p[u]
  const py = p[u + 1]
  const pz = p[u + 2]
  const pw = p[u + 3]
  const dot = q[o] * px + q[o + 1] * py + q[o + 2] * pz + q[o + 3] * pw
  const sign = dot < 0 ? -1 : 1
  const c = sign * dot
  // The vector part of q p̄ is that of (q − p) p̄, and q − p is exact when the two are close: no cancellation.
  const dx = sign * q[o] - px
  const dy = sign * q[o + 1] - py
  const dz = sign * q[o + 2] - pz
  const dw = sign * q[o + 3] - pw
  const x = dx * pw - dw * px - dy * pz + dz * py
  const y = dy * pw - dw * py - dz * px + dx * pz
  const z = dz * pw - dw * pz - dx * py + dy * px
  const square = x * x + y * y + z * z
  const cc = c * c
  let scale: number
  if (4 * square <= cc) {
    // |v| <= c/2: 2 atan(t)/t / c, which needs no |v| and so has no trouble at 0.
    out[k] = square / cc
    atanDefectAt(out, k)
    scale = (2 - 2 * out[k]) / c
  } else {
    const length = Math.sqrt(square)
    out[k] = length
    out[k + 1] = c
    atan2At(out, k)
    scale = (2 * out[k]) / length
  }
  out[k] = scale * x
  out[k + 1] = scale * y
  out[k + 2] = scale * z
}

/** Writes the rotation of the vector (x, y, z) [rad] to out[o…o + 3]: exp. */
export function quaternionFromRotationVector(out: Float64Array, o: number, x: number, y: number, z: number): void {
  out[o] = 0
  out[o + 1] = 0
  out[o + 2] = 0
  out[o + 3] = 1
  rotate(out, o, x, y, z)
}

/** Writes the rotation vector [rad], at most π long, of q[o…] to out[k…k + 2]: log. */
export function rotationVectorFromQuaternion(q: Float64Array, o: number, out: Float64Array, k: number): void {
  rotationBetween(q, o, IDENTITY, 0, out, k)
}

/** Writes R(q) (x, y, z) to out[k…k + 2]: from the body's frame to the world's. */
export function rotateVector(
  q: Float64Array,
  o: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  k: number,
): void {
  const qx = q[o]
  const qy = q[o + 1]
  const qz = q[o + 2]
  const qw = q[o + 3]
  const tx = 2 * (qy * z - qz * y)
  const ty = 2 * (qz * x - qx * z)
  const tz = 2 * (qx * y - qy * x)
  out[k] = x + qw * tx + (qy * tz - qz * ty)
  out[k + 1] = y + qw * ty + (qz * tx - qx * tz)
  out[k + 2] = z + qw * tz + (qx * ty - qy * tx)
}

/** Writes R(q)ᵀ (x, y, z) to out[k…k + 2]: from the world's frame to the body's. */
export function rotateVectorInverse(
  q: Float64Array,
  o: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  k: number,
): void {
  const qx = q[o]
  const qy = q[o + 1]
  const qz = q[o + 2]
  const qw = q[o + 3]
  const tx = 2 * (qy * z - qz * y)
  const ty = 2 * (qz * x - qx * z)
  const tz = 2 * (qx * y - qy * x)
  out[k] = x - qw * tx + (qy * tz - qz * ty)
  out[k + 1] = y - qw * ty + (qz * tx - qx * tz)
  out[k + 2] = z - qw * tz + (qx * ty - qy * tx)
}

/**
 * {@link rotateVector} of v[i…i + 2], which may be where the result goes: numbers among the arguments of a function that is not inlined would
 * be boxed.
 */
export function rotateVectorAt(
  q: Float64Array,
  o: number,
  v: Float64Array,
  i: number,
  out: Float64Array,
  k: number,
): void {
  const x = v[i]
  const y = v[i + 1]
  const z = v[i + 2]
  const qx = q[o]
  const qy = q[o + 1]
  const qz = q[o + 2]
  const qw = q[o + 3]
  const tx = 2 * (qy * z - qz * y)
  const ty = 2 * (qz * x - qx * z)
  const tz = 2 * (qx * y - qy * x)
  out[k] = x + qw * tx + (qy * tz - qz * ty)
  out[k + 1] = y + qw * ty + (qz * tx - qx * tz)
  out[k + 2] = z + qw * tz + (qx * ty - qy * tx)
}

/** {@link rotateVectorInverse} of v[i…i + 2], which may be where the result goes. */
export function rotateVectorInverseAt(
  q: Float64Array,
  o: number,
  v: Float64Array,
  i: number,
  out: Float64Array,
  k: number,
): void {
  const x = v[i]
  const y = v[i + 1]
  const z = v[i + 2]
  const qx = q[o]
  const qy = q[o + 1]
  const qz = q[o + 2]
  const qw = q[o + 3]
  const tx = 2 * (qy * z - qz * y)
  const ty = 2 * (qz * x - qx * z)
  const tz = 2 * (qx * y - qy * x)
  out[k] = x - qw * tx + (qy * tz - qz * ty)
  out[k + 1] = y - qw * ty + (qz * tx - qx * tz)
  out[k + 2] = z - qw * tz + (qx * ty - qy * tx)
}

/** Writes R diag(d[i…i + 2]) Rᵀ, R = R(q[o…]), to out[k…k + 8], row-major; symmetric to the last bit. */
export function rotateSymmetric(
  q: Float64Array,
  o: number,
  d: Float64Array,
  i: number,
  out: Float64Array,
  k: number,
): void {
  const d0 = d[i]
  const d1 = d[i + 1]
  const d2 = d[i + 2]
  const x = q[o]
  const y = q[o + 1]
  const z = q[o + 2]
  const w = q[o + 3]
  const r00 = 1 - 2 * (y * y + z * z)
  const r01 = 2 * (x * y - w * z)
  const r02 = 2 * (x * z + w * y)
  const r10 = 2 * (x * y + w * z)
  const r11 = 1 - 2 * (x * x + z * z)
  const r12 = 2 * (y * z - w * x)
  const r20 = 2 * (x * z - w * y)
  const r21 = 2 * (y * z + w * x)
  const r22 = 1 - 2 * (x * x + y * y)
  const m01 = d0 * r00 * r10 + d1 * r01 * r11 + d2 * r02 * r12
  const m02 = d0 * r00 * r20 + d1 * r01 * r21 + d2 * r02 * r22
  const m12 = d0 * r10 * r20 + d1 * r11 * r21 + d2 * r12 * r22
  out[k] = d0 * r00 * r00 + d1 * r01 * r01 + d2 * r02 * r02
  out[k + 1] = m01
  out[k + 2] = m02
  out[k + 3] = m01
  out[k + 4] = d0 * r10 * r10 + d1 * r11 * r11 + d2 * r12 * r12
  out[k + 5] = m12
  out[k + 6] = m02
  out[k + 7] = m12
  out[k + 8] = d0 * r20 * r20 + d1 * r21 * r21 + d2 * r22 * r22
}

/** `rotateBy` for any angle; apart, so that `rotate` stays small enough to be inlined. */
function turnFar(q: Float64Array, o: number, v: Float64Array): void {
  const angle = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  EXP[2] = 0.5 * angle
  sinCos(EXP, 2, EXP, 2)
  const s = EXP[2] / angle
  EXP[0] = s * v[0]
  EXP[1] = s * v[1]
  EXP[2] = s * v[2]
  compose(EXP, 0, q, o, q, o)
}

/** q ← (x, y, z, w) q. */
function multiply(q: Float64Array, o: number, x: number, y: number, z: number, w: number): void {
  const qx = q[o]
  const qy = q[o + 1]
  const qz = q[o + 2]
  const qw = q[o + 3]
  q[o] = w * qx + x * qw + y * qz - z * qy
  q[o + 1] = w * qy - x * qz + y * qw + z * qx
  q[o + 2] = w * qz + x * qy - y * qx + z * qw
  q[o + 3] = w * qw - x * qx - y * qy - z * qz
}

/** Adds to a rotation vector, at most π long, the whole turns that bring it nearest to another. */
export function addRotations(turn: Float64Array, near: Float64Array): void {
  const angle = Math.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2])
  if (angle === 0) return
  const along = (near[0] * turn[0] + near[1] * turn[1] + near[2] * turn[2]) / angle
  const scale = 1 + (Math.round((along - angle) / TWO_PI) * TWO_PI) / angle
  for (let i = 0; i < 3; i++) turn[i] *= scale
}
