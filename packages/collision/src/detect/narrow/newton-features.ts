/**
 * What two curved cores touch with, for Newton's method (`newton.ts`): corners, rims and balls, and lines on which the point may lie.
 */

import { CYLINDER, type Shape, TAPERED_CAPSULE } from '../../shapes/shape.js'
import { simplex } from './gjk.js'

/** What one of the two touches with. */
export class Feature {
  /** Corner, centre of a rim or of a ball. */
  readonly base: Float64Array = new Float64Array(3)
  /** Radius of the rim, 0 for none, and its axis. */
  rim = 0
  readonly axis: Float64Array = new Float64Array(3)
  /** Radius of the ball. */
  ball = 0
  /** Whether several points of one rim are in the simplex: perhaps all of the cap touches. */
  cap = false
  /** The same of three corners and a face. */
  face = false
}

export const IDENTITY: Float64Array = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)

export const featureA: Feature = /* @__PURE__ */ new Feature()
export const featureB: Feature = /* @__PURE__ */ new Feature()
/** Lines: direction (3), n·D, and whose it is (1: a, −1: b). Two at most are used. */
export const lines: Float64Array = /* @__PURE__ */ new Float64Array(10)
export let lineCount = 0

/** Keeps the first so many lines. */
export function setLineCount(count: number): void {
  lineCount = count
}

/** Reads from the corners of the simplex what the shape, which stands at `T`, touches with. */
export function readFeature(shape: Shape, T: Float64Array, points: Float64Array, owner: number, out: Feature): void {
  out.rim = out.ball = 0
  out.cap = out.face = false
  const { kind, params } = shape
  const { count } = simplex
  if (kind !== CYLINDER && kind !== TAPERED_CAPSULE) {
    for (let k = 0; k < 3; k++) out.base[k] = points[k]
    let distinct = 0
    for (let i = 1; i < count; i++) {
      let repeats = false
      for (let j = 0; j < i; j++) {
        repeats ||=
          points[3 * i] === points[3 * j] &&
          points[3 * i + 1] === points[3 * j + 1] &&
          points[3 * i + 2] === points[3 * j + 2]
      }
      const o = 3 * i
      if (repeats) continue
      if (distinct++ === 1) out.face = true
      addLine(points[o] - points[0], points[o + 1] - points[1], points[o + 2] - points[2], 0, owner)
    }
    return
  }
  const h = params[kind === CYLINDER ? 1 : 2]
  const x = T[4]
  const y = T[7]
  const z = T[10]
  const least = kind === CYLINDER ? 0 : Math.min(params[0], params[1])
  const end = endOf(kind, params, least, T, points, 0)
  let other = end
  for (let i = 1; i < count; i++) if (endOf(kind, params, least, T, points, 3 * i) !== end) other = -end
  out.base[0] = T[0] + end * h * x
  out.base[1] = T[1] + end * h * y
  out.base[2] = T[2] + end * h * z
  if (kind === CYLINDER) {
    out.rim = params[0]
    out.axis[0] = x
    out.axis[1] = y
    out.axis[2] = z
    out.cap = count > 1 && other === end
  } else {
    out.ball = (end > 0 ? params[0] : params[1]) - least
  }
  if (other !== end) addSide(shape, T, end, owner)
}

/** Adds the line on the side of a cylinder or cone that starts at one end. */
export function addSide({ kind, params }: Shape, T: Float64Array, end: number, owner: number): void {
  const h = params[kind === CYLINDER ? 1 : 2]
  const grows = kind === CYLINDER ? 0 : end > 0 ? params[1] - params[0] : params[0] - params[1]
  addLine(-2 * end * h * T[4], -2 * end * h * T[7], -2 * end * h * T[10], grows * owner, owner)
}

/** Which end of its axis a point of a cylinder's rim or of a tapered capsule's ball belongs to: 1 or −1. */
export function endOf(
  kind: number,
  params: Float64Array,
  least: number,
  T: Float64Array,
  points: Float64Array,
  o: number,
): number {
  const dx = points[o] - T[0]
  const dy = points[o + 1] - T[1]
  const dz = points[o + 2] - T[2]
  const along = dx * T[4] + dy * T[7] + dz * T[10]
  if (kind === CYLINDER) return along > 0 ? 1 : -1
  // One end of a core is a point.
  const h = params[2]
  const square = dx * dx + dy * dy + dz * dz - along * along
  const top = square + (along - h) * (along - h)
  const bottom = square + (along + h) * (along + h)
  const r = params[0] - least
  const q = params[1] - least
  return Math.abs(Math.sqrt(top) - r) < Math.abs(Math.sqrt(bottom) - q) ? 1 : -1
}

/** Adds a line, unless there are two. */
export function addLine(x: number, y: number, z: number, slope: number, owner: number): void {
  // A third line agrees with the two.
  if (lineCount === 2) return
  const o = 5 * lineCount++
  lines[o] = x
  lines[o + 1] = y
  lines[o + 2] = z
  lines[o + 3] = slope
  lines[o + 4] = owner
}
