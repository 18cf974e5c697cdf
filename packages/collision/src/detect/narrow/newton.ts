/**
 * The last digits for curved cores: GJK, which builds them of corners, finds the features that touch and gets slow then.
 *
 * With the features fixed, the separation along a unit n is smooth,
 *
 *   s(n) = n·m − r_a |n − (n·y_a) y_a| − r_b |n − (n·y_b) y_b| − balls,
 *
 * m from base to base, r and y radius and axis of a rim. Where a feature is a line D (an edge, the side of a cylinder or
 * cone), n·D is given: both ends are equally near. With two lines that settles n; with one, n runs on a circle; with none, on
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
import { pointToShape } from './point.js'

/** Where two lines cross, one of each shape: the distance of their place from the border of the parallelogram they span [m]. */
export const FACET: Float64Array = /* @__PURE__ */ new Float64Array(1)

/** What one of the two touches with. */
class Feature {
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

const MAX_STEPS = 30
/** Separations [m] that are equal but for rounding. */
const SAME = 1e-10
/** sin of the angle to the axis within which a cap may touch as a whole. */
const UPRIGHT = 0.05
/** Length of a step [rad] that ends the iteration: the next would be its square. */
const SETTLED = 1e-9
/** A slope [m] that is rounding: where all directions are as good, any place is. */
const LEVEL = 1e-14
/** The longest step [rad]: what is farther away belongs to other features. */
const LONGEST = 0.3
/** sin of the angle of two lines that do not settle n. */
const PARALLEL = 1e-8
/** How far a point may be off its surface [m]. */
const MOVED = 5e-7
/** Share of a line by which its point may lie beyond an end. */
const BEYOND = 1e-7
/** What may be left across n [m]. */
const ALIGNED = 1e-8

const featureA = /* @__PURE__ */ new Feature()
const featureB = /* @__PURE__ */ new Feature()
/** Lines: direction (3), n·D, and whose it is (1: a, −1: b). Two at most are used. */
const lines = /* @__PURE__ */ new Float64Array(10)
let lineCount = 0

const n = /* @__PURE__ */ new Float64Array(3)
/** Lines, bases and balls as they were. */
const kept = /* @__PURE__ */ new Float64Array(18)
/** What GJK found. */
const start = /* @__PURE__ */ new Float64Array(11)
const pointA = /* @__PURE__ */ new Float64Array(3)
const pointB = /* @__PURE__ */ new Float64Array(3)
const w = /* @__PURE__ */ new Float64Array(3)
const across = /* @__PURE__ */ new Float64Array(9)

/**
 * Starts at the normal in `CLOSEST`, with the features of GJK's last simplex for cores a and b, b at `T`, and writes
 * `CLOSEST` at a maximum of s(n), for a b moved on by `shift`. What turns out to be nearer than the features is added to them.
 * @returns false if that does not end; `CLOSEST` is then spoilt
 */
export function refine(a: Shape, b: Shape, T: Float64Array, shift: Float64Array): boolean {
  lineCount = 0
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
    lineCount = 1
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
    const found = lineCount === 2 ? settle() : lineCount === 1 ? climbCircle() : climbSphere()
    if (!found) return false
    const s = writeGradient() - featureA.ball - featureB.ball
    writeSupport(a, IDENTITY, null, pointA)
    writeSupport(b, T, shift, pointB)
    const real = n[0] * (pointA[0] - pointB[0]) + n[1] * (pointA[1] - pointB[1]) + n[2] * (pointA[2] - pointB[2])
    if (real >= s - SAME) return writePoints()
    // Two lines settle n: no more can be added.
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

/** Adds the line on the side of a cylinder or cone that starts at one end. */
function addSide({ kind, params }: Shape, T: Float64Array, end: number, owner: number): void {
  const h = params[kind === CYLINDER ? 1 : 2]
  const grows = kind === CYLINDER ? 0 : end > 0 ? params[1] - params[0] : params[0] - params[1]
  addLine(-2 * end * h * T[4], -2 * end * h * T[7], -2 * end * h * T[10], grows * owner, owner)
}

const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)

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
  if (!settle()) return false
  const cos = n[0] * start[0] + n[1] * start[1] + n[2] * start[2]
  return 1 - cos * cos <= UPRIGHT * UPRIGHT
}

