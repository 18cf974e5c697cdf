/**
 * Contact of a particle with a collider: one normal row and friction in the plane.
 *
 *   normal    c = n̂·(x − x_b) − s >= 0, λ_n >= 0          n̂ and s fixed in the frame of the body b; s has the particle's radius in it
 *   friction  u = displacement of the particle beyond that of b's matter under it, in the plane;  ‖λ_t‖ <= ν λ_n
 *
 * n̂ and s are those of the substep (`point-prepare.ts`). The gradient is (n̂) for the particle and (−n̂, −(x − x_b) × n̂) for b: both are
 * pushed at the particle's centre, which keeps momentum and angular momentum. Rows begin a substep without λ: a particle is light, and its
 * contact is met at once; friction takes back all of u that it may, so that what sticks does not creep.
 */

import type { ConstraintType } from '@tautline/core'
import { type BodyColumns, rotateVector, rotateVectorInverse, rotateBy } from '@tautline/core/kernel'
import {
  APPROACH,
  CARRY,
  D,
  FRICTION,
  GIVES,
  DIRECT,
  LOCAL_N,
  LOCAL_S,
  N,
  NEAR,
  POINT_COLUMNS,
  type PointColumn,
  type PointContacts,
  RECORD,
  RESTITUTION,
  ROWS,
  TAKEN,
  UNSEEN,
} from './point-columns.js'
import type { Surfaces } from './surfaces.js'
import { partingSpeed, takenBy, RESTING } from './bounce.js'
import { preparePoints } from './point-prepare.js'
import { outlinePoint } from './outline.js'
import { touchPoint } from './touch.js'
import { meetSurfaces } from './loops/meet-surfaces.js'

/** n̂, lever arm x − x_b, I⁻¹ (arm × n̂), and u. */
const n = /* @__PURE__ */ new Float64Array(3)
const arm = /* @__PURE__ */ new Float64Array(3)
const spin = /* @__PURE__ */ new Float64Array(3)
const slip = /* @__PURE__ */ new Float64Array(3)
const t = /* @__PURE__ */ new Float64Array(6)
const kick = /* @__PURE__ */ new Float64Array(3)
/** c, what a row moves by a unit of λ, and c at the start of the substep: in memory, as what a function returns would be boxed. */
const found = /* @__PURE__ */ new Float64Array(3)
const GAP_NOW = 0
const RESPONSE = 1
const START = 2

/** Made and kept by `Collisions`: a row a particle and a part of a collider. */
export const pointContact: ConstraintType<object, PointColumn> = {
  name: 'particleContact',
  order: 4,
  arity: 2,
  multipliers: ROWS,
  traits: {
    warmStart: false,
    transient: true,
    unordered: true,
  },
  columns: POINT_COLUMNS,

  resolve: (def) => def,
  write() {},
  energy: () => 0,
  outline: outlinePoint,

  evaluate(bodies, batch, row, out) {
    const { record } = batch.columns
    const r = RECORD * row
    const isUnseen = record[r + NEAR] === UNSEEN
    // Nothing has prepared it for this pose.
    if (isUnseen) preparePoints(standing(bodies), batch, row, row + 1, 0)
    const isNear = record[r + NEAR] !== 0
    if (isUnseen) record[r + NEAR] = UNSEEN
    if (!isNear) return
    const i = batch.ids[2 * row]
    const b = batch.ids[2 * row + 1]
    measureGap(bodies, batch, row, i, b)
    const group = out.group('scalar', 'position', 'm')
    group.lower = 0
    group.restitution = record[r + RESTITUTION]
    out.row(0, found[GAP_NOW])
    push(out, n[0], n[1], n[2])
    if (record[r + FRICTION] === 0) return
    writeTangents()
    measureSlip(bodies, batch, row, i, b)
    const disc = out.group('disc', 'position', 'm')
    disc.normal = 0
    disc.slip = record[r + FRICTION + 1]
    disc.radius = record[r + FRICTION]
    for (let k = 0; k < 2; k++) {
      const o = 3 * k
      out.row(1 + k, t[o] * slip[0] + t[o + 1] * slip[1] + t[o + 2] * slip[2])
      push(out, t[o], t[o + 1], t[o + 2])
    }
  },
  touches: {
    write: touchPoint,
    leave({ columns: { record } }, row, isLeft) {
      record[RECORD * row + NEAR] = isLeft ? DIRECT : 1
    },
  },
  loop: {
    prepare: preparePoints,
    sweep(bodies, batch, from, to) {
      const { body, record, lambda } = batch.columns
      surfaces(batch).backing?.handOver(bodies)
      const { position, startPosition } = bodies
      let row = meetSurfaces(position, startPosition, body, record, lambda, from, to)
      surfaces(batch).pressed.note(batch, from, row, bodies.kind.length)
      for (; row < to; row++) if (record[RECORD * row + NEAR] === 1) meetBody(bodies, batch, row)
    },
    adopt(_bodies, batch, from, to, h) {
      noteImpulses(batch, from, to, h)
    },
    velocities(bodies, batch, from, to, h, gravity) {
      const { record, lambda } = batch.columns
      for (let row = from; row < to; row++) {
        const r = RECORD * row
        if (record[r + RESTITUTION] === 0 || record[r + NEAR] === 0 || lambda[ROWS * row] === 0) continue
        if (-record[r + APPROACH] > RESTING * gravity * h) bounce(bodies, batch, row, h)
      }
      noteImpulses(batch, from, to, h)
    },
  },
}

