/** Lists of points as a user gives them, and what follows from them. */

import { finite, finiteVector, positive, shown } from '@tautline/core/kernel'

/**
 * Largest length in a shape [m]. Moments of inertia go with its fifth power and are squared, which 1e30 leaves finite; what is
 * larger makes normals of length 0 and boxes without an end.
 */
const LONGEST = 1e30

/** A length of a shape, greater than zero [m]. */
export function extent(where: string, value: unknown): number {
  return withinReach(where, positive(where, value))
}

/** A coordinate of a shape [m]. */
export function coordinate(where: string, value: unknown): number {
  return withinReach(where, finite(where, value))
}

function withinReach(where: string, x: number): number {
  if (Math.abs(x) > LONGEST) throw new RangeError(`${where} must be of magnitude <= ${LONGEST}, got ${x}`)
  return x
}

/** Points as [x, y, z] each, or x, y, z of all in one array. */
export type Points = ArrayLike<number> | readonly ArrayLike<number>[]

/** A copy as x, y, z each. Throws unless all are finite. */
export function flatPoints(where: string, points: Points): Float64Array {
  const given = points as ArrayLike<unknown> | null
  if (typeof given !== 'object' || given === null || typeof given.length !== 'number') {
    throw new TypeError(`${where} must be an array of points, got ${shown(given)}`)
  }
  if (typeof given[0] === 'object') {
    const flat = new Float64Array(3 * given.length)
    for (let k = 0; k < given.length; k++) flat.set(finiteVector(`${where}[${k}]`, given[k], 3), 3 * k)
    flat.forEach((x, k) => withinReach(`${where}[${Math.floor(k / 3)}][${k % 3}]`, x))
    return flat
  }
  if (given.length % 3 !== 0) throw new RangeError(`${where} must be 3 numbers each, got ${given.length} numbers`)
  return Float64Array.from({ length: given.length }, (_, k) => coordinate(`${where}[${k}]`, given[k]))
}

/** Least x, y, z and greatest x, y, z. */
export function boundsOf(points: Float64Array): Float64Array {
  const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity)
  for (let i = 0; i < points.length; i++) {
    bounds[i % 3] = Math.min(bounds[i % 3], points[i])
    bounds[3 + (i % 3)] = Math.max(bounds[3 + (i % 3)], points[i])
  }
  return bounds
}

/** The longest side of a box. */
export function extentOf(bounds: Float64Array): number {
  return Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2])
}

/** Distance of the farthest point from the origin. */
export function reachOf(points: Float64Array): number {
  let most = 0
  for (let i = 0; i < points.length; i += 3) {
    const square = points[i] * points[i] + points[i + 1] * points[i + 1] + points[i + 2] * points[i + 2]
    most = Math.max(most, square)
  }
  return Math.sqrt(most)
}
