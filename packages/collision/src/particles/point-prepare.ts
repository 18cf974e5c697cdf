/**
 * The plane that each particle meets in a substep.
 *
 * The way of a particle through the substep, in the frame of the shape, goes from a₀ to a₁. Where it cannot reach the surface, there is nothing
 * to do. Otherwise it is followed from a₀ by the distance to the surface, which never leads through it (sphere tracing: Hart 1996), to the first
 * touch; the plane there is what the particle meets: n̂·x >= n̂·q + r. A particle that rests touches at once: one look. None passes a wall,
 * however fast and however thin.
 *
 * The plane stands for the substep, and the particle begins on its right side, or with an overlap that it may keep. So its sweep is a projection
 * onto a convex set that holds the start, which never makes |x − x₀| longer: no contact gives energy. Overlap is taken out before, as a change
 * of place of start and prediction alike, which makes no speed.
 */

import { type BodyColumns, KINEMATIC, WORLD_BODY } from '@tautline/core/kernel'
import { NEAREST } from '../detect/narrow/point.js'
import { composeTransforms } from '../detect/narrow/relative.js'
import type { Shape } from '../shapes/shape.js'
import {
  APPROACH,
  CARRY,
  D,
  GAP,
  GIVES,
  LOCAL_N,
  LOCAL_S,
  N,
  NEAR,
  type PointContacts,
  PUSH,
  RADIUS,
  RECORD,
  RESTITUTION,
  SEEN,
  TAKEN,
} from './point-columns.js'
import type { Surfaces } from './surfaces.js'
import { AT, DISTANCE, ELSEWHERE, FOUND, measureSurface, partOf, placePart } from './surface.js'

/** Share of an overlap that is taken out in a substep. */
export const REPAIR = 0.1
/** Looks at the surface on a way, and how near, as a share of the radius, is a touch. */
export const LOOKS = 24
const TOUCH = 1e-3
/** How much farther than predicted other rows may carry a particle or a face: as a share of its way, and of its radius. */
export const FARTHER = 2
export const ASIDE = 0.25

const pose = /* @__PURE__ */ new Float64Array(12)
const startWhole = /* @__PURE__ */ new Float64Array(12)
const endWhole = /* @__PURE__ */ new Float64Array(12)
const S = /* @__PURE__ */ new Float64Array(12)
const E = /* @__PURE__ */ new Float64Array(12)
const a0 = /* @__PURE__ */ new Float64Array(3)
const a1 = /* @__PURE__ */ new Float64Array(3)
/** What functions are handed, in memory, or it would be boxed: radius, gap and way; overlap and the most that is taken out of it [m]. */
const given = /* @__PURE__ */ new Float64Array(5)
const THICK = 0
const REMAINING = 1
const WAY = 2
const OVERLAP = 3
const MOST = 4

/** The planes of rows `from` to `to` in a substep of `h` [s]. */
export function preparePoints(bodies: BodyColumns, batch: PointContacts, from: number, to: number, h: number): void {
  const { who } = batch.columns
  const surfaces = batch.plan as unknown as Surfaces
  for (let row = from; row < to;) {
    const collider = who[4 * row + 2] | 0
    let end = row + 1
    while (end < to && who[4 * end + 2] === collider) end++
    const b = batch.ids[2 * row + 1]
    const local = surfaces.localOf(collider)
    placeBody(bodies.orientation, bodies.position, b, local, endWhole)
    const moves = bodies.kind[b] === KINEMATIC || bodies.position[4 * b + 3] !== 0
    if (moves) placeBody(bodies.startOrientation, bodies.startPosition, b, local, startWhole)
    else startWhole.set(endWhole)
    prepareRun(bodies, batch, row, end, h, surfaces.shapeOf(collider), moves)
    row = end
  }
}

/** Where a shape is whose body stands at x and q. */
export function placeBody(
  q: Float64Array,
  position: Float64Array,
  b: number,
  local: Float64Array,
  out: Float64Array,
): void {
  if (b === WORLD_BODY) {
    out.set(local)
    return
  }
  const o = 4 * b
  const x = q[o]
  const y = q[o + 1]
  const z = q[o + 2]
  const w = q[o + 3]
  pose[0] = position[o]
  pose[1] = position[o + 1]
  pose[2] = position[o + 2]
  pose[3] = 1 - 2 * (y * y + z * z)
  pose[4] = 2 * (x * y - w * z)
  pose[5] = 2 * (x * z + w * y)
  pose[6] = 2 * (x * y + w * z)
  pose[7] = 1 - 2 * (x * x + z * z)
  pose[8] = 2 * (y * z - w * x)
  pose[9] = 2 * (x * z - w * y)
  pose[10] = 2 * (y * z + w * x)
  pose[11] = 1 - 2 * (x * x + y * y)
  composeTransforms(pose, 0, local, 0, out)
}

