/**
 * Two lines side by side, seen along the normal: axes of capsules, sides of cylinders, edges. They touch along the stretch
 * where they lie over each other, which its two ends stand for.
 */

import { CLOSEST, MARGIN } from './closest-pair.js'
import type { Manifold } from './manifold.js'
import { FACE_A, FACE_B, type Polygon, writeBasis } from './polygon.js'

/** sin of the angle to the normal's plane within which a line lies in it: 3°. */
const LEVEL = 0.05
/** How far a point may be off the surface by being between two lines that are not quite parallel [m]. */
const OFF_SURFACE = 5e-7
/** A stretch shorter than this share of the shorter line is a point. */
const SHORT = 1e-3

/** By how much the stretch may miss the separation of the two [m]. */
const MISSED = 1e-7

const basis = /* @__PURE__ */ new Float64Array(6)
/** Ends of a line as u, v, w: twice three numbers, a's and b's. */
const lineA = /* @__PURE__ */ new Float64Array(6)
const lineB = /* @__PURE__ */ new Float64Array(6)
/** Names of the first ends. */
const names = /* @__PURE__ */ new Int32Array(2)

/**
 * Appends the ends of the stretch along which FACE_A and FACE_B (or an edge of them) lie over each other to the manifold.
 * @returns false if there is none: the two touch in a point
 */
export function sideBySide(n: Float64Array, manifold: Manifold): boolean {
  writeBasis(n, basis)
  if (!writeLine(n, FACE_A, -1, lineA, 0) || !writeLine(n, FACE_B, 1, lineB, 1)) return false
  // From the nearest point along a's line: x is along it, y to the side.
  let ex = lineA[3] - lineA[0]
  let ey = lineA[4] - lineA[1]
  const lengthA = Math.sqrt(ex * ex + ey * ey)
  ex /= lengthA
  ey /= lengthA
  const fx = lineB[3] - lineB[0]
  const fy = lineB[4] - lineB[1]
  const lengthB = Math.sqrt(fx * fx + fy * fy)
  const along = fx * ex + fy * ey
  const aside = fy * ex - fx * ey
  if (Math.abs(aside) > LEVEL * lengthB) return false
  const shorter = Math.min(lengthA, lengthB)
  const cu = basis[0] * CLOSEST[3] + basis[1] * CLOSEST[4] + basis[2] * CLOSEST[5]
  const cv = basis[3] * CLOSEST[3] + basis[4] * CLOSEST[4] + basis[5] * CLOSEST[5]
  const a0 = (lineA[0] - cu) * ex + (lineA[1] - cv) * ey
  const b0 = (lineB[0] - cu) * ex + (lineB[1] - cv) * ey
  const b1 = b0 + along
  let low = Math.max(a0, Math.min(b0, b1))
  let high = Math.min(a0 + lengthA, Math.max(b0, b1))
  // Sideways by δ at x, the lines share that as their radii: each surface is then δ² r/(2 (r_a + r_b)²) lower.
  const round = FACE_A.radius + FACE_B.radius
  const sideways =
    round > 0 ? round * Math.sqrt((2 * OFF_SURFACE) / Math.max(FACE_A.radius, FACE_B.radius)) : OFF_SURFACE
  // At x the line of b is y0 + x aside/along to the side.
  const y0 = (lineB[1] - lineA[1]) * ex - (lineB[0] - lineA[0]) * ey - (b0 * aside) / along
  if (aside !== 0) {
    const one = ((-sideways - y0) * along) / aside
    const two = ((sideways - y0) * along) / aside
    low = Math.max(low, Math.min(one, two))
    high = Math.min(high, Math.max(one, two))
  } else if (Math.abs(y0) > sideways) return false
  const shareA = round > 0 ? FACE_A.radius / round : 0.5
  if (!(high - low > SHORT * shorter)) return false
  // The edge that faces most is not always the one they touch with.
  const nearest = Math.min(gapAt(low, a0, lengthA, b0, along), gapAt(high, a0, lengthA, b0, along))
  if (nearest > CLOSEST[9] + MISSED) return false
  for (let k = 0; k < 2; k++) {
    const x = k === 0 ? low : high
    const onA = (x - a0) / lengthA
    const onB = (x - b0) / along
    const wa = lineA[2] + onA * (lineA[5] - lineA[2])
    const wb = lineB[2] + onB * (lineB[5] - lineB[2])
    if (wa - wb > MARGIN[0]) continue
    const ua = lineA[0] + onA * (lineA[3] - lineA[0])
    const va = lineA[1] + onA * (lineA[4] - lineA[1])
    const u = ua + shareA * (lineB[0] + onB * (lineB[3] - lineB[0]) - ua)
    const v = va + shareA * (lineB[1] + onB * (lineB[4] - lineB[1]) - va)
    const i = manifold.count++
    for (let c = 0; c < 3; c++) {
      const flat = basis[c] * u + basis[3 + c] * v
      manifold.pointA[3 * i + c] = flat + n[c] * wa
      manifold.pointB[3 * i + c] = flat + n[c] * wb
    }
    manifold.separation[i] = wa - wb
    manifold.feature[i] = 2 * names[0] + k
  }
  return true
}

/** Height of a's line over b's at x. */
function gapAt(x: number, a0: number, lengthA: number, b0: number, along: number): number {
  const wa = lineA[2] + ((x - a0) / lengthA) * (lineA[5] - lineA[2])
  return wa - lineB[2] - ((x - b0) / along) * (lineB[5] - lineB[2])
}

/** Writes the line of a feature, or the edge of a polygon that lies farthest along sign·n, if it is level. */
function writeLine(n: Float64Array, face: Polygon, sign: number, out: Float64Array, side: number): boolean {
  const { points, labels, count } = face
  if (count < 2) return false
  let best = 0
  if (count > 2) {
    let most = -Infinity
    let before = sign * height(n, points, 0)
    for (let k = 0; k < count; k++) {
      const after = sign * height(n, points, 3 * ((k + 1) % count))
      const lower = Math.min(before, after)
      if (lower > most) {
        most = lower
        best = k
      }
      before = after
    }
  }
  const next = (best + 1) % count
  for (let end = 0; end < 2; end++) {
    const o = 3 * (end === 0 ? best : next)
    out[3 * end] = basis[0] * points[o] + basis[1] * points[o + 1] + basis[2] * points[o + 2]
    out[3 * end + 1] = basis[3] * points[o] + basis[4] * points[o + 1] + basis[5] * points[o + 2]
    out[3 * end + 2] = height(n, points, o)
  }
  names[side] = labels[best]
  const u = out[3] - out[0]
  const v = out[4] - out[1]
  const w = out[5] - out[2]
  return w * w <= LEVEL * LEVEL * (u * u + v * v)
}

function height(n: Float64Array, points: Float64Array, o: number): number {
  return n[0] * points[o] + n[1] * points[o + 1] + n[2] * points[o + 2]
}
