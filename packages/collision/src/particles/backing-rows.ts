/** Contacts of particles with bodies that are heavy beside them, as shares of those bodies (core's `Backing`). */

import {
  type Backing,
  BACKING,
  BACKING_BEFORE,
  BACKING_BODY,
  BACKING_LOAD,
  BACKING_MASS,
  BACKING_N,
  BACKING_SHARE,
  type BodyColumns,
  rotateVector,
  rotateBy,
} from '@tautline/core/kernel'
import * as face from './face-columns.js'
import * as point from './point-columns.js'

/** How many times a particle's mass a body has to be: a lighter one is held by sweeps. */
const HEAVY = 10
/** Shares of a face below this bear nothing of it. */
const LEAST_SHARE = 1e-3

const n = /* @__PURE__ */ new Float64Array(3)
const spin = /* @__PURE__ */ new Float64Array(3)
/** M and λ that a contact hands to a particle: in memory, as what a function is handed would be boxed. */
const given = /* @__PURE__ */ new Float64Array(2)
const MASS = 0
const LOAD = 1
/** By body: how many contacts share it; 0 between calls. */
let sharers = /* @__PURE__ */ new Int32Array(0)

/** Whether a contact of a particle is with a body that is heavy beside it. */
export function isHeavyPoint({ position: x }: BodyColumns, batch: point.PointContacts, row: number): boolean {
  const { record } = batch.columns
  const r = point.RECORD * row
  if (record[r + point.NEAR] !== 1 || record[r + point.GIVES] === 0) return false
  return x[4 * batch.ids[2 * row] + 3] > HEAVY * x[4 * batch.ids[2 * row + 1] + 3]
}

/** The same of a face: beside the lightest of its corners that moves. */
export function isHeavyFace({ position: x }: BodyColumns, batch: face.FaceContacts, row: number): boolean {
  const { record } = batch.columns
  const r = face.RECORD * row
  if (record[r + face.NEAR] === 0 || record[r + face.GIVES] === 0) return false
  const first = face.BODIES * row
  let w = 0
  for (let k = 0; k < face.CORNERS; k++) w = Math.max(w, x[4 * batch.ids[first + k] + 3])
  return w > HEAVY * x[4 * batch.ids[first + face.CORNERS] + 3]
}

/** Shares bodies out among the particles that press on them, of `count` bodies in all. */
export function shareOut(
  bodies: BodyColumns,
  points: point.PointContacts,
  faces: face.FaceContacts,
  count: number,
): void {
  const backing = bodies.backing as Backing
  backing.clear(count)
  if (sharers.length < count) sharers = new Int32Array(2 * count)
  countSharers(bodies, points, faces, 1)
  for (let row = 0; row < points.active; row++) if (pressesPoint(bodies, points, row)) sharePoint(bodies, points, row)
  for (let row = 0; row < faces.active; row++) if (pressesFace(bodies, faces, row)) shareFace(bodies, faces, row)
  countSharers(bodies, points, faces, 0)
  const { record, particles } = backing
  for (let k = 0; k < backing.count; k++) {
    const at = BACKING * k
    const x = record[at + BACKING_N]
    const y = record[at + BACKING_N + 1]
    const z = record[at + BACKING_N + 2]
    const length = Math.sqrt(x * x + y * y + z * z)
    const w = bodies.position[4 * particles[k] + 3]
    const mass = length > 0 ? record[at + BACKING_MASS] : 0
    for (let axis = 0; axis < 3 && length > 0; axis++) record[at + BACKING_N + axis] /= length
    record[at + BACKING_SHARE] = (w * mass) / (1 + w * mass)
    record[at + BACKING_BEFORE] = record[at + BACKING_LOAD]
  }
}

/** Counts who shares each body, or sets the counts back to 0. */
function countSharers(bodies: BodyColumns, points: point.PointContacts, faces: face.FaceContacts, by: 0 | 1): void {
  for (let row = 0; row < points.active; row++) {
    if (pressesPoint(bodies, points, row))
      sharers[points.ids[2 * row + 1]] = by * (sharers[points.ids[2 * row + 1]] + 1)
  }
  for (let row = 0; row < faces.active; row++) {
    const b = faces.ids[face.BODIES * row + face.CORNERS]
    if (pressesFace(bodies, faces, row)) sharers[b] = by * (sharers[b] + 1)
  }
}

function pressesPoint(bodies: BodyColumns, batch: point.PointContacts, row: number): boolean {
  return batch.columns.lambda[point.ROWS * row] > 0 && isHeavyPoint(bodies, batch, row)
}

function pressesFace(bodies: BodyColumns, batch: face.FaceContacts, row: number): boolean {
  return batch.columns.lambda[face.ROWS * row] > 0 && isHeavyFace(bodies, batch, row)
}

/** By how much particles have moved bodies in this substep [m]. */
export function wayOf(bodies: BodyColumns, points: point.PointContacts, faces: face.FaceContacts): number {
  const { position: x } = bodies
  let way = 0
  for (let row = 0; row < points.active; row++) {
    if (pressesPoint(bodies, points, row))
      way += points.columns.lambda[point.ROWS * row] * x[4 * points.ids[2 * row + 1] + 3]
  }
  for (let row = 0; row < faces.active; row++) {
    const b = faces.ids[face.BODIES * row + face.CORNERS]
    if (pressesFace(bodies, faces, row)) way += faces.columns.lambda[face.ROWS * row] * x[4 * b + 3]
  }
  return way
}

