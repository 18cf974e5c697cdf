/**
 * When a direction is known to be the least deep of all, so that no other has to be tried.
 *
 * K = { a − b } holds the points w₀ = s n₀, where the two touch, s = −d < 0, and any w of K bounds s(n) <= n·w. With
 * n = cos θ n₀ + sin θ t,
 *
 * - if K holds a ball of radius R > d that touches its surface at w₀, then s(n) <= (R − d) cos θ − R < −d for all n: the balls
 *   in a and in b that touch their surfaces there add up;
 * - if K holds a disc of radius r around w₀ across n₀, then s(n) <= −d cos θ − r sin θ, less than −d up to the angle Θ =
 *   2 atan(r/d); from there on a point w of the far side does it, if n·w < −d at Θ. The disc lies in a face of a over a point
 *   of b, in a face of b under a point of a, or in the parallelogram of a line of each.
 */

import { BOX, CYLINDER, type Shape, TRIANGLE } from '../../shapes/shape.js'
import { separationAlong, SUPPORT_A, SUPPORT_B } from './hill-climbing.js'
import { CLOSEST } from './closest-pair.js'
import { FACET } from './newton.js'

/** cos of the angle within which a direction is the normal of a face. */
const NORMAL = 1 - 1e-12
/** sin of the angle to its axis within which a cylinder's side lies flat. */
const LEVEL = 1e-10

const n = /* @__PURE__ */ new Float64Array(3)
const reverse = /* @__PURE__ */ new Float64Array(3)
const normal = /* @__PURE__ */ new Float64Array(3)
const point = /* @__PURE__ */ new Float64Array(3)
const lowest = /* @__PURE__ */ new Float64Array(3)
const other = /* @__PURE__ */ new Float64Array(3)

/**
 * Whether the direction d[0…2], along which the cores are d[3] apart, is the normal of a face that shows to be least deep;
 * then writes `CLOSEST`.
 */
export function provedByFace(a: Shape, b: Shape, T: Float64Array, d: Float64Array): boolean {
  const s = d[3]
  for (let k = 0; k < 3; k++) n[k] = d[k]
  for (let side = 0; side < 2; side++) {
    separationAlong(a, b, T, n, 0)
    const onA = side === 0
    const over = onA ? b : a
    lowest.set(onA ? SUPPORT_B : SUPPORT_A)
    for (let k = 0; k < 3; k++) {
      const along = T[3 + k] * n[0] + T[6 + k] * n[1] + T[9 + k] * n[2]
      normal[k] = onA ? -n[k] : along
      other[k] = onA ? along : -n[k]
    }
    const level = over.kind === CYLINDER && Math.abs(other[1]) <= LEVEL
    if (over.kind === CYLINDER && Math.abs(other[1]) >= NORMAL) lowest[0] = lowest[2] = 0
    // Of a line that lies flat, both ends and the middle are as low.
    const height = lowest[1]
    for (let place = 1; place >= (level ? -1 : 1); place--) {
      lowest[1] = place * height
      convert(T, lowest, onA)
      const r = discInFace(onA ? a : b, normal, point)
      if (r <= 0 || !reachesFar(a, b, T, s, r)) continue
      writePoints(T, s, onA)
      return true
    }
  }
  return false
}

/** Takes a point of b to the frame of a, or of a to that of b, into `point`. */
function convert(T: Float64Array, p: Float64Array, toA: boolean): void {
  for (let k = 0; k < 3; k++) {
    point[k] = toA
      ? T[k] + T[3 + 3 * k] * p[0] + T[4 + 3 * k] * p[1] + T[5 + 3 * k] * p[2]
      : T[3 + k] * (p[0] - T[0]) + T[6 + k] * (p[1] - T[1]) + T[9 + k] * (p[2] - T[2])
  }
}

/** The point `lowest` of one, and its foot on the other's face. */
function writePoints(T: Float64Array, s: number, onA: boolean): void {
  for (let k = 0; k < 3; k++) {
    CLOSEST[k] = n[k]
    const p = onA ? T[k] + T[3 + 3 * k] * lowest[0] + T[4 + 3 * k] * lowest[1] + T[5 + 3 * k] * lowest[2] : lowest[k]
    CLOSEST[3 + k] = onA ? p + s * n[k] : p
    CLOSEST[6 + k] = onA ? p : p - s * n[k]
  }
  CLOSEST[9] = s
}

/** Whether normal and points in `CLOSEST` show that no direction is less deep. */
export function proved(a: Shape, b: Shape, T: Float64Array): boolean {
  const s = CLOSEST[9]
  for (let k = 0; k < 3; k++) {
    n[k] = CLOSEST[k]
    normal[k] = -n[k]
    point[k] = CLOSEST[3 + k]
  }
  const discA = Math.max(0, discInFace(a, normal, point))
  const ballA = ballAt(a, normal, point)
  for (let k = 0; k < 3; k++) {
    normal[k] = T[3 + k] * n[0] + T[6 + k] * n[1] + T[9 + k] * n[2]
    other[k] = CLOSEST[6 + k]
  }
  convert(T, other, false)
  if (ballA + ballAt(b, normal, point) > -s) return true
  const disc = Math.max(discA + Math.max(0, discInFace(b, normal, point)), FACET[0])
  return disc > 0 && reachesFar(a, b, T, s, disc)
}

