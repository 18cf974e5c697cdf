/**
 * Features of two shapes laid over each other along a normal, and the points kept of it.
 *
 * A feature is a convex polygon, a segment or a point, in the frame of the pair. Seen along n, the incident feature is cut
 * with the edges of the reference polygon (Sutherland and Hodgman 1974); each corner left is lifted to both surfaces, which
 * gives a separation. As n may be any direction in which the two touch, the deepest of these is the pair's separation.
 */

import { CLOSEST } from './closest-pair.js'
import { type Manifold, MAX_POINTS } from './manifold.js'

/** Labels of b's corners start here, those of a's at 0. */
export const LABEL_B = 0x4000
const LABELS = 0x8000
/** Depth [m] by which another point must be deeper to be taken for the deepest: below what anyone can see, above rounding. */
const DEEPER = 1e-7
/** Square of the distance [m²] within which points of neighbouring triangles are one. */
const TOGETHER = 1e-12
/** Square of the distance [m²] of points that are one. */
const SAME = 1e-18
/** Area, as a share of the square of the longest distance, of points that lie on a line. */
const ON_LINE = 1e-6

/** A convex polygon, counter-clockwise from outside; a segment; or a point. */
export class Polygon {
  count = 0
  /** x, y, z a corner. */
  points: Float64Array
  /** Names of the edges that start at each corner (of the corners, for a segment and a point). */
  labels: Int32Array
  /** Outward unit normal of a polygon. */
  readonly normal: Float64Array = new Float64Array(3)
  /** Of a segment on the side of a round shape: how strongly that is curved there [m]; 0 for an edge. */
  radius = 0

  constructor(capacity: number) {
    this.points = new Float64Array(3 * capacity)
    this.labels = new Int32Array(capacity)
  }

  /** Room for `count` corners; grows once for the largest face there is. */
  reserve(count: number): void {
    if (count <= this.labels.length) return
    this.points = new Float64Array(6 * count)
    this.labels = new Int32Array(2 * count)
  }

  /** Shifts the corners and the normal by a transform. */
  place(T: Float64Array): void {
    const { points, normal } = this
    for (let o = 0; o < 3 * this.count; o += 3) {
      const x = points[o]
      const y = points[o + 1]
      const z = points[o + 2]
      points[o] = T[3] * x + T[4] * y + T[5] * z + T[0]
      points[o + 1] = T[6] * x + T[7] * y + T[8] * z + T[1]
      points[o + 2] = T[9] * x + T[10] * y + T[11] * z + T[2]
    }
    const x = normal[0]
    const y = normal[1]
    const z = normal[2]
    normal[0] = T[3] * x + T[4] * y + T[5] * z
    normal[1] = T[6] * x + T[7] * y + T[8] * z
    normal[2] = T[9] * x + T[10] * y + T[11] * z
  }
}

/** The features of a and of b that the pair at hand touches with. */
export const FACE_A: Polygon = /* @__PURE__ */ new Polygon(16)
export const FACE_B: Polygon = /* @__PURE__ */ new Polygon(16)

/** Feature of a point that is no corner of what was clipped. */
const WITNESS = LABELS * LABELS - 1

/** Two buffers that the polygon is cut to and fro between: u, v, w a corner, and the labels of its edges. */
const cut = { from: new Float64Array(0), to: new Float64Array(0), labels: new Int32Array(0), next: new Int32Array(0) }
/** Points found: u, v, height on a, separation; and their features. */
let found = new Float64Array(0)
let features = new Int32Array(0)
const basis = /* @__PURE__ */ new Float64Array(6)
const chosen = /* @__PURE__ */ new Int32Array(MAX_POINTS)

/** Room for `count` corners or points; what was found stays. */
function reserve(count: number): void {
  if (3 * count <= cut.from.length) return
  cut.from = new Float64Array(6 * count)
  cut.to = new Float64Array(6 * count)
  cut.labels = new Int32Array(2 * count)
  cut.next = new Int32Array(2 * count)
  const [points, names] = [found, features]
  found = new Float64Array(8 * count)
  features = new Int32Array(2 * count)
  found.set(points)
  features.set(names)
}

