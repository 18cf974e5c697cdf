/**
 * A convex shape against a static surface of triangles: mesh or heightfield.
 *
 * Triangle by triangle, and then a look at what each contact leans on. A triangle does not know its neighbours, and what
 * slides over a floor of many would stumble over edges that are not there. So a contact at an edge or corner counts only if
 * that is the farthest point of the surface around it, along the normal:
 *
 *   n·(w − v) <= 0   for all corners w of the triangles that share the edge or corner v.
 *
 * Where it is not, another triangle has the contact. If that lies in the same plane or rises in a valley (`innerEdges`), what
 * overlaps may still rest on this one, which the normal of its face tells. (To the same end: Voronoi regions, Coumans
 * 2008; Terdiman's contact filtering; Rouwe's removal of internal edges, 2023.)
 */

import { writeBounds } from '../../shapes/bounds.js'
import { IntList } from '../broad/int-list.js'
import { CAPSULE, type Shape, Shape as ShapeClass, SPHERE, TRIANGLE } from '../../shapes/shape.js'
import { queryBvh } from '../../shapes/bvh.js'
import { heightfieldTriangles, writeHeightfieldTriangle } from '../../shapes/heightfield-data.js'
import { BEHIND } from '../../shapes/inner-edges.js'
import { writeMeshTriangle } from '../../shapes/mesh-data.js'
import { support } from '../../shapes/support.js'
import { clipFeatures } from './clip.js'
import { CLOSEST, MARGIN } from './closest-pair.js'
import { distanceInOrder } from './convex-pair.js'
import { writeFeature } from './feature.js'
import { type Manifold, type ManifoldList, NORMAL_ON_B } from './manifold.js'
import { beginManifolds, dropTriangle, endManifolds, nextTriangle } from './surface-manifolds.js'
import { FACE_A, FACE_B, LABEL_B } from './polygon.js'
import { invertTransform } from './relative.js'
import { touch } from './touch.js'

/** Heights of corners along the normal that count as equal, as a share of the longest side. */
const LEVEL = 1e-6
/** Sine of the angle by which a neighbour may rise over the normal's plane. */
const RISE = 1e-3
/** cos of the angle to the back of a triangle within which it is pushed out there. */
const BACK = -0.999

const EDGES = 7

/** The triangle at hand. Its corners are taken from their centre, where the narrow phase has its origin. */
const triangle: Shape = /* @__PURE__ */ new ShapeClass({
  kind: TRIANGLE,
  params: new Float64Array(9),
  bounds: new Float64Array(6),
  json: () => ({ type: 'triangle' }),
})

const candidates = /* @__PURE__ */ new IntList()
const inverse = /* @__PURE__ */ new Float64Array(12)
const box = /* @__PURE__ */ new Float64Array(6)
/** Corners of the candidates, frame of the surface: nine numbers each. */
let corners = new Float64Array(9 * 64)
/** Where the triangle stands in the frame of a. */
const place = /* @__PURE__ */ new Float64Array(12)
/** Normal of the side of the triangle that a is on, frame of a. */
const facing = /* @__PURE__ */ new Float64Array(3)
const n = /* @__PURE__ */ new Float64Array(3)
const down = /* @__PURE__ */ new Float64Array(3)
/** The contact's normal in the frame of the surface. */
const lean = /* @__PURE__ */ new Float64Array(3)

/** Appends the contacts of the convex shape a and the surface b that stands at `T` in the frame of a. */
export function convexSurface(a: Shape, b: Shape, T: Float64Array, list: ManifoldList): void {
  const margin = MARGIN[0]
  gather(a, b, T)
  const { mesh, heightfield } = b
  const innerEdges = mesh === null ? heightfield!.innerEdges : mesh.innerEdges
  const oneSided = mesh !== null && mesh.oneSided
  beginManifolds()
  for (let k = 0; k < candidates.count; k++) {
    const behind = loadTriangle(a, T, k)
    if (behind && oneSided) continue
    const separation = distanceInOrder(a, triangle, place, margin)
    if (separation > margin) continue
    const bits = innerEdges[candidates.items[k]]
    const manifold = nextTriangle()
    const verdict = judge(T, k, Math.floor(behind ? bits / BEHIND : bits) & EDGES)
    if (verdict === ON_FACE) touchFace(a, manifold)
    else if (verdict === REAL) touch(a, triangle, place, true, manifold)
    if (manifold.count === 0) dropTriangle()
    else if (a.kind === SPHERE || a.kind === CAPSULE) manifold.roundA = a.params[0]
  }
  endManifolds(T, list)
}

