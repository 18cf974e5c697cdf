/** Checks on what a user hands in, besides those of the core. A misspelt field would be taken for one that was left out. */

import { integer } from '@tautline/core'

/** Throws `TypeError` for what is no object, and for a field that is not among `names`; `where` is how errors begin. */
export function knownFields(where: string, given: unknown, names: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`${where} must be an object, got ${Array.isArray(given) ? 'an array' : String(given)}`)
  }
  for (const name of Object.keys(given)) {
    if (!names.includes(name))
      throw new TypeError(`${where} must have known fields only (${names.join(', ')}), got ${name}`)
  }
}

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
