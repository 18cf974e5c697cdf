/**
 * Signed distance of two cores of which one is curved: a cylinder, or what is left of a tapered capsule.
 *
 * Apart, GJK finds the features that touch, and Newton's method the place on them. Overlapping, the separation is the largest
 * s(n) of all directions (`climb.ts`), found by climbing from several (`directions.ts`).
 *
 * Where the overlap d is small, one is enough. Let one shape be eroded by ε > d, so that the two are apart. As it holds its
 * eroded self with a ball of ε around it, s(n) <= s′(n) − ε for all n, and the distance D of the eroded, which has but one
 * maximum, tells that no direction is better than D − ε. Where a face touches, that is what the best axis has: proved.
 */

import { BOX, CYLINDER, Shape, TRIANGLE } from '../shape.js'
import { climb, refineApart, ROUGH } from './climb.js'
import { CLOSEST } from './closest-pair.js'
import { findAround, findAxes, STARTS, starts } from './directions.js'
import { EXACT, gjk, SLACK } from './gjk.js'

/** Least gap to which the climb pushes the two apart, as a share of their sizes: GJK tells directions over it well. */
const GAP = 1e-3
/** Erosion as a share of the depth, and the least, as a share of the size eroded. */
const EROSION = 2
const LEAST_EROSION = 1e-3
/** The largest, as a share of the thickness of what is eroded. */
const MOST_EROSION = 0.2
/** Separation [m] within which a direction is proved to be the best. */
const PROVED = 1e-10
/** cos of the angle within which two normals are one. */
const ONE = 1 - 1e-12

const best = /* @__PURE__ */ new Float64Array(10)
const erodedCylinder: Shape = /* @__PURE__ */ blank(CYLINDER)
const erodedBox: Shape = /* @__PURE__ */ blank(BOX)

function blank(kind: number): Shape {
  const name = kind === BOX ? 'box' : 'cylinder'
  return new Shape({ kind, params: new Float64Array(3), bounds: new Float64Array(6), json: () => ({ type: name }) })
}

/** Signed distance of the cores of a and b, b at `T`, as `gjk` gives it; writes `CLOSEST`. */
export function curvedDistance(a: Shape, b: Shape, T: Float64Array, limit: number): number {
  const distance = gjk(a, b, T, limit, ROUGH)
  if (distance === Infinity) return Infinity
  if (distance === 0) return curvedDepth(a, b, T)
  if (SLACK[0] <= EXACT) return distance
  return refineApart(a, b, T) ? CLOSEST[9] : gjk(a, b, T, Infinity, EXACT)
}

/** Separation of overlapping cores. */
function curvedDepth(a: Shape, b: Shape, T: Float64Array): number {
  const gap = GAP * (b.kind === TRIANGLE ? a.reach : Math.min(a.reach, b.reach))
  findAxes(a, b, T)
  if (shallow(a, b, T, gap)) return CLOSEST[9]
  findAround(a, b, T)
  best[9] = -Infinity
  for (let k = 0; k < STARTS && starts[4 * k + 3] > -Infinity; k++) {
    climb(a, b, T, starts, 4 * k, gap)
    if (CLOSEST[9] > best[9]) best.set(CLOSEST)
  }
  CLOSEST.set(best)
  return CLOSEST[9]
}

/** Tells a small overlap by eroding one shape; false if the overlap is not small enough, or no shape can be eroded. */
function shallow(a: Shape, b: Shape, T: Float64Array, gap: number): boolean {
  const onA = a.kind === CYLINDER || (a.kind === BOX && b.kind !== CYLINDER)
  const whole = onA ? a : b
  if (whole.kind !== CYLINDER && whole.kind !== BOX) return false
  const { params, kind } = whole
  const thickness = kind === BOX ? Math.min(params[0], params[1], params[2]) : Math.min(params[0], params[1])
  const erosion = Math.max(-EROSION * starts[3], LEAST_EROSION * thickness)
  if (erosion > MOST_EROSION * thickness) return false
  const eroded = kind === BOX ? erodedBox : erodedCylinder
  for (let k = 0; k < params.length; k++) eroded.params[k] = params[k] - erosion
  const distance = gjk(onA ? eroded : a, onA ? b : eroded, T, Infinity, EXACT)
  if (distance === 0) return false
  const bound = distance - erosion
  const cos = starts[0] * CLOSEST[0] + starts[1] * CLOSEST[1] + starts[2] * CLOSEST[2]
  if (bound <= starts[3] + PROVED && cos >= ONE) {
    // The point that was not eroded is where it was.
    for (let k = 0; k < 3; k++) {
      CLOSEST[k] = starts[k]
      if (onA) CLOSEST[3 + k] = CLOSEST[6 + k] + starts[3] * starts[k]
      else CLOSEST[6 + k] = CLOSEST[3 + k] - starts[3] * starts[k]
    }
    CLOSEST[9] = starts[3]
    return true
  }
  best.set(CLOSEST)
  climb(a, b, T, best, 0, gap)
  best.set(CLOSEST)
  if (best[9] < starts[3]) {
    climb(a, b, T, starts, 0, gap)
    if (CLOSEST[9] < best[9]) CLOSEST.set(best)
  }
  return true
}