function sharePoint(bodies: BodyColumns, batch: point.PointContacts, row: number): void {
  const { record, lambda } = batch.columns
  const i = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  const l = point.RECORD * row + point.LOCAL_N
  rotateVector(bodies.orientation, 4 * b, record[l], record[l + 1], record[l + 2], n, 0)
  given[MASS] = 1 / (sharers[b] * respond(bodies, i, b))
  given[LOAD] = lambda[point.ROWS * row]
  share(bodies, i, b)
}

/** A face hands its part to its corners. */
function shareFace(bodies: BodyColumns, batch: face.FaceContacts, row: number): void {
  const { record, lambda } = batch.columns
  const r = face.RECORD * row
  const first = face.BODIES * row
  const b = batch.ids[first + face.CORNERS]
  const l = r + face.LOCAL_N
  rotateVector(bodies.orientation, 4 * b, record[l], record[l + 1], record[l + 2], n, 0)
  for (let k = 0; k < face.CORNERS; k++) {
    const part = record[r + face.SHARES + k]
    if (!(part > LEAST_SHARE)) continue
    const i = batch.ids[first + k]
    given[MASS] = part / (sharers[b] * respond(bodies, i, b))
    given[LOAD] = part * lambda[face.ROWS * row]
    share(bodies, i, b)
  }
}

/** Gives particle i the part of b in `given`, along `n`. Of two bodies that press it, it has that which presses more. */
function share(bodies: BodyColumns, i: number, b: number): void {
  if (bodies.position[4 * i + 3] === 0) return
  const backing = bodies.backing as Backing
  let at = backing.find(i)
  if (at < 0) {
    at = backing.add(i)
    backing.record[at + BACKING_BODY] = b
  }
  const { record } = backing
  if (record[at + BACKING_BODY] !== b) {
    if (record[at + BACKING_LOAD] >= given[LOAD]) return
    record.fill(0, at, at + BACKING)
    record[at + BACKING_BODY] = b
  }
  for (let axis = 0; axis < 3; axis++) record[at + BACKING_N + axis] += given[MASS] * n[axis]
  record[at + BACKING_MASS] += given[MASS]
  record[at + BACKING_LOAD] += given[LOAD]
}

/** What body b gives way by along `n` at particle i, by a unit of λ; what it turns by into `spin`. */
function respond({ position: x, inverseInertia: I }: BodyColumns, i: number, b: number): number {
  const rx = x[4 * i] - x[4 * b]
  const ry = x[4 * i + 1] - x[4 * b + 1]
  const rz = x[4 * i + 2] - x[4 * b + 2]
  const mx = ry * n[2] - rz * n[1]
  const my = rz * n[0] - rx * n[2]
  const mz = rx * n[1] - ry * n[0]
  for (let k = 0; k < 3; k++) spin[k] = I[9 * b + 3 * k] * mx + I[9 * b + 3 * k + 1] * my + I[9 * b + 3 * k + 2] * mz
  return x[4 * b + 3] + mx * spin[0] + my * spin[1] + mz * spin[2]
}

/** Hands bodies what their shares took while nets were swept, and forgets the shares. */
export function handOver(bodies: BodyColumns, points: point.PointContacts, faces: face.FaceContacts): void {
  const backing = bodies.backing as Backing
  const { record, particles, count } = backing
  const { position: x } = bodies
  raiseLoads(bodies, points, faces)
  backing.count = 0
  for (let k = 0; k < count; k++) {
    const at = BACKING * k
    const taken = record[at + BACKING_LOAD] - record[at + BACKING_BEFORE]
    if (taken === 0) continue
    const b = record[at + BACKING_BODY]
    for (let axis = 0; axis < 3; axis++) n[axis] = record[at + BACKING_N + axis]
    respond(bodies, particles[k], b)
    for (let axis = 0; axis < 3; axis++) {
      x[4 * b + axis] -= x[4 * b + 3] * taken * n[axis]
      spin[axis] *= -taken
    }
    rotateBy(bodies.orientation, 4 * b, spin)
  }
}

/** Adds to λ of contacts what was taken of their loads, in proportion. */
function raiseLoads(bodies: BodyColumns, points: point.PointContacts, faces: face.FaceContacts): void {
  for (let row = 0; row < points.active; row++) {
    if (!pressesPoint(bodies, points, row)) continue
    points.columns.lambda[point.ROWS * row] *= grownBy(bodies, points.ids[2 * row], points.ids[2 * row + 1])
  }
  for (let row = 0; row < faces.active; row++) {
    if (!pressesFace(bodies, faces, row)) continue
    const first = face.BODIES * row
    let grown = 0
    let sum = 0
    for (let k = 0; k < face.CORNERS; k++) {
      const part = faces.columns.record[face.RECORD * row + face.SHARES + k]
      if (!(part > LEAST_SHARE)) continue
      sum += part
      grown += part * grownBy(bodies, faces.ids[first + k], faces.ids[first + face.CORNERS])
    }
    faces.columns.lambda[face.ROWS * row] *= 1 + grown - sum
  }
}

/** By which factor the load of particle i on body b has grown. */
function grownBy(bodies: BodyColumns, i: number, b: number): number {
  const backing = bodies.backing as Backing
  const { record } = backing
  const at = backing.find(i)
  if (at < 0 || record[at + BACKING_BODY] !== b || !(record[at + BACKING_BEFORE] > 0)) return 1
  return record[at + BACKING_LOAD] / record[at + BACKING_BEFORE]
}