let view: BodyColumns | undefined

/** The columns, with the present poses in place of those of the start. */
function standing(bodies: BodyColumns): BodyColumns {
  if (view?.position !== bodies.position) {
    view = { ...bodies, startPosition: bodies.position, startOrientation: bodies.orientation }
  }
  return view
}

/** Gradient of the last row: both are pushed at the particle's centre. */
function push(out: { linear: Gradient; angular: Gradient }, x: number, y: number, z: number): void {
  out.linear(0, x, y, z)
  out.linear(1, -x, -y, -z)
  out.angular(1, arm[2] * y - arm[1] * z, arm[0] * z - arm[2] * x, arm[1] * x - arm[0] * y)
}

type Gradient = (b: number, x: number, y: number, z: number) => void

function noteImpulses({ columns }: PointContacts, from: number, to: number, h: number): void {
  const { lambda, touching, impulse } = columns
  for (let row = from; row < to; row++) {
    const pushed = lambda[ROWS * row]
    if (pushed === 0) continue
    impulse[row] += pushed / h
    touching[row] = 1
  }
}

/** What the loops know beside the rows. */
function surfaces(batch: PointContacts): Surfaces {
  return batch.plan as unknown as Surfaces
}

/** c at the present poses into `found`, with n̂ into `n` and x − x_b into `arm`. */
function measureGap(bodies: BodyColumns, batch: PointContacts, row: number, i: number, b: number): void {
  const { record } = batch.columns
  const { position: x } = bodies
  const r = RECORD * row
  for (let k = 0; k < 3; k++) arm[k] = x[4 * i + k] - x[4 * b + k]
  if (record[r + GIVES] === 0) {
    for (let k = 0; k < 3; k++) n[k] = record[r + N + k]
    found[GAP_NOW] = n[0] * x[4 * i] + n[1] * x[4 * i + 1] + n[2] * x[4 * i + 2] - record[r + D]
    return
  }
  rotateVector(bodies.orientation, 4 * b, record[r + LOCAL_N], record[r + LOCAL_N + 1], record[r + LOCAL_N + 2], n, 0)
  found[GAP_NOW] = n[0] * arm[0] + n[1] * arm[1] + n[2] * arm[2] - record[r + LOCAL_S]
}

/** c at the start of the substep, into `found`. */
function measureStart(bodies: BodyColumns, batch: PointContacts, row: number, i: number, b: number): void {
  const { record } = batch.columns
  const { startPosition: x0 } = bodies
  const r = RECORD * row
  if (record[r + GIVES] === 0) {
    found[START] = -record[r + D]
    for (let k = 0; k < 3; k++) found[START] += record[r + N + k] * (x0[4 * i + k] + record[r + CARRY + k])
    return
  }
  const ax = x0[4 * i] - x0[4 * b]
  const ay = x0[4 * i + 1] - x0[4 * b + 1]
  const az = x0[4 * i + 2] - x0[4 * b + 2]
  rotateVectorInverse(bodies.startOrientation, 4 * b, ax, ay, az, slip, 0)
  found[START] = -record[r + LOCAL_S]
  for (let k = 0; k < 3; k++) found[START] += record[r + LOCAL_N + k] * slip[k]
}