/** Triangles whose boxes a may touch, and their corners. */
function gather(a: Shape, { mesh, heightfield }: Shape, T: Float64Array): void {
  const margin = MARGIN[0]
  writeBounds(a, invertTransform(T, 0, inverse), 0, box, 0)
  for (let k = 0; k < 3; k++) {
    box[k] -= margin
    box[3 + k] += margin
  }
  if (mesh !== null) queryBvh(mesh.bvh, box, 0, candidates)
  else heightfieldTriangles(heightfield!, box, 0, candidates)
  const { items, count } = candidates
  if (9 * count > corners.length) corners = new Float64Array(18 * count)
  for (let k = 0; k < count; k++) {
    if (mesh !== null) writeMeshTriangle(mesh, items[k], corners, 9 * k)
    else writeHeightfieldTriangle(heightfield!, items[k], corners, 9 * k)
  }
}

/** Loads candidate k; returns whether the middle of a is behind it. */
function loadTriangle(a: Shape, T: Float64Array, k: number): boolean {
  const o = 9 * k
  const { params } = triangle
  for (let c = 0; c < 3; c++) {
    const middle = (corners[o + c] + corners[o + 3 + c] + corners[o + 6 + c]) / 3
    params[c] = corners[o + c] - middle
    params[3 + c] = corners[o + 3 + c] - middle
    params[6 + c] = corners[o + 6 + c] - middle
    n[c] = middle
  }
  place.set(T)
  for (let c = 0; c < 3; c++) place[c] += T[3 + 3 * c] * n[0] + T[4 + 3 * c] * n[1] + T[5 + 3 * c] * n[2]
  const ux = params[3] - params[0]
  const uy = params[4] - params[1]
  const uz = params[5] - params[2]
  const vx = params[6] - params[0]
  const vy = params[7] - params[1]
  const vz = params[8] - params[2]
  const x = uy * vz - uz * vy
  const y = uz * vx - ux * vz
  const z = ux * vy - uy * vx
  const length = Math.sqrt(x * x + y * y + z * z)
  const { bounds } = a
  let height = 0
  for (let c = 0; c < 3; c++) {
    facing[c] = (T[3 + 3 * c] * x + T[4 + 3 * c] * y + T[5 + 3 * c] * z) / length
    height += facing[c] * (0.5 * (bounds[c] + bounds[3 + c]) - place[c])
  }
  if (height >= 0) return false
  for (let c = 0; c < 3; c++) facing[c] = -facing[c]
  return true
}

/** A contact of the shapes as they are, one that the face has to tell, or one that another triangle has. */
const REAL = 0
const ON_FACE = 1
const ELSEWHERE = 2

/** What to make of the contact in `CLOSEST` with candidate k. `inner`: bits of the edges over which no normal may lean. */
function judge(T: Float64Array, k: number, inner: number): number {
  const x = CLOSEST[0]
  const y = CLOSEST[1]
  const z = CLOSEST[2]
  if (facing[0] * x + facing[1] * y + facing[2] * z < BACK) return ON_FACE
  for (let c = 0; c < 3; c++) lean[c] = T[3 + c] * x + T[6 + c] * y + T[9 + c] * z
  const o = 9 * k
  const h0 = lean[0] * corners[o] + lean[1] * corners[o + 1] + lean[2] * corners[o + 2]
  const h1 = lean[0] * corners[o + 3] + lean[1] * corners[o + 4] + lean[2] * corners[o + 5]
  const h2 = lean[0] * corners[o + 6] + lean[1] * corners[o + 7] + lean[2] * corners[o + 8]
  const top = Math.max(h0, h1, h2)
  const least = top - LEVEL * longestSide(o)
  const touching = (h0 >= least ? 1 : 0) + (h1 >= least ? 2 : 0) + (h2 >= least ? 4 : 0)
  if (touching === 7) return ON_FACE
  if (touching === 3 || touching === 6 || touching === 5) {
    const edge = touching === 3 ? 0 : touching === 6 ? 1 : 2
    if ((inner >> edge) & 1) return ON_FACE
    return isCovered(k, o + 3 * edge, o + 3 * ((edge + 1) % 3)) ? ELSEWHERE : REAL
  }
  const corner = touching === 1 ? 0 : touching === 2 ? 1 : 2
  const bits = (1 << corner) | (1 << ((corner + 2) % 3))
  if ((inner & bits) === bits) return ON_FACE
  if (!isCovered(k, o + 3 * corner, o + 3 * corner)) return REAL
  return (inner & bits) !== 0 ? ON_FACE : ELSEWHERE
}

