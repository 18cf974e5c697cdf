/**
 * The plane that a face meets in a substep, as in `point-prepare.ts`: its corners' ways are followed in the frame of the shape to the first touch.
 * Where a corner is what touches, the particle has a row of its own. A face that is within a shape when the substep begins stays as it is: which
 * side it came from is not known.
 */

import { type BodyColumns, KINEMATIC, rotateVectorInverse } from '@tautline/core/kernel'
import type { Shape } from '../shapes/shape.js'
import {
  APPROACH,
  BODIES,
  CARRY,
  CORNERS,
  D,
  type FaceContacts,
  GAP,
  GIVES,
  LOCAL_N,
  LOCAL_POINT,
  LOCAL_S,
  N,
  NEAR,
  PUSH,
  RADIUS,
  RECORD,
  SEEN,
  SHARES,
  TAKEN,
} from './face-columns.js'
import { FACE, FACE_FOUND, measureFace } from './face-distance.js'
import { ASIDE, FARTHER, LOOKS, placeBody, REPAIR } from './point-prepare.js'
import type { Surfaces } from './surfaces.js'
import { partOf, placePart } from './surface.js'

/** How near, as a share of the radius, a face is a touch. */
const TOUCH = 1e-2
/** Way in a substep, as a share of the radius, from which a face is looked at again while it is moved: fast, as one that is deep counts too. */
const FAST = 0.5
/** Share of the radius, or of the distance that is left, within which a fast face is stopped again. */
const DEEP = 0.5
/** Share of a corner from which it is that which touches. */
const CORNER = 1 - 1e-6

const whole = /* @__PURE__ */ new Float64Array(12)
const S = /* @__PURE__ */ new Float64Array(12)
const E = /* @__PURE__ */ new Float64Array(12)
/** Corners at the start and at the end of the substep, in the frame of the part. */
const from = /* @__PURE__ */ new Float64Array(9)
const to = /* @__PURE__ */ new Float64Array(9)
/** From the body's centre to where it is touched [m]. */
const touched = /* @__PURE__ */ new Float64Array(3)
/** What functions are handed and find, in memory, or it would be boxed: way, reach, radius and gap, place along the normal [m]. */
const given = /* @__PURE__ */ new Float64Array(5)
const WAY = 0
const REACH = 1
const THICK = 2
const REMAINING = 3
const ALONG = 4

/** The planes of rows `first` to `past` in a substep of `h` [s]. */
export function prepareFaces(bodies: BodyColumns, batch: FaceContacts, first: number, past: number, h: number): void {
  const { who, record } = batch.columns
  const surfaces = batch.plan as unknown as Surfaces
  for (let row = first; row < past; row++) {
    const r = RECORD * row
    record[r + NEAR] = 0
    placeEnds(bodies, batch, row)
    placeCorners(bodies, batch, row)
    const way = given[WAY]
    const radius = thickest(record, r)
    // Without a limit where h is 0. The name `Infinity` in a branch that is never taken would have the number boxed.
    const reach = (FARTHER * way + ASIDE * radius) / (h > 0 ? 1 : 0)
    given[REACH] = reach
    if (isFarStill(record, r)) continue
    FACE.set(from)
    const sub = who[4 * row + 3] | 0
    const part = partOf(surfaces.shapeOf(who[4 * row + 2] | 0), sub)
    const gap = measureFace(part, sub) - radius
    record[r + GAP] = gap
    for (let k = 0; k < 9; k++) record[r + SEEN + k] = from[k]
    if (!(gap <= reach) || gap === -radius) continue
    if (gap > TOUCH * radius && way > gap) {
      given[THICK] = radius
      given[REMAINING] = gap
      follow(part, sub)
    }
    const isFast = way > FAST * radius || gap < (DEEP - 1) * radius
    if (!isFast && isCorner()) continue
    record[r + NEAR] = isFast ? 2 : 1
    record[r + TAKEN] = 0
    writePlane(bodies, batch, row)
    alongNormal(to)
    const end = given[ALONG]
    alongNormal(from)
    record[r + APPROACH] = h > 0 ? (end - given[ALONG]) / h : 0
    if (h > 0) takeOut(bodies, batch, row, h)
  }
}

/**
 * Looks once more for where a fast face comes too deep, on its way to where it has come to by now: what was stopped at one place goes on turning.
 * Whether it does; the plane there is then that of the row.
 */