/** Two unit vectors that make a right-handed frame with n (Duff et al. 2017). */
export function writeBasis(n: Float64Array, out: Float64Array): void {
  const sign = n[2] < 0 ? -1 : 1
  const p = -1 / (sign + n[2])
  const q = n[0] * n[1] * p
  out[0] = 1 + sign * n[0] * n[0] * p
  out[1] = sign * q
  out[2] = -sign * n[0]
  out[3] = q
  out[4] = sign + n[1] * n[1] * p
  out[5] = -n[1]
}

/**
 * Appends to the manifold the points of FACE_A over FACE_B along `n` (unit, from b to a) with separation <= margin: four at
 * most. `onA`: FACE_A is the reference, a polygon; else FACE_B is. `exact`: the features are the shapes' own; else
 * `CLOSEST` is a point as well, for what a cap's polygon cuts off its rim.
 */
export function clipFeatures(n: Float64Array, onA: boolean, margin: number, exact: boolean, manifold: Manifold): void {
  const reference = onA ? FACE_A : FACE_B
  const incident = onA ? FACE_B : FACE_A
  reserve(reference.count + incident.count + 1)
  writeBasis(n, basis)
  project(n, incident)
  const count =
    incident.count < 3 ? cutSegment(incident.count, reference, onA) : cutPolygon(incident.count, reference, onA)
  const lifted = lift(n, count, reference, incident.count, onA, margin)
  keepPoints(n, exact ? lifted : addClosest(n, lifted, incident.count < 3), manifold)
}

/** The same for FACE_A over the plane n·x = offset. `CLOSEST` is always a point. */
export function dropFeature(n: Float64Array, offset: number, margin: number, manifold: Manifold): void {
  const { count } = FACE_A
  reserve(count + 1)
  writeBasis(n, basis)
  project(n, FACE_A)
  const { from, labels } = cut
  let kept = 0
  for (let k = 0; k < count; k++) {
    const separation = from[3 * k + 2] - offset
    if (separation > margin) continue
    const o = 4 * kept
    found[o] = from[3 * k]
    found[o + 1] = from[3 * k + 1]
    found[o + 2] = from[3 * k + 2]
    found[o + 3] = separation
    features[kept++] = labels[k]
  }
  keepPoints(n, addClosest(n, kept, count < 3), manifold)
}

/** Number of points gathered, and the normal they are gathered along. */
let gathered = 0
const along = /* @__PURE__ */ new Float64Array(3)

/** Begins to gather points of any number along a normal. */
export function beginPoints(n: Float64Array): void {
  gathered = 0
  along.set(n)
  writeBasis(n, basis)
}

/** Gathers point k of a manifold along another normal: its point of b stays. */
export function gatherPoint({ pointA, pointB, feature }: Manifold, k: number): void {
  const o = 3 * k
  const x = pointB[o]
  const y = pointB[o + 1]
  const z = pointB[o + 2]
  const u = basis[0] * x + basis[1] * y + basis[2] * z
  const v = basis[3] * x + basis[4] * y + basis[5] * z
  const w = along[0] * pointA[o] + along[1] * pointA[o + 1] + along[2] * pointA[o + 2]
  const separation = w - along[0] * x - along[1] * y - along[2] * z
  let name = feature[k]
  for (let i = 0; i < gathered; i++) {
    const du = found[4 * i] - u
    const dv = found[4 * i + 1] - v
    // The same corner over two triangles is one point; another point of that name gets a new one.
    if (du * du + dv * dv <= TOGETHER) return
    if (features[i] === name) name++
  }
  reserve(gathered + 1)
  const i = 4 * gathered
  found[i] = u
  found[i + 1] = v
  found[i + 2] = w
  found[i + 3] = separation
  features[gathered++] = name
}

/** Ends the gathering: the four points that are kept go to the manifold. */
export function keepGathered(manifold: Manifold): void {
  manifold.normal.set(along)
  keepPoints(along, gathered, manifold)
}

/** Adds `CLOSEST` to the points found if none is as deep; of a segment's it takes the place of the deepest. */
function addClosest(n: Float64Array, count: number, segment: boolean): number {
  const separation = CLOSEST[9]
  let deepest = count
  let least = Infinity
  for (let k = 0; k < count; k++) {
    if (found[4 * k + 3] < least) {
      least = found[4 * k + 3]
      deepest = k
    }
  }
  if (least <= separation + DEEPER) return count
  const i = segment ? deepest : count
  const x = CLOSEST[3]
  const y = CLOSEST[4]
  const z = CLOSEST[5]
  found[4 * i] = basis[0] * x + basis[1] * y + basis[2] * z
  found[4 * i + 1] = basis[3] * x + basis[4] * y + basis[5] * z
  found[4 * i + 2] = n[0] * x + n[1] * y + n[2] * z
  found[4 * i + 3] = separation
  if (i === count) features[i] = WITNESS
  return Math.max(count, i + 1)
}

