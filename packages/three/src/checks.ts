/** Checks on what a user hands in, in the words of the rest of the library. */

import { Body, LeanWorld } from '@tautline/core'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { finiteVector, unitQuaternion } from '@tautline/core/kernel'

/** A share of a step, in [0, 1]. */
export function share(where: string, alpha: unknown): number {
  if (typeof alpha !== 'number') throw new TypeError(`${where} must be a number in [0, 1], got ${kindOf(alpha)}`)
  if (!(alpha >= 0 && alpha <= 1)) throw new RangeError(`${where} must be in [0, 1], got ${alpha}`)
  return alpha
}

/** A world. */
export function aWorld(where: string, world: unknown): LeanWorld {
  if (!(world instanceof LeanWorld)) throw new TypeError(`${where} must be a World, got ${kindOf(world)}`)
  return world
}

/** A body that exists, of `world` where one is given. */
export function aBody(where: string, body: unknown, world?: LeanWorld): Body {
  if (!(body instanceof Body)) throw new TypeError(`${where} must be a body, got ${kindOf(body)}`)
  ;(world?.bodies ?? body.bodies).assertAlive(where, body)
  return body
}

/** An object of three of a kind that has a flag `is…`. */
export function isThree(where: string, object: unknown, flag: string): void {
  if ((object as Record<string, unknown> | null | undefined)?.[flag] === true) return
  const noun = flag.slice(2)
  throw new TypeError(`${where} must be ${/^[AEIOU]/.test(noun) ? 'an' : 'a'} ${noun} of three, got ${kindOf(object)}`)
}

/** An integer of at least `least`. */
export function integer(where: string, value: unknown, least: number): number {
  if (typeof value !== 'number') throw new TypeError(`${where} must be an integer >= ${least}, got ${kindOf(value)}`)
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(`${where} must be an integer >= ${least}, got ${value}`)
  }
  return value
}

/** A finite number >= 0, or `Infinity`. */
export function upTo(where: string, value: unknown): number {
  if (typeof value !== 'number') throw new TypeError(`${where} must be a number >= 0, got ${kindOf(value)}`)
  if (!(value >= 0)) throw new RangeError(`${where} must be >= 0, got ${value}`)
  return value
}

/** Where one frame is in another: a position, then a unit quaternion. */
export function placeOf(where: string, position?: ReadonlyVec3, orientation?: ReadonlyQuat): Float64Array {
  const place = Float64Array.of(0, 0, 0, 0, 0, 0, 1)
  if (position !== undefined) place.set(finiteVector(`${where}: position`, position, 3))
  if (orientation !== undefined) place.set(unitQuaternion(`${where}: orientation`, orientation), 3)
  return place
}

/** Only known fields. */
export function knownFields(where: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${where}: options must be an object, got ${kindOf(options)}`)
  }
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) {
      throw new TypeError(`${where}: options must be known ones (${names.join(', ')}), got ${name}`)
    }
  }
}

/** What something is, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object'
  return typeof value === 'string' ? JSON.stringify(value) : typeof value === 'function' ? 'a function' : String(value)
}
