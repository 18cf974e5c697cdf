/**
 * Signed distance of two cores of which one is curved: a cylinder, or what is left of a tapered capsule.
 *
 * Apart, GJK finds the features that touch and Newton's method (`newton.ts`) the place on them. For overlap:
 *
 * Along a unit n from b to a they are  s(n) = min_a n·a − max_b n·b  apart; the separation is the largest s(n). Maxima are at
 * normals of faces, at directions across one line of each shape (edges, the sides of cylinders and cones), or in between, at
 * a rim. Those of the first two kinds are tried one by one; from the best of them s climbs: with b pushed off along n until
 * the two are a gap apart, their nearest points give n′, and
 *
 *   s(n′) = |nearest| − push n·n′ >= s(n) cos(n, n′)
 *
 * as s < 0. At a maximum n′ = n. Flat features get there in one step; at a surface of radius ρ an error of angle shrinks by
 * (push + gap)/(ρ + gap) a step.
 */

import { BOX, CAPSULE, CYLINDER, type Shape, TAPERED_CAPSULE, TRIANGLE } from '../shape.js'
import { CLOSEST } from './closest-pair.js'
import { coreSupport } from './core.js'
import { EXACT, gjk, SLACK } from './gjk.js'
import { refine } from './newton.js'

/** Gap to which the climb pushes the two apart, as a share of their sizes. */
const GAP = 0.02
/** Share of the squared distance by which GJK's bounds may differ when it has found the features. */
const ROUGH = 1e-5
/** Separations [m] that are equal but for rounding. */
const SAME = 1e-11
/** The climb ends when a step wins less than this [m]. */
const CLIMBED = 1e-11
const MAX_CLIMB = 60
/** How many of the best directions are climbed from. */
const STARTS = 4
/** Directions closer than this (cos) count as one start. */
const ALIKE = 0.999
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
const pushed = /* @__PURE__ */ new Float64Array(12)
/** Best directions so far and their values, falling: 4 numbers each. */
const starts = /* @__PURE__ */ new Float64Array(4 * STARTS)
const n = /* @__PURE__ */ new Float64Array(3)
const down = /* @__PURE__ */ new Float64Array(3)
const local = /* @__PURE__ */ new Float64Array(3)
const p = /* @__PURE__ */ new Float64Array(3)
const q = /* @__PURE__ */ new Float64Array(3)
const shift = /* @__PURE__ */ new Float64Array(3)
/** What GJK found. */
const rough = /* @__PURE__ */ new Float64Array(10)
const found = /* @__PURE__ */ new Float64Array(10)

/** Signed distance of the cores of a and b, b at `T`, as `gjk` gives it; writes `CLOSEST`. */
export function curvedDistance(a: Shape, b: Shape, T: Float64Array, limit: number): number {
  const distance = gjk(a, b, T, limit, ROUGH)
  if (distance === Infinity) return Infinity
  if (distance === 0) return curvedDepth(a, b, T)
  if (SLACK[0] <= EXACT) return distance
  shift.fill(0)
  if (refine(a, b, T, shift) && isReal(a, b, T)) return CLOSEST[9]
  return gjk(a, b, T, Infinity, EXACT)
}

/** Separation of overlapping cores. */
function curvedDepth(a: Shape, b: Shape, T: Float64Array): number {
  for (let k = 0; k < STARTS; k++) starts[4 * k + 3] = -Infinity
  tryNormals(a, IDENTITY, a, b, T)
  tryNormals(b, T, a, b, T)
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
  const gap = GAP * Math.min(a.reach, b.reach)
  found[9] = -Infinity
  for (let k = 0; k < STARTS && starts[4 * k + 3] > -Infinity; k++) {
    for (let i = 0; i < 3; i++) n[i] = starts[4 * k + i]
    climb(a, b, T, starts[4 * k + 3], gap)
    if (CLOSEST[9] > found[9]) found.set(CLOSEST)
  }
  CLOSEST.set(found)
  return CLOSEST[9]
}

/** s(n). */
function separationAlong(a: Shape, b: Shape, T: Float64Array): number {
  const x = n[0]
  const y = n[1]
  const z = n[2]
  down[0] = -x
  down[1] = -y
  down[2] = -z
  local[0] = T[3] * x + T[6] * y + T[9] * z
  local[1] = T[4] * x + T[7] * y + T[10] * z
  local[2] = T[5] * x + T[8] * y + T[11] * z
  coreSupport(a, down, p)
  coreSupport(b, local, q)
  return (
    x * (p[0] - T[0]) + y * (p[1] - T[1]) + z * (p[2] - T[2]) - (local[0] * q[0] + local[1] * q[1] + local[2] * q[2])
  )
}

