/**
 * Points at which two features lie over each other, and the four of them that a manifold keeps: the deepest, the farthest from
 * it, and the two that add most area.
 */

import { CLOSEST } from './closest-pair.js'
import { type Manifold, MAX_POINTS } from './manifold.js'
import { writeBasis } from './polygon.js'

/** Feature of a point that is no corner of what was clipped. */
const WITNESS = 0x3fffffff
/** Depth [m] by which another point must be deeper to be taken for the deepest: below what anyone can see, above rounding. */
const DEEPER = 1e-7
/** Square of the distance [m²] within which points of neighbouring triangles are one. */
const TOGETHER = 1e-12
/** Square of the distance [m²] of points that are one. */
const SAME = 1e-18
/** Area, as a share of the square of the longest distance, of points that lie on a line. */
const ON_LINE = 1e-6

/** Points of the last time stay while none is deeper by more than this share of their distance, */
const TILT = 2e-3
/** and while they span this share of what a new choice would. */
const AREA = 0.8

/**
 * Names of the points that the pair at hand had before, if it had four. Where faces lie on each other turned, all corners of
 * an octagon are as good: without memory the choice would change with round-off, and what stands on it would tremble.
 */
export const LAST: { count: number; readonly features: Int32Array } = /* @__PURE__ */ {
  count: 0,
  features: /* @__PURE__ */ new Int32Array(MAX_POINTS),
}

/** Points in coordinates along a normal. */
class FoundPoints {
  count = 0
  /** u, v, height on a, separation a point. */
  points: Float64Array = new Float64Array(4 * 32)
  features: Int32Array = new Int32Array(32)
  /** Axes of u, v and of the heights (n), three numbers each. */
  readonly axes: Float64Array = new Float64Array(9)

  /** Forgets all points; those to come are along n. */
  begin(n: Float64Array): void {
    const { axes } = this
    this.count = 0
    writeBasis(n, axes)
    axes[6] = n[0]
    axes[7] = n[1]
    axes[8] = n[2]
  }

  /** Room for `count` points in all. */
  reserve(count: number): void {
    if (count <= this.features.length) return
    const { points, features } = this
    this.points = new Float64Array(8 * count)
    this.features = new Int32Array(2 * count)
    this.points.set(points)
    this.features.set(features)
  }
}

/** Those of the pair at hand. */
export const FOUND: FoundPoints = /* @__PURE__ */ new FoundPoints()

const chosen = /* @__PURE__ */ new Int32Array(MAX_POINTS)
/** The last choice among the points at hand. */
const before = /* @__PURE__ */ new Int32Array(MAX_POINTS)

/** Adds `CLOSEST` if none of the points is as deep; of a segment's it takes the place of the deepest. */
export function addClosest(segment: boolean): void {
  FOUND.reserve(FOUND.count + 1)
  const { points, features, axes, count } = FOUND
  const separation = CLOSEST[9]
  let deepest = count
  let least = Infinity
  for (let k = 0; k < count; k++) {
    if (points[4 * k + 3] < least) {
      least = points[4 * k + 3]
      deepest = k
    }
  }
  if (least <= separation + DEEPER) return
  const i = segment ? deepest : count
  const x = CLOSEST[3]
  const y = CLOSEST[4]
  const z = CLOSEST[5]
  for (let c = 0; c < 3; c++) points[4 * i + c] = axes[3 * c] * x + axes[3 * c + 1] * y + axes[3 * c + 2] * z
  points[4 * i + 3] = separation
  if (i < count) return
  features[i] = WITNESS
  FOUND.count++
}

/** Adds point k of a manifold along another normal: its point of b stays. */
export function addPoint({ pointA, pointB, feature }: Manifold, k: number): void {
  FOUND.reserve(FOUND.count + 1)
  const { points, features, axes, count } = FOUND
  const o = 3 * k
  const x = pointB[o]
  const y = pointB[o + 1]
  const z = pointB[o + 2]
  const u = axes[0] * x + axes[1] * y + axes[2] * z
  const v = axes[3] * x + axes[4] * y + axes[5] * z
  const w = axes[6] * pointA[o] + axes[7] * pointA[o + 1] + axes[8] * pointA[o + 2]
  let name = feature[k]
  for (let i = 0; i < count; i++) {
    const du = points[4 * i] - u
    const dv = points[4 * i + 1] - v
    // The same corner over two triangles is one point; another point of that name gets a new one.
    if (du * du + dv * dv <= TOGETHER) return
    if (features[i] === name) name++
  }
  const i = 4 * count
  points[i] = u
  points[i + 1] = v
  points[i + 2] = w
  points[i + 3] = w - axes[6] * x - axes[7] * y - axes[8] * z
  features[count] = name
  FOUND.count++
}

