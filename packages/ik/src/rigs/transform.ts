/**
 * Vectors and rotations for reading files: plain tuples, made anew by each call. Not for a step.
 *
 * Quaternions are [x, y, z, w], as everywhere here; a file that writes w first is turned round where it is read.
 */

import { cos, rotateVector, sin } from '@tautline/core/kernel'

export type Vec3 = [number, number, number]
export type Quat = [number, number, number, number]

/** A frame's place in another's: x ↦ position + R(rotation) x. */
export interface Place {
  readonly position: Vec3
  readonly rotation: Quat
}

/** Names a point of a bone that is worth a goal: a site, the end of a finger. */
export interface NamedPoint {
  /** Unique among the points of a file. */
  readonly name: string
  /** Name of the bone that carries it. */
  readonly bone: string
  /** In the bone's space [m]. */
  readonly position: Vec3
  /** In the bone's space [x, y, z, w]. */
  readonly rotation: Quat
}

/** Where bones are in their parents' spaces: a `Pose` is one. */
export interface LocalPose {
  /** [x, y, z] [m], a row of three a bone. */
  readonly positions: Float64Array
  /** [x, y, z, w], a row of four a bone. */
  readonly rotations: Float64Array
}

export const NO_TURN: Readonly<Quat> = /* @__PURE__ */ Object.freeze([0, 0, 0, 1] as const) as Readonly<Quat>
export const DEGREE: number = Math.PI / 180

const IN = /* @__PURE__ */ new Float64Array(4)
const OUT = /* @__PURE__ */ new Float64Array(3)

/** p q: first q, then p. */
export function times(p: Readonly<Quat>, q: Readonly<Quat>): Quat {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
    p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ]
}

export function inverse(q: Readonly<Quat>): Quat {
  return [-q[0], -q[1], -q[2], q[3]]
}

export function rotated(q: Readonly<Quat>, v: Readonly<Vec3>): Vec3 {
  IN.set(q)
  rotateVector(IN, 0, v[0], v[1], v[2], OUT, 0)
  return [OUT[0], OUT[1], OUT[2]]
}

/** `angle` [rad] about a unit vector. */
export function aboutAxis(axis: Readonly<Vec3>, angle: number): Quat {
  const s = sin(0.5 * angle)
  return [s * axis[0], s * axis[1], s * axis[2], cos(0.5 * angle)]
}

/** The rotation whose axes are the columns, unit vectors at right angles (S. Shepperd 1978: the largest of four). */
export function fromAxes(x: Readonly<Vec3>, y: Readonly<Vec3>, z: Readonly<Vec3>): Quat {
  const squares = [1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2], 1 + x[0] + y[1] + z[2]]
  const best = squares.indexOf(Math.max(...squares))
  const s = 0.5 / Math.sqrt(squares[best])
  const own = s * squares[best]
  const [xy, xz, yz] = [s * (y[0] + x[1]), s * (z[0] + x[2]), s * (z[1] + y[2])]
  const [wx, wy, wz] = [s * (y[2] - z[1]), s * (z[0] - x[2]), s * (x[1] - y[0])]
  if (best === 0) return [own, xy, xz, wx]
  if (best === 1) return [xy, own, yz, wy]
  if (best === 2) return [xz, yz, own, wz]
  return [wx, wy, wz, own]
}

/** `inner`, given in the frame `outer`, seen from outside. */
export function within(outer: Place, inner: Place): Place {
  return {
    position: sum(outer.position, rotated(outer.rotation, inner.position)),
    rotation: times(outer.rotation, inner.rotation),
  }
}

export function sum(a: Readonly<Vec3>, b: Readonly<Vec3>): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

export function difference(a: Readonly<Vec3>, b: Readonly<Vec3>): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

export function scaled(a: Readonly<Vec3>, by: number): Vec3 {
  return [a[0] * by, a[1] * by, a[2] * by]
}

export function dot(a: Readonly<Vec3>, b: Readonly<Vec3>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function cross(a: Readonly<Vec3>, b: Readonly<Vec3>): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function size(a: Readonly<Vec3>): number {
  return Math.sqrt(dot(a, a))
}

/** The direction of a vector; `undefined` for one without. */
export function direction(a: Readonly<Vec3>): Vec3 | undefined {
  const l = size(a)
  return l > 1e-9 ? scaled(a, 1 / l) : undefined
}

/** A name not in `taken`, with `_2`, `_3`, … behind it where need be; it is added. */
export function freshName(name: string, taken: Map<string, number>): string {
  let fresh = name
  // Where it left off for this name: many of one name take no longer each.
  let k = taken.get(name) ?? 1
  while (taken.has(fresh)) fresh = `${name}_${++k}`
  if (k > 1) taken.set(name, k)
  taken.set(fresh, 1)
  return fresh
}