/** Rows of one collider, which stands at `startWhole` and then at `endWhole`. */
function prepareRun(
  bodies: BodyColumns,
  batch: PointContacts,
  from: number,
  to: number,
  h: number,
  shape: Shape,
  moves: boolean,
): void {
  const { position, startPosition } = bodies
  const { who, record } = batch.columns
  const { ids } = batch
  const isWhole = shape.children === null
  const part = isWhole ? shape : undefined
  if (isWhole) {
    S.set(startWhole)
    E.set(endWhole)
  }
  const b = ids[2 * from + 1]
  const gives = position[4 * b + 3] !== 0
  for (let row = from; row < to; row++) {
    const r = RECORD * row
    const p = 4 * ids[2 * row]
    const sub = who[4 * row + 3] | 0
    if (!isWhole) {
      placePart(shape, sub, startWhole, 0, S)
      placePart(shape, sub, endWhole, 0, E)
    }
    let x = startPosition[p] - S[0]
    let y = startPosition[p + 1] - S[1]
    let z = startPosition[p + 2] - S[2]
    const sx = S[3] * x + S[6] * y + S[9] * z
    const sy = S[4] * x + S[7] * y + S[10] * z
    const sz = S[5] * x + S[8] * y + S[11] * z
    x = position[p] - E[0]
    y = position[p + 1] - E[1]
    z = position[p + 2] - E[2]
    const ex = E[3] * x + E[6] * y + E[9] * z
    const ey = E[4] * x + E[7] * y + E[10] * z
    const ez = E[5] * x + E[8] * y + E[11] * z
    const way = Math.sqrt((ex - sx) * (ex - sx) + (ey - sy) * (ey - sy) + (ez - sz) * (ez - sz))
    const radius = record[r + RADIUS]
    // Without a limit where h is 0. The name `Infinity` in a branch that is never taken would have the number boxed.
    const reach = (FARTHER * way + ASIDE * radius) / (h > 0 ? 1 : 0)
    // As far as it was, less what it has come since.
    x = sx - record[r + SEEN]
    y = sy - record[r + SEEN + 1]
    z = sz - record[r + SEEN + 2]
    const spare = record[r + GAP] - reach
    if (spare > 0 && x * x + y * y + z * z < spare * spare) {
      record[r + NEAR] = 0
      continue
    }
    AT[0] = record[r + SEEN] = sx
    AT[1] = record[r + SEEN + 1] = sy
    AT[2] = record[r + SEEN + 2] = sz
    const one = part ?? partOf(shape, sub)
    measureSurface(one, sub)
    const gap = FOUND[DISTANCE] - radius
    record[r + GAP] = gap
    if (!(gap <= reach)) {
      record[r + NEAR] = 0
      continue
    }
    if (gap > TOUCH * radius && way > gap) {
      a0[0] = sx
      a0[1] = sy
      a0[2] = sz
      a1[0] = ex
      a1[1] = ey
      a1[2] = ez
      given[THICK] = radius
      given[REMAINING] = gap
      given[WAY] = way
      follow(one, sub)
    }
    if (FOUND[ELSEWHERE] !== 0) {
      record[r + NEAR] = 0
      continue
    }
    record[r + NEAR] = 1
    record[r + GIVES] = gives ? 1 : 0
    const nx = NEAREST[3]
    const ny = NEAREST[4]
    const nz = NEAREST[5]
    const offset = nx * NEAREST[0] + ny * NEAREST[1] + nz * NEAREST[2] + radius
    const start = nx * sx + ny * sy + nz * sz - offset
    if (record[r + RESTITUTION] > 0 && h > 0) {
      record[r + APPROACH] = (nx * (ex - sx) + ny * (ey - sy) + nz * (ez - sz)) / h
    }
    const wx = E[3] * nx + E[4] * ny + E[5] * nz
    const wy = E[6] * nx + E[7] * ny + E[8] * nz
    const wz = E[9] * nx + E[10] * ny + E[11] * nz
    if (!gives && bodies.kind[ids[2 * row]] === KINEMATIC) {
      record[r + NEAR] = 0
      given[OVERLAP] = start
      given[MOST] = nx * ex + ny * ey + nz * ez - offset
      if (h > 0) holdBack(bodies, ids[2 * row], wx, wy, wz, h)
      continue
    }
    record[r + N] = wx
    record[r + N + 1] = wy
    record[r + N + 2] = wz
    record[r + D] = wx * E[0] + wy * E[1] + wz * E[2] + offset
    record[r + TAKEN] = 0
    record[r + CARRY] = record[r + CARRY + 1] = record[r + CARRY + 2] = 0
    if (moves) carry(record, r)
    if (gives) fix(bodies, record, r, b)
    if (start < 0 && h > 0) {
      given[OVERLAP] = start
      given[MOST] = record[r + PUSH] * h
      takeOut(bodies, record, r, ids[2 * row], b)
    }
  }
}

