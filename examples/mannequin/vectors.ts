/** Vectors and rotations for the making of the mannequin: few, and only of operations that give the same bits on every engine. */

import { compose, cos, normalizeQuaternion, rotateVector, sin } from '@tautline/core/kernel'
import type { Vector } from '../data/adult.js'

/** [x, y, z, w] */
export type Quaternion = Float64Array

const DEGREE = Math.PI / 180

/** A turn about x, y or z by an angle [°]. */
export function about(axis: 'x' | 'y' | 'z', degrees: number): Quaternion {
  const half = 0.5 * degrees * DEGREE
  const q = Float64Array.of(0, 0, 0, cos(half))
  q['xyz'.indexOf(axis)] = sin(half)
  return q
}

/** The turns one within the other, the outermost first. */
export function times(...turns: readonly Quaternion[]): Quaternion {
  const out = Float64Array.of(0, 0, 0, 1)
  for (const turn of turns) compose(out, 0, turn, 0, out, 0)
  return out
}

/** The same turn seen in a mirror that swaps left and right (x). */
export function mirrored([x, y, z, w]: Quaternion): Quaternion {
  return Float64Array.of(x, -y, -z, w)
}

/** From one turn to another by a share, along the chord and the short way. */
export function blend(a: Quaternion, b: Quaternion, share: number): Quaternion {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1
  const out = a.map((value, k) => (1 - share) * value + share * sign * b[k])
  normalizeQuaternion(out, 0)
  return out
}

/** A vector turned. */
export function turned(q: Quaternion, [x, y, z]: Vector): Vector {
  const out = new Float64Array(3)
  rotateVector(q, 0, x, y, z, out, 0)
  return [out[0], out[1], out[2]]
}

export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
export const scale = (a: Vector, s: number): Vector => [s * a[0], s * a[1], s * a[2]]
export const mix = (a: Vector, b: Vector, share: number): Vector => plus(scale(a, 1 - share), scale(b, share))
export const length = (a: Vector): number => Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])

/** 0 below `from`, 1 above `to`, without a bend in between (3 s² − 2 s³). */
export function smoothstep(from: number, to: number, x: number): number {
  const s = Math.min(Math.max((x - from) / (to - from), 0), 1)
  return s * s * (3 - 2 * s)
}
