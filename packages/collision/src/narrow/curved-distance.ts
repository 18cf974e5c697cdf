/**
 * Signed distance of two cores of which one is curved: a cylinder, or what is left of a tapered capsule.
 *
 * Apart, GJK finds the features that touch, and Newton's method the place on them. Overlapping, the separation is the largest
 * s(n) of all directions (`climb.ts`), found by climbing from several (`directions.ts`).
 * Mostly one is enough: where a face touches, or a side, and the overlap is not deep, it shows that no other is better
 * (`proof.ts`).
 */

import { type Shape, TRIANGLE } from '../shape.js'
import { climb, refineApart, ROUGH } from './climb.js'
import { CLOSEST, UNSURE } from './closest-pair.js'
import { findAcross, findAround, findNormals, STARTS, starts } from './directions.js'
import { EXACT, gjk, SLACK } from './gjk.js'
import { writeBasis } from './polygon.js'
import { proved, provedByFace } from './proof.js'

/** Least gap to which the climb pushes the two apart, as a share of their sizes: GJK tells directions over it well. */
const GAP = 1e-3
/** Tops are looked around if they are the best but for this share of its depth; so many at most. */
const ALMOST = 0.01
const AROUND = 4
/** cos of the angle within which two tops are one. */
const ALIKE = 1 - 1e-6

/** Two hexagons [rad]. */
const RING = /* @__PURE__ */ Float64Array.of(
  0.1,
  0,
  0.05,
  0.087,
  -0.05,
  0.087,
  -0.1,
  0,
  -0.05,
  -0.087,
  0.05,
  -0.087,
  0.012,
  0,
  0.006,
  0.01,
  -0.006,
  0.01,
  -0.012,
  0,
  -0.006,
  -0.01,
  0.006,
  -0.01,
)

/** Tops climbed to, as in `CLOSEST`. */
const tops = /* @__PURE__ */ new Float64Array(11 * STARTS)
const basis = /* @__PURE__ */ new Float64Array(6)
const centre = /* @__PURE__ */ new Float64Array(3)
const ring = /* @__PURE__ */ new Float64Array(3)
const best = /* @__PURE__ */ new Float64Array(11)

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
  if (provedByFace(a, b, T, starts)) return CLOSEST[9]
  findAcross(a, b, T)
  climb(a, b, T, starts, 0, gap)
  if (proved(a, b, T)) return CLOSEST[9]
  findAround(a, b, T)
  best[9] = -Infinity
  let count = 0
  for (let k = 0; k < STARTS && starts[4 * k + 3] > -Infinity; k++) {
    climb(a, b, T, starts, 4 * k, gap)
    if (CLOSEST[9] > best[9]) best.set(CLOSEST)
    if (isNew(count)) tops.set(CLOSEST, 11 * count++)
  }
  let around = 0
  for (let k = 0; k < count && around < AROUND; k++) {
    if (tops[11 * k + 9] < best[9] * (1 + ALMOST)) continue
    lookAround(a, b, T, 11 * k, gap)
    around++
  }
  CLOSEST.set(best)
  return CLOSEST[9]
}

/** Whether the top in `CLOSEST` is none of those so far. */
function isNew(count: number): boolean {
  for (let o = 0; o < 11 * count; o += 11) {
    if (tops[o] * CLOSEST[0] + tops[o + 1] * CLOSEST[1] + tops[o + 2] * CLOSEST[2] > ALIKE) return false
  }
  return true
}

/** Climbs once more from directions around a top: where a rim is near an edge or another rim, maxima lie close together. */
function lookAround(a: Shape, b: Shape, T: Float64Array, top: number, gap: number): void {
  for (let k = 0; k < 3; k++) centre[k] = tops[top + k]
  writeBasis(centre, basis)
  for (let i = 0; i < RING.length; i += 2) {
    let square = 0
    for (let k = 0; k < 3; k++) {
      ring[k] = centre[k] + RING[i] * basis[k] + RING[i + 1] * basis[3 + k]
      square += ring[k] * ring[k]
    }
    for (let k = 0; k < 3; k++) ring[k] /= Math.sqrt(square)
    climb(a, b, T, ring, 0, gap)
    if (CLOSEST[9] > best[9]) best.set(CLOSEST)
  }
}