/**
 * Follows the way from a₀ to a₁ to the first touch. A way past a convex shape comes nearer, and then goes away: where it does so without a touch,
 * there is none, and the plane is that of the place where it is nearest, which has all of the way on its right side.
 */
function follow(shape: Shape, sub: number): void {
  const radius = given[THICK]
  const way = given[WAY]
  // Shares of the way where it still comes nearer, and from where on it goes away; how much so there.
  let nearing = 0
  let leaving = 1
  let closing = 0
  let parting = 0
  let share = 0
  let left = given[REMAINING]
  for (let look = 0; look < LOOKS; look++) {
    let speed = 0
    let end = -radius
    for (let k = 0; k < 3; k++) {
      speed += NEAREST[3 + k] * (a1[k] - a0[k])
      end += NEAREST[3 + k] * (a1[k] - NEAREST[k])
    }
    if (speed > 0) {
      if (share === 0) return
      leaving = share
      parting = speed
    } else {
      if (parting > 0 && end >= 0) return
      nearing = share
      closing = -speed
    }
    share = parting > 0 ? nearing + ((leaving - nearing) * closing) / (closing + parting) : nearing + left / way
    if (!(share < 1)) return
    lookAt(shape, sub, share)
    left = FOUND[DISTANCE] - radius
    if (left <= TOUCH * radius) return
  }
  if (parting > 0) lookAt(shape, sub, nearing)
}

/** Measures the surface from a share of the way. */
function lookAt(shape: Shape, sub: number, share: number): void {
  for (let k = 0; k < 3; k++) AT[k] = a0[k] + share * (a1[k] - a0[k])
  measureSurface(shape, sub)
}

/** How far the matter of the surface at the point that is touched moves. */
function carry(record: Float64Array, r: number): void {
  const x = NEAREST[0]
  const y = NEAREST[1]
  const z = NEAREST[2]
  for (let k = 0; k < 3; k++) {
    record[r + CARRY + k] =
      E[k] +
      E[3 + 3 * k] * x +
      E[4 + 3 * k] * y +
      E[5 + 3 * k] * z -
      (S[k] + S[3 + 3 * k] * x + S[4 + 3 * k] * y + S[5 + 3 * k] * z)
  }
}

/** The plane in the frame of the body. */
function fix(bodies: BodyColumns, record: Float64Array, r: number, b: number): void {
  const { position: c, orientation: q } = bodies
  const o = 4 * b
  const x = -q[o]
  const y = -q[o + 1]
  const z = -q[o + 2]
  const w = q[o + 3]
  const nx = record[r + N]
  const ny = record[r + N + 1]
  const nz = record[r + N + 2]
  const ux = 2 * (y * nz - z * ny)
  const uy = 2 * (z * nx - x * nz)
  const uz = 2 * (x * ny - y * nx)
  record[r + LOCAL_N] = nx + w * ux + (y * uz - z * uy)
  record[r + LOCAL_N + 1] = ny + w * uy + (z * ux - x * uz)
  record[r + LOCAL_N + 2] = nz + w * uz + (x * uy - y * ux)
  record[r + LOCAL_S] = record[r + D] - (nx * c[o] + ny * c[o + 1] + nz * c[o + 2])
}

/**
 * Stops a led particle at a surface with the normal (x, y, z): in `given[OVERLAP]` where it began and in `given[MOST]` where it is led, from the
 * surface [m]. An overlap that it began with gets smaller as that of other particles.
 */
function holdBack(bodies: BodyColumns, i: number, x: number, y: number, z: number, h: number): void {
  const start = given[OVERLAP]
  const deep = given[MOST] - (start < 0 ? (1 - REPAIR) * start : 0)
  if (deep >= 0) return
  const { position, velocity } = bodies
  position[4 * i] -= deep * x
  position[4 * i + 1] -= deep * y
  position[4 * i + 2] -= deep * z
  velocity[3 * i] -= (deep * x) / h
  velocity[3 * i + 1] -= (deep * y) / h
  velocity[3 * i + 2] -= (deep * z) / h
}

/** Takes a share of the overlap that the substep began with out of start and prediction, by mass: no speed comes of it. */
function takeOut(bodies: BodyColumns, record: Float64Array, r: number, i: number, b: number): void {
  const { position: x, startPosition: x0 } = bodies
  const wi = x[4 * i + 3]
  const wb = x[4 * b + 3]
  if (wi + wb === 0) return
  const most = given[MOST]
  const share = -REPAIR * given[OVERLAP]
  const push = share < most ? share : most
  const own = (push * wi) / (wi + wb)
  const other = own - push
  for (let k = 0; k < 3; k++) {
    const d = record[r + N + k]
    x[4 * i + k] += own * d
    x0[4 * i + k] += own * d
    if (wb === 0) continue
    x[4 * b + k] += other * d
    x0[4 * b + k] += other * d
  }
}
