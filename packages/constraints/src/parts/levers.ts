/**
 * Where a pair constraint takes hold: r = R r₀ of both anchors and δp = p_a − p_b, nine numbers of scratch `g`:
 * `[r_a (3), r_b (3), δp (3)]`.
 */

import { type BodyColumns, rotateVector } from '@tautline/core/kernel'

/** Numbers of scratch that a pair needs: its levers, the way between its anchors, and how soft the rows that hold them are, a/(1 + γ). */
export const LEVERS = 10
export const SOFT = 9

/** The columns that a pose is read from: the present ones, or those of the substep's start. */
export type Pose = Pick<BodyColumns, 'position' | 'orientation'>

/** Fills `g` for bodies `a` and `b` and the anchors at `row` of the two columns. */
export function levers(
  bodies: Pose,
  a: number,
  b: number,
  anchorA: Float64Array,
  anchorB: Float64Array,
  row: number,
  g: Float64Array,
): void {
  const { position, orientation } = bodies
  const k = 3 * row
  rotateVector(orientation, 4 * a, anchorA[k], anchorA[k + 1], anchorA[k + 2], g, 0)
  rotateVector(orientation, 4 * b, anchorB[k], anchorB[k + 1], anchorB[k + 2], g, 3)
  g[6] = position[4 * a] + g[0] - position[4 * b] - g[3]
  g[7] = position[4 * a + 1] + g[1] - position[4 * b + 1] - g[4]
  g[8] = position[4 * a + 2] + g[2] - position[4 * b + 2] - g[5]
}

/** Below this distance [m] the direction between two points is noise: a row waits for them to part. */
export const TOO_SHORT = 1e-12

/**
 * Whether δp in `g` has been pressed through 0: against where it pointed at the start of the substep. The unit vector of then is left in
 * `out`, and δp along it, below 0, after it.
 */
export function isThrough(
  { startPosition, startOrientation }: BodyColumns,
  a: number,
  b: number,
  anchorA: Float64Array,
  anchorB: Float64Array,
  row: number,
  g: Float64Array,
  out: Float64Array,
): boolean {
  const k = 3 * row
  rotateVector(startOrientation, 4 * b, anchorB[k], anchorB[k + 1], anchorB[k + 2], out, 0)
  const bx = out[0]
  const by = out[1]
  const bz = out[2]
  rotateVector(startOrientation, 4 * a, anchorA[k], anchorA[k + 1], anchorA[k + 2], out, 0)
  const x = startPosition[4 * a] + out[0] - startPosition[4 * b] - bx
  const y = startPosition[4 * a + 1] + out[1] - startPosition[4 * b + 1] - by
  const z = startPosition[4 * a + 2] + out[2] - startPosition[4 * b + 2] - bz
  const along = g[6] * x + g[7] * y + g[8] * z
  const length = Math.sqrt(x * x + y * y + z * z)
  if (along >= 0 || length < TOO_SHORT) return false
  out[0] = x / length
  out[1] = y / length
  out[2] = z / length
  out[3] = along / length
  return true
}

/** Moves both levers to the midpoint of the anchors: ±κ at one point keeps angular momentum whatever κ's direction. */
export function meetHalfway(g: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    g[k] -= 0.5 * g[6 + k]
    g[3 + k] += 0.5 * g[6 + k]
  }
}

/** Moves b's lever to a's anchor: a direction carried by b acts there, which is its exact gradient. */
export function meetAtA(g: Float64Array): void {
  for (let k = 0; k < 3; k++) g[3 + k] += g[6 + k]
}
