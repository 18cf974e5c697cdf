/** Checks on what a user hands in, besides those of the core. */

import { integer } from '@tautline/core/kernel'

/** Most of anything that is counted: with more iterations, restarts or priorities, one call does not come back. */
const MOST = 1e6

/** An integer, `least` or greater. */
export function count(where: string, value: unknown, least: number): number {
  return integer(where, value, least, MOST)
}

/** Largest coordinate of a target or point: its square and those of what is solved with it are finite. */
const FARTHEST = 1e30

/** Whether all numbers are finite, and not so large that their squares are not. */
export function isFiniteVector(vector: Float64Array): boolean {
  for (let k = 0; k < vector.length; k++) if (!(Math.abs(vector[k]) <= FARTHEST)) return false
  return true
}
