/** Equality, upper bound or lower bound of a length, as bounds of its multiplier. */
import { shown } from '@tautline/core/kernel'

/** `rigid` holds a length, `rope` lets it be shorter, `strut` longer. */
export type LengthMode = 'rigid' | 'rope' | 'strut'

export function lengthMode(where: string, mode: LengthMode): LengthMode {
  if (mode !== 'rigid' && mode !== 'rope' && mode !== 'strut') {
    throw new TypeError(`${where}: mode must be rigid, rope or strut, got ${shown(mode)}`)
  }
  return mode
}

/**
 * Whether a one-sided row is satisfied and has not pushed: then it rests, its damper included, which would otherwise act on
 * whatever comes near.
 */
export function isAtRest(c: number, lambda: number, lower: number, upper: number): boolean {
  return lambda === 0 && ((lower === 0 && c >= 0) || (upper === 0 && c <= 0))
}

/** Least multiplier: a strut only pushes apart. */
export function lowerForce(mode: LengthMode): number {
  return mode === 'strut' ? 0 : -Infinity
}

/** Greatest multiplier: a rope only pulls together. */
export function upperForce(mode: LengthMode): number {
  return mode === 'rope' ? 0 : Infinity
}
