/**
 * Signed distance of a point to a convex shape, with the nearest point of its surface and the normal there: closed forms.
 *
 * All in the frame of the shape. Inside, the distance is negative and the nearest point that of the nearest face.
 */

import { BOX, CAPSULE, CONVEX_HULL, CYLINDER, PLANE, type Shape, SPHERE, TAPERED_CAPSULE } from '../../shapes/shape.js'
import type { HullData } from '../../shapes/hull-data.js'

/** What is found: the nearest point of the surface, then the outward unit normal. */
export const NEAREST: Float64Array = /* @__PURE__ */ new Float64Array(6)

/** Distance that the functions `nearestOf…` find [m]: what a function returns would be boxed. */
export const APART: Float64Array = /* @__PURE__ */ new Float64Array(1)

const w = /* @__PURE__ */ new Float64Array(3)
/** What `nearestOfBall` is handed, in memory, or it would be boxed: height of its centre, and its radius [m]. */
const ball = /* @__PURE__ */ new Float64Array(2)
const HEIGHT = 0
const THICK = 1

/** Writes `NEAREST` for the point p; returns its signed distance [m]. */
export function pointToShape(shape: Shape, p: Float64Array): number {
  nearestOfShape(shape, p)
  return APART[0]
}

/** The same, the distance into `APART`. */
export function nearestOfShape(shape: Shape, p: Float64Array): void {
  const { kind, params } = shape
  if (kind === SPHERE || kind === CAPSULE) {
    ball[HEIGHT] = kind === SPHERE ? 0 : Math.max(-params[1], Math.min(params[1], p[1]))
    ball[THICK] = params[0]
    nearestOfBall(p)
  } else if (kind === TAPERED_CAPSULE) nearestOfTapered(p, params)
  else if (kind === BOX) nearestOfBox(p, params)
  else if (kind === CYLINDER) nearestOfCylinder(p, params)
  else if (kind === CONVEX_HULL) nearestOfHull(p, shape.hull!)
  else if (kind === PLANE) nearestOfPlane(p, params)
  else nearestOfTriangle(p, params, 0, 3, 6)
}

/** The ball about (0, y, 0) that `ball` tells of. */
function nearestOfBall(p: Float64Array): void {
  const y = ball[HEIGHT]
  const radius = ball[THICK]
  const dx = p[0]
  const dy = p[1] - y
  const dz = p[2]
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
  // At the centre every direction is as near; on the axis of a capsule those across it are.
  const nx = length > 0 ? dx / length : 1
  const ny = length > 0 ? dy / length : 0
  const nz = length > 0 ? dz / length : 0
  NEAREST[0] = radius * nx
  NEAREST[1] = y + radius * ny
  NEAREST[2] = radius * nz
  NEAREST[3] = nx
  NEAREST[4] = ny
  NEAREST[5] = nz
  APART[0] = length - radius
}

/** In the plane of p and the axis: (ρ, y). The side's normal is (c, s), s = (r_bottom − r_top)/(2 h). */
function nearestOfTapered(p: Float64Array, params: Float64Array): void {
  const h = params[2]
  const s = (params[1] - params[0]) / (2 * h)
  const c = Math.sqrt(1 - s * s)
  const rho = Math.sqrt(p[0] * p[0] + p[2] * p[2])
  // Up along the side, from below the bottom centre: its balls end where this is 0 and 2 h c.
  const along = -s * rho + c * (p[1] + h)
  if (along <= 0 || along >= 2 * h * c) {
    ball[HEIGHT] = along <= 0 ? -h : h
    ball[THICK] = along <= 0 ? params[1] : params[0]
    nearestOfBall(p)
    return
  }
  const distance = c * rho + s * (p[1] + h) - params[1]
  const nx = rho > 0 ? (c * p[0]) / rho : c
  const nz = rho > 0 ? (c * p[2]) / rho : 0
  NEAREST[0] = p[0] - distance * nx
  NEAREST[1] = p[1] - distance * s
  NEAREST[2] = p[2] - distance * nz
  NEAREST[3] = nx
  NEAREST[4] = s
  NEAREST[5] = nz
  APART[0] = distance
}