/** u, not yet without its part along n̂: where the particle is beyond where it began and b's matter under it went. */
function measureSlip(bodies: BodyColumns, batch: PointContacts, row: number, i: number, b: number): void {
  const { record } = batch.columns
  const { position: x, startPosition: x0, orientation, startOrientation } = bodies
  const r = RECORD * row
  if (record[r + GIVES] === 0) {
    for (let k = 0; k < 3; k++) slip[k] = x[4 * i + k] - x0[4 * i + k] - record[r + CARRY + k]
    return
  }
  rotateVectorInverse(orientation, 4 * b, arm[0], arm[1], arm[2], slip, 0)
  rotateVector(startOrientation, 4 * b, slip[0], slip[1], slip[2], slip, 0)
  for (let k = 0; k < 3; k++) slip[k] += x0[4 * b + k] - x0[4 * i + k]
}

/** t̂₁ and t̂₂ of `n`, as in `meetSurfaces`. */
function writeTangents(): void {
  const isX = n[0] * n[0] < 0.5
  const s = isX ? 1 / Math.sqrt(1 - n[0] * n[0]) : 1 / Math.sqrt(1 - n[1] * n[1])
  t[0] = isX ? 0 : -s * n[2]
  t[1] = isX ? s * n[2] : 0
  t[2] = isX ? -s * n[1] : s * n[0]
  t[3] = n[1] * t[2] - n[2] * t[1]
  t[4] = n[2] * t[0] - n[0] * t[2]
  t[5] = n[0] * t[1] - n[1] * t[0]
}

/** I⁻¹ (arm × d) into `spin`, and what the row along d moves by a unit of λ: w + w_b + (arm × d)·I⁻¹ (arm × d), into `found`. */
function respond(bodies: BodyColumns, i: number, b: number, d: Float64Array, o: number): void {
  const { position: x, inverseInertia: I } = bodies
  const mx = arm[1] * d[o + 2] - arm[2] * d[o + 1]
  const my = arm[2] * d[o] - arm[0] * d[o + 2]
  const mz = arm[0] * d[o + 1] - arm[1] * d[o]
  const k = 9 * b
  spin[0] = I[k] * mx + I[k + 1] * my + I[k + 2] * mz
  spin[1] = I[k + 3] * mx + I[k + 4] * my + I[k + 5] * mz
  spin[2] = I[k + 6] * mx + I[k + 7] * my + I[k + 8] * mz
  found[RESPONSE] = x[4 * i + 3] + x[4 * b + 3] + mx * spin[0] + my * spin[1] + mz * spin[2]
}

/** Displaces both by dl along d, b turning by `spin`. */
function displace(
  bodies: BodyColumns,
  i: number,
  b: number,
  d: Float64Array,
  o: number,
  at: number,
  l: Float64Array,
): void {
  const { position: x } = bodies
  const dl = l[at]
  const wi = x[4 * i + 3] * dl
  const wb = x[4 * b + 3] * dl
  for (let k = 0; k < 3; k++) {
    x[4 * i + k] += wi * d[o + k]
    x[4 * b + k] -= wb * d[o + k]
    kick[k] = -dl * spin[k]
  }
  rotateBy(bodies.orientation, 4 * b, kick)
}

const change = /* @__PURE__ */ new Float64Array(2)

