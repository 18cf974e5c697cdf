/**
 * Contact of a face of three particles, or of an edge of two, with a collider: one normal row and friction in the plane, as that of a particle
 * (`point-contact.ts`) for the point of the face that touches, x = Σ s_k x_k. The body is pushed at the point of first contact on its
 * path: at the end of the prediction a fast body is far from the face, and the long lever would turn it instead of moving it.
 *
 * Rows of faces are there for what corners do not see: the corner of a box through the middle of cloth, a limb between two particles.
 */

import type { ConstraintType } from '@tautline/core'
import { type BodyColumns, rotateVector, rotateVectorInverse, rotateBy } from '@tautline/core/kernel'
import { partingSpeed, takenBy, RESTING } from './bounce.js'
import {
  APPROACH,
  BODIES,
  CARRY,
  CORNERS,
  D,
  FACE_COLUMNS,
  type FaceColumn,
  type FaceContacts,
  FRICTION,
  GIVES,
  DIRECT,
  LOCAL_N,
  LOCAL_POINT,
  LOCAL_S,
  N,
  NEAR,
  RECORD,
  RESTITUTION,
  ROWS,
  SHARES,
  TAKEN,
} from './face-columns.js'
import { findNextPlane, prepareFaces } from './face-prepare.js'
import { outlineFace } from './outline.js'
import type { Surfaces } from './surfaces.js'
import { touchEdge } from './touch.js'

/** Planes that a fast face may meet in a pass, and passes in a sweep. */
const LOOKS = 6
const PASSES = 6

/** n̂, t̂₁, t̂₂; the point that touches now and at the start; lever arm of the body to that point; I⁻¹ (arm × d); its turn; slip. */
const axes = /* @__PURE__ */ new Float64Array(9)
const point = /* @__PURE__ */ new Float64Array(3)
const startPoint = /* @__PURE__ */ new Float64Array(3)
const arm = /* @__PURE__ */ new Float64Array(3)
const spin = /* @__PURE__ */ new Float64Array(3)
const turn = /* @__PURE__ */ new Float64Array(3)
const slip = /* @__PURE__ */ new Float64Array(3)
/** c, what a row moves by a unit of λ, c at the start: in memory, as what a function returns would be boxed. */
const found = /* @__PURE__ */ new Float64Array(4)
const GAP_NOW = 0
const RESPONSE = 1
const START = 2
const STEP = 3