/** A cap or face of one settles n. Over it is the other's lowest point, or an edge or face in which GJK's point lies. */
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

/** Reads from the corners of the simplex what the shape, which stands at `T`, touches with. */
function readFeature(shape: Shape, T: Float64Array, points: Float64Array, owner: number, out: Feature): void {
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

/** Which end of its axis a point of a cylinder's rim or of a tapered capsule's ball belongs to: 1 or −1. */
function endOf(
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

function addLine(x: number, y: number, z: number, slope: number, owner: number): void {
  // A third line agrees with the two.
  if (lineCount === 2) return
  const o = 5 * lineCount++
  lines[o] = x
  lines[o + 1] = y
  lines[o + 2] = z
  lines[o + 3] = slope
  lines[o + 4] = owner
}

/** Two lines: n·D and n·E are given; the solution on the side where n is. Gram and Schmidt's way, for lines at a small angle. */
function settle(): boolean {
  const lu = Math.sqrt(lines[0] * lines[0] + lines[1] * lines[1] + lines[2] * lines[2])
  const ex = lines[0] / lu
  const ey = lines[1] / lu
  const ez = lines[2] / lu
  const vx = lines[5]
  const vy = lines[6]
  const vz = lines[7]
  const ev = ex * vx + ey * vy + ez * vz
  let fx = vx - ev * ex
  let fy = vy - ev * ey
  let fz = vz - ev * ez
  const lf = Math.sqrt(fx * fx + fy * fy + fz * fz)
  if (lf <= PARALLEL * Math.sqrt(vx * vx + vy * vy + vz * vz)) {
    // Side by side: one of them settles as much as both.
    return climbCircle()
  }
  fx /= lf
  fy /= lf
  fz /= lf
  const ne = lines[3] / lu
  const nf = (lines[8] - ev * ne) / lf
  const rest = 1 - ne * ne - nf * nf
  if (rest <= 0) return false
  const gx = ey * fz - ez * fy
  const gy = ez * fx - ex * fz
  const gz = ex * fy - ey * fx
  const ng = gx * n[0] + gy * n[1] + gz * n[2] < 0 ? -Math.sqrt(rest) : Math.sqrt(rest)
  n[0] = ne * ex + nf * fx + ng * gx
  n[1] = ne * ey + nf * fy + ng * gy
  n[2] = ne * ez + nf * fz + ng * gz
  return true
}

function climbCircle(): boolean {
  if (!ontoCircle()) return false
  let step = 0
  while (step < MAX_STEPS && !stepOnCircle()) step++
  return step < MAX_STEPS
}

function climbSphere(): boolean {
  let step = 0
  while (step < MAX_STEPS && !stepOnSphere()) step++
  return step < MAX_STEPS
}

/** One line: turns n the short way to where n·D is as given. */
function ontoCircle(): boolean {
  const length = Math.sqrt(lines[0] * lines[0] + lines[1] * lines[1] + lines[2] * lines[2])
  const x = lines[0] / length
  const y = lines[1] / length
  const z = lines[2] / length
  const k = lines[3] / length
  const along = n[0] * x + n[1] * y + n[2] * z
  const px = n[0] - along * x
  const py = n[1] - along * y
  const pz = n[2] - along * z
  const size = Math.sqrt(px * px + py * py + pz * pz)
  if (size === 0 || Math.abs(k) >= 1) return false
  const c = Math.sqrt(1 - k * k) / size
  n[0] = c * px + k * x
  n[1] = c * py + k * y
  n[2] = c * pz + k * z
  return true
}

/** w, the separation's gradient at n; returns s less the balls, which no direction changes. */
function writeGradient(): number {
  let s = 0
  for (let k = 0; k < 3; k++) {
    w[k] = featureA.base[k] - featureB.base[k]
    s += n[k] * w[k]
  }
  return s - addRim(featureA) - addRim(featureB)
}

/** Adds a rim's part to w; returns its part of s. */
function addRim({ rim, axis }: Feature): number {
  if (rim === 0) return 0
  const up = n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2]
  const x = n[0] - up * axis[0]
  const y = n[1] - up * axis[1]
  const z = n[2] - up * axis[2]
  const size = Math.sqrt(x * x + y * y + z * z)
  if (size === 0) return 0
  w[0] -= (rim * x) / size
  w[1] -= (rim * y) / size
  w[2] -= (rim * z) / size
  return rim * size
}

/** Part of t H u that a rim has: −(r/|n⊥|) (t·τ)(u·τ), τ = y × n⊥/|n⊥|. Vectors t and u at `across`. */
function rimCurvature({ rim, axis }: Feature, t: number, u: number): number {
  if (rim === 0) return 0
  const ax = axis[0]
  const ay = axis[1]
  const az = axis[2]
  const x = ay * n[2] - az * n[1]
  const y = az * n[0] - ax * n[2]
  const z = ax * n[1] - ay * n[0]
  const square = x * x + y * y + z * z
  if (square === 0) return 0
  const first = across[t] * x + across[t + 1] * y + across[t + 2] * z
  const second = across[u] * x + across[u + 1] * y + across[u + 2] * z
  return (-rim * first * second) / (square * Math.sqrt(square))
}

/** Newton's step around D; true once it is as small as can be. */
function stepOnCircle(): boolean {
  writeGradient()
  const length = Math.sqrt(lines[0] * lines[0] + lines[1] * lines[1] + lines[2] * lines[2])
  const x = lines[0] / length
  const y = lines[1] / length
  const z = lines[2] / length
  const k = lines[3] / length
  // n′ = D × n, n″ = k D − n by the angle around D.
  across[0] = y * n[2] - z * n[1]
  across[1] = z * n[0] - x * n[2]
  across[2] = x * n[1] - y * n[0]
  const slope = w[0] * across[0] + w[1] * across[1] + w[2] * across[2]
  const bend =
    rimCurvature(featureA, 0, 0) +
    rimCurvature(featureB, 0, 0) +
    w[0] * (k * x - n[0]) +
    w[1] * (k * y - n[1]) +
    w[2] * (k * z - n[2])
  const angle = newtonStep(slope, bend)
  for (let c = 0; c < 3; c++) n[c] += angle * across[c]
  return ontoCircle() && Math.abs(angle) <= SETTLED
}

/** −slope/bend where the function is concave, else a step uphill. */
function newtonStep(slope: number, bend: number): number {
  if (Math.abs(slope) <= LEVEL) return 0
  const step = bend < 0 ? -slope / bend : slope > 0 ? LONGEST : -LONGEST
  return Math.max(-LONGEST, Math.min(LONGEST, step))
}

/** Newton's step on the sphere; true once it is as small as can be. */
function stepOnSphere(): boolean {
  const s = writeGradient()
  writeTangents()
  const p = across[0] * w[0] + across[1] * w[1] + across[2] * w[2]
  const q = across[3] * w[0] + across[4] * w[1] + across[5] * w[2]
  const pp = rimCurvature(featureA, 0, 0) + rimCurvature(featureB, 0, 0) - s
  const pq = rimCurvature(featureA, 0, 3) + rimCurvature(featureB, 0, 3)
  const qq = rimCurvature(featureA, 3, 3) + rimCurvature(featureB, 3, 3) - s
  const determinant = pp * qq - pq * pq
  let i: number
  let j: number
  if (p * p + q * q <= LEVEL * LEVEL) return true
  if (pp < 0 && determinant > 0) {
    i = (pq * q - qq * p) / determinant
    j = (pq * p - pp * q) / determinant
  } else {
    // Not concave: uphill.
    const size = Math.sqrt(p * p + q * q)
    i = size > 0 ? (LONGEST * p) / size : 0
    j = size > 0 ? (LONGEST * q) / size : 0
  }
  const length = Math.sqrt(i * i + j * j)
  const scale = length > LONGEST ? LONGEST / length : 1
  for (let c = 0; c < 3; c++) n[c] += scale * (i * across[c] + j * across[3 + c])
  const size = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
  for (let c = 0; c < 3; c++) n[c] /= size
  return length <= SETTLED
}

/** Two unit vectors across n, to the first six numbers of `across`. */
function writeTangents(): void {
  const sign = n[2] < 0 ? -1 : 1
  const p = -1 / (sign + n[2])
  const q = n[0] * n[1] * p
  across[0] = 1 + sign * n[0] * n[0] * p
  across[1] = sign * q
  across[2] = -sign * n[0]
  across[3] = q
  across[4] = sign + n[1] * n[1] * p
  across[5] = -n[1]
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