/** Appends the points that are kept to the manifold. */
export function keepPoints(manifold: Manifold): void {
  const { count } = FOUND
  if (count <= MAX_POINTS) {
    for (let k = 0; k < count; k++) writePoint(k, manifold)
    return
  }
  const size = choose()
  if (size === MAX_POINTS && areStillGood()) chosen.set(before)
  for (let k = 0; k < size; k++) writePoint(chosen[k], manifold)
}

/** Writes the numbers of the points to keep to `chosen`; returns how many. */
function choose(): number {
  const { points, count } = FOUND
  let p = 0
  for (let k = 4; k < 4 * count; k += 4) if (points[k + 3] < points[p + 3] - DEEPER) p = k
  const pu = points[p]
  const pv = points[p + 1]
  let q = p
  let farthest = SAME
  for (let k = 0; k < 4 * count; k += 4) {
    const u = points[k] - pu
    const v = points[k + 1] - pv
    const square = u * u + v * v
    if (square > farthest) {
      farthest = square
      q = k
    }
  }
  chosen[0] = p >> 2
  if (q === p) return 1
  chosen[1] = q >> 2
  // Twice the areas of triangles over p→q, left of it and right of it.
  const qu = points[q] - pu
  const qv = points[q + 1] - pv
  let r = -1
  let largest = ON_LINE * farthest
  let sign = 1
  for (let k = 0; k < 4 * count; k += 4) {
    const area = qu * (points[k + 1] - pv) - qv * (points[k] - pu)
    if (Math.abs(area) > largest) {
      largest = Math.abs(area)
      sign = area < 0 ? -1 : 1
      r = k
    }
  }
  if (r < 0) return 2
  chosen[2] = r >> 2
  // What sticks out of the triangle p, q, r most: over one of its sides.
  const ru = points[r] - pu
  const rv = points[r + 1] - pv
  let s = -1
  largest = ON_LINE * farthest
  for (let k = 0; k < 4 * count; k += 4) {
    const u = points[k] - pu
    const v = points[k + 1] - pv
    const overQ = -sign * (qu * v - qv * u)
    const overR = -sign * (rv * u - ru * v)
    const between = -sign * ((ru - qu) * (v - qv) - (rv - qv) * (u - qu))
    const outside = Math.max(overQ, overR, between)
    if (outside > largest) {
      largest = outside
      s = k
    }
  }
  if (s < 0) return 3
  chosen[3] = s >> 2
  return 4
}

/** Whether the four points of the last time are all here, and no worse than those in `chosen`; into `before`. */
function areStillGood(): boolean {
  if (LAST.count !== MAX_POINTS) return false
  const { points, features, count } = FOUND
  for (let i = 0; i < MAX_POINTS; i++) {
    let k = 0
    while (k < count && features[k] !== LAST.features[i]) k++
    if (k === count) return false
    before[i] = k
  }
  const p = 4 * chosen[0]
  const q = 4 * chosen[1]
  const dx = points[q] - points[p]
  const dy = points[q + 1] - points[p + 1]
  const length = Math.sqrt(dx * dx + dy * dy)
  let least = Infinity
  for (let i = 0; i < MAX_POINTS; i++) least = Math.min(least, points[4 * before[i] + 3])
  return least <= points[p + 3] + TILT * length && areaOf(before) >= AREA * areaOf(chosen)
}

/** Area of four points [m²]: the largest of the three ways to join them is that without crossing. */
function areaOf(four: Int32Array): number {
  return Math.max(across(four, 0, 1, 2, 3), across(four, 0, 2, 1, 3), across(four, 0, 3, 1, 2))
}

/** Half the product of two diagonals, from i to j and from k to l. */
function across(four: Int32Array, i: number, j: number, k: number, l: number): number {
  const { points } = FOUND
  const p = 4 * four[i]
  const q = 4 * four[j]
  const r = 4 * four[k]
  const s = 4 * four[l]
  const u = points[q] - points[p]
  const v = points[q + 1] - points[p + 1]
  return 0.5 * Math.abs(u * (points[s + 1] - points[r + 1]) - v * (points[s] - points[r]))
}

function writePoint(k: number, manifold: Manifold): void {
  const { points, features, axes } = FOUND
  const { pointA, pointB } = manifold
  const i = manifold.count++
  const o = 3 * i
  const u = points[4 * k]
  const v = points[4 * k + 1]
  const w = points[4 * k + 2]
  const separation = points[4 * k + 3]
  const x = axes[0] * u + axes[3] * v + axes[6] * w
  const y = axes[1] * u + axes[4] * v + axes[7] * w
  const z = axes[2] * u + axes[5] * v + axes[8] * w
  pointA[o] = x
  pointA[o + 1] = y
  pointA[o + 2] = z
  pointB[o] = x - separation * axes[6]
  pointB[o + 1] = y - separation * axes[7]
  pointB[o + 2] = z - separation * axes[8]
  manifold.separation[i] = separation
  manifold.feature[i] = features[k]
}