function nearestOfBox(p: Float64Array, half: Float64Array): void {
  const x = Math.max(-half[0], Math.min(half[0], p[0]))
  const y = Math.max(-half[1], Math.min(half[1], p[1]))
  const z = Math.max(-half[2], Math.min(half[2], p[2]))
  const dx = p[0] - x
  const dy = p[1] - y
  const dz = p[2] - z
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
  if (distance > 0) {
    NEAREST[0] = x
    NEAREST[1] = y
    NEAREST[2] = z
    NEAREST[3] = dx / distance
    NEAREST[4] = dy / distance
    NEAREST[5] = dz / distance
    APART[0] = distance
    return
  }
  let axis = 0
  let depth = half[0] - Math.abs(x)
  for (let k = 1; k < 3; k++) {
    const other = half[k] - Math.abs(p[k])
    if (other < depth) {
      depth = other
      axis = k
    }
  }
  const sign = p[axis] < 0 ? -1 : 1
  NEAREST[0] = x
  NEAREST[1] = y
  NEAREST[2] = z
  NEAREST[3] = 0
  NEAREST[4] = 0
  NEAREST[5] = 0
  NEAREST[axis] = sign * half[axis]
  NEAREST[3 + axis] = sign
  APART[0] = -depth
}

function nearestOfCylinder(p: Float64Array, params: Float64Array): void {
  const radius = params[0]
  const h = params[1]
  const rho = Math.sqrt(p[0] * p[0] + p[2] * p[2])
  const x = rho > 0 ? p[0] / rho : 1
  const z = rho > 0 ? p[2] / rho : 0
  const up = p[1] < 0 ? -1 : 1
  const outward = rho - radius
  const above = up * p[1] - h
  if (outward > 0 && above > 0) {
    const distance = Math.sqrt(outward * outward + above * above)
    const side = outward / distance
    NEAREST[0] = radius * x
    NEAREST[1] = up * h
    NEAREST[2] = radius * z
    NEAREST[3] = side * x
    NEAREST[4] = (up * above) / distance
    NEAREST[5] = side * z
    APART[0] = distance
    return
  }
  if (outward > above) {
    NEAREST[0] = radius * x
    NEAREST[1] = p[1]
    NEAREST[2] = radius * z
    NEAREST[3] = x
    NEAREST[4] = 0
    NEAREST[5] = z
    APART[0] = outward
    return
  }
  NEAREST[0] = p[0]
  NEAREST[1] = up * h
  NEAREST[2] = p[2]
  NEAREST[3] = 0
  NEAREST[4] = up
  NEAREST[5] = 0
  APART[0] = above
}

function nearestOfPlane(p: Float64Array, params: Float64Array): void {
  const nx = params[0]
  const ny = params[1]
  const nz = params[2]
  const distance = nx * p[0] + ny * p[1] + nz * p[2] - params[3]
  NEAREST[0] = p[0] - distance * nx
  NEAREST[1] = p[1] - distance * ny
  NEAREST[2] = p[2] - distance * nz
  NEAREST[3] = nx
  NEAREST[4] = ny
  NEAREST[5] = nz
  APART[0] = distance
}

/** The face it lies farthest above; where it is above several, the nearest point of those faces. */
function nearestOfHull(p: Float64Array, hull: HullData): void {
  const { planes, faceStart } = hull
  const faces = faceStart.length - 1
  let most = -Infinity
  let face = 0
  for (let f = 0; f < faces; f++) {
    const o = 4 * f
    const above = planes[o] * p[0] + planes[o + 1] * p[1] + planes[o + 2] * p[2] - planes[o + 3]
    if (above > most) {
      most = above
      face = f
    }
  }
  if (most <= 0 || aboveFace(p, hull, face)) {
    const o = 4 * face
    const nx = planes[o]
    const ny = planes[o + 1]
    const nz = planes[o + 2]
    NEAREST[0] = p[0] - most * nx
    NEAREST[1] = p[1] - most * ny
    NEAREST[2] = p[2] - most * nz
    NEAREST[3] = nx
    NEAREST[4] = ny
    NEAREST[5] = nz
    APART[0] = most
    return
  }
  nearestOfFaces(p, hull)
}

/** Whether p lies straight above the face. */
function aboveFace(p: Float64Array, { planes, vertices, faceStart, faceVertices }: HullData, face: number): boolean {
  const nx = planes[4 * face]
  const ny = planes[4 * face + 1]
  const nz = planes[4 * face + 2]
  const end = faceStart[face + 1]
  let i = 3 * faceVertices[end - 1]
  for (let k = faceStart[face]; k < end; k++) {
    const j = 3 * faceVertices[k]
    const ex = vertices[j] - vertices[i]
    const ey = vertices[j + 1] - vertices[i + 1]
    const ez = vertices[j + 2] - vertices[i + 2]
    const dx = p[0] - vertices[i]
    const dy = p[1] - vertices[i + 1]
    const dz = p[2] - vertices[i + 2]
    if (nx * (ey * dz - ez * dy) + ny * (ez * dx - ex * dz) + nz * (ex * dy - ey * dx) < 0) return false
    i = j
  }
  return true
}