/** Made and kept by `Collisions`: a row a face and a part of a collider. */
export const faceContact: ConstraintType<object, FaceColumn> = {
  name: 'particleFaceContact',
  order: 4,
  arity: BODIES,
  multipliers: ROWS,
  traits: {
    warmStart: false,
    transient: true,
    unordered: true,
  },
  columns: FACE_COLUMNS,

  resolve: (def) => def,
  write() {},
  energy: () => 0,
  outline: outlineFace,

  evaluate(bodies, batch, row, out) {
    const { record } = batch.columns
    const r = RECORD * row
    if (record[r + NEAR] === 0) return
    measure(bodies, batch, row)
    const group = out.group('scalar', 'position', 'm')
    group.lower = 0
    group.restitution = record[r + RESTITUTION]
    out.row(0, found[GAP_NOW])
    writeGradient(out, record, r, 0)
    if (record[r + FRICTION] === 0) return
    writeTangents()
    measureSlip(bodies, batch, row)
    const disc = out.group('disc', 'position', 'm')
    disc.normal = 0
    disc.slip = record[r + FRICTION + 1]
    disc.radius = record[r + FRICTION]
    for (let k = 1; k < 3; k++) {
      const o = 3 * k
      out.row(k, axes[o] * slip[0] + axes[o + 1] * slip[1] + axes[o + 2] * slip[2])
      writeGradient(out, record, r, o)
    }
  },
  touches: {
    write: touchEdge,
    leave({ columns: { record } }, row, isLeft) {
      record[RECORD * row + NEAR] = isLeft ? DIRECT : 1
    },
  },
  loop: {
    prepare: prepareFaces,
    sweep(bodies, batch, from, to) {
      const { record } = batch.columns
      ;(batch.plan as unknown as Surfaces).backing?.handOver(bodies)
      for (let row = from; row < to; row++) if (record[RECORD * row + NEAR] === 1) meetFace(bodies, batch, row)
      // Faces that share a corner push each other on: what one is stopped by, another may be driven through.
      for (let pass = 0; pass < PASSES; pass++) {
        let any = false
        for (let row = from; row < to; row++) {
          if (record[RECORD * row + NEAR] === 2 && meetFast(bodies, batch, row)) any = true
        }
        if (!any) return
      }
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

type Gradient = (b: number, x: number, y: number, z: number) => void

/** Gradient of the last row along `axes[o…]`: both are pushed at the point of the face. */
function writeGradient(out: { linear: Gradient; angular: Gradient }, record: Float64Array, r: number, o: number): void {
  const x = axes[o]
  const y = axes[o + 1]
  const z = axes[o + 2]
  for (let k = 0; k < CORNERS; k++) {
    const share = record[r + SHARES + k]
    out.linear(k, share * x, share * y, share * z)
  }
  out.linear(CORNERS, -x, -y, -z)
  out.angular(CORNERS, arm[2] * y - arm[1] * z, arm[0] * z - arm[2] * x, arm[1] * x - arm[0] * y)
}

function noteImpulses({ columns }: FaceContacts, from: number, to: number, h: number): void {
  const { lambda, touching, impulse } = columns
  for (let row = from; row < to; row++) {
    const pushed = lambda[ROWS * row]
    if (pushed === 0) continue
    impulse[row] += pushed / h
    touching[row] = 1
  }
}

/** The point that touches, now and at the start; n̂, c and c at the start. */
function measure(bodies: BodyColumns, batch: FaceContacts, row: number): void {
  const { record } = batch.columns
  const { position: x, startPosition: x0 } = bodies
  const r = RECORD * row
  const b = batch.ids[BODIES * row + CORNERS]
  for (let axis = 0; axis < 3; axis++) {
    let now = 0
    let before = 0
    for (let k = 0; k < CORNERS; k++) {
      const p = 4 * batch.ids[BODIES * row + k] + axis
      now += record[r + SHARES + k] * x[p]
      before += record[r + SHARES + k] * x0[p]
    }
    point[axis] = now
    startPoint[axis] = before
    arm[axis] = now - x[4 * b + axis]
  }
  if (record[r + GIVES] === 0) {
    found[GAP_NOW] = found[START] = -record[r + D]
    for (let k = 0; k < 3; k++) {
      axes[k] = record[r + N + k]
      found[GAP_NOW] += axes[k] * point[k]
      found[START] += axes[k] * (startPoint[k] + record[r + CARRY + k])
    }
    return
  }
  const l = r + LOCAL_N
  rotateVector(bodies.orientation, 4 * b, record[l], record[l + 1], record[l + 2], axes, 0)
  const ax = startPoint[0] - x0[4 * b]
  const ay = startPoint[1] - x0[4 * b + 1]
  const az = startPoint[2] - x0[4 * b + 2]
  rotateVectorInverse(bodies.startOrientation, 4 * b, ax, ay, az, slip, 0)
  found[GAP_NOW] = found[START] = -record[r + LOCAL_S]
  for (let k = 0; k < 3; k++) {
    found[GAP_NOW] += axes[k] * arm[k]
    found[START] += record[l + k] * slip[k]
  }
  const p = r + LOCAL_POINT
  rotateVector(bodies.orientation, 4 * b, record[p], record[p + 1], record[p + 2], arm, 0)
}

/** How far the point is beyond where it began and the matter of the surface under it went; after `measure`. */
function measureSlip(bodies: BodyColumns, batch: FaceContacts, row: number): void {
  const { record } = batch.columns
  const r = RECORD * row
  if (record[r + GIVES] === 0) {
    for (let k = 0; k < 3; k++) slip[k] = point[k] - startPoint[k] - record[r + CARRY + k]
    return
  }
  const b = 4 * batch.ids[BODIES * row + CORNERS]
  const p = r + LOCAL_POINT
  rotateVector(bodies.startOrientation, b, record[p], record[p + 1], record[p + 2], slip, 0)
  for (let k = 0; k < 3; k++) {
    slip[k] += point[k] - startPoint[k] - (bodies.position[b + k] - bodies.startPosition[b + k]) - arm[k]
  }
}

/** t̂₁ and t̂₂ of n̂. */
function writeTangents(): void {
  const x = axes[0]
  const y = axes[1]
  const z = axes[2]
  const isX = x * x < 0.5
  const s = isX ? 1 / Math.sqrt(1 - x * x) : 1 / Math.sqrt(1 - y * y)
  axes[3] = isX ? 0 : -s * z
  axes[4] = isX ? s * z : 0
  axes[5] = isX ? -s * y : s * x
  axes[6] = y * axes[5] - z * axes[4]
  axes[7] = z * axes[3] - x * axes[5]
  axes[8] = x * axes[4] - y * axes[3]
}

/** I⁻¹ (arm × d) into `spin`, and what the row along d = `axes[o…]` moves by a unit of λ into `found`. */
function respond(bodies: BodyColumns, batch: FaceContacts, row: number, o: number): void {
  const { position: x, inverseInertia: I } = bodies
  const { record } = batch.columns
  const r = RECORD * row
  let w = 0
  for (let k = 0; k < CORNERS; k++) {
    const share = record[r + SHARES + k]
    w += share * share * x[4 * batch.ids[BODIES * row + k] + 3]
  }
  spin[0] = spin[1] = spin[2] = 0
  if (record[r + GIVES] !== 0) {
    const b = batch.ids[BODIES * row + CORNERS]
    const mx = arm[1] * axes[o + 2] - arm[2] * axes[o + 1]
    const my = arm[2] * axes[o] - arm[0] * axes[o + 2]
    const mz = arm[0] * axes[o + 1] - arm[1] * axes[o]
    for (let k = 0; k < 3; k++) spin[k] = I[9 * b + 3 * k] * mx + I[9 * b + 3 * k + 1] * my + I[9 * b + 3 * k + 2] * mz
    w += x[4 * b + 3] + mx * spin[0] + my * spin[1] + mz * spin[2]
  }
  found[RESPONSE] = w
}

/** Displaces all by `found[STEP]` along `axes[o…]`, the body turning by `spin`. */
function displace(bodies: BodyColumns, batch: FaceContacts, row: number, o: number): void {
  const dl = found[STEP]
  const { position: x } = bodies
  const { record } = batch.columns
  const r = RECORD * row
  for (let k = 0; k < BODIES; k++) {
    const p = 4 * batch.ids[BODIES * row + k]
    const way = (k < CORNERS ? record[r + SHARES + k] : -1) * x[p + 3] * dl
    if (way === 0) continue
    for (let axis = 0; axis < 3; axis++) x[p + axis] += way * axes[o + axis]
  }
  if (record[r + GIVES] === 0) return
  for (let k = 0; k < 3; k++) turn[k] = -dl * spin[k]
  rotateBy(bodies.orientation, 4 * batch.ids[BODIES * row + CORNERS], turn)
}

/** One pass over a row of a face that is fast, plane by plane, each on the way to where the last one has left it: whether it has pushed. */
function meetFast(bodies: BodyColumns, batch: FaceContacts, row: number): boolean {
  const { lambda } = batch.columns
  const before = lambda[ROWS * row]
  let load = before
  for (let look = 0; look < LOOKS && findNextPlane(bodies, batch, row); look++) {
    lambda.fill(0, ROWS * row, ROWS * row + ROWS)
    meetFace(bodies, batch, row)
    if (lambda[ROWS * row] === 0) break
    load += lambda[ROWS * row]
  }
  lambda[ROWS * row] = load
  return load > before
}

/** One pass over a row. */
export function meetFace(bodies: BodyColumns, batch: FaceContacts, row: number): void {
  const { record, lambda } = batch.columns
  const r = RECORD * row
  const l = ROWS * row
  const before = lambda[l]
  measure(bodies, batch, row)
  // What overlaps at the start may stay as it is.
  const c = found[START] < 0 ? found[GAP_NOW] - found[START] : found[GAP_NOW]
  if (c >= 0 && before === 0) return
  respond(bodies, batch, row, 0)
  const w = found[RESPONSE]
  if (!(w > 0)) return
  const load = Math.max(0, before - c / w)
  if (record[r + RESTITUTION] > 0) record[r + TAKEN] += takenBy(load - before, c, found[START], w)
  lambda[l] = load
  found[STEP] = load - before
  displace(bodies, batch, row, 0)
  const cone = record[r + FRICTION] * load
  if (cone === 0 && lambda[l + 1] === 0 && lambda[l + 2] === 0) return
  measure(bodies, batch, row)
  writeTangents()
  measureSlip(bodies, batch, row)
  const ux = slip[0]
  const uy = slip[1]
  const uz = slip[2]
  const old1 = lambda[l + 1]
  const old2 = lambda[l + 2]
  respond(bodies, batch, row, 6)
  let l2 = old2 - (axes[6] * ux + axes[7] * uy + axes[8] * uz) / found[RESPONSE]
  respond(bodies, batch, row, 3)
  let l1 = old1 - (axes[3] * ux + axes[4] * uy + axes[5] * uz) / found[RESPONSE]
  const square = l1 * l1 + l2 * l2
  if (square > cone * cone) {
    const share = (record[r + FRICTION + 1] * load) / Math.sqrt(square)
    l1 *= share
    l2 *= share
  }
  lambda[l + 1] = l1
  lambda[l + 2] = l2
  found[STEP] = l1 - old1
  displace(bodies, batch, row, 3)
  respond(bodies, batch, row, 6)
  found[STEP] = l2 - old2
  displace(bodies, batch, row, 6)
}

/** Sends off what has struck with its share of the speed of approach; the impulse belongs to λ. */
function bounce(bodies: BodyColumns, batch: FaceContacts, row: number, h: number): void {
  const { record, lambda } = batch.columns
  const { velocity: v, angularVelocity: omega, position: x } = bodies
  const r = RECORD * row
  const b = batch.ids[BODIES * row + CORNERS]
  measure(bodies, batch, row)
  respond(bodies, batch, row, 0)
  const w = found[RESPONSE]
  if (!(w > 0)) return
  const o = 3 * b
  const mx = omega[o + 1] * arm[2] - omega[o + 2] * arm[1]
  const my = omega[o + 2] * arm[0] - omega[o] * arm[2]
  const mz = omega[o] * arm[1] - omega[o + 1] * arm[0]
  let speed = -axes[0] * mx - axes[1] * my - axes[2] * mz
  for (let k = 0; k < BODIES; k++) {
    const i = 3 * batch.ids[BODIES * row + k]
    const share = k < CORNERS ? record[r + SHARES + k] : -1
    speed += share * (axes[0] * v[i] + axes[1] * v[i + 1] + axes[2] * v[i + 2])
  }
  const load = lambda[ROWS * row]
  const e = record[r + RESTITUTION]
  const parting = partingSpeed(e, speed, -record[r + APPROACH], record[r + TAKEN], load, found[START], w, h)
  const impulse = (parting - speed) / w
  if (!(impulse > 0)) return
  lambda[ROWS * row] += impulse * h
  for (let k = 0; k < BODIES; k++) {
    const i = batch.ids[BODIES * row + k]
    const push = (k < CORNERS ? record[r + SHARES + k] : -1) * x[4 * i + 3] * impulse
    if (push === 0) continue
    for (let axis = 0; axis < 3; axis++) v[3 * i + axis] += push * axes[axis]
  }
  if (record[r + GIVES] !== 0) for (let k = 0; k < 3; k++) omega[o + k] -= impulse * spin[k]
}
