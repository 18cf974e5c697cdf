/**
 * Local maxima of the separation of two cores along a direction, for cores of which one is curved.
 *
 * Along a unit n from b to a they are  s(n) = min_a n·a − max_b n·b  apart. From a direction n, s climbs: with b pushed off
 * along n until the two are a gap apart, their nearest points give n′, and
 *
 *   s(n′) = |nearest| − push n·n′ >= s(n) n·n′
 *
 * as s < 0. At a maximum n′ = n. Flat features get there in one step; at a surface of radius ρ an error of angle shrinks by
 * (push + gap)/(ρ + gap) a step, and Newton's method ends that once the features are known.
 */

import type { Shape } from '../../shapes/shape.js'
import { CLOSEST, UNSURE } from './closest-pair.js'
import { coreSupport } from './core.js'
import { EXACT, gjk, SLACK } from './gjk.js'
import { FACET, refine } from './newton.js'

/** Share of the squared distance by which GJK's bounds may differ when it has found the features. */
export const ROUGH = 1e-5
/** Separations [m] that are equal but for rounding. */
const SAME = 1e-11
/** Gap as a share of the depth: small, as the push is what slows the climb. */
const GAP = 0.5
/** The climb ends when a step wins less than this [m]. */
const CLIMBED = 1e-11
const MAX_CLIMB = 60

const pushed = /* @__PURE__ */ new Float64Array(12)
const n = /* @__PURE__ */ new Float64Array(3)
const down = /* @__PURE__ */ new Float64Array(3)
const local = /* @__PURE__ */ new Float64Array(3)
/** The supports that `separationAlong` found, each in the frame of its shape. */
export const SUPPORT_A: Float64Array = /* @__PURE__ */ new Float64Array(3)
export const SUPPORT_B: Float64Array = /* @__PURE__ */ new Float64Array(3)
const shift = /* @__PURE__ */ new Float64Array(3)
/** What GJK found. */
const rough = /* @__PURE__ */ new Float64Array(11)

/** s(n) of the direction d[o…o + 2]. */
export function separationAlong(a: Shape, b: Shape, T: Float64Array, d: Float64Array, o: number): number {
  const x = d[o]
  const y = d[o + 1]
  const z = d[o + 2]
  down[0] = -x
  down[1] = -y
  down[2] = -z
  local[0] = T[3] * x + T[6] * y + T[9] * z
  local[1] = T[4] * x + T[7] * y + T[10] * z
  local[2] = T[5] * x + T[8] * y + T[11] * z
  coreSupport(a, down, SUPPORT_A)
  coreSupport(b, local, SUPPORT_B)
  return (
    x * (SUPPORT_A[0] - T[0]) +
    y * (SUPPORT_A[1] - T[1]) +
    z * (SUPPORT_A[2] - T[2]) -
    (local[0] * SUPPORT_B[0] + local[1] * SUPPORT_B[1] + local[2] * SUPPORT_B[2])
  )
}

/**
 * Writes `CLOSEST` at the maximum that s climbs to from d[o…o + 2]; s there is `CLOSEST[9]`. The cores are pushed to be `gap`
 * [m] apart at least.
 */
export function hillClimb(a: Shape, b: Shape, T: Float64Array, d: Float64Array, o: number, gap: number): void {
  for (let k = 0; k < 3; k++) n[k] = d[o + k]
  let value = separationAlong(a, b, T, n, 0)
  let tolerance = ROUGH
  for (let step = 0; step < MAX_CLIMB; step++) {
    const next = pushApart(a, b, T, Math.max(gap, GAP * Math.abs(value)) - value, tolerance)
    if (SLACK[0] > EXACT) {
      CLOSEST[UNSURE] = 0
      if (refine(a, b, pushed, shift) && CLOSEST[9] >= next - SAME) return
      CLOSEST.set(rough)
      FACET[0] = 0
    }
    if (next <= value + CLIMBED) {
      // Where Newton's method did not end the climb, GJK has to go all the way.
      if (tolerance === EXACT || SLACK[0] <= EXACT) return
      tolerance = EXACT
    }
    value = Math.max(value, next)
    for (let k = 0; k < 3; k++) n[k] = CLOSEST[k]
  }
}

/** Pushes b off along n and writes the normal to `CLOSEST`, with the points and the separation that it has without the push. */
function pushApart(a: Shape, b: Shape, T: Float64Array, push: number, tolerance: number): number {
  pushed.set(T)
  for (let k = 0; k < 3; k++) {
    shift[k] = push * n[k]
    pushed[k] = T[k] - shift[k]
  }
  gjk(a, b, pushed, Infinity, tolerance)
  for (let k = 0; k < 3; k++) CLOSEST[6 + k] += shift[k]
  // What GJK calls the distance may be a little too large: the direction's own value is not.
  CLOSEST[9] = separationAlong(a, b, T, CLOSEST, 0)
  CLOSEST[UNSURE] = 1
  FACET[0] = 0
  rough.set(CLOSEST)
  return CLOSEST[9]
}

/** Newton's method for cores that are apart, with the features of GJK's last simplex; false if it fails. */
export function refineApart(a: Shape, b: Shape, T: Float64Array): boolean {
  shift.fill(0)
  return refine(a, b, T, shift)
}
