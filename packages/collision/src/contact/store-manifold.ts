/** Stores what the narrow phase found in a manifold's row, and finds the old points among the new ones. */

import { type BodyColumns, rotateVectorAt, rotateVectorInverseAt } from '@tautline/core/kernel'
import { LAST } from '../detect/narrow/found-points.js'
import { type Manifold, MAX_POINTS, NORMAL_FIXED, NORMAL_ON_A } from '../detect/narrow/manifold.js'
import { carrierOf, FRICTION, LOCAL_N, RECORD, type Manifolds, POINT, ROWS, SHARE } from './manifold-columns.js'

/** A point without its old name takes the λ of an old one nearer than this [m]: names flicker where features are even. */
const SAME_PLACE = 0.02

const oldAnchors = /* @__PURE__ */ new Float64Array(3 * MAX_POINTS)
const oldFeatures = /* @__PURE__ */ new Float64Array(MAX_POINTS)
const oldLambda = /* @__PURE__ */ new Float64Array(MAX_POINTS)
const v = /* @__PURE__ */ new Float64Array(3)

/** Writes the geometry of `manifold` over the row; λ and sticking go on where they can. */
export function storeManifold(
  bodies: BodyColumns,
  batch: Manifolds,
  row: number,
  manifold: Manifold,
  isNew: boolean,
): void {
  const { points, carrier, tangent, anchorA, anchorB, round, feature, lambda, fresh, record } = batch.columns
  const { position: x, orientation: q } = bodies
  const a = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  const k = 3 * row
  const n = manifold.normal
  const before = points[row]
  for (let i = 0; i < before; i++) {
    const o = 3 * (MAX_POINTS * row + i)
    oldAnchors[3 * i] = anchorA[o]
    oldAnchors[3 * i + 1] = anchorA[o + 1]
    oldAnchors[3 * i + 2] = anchorA[o + 2]
    oldFeatures[i] = feature[MAX_POINTS * row + i]
    oldLambda[i] = lambda[ROWS * row + i]
  }
  // The old tangent first: friction's two multipliers are along it.
  if (isNew) perpendicular(n, v)
  else {
    const c = 4 * carrierOf(batch, row)
    for (let j = 0; j < 3; j++) v[j] = tangent[k + j]
    rotateVectorAt(q, c, v, 0, v, 0)
    if (!straighten(n, v)) {
      perpendicular(n, v)
      lambda[ROWS * row + FRICTION] = lambda[ROWS * row + FRICTION + 1] = 0
    }
  }
  // A ball that spins would take its contact's normal round with it.
  const isRound = (manifold.carrier === NORMAL_ON_A ? manifold.roundA : manifold.roundB) > 0
  carrier[row] = isRound ? NORMAL_FIXED : manifold.carrier
  const c = 4 * carrierOf(batch, row)
  rotateVectorInverseAt(q, c, v, 0, tangent, k)
  rotateVectorInverseAt(q, c, n, 0, record, RECORD * row + LOCAL_N)
  round[2 * row] = manifold.roundA
  round[2 * row + 1] = manifold.roundB
  points[row] = manifold.count
  for (let i = 0; i < manifold.count; i++) {
    const o = 3 * (MAX_POINTS * row + i)
    const p = 3 * i
    const { pointA, pointB, roundA, roundB } = manifold
    for (let j = 0; j < 3; j++) v[j] = pointA[p + j] + roundA * n[j] - x[4 * a + j]
    rotateVectorInverseAt(q, 4 * a, v, 0, anchorA, o)
    for (let j = 0; j < 3; j++) v[j] = pointB[p + j] - roundB * n[j] - x[4 * b + j]
    rotateVectorInverseAt(q, 4 * b, v, 0, anchorB, o)
    feature[MAX_POINTS * row + i] = manifold.feature[i]
    lambda[ROWS * row + i] = 0
  }
  for (let i = manifold.count; i < MAX_POINTS; i++) lambda[ROWS * row + i] = 0
  writeShares(batch, row)
  if (!isNew) carryOver(batch, row, before, manifold.count)
  fresh[row] = 1
}

