/** Equality, upper bound or lower bound of a length, as bounds of its multiplier. */

/** `rigid` holds a length, `rope` lets it be shorter, `strut` longer. */
export type LengthMode = 'rigid' | 'rope' | 'strut'

export function lengthMode(where: string, mode: LengthMode): LengthMode {
  if (mode !== 'rigid' && mode !== 'rope' && mode !== 'strut') {
    throw new TypeError(`${where}: mode must be rigid, rope or strut, got ${String(mode)}`)
  }
  return mode
}

/** Least multiplier: a strut only pushes apart. */
export function lowerForce(mode: LengthMode): number {
  return mode === 'strut' ? 0 : -Infinity
}

/** Greatest multiplier: a rope only pulls together. */
export function upperForce(mode: LengthMode): number {
  return mode === 'rope' ? 0 : Infinity
}
