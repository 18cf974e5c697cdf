/**
 * All maxima of the separation of two overlapping cores, by a polytope that grows in K = { a − b } (van den Bergen 2001).
 *
 * The polytope's faces bound the depth from below, over the directions for which they stand: what a face at a distance d_f from
 * the origin hides is not less deep than d_f. The nearest face is expanded, as long as it is nearer than the least depth
 * found; from faces that lie close to the surface of K the separation is climbed. On a curved surface the faces never quite
 * get there; after so many the rest hides too little to be found.
 */

import type { Shape } from '../../shapes/shape.js'
import { hillClimb, separationAlong, SUPPORT_A, SUPPORT_B } from './hill-climbing.js'
import { CLOSEST } from './closest-pair.js'

const CORNERS = 128
/** Depth [m] that is not worth to be won. */
const WON = 1e-9
/** A face so close to the surface, as a share of the size of K, stands for it well enough to climb from. */
const CLOSE = 0.02
/** cos of the angle within which two directions lead to the same place. */
const ALIKE = 0.9999
const CLIMBS = 40
/** A direction's points must be this share of the size of K apart to span something. */
const FLAT = 1e-9

/** Corners of the polytope. */
const w = /* @__PURE__ */ new Float64Array(3 * CORNERS)
let corners = 0
/** Faces: three corners each, their outward unit normals and distances, and whether they lie in the surface of K. */
const face = /* @__PURE__ */ new Int32Array(3 * 4 * CORNERS)
const plane = /* @__PURE__ */ new Float64Array(4 * 4 * CORNERS)
const final = /* @__PURE__ */ new Uint8Array(4 * CORNERS)
let faces = 0
/** Edges of the hole: from, to. */
const hole = /* @__PURE__ */ new Int32Array(2 * 4 * CORNERS)
/** Directions climbed from. */
const climbed = /* @__PURE__ */ new Float64Array(3 * CLIMBS)
const d = /* @__PURE__ */ new Float64Array(3)
const best = /* @__PURE__ */ new Float64Array(11)

/** Writes the least deep place to `CLOSEST`, which has the best one known. */
export function epa(a: Shape, b: Shape, T: Float64Array, gap: number): void {
  best.set(CLOSEST)
  let climbs = 0
  const size = begin(a, b, T)
  while (size > 0 && corners < CORNERS) {
    const f = nearest()
    if (f < 0 || plane[4 * f + 3] >= -best[9] - WON) break
    for (let k = 0; k < 3; k++) d[k] = -plane[4 * f + k]
    const depth = -addCorner(a, b, T)
    if (depth - plane[4 * f + 3] <= CLOSE * size && climbs < CLIMBS && isNew(climbs)) {
      climbed.set(d, 3 * climbs++)
      hillClimb(a, b, T, d, 0, gap)
      if (CLOSEST[9] > best[9]) best.set(CLOSEST)
    }
    if (depth - plane[4 * f + 3] > FLAT * size) grow(FLAT * size)
    else {
      final[f] = 1
      corners--
    }
  }
  CLOSEST.set(best)
}

function isNew(climbs: number): boolean {
  for (let o = 0; o < 3 * climbs; o += 3) {
    if (climbed[o] * d[0] + climbed[o + 1] * d[1] + climbed[o + 2] * d[2] > ALIKE) return false
  }
  return true
}

/** Adds the corner of K that lies farthest against d; returns s(d). */
function addCorner(a: Shape, b: Shape, T: Float64Array): number {
  const s = separationAlong(a, b, T, d, 0)
  const o = 3 * corners++
  for (let k = 0; k < 3; k++) {
    w[o + k] =
      SUPPORT_A[k] - T[k] - T[3 + 3 * k] * SUPPORT_B[0] - T[4 + 3 * k] * SUPPORT_B[1] - T[5 + 3 * k] * SUPPORT_B[2]
  }
  return s
}

/** A tetrahedron of corners of K; returns the size of K, or 0 if it is flat. */
function begin(a: Shape, b: Shape, T: Float64Array): number {
  corners = faces = 0
  d[0] = 1
  d[1] = d[2] = 0
  addCorner(a, b, T)
  d[0] = -1
  addCorner(a, b, T)
  // Across the first edge, then across the triangle: the farther of both ways.
  const ux = w[3] - w[0]
  const uy = w[4] - w[1]
  const uz = w[5] - w[2]
  const size = Math.sqrt(ux * ux + uy * uy + uz * uz)
  d[0] = -uy
  d[1] = ux
  d[2] = 0
  addFarther(a, b, T)
  const vx = w[6] - w[0]
  const vy = w[7] - w[1]
  const vz = w[8] - w[2]
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  d[0] = nx
  d[1] = ny
  d[2] = nz
  addFarther(a, b, T)
  const volume = nx * (w[9] - w[0]) + ny * (w[10] - w[1]) + nz * (w[11] - w[2])
  if (Math.abs(volume) <= FLAT * size * size * size) return 0
  // 0, 1, 2 run counter-clockwise seen from where 3 has to be behind them.
  const i = volume > 0 ? 2 : 1
  const j = 3 - i
  addFace(0, i, j)
  addFace(0, 3, i)
  addFace(i, 3, j)
  addFace(j, 3, 0)
  return size
}