/** The incident corners as u, v, w. */
function project(n: Float64Array, { points, labels, count }: Polygon): void {
  const { from } = cut
  for (let k = 0; k < count; k++) {
    const o = 3 * k
    const x = points[o]
    const y = points[o + 1]
    const z = points[o + 2]
    from[o] = basis[0] * x + basis[1] * y + basis[2] * z
    from[o + 1] = basis[3] * x + basis[4] * y + basis[5] * z
    from[o + 2] = n[0] * x + n[1] * y + n[2] * z
    cut.labels[k] = labels[k]
  }
}

/** Cuts the polygon in `cut.from` with every edge of the reference; returns how many corners are left there. */
function cutPolygon(size: number, reference: Polygon, onA: boolean): number {
  const { points, count: edges, labels: names } = reference
  // Seen against n, a's face runs clockwise.
  const side = onA ? -1 : 1
  let count = size
  let o = 3 * (edges - 1)
  let pu = basis[0] * points[o] + basis[1] * points[o + 1] + basis[2] * points[o + 2]
  let pv = basis[3] * points[o] + basis[4] * points[o + 1] + basis[5] * points[o + 2]
  for (let e = 0; e < edges && count > 0; e++) {
    o = 3 * e
    const qu = basis[0] * points[o] + basis[1] * points[o + 1] + basis[2] * points[o + 2]
    const qv = basis[3] * points[o] + basis[4] * points[o + 1] + basis[5] * points[o + 2]
    count = cutOnce(count, side * (pv - qv), side * (qu - pu), pu, pv, names[e === 0 ? edges - 1 : e - 1])
    pu = qu
    pv = qv
  }
  return count
}

/** Keeps what has a (u − pu) + b (v − pv) >= 0. */
function cutOnce(count: number, a: number, b: number, pu: number, pv: number, name: number): number {
  const { from, to, labels, next } = cut
  let kept = 0
  let i = 3 * (count - 1)
  let before = a * (from[i] - pu) + b * (from[i + 1] - pv)
  let label = labels[count - 1]
  for (let k = 0; k < count; k++) {
    const j = 3 * k
    const now = a * (from[j] - pu) + b * (from[j + 1] - pv)
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
  cut.from = to
  cut.to = from
  cut.labels = next
  cut.next = labels
  return kept
}

/** The same for a segment or a point. An end that was cut is named by the reference's edge and the segment's first end. */
function cutSegment(size: number, reference: Polygon, onA: boolean): number {
  const { points, count: edges, labels: names } = reference
  const { from, labels } = cut
  const side = onA ? -1 : 1
  const last = 3 * (size - 1)
  let o = 3 * (edges - 1)
  let pu = basis[0] * points[o] + basis[1] * points[o + 1] + basis[2] * points[o + 2]
  let pv = basis[3] * points[o] + basis[4] * points[o + 1] + basis[5] * points[o + 2]
  for (let e = 0; e < edges; e++) {
    o = 3 * e
    const qu = basis[0] * points[o] + basis[1] * points[o + 1] + basis[2] * points[o + 2]
    const qv = basis[3] * points[o] + basis[4] * points[o + 1] + basis[5] * points[o + 2]
    const a = side * (pv - qv)
    const b = side * (qu - pu)
    const first = a * (from[0] - pu) + b * (from[1] - pv)
    const second = a * (from[last] - pu) + b * (from[last + 1] - pv)
    if (first < 0 && second < 0) return 0
    if (first < 0 !== second < 0) {
      const share = first / (first - second)
      const end = first < 0 ? 0 : last
      const u = from[0] + share * (from[last] - from[0])
      const v = from[1] + share * (from[last + 1] - from[1])
      const w = from[2] + share * (from[last + 2] - from[2])
      from[end] = u
      from[end + 1] = v
      from[end + 2] = w
      labels[end === 0 ? 0 : 1] = names[e === 0 ? edges - 1 : e - 1]
    } else if (first < 0) return 0
    pu = qu
    pv = qv
  }
  return size
}

/** Heights of what is left on both surfaces; returns how many points are within the margin. */
function lift(
  n: Float64Array,
  count: number,
  { points, normal }: Polygon,
  size: number,
  onA: boolean,
  margin: number,
): number {
  const { from, labels } = cut
  const nu = basis[0] * normal[0] + basis[1] * normal[1] + basis[2] * normal[2]
  const nv = basis[3] * normal[0] + basis[4] * normal[1] + basis[5] * normal[2]
  const nw = n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2]
  const d = normal[0] * points[0] + normal[1] * points[1] + normal[2] * points[2]
  let kept = 0
  for (let k = 0; k < count; k++) {
    const u = from[3 * k]
    const v = from[3 * k + 1]
    const w = from[3 * k + 2]
    const height = (d - nu * u - nv * v) / nw
    const separation = onA ? height - w : w - height
    if (separation > margin) continue
    const o = 4 * kept
    found[o] = u
    found[o + 1] = v
    found[o + 2] = onA ? height : w
    found[o + 3] = separation
    const label = labels[k]
    const previous = size < 3 ? labels[0] : labels[k === 0 ? count - 1 : k - 1]
    features[kept++] = previous * LABELS + label
  }
  return kept
}