function longestSide(o: number): number {
  let most = 0
  for (let i = 0; i < 9; i += 3) {
    const j = (i + 3) % 9
    const x = corners[o + i] - corners[o + j]
    const y = corners[o + i + 1] - corners[o + j + 1]
    const z = corners[o + i + 2] - corners[o + j + 2]
    most = Math.max(most, x * x + y * y + z * z)
  }
  return Math.sqrt(most)
}

/** Whether a triangle other than candidate k that has the corners at v and w rises over them along `lean`. */
function isCovered(k: number, v: number, w: number): boolean {
  for (let other = 0; other < candidates.count; other++) {
    if (other === k) continue
    const o = 9 * other
    if (!hasCorner(o, v) || (w !== v && !hasCorner(o, w))) continue
    for (let i = o; i < o + 9; i += 3) {
      const x = corners[i] - corners[v]
      const y = corners[i + 1] - corners[v + 1]
      const z = corners[i + 2] - corners[v + 2]
      const rise = lean[0] * x + lean[1] * y + lean[2] * z
      if (rise > 0 && rise * rise > RISE * RISE * (x * x + y * y + z * z)) return true
    }
  }
  return false
}

function hasCorner(o: number, v: number): boolean {
  for (let i = o; i < o + 9; i += 3) {
    if (corners[i] === corners[v] && corners[i + 1] === corners[v + 1] && corners[i + 2] === corners[v + 2]) return true
  }
  return false
}

/** Fills the manifold with the points of a over the triangle, along the normal of its face. */
function touchFace(a: Shape, manifold: Manifold): void {
  for (let k = 0; k < 3; k++) {
    n[k] = facing[k]
    down[k] = -n[k]
  }
  writeFeature(a, down, 0, FACE_A)
  for (let k = 0; k < 3; k++) lean[k] = place[3 + k] * n[0] + place[6 + k] * n[1] + place[9 + k] * n[2]
  writeFeature(triangle, lean, LABEL_B, FACE_B)
  FACE_B.place(place)
  support(a, down, 0, CLOSEST, 3)
  const { points } = FACE_B
  let separation = 0
  for (let k = 0; k < 3; k++) separation += n[k] * (CLOSEST[3 + k] - points[k])
  for (let k = 0; k < 3; k++) CLOSEST[6 + k] = CLOSEST[3 + k] - separation * n[k]
  CLOSEST[9] = separation
  clipFeatures(n, false, !isOverFace(), manifold)
  manifold.normal.set(n)
  manifold.carrier = NORMAL_ON_B
}

/** Whether the lowest point of a lies over the triangle. */
function isOverFace(): boolean {
  const { points } = FACE_B
  for (let i = 0; i < 9; i += 3) {
    const j = (i + 3) % 9
    const ex = points[j] - points[i]
    const ey = points[j + 1] - points[i + 1]
    const ez = points[j + 2] - points[i + 2]
    const dx = CLOSEST[6] - points[i]
    const dy = CLOSEST[7] - points[i + 1]
    const dz = CLOSEST[8] - points[i + 2]
    const side = n[0] * (ey * dz - ez * dy) + n[1] * (ez * dx - ex * dz) + n[2] * (ex * dy - ey * dx)
    if (side < 0) return false
  }
  return true
}
