/**
 * The last digits for curved cores: GJK, which builds them of corners, finds the features that touch and gets slow then.
 *
 * With the features fixed, the separation along a unit n is smooth,
 *
 *   s(n) = n·m − r_a |n − (n·y_a) y_a| − r_b |n − (n·y_b) y_b| − balls,
 *
 * m from base to base, r and y radius and axis of a rim. Where a feature is a line D (an edge, the side of a cylinder or
 * cone), n·D is given: both ends are equally near. With two lines that determines n; with one, n runs on a circle; with none, on
 * the sphere. Newton's steps on those: with w = ∇s and H the second derivative, the sphere's own is P (H − s) P.
 *
 * Where a feature that was left out is nearer along the n found, it is put in, and n sought anew.
 *
 * At the maximum, w and some part of each line add up to a multiple of n; that gives the points.
 */

import { CYLINDER, type Shape, TAPERED_CAPSULE } from '../../shapes/shape.js'
import { CLOSEST } from './closest-pair.js'
import { coreSupport } from './core.js'
import { simplex } from './gjk.js'
import {
  addLine,
  addSide,
  endOf,
  type Feature,
  featureA,
  featureB,
  IDENTITY,
  lineCount,
  lines,
  readFeature,
  setLineCount,
} from './newton-features.js'
import {
  across,
  addRim,
  maximizeOnCircle,
  maximizeOnSphere,
  n,
  PARALLEL,
  solveTwoLines,
  w,
  writeGradient,
  writeTangents,
} from './newton-steps.js'
import { pointToShape } from './point.js'

/** Where two lines cross, one of each shape: the distance of their place from the border of the parallelogram they span [m]. */
export const FACET: Float64Array = /* @__PURE__ */ new Float64Array(1)

/** Separations [m] that are equal but for rounding. */
const SAME = 1e-10
/** sin of the angle to the axis within which a cap may touch as a whole. */
const UPRIGHT = 0.05
/** How far a point may be off its surface [m]. */
const MOVED = 5e-7
/** Share of a line by which its point may lie beyond an end. */
const BEYOND = 1e-7
/** What may be left across n [m]. */
const ALIGNED = 1e-8

/** Lines, bases and balls as they were. */
const kept = /* @__PURE__ */ new Float64Array(18)
/** What GJK found. */
const start = /* @__PURE__ */ new Float64Array(11)
const pointA = /* @__PURE__ */ new Float64Array(3)
const pointB = /* @__PURE__ */ new Float64Array(3)

/**
 * Starts at the normal in `CLOSEST`, with the features of GJK's last simplex for cores a and b, b at `T`, and writes
 * `CLOSEST` at a maximum of s(n), for a b moved on by `shift`. What turns out to be nearer than the features is added to them.
 * @returns false if that does not end; `CLOSEST` is then spoilt
 */
export function refine(a: Shape, b: Shape, T: Float64Array, shift: Float64Array): boolean {
  setLineCount(0)
  readFeature(a, IDENTITY, simplex.a, 1, featureA)
  readFeature(b, T, simplex.b, -1, featureB)
  for (let k = 0; k < 3; k++) featureB.base[k] += shift[k]
  start.set(CLOSEST)
  FACET[0] = 0
  if ((featureA.cap && capNormal(featureA)) || (featureA.face && faceNormal(1))) {
    if (touchFace(a, b, T, shift, true)) return true
  }
  if ((featureB.cap && capNormal(featureB)) || (featureB.face && faceNormal(-1))) {
    if (touchFace(a, b, T, shift, false)) return true
  }
  if (maximize(a, b, T, shift)) return true
  // One of two lines may be there in vain: of what it joins, only one end touches.
  if (lineCount < 2) return false
  kept.set(lines)
  for (let k = 0; k < 3; k++) {
    kept[10 + k] = featureA.base[k]
    kept[13 + k] = featureB.base[k]
  }
  kept[16] = featureA.ball
  kept[17] = featureB.ball
  for (let trial = 0; trial < 4; trial++) {
    for (let k = 0; k < 3; k++) {
      featureA.base[k] = kept[10 + k]
      featureB.base[k] = kept[13 + k]
    }
    featureA.ball = kept[16]
    featureB.ball = kept[17]
    const dropped = trial < 2 ? 0 : 5
    for (let k = 0; k < 5; k++) lines[k] = kept[5 - dropped + k]
    setLineCount(1)
    if (trial % 2 === 1) {
      // The other end; a line of the same shape then starts there.
      const feature = kept[dropped + 4] > 0 ? featureA : featureB
      const same = lines[4] === kept[dropped + 4]
      for (let k = 0; k < 3; k++) {
        feature.base[k] += kept[dropped + k]
        if (same) lines[k] -= kept[dropped + k]
      }
      feature.ball += kept[dropped + 3] * kept[dropped + 4]
    }
    if (maximize(a, b, T, shift)) return true
  }
  return false
}

