/** Checks that several kinds of assemblies make. */

import type { SurfaceContacts } from '@tautline/collision'
import { flag, shown } from '@tautline/core/kernel'

/** Throws a `TypeError` for a name that is no text; none is well. */
export function checkName(where: string, name: unknown): void {
  if (name !== undefined && typeof name !== 'string') {
    throw new TypeError(`${where}: name must be a text, got ${shown(name)}`)
  }
}

/** Which colliders edges and triangles touch: by default what can pass between particles. */
export function surfaceContactsOf(where: string, value: SurfaceContacts = 'auto'): SurfaceContacts {
  return value === 'auto' ? value : flag(`${where}: surfaceContacts`, value)
}

/** A number within [0, 1]. */
export function share(where: string, value: unknown): number {
  if (typeof value !== 'number') throw new TypeError(`${where} must be a number within [0, 1], got ${shown(value)}`)
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${where} must be within [0, 1], got ${value}`)
  return value
}
