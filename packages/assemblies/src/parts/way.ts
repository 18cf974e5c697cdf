/** Ways through points, for what is long: ropes and rods. */

import { finiteVector } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { checkPositions } from './mesh.js'

/** Where something long runs. */
export interface WayDef {
  from?: ReadonlyVec3
  to?: ReadonlyVec3
  points?: ArrayLike<number>
}

/** x, y, z of the points of a way [m]. */
export function wayOf(where: string, { from, to, points }: WayDef): ArrayLike<number> {
  if (points !== undefined) {
    const way = checkPositions(where, points, 'points')
    if (from !== undefined || to !== undefined) throw new TypeError(`${where}: give points, or from and to, got both`)
    if (way.length < 6) throw new RangeError(`${where}: points must be two or more, got ${way.length / 3}`)
    return way
  }
  if (from === undefined || to === undefined) throw new TypeError(`${where}: from and to, or points, must be given`)
  const [a, b] = [finiteVector(`${where}: from`, from, 3), finiteVector(`${where}: to`, to, 3)]
  return [a[0], a[1], a[2], b[0], b[1], b[2]]
}

/** [m] */
export function lengthOfWay(way: ArrayLike<number>): number {
  let sum = 0
  for (let o = 3; o < way.length; o += 3) sum += step(way, o)
  return sum
}

function step(way: ArrayLike<number>, o: number): number {
  const [x, y, z] = [0, 1, 2].map((k) => way[o + k] - way[o - 3 + k])
  return Math.sqrt(x * x + y * y + z * z)
}

/** `pieces` + 1 points evenly along a way of a length [m]. */
export function spreadAlong(way: ArrayLike<number>, length: number, pieces: number): Float64Array {
  const nodes = new Float64Array(3 * (pieces + 1))
  const pace = length / pieces
  let o = 3
  let passed = 0
  for (let n = 0; n <= pieces; n++) {
    while (o + 3 < way.length && passed + step(way, o) < n * pace) {
      passed += step(way, o)
      o += 3
    }
    const part = Math.min(1, Math.max(0, (n * pace - passed) / step(way, o)))
    for (let k = 0; k < 3; k++) nodes[3 * n + k] = way[o - 3 + k] + part * (way[o + k] - way[o - 3 + k])
  }
  return nodes
}
