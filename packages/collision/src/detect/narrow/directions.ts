/**
 * Directions along which two overlapping cores are likely to be least deep, where one is curved: normals of faces, and directions
 * across one line of each (an edge, the side of a cylinder or cone).
 */

import { BOX, CAPSULE, CYLINDER, type Shape, TAPERED_CAPSULE, TRIANGLE } from '../../shapes/shape.js'
import { separationAlong } from './hill-climbing.js'

/** sin² of the angle of two lines that have no common perpendicular to speak of. */
const PARALLEL = 1e-6

/** A line of a shape: direction (3, unit) and n_out·direction of the surface along it. */
class Lines {
  count = 0
  data: Float64Array = new Float64Array(4 * 16)

  add(T: Float64Array, x: number, y: number, z: number, slope: number): void {
    if (4 * this.count === this.data.length) {
      const old = this.data
      this.data = new Float64Array(2 * old.length)
      this.data.set(old)
    }
    const o = 4 * this.count++
    const length = Math.sqrt(x * x + y * y + z * z)
    this.data[o] = (T[3] * x + T[4] * y + T[5] * z) / length
    this.data[o + 1] = (T[6] * x + T[7] * y + T[8] * z) / length
    this.data[o + 2] = (T[9] * x + T[10] * y + T[11] * z) / length
    this.data[o + 3] = slope
  }
}

const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
const linesA = /* @__PURE__ */ new Lines()
const linesB = /* @__PURE__ */ new Lines()
const n = /* @__PURE__ */ new Float64Array(3)

/** The best direction so far and its separation. */
export const BEST_AXIS: Float64Array = /* @__PURE__ */ new Float64Array(4)

/** Forgets all, and tries the normals of the shapes' faces. */
export function findNormals(a: Shape, b: Shape, T: Float64Array): void {
  BEST_AXIS[3] = -Infinity
  tryNormals(a, IDENTITY, a, b, T)
  tryNormals(b, T, a, b, T)
}

/** Tries directions across one line of each, and from one to the other. */
export function findAcross(a: Shape, b: Shape, T: Float64Array): void {
  writeLines(a, IDENTITY, linesA)
  writeLines(b, T, linesB)
  for (let i = 0; i < linesA.count; i++) {
    for (let j = 0; j < linesB.count; j++) tryAcross(4 * i, 4 * j, a, b, T)
  }
  n[0] = -T[0]
  n[1] = -T[1]
  n[2] = -T[2]
  const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
  if (length > 0) {
    for (let k = 0; k < 3; k++) n[k] /= length
    tryDirection(a, b, T)
  }
}

/** Keeps n if it is better. */
function tryDirection(a: Shape, b: Shape, T: Float64Array): void {
  const s = separationAlong(a, b, T, n, 0)
  if (s <= BEST_AXIS[3]) return
  BEST_AXIS.set(n)
  BEST_AXIS[3] = s
}

/** Both ways along (x, y, z), which is in the frame that stands at `S`. */
function tryBoth(x: number, y: number, z: number, S: Float64Array, a: Shape, b: Shape, T: Float64Array): void {
  n[0] = S[3] * x + S[4] * y + S[5] * z
  n[1] = S[6] * x + S[7] * y + S[8] * z
  n[2] = S[9] * x + S[10] * y + S[11] * z
  tryDirection(a, b, T)
  for (let k = 0; k < 3; k++) n[k] = -n[k]
  tryDirection(a, b, T)
}

/** Normals of the faces of `shape`, which stands at `S`. */
function tryNormals(shape: Shape, S: Float64Array, a: Shape, b: Shape, T: Float64Array): void {
  const { kind, params, hull } = shape
  if (kind === BOX) {
    tryBoth(1, 0, 0, S, a, b, T)
    tryBoth(0, 1, 0, S, a, b, T)
    tryBoth(0, 0, 1, S, a, b, T)
  } else if (kind === CYLINDER) {
    tryBoth(0, 1, 0, S, a, b, T)
  } else if (kind === TRIANGLE) {
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
    tryBoth(x / length, y / length, z / length, S, a, b, T)
  } else if (hull !== null) {
    const { planes } = hull
    for (let o = 0; o < planes.length; o += 4) tryBoth(planes[o], planes[o + 1], planes[o + 2], S, a, b, T)
  }
}