/** From where GJK left off, with the features and lines at hand; writes `CLOSEST`, or returns false. */
function maximize(a: Shape, b: Shape, T: Float64Array, shift: Float64Array): boolean {
  for (let k = 0; k < 3; k++) n[k] = start[k]
  for (;;) {
    const found = lineCount === 2 ? solveTwoLines() : lineCount === 1 ? maximizeOnCircle() : maximizeOnSphere()
    if (!found) return false
    const s = writeGradient() - featureA.ball - featureB.ball
    writeSupport(a, IDENTITY, null, pointA)
    writeSupport(b, T, shift, pointB)
    const real = n[0] * (pointA[0] - pointB[0]) + n[1] * (pointA[1] - pointB[1]) + n[2] * (pointA[2] - pointB[2])
    if (real >= s - SAME) return writePoints()
    // Two lines determine n: no more can be added.
    if (lineCount === 2) return false
    const count = lineCount
    addNearer(a, IDENTITY, pointA, null, 1, featureA)
    addNearer(b, T, pointB, shift, -1, featureB)
    if (lineCount === count) return false
  }
}

/** Adds the line from a feature to the support at `point`, if that is of another one. */
function addNearer(
  shape: Shape,
  T: Float64Array,
  point: Float64Array,
  shift: Float64Array | null,
  owner: number,
  { base }: Feature,
): void {
  if (shape.kind !== CYLINDER && shape.kind !== TAPERED_CAPSULE) {
    const x = point[0] - base[0]
    const y = point[1] - base[1]
    const z = point[2] - base[2]
    if (owner * (n[0] * x + n[1] * y + n[2] * z) < -SAME) addLine(x, y, z, 0, owner)
    return
  }
  if (shift !== null) for (let k = 0; k < 3; k++) point[k] -= shift[k]
  const least = shape.kind === CYLINDER ? 0 : Math.min(shape.params[0], shape.params[1])
  const end = endOf(shape.kind, shape.params, least, T, point, 0)
  let along = 0
  for (let k = 0; k < 3; k++) along += (base[k] - (shift === null ? 0 : shift[k]) - T[k]) * T[4 + 3 * k]
  const from = along > 0 ? 1 : -1
  if (end !== from) addSide(shape, T, from, owner)
}

/** The normal of a cap that n is nearly along, to n; false if it is not. */
function capNormal({ axis }: Feature): boolean {
  const up = start[0] * axis[0] + start[1] * axis[1] + start[2] * axis[2]
  for (let k = 0; k < 3; k++) n[k] = up < 0 ? -axis[k] : axis[k]
  return 1 - up * up <= UPRIGHT * UPRIGHT
}

/** The normal of the face with the two lines, which are `owner`'s, to n; false if n is not nearly along it. */
function faceNormal(owner: number): boolean {
  if (lineCount < 2 || lines[4] !== owner || lines[9] !== owner) return false
  for (let k = 0; k < 3; k++) n[k] = start[k]
  if (!solveTwoLines()) return false
  const cos = n[0] * start[0] + n[1] * start[1] + n[2] * start[2]
  return 1 - cos * cos <= UPRIGHT * UPRIGHT
}

/** A cap or face of one determines n. Over it is the other's lowest point, or an edge or face in which GJK's point lies. */
function touchFace(a: Shape, b: Shape, T: Float64Array, shift: Float64Array, onA: boolean): boolean {
  const { base, rim } = onA ? featureA : featureB
  const point = onA ? pointB : pointA
  if (onA) writeSupport(b, T, shift, pointB)
  else writeSupport(a, IDENTITY, null, pointA)
  let height = 0
  for (let k = 0; k < 3; k++) height += n[k] * (base[k] - point[k])
  const o = onA ? 6 : 3
  for (let attempt = 0; attempt < 2; attempt++) {
    let square = 0
    for (let k = 0; k < 3; k++) {
      const foot = point[k] + height * n[k]
      square += (foot - base[k]) * (foot - base[k])
      CLOSEST[o + k] = point[k]
      CLOSEST[9 - o + k] = foot
      CLOSEST[k] = n[k]
    }
    CLOSEST[9] = onA ? height : -height
    if (
      rim > 0 ? square <= rim * rim * (1 + BEYOND) : holds(onA ? a : b, onA ? IDENTITY : T, onA ? null : shift, 9 - o)
    ) {
      return true
    }
    let other = 0
    for (let k = 0; k < 3; k++) {
      point[k] = start[o + k]
      other += n[k] * (base[k] - point[k])
    }
    // Moved by less than can be told, it is as low.
    if (Math.abs(other - height) > MOVED) return false
    for (let k = 0; k < 3; k++) point[k] += (other - height) * n[k]
  }
  return false
}

/** Distance of a point of the parallelogram of both lines from its border. */
function parallelogramDisc(i: number, j: number): number {
  const uu = lines[0] * lines[0] + lines[1] * lines[1] + lines[2] * lines[2]
  const vv = lines[5] * lines[5] + lines[6] * lines[6] + lines[7] * lines[7]
  const uv = lines[0] * lines[5] + lines[1] * lines[6] + lines[2] * lines[7]
  const sin = Math.sqrt(Math.max(0, 1 - (uv * uv) / (uu * vv)))
  return sin * Math.min(Math.sqrt(uu) * Math.min(i, 1 - i), Math.sqrt(vv) * Math.min(j, 1 - j))
}