/** One pass over a row whose body gives way. */
export function meetBody(bodies: BodyColumns, batch: PointContacts, row: number): void {
  const { record, lambda } = batch.columns
  const r = RECORD * row
  const i = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  measureGap(bodies, batch, row, i, b)
  const l = ROWS * row
  const before = lambda[l]
  let c = found[GAP_NOW]
  if (c >= 0 && before === 0) return
  measureStart(bodies, batch, row, i, b)
  const start = found[START]
  if (start < 0) {
    c -= start
    if (c >= 0 && before === 0) return
  }
  respond(bodies, i, b, n, 0)
  const { position: x } = bodies
  const wi = x[4 * i + 3]
  const { pressed } = surfaces(batch)
  const held = pressed.find(batch, i, n, 0, 1)
  const { way } = pressed
  const w = found[RESPONSE] - wi * (1 - (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]))
  if (!(w > 0)) return
  const load = Math.max(0, before - c / w)
  change[0] = load - before
  lambda[l] = load
  if (record[r + RESTITUTION] > 0) record[r + TAKEN] += takenBy(change[0], c, start, w)
  displace(bodies, i, b, n, 0, 0, change)
  if (held >= 0) {
    // What n̂ has beyond `way` goes into the surface.
    const f = RECORD * held + N
    const into = change[0] * (n[0] * record[f] + n[1] * record[f + 1] + n[2] * record[f + 2])
    for (let k = 0; k < 3; k++) x[4 * i + k] -= wi * into * record[f + k]
    pressed.push[0] = change[0]
    pressed.pass(batch, held, n, 0, 1)
  }
  const cone = record[r + FRICTION] * load
  if (cone === 0 && lambda[l + 1] === 0 && lambda[l + 2] === 0) return
  for (let k = 0; k < 3; k++) arm[k] = x[4 * i + k] - x[4 * b + k]
  writeTangents()
  measureSlip(bodies, batch, row, i, b)
  const old1 = lambda[l + 1]
  const old2 = lambda[l + 2]
  respond(bodies, i, b, t, 0)
  let l1 = old1 - (t[0] * slip[0] + t[1] * slip[1] + t[2] * slip[2]) / found[RESPONSE]
  respond(bodies, i, b, t, 3)
  let l2 = old2 - (t[3] * slip[0] + t[4] * slip[1] + t[5] * slip[2]) / found[RESPONSE]
  const square = l1 * l1 + l2 * l2
  if (square > cone * cone) {
    const share = (record[r + FRICTION + 1] * load) / Math.sqrt(square)
    l1 *= share
    l2 *= share
  }
  lambda[l + 1] = l1
  lambda[l + 2] = l2
  change[0] = l1 - old1
  change[1] = l2 - old2
  respond(bodies, i, b, t, 0)
  displace(bodies, i, b, t, 0, 0, change)
  respond(bodies, i, b, t, 3)
  displace(bodies, i, b, t, 3, 1, change)
}

/** Sends off what has struck with its share of the speed of approach; the impulse belongs to λ. */
function bounce(bodies: BodyColumns, batch: PointContacts, row: number, h: number): void {
  const { record, lambda } = batch.columns
  const { velocity: v, angularVelocity: omega, position: x } = bodies
  const r = RECORD * row
  const i = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  measureStart(bodies, batch, row, i, b)
  measureGap(bodies, batch, row, i, b)
  respond(bodies, i, b, n, 0)
  const w = found[RESPONSE]
  if (!(w > 0)) return
  const ox = omega[3 * b + 1] * arm[2] - omega[3 * b + 2] * arm[1]
  const oy = omega[3 * b + 2] * arm[0] - omega[3 * b] * arm[2]
  const oz = omega[3 * b] * arm[1] - omega[3 * b + 1] * arm[0]
  const speed =
    n[0] * (v[3 * i] - v[3 * b] - ox) +
    n[1] * (v[3 * i + 1] - v[3 * b + 1] - oy) +
    n[2] * (v[3 * i + 2] - v[3 * b + 2] - oz)
  const e = record[r + RESTITUTION]
  const load = lambda[ROWS * row]
  const parting = partingSpeed(e, speed, -record[r + APPROACH], record[r + TAKEN], load, found[START], w, h)
  const impulse = (parting - speed) / w
  if (!(impulse > 0)) return
  lambda[ROWS * row] += impulse * h
  for (let k = 0; k < 3; k++) {
    v[3 * i + k] += x[4 * i + 3] * impulse * n[k]
    v[3 * b + k] -= x[4 * b + 3] * impulse * n[k]
    omega[3 * b + k] -= impulse * spin[k]
  }
}
