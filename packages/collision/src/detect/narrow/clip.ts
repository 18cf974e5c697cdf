/**
 * Features of two shapes laid over each other along a normal.
 *
 * Seen along n, the incident feature is cut with the edges of the reference polygon (Sutherland and Hodgman 1974); each corner
 * left is lifted to both surfaces, which gives a separation. As n may be any direction in which the two touch, the deepest of
 * these is the pair's separation.
 */

import { MARGIN } from './closest-pair.js'
import { addClosest, FOUND, keepPoints } from './found-points.js'
import type { Manifold } from './manifold.js'
import { FACE_A, FACE_B, type Polygon } from './polygon.js'

const LABELS = 0x8000
/** The reference is grown by about this [m], so that a corner on its border is not cut off by rounding. */
const BORDER_GROWTH = 1e-9

/** Two buffers that the polygon is cut to and fro between: u, v, w a corner, and the labels of the edges that start there. */
let here = new Float64Array(3 * 32)
let there = new Float64Array(3 * 32)
let labelsHere = new Int32Array(32)
let labelsThere = new Int32Array(32)
/** Edges of the reference: what has a u + b v + c >= 0 is inside. */
let edges = new Float64Array(3 * 32)

function reserve(count: number): void {
  if (count <= labelsHere.length) return
  here = new Float64Array(6 * count)
  there = new Float64Array(6 * count)
  labelsHere = new Int32Array(2 * count)
  labelsThere = new Int32Array(2 * count)
  edges = new Float64Array(6 * count)
}

/**
 * Appends to the manifold the points of FACE_A over FACE_B along `n` (unit, from b to a) within the margin: four at most.
 * `onA`: FACE_A is the reference, a polygon; else FACE_B is. `exact`: the features are the shapes' own; else `CLOSEST` is a
 * point as well, for what a cap's polygon cuts off its rim.
 */
export function clipFeatures(n: Float64Array, onA: boolean, exact: boolean, manifold: Manifold): void {
  const reference = onA ? FACE_A : FACE_B
  const incident = onA ? FACE_B : FACE_A
  const size = incident.count
  reserve(reference.count + size)
  FOUND.begin(n)
  project(incident)
  writeEdges(reference, onA)
  const left = size < 3 ? cutSegment(size, reference) : cutPolygon(size, reference)
  lift(left, reference, size < 3, onA)
  if (!exact) addClosest(size < 3)
  keepPoints(manifold)
}

/** The same for FACE_A over the plane n·x = offset[0]. `CLOSEST` is always a point. */
export function dropFeature(n: Float64Array, offset: Float64Array, manifold: Manifold): void {
  const { count, labels } = FACE_A
  reserve(count)
  FOUND.begin(n)
  FOUND.reserve(count)
  project(FACE_A)
  const { points, features } = FOUND
  const d = offset[0]
  const margin = MARGIN[0]
  let kept = 0
  for (let k = 0; k < count; k++) {
    const separation = here[3 * k + 2] - d
    if (separation > margin) continue
    const o = 4 * kept
    points[o] = here[3 * k]
    points[o + 1] = here[3 * k + 1]
    points[o + 2] = here[3 * k + 2]
    points[o + 3] = separation
    features[kept++] = labels[k]
  }
  FOUND.count = kept
  addClosest(count < 3)
  keepPoints(manifold)
}

/** The corners as u, v, w. */
function project({ points, labels, count }: Polygon): void {
  const { axes } = FOUND
  const a0 = axes[0]
  const a1 = axes[1]
  const a2 = axes[2]
  const a3 = axes[3]
  const a4 = axes[4]
  const a5 = axes[5]
  const a6 = axes[6]
  const a7 = axes[7]
  const a8 = axes[8]
  for (let k = 0; k < count; k++) {
    const o = 3 * k
    const x = points[o]
    const y = points[o + 1]
    const z = points[o + 2]
    here[o] = a0 * x + a1 * y + a2 * z
    here[o + 1] = a3 * x + a4 * y + a5 * z
    here[o + 2] = a6 * x + a7 * y + a8 * z
    labelsHere[k] = labels[k]
  }
}

/** Edge k of the reference runs from its corner k. Seen against n, a's face runs clockwise. */
function writeEdges({ points, count }: Polygon, onA: boolean): void {
  const { axes } = FOUND
  const a0 = axes[0]
  const a1 = axes[1]
  const a2 = axes[2]
  const a3 = axes[3]
  const a4 = axes[4]
  const a5 = axes[5]
  const side = onA ? -1 : 1
  let o = 3 * count - 3
  let pu = a0 * points[o] + a1 * points[o + 1] + a2 * points[o + 2]
  let pv = a3 * points[o] + a4 * points[o + 1] + a5 * points[o + 2]
  let e = o
  for (o = 0; o < 3 * count; o += 3) {
    const qu = a0 * points[o] + a1 * points[o + 1] + a2 * points[o + 2]
    const qv = a3 * points[o] + a4 * points[o + 1] + a5 * points[o + 2]
    const a = side * (pv - qv)
    const b = side * (qu - pu)
    edges[e] = a
    edges[e + 1] = b
    edges[e + 2] = BORDER_GROWTH * (Math.abs(a) + Math.abs(b)) - a * pu - b * pv
    e = o
    pu = qu
    pv = qv
  }
}

