/**
 * Support of convex shapes, in their own frames: the point that lies farthest along a direction, and the face there.
 *
 * A hull of many vertices is climbed along its edges. On a convex surface a vertex that is beaten by no neighbour is beaten
 * by none, so the climb ends at the farthest one wherever it begins.
 */

import { BOX, CAPSULE, CONVEX_HULL, CYLINDER, type Shape, TAPERED_CAPSULE, TRIANGLE } from './shape.js'
import type { HullData } from './hull-data.js'

/** Hulls with more vertices than this are climbed: about where that begins to pay. */
const CLIMB_ABOVE = 32

/** Corners of the polygon that stands for the round face of a cylinder. */
const CAP_CORNERS = 8

/** cos 45°: the corners of a cap are (1, 0), (C, C), (0, 1), … in x and −z. */
const C = Math.SQRT1_2
const CAP_X = /* @__PURE__ */ Float64Array.of(1, C, 0, -C, -1, -C, 0, C)
const CAP_Z = /* @__PURE__ */ Float64Array.of(0, -C, -1, -C, 0, C, 1, C)

/** Labels of the two ends of a side, apart from those of the caps. */
const SIDE_TOP = 2 * CAP_CORNERS
const SIDE_BOTTOM = 2 * CAP_CORNERS + 1

/** The outward unit normal of the face that `writeFace` wrote last; that of a round end is along the direction. */
export const FACE_NORMAL: Float64Array = /* @__PURE__ */ new Float64Array(3)

/** A line on a side: distance from the axis and height of its upper end, and of its lower end. */
const LINE = /* @__PURE__ */ new Float64Array(4)

/**
 * Writes the point of a convex shape that lies farthest along d[di…di + 2], of any length, to out[o…o + 2].
 * @returns the number of the vertex, where the shape has vertices: bit k of a box's is set where coordinate k is > 0; 1 for
 *   the bottom ball of a capsule, else 0
 */
export function support(shape: Shape, d: Float64Array, di: number, out: Float64Array, o: number): number {
  const params = shape.params
  const x = d[di]
  const y = d[di + 1]
  const z = d[di + 2]
  switch (shape.kind) {
    case BOX: {
      out[o] = x > 0 ? params[0] : -params[0]
      out[o + 1] = y > 0 ? params[1] : -params[1]
      out[o + 2] = z > 0 ? params[2] : -params[2]
      return (x > 0 ? 1 : 0) + (y > 0 ? 2 : 0) + (z > 0 ? 4 : 0)
    }
    case CONVEX_HULL: {
      const hull = shape.hull!
      const v = supportVertex(hull, d, di)
      out[o] = hull.vertices[3 * v]
      out[o + 1] = hull.vertices[3 * v + 1]
      out[o + 2] = hull.vertices[3 * v + 2]
      return v
    }
    case TRIANGLE: {
      const a = params[0] * x + params[1] * y + params[2] * z
      const b = params[3] * x + params[4] * y + params[5] * z
      const c = params[6] * x + params[7] * y + params[8] * z
      const v = a >= b && a >= c ? 0 : b >= c ? 1 : 2
      out[o] = params[3 * v]
      out[o + 1] = params[3 * v + 1]
      out[o + 2] = params[3 * v + 2]
      return v
    }
    case CYLINDER: {
      const radial = Math.sqrt(x * x + z * z)
      // Straight along the axis every point of the cap will do; its middle needs no direction.
      const scale = radial > 0 ? params[0] / radial : 0
      out[o] = scale * x
      out[o + 1] = y > 0 ? params[1] : -params[1]
      out[o + 2] = scale * z
      return 0
    }
    default:
      return roundSupport(shape, d, di, out, o)
  }
}

/** The farthest vertex of a hull along d[di…di + 2]. */
function supportVertex(hull: HullData, d: Float64Array, di: number): number {
  const { vertices } = hull
  const x = d[di]
  const y = d[di + 1]
  const z = d[di + 2]
  let best = 0
  if (vertices.length <= 3 * CLIMB_ABOVE) {
    let most = vertices[0] * x + vertices[1] * y + vertices[2] * z
    for (let i = 3; i < vertices.length; i += 3) {
      const reach = vertices[i] * x + vertices[i + 1] * y + vertices[i + 2] * z
      if (reach > most) {
        most = reach
        best = i / 3
      }
    }
    return best
  }
  const { neighbours, neighbourStart, extremes } = hull
  const ax = Math.abs(x)
  const ay = Math.abs(y)
  const az = Math.abs(z)
  if (ax >= ay && ax >= az) best = extremes[x > 0 ? 1 : 0]
  else if (ay >= az) best = extremes[y > 0 ? 3 : 2]
  else best = extremes[z > 0 ? 5 : 4]
  let most = vertices[3 * best] * x + vertices[3 * best + 1] * y + vertices[3 * best + 2] * z
  for (let from = -1; from !== best;) {
    from = best
    for (let k = neighbourStart[from]; k < neighbourStart[from + 1]; k++) {
      const v = neighbours[k]
      const reach = vertices[3 * v] * x + vertices[3 * v + 1] * y + vertices[3 * v + 2] * z
      if (reach > most) {
        most = reach
        best = v
      }
    }
  }
  return best
}

