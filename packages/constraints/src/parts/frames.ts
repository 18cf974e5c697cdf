/**
 * Frames of a joint in world space, in eight numbers of scratch `F`: q_A = q_a f_a at 0, q_B = q_b f_b at 4, where f are
 * body-space rotations. Their axes are the columns of R(q).
 */

import { type BodyColumns, compose } from '@tautline/core/kernel'

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