/** Puts n among the starts if it is one of the best. */
function tryDirection(a: Shape, b: Shape, T: Float64Array): void {
  const s = separationAlong(a, b, T)
  let k = 0
  while (k < STARTS && starts[4 * k + 3] >= s) {
    if (isLike(k)) return
    k++
  }
  if (k === STARTS) return
  // What stands behind moves back, as far as one that this direction replaces.
  let end = k
  while (end < STARTS - 1 && !isLike(end)) end++
  for (let i = end; i > k; i--) for (let c = 0; c < 4; c++) starts[4 * i + c] = starts[4 * i - 4 + c]
  for (let c = 0; c < 3; c++) starts[4 * k + c] = n[c]
  starts[4 * k + 3] = s
}

function isLike(k: number): boolean {
  const o = 4 * k
  return starts[o + 3] > -Infinity && n[0] * starts[o] + n[1] * starts[o + 1] + n[2] * starts[o + 2] > ALIKE
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
  if (a.kind === CYLINDER) tryRim(ux, uy, uz, vx, vy, vz, a, b, T)
  if (b.kind === CYLINDER) tryRim(vx, vy, vz, ux, uy, uz, a, b, T)
}

/** Directions across the line (ex, ey, ez) at which the rim of a cylinder with the axis (yx, yy, yz) may touch it. */
function tryRim(
  yx: number,
  yy: number,
  yz: number,
  ex: number,
  ey: number,
  ez: number,
  a: Shape,
  b: Shape,
  T: Float64Array,
): void {
  // Across both, and the other direction across the line: half way between them, all four ways.
  const wx = ey * yz - ez * yy
  const wy = ez * yx - ex * yz
  const wz = ex * yy - ey * yx
  const scale = Math.SQRT1_2 / Math.sqrt(wx * wx + wy * wy + wz * wz)
  const px = scale * (wx + wy * ez - wz * ey)
  const py = scale * (wy + wz * ex - wx * ez)
  const pz = scale * (wz + wx * ey - wy * ex)
  tryBoth(px, py, pz, IDENTITY, a, b, T)
  tryBoth(2 * scale * wx - px, 2 * scale * wy - py, 2 * scale * wz - pz, IDENTITY, a, b, T)
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

/** Climbs from n, whose value is s, and writes `CLOSEST` at the top. */
function climb(a: Shape, b: Shape, T: Float64Array, s: number, gap: number): void {
  let value = s
  let tolerance = ROUGH
  for (let step = 0; step < MAX_CLIMB; step++) {
    const next = pushApart(a, b, T, gap - value, tolerance)
    if (SLACK[0] > EXACT && refine(a, b, pushed, shift)) {
      if (CLOSEST[9] >= next - SAME && isReal(a, b, T)) return
      CLOSEST.set(rough)
    }
    if (next <= value + CLIMBED) {
      // Where Newton's method did not end the climb, GJK has to go all the way.
      if (tolerance === EXACT || SLACK[0] <= EXACT) return
      tolerance = EXACT
    }
    value = Math.max(value, next)
    for (let k = 0; k < 3; k++) n[k] = CLOSEST[k]
  }
}

/** Pushes b off along n and writes the normal to `CLOSEST`, with the points and the separation that it has without the push. */
function pushApart(a: Shape, b: Shape, T: Float64Array, push: number, tolerance: number): number {
  pushed.set(T)
  for (let k = 0; k < 3; k++) {
    shift[k] = push * n[k]
    pushed[k] = T[k] - shift[k]
  }
  const distance = gjk(a, b, pushed, Infinity, tolerance)
  for (let k = 0; k < 3; k++) CLOSEST[6 + k] += shift[k]
  CLOSEST[9] = distance - push * (n[0] * CLOSEST[0] + n[1] * CLOSEST[1] + n[2] * CLOSEST[2])
  rough.set(CLOSEST)
  return CLOSEST[9]
}

/** Whether no other feature is nearer along the normal in `CLOSEST` than those it was made with. */
function isReal(a: Shape, b: Shape, T: Float64Array): boolean {
  for (let k = 0; k < 3; k++) n[k] = CLOSEST[k]
  return separationAlong(a, b, T) >= CLOSEST[9] - SAME
}
