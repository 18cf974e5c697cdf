/**
 * A direction across another, and frames of a joint in world space, in eight numbers of scratch `F`: q_A = q_a f_a at 0, q_B = q_b f_b at 4, where f are
 * body-space rotations. Their axes are the columns of R(q).
 */

import { type BodyColumns, compose } from '@tautline/core/kernel'

/** Below this sine of their angle two directions are parallel, and that of their cross product is noise. */
export const PARALLEL = 1e-12
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

/** A length within this of 1 is round-off. */
const NORMALISED = 1e-14

/** Writes a unit vector ⊥ the unit vector n at `i` to `out`: n × the coordinate axis that n leans to least. */
export function perpendicular(n: ArrayLike<number>, i: number, out: Float64Array, o: number): void {
  const x = Math.abs(n[i])
  const y = Math.abs(n[i + 1])
  const z = Math.abs(n[i + 2])
  const ex = x <= y && x <= z ? 1 : 0
  const ey = ex === 0 && y <= z ? 1 : 0
  const ez = 1 - ex - ey
  const px = n[i + 1] * ez - n[i + 2] * ey
  const py = n[i + 2] * ex - n[i] * ez
  const pz = n[i] * ey - n[i + 1] * ex
  const size = Math.sqrt(px * px + py * py + pz * pz)
  // As `unitVector` has it.
  const length = Math.abs(size - 1) <= NORMALISED ? 1 : size
  out[o] = px / length
  out[o + 1] = py / length
  out[o + 2] = pz / length
}
