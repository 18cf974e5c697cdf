/**
 * Polytopes as the separating axis test sees them: hull, box, triangle, and the segment in a capsule, all as one.
 *
 * A triangle is a hull of two faces back to back, a segment one of a single edge and no face.
 */

import { BOX, CAPSULE, CONVEX_HULL, type Shape, TRIANGLE } from '../../shapes/shape.js'

/** Corners, faces and edges in the frame of the pair. */
export class Polytope {
  vertexCount = 0
  faceCount = 0
  edgeCount = 0
  /** x, y, z a corner. */
  vertices: Float64Array = new Float64Array(24)
  /** n and d a face. */
  planes: Float64Array = new Float64Array(24)
  /** An edge: its first corner, its direction (not of unit length), the normals of its left and right face: 12 numbers. */
  edges: Float64Array = new Float64Array(144)

  reserve(vertices: number, faces: number, edges: number): void {
    this.vertexCount = vertices
    this.faceCount = faces
    this.edgeCount = edges
    if (3 * vertices > this.vertices.length) this.vertices = new Float64Array(6 * vertices)
    if (4 * faces > this.planes.length) this.planes = new Float64Array(8 * faces)
    if (12 * edges > this.edges.length) this.edges = new Float64Array(24 * edges)
  }
}

/** Corners of an edge and its left and right face. A box has its faces in the order −x, +x, −y, …, its corners by bits. */
const BOX_EDGES = /* @__PURE__ */ boxEdges()
const TRIANGLE_EDGES = /* @__PURE__ */ Int32Array.of(0, 1, 0, 1, 1, 2, 0, 1, 2, 0, 0, 1)
const SEGMENT_EDGES = /* @__PURE__ */ Int32Array.of(0, 1, 0, 0)
const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)

function boxEdges(): Int32Array {
  const edges = new Int32Array(48)
  let o = 0
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3
    const k = (i + 2) % 3
    for (let side = 0; side < 4; side++) {
      const onJ = side & 1
      const onK = side >> 1
      const from = (onJ << j) + (onK << k)
      // Along +i, from outside, j lies left of k where both are on the same side.
      const same = onJ === onK
      edges[o] = from
      edges[o + 1] = from + (1 << i)
      edges[o + 2] = same ? 2 * j + onJ : 2 * k + onK
      edges[o + 3] = same ? 2 * k + onK : 2 * j + onJ
      o += 4
    }
  }
  return edges
}

/** Whether a shape's core is a polytope of more than a point. */
export function isPolytope(shape: Shape): boolean {
  const { kind } = shape
  return kind === BOX || kind === CONVEX_HULL || kind === TRIANGLE || kind === CAPSULE
}

/** Loads the core of a shape that stands where the pair's frame does. */
export function loadPolytope(shape: Shape, out: Polytope): void {
  loadPolytopeAt(shape, IDENTITY, out)
}

/** Loads the core of a shape that stands at `T`. */
export function loadPolytopeAt(shape: Shape, T: Float64Array, out: Polytope): void {
  const { kind, params, hull } = shape
  if (hull !== null) {
    const { vertices, planes, edges } = hull
    out.reserve(vertices.length / 3, planes.length / 4, edges.length / 4)
    out.vertices.set(vertices)
    out.planes.set(planes)
    place(T, out, edges)
  } else if (kind === BOX) {
    out.reserve(8, 6, 12)
    for (let v = 0; v < 8; v++) {
      for (let k = 0; k < 3; k++) out.vertices[3 * v + k] = (v >> k) & 1 ? params[k] : -params[k]
    }
    out.planes.fill(0, 0, 24)
    for (let f = 0; f < 6; f++) {
      out.planes[4 * f + (f >> 1)] = f & 1 ? 1 : -1
      out.planes[4 * f + 3] = params[f >> 1]
    }
    place(T, out, BOX_EDGES)
  } else if (kind === TRIANGLE) {
    out.reserve(3, 2, 3)
    for (let k = 0; k < 9; k++) out.vertices[k] = params[k]
    trianglePlanes(params, out.planes)
    place(T, out, TRIANGLE_EDGES)
  } else {
    out.reserve(2, 0, 1)
    out.vertices.fill(0, 0, 6)
    out.vertices[1] = params[1]
    out.vertices[4] = -params[1]
    place(T, out, SEGMENT_EDGES)
  }
}

/** Both sides of the triangle. */
function trianglePlanes(p: Float64Array, planes: Float64Array): void {
  const ux = p[3] - p[0]
  const uy = p[4] - p[1]
  const uz = p[5] - p[2]
  const vx = p[6] - p[0]
  const vy = p[7] - p[1]
  const vz = p[8] - p[2]
  const x = uy * vz - uz * vy
  const y = uz * vx - ux * vz
  const z = ux * vy - uy * vx
  const length = Math.sqrt(x * x + y * y + z * z)
  planes[0] = x / length
  planes[1] = y / length
  planes[2] = z / length
  planes[3] = planes[0] * p[0] + planes[1] * p[1] + planes[2] * p[2]
  for (let k = 0; k < 4; k++) planes[4 + k] = -planes[k]
}

/** Moves corners and planes by `T` and writes the edges. */
function place(
  T: Float64Array,
  { vertices, planes, edges, vertexCount, faceCount, edgeCount }: Polytope,
  list: Int32Array,
): void {
  for (let o = 0; o < 3 * vertexCount; o += 3) {
    const x = vertices[o]
    const y = vertices[o + 1]
    const z = vertices[o + 2]
    vertices[o] = T[3] * x + T[4] * y + T[5] * z + T[0]
    vertices[o + 1] = T[6] * x + T[7] * y + T[8] * z + T[1]
    vertices[o + 2] = T[9] * x + T[10] * y + T[11] * z + T[2]
  }
  for (let o = 0; o < 4 * faceCount; o += 4) {
    const x = planes[o]
    const y = planes[o + 1]
    const z = planes[o + 2]
    planes[o] = T[3] * x + T[4] * y + T[5] * z
    planes[o + 1] = T[6] * x + T[7] * y + T[8] * z
    planes[o + 2] = T[9] * x + T[10] * y + T[11] * z
    planes[o + 3] += planes[o] * T[0] + planes[o + 1] * T[1] + planes[o + 2] * T[2]
  }
  for (let e = 0; e < edgeCount; e++) {
    const i = 3 * list[4 * e]
    const j = 3 * list[4 * e + 1]
    const left = 4 * list[4 * e + 2]
    const right = 4 * list[4 * e + 3]
    const o = 12 * e
    for (let k = 0; k < 3; k++) {
      edges[o + k] = vertices[i + k]
      edges[o + 3 + k] = vertices[j + k] - vertices[i + k]
      // A segment has no faces: zeros forbid no direction.
      edges[o + 6 + k] = faceCount > 0 ? planes[left + k] : 0
      edges[o + 9 + k] = faceCount > 0 ? planes[right + k] : 0
    }
  }
}
