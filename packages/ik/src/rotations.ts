/**
 * Rotations [x, y, z, w] in flat arrays, seen from one another and between directions.
 *
 *   seen from    q ↦ p̄ q
 *   arc          the shortest rotation a → b of unit vectors: (a × b, 1 + a·b), normalised
 */

import { compose, normalizeQuaternion, rotateBy } from '@tautline/core/kernel'

const inverse = /* @__PURE__ */ new Float64Array(4)
const from = /* @__PURE__ */ new Float64Array(3)

/** Cosine below which two directions count as opposed: the arc between them is lost to round-off. */
const OPPOSED = -1 + 1e-6

/** A vector shorter than this [m] shows no direction. */
const NOWHERE = 1e-12

/** Writes the rotation of a rotation vector [rad]: exp. From array to array: as arguments its numbers would be boxed. */
export function rotationOf(v: Float64Array, out: Float64Array): void {
  out[0] = out[1] = out[2] = 0
  out[3] = 1
  rotateBy(out, 0, v)
}

/** v ← R(q[o…]) v, from array to array likewise. */
export function rotateInPlace(q: Float64Array, o: number, v: Float64Array): void {
  const x = v[0]
  const y = v[1]
  const z = v[2]
  const qx = q[o]
  const qy = q[o + 1]
  const qz = q[o + 2]
  const qw = q[o + 3]
  const tx = 2 * (qy * z - qz * y)
  const ty = 2 * (qz * x - qx * z)
  const tz = 2 * (qx * y - qy * x)
  v[0] = x + qw * tx + (qy * tz - qz * ty)
  v[1] = y + qw * ty + (qz * tx - qx * tz)
  v[2] = z + qw * tz + (qx * ty - qy * tx)
}

/** out[u…] = p̄ q: the rotation q[k…] as p[o…] sees it. */
export function seenFrom(p: Float64Array, o: number, q: Float64Array, k: number, out: Float64Array, u: number): void {
  inverse[0] = -p[o]
  inverse[1] = -p[o + 1]
  inverse[2] = -p[o + 2]
  inverse[3] = p[o + 3]
  compose(inverse, 0, q, k, out, u)
}

/** Writes the shortest rotation of the unit vector a onto b; where they are opposed, half a turn about some axis goes first. */
export function arc(a: Float64Array, b: Float64Array, out: Float64Array): void {
  const along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
  if (along > OPPOSED) {
    shortest(a, b, along, out)
    return
  }
  // −a → b is short; before it, half a turn about n ⟂ a: (n, 0).
  for (let k = 0; k < 3; k++) from[k] = -a[k]
  shortest(from, b, -along, out)
  perpendicular(a, from)
  const x = out[0]
  const y = out[1]
  const z = out[2]
  const w = out[3]
  out[0] = w * from[0] + y * from[2] - z * from[1]
  out[1] = w * from[1] + z * from[0] - x * from[2]
  out[2] = w * from[2] + x * from[1] - y * from[0]
  out[3] = -(x * from[0] + y * from[1] + z * from[2])
}

function shortest(a: Float64Array, b: Float64Array, along: number, out: Float64Array): void {
  cross(a, b, out)
  out[3] = 1 + along
  normalizeQuaternion(out, 0)
}

/** Some unit vector at right angles to a. */
export function perpendicular(a: Float64Array, out: Float64Array): void {
  const [x, y, z] = [Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2])]
  const least = x <= y && x <= z ? 0 : y <= z ? 1 : 2
  const squared = a[0] * a[0] + a[1] * a[1] + a[2] * a[2]
  const along = a[least] / squared
  for (let k = 0; k < 3; k++) out[k] = (k === least ? 1 : 0) - along * a[k]
  normalise(out)
}

/** a × b, which may be written over either. */
export function cross(a: ArrayLike<number>, b: ArrayLike<number>, out: Float64Array): void {
  const x = a[1] * b[2] - a[2] * b[1]
  const y = a[2] * b[0] - a[0] * b[2]
  out[2] = a[0] * b[1] - a[1] * b[0]
  out[0] = x
  out[1] = y
}

/** Scales a vector to unit length; returns the length that it had, and leaves one of no length alone. */
export function normalise(a: Float64Array): number {
  const length = Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
  if (length > 0) for (let k = 0; k < 3; k++) a[k] /= length
  return length
}

/** Makes a unit vector of `a`; false where it shows no direction. */
export function hasDirection(a: Float64Array): boolean {
  const squared = a[0] * a[0] + a[1] * a[1] + a[2] * a[2]
  if (!(squared > NOWHERE * NOWHERE)) return false
  const scale = 1 / Math.sqrt(squared)
  for (let k = 0; k < 3; k++) a[k] *= scale
  return true
}

/** Takes from a what is along the unit vector n. */
export function flatten(a: Float64Array, n: Float64Array): void {
  const along = a[0] * n[0] + a[1] * n[1] + a[2] * n[2]
  for (let k = 0; k < 3; k++) a[k] -= along * n[k]
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
