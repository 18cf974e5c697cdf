/**
 * Signed distance of two cores of which one is curved: a cylinder, or what is left of a tapered capsule.
 *
 * Apart, GJK finds the features that touch, and Newton's method the place on them. Overlapping, the separation is the largest
 * s(n) of all directions (`hill-climbing.ts`). Mostly the best one that faces and lines suggest (`directions.ts`) is it: where a face
 * touches, or a side, and the overlap is not deep, it shows that no other is better (`proof.ts`). Else K is searched
 * (`epa.ts`).
 */

import { type Shape, TRIANGLE } from '../../shapes/shape.js'
import { hillClimb, refineApart, ROUGH } from './hill-climbing.js'
import { CLOSEST, UNSURE } from './closest-pair.js'
import { findAcross, findNormals, BEST_AXIS } from './directions.js'
import { epa } from './epa.js'
import { EXACT, gjk, SLACK } from './gjk.js'
import { proved, provedByFace } from './proof.js'

/** Least gap to which the climb pushes the two apart, as a share of their sizes: GJK tells directions over it well. */
const GAP = 1e-3

/** Signed distance of the cores of a and b, b at `T`, as `gjk` gives it; writes `CLOSEST`. */
export function curvedDistance(a: Shape, b: Shape, T: Float64Array, limit: number): number {
  const distance = gjk(a, b, T, limit, ROUGH)
  if (distance === Infinity) return Infinity
  CLOSEST[UNSURE] = 0
  if (distance === 0) return curvedDepth(a, b, T)
  if (SLACK[0] <= EXACT) return distance
  return refineApart(a, b, T) ? CLOSEST[9] : gjk(a, b, T, Infinity, EXACT)
}

/** Separation of overlapping cores. */
function curvedDepth(a: Shape, b: Shape, T: Float64Array): number {
  const gap = GAP * (b.kind === TRIANGLE ? a.reach : Math.min(a.reach, b.reach))
  findNormals(a, b, T)
  if (provedByFace(a, b, T, BEST_AXIS)) return CLOSEST[9]
  findAcross(a, b, T)
  hillClimb(a, b, T, BEST_AXIS, 0, gap)
  if (proved(a, b, T)) return CLOSEST[9]
  epa(a, b, T, gap)
  return CLOSEST[9]
}