export function findNextPlane(bodies: BodyColumns, batch: FaceContacts, row: number): boolean {
  const { who, record } = batch.columns
  const r = RECORD * row
  placeEnds(bodies, batch, row)
  placeCorners(bodies, batch, row)
  const sub = who[4 * row + 3] | 0
  const part = partOf((batch.plan as unknown as Surfaces).shapeOf(who[4 * row + 2] | 0), sub)
  const radius = thickest(record, r)
  FACE.set(from)
  const distance = measureFace(part, sub)
  if (distance === 0) return false
  const within = DEEP * (distance < radius ? distance : radius)
  given[THICK] = within
  given[REMAINING] = distance - within
  if (!(given[WAY] > given[REMAINING] && follow(part, sub))) {
    FACE.set(to)
    const left = measureFace(part, sub)
    if (left === 0 || left > (1 - TOUCH) * radius) return false
  }
  writePlane(bodies, batch, row)
  return true
}

function thickest(record: Float64Array, r: number): number {
  return Math.max(record[r + RADIUS], record[r + RADIUS + 1], record[r + RADIUS + 2])
}

/** Whether it is a corner that touches: it has a row of its own. */
function isCorner(): boolean {
  return FACE_FOUND[6] > CORNER || FACE_FOUND[7] > CORNER || FACE_FOUND[8] > CORNER
}

/** Where the point of the face that touches is along the normal, for its corners at `at`: into `given[ALONG]`. */
function alongNormal(at: Float64Array): void {
  let along = 0
  for (let k = 0; k < CORNERS; k++) {
    along +=
      FACE_FOUND[6 + k] * (FACE_FOUND[0] * at[3 * k] + FACE_FOUND[1] * at[3 * k + 1] + FACE_FOUND[2] * at[3 * k + 2])
  }
  given[ALONG] = along
}

/** Where the part of the row's shape stands at the start and at the end of the substep. */
function placeEnds(bodies: BodyColumns, batch: FaceContacts, row: number): void {
  const { who } = batch.columns
  const surfaces = batch.plan as unknown as Surfaces
  const shape = surfaces.shapeOf(who[4 * row + 2] | 0)
  const local = surfaces.localOf(who[4 * row + 2] | 0)
  const sub = who[4 * row + 3] | 0
  const b = batch.ids[BODIES * row + CORNERS]
  placeBody(bodies.orientation, bodies.position, b, local, whole)
  placePart(shape, sub, whole, 0, E)
  if (bodies.kind[b] === KINEMATIC || bodies.position[4 * b + 3] !== 0) {
    placeBody(bodies.startOrientation, bodies.startPosition, b, local, whole)
    placePart(shape, sub, whole, 0, S)
  } else S.set(E)
}

/** Corners in the frame of the part; how far the farthest goes, into `given[WAY]`. */
function placeCorners({ position, startPosition }: BodyColumns, { ids }: FaceContacts, row: number): void {
  let most = 0
  for (let k = 0; k < CORNERS; k++) {
    const p = 4 * ids[BODIES * row + k]
    localise(S, startPosition, p, from, 3 * k)
    localise(E, position, p, to, 3 * k)
    let square = 0
    for (let j = 3 * k; j < 3 * k + 3; j++) square += (to[j] - from[j]) * (to[j] - from[j])
    if (square > most) most = square
  }
  given[WAY] = Math.sqrt(most)
}

function localise(T: Float64Array, x: Float64Array, p: number, out: Float64Array, o: number): void {
  const dx = x[p] - T[0]
  const dy = x[p + 1] - T[1]
  const dz = x[p + 2] - T[2]
  for (let k = 0; k < 3; k++) out[o + k] = T[3 + k] * dx + T[6 + k] * dy + T[9 + k] * dz
}

/** Whether it was so far when it was measured that it is still beyond `given[REACH]`. */
function isFarStill(record: Float64Array, r: number): boolean {
  const spare = record[r + GAP] - given[REACH]
  if (!(spare > 0)) return false
  for (let k = 0; k < 9; k += 3) {
    const x = from[k] - record[r + SEEN + k]
    const y = from[k + 1] - record[r + SEEN + k + 1]
    const z = from[k + 2] - record[r + SEEN + k + 2]
    if (!(x * x + y * y + z * z < spare * spare)) return false
  }
  return true
}

/**
 * Follows the corners on their ways to the first touch, and whether there is one: it is then in `FACE` and `FACE_FOUND`. Else the last look is there
 * where the face came nearer, as it begins on the right side of the plane there.
 */
function follow(shape: Shape, sub: number): boolean {
  const radius = given[THICK]
  const way = given[WAY]
  let nearing = 0
  let share = 0
  let left = given[REMAINING]
  for (let look = 0; look < LOOKS; look++) {
    const next = share + left / way
    if (!(next < 1)) break
    share = next
    placeFace(share)
    left = measureFace(shape, sub) - radius
    if (left <= TOUCH * radius) return true
    if (isNearing()) nearing = share
  }
  if (nearing < share) {
    placeFace(nearing)
    measureFace(shape, sub)
  }
  return false
}