/** Cuts the polygon `here` with every edge of the reference; returns how many corners are left there. */
function cutPolygon(size: number, { count: sides, labels }: Polygon): number {
  let count = size
  for (let e = 0; e < sides && count > 0; e++) {
    const left = cutOnce(here, labelsHere, there, labelsThere, count, e, labels[e])
    // Nothing was cut.
    if (left < 0) continue
    count = left
    const points = here
    here = there
    there = points
    const names = labelsHere
    labelsHere = labelsThere
    labelsThere = names
  }
  return count
}

/** Writes what lies inside edge e to `to`; returns how many corners that has, or −1 if it is all. */
function cutOnce(
  from: Float64Array,
  labels: Int32Array,
  to: Float64Array,
  next: Int32Array,
  count: number,
  e: number,
  name: number,
): number {
  const a = edges[3 * e]
  const b = edges[3 * e + 1]
  const c = edges[3 * e + 2]
  let out = 0
  for (let o = 0; o < 3 * count; o += 3) if (a * from[o] + b * from[o + 1] + c < 0) out++
  if (out === 0) return -1
  if (out === count) return 0
  let kept = 0
  let i = 3 * count - 3
  let before = a * from[i] + b * from[i + 1] + c
  let label = labels[count - 1]
  for (let k = 0; k < count; k++) {
    const j = 3 * k
    const now = a * from[j] + b * from[j + 1] + c
    if (before < 0 !== now < 0) {
      const share = before / (before - now)
      const o = 3 * kept
      to[o] = from[i] + share * (from[j] - from[i])
      to[o + 1] = from[i + 1] + share * (from[j + 1] - from[i + 1])
      to[o + 2] = from[i + 2] + share * (from[j + 2] - from[i + 2])
      // Going out, the cut's edge starts here; coming in, the edge that was cut goes on.
      next[kept++] = now < 0 ? name : label
    }
    if (now >= 0) {
      const o = 3 * kept
      to[o] = from[j]
      to[o + 1] = from[j + 1]
      to[o + 2] = from[j + 2]
      next[kept++] = labels[k]
    }
    before = now
    label = labels[k]
    i = j
  }
  return kept
}

/** The same for a segment or a point. An end that was cut is named by the edge. */
function cutSegment(size: number, { count: sides, labels }: Polygon): number {
  const last = 3 * size - 3
  for (let e = 0; e < sides; e++) {
    const a = edges[3 * e]
    const b = edges[3 * e + 1]
    const c = edges[3 * e + 2]
    const first = a * here[0] + b * here[1] + c
    const second = a * here[last] + b * here[last + 1] + c
    if (first < 0 && second < 0) return 0
    if (first >= 0 && second >= 0) continue
    const share = first / (first - second)
    const end = first < 0 ? 0 : last
    const u = here[0] + share * (here[last] - here[0])
    const v = here[1] + share * (here[last + 1] - here[1])
    const w = here[2] + share * (here[last + 2] - here[2])
    here[end] = u
    here[end + 1] = v
    here[end + 2] = w
    labelsHere[first < 0 ? 0 : 1] = labels[e]
  }
  return size
}

/** Heights on both surfaces of the corners left; those within the margin are the points found. */
function lift(count: number, { points: corners, normal }: Polygon, segment: boolean, onA: boolean): void {
  FOUND.reserve(count)
  const { axes, points, features } = FOUND
  const x = normal[0]
  const y = normal[1]
  const z = normal[2]
  const nu = axes[0] * x + axes[1] * y + axes[2] * z
  const nv = axes[3] * x + axes[4] * y + axes[5] * z
  const nw = axes[6] * x + axes[7] * y + axes[8] * z
  const d = x * corners[0] + y * corners[1] + z * corners[2]
  const margin = MARGIN[0]
  let kept = 0
  for (let k = 0; k < count; k++) {
    const u = here[3 * k]
    const v = here[3 * k + 1]
    const w = here[3 * k + 2]
    const height = (d - nu * u - nv * v) / nw
    const separation = onA ? height - w : w - height
    if (separation > margin) continue
    const o = 4 * kept
    points[o] = u
    points[o + 1] = v
    points[o + 2] = onA ? height : w
    points[o + 3] = separation
    const after = labelsHere[k]
    const before = segment ? labelsHere[0] : labelsHere[k === 0 ? count - 1 : k - 1]
    // The two edges that meet, in the order that does not depend on which polygon was the reference.
    features[kept++] = onA ? before * LABELS + after : after * LABELS + before
  }
  FOUND.count = kept
}
