/** Checks on what a user hands in, besides those of the core. */

/** Largest coordinate of a target or point: its square and those of what is solved with it are finite. */
const FARTHEST = 1e30

/** Whether all numbers are finite, and not so large that their squares are not. */
export function isFiniteVector(vector: Float64Array): boolean {
  for (let k = 0; k < vector.length; k++) if (!(Math.abs(vector[k]) <= FARTHEST)) return false
  return true
}
