/**
 * Signed distance and contacts of two convex shapes of any kinds.
 *
 * Round shapes are told in closed form. Else GJK gives the distance of the cores; where these overlap, the separating axis
 * test gives the depth of polytopes, and a climb that of cylinders and tapered capsules.
 */

import { CAPSULE, PLANE, type Shape, SPHERE, TAPERED_CAPSULE, TRIANGLE } from '../../shapes/shape.js'
import { support } from '../../shapes/support.js'
import { CLOSEST, MARGIN, UNSURE } from './closest-pair.js'
import { coreRadius } from './core.js'
import type { ManifoldList } from './manifold.js'
import { NEAREST, pointToShape } from './point.js'
import { isPolytope } from './polytope.js'
import { polytopeDistance } from './polytope-pair.js'
import { roundRound } from './round-pair.js'
import { touch } from './touch.js'
import { hillClimb, refineApart, ROUGH } from './hill-climbing.js'
import { findAcross, findNormals, BEST_AXIS } from './directions.js'
import { epa } from './epa.js'
import { EXACT, gjk, SLACK } from './gjk.js'
import { proved, provedByFace } from './proof.js'

const n = /* @__PURE__ */ new Float64Array(3)

/**
 * Signed distance of two convex shapes [m], of which b stands at `T` in the frame of a and is of no lower kind; `Infinity` if
 * it is certain to be more than `limit`. Unless that, writes `CLOSEST`.
 */
export function distanceInOrder(a: Shape, b: Shape, T: Float64Array, limit: number): number {
  CLOSEST[UNSURE] = 0
  if (a.kind === SPHERE) return sphereDistance(a, b, T)
  if (b.kind === PLANE) return planeDistance(a, b, T)
  if (b.kind <= TAPERED_CAPSULE) return roundRound(a, b, T)
  const ra = coreRadius(a)
  const rb = coreRadius(b)
  const flat = isPolytope(a) && isPolytope(b)
  const separation = flat ? polytopeDistance(a, b, T, limit + ra + rb) : curvedDistance(a, b, T, limit + ra + rb)
  if (separation === Infinity) return Infinity
  for (let k = 0; k < 3; k++) {
    CLOSEST[3 + k] -= ra * CLOSEST[k]
    CLOSEST[6 + k] += rb * CLOSEST[k]
  }
  return (CLOSEST[9] = separation - ra - rb)
}

function sphereDistance(a: Shape, b: Shape, T: Float64Array): number {
  for (let k = 0; k < 3; k++) n[k] = -(T[3 + k] * T[0] + T[6 + k] * T[1] + T[9 + k] * T[2])
  const radius = a.params[0]
  const separation = pointToShape(b, n) - radius
  for (let k = 0; k < 3; k++) {
    const o = 3 + 3 * k
    CLOSEST[k] = T[o] * NEAREST[3] + T[o + 1] * NEAREST[4] + T[o + 2] * NEAREST[5]
    CLOSEST[3 + k] = -radius * CLOSEST[k]
    CLOSEST[6 + k] = -(radius + separation) * CLOSEST[k]
  }
  return (CLOSEST[9] = separation)
}

function planeDistance(a: Shape, b: Shape, T: Float64Array): number {
  const { params } = b
  for (let k = 0; k < 3; k++) {
    const o = 3 + 3 * k
    CLOSEST[k] = T[o] * params[0] + T[o + 1] * params[1] + T[o + 2] * params[2]
    n[k] = -CLOSEST[k]
  }
  support(a, n, 0, CLOSEST, 3)
  let separation = -params[3]
  for (let k = 0; k < 3; k++) separation += CLOSEST[k] * (CLOSEST[3 + k] - T[k])
  for (let k = 0; k < 3; k++) CLOSEST[6 + k] = CLOSEST[3 + k] - separation * CLOSEST[k]
  return (CLOSEST[9] = separation)
}

/** Appends the contacts of two convex shapes, in the frame of a. */
export function convexPair(a: Shape, b: Shape, T: Float64Array, list: ManifoldList): void {
  const margin = MARGIN[0]
  if (distanceInOrder(a, b, T, margin) > margin) return
  const manifold = list.next()
  touch(a, b, T, true, manifold)
  if (a.kind === CAPSULE) manifold.roundA = a.params[0]
  if (b.kind === CAPSULE) manifold.roundB = b.params[0]
}

/** Least gap to which the climb pushes the two apart, as a share of their sizes: GJK tells directions over it well. */
const GAP = 1e-3

/**
 * Signed distance of two cores of which one is curved, a cylinder or the core of a tapered capsule; b at `T`, as `gjk` gives it; writes `CLOSEST`.
 *
 * Apart, GJK finds the features that touch, and Newton's method the place on them. Overlapping, the separation is the largest s(n) of all directions
 * (`hill-climbing.ts`). The best direction that faces and lines suggest (`directions.ts`) is mostly the right one, and `proof.ts` shows when no other is
 * better. Otherwise `epa.ts` searches.
 */
function curvedDistance(a: Shape, b: Shape, T: Float64Array, limit: number): number {
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