/** Writes into `FACE` where it is at a share of its way. */
function placeFace(share: number): void {
  for (let k = 0; k < 9; k++) FACE[k] = from[k] + share * (to[k] - from[k])
}

/** Whether the point of the face that is nearest comes nearer. */
function isNearing(): boolean {
  let speed = 0
  for (let k = 0; k < 9; k++) speed += FACE_FOUND[6 + ((k / 3) | 0)] * FACE_FOUND[k % 3] * (to[k] - from[k])
  return speed <= 0
}

/** Writes the plane that was found. */
function writePlane(bodies: BodyColumns, batch: FaceContacts, row: number): void {
  const { record } = batch.columns
  const r = RECORD * row
  const x = FACE_FOUND[0]
  const y = FACE_FOUND[1]
  const z = FACE_FOUND[2]
  let offset = x * FACE_FOUND[3] + y * FACE_FOUND[4] + z * FACE_FOUND[5]
  for (let k = 0; k < CORNERS; k++) {
    record[r + SHARES + k] = FACE_FOUND[6 + k]
    offset += FACE_FOUND[6 + k] * record[r + RADIUS + k]
  }
  const b = batch.ids[BODIES * row + CORNERS]
  const gives = bodies.position[4 * b + 3] !== 0
  record[r + GIVES] = gives ? 1 : 0
  record[r + D] = offset
  for (let k = 0; k < 3; k++) {
    const o = 3 + 3 * k
    record[r + N + k] = E[o] * x + E[o + 1] * y + E[o + 2] * z
    record[r + D] += record[r + N + k] * E[k]
    // Of the matter of the surface at the point that is touched.
    if (!gives) {
      record[r + CARRY + k] =
        E[k] -
        S[k] +
        (E[o] - S[o]) * FACE_FOUND[3] +
        (E[o + 1] - S[o + 1]) * FACE_FOUND[4] +
        (E[o + 2] - S[o + 2]) * FACE_FOUND[5]
    }
  }
  if (gives) {
    const n = r + N
    rotateVectorInverse(bodies.orientation, 4 * b, record[n], record[n + 1], record[n + 2], record, r + LOCAL_N)
    record[r + LOCAL_S] = record[r + D]
    for (let k = 0; k < 3; k++) record[r + LOCAL_S] -= record[n + k] * bodies.position[4 * b + k]
    writeTouched(bodies, record, r, b)
  }
}

/** Writes where on body b the face touches. */
function writeTouched({ position, orientation }: BodyColumns, record: Float64Array, r: number, b: number): void {
  for (let k = 0; k < 3; k++) {
    const o = 3 + 3 * k
    touched[k] = E[k] - position[4 * b + k] + E[o] * FACE_FOUND[3] + E[o + 1] * FACE_FOUND[4] + E[o + 2] * FACE_FOUND[5]
    for (let corner = 0; corner < CORNERS; corner++) {
      touched[k] += record[r + SHARES + corner] * record[r + RADIUS + corner] * record[r + N + k]
    }
  }
  rotateVectorInverse(orientation, 4 * b, touched[0], touched[1], touched[2], record, r + LOCAL_POINT)
}

/** Takes a share of an overlap out of start and prediction, by mass: no speed comes of it. */
function takeOut(bodies: BodyColumns, batch: FaceContacts, row: number, h: number): void {
  const { position: x, startPosition: x0 } = bodies
  const { record } = batch.columns
  const r = RECORD * row
  // Of the corners at the start, which were looked at last.
  let start = given[ALONG]
  for (let k = 0; k < 3; k++) start -= FACE_FOUND[k] * FACE_FOUND[3 + k]
  for (let k = 0; k < CORNERS; k++) start -= record[r + SHARES + k] * record[r + RADIUS + k]
  if (start >= 0) return
  let w = 0
  for (let k = 0; k < BODIES; k++) {
    const share = shareOf(record, r, k)
    w += share * share * x[4 * batch.ids[BODIES * row + k] + 3]
  }
  if (w === 0) return
  const most = record[r + PUSH] * h
  const push = Math.min(-REPAIR * start, most) / w
  for (let k = 0; k < BODIES; k++) {
    const p = 4 * batch.ids[BODIES * row + k]
    const way = push * shareOf(record, r, k) * x[p + 3]
    if (way === 0) continue
    for (let axis = 0; axis < 3; axis++) {
      x[p + axis] += way * record[r + N + axis]
      x0[p + axis] += way * record[r + N + axis]
    }
  }
}

/** Share of a body of the row in its error: those of the corners, and −1. */
function shareOf(record: Float64Array, r: number, k: number): number {
  return k < CORNERS ? record[r + SHARES + k] : -1
}