/** Notes where the two bodies are, and the masses that G is made of: a body that wakes or is set another has a new one. */
export function notePoses(bodies: BodyColumns, batch: Manifolds, row: number): void {
  const { seen } = batch.columns
  const { position: x, orientation: q } = bodies
  for (let side = 0; side < 2; side++) {
    const i = 4 * batch.ids[2 * row + side]
    const o = 16 * row + 8 * side
    for (let k = 0; k < 4; k++) seen[o + k] = x[i + k]
    for (let k = 0; k < 4; k++) seen[o + 4 + k] = q[i + k]
  }
}

/**
 * Whether both bodies still have the masses that G is made of, and no point within `size` [m] of their centres has moved by more than `limit` [m]
 * since it was.
 */
export function isUnmoved(bodies: BodyColumns, batch: Manifolds, row: number, limit: number, size: number): boolean {
  const { seen } = batch.columns
  const { position: x, orientation: q } = bodies
  for (let side = 0; side < 2; side++) {
    const i = 4 * batch.ids[2 * row + side]
    const o = 16 * row + 8 * side
    if (seen[o + 3] !== x[i + 3]) return false
    // A unit quaternion changes by half the angle.
    const shift = Math.sqrt(squaredDistance(seen, o, x, i, 3))
    if (!(shift + 2 * size * Math.sqrt(squaredDistance(seen, o + 4, q, i, 4)) <= limit)) return false
  }
  return true
}

const relative = /* @__PURE__ */ new Float64Array(7)

/** Notes the relative pose at which the manifold is found. */
export function noteRelativePose(bodies: BodyColumns, batch: Manifolds, row: number): void {
  writeRelativePose(bodies, batch, row, batch.columns.found, 7 * row)
}

/**
 * Whether no point of the smaller body, which reaches `size` [m] from its centre, has moved against the other by more than `limit` [m] since the
 * manifold was found. Adds the displacement of the first contact point and that of a rotation about it.
 */
export function hasKeptPose(bodies: BodyColumns, batch: Manifolds, row: number, limit: number, size: number): boolean {
  const { points, found } = batch.columns
  if (points[row] === 0) return false
  writeRelativePose(bodies, batch, row, relative, 0)
  const shift = Math.sqrt(squaredDistance(relative, 0, found, 7 * row, 3))
  // A rotation moves points up to 2 size away from the contact point, and changes a unit quaternion by half the angle.
  return shift + 4 * size * Math.sqrt(squaredDistance(relative, 3, found, 7 * row + 3, 4)) <= limit
}

/** Writes the first contact point of a and the orientation of a, in the frame of b, to out[o…]. */
function writeRelativePose(bodies: BodyColumns, batch: Manifolds, row: number, out: Float64Array, o: number): void {
  const { position: x, orientation: q } = bodies
  const a = 4 * batch.ids[2 * row]
  const b = 4 * batch.ids[2 * row + 1]
  rotateVectorAt(q, a, batch.columns.anchorA, 3 * MAX_POINTS * row, out, o)
  for (let k = 0; k < 3; k++) out[o + k] += x[a + k] - x[b + k]
  rotateVectorInverseAt(q, b, out, o, out, o)
  const ax = q[a]
  const ay = q[a + 1]
  const az = q[a + 2]
  const aw = q[a + 3]
  const bx = q[b]
  const by = q[b + 1]
  const bz = q[b + 2]
  const bw = q[b + 3]
  out[o + 3] = bw * ax - bx * aw - by * az + bz * ay
  out[o + 4] = bw * ay - by * aw - bz * ax + bx * az
  out[o + 5] = bw * az - bz * aw - bx * ay + by * ax
  out[o + 6] = bw * aw + bx * ax + by * ay + bz * az
}

/** ‖v − w‖² of `count` numbers at o and p: the same in any frame, for quaternions too. */
function squaredDistance(v: Float64Array, o: number, w: Float64Array, p: number, count: number): number {
  let sum = 0
  for (let k = 0; k < count; k++) sum += (v[o + k] - w[p + k]) * (v[o + k] - w[p + k])
  return sum
}

/** Whether a manifold looks the other way than the manifold of the row: by more than 120°. */
export function isNormalFlipped(bodies: BodyColumns, batch: Manifolds, row: number, manifold: Manifold): boolean {
  if (batch.columns.points[row] === 0) return false
  readNormal(bodies, batch, row, v)
  const n = manifold.normal
  return v[0] * n[0] + v[1] * n[1] + v[2] * n[2] < -0.5
}