/** Whether the point at CLOSEST[o…], which lies in the plane of a face of the polytope, lies in the face. */
function holds(shape: Shape, T: Float64Array, shift: Float64Array | null, o: number): boolean {
  for (let k = 0; k < 3; k++) w[k] = CLOSEST[o + k] - T[k] - (shift === null ? 0 : shift[k])
  for (let k = 0; k < 3; k++) across[k] = T[3 + k] * w[0] + T[6 + k] * w[1] + T[9 + k] * w[2]
  return pointToShape(shape, across) <= SAME
}

/** The point of a core, which stands at `T` and is shifted on, that lies farthest along n (for b) or against it (for a). */
function writeSupport(shape: Shape, T: Float64Array, shift: Float64Array | null, out: Float64Array): void {
  const sign = shift === null ? -1 : 1
  for (let k = 0; k < 3; k++) across[k] = sign * (T[3 + k] * n[0] + T[6 + k] * n[1] + T[9 + k] * n[2])
  coreSupport(shape, across, w)
  for (let k = 0; k < 3; k++) {
    out[k] = T[k] + T[3 + 3 * k] * w[0] + T[4 + 3 * k] * w[1] + T[5 + 3 * k] * w[2] + (shift === null ? 0 : shift[k])
  }
}

/** Points on both features, moved along the lines until they are along n of each other; false if no such move is allowed. */
function writePoints(): boolean {
  const s = writeGradient() - featureA.ball - featureB.ball
  writeTangents()
  let i = 0
  let j = 0
  const p = across[0] * w[0] + across[1] * w[1] + across[2] * w[2]
  const q = across[3] * w[0] + across[4] * w[1] + across[5] * w[2]
  // w + Σ i σ D across n vanishes, σ = 1 for lines of a, −1 for those of b.
  const u0 = lines[4] * (across[0] * lines[0] + across[1] * lines[1] + across[2] * lines[2])
  const u1 = lines[4] * (across[3] * lines[0] + across[4] * lines[1] + across[5] * lines[2])
  if (lineCount === 1) {
    i = -(p * u0 + q * u1) / (u0 * u0 + u1 * u1)
  } else if (lineCount === 2) {
    const v0 = lines[9] * (across[0] * lines[5] + across[1] * lines[6] + across[2] * lines[7])
    const v1 = lines[9] * (across[3] * lines[5] + across[4] * lines[6] + across[5] * lines[7])
    const determinant = u0 * v1 - u1 * v0
    const uu = u0 * u0 + u1 * u1
    const vv = v0 * v0 + v1 * v1
    if (determinant * determinant <= PARALLEL * PARALLEL * uu * vv) {
      // As far as the one line goes, and the rest along the other.
      i = Math.max(0, Math.min(1, -(p * u0 + q * u1) / uu))
      j = -((p + i * u0) * v0 + (q + i * u1) * v1) / vv
    } else {
      i = (v0 * q - v1 * p) / determinant
      j = (u1 * p - u0 * q) / determinant
    }
  }
  if (!(i >= -BEYOND && i <= 1 + BEYOND && j >= -BEYOND && j <= 1 + BEYOND)) return false
  // Two lines of one shape are sides of a triangle in its face.
  if (lineCount === 2 && lines[4] === lines[9] && i + j > 1 + BEYOND) return false
  FACET[0] = lineCount === 2 && lines[4] !== lines[9] ? parallelogramDisc(i, j) : 0
  const onA = lineCount > 0 && lines[4] > 0
  const onB = lineCount > 0 && lines[4] < 0
  const alsoA = lineCount > 1 && lines[9] > 0
  const alsoB = lineCount > 1 && lines[9] < 0
  // Along the side of a cone the ball grows as the line's n·D says.
  const ballA = featureA.ball + (onA ? i * lines[3] : 0) + (alsoA ? j * lines[8] : 0)
  const ballB = featureB.ball - (onB ? i * lines[3] : 0) - (alsoB ? j * lines[8] : 0)
  // The rims' parts of w, told apart.
  for (let k = 0; k < 3; k++) w[k] = 0
  addRim(featureA)
  for (let k = 0; k < 3; k++) {
    const first = i * lines[k]
    const second = j * lines[5 + k]
    CLOSEST[k] = n[k]
    CLOSEST[3 + k] = featureA.base[k] + w[k] - ballA * n[k] + (onA ? first : 0) + (alsoA ? second : 0)
    w[k] = 0
  }
  addRim(featureB)
  let miss = 0
  for (let k = 0; k < 3; k++) {
    const first = i * lines[k]
    const second = j * lines[5 + k]
    CLOSEST[6 + k] = featureB.base[k] - w[k] + ballB * n[k] + (onB ? first : 0) + (alsoB ? second : 0)
    miss = Math.max(miss, Math.abs(CLOSEST[3 + k] - CLOSEST[6 + k] - s * n[k]))
  }
  CLOSEST[9] = s
  return miss <= ALIGNED
}
