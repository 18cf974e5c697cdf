/** Checks on what a user hands to a query. */

import { finiteVector, nonNegative, unitQuaternion, unitVector, shown } from '@tautline/core/kernel'
import { Shape } from '../shapes/shape.js'

/** A ray as queries take it. */
export interface Ray {
  readonly origin: Float64Array
  /** Unit vector. */
  readonly direction: Float64Array
  /** [m] */
  readonly maxDistance: number
}

/**
 * A ray from a point along a direction of any length but 0. `maxDistance` may be infinite.
 * @param where - names the query in error messages: `'rayCast'`
 */
export function checkRay(where: string, origin: unknown, direction: unknown, maxDistance: unknown): Ray {
  return {
    origin: Float64Array.from(finiteVector(`${where}: origin`, origin, 3)),
    direction: Float64Array.from(unitVector(`${where}: direction`, direction)),
    maxDistance: checkDistance(`${where}: maxDistance`, maxDistance),
  }
}

/** A distance, zero or greater; `Infinity` is one. */
export function checkDistance(where: string, value: unknown): number {
  if (typeof value === 'number' && !(value >= 0)) throw new RangeError(`${where} must be >= 0, got ${value}`)
  return value === Infinity ? value : nonNegative(where, value)
}

/** Three finite numbers. */
export function checkVector(where: string, value: unknown): Float64Array {
  return Float64Array.from(finiteVector(where, value, 3))
}

/** A shape that can be cast and overlapped: convex or a compound. */
export function checkMovable(where: string, value: unknown): Shape {
  if (!(value instanceof Shape)) throw new TypeError(`${where} must be a shape, got ${shown(value)}`)
  if (!value.movable) throw new TypeError(`${where} must be convex or a compound, got a ${value.name}`)
  return value
}

/** Where a shape stands, as 12 numbers: position and rotation row by row. */
export function checkTransform(where: string, position: unknown, orientation: unknown): Float64Array {
  const p = finiteVector(`${where}: position`, position, 3)
  const [x, y, z, w] = unitQuaternion(`${where}: orientation`, orientation)
  return Float64Array.of(
    p[0],
    p[1],
    p[2],
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  )
}