/** Edges, and the sides of cylinders, capsules and cones. */
function writeLines({ kind, params, hull }: Shape, S: Float64Array, out: Lines): void {
  out.count = 0
  if (kind === BOX) {
    out.add(S, 1, 0, 0, 0)
    out.add(S, 0, 1, 0, 0)
    out.add(S, 0, 0, 1, 0)
  } else if (kind === TRIANGLE) {
    out.add(S, params[3] - params[0], params[4] - params[1], params[5] - params[2], 0)
    out.add(S, params[6] - params[3], params[7] - params[4], params[8] - params[5], 0)
    out.add(S, params[0] - params[6], params[1] - params[7], params[2] - params[8], 0)
  } else if (kind === CYLINDER || kind === CAPSULE) {
    out.add(S, 0, 1, 0, 0)
  } else if (kind === TAPERED_CAPSULE) {
    out.add(S, 0, 1, 0, (params[1] - params[0]) / (2 * params[2]))
  } else if (hull !== null) {
    const { vertices, edges } = hull
    for (let e = 0; e < edges.length; e += 4) {
      const i = 3 * edges[e]
      const j = 3 * edges[e + 1]
      out.add(S, vertices[j] - vertices[i], vertices[j + 1] - vertices[i + 1], vertices[j + 2] - vertices[i + 2], 0)
    }
  }
}

/** The two directions n with n·d_a = −slope_a and n·d_b = slope_b: n points into a. */
function tryAcross(i: number, j: number, a: Shape, b: Shape, T: Float64Array): void {
  const { data: u } = linesA
  const { data: v } = linesB
  const ux = u[i]
  const uy = u[i + 1]
  const uz = u[i + 2]
  const vx = v[j]
  const vy = v[j + 1]
  const vz = v[j + 2]
  const wx = uy * vz - uz * vy
  const wy = uz * vx - ux * vz
  const wz = ux * vy - uy * vx
  const ww = wx * wx + wy * wy + wz * wz
  if (ww <= PARALLEL) {
    tryAside(ux, uy, uz, a, b, T)
    return
  }
  const uv = ux * vx + uy * vy + uz * vz
  const ru = -u[i + 3]
  const rv = v[j + 3]
  const alpha = (ru - rv * uv) / ww
  const beta = (rv - ru * uv) / ww
  const x = alpha * ux + beta * vx
  const y = alpha * uy + beta * vy
  const z = alpha * uz + beta * vz
  const rest = 1 - x * x - y * y - z * z
  if (rest <= 0) return
  const gamma = Math.sqrt(rest / ww)
  for (let sign = -1; sign <= 1; sign += 2) {
    n[0] = x + sign * gamma * wx
    n[1] = y + sign * gamma * wy
    n[2] = z + sign * gamma * wz
    tryDirection(a, b, T)
  }
}

/** Both ways across two parallel lines: from one to the other, or any where they are one. */
function tryAside(ux: number, uy: number, uz: number, a: Shape, b: Shape, T: Float64Array): void {
  const along = T[0] * ux + T[1] * uy + T[2] * uz
  n[0] = T[0] - along * ux
  n[1] = T[1] - along * uy
  n[2] = T[2] - along * uz
  let size = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
  if (size === 0) {
    const onX = Math.abs(ux) < 0.6
    n[0] = onX ? 0 : -uy
    n[1] = onX ? -uz : ux
    n[2] = onX ? uy : 0
    size = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
  }
  for (let k = 0; k < 3; k++) n[k] /= size
  tryBoth(n[0], n[1], n[2], IDENTITY, a, b, T)
}
