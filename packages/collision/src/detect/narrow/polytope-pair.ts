/**
 * Two polytopes, of which a capsule's segment is one: apart, GJK finds the nearest features; overlapping, the separating axis test the
 * depth.
 */

import type { Shape } from '../../shapes/shape.js'
import { CLOSEST, MARGIN, UNSURE } from './closest-pair.js'
import { EXACT, gjk } from './gjk.js'
import type { ManifoldList } from './manifold.js'
import { loadPolytope, loadPolytopeAt, Polytope } from './polytope.js'
import { separatingAxis } from './separating-axis.js'
import { touch } from './touch.js'

const polytopeA = /* @__PURE__ */ new Polytope()
const polytopeB = /* @__PURE__ */ new Polytope()

/** Signed distance of a and b, b at `T`; writes the first nine of `CLOSEST`. `Infinity` where it is beyond `limit`. */
export function polytopeDistance(a: Shape, b: Shape, T: Float64Array, limit: number): number {
  const distance = gjk(a, b, T, limit, EXACT)
  if (distance !== 0) return distance
  loadPolytope(a, polytopeA)
  loadPolytopeAt(b, T, polytopeB)
  return separatingAxis(polytopeA, polytopeB)
}

/** Appends the contacts of two polytopes that are not round, in the frame of a. */
export function polytopePair(a: Shape, b: Shape, T: Float64Array, list: ManifoldList): void {
  CLOSEST[UNSURE] = 0
  const separation = polytopeDistance(a, b, T, MARGIN[0])
  if (separation > MARGIN[0]) return
  CLOSEST[9] = separation
  touch(a, b, T, true, list.next())
}