/** From outside: the nearest edge point of all faces that p is above. */
function nearestOfFaces(p: Float64Array, hull: HullData): void {
  const { planes, vertices, faceStart, faceVertices } = hull
  let least = Infinity
  for (let f = 0; f < faceStart.length - 1; f++) {
    const o = 4 * f
    const above = planes[o] * p[0] + planes[o + 1] * p[1] + planes[o + 2] * p[2] - planes[o + 3]
    if (above < 0 || above * above >= least) continue
    if (aboveFace(p, hull, f)) {
      least = above * above
      w[0] = p[0] - above * planes[o]
      w[1] = p[1] - above * planes[o + 1]
      w[2] = p[2] - above * planes[o + 2]
      continue
    }
    const end = faceStart[f + 1]
    let i = 3 * faceVertices[end - 1]
    for (let k = faceStart[f]; k < end; k++) {
      const j = 3 * faceVertices[k]
      const ex = vertices[j] - vertices[i]
      const ey = vertices[j + 1] - vertices[i + 1]
      const ez = vertices[j + 2] - vertices[i + 2]
      const dx = p[0] - vertices[i]
      const dy = p[1] - vertices[i + 1]
      const dz = p[2] - vertices[i + 2]
      const share = Math.max(0, Math.min(1, (dx * ex + dy * ey + dz * ez) / (ex * ex + ey * ey + ez * ez)))
      const x = dx - share * ex
      const y = dy - share * ey
      const z = dz - share * ez
      const square = x * x + y * y + z * z
      if (square < least) {
        least = square
        w[0] = p[0] - x
        w[1] = p[1] - y
        w[2] = p[2] - z
      }
      i = j
    }
  }
  const distance = Math.sqrt(least)
  NEAREST[0] = w[0]
  NEAREST[1] = w[1]
  NEAREST[2] = w[2]
  NEAREST[3] = (p[0] - w[0]) / distance
  NEAREST[4] = (p[1] - w[1]) / distance
  NEAREST[5] = (p[2] - w[2]) / distance
  APART[0] = distance
}

/**
 * The triangle of the corners at v[a…], v[b…] and v[c…] (Ericson 2005, 5.1.5). It has no inside: the distance is never
 * negative, and in its plane the normal is that of its front.
 */
export function pointToTriangle(p: Float64Array, v: Float64Array, a: number, b: number, c: number): number {
  nearestOfTriangle(p, v, a, b, c)
  return APART[0]
}

/** The same, the distance into `APART`. */
export function nearestOfTriangle(p: Float64Array, v: Float64Array, a: number, b: number, c: number): void {
  const ax = v[a]
  const ay = v[a + 1]
  const az = v[a + 2]
  const ux = v[b] - ax
  const uy = v[b + 1] - ay
  const uz = v[b + 2] - az
  const vx = v[c] - ax
  const vy = v[c + 1] - ay
  const vz = v[c + 2] - az
  const px = p[0] - ax
  const py = p[1] - ay
  const pz = p[2] - az
  const d1 = ux * px + uy * py + uz * pz
  const d2 = vx * px + vy * py + vz * pz
  const uu = ux * ux + uy * uy + uz * uz
  const uv = ux * vx + uy * vy + uz * vz
  const vv = vx * vx + vy * vy + vz * vz
  const d3 = d1 - uu
  const d4 = d2 - uv
  const d5 = d1 - uv
  const d6 = d2 - vv
  const va = d3 * d6 - d5 * d4
  const vb = d5 * d2 - d1 * d6
  const vc = d1 * d4 - d3 * d2
  let s: number
  let t: number
  if (d1 <= 0 && d2 <= 0) {
    s = t = 0
  } else if (d3 >= 0 && d4 <= d3) {
    s = 1
    t = 0
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    s = d1 / uu
    t = 0
  } else if (d6 >= 0 && d5 <= d6) {
    s = 0
    t = 1
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    s = 0
    t = d2 / vv
  } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    t = (d4 - d3) / (d4 - d3 + (d5 - d6))
    s = 1 - t
  } else {
    s = vb / (va + vb + vc)
    t = vc / (va + vb + vc)
  }
  const x = px - s * ux - t * vx
  const y = py - s * uy - t * vy
  const z = pz - s * uz - t * vz
  const distance = Math.sqrt(x * x + y * y + z * z)
  APART[0] = distance
  NEAREST[0] = p[0] - x
  NEAREST[1] = p[1] - y
  NEAREST[2] = p[2] - z
  if (distance > 0) {
    NEAREST[3] = x / distance
    NEAREST[4] = y / distance
    NEAREST[5] = z / distance
    return
  }
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
  for (let k = 0; k < 3; k++) NEAREST[k] = p[k]
  NEAREST[3] = nx / length
  NEAREST[4] = ny / length
  NEAREST[5] = nz / length
}