/** Makes d a unit vector and adds the corner that lies farther from the first, along it or against it. */
function addFarther(a: Shape, b: Shape, T: Float64Array): void {
  const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
  // Two corners straight above each other, or three on a line: any other way will do.
  for (let k = 0; k < 3; k++) d[k] = length > 0 ? d[k] / length : k === 2 ? 1 : 0
  const along = addCorner(a, b, T)
  const offset = d[0] * w[0] + d[1] * w[1] + d[2] * w[2]
  for (let k = 0; k < 3; k++) d[k] = -d[k]
  const against = addCorner(a, b, T)
  // s(d) is the least d·w: how far below the first corner each lies.
  const o = 3 * corners - 6
  if (offset - along >= -offset - against) corners--
  else {
    for (let k = 0; k < 3; k++) w[o + k] = w[o + 3 + k]
    corners--
  }
}

/** Face of three corners, counter-clockwise from outside. */
function addFace(i: number, j: number, k: number): boolean {
  const p = 3 * i
  const q = 3 * j
  const r = 3 * k
  const ux = w[q] - w[p]
  const uy = w[q + 1] - w[p + 1]
  const uz = w[q + 2] - w[p + 2]
  const vx = w[r] - w[p]
  const vy = w[r + 1] - w[p + 1]
  const vz = w[r + 2] - w[p + 2]
  const x = uy * vz - uz * vy
  const y = uz * vx - ux * vz
  const z = ux * vy - uy * vx
  const length = Math.sqrt(x * x + y * y + z * z)
  if (length === 0 || faces === 4 * CORNERS) return false
  const o = 4 * faces
  plane[o] = x / length
  plane[o + 1] = y / length
  plane[o + 2] = z / length
  plane[o + 3] = plane[o] * w[p] + plane[o + 1] * w[p + 1] + plane[o + 2] * w[p + 2]
  face[3 * faces] = i
  face[3 * faces + 1] = j
  face[3 * faces + 2] = k
  final[faces] = 0
  faces++
  return true
}

/** The face nearest to the origin; −1 if none is left. */
function nearest(): number {
  let least = Infinity
  let best = -1
  for (let f = 0; f < faces; f++) {
    if (final[f] === 0 && plane[4 * f + 3] < least) {
      least = plane[4 * f + 3]
      best = f
    }
  }
  return best
}

/** Joins the last corner to the polytope, which it lies outside of; faces that it is level with stay. */
function grow(level: number): void {
  const o = 3 * corners - 3
  let edges = 0
  let kept = 0
  for (let f = 0; f < faces; f++) {
    const above = plane[4 * f] * w[o] + plane[4 * f + 1] * w[o + 1] + plane[4 * f + 2] * w[o + 2] - plane[4 * f + 3]
    if (above <= level) {
      // Moved together, as faces are only ever added at the end.
      for (let k = 0; k < 3; k++) face[3 * kept + k] = face[3 * f + k]
      for (let k = 0; k < 4; k++) plane[4 * kept + k] = plane[4 * f + k]
      final[kept] = final[f]
      kept++
      continue
    }
    for (let k = 0; k < 3; k++) edges = addEdge(edges, face[3 * f + k], face[3 * f + ((k + 1) % 3)])
  }
  faces = kept
  for (let e = 0; e < edges; e++) addFace(hole[2 * e], hole[2 * e + 1], corners - 1)
}

/** An edge of a face that goes: with its twin, it is inside the hole; returns how many are left. */
function addEdge(edges: number, from: number, to: number): number {
  for (let e = 0; e < edges; e++) {
    if (hole[2 * e] !== to || hole[2 * e + 1] !== from) continue
    hole[2 * e] = hole[2 * edges - 2]
    hole[2 * e + 1] = hole[2 * edges - 1]
    return edges - 1
  }
  hole[2 * edges] = from
  hole[2 * edges + 1] = to
  return edges + 1
}