/** Of a sphere or a capsule: its radius along the direction, from the centre from which that leads farthest. */
function roundSupport(shape: Shape, d: Float64Array, di: number, out: Float64Array, o: number): number {
  const params = shape.params
  const x = d[di]
  const y = d[di + 1]
  const z = d[di + 2]
  const length = Math.sqrt(x * x + y * y + z * z)
  let radius = params[0]
  let centre = 0
  let ball = 0
  if (shape.kind === CAPSULE) {
    ball = y > 0 ? 0 : 1
    centre = ball === 0 ? params[1] : -params[1]
  } else if (shape.kind === TAPERED_CAPSULE) {
    // The top one leads farther if h y + r_top |d| > −h y + r_bottom |d|.
    ball = 2 * params[2] * y > (params[1] - params[0]) * length ? 0 : 1
    centre = ball === 0 ? params[2] : -params[2]
    radius = params[ball]
  }
  // Any direction will do where none is given.
  const scale = length > 0 ? radius / length : 0
  out[o] = scale * x
  out[o + 1] = length > 0 ? centre + scale * y : centre + radius
  out[o + 2] = scale * z
  return ball
}

/**
 * Writes the face of a convex shape that faces most along d[di…di + 2], of any length but 0: the corners of a polygon in
 * order, counter-clockwise seen from outside, three numbers each; the two ends, top first, of the line on the side of a
 * cylinder or capsule; or the one point of a round end. `ids` gets a name for each corner that no other corner of the shape
 * has; `FACE_NORMAL` gets its normal. A hull can have faces of `hull.largestFace` corners, others of 8.
 * @returns how many corners
 */
export function writeFace(shape: Shape, d: Float64Array, di: number, out: Float64Array, ids: Int32Array): number {
  switch (shape.kind) {
    case BOX:
      return writeBoxFace(shape.params, d, di, out, ids)
    case CONVEX_HULL:
      return writeHullFace(shape.hull!, d, di, out, ids)
    case TRIANGLE:
      return writeTriangle(shape.params, d, di, out, ids)
    case CYLINDER:
      return writeCylinderFace(shape.params, d, di, out, ids)
    case CAPSULE:
    case TAPERED_CAPSULE:
      return writeCapsuleFace(shape, d, di, out, ids)
    default:
      return writeRoundEnd(shape, d, di, out, ids)
  }
}

function writeBoxFace(half: Float64Array, d: Float64Array, di: number, out: Float64Array, ids: Int32Array): number {
  const ax = Math.abs(d[di])
  const ay = Math.abs(d[di + 1])
  const az = Math.abs(d[di + 2])
  const axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2
  const sign = d[di + axis] > 0 ? 1 : -1
  // The other two axes, u × v = sign axis: u and v swap places on the negative side.
  const u = sign > 0 ? (axis + 1) % 3 : (axis + 2) % 3
  const v = 3 - axis - u
  for (let k = 0; k < 4; k++) {
    // (+, +), (−, +), (−, −), (+, −)
    const su = k === 0 || k === 3 ? 1 : -1
    const sv = k < 2 ? 1 : -1
    out[3 * k + axis] = sign * half[axis]
    out[3 * k + u] = su * half[u]
    out[3 * k + v] = sv * half[v]
    ids[k] = (sign > 0 ? 1 << axis : 0) + (su > 0 ? 1 << u : 0) + (sv > 0 ? 1 << v : 0)
  }
  FACE_NORMAL[0] = FACE_NORMAL[1] = FACE_NORMAL[2] = 0
  FACE_NORMAL[axis] = sign
  return 4
}

function writeHullFace(hull: HullData, d: Float64Array, di: number, out: Float64Array, ids: Int32Array): number {
  const { planes, faceStart, faceVertices, vertices } = hull
  const x = d[di]
  const y = d[di + 1]
  const z = d[di + 2]
  let best = 0
  let most = -Infinity
  for (let o = 0; o < planes.length; o += 4) {
    const facing = planes[o] * x + planes[o + 1] * y + planes[o + 2] * z
    if (facing > most) {
      most = facing
      best = o >> 2
    }
  }
  const start = faceStart[best]
  const count = faceStart[best + 1] - start
  for (let k = 0; k < count; k++) {
    const v = faceVertices[start + k]
    out[3 * k] = vertices[3 * v]
    out[3 * k + 1] = vertices[3 * v + 1]
    out[3 * k + 2] = vertices[3 * v + 2]
    ids[k] = v
  }
  FACE_NORMAL[0] = planes[4 * best]
  FACE_NORMAL[1] = planes[4 * best + 1]
  FACE_NORMAL[2] = planes[4 * best + 2]
  return count
}

