/**
 * Where two parts of surfaces are nearest: a vertex and a triangle, or two edges. The direction between them is one of a plane that has them on its
 * sides; as long as it has, at the start and at the end of straight ways, neither has passed the other.
 */

import { APART, NEAREST, nearestOfTriangle } from '../detect/narrow/point.js'

/** Four corners (3 each): of a vertex and a triangle, or of two edges. */
export const QUAD: Float64Array = /* @__PURE__ */ new Float64Array(12)
/** What is found: distance [m], direction from the second to the first (3), weight of each corner (4), which add up to 0. */
export const NEAR_FOUND: Float64Array = /* @__PURE__ */ new Float64Array(8)
export const DISTANCE = 0
export const DIRECTION = 1
export const WEIGHT = 4

const p = /* @__PURE__ */ new Float64Array(3)

/** The vertex at 0 and the triangle at 1, 2, 3 of `QUAD`. */
export function nearVertex(): void {
  for (let k = 0; k < 3; k++) p[k] = QUAD[k]
  nearestOfTriangle(p, QUAD, 3, 6, 9)
  const ux = QUAD[6] - QUAD[3]
  const uy = QUAD[7] - QUAD[4]
  const uz = QUAD[8] - QUAD[5]
  const vx = QUAD[9] - QUAD[3]
  const vy = QUAD[10] - QUAD[4]
  const vz = QUAD[11] - QUAD[5]
  const x = NEAREST[0] - QUAD[3]
  const y = NEAREST[1] - QUAD[4]
  const z = NEAREST[2] - QUAD[5]
  const uu = ux * ux + uy * uy + uz * uz
  const uv = ux * vx + uy * vy + uz * vz
  const vv = vx * vx + vy * vy + vz * vz
  const pu = x * ux + y * uy + z * uz
  const pv = x * vx + y * vy + z * vz
  const square = uu * vv - uv * uv
  const s = square > 0 ? (vv * pu - uv * pv) / square : 0
  const t = square > 0 ? (uu * pv - uv * pu) / square : 0
  NEAR_FOUND[DISTANCE] = APART[0]
  for (let k = 0; k < 3; k++) NEAR_FOUND[DIRECTION + k] = NEAREST[3 + k]
  NEAR_FOUND[WEIGHT] = 1
  NEAR_FOUND[WEIGHT + 1] = s + t - 1
  NEAR_FOUND[WEIGHT + 2] = -s
  NEAR_FOUND[WEIGHT + 3] = -t
}

/** The edges from 0 to 1 and from 2 to 3 of `QUAD` (Ericson 2005, 5.1.9). */
export function nearEdges(): void {
  const ux = QUAD[3] - QUAD[0]
  const uy = QUAD[4] - QUAD[1]
  const uz = QUAD[5] - QUAD[2]
  const vx = QUAD[9] - QUAD[6]
  const vy = QUAD[10] - QUAD[7]
  const vz = QUAD[11] - QUAD[8]
  const wx = QUAD[0] - QUAD[6]
  const wy = QUAD[1] - QUAD[7]
  const wz = QUAD[2] - QUAD[8]
  const a = ux * ux + uy * uy + uz * uz
  const e = vx * vx + vy * vy + vz * vz
  const b = ux * vx + uy * vy + uz * vz
  const c = ux * wx + uy * wy + uz * wz
  const f = vx * wx + vy * wy + vz * wz
  const square = a * e - b * b
  let s = square > 0 ? clamp((b * f - c * e) / square) : 0
  let t = e > 0 ? (b * s + f) / e : 0
  if (t < 0 || t > 1) {
    t = clamp(t)
    s = a > 0 ? clamp((b * t - c) / a) : 0
  }
  const dx = wx + s * ux - t * vx
  const dy = wy + s * uy - t * vy
  const dz = wz + s * uz - t * vz
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
  NEAR_FOUND[DISTANCE] = distance
  NEAR_FOUND[DIRECTION] = distance > 0 ? dx / distance : 1
  NEAR_FOUND[DIRECTION + 1] = distance > 0 ? dy / distance : 0
  NEAR_FOUND[DIRECTION + 2] = distance > 0 ? dz / distance : 0
  NEAR_FOUND[WEIGHT] = 1 - s
  NEAR_FOUND[WEIGHT + 1] = s
  NEAR_FOUND[WEIGHT + 2] = t - 1
  NEAR_FOUND[WEIGHT + 3] = -t
}

function clamp(x: number): number {
  return x > 0 ? (x < 1 ? x : 1) : 0
}