/** Writes at most four of the points found: the deepest, the farthest from it, and the two that add most area. */
function keepPoints(n: Float64Array, count: number, manifold: Manifold): void {
  if (count <= MAX_POINTS) {
    for (let k = 0; k < count; k++) writePoint(n, k, manifold)
    return
  }
  const size = choose(count)
  for (let k = 0; k < size; k++) writePoint(n, chosen[k], manifold)
}

function choose(count: number): number {
  let p = 0
  for (let k = 1; k < count; k++) if (found[4 * k + 3] < found[4 * p + 3] - DEEPER) p = k
  const pu = found[4 * p]
  const pv = found[4 * p + 1]
  let q = p
  let farthest = SAME
  for (let k = 0; k < count; k++) {
    const u = found[4 * k] - pu
    const v = found[4 * k + 1] - pv
    const square = u * u + v * v
    if (square > farthest) {
      farthest = square
      q = k
    }
  }
  chosen[0] = p
  if (q === p) return 1
  chosen[1] = q
  // Area left of p→q, then right of it; where all lie on one side, what sticks out of the triangle.
  const eu = found[4 * q] - pu
  const ev = found[4 * q + 1] - pv
  let r = -1
  let largest = ON_LINE * farthest
  let sign = 1
  for (let k = 0; k < count; k++) {
    const area = eu * (found[4 * k + 1] - pv) - ev * (found[4 * k] - pu)
    if (Math.abs(area) > largest) {
      largest = Math.abs(area)
      sign = area < 0 ? -1 : 1
      r = k
    }
  }
  if (r < 0) return 2
  chosen[2] = r
  let s = -1
  largest = ON_LINE * farthest
  for (let k = 0; k < count; k++) {
    const u = found[4 * k]
    const v = found[4 * k + 1]
    const outside = Math.max(-sign * turnOf(p, q, u, v), -sign * turnOf(q, r, u, v), -sign * turnOf(r, p, u, v))
    if (outside > largest) {
      largest = outside
      s = k
    }
  }
  if (s < 0) return 3
  chosen[3] = s
  return 4
}

/** Twice the signed area of point i, point j and (u, v). */
function turnOf(i: number, j: number, u: number, v: number): number {
  const pu = found[4 * i]
  const pv = found[4 * i + 1]
  return (found[4 * j] - pu) * (v - pv) - (found[4 * j + 1] - pv) * (u - pu)
}

function writePoint(n: Float64Array, k: number, manifold: Manifold): void {
  const { pointA, pointB } = manifold
  const i = manifold.count++
  const o = 3 * i
  const u = found[4 * k]
  const v = found[4 * k + 1]
  const w = found[4 * k + 2]
  const separation = found[4 * k + 3]
  const x = basis[0] * u + basis[3] * v + n[0] * w
  const y = basis[1] * u + basis[4] * v + n[1] * w
  const z = basis[2] * u + basis[5] * v + n[2] * w
  pointA[o] = x
  pointA[o + 1] = y
  pointA[o + 2] = z
  pointB[o] = x - separation * n[0]
  pointB[o + 1] = y - separation * n[1]
  pointB[o + 2] = z - separation * n[2]
  manifold.separation[i] = separation
  manifold.feature[i] = features[k]
}