/** The second bound, for a disc of radius r. */
function reachesFar(a: Shape, b: Shape, T: Float64Array, s: number, r: number): boolean {
  const d = Math.max(0, -s)
  if (r <= d) return false
  for (let k = 0; k < 3; k++) reverse[k] = -n[k]
  const far = -separationAlong(a, b, T, reverse, 0)
  let square = 0
  for (let k = 0; k < 3; k++) {
    const w =
      SUPPORT_A[k] - T[k] - T[3 + 3 * k] * SUPPORT_B[0] - T[4 + 3 * k] * SUPPORT_B[1] - T[5 + 3 * k] * SUPPORT_B[2]
    square += w * w
  }
  const aside = Math.sqrt(Math.max(0, square - far * far))
  // cos Θ = (d² − r²)/(d² + r²), sin Θ = 2 d r/(d² + r²)
  return far * (d * d - r * r) + aside * 2 * d * r < -d * (d * d + r * r)
}

/** Distance of the foot of a point from the border of the face with that outward normal [m]; −1 if there is no such face. */
function discInFace({ kind, params, hull }: Shape, m: Float64Array, p: Float64Array): number {
  if (kind === BOX) {
    let r = -1
    for (let i = 0; i < 3; i++) {
      if (Math.abs(m[i]) < NORMAL) continue
      const j = (i + 1) % 3
      const k = (i + 2) % 3
      r = Math.min(params[j] - Math.abs(p[j]), params[k] - Math.abs(p[k]))
    }
    return r
  }
  if (kind === CYLINDER) {
    return Math.abs(m[1]) < NORMAL ? -1 : params[0] - Math.sqrt(p[0] * p[0] + p[2] * p[2])
  }
  if (kind === TRIANGLE) return discInTriangle(params, m, p)
  return hull === null ? -1 : discInHull(hull.planes, m, p)
}

function discInTriangle(v: Float64Array, m: Float64Array, p: Float64Array): number {
  let r = Infinity
  for (let i = 0; i < 9; i += 3) {
    const j = (i + 3) % 9
    const k = (i + 6) % 9
    const ex = v[j] - v[i]
    const ey = v[j + 1] - v[i + 1]
    const ez = v[j + 2] - v[i + 2]
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez)
    // Across the edge, in the plane.
    const x = (m[1] * ez - m[2] * ey) / length
    const y = (m[2] * ex - m[0] * ez) / length
    const z = (m[0] * ey - m[1] * ex) / length
    if (Math.abs(m[0] * ex + m[1] * ey + m[2] * ez) > LEVEL * length) return -1
    const side = x * (v[k] - v[i]) + y * (v[k + 1] - v[i + 1]) + z * (v[k + 2] - v[i + 2]) < 0 ? -1 : 1
    r = Math.min(r, side * (x * (p[0] - v[i]) + y * (p[1] - v[i + 1]) + z * (p[2] - v[i + 2])))
  }
  return r
}

function discInHull(planes: Float64Array, m: Float64Array, p: Float64Array): number {
  for (let f = 0; f < planes.length; f += 4) {
    const fx = planes[f]
    const fy = planes[f + 1]
    const fz = planes[f + 2]
    if (fx * m[0] + fy * m[1] + fz * m[2] < NORMAL) continue
    const above = fx * p[0] + fy * p[1] + fz * p[2] - planes[f + 3]
    let r = Infinity
    for (let g = 0; g < planes.length; g += 4) {
      const cos = fx * planes[g] + fy * planes[g + 1] + fz * planes[g + 2]
      if (cos * cos >= NORMAL * NORMAL) continue
      const inside = planes[g + 3] - (planes[g] * p[0] + planes[g + 1] * p[1] + planes[g + 2] * p[2] - above * cos)
      r = Math.min(r, inside / Math.sqrt(1 - cos * cos))
    }
    return r
  }
  return -1
}

/** Radius of the largest ball in a core that touches its surface at p, where the outward normal is m: 0 at edges. */
function ballAt({ kind, params, hull }: Shape, m: Float64Array, p: Float64Array): number {
  if (kind === BOX) {
    let r = -1
    for (let i = 0; i < 3; i++) {
      if (Math.abs(m[i]) < NORMAL) continue
      const j = (i + 1) % 3
      const k = (i + 2) % 3
      r = Math.min(params[i], params[j] - Math.abs(p[j]), params[k] - Math.abs(p[k]))
    }
    return Math.max(0, r)
  }
  if (kind === CYLINDER) {
    const up = Math.abs(m[1])
    const rho = Math.sqrt(p[0] * p[0] + p[2] * p[2])
    if (up >= NORMAL) return Math.max(0, Math.min(params[1], params[0] - rho))
    return up <= LEVEL ? Math.max(0, Math.min(params[0], params[1] - Math.abs(p[1]))) : 0
  }
  return hull === null ? 0 : ballInHull(hull.planes, m, p)
}

/** A ball of radius R under p has its centre R within the face, and that is as far from any other. */
function ballInHull(planes: Float64Array, m: Float64Array, p: Float64Array): number {
  let r = Infinity
  let onFace = false
  for (let g = 0; g < planes.length; g += 4) {
    const cos = m[0] * planes[g] + m[1] * planes[g + 1] + m[2] * planes[g + 2]
    if (cos >= NORMAL) {
      onFace = true
      continue
    }
    const inside = planes[g + 3] - planes[g] * p[0] - planes[g + 1] * p[1] - planes[g + 2] * p[2]
    r = Math.min(r, inside / (1 - cos))
  }
  return onFace ? Math.max(0, r) : 0
}