/** Writes n̂ of a row at the present poses to `out`. */
export function readNormal(bodies: BodyColumns, batch: Manifolds, row: number, out: Float64Array): void {
  rotateVectorAt(bodies.orientation, 4 * carrierOf(batch, row), batch.columns.record, RECORD * row + LOCAL_N, out, 0)
}

/** What the loops read of the points: see `gaps.ts`. */
function writeShares(batch: Manifolds, row: number): void {
  const { points, carrier, anchorA, anchorB, round, record } = batch.columns
  const onA = carrier[row] === NORMAL_ON_A
  const carried = onA ? anchorA : anchorB
  const other = onA ? anchorB : anchorA
  const sign = onA ? -1 : 1
  const p = RECORD * row
  for (let i = 0; i < points[row]; i++) {
    const o = 3 * (MAX_POINTS * row + i)
    let along = 0
    for (let k = 0; k < 3; k++) {
      if (carrier[row] !== NORMAL_FIXED) along += record[p + LOCAL_N + k] * carried[o + k]
      record[p + POINT + 3 * i + k] = sign * other[o + k]
    }
    record[p + SHARE + i] = -sign * along - round[2 * row] - round[2 * row + 1]
  }
}

/** Tells the narrow phase which points a manifold had. */
export function recallPoints(batch: Manifolds, row: number): void {
  const { points, feature } = batch.columns
  LAST.count = points[row]
  for (let k = 0; k < points[row]; k++) LAST.features[k] = feature[MAX_POINTS * row + k]
}

/** Gives each new point the λ of the old one of its name; of the others, that of the nearest. */
function carryOver(batch: Manifolds, row: number, before: number, now: number): void {
  const { feature, anchorA, lambda } = batch.columns
  let taken = 0
  let found = 0
  for (let i = 0; i < now; i++) {
    for (let j = 0; j < before; j++) {
      if ((taken & (1 << j)) !== 0 || oldFeatures[j] !== feature[MAX_POINTS * row + i]) continue
      taken |= 1 << j
      found |= 1 << i
      lambda[ROWS * row + i] = oldLambda[j]
      break
    }
  }
  for (let i = 0; i < now; i++) {
    if ((found & (1 << i)) !== 0) continue
    const o = 3 * (MAX_POINTS * row + i)
    let nearest = -1
    let least = SAME_PLACE * SAME_PLACE
    for (let j = 0; j < before; j++) {
      if ((taken & (1 << j)) !== 0) continue
      const dx = anchorA[o] - oldAnchors[3 * j]
      const dy = anchorA[o + 1] - oldAnchors[3 * j + 1]
      const dz = anchorA[o + 2] - oldAnchors[3 * j + 2]
      const squared = dx * dx + dy * dy + dz * dz
      if (squared >= least) continue
      least = squared
      nearest = j
    }
    if (nearest < 0) continue
    taken |= 1 << nearest
    lambda[ROWS * row + i] = oldLambda[nearest]
  }
}

/** A unit vector perpendicular to n, from the coordinate axis that n leans to least. */
function perpendicular(n: Float64Array, out: Float64Array): void {
  const x = Math.abs(n[0])
  const y = Math.abs(n[1])
  const z = Math.abs(n[2])
  out[0] = x <= y && x <= z ? 1 : 0
  out[1] = out[0] === 0 && y <= z ? 1 : 0
  out[2] = 1 - out[0] - out[1]
  straighten(n, out)
}

/** Takes from v what is along n and makes a unit vector of the rest; false when next to nothing is left. */
function straighten(n: Float64Array, v: Float64Array): boolean {
  const along = n[0] * v[0] + n[1] * v[1] + n[2] * v[2]
  const x = v[0] - along * n[0]
  const y = v[1] - along * n[1]
  const z = v[2] - along * n[2]
  const length = Math.sqrt(x * x + y * y + z * z)
  // Within 5° of the normal the old tangent says nothing of the new plane.
  if (!(length > 0.1)) return false
  v[0] = x / length
  v[1] = y / length
  v[2] = z / length
  return true
}
