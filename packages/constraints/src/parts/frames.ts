/**
 * Frames of a joint in world space, in eight numbers of scratch `F`: q_A = q_a f_a at 0, q_B = q_b f_b at 4, where f are
 * body-space rotations. Their axes are the columns of R(q).
 */

import type { BodyColumns } from '@tautline/core'

/** Numbers of scratch that a pair of frames needs. */
export const FRAMES = 8

/** Fills `F` for bodies `a` and `b` and the frames at `row` of the two columns. */
export function jointFrames(
  bodies: BodyColumns,
  a: number,
  b: number,
  frameA: Float64Array,
  frameB: Float64Array,
  row: number,
  F: Float64Array,
): void {
  compose(bodies.orientation, 4 * a, frameA, 4 * row, F, 0)
  compose(bodies.orientation, 4 * b, frameB, 4 * row, F, 4)
}

/** out[u…] = q[o…] f[k…]. */
export function compose(q: Float64Array, o: number, f: Float64Array, k: number, out: Float64Array, u: number): void {
  const ax = q[o]
  const ay = q[o + 1]
  const az = q[o + 2]
  const aw = q[o + 3]
  const bx = f[k]
  const by = f[k + 1]
  const bz = f[k + 2]
  const bw = f[k + 3]
  out[u] = aw * bx + ax * bw + ay * bz - az * by
  out[u + 1] = aw * by - ax * bz + ay * bw + az * bx
  out[u + 2] = aw * bz + ax * by - ay * bx + az * bw
  out[u + 3] = aw * bw - ax * bx - ay * by - az * bz
}

/** The x axis of the frame at `o`, into out[k…k + 2]. */
export function frameX(F: Float64Array, o: number, out: Float64Array, k: number): void {
  const x = F[o]
  const y = F[o + 1]
  const z = F[o + 2]
  const w = F[o + 3]
  out[k] = 1 - 2 * (y * y + z * z)
  out[k + 1] = 2 * (x * y + w * z)
  out[k + 2] = 2 * (x * z - w * y)
}

/** Its y axis. */
export function frameY(F: Float64Array, o: number, out: Float64Array, k: number): void {
  const x = F[o]
  const y = F[o + 1]
  const z = F[o + 2]
  const w = F[o + 3]
  out[k] = 2 * (x * y - w * z)
  out[k + 1] = 1 - 2 * (x * x + z * z)
  out[k + 2] = 2 * (y * z + w * x)
}

/** Its z axis. */
export function frameZ(F: Float64Array, o: number, out: Float64Array, k: number): void {
  const x = F[o]
  const y = F[o + 1]
  const z = F[o + 2]
  const w = F[o + 3]
  out[k] = 2 * (x * z + w * y)
  out[k + 1] = 2 * (y * z - w * x)
  out[k + 2] = 1 - 2 * (x * x + y * y)
}