/** From behind, its corners the other way round. */
function writeTriangle(p: Float64Array, d: Float64Array, di: number, out: Float64Array, ids: Int32Array): number {
  const bx = p[3] - p[0]
  const by = p[4] - p[1]
  const bz = p[5] - p[2]
  const cx = p[6] - p[0]
  const cy = p[7] - p[1]
  const cz = p[8] - p[2]
  const nx = by * cz - bz * cy
  const ny = bz * cx - bx * cz
  const nz = bx * cy - by * cx
  const front = nx * d[di] + ny * d[di + 1] + nz * d[di + 2] >= 0
  for (let k = 0; k < 3; k++) {
    const v = front ? k : 2 - k
    out[3 * k] = p[3 * v]
    out[3 * k + 1] = p[3 * v + 1]
    out[3 * k + 2] = p[3 * v + 2]
    ids[k] = v
  }
  const scale = (front ? 1 : -1) / Math.sqrt(nx * nx + ny * ny + nz * nz)
  FACE_NORMAL[0] = scale * nx
  FACE_NORMAL[1] = scale * ny
  FACE_NORMAL[2] = scale * nz
  return 3
}

/** A cap is written as a regular polygon with its corners on the rim, which does not turn with the direction. */
function writeCylinderFace(
  params: Float64Array,
  d: Float64Array,
  di: number,
  out: Float64Array,
  ids: Int32Array,
): number {
  const radius = params[0]
  const h = params[1]
  const x = d[di]
  const y = d[di + 1]
  const z = d[di + 2]
  const radial = Math.sqrt(x * x + z * z)
  FACE_NORMAL[0] = FACE_NORMAL[1] = FACE_NORMAL[2] = 0
  if (radial > Math.abs(y)) {
    FACE_NORMAL[0] = x / radial
    FACE_NORMAL[2] = z / radial
    LINE[0] = LINE[2] = radius
    LINE[1] = h
    LINE[3] = -h
    return writeLine(out, ids)
  }
  const top = y > 0
  for (let k = 0; k < CAP_CORNERS; k++) {
    const corner = top ? k : CAP_CORNERS - 1 - k
    out[3 * k] = radius * CAP_X[corner]
    out[3 * k + 1] = top ? h : -h
    out[3 * k + 2] = radius * CAP_Z[corner]
    ids[k] = top ? corner : CAP_CORNERS + corner
  }
  FACE_NORMAL[1] = top ? 1 : -1
  return CAP_CORNERS
}

/**
 * The line on the side of a capsule where its normal, which leans up by s = sin φ = (r_bottom − r_top)/(2 h), faces along
 * the direction; the point of an end where the direction is nearer to the axis than to the side.
 */
function writeCapsuleFace(shape: Shape, d: Float64Array, di: number, out: Float64Array, ids: Int32Array): number {
  const params = shape.params
  const tapered = shape.kind === TAPERED_CAPSULE
  const top = params[0]
  const bottom = params[tapered ? 1 : 0]
  const h = params[tapered ? 2 : 1]
  const x = d[di]
  const y = d[di + 1]
  const z = d[di + 2]
  const radial = Math.sqrt(x * x + z * z)
  const s = (bottom - top) / (2 * h)
  const c = Math.sqrt(1 - s * s)
  if (c * radial + s * y <= C * Math.sqrt(radial * radial + y * y)) return writeRoundEnd(shape, d, di, out, ids)
  FACE_NORMAL[0] = (c * x) / radial
  FACE_NORMAL[1] = s
  FACE_NORMAL[2] = (c * z) / radial
  LINE[0] = c * top
  LINE[1] = h + s * top
  LINE[2] = c * bottom
  LINE[3] = s * bottom - h
  return writeLine(out, ids)
}

/** Writes `LINE` on the side to which `FACE_NORMAL` points. */
function writeLine(out: Float64Array, ids: Int32Array): number {
  const x = FACE_NORMAL[0]
  const z = FACE_NORMAL[2]
  const radial = Math.sqrt(x * x + z * z)
  for (let k = 0; k < 2; k++) {
    out[3 * k] = (LINE[2 * k] * x) / radial
    out[3 * k + 1] = LINE[2 * k + 1]
    out[3 * k + 2] = (LINE[2 * k] * z) / radial
  }
  ids[0] = SIDE_TOP
  ids[1] = SIDE_BOTTOM
  return 2
}

function writeRoundEnd(shape: Shape, d: Float64Array, di: number, out: Float64Array, ids: Int32Array): number {
  const x = d[di]
  const y = d[di + 1]
  const z = d[di + 2]
  const length = Math.sqrt(x * x + y * y + z * z)
  FACE_NORMAL[0] = x / length
  FACE_NORMAL[1] = y / length
  FACE_NORMAL[2] = z / length
  ids[0] = roundSupport(shape, d, di, out, 0)
  return 1
}
