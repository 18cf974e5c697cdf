/**
 * Vectors and rotations for making ragdolls: plain tuples, made anew by each call. Not for a step.
 *
 * Quaternions are [x, y, z, w], as everywhere here.
 */

import { rotateVector } from '@tautline/core/kernel'

export type Vec3 = [number, number, number]
export type Quat = [number, number, number, number]

type ReadonlyVec = Readonly<Vec3>
type ReadonlyTurn = Readonly<Quat>

export const NO_TURN: ReadonlyTurn = /* @__PURE__ */ Object.freeze([0, 0, 0, 1] as const) as ReadonlyTurn

const IN = /* @__PURE__ */ new Float64Array(4)
const OUT = /* @__PURE__ */ new Float64Array(3)

/** p q: first q, then p. */
export function times(p: ReadonlyTurn, q: ReadonlyTurn): Quat {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
    p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ]
}

export function inverse(q: ReadonlyTurn): Quat {
  return [-q[0], -q[1], -q[2], q[3]]
}

export function rotated(q: ReadonlyTurn, v: ReadonlyVec): Vec3 {
  IN.set(q)
  rotateVector(IN, 0, v[0], v[1], v[2], OUT, 0)
  return [OUT[0], OUT[1], OUT[2]]
}

export function sum(a: ReadonlyVec, b: ReadonlyVec): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

export function difference(a: ReadonlyVec, b: ReadonlyVec): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

export function scaled(v: ReadonlyVec, by: number): Vec3 {
  return [v[0] * by, v[1] * by, v[2] * by]
}

export function dot(a: ReadonlyVec, b: ReadonlyVec): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function cross(a: ReadonlyVec, b: ReadonlyVec): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function size(v: ReadonlyVec): number {
  return Math.sqrt(dot(v, v))
}

/** Unit vector along `v`; none where it is shorter than `least`. */
export function direction(v: ReadonlyVec | undefined, least = 1e-12): Vec3 | undefined {
  if (v === undefined) return undefined
  const length = size(v)
  return length > least ? scaled(v, 1 / length) : undefined
}

/** `v` without its part along a unit vector. */
export function across(v: ReadonlyVec, axis: ReadonlyVec): Vec3 {
  return difference(v, scaled(axis, dot(v, axis)))
}

/** A unit vector at right angles to another. */
export function perpendicular(n: ReadonlyVec): Vec3 {
  const [x, y, z] = n.map(Math.abs)
  const least: Vec3 = x <= y && x <= z ? [1, 0, 0] : y <= z ? [0, 1, 0] : [0, 0, 1]
  return direction(cross(n, least)) as Vec3
}

/** The shortest turn of one unit vector onto another; of opposite ones, half a turn about `halfway`. */
export function fromTo(a: ReadonlyVec, b: ReadonlyVec, halfway: ReadonlyVec = perpendicular(a)): Quat {
  const w = 1 + dot(a, b)
  if (w < 1e-9) return [halfway[0], halfway[1], halfway[2], 0]
  const [x, y, z] = cross(a, b)
  return normalized([x, y, z, w])
}

export function normalized(q: ReadonlyTurn): Quat {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length]
}

/** The rotation whose x axis is `x`, and whose y axis is as near to `y` as that leaves (S. Shepperd 1978: the largest of four squares). */
export function frameOf(x: ReadonlyVec, y: ReadonlyVec): Quat {
  const v = direction(across(y, x), 1e-9) ?? perpendicular(x)
  const z = cross(x, v)
  const squares = [1 + x[0] - v[1] - z[2], 1 - x[0] + v[1] - z[2], 1 - x[0] - v[1] + z[2], 1 + x[0] + v[1] + z[2]]
  const best = squares.indexOf(Math.max(...squares))
  const s = 0.5 / Math.sqrt(squares[best])
  const own = s * squares[best]
  const [xy, xz, yz] = [s * (v[0] + x[1]), s * (z[0] + x[2]), s * (z[1] + v[2])]
  const [wx, wy, wz] = [s * (v[2] - z[1]), s * (z[0] - x[2]), s * (x[1] - v[0])]
  if (best === 0) return [own, xy, xz, wx]
  if (best === 1) return [xy, own, yz, wy]
  if (best === 2) return [xz, yz, own, wz]
  return [wx, wy, wz, own]
}

export function vectorAt(list: ArrayLike<number>, i: number): Vec3 {
  return [list[3 * i], list[3 * i + 1], list[3 * i + 2]]
}

export function rotationAt(list: ArrayLike<number>, i: number): Quat {
  return [list[4 * i], list[4 * i + 1], list[4 * i + 2], list[4 * i + 3]]
}
