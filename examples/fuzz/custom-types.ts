/** Constraint types of a user's that misbehave: for scenes, and for the scripts that are printed. */

import type { AnyConstraintType } from '@tautline/fast-check'
import { custom, type CustomBody } from '@tautline/core'

function apart([a, b]: readonly CustomBody[]): number {
  const [x, y, z] = [0, 1, 2].map((k) => a.position[k] - b.position[k])
  return x * x + y * y + z * z
}

/** An error function that throws where its bodies are more than 1.5 m apart. */
export const brittle = custom({
  name: 'brittle',
  bodies: 2,
  error(bodies) {
    const square = apart(bodies)
    if (square > 2.25) throw new Error('brittle: too far')
    return square - 1
  },
}) as unknown as AnyConstraintType

/** An error that is NaN where they are. */
export const lost = custom({
  name: 'lost',
  bodies: 2,
  error(bodies) {
    const square = apart(bodies)
    return square > 2.25 ? NaN : square - 1
  },
}) as unknown as AnyConstraintType

/** Whether an error is the user's own, who gets it back where a constraint is made. */
export function isUsers(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('brittle: ')
}

/** Where scripts, which stand in `examples`, find them. */
export const MODULES: Readonly<Record<string, string>> = {
  brittle: './fuzz/custom-types.js',
  lost: './fuzz/custom-types.js',
}
