/** What changes of λ do to the two bodies of a contact manifold: displacements, and changes of velocity. */

import { type BodyColumns, RUNAWAY, rotateBy } from '@tautline/core/kernel'
import {
  ARM_N,
  ARM_T,
  change,
  DEEP,
  FIRST,
  FRAME,
  FRICTION,
  ORIGIN,
  RECORD,
  type Manifolds,
  ROLLING,
  ROWS,
  TWIST,
} from './manifold-columns.js'

/** Squared angle [rad²] up to which a turn needs no root. */
const SMALL_TURN = 1e-3

/** Force P and moment T about `origin` of a set of multipliers. */
const wrench = /* @__PURE__ */ new Float64Array(6)
const turn = /* @__PURE__ */ new Float64Array(3)

/**
 * A body has moved far that the substep has shifted by this share of its radius of gyration since lever arms and G were prepared, or whose
 * quaternion has changed by this much: G is off by three quarters then, and from twice on passes over velocities gain energy. Shifts of
 * half a metre, as of limbs that strong drives throw, made 8 kJ of 180 J.
 */
const SHIFTED = 0.5
const TURNED = 0.2

/** What is kept with the batch within a substep. */
class PushOut {
  /** By body: how far the push-out of deep overlaps has moved and turned it in this substep. Grown and kept. */
  pushed: Float64Array = new Float64Array(0)
  /** Poses at which lever arms and G were prepared. */
  position: Float64Array = new Float64Array(0)
  orientation: Float64Array = new Float64Array(0)
  /** By body: 1 where something other than a contact holds it; and whether there is one (`start-push.ts`). */
  joined: Uint8Array = new Uint8Array(0)
  hasJoined = false
}

/** What is kept with a batch. */
export function pushOutOf(batch: Manifolds): PushOut {
  return (batch.plan ??= new PushOut()) as PushOut
}

/** Whether a or b is held by something other than contacts: then deep overlaps are pushed out at the start of the substep. */
export function holdsJoined(batch: Manifolds, a: number, b: number): boolean {
  const { joined, hasJoined } = pushOutOf(batch)
  return hasJoined && (joined[a] === 1 || joined[b] === 1)
}

/** Starts the count of what push-out does, and notes the predicted poses. */
export function beginPush(bodies: BodyColumns, batch: Manifolds): void {
  const { position, orientation } = bodies
  const plan = pushOutOf(batch)
  if (plan.position.length !== position.length) {
    plan.pushed = new Float64Array(6 * bodies.kind.length)
    plan.position = new Float64Array(position.length)
    plan.orientation = new Float64Array(orientation.length)
  } else plan.pushed.fill(0)
  plan.position.set(position)
  plan.orientation.set(orientation)
}

/** Whether body `i` has been moved far since its lever arms and G were prepared. */
export function wasMovedFar(
  { position: x, orientation: q, inverseInertia: I }: BodyColumns,
  batch: Manifolds,
  i: number,
): boolean {
  const plan = batch.plan as PushOut
  const p = 4 * i
  if (x[p + 3] === 0) return false
  const dx = x[p] - plan.position[p]
  const dy = x[p + 1] - plan.position[p + 1]
  const dz = x[p + 2] - plan.position[p + 2]
  const trace = I[9 * i] + I[9 * i + 4] + I[9 * i + 8]
  if ((dx * dx + dy * dy + dz * dz) * trace > SHIFTED * SHIFTED * x[p + 3]) return true
  let turned = 0
  for (let k = p; k < p + 4; k++) turned += (q[k] - plan.orientation[k]) * (q[k] - plan.orientation[k])
  return turned > TURNED * TURNED
}

/** Takes what push-out did from a body's velocities: it is to move, and not to fly. */
export function stopPush(bodies: BodyColumns, batch: Manifolds, i: number, h: number): void {
  const { velocity, angularVelocity } = bodies
  const { pushed } = batch.plan as PushOut
  for (let k = 0; k < 3; k++) {
    velocity[3 * i + k] -= pushed[6 * i + k] / h
    angularVelocity[3 * i + k] -= pushed[6 * i + 3 + k] / h
    pushed[6 * i + k] = pushed[6 * i + 3 + k] = 0
  }
}

/** Displaces by the λ of the last substep. */
export function warmStart(bodies: BodyColumns, batch: Manifolds, row: number, a: number, b: number): void {
  const { points, lambda, record } = batch.columns
  const l = ROWS * row
  let pushed = 0
  for (let k = 0; k < points[row]; k++) {
    pushed += lambda[l + k]
  }
  record[RECORD * row + FIRST] = pushed
  if (pushed === 0) {
    for (let k = FRICTION; k < ROWS; k++) lambda[l + k] = 0
    return
  }
  for (let k = 0; k < ROWS; k++) change[k] = lambda[l + k]
  displace(bodies, batch, row, a, b)
}

/** Force and moment about `origin` of `change`, all rows. */
function gather(batch: Manifolds, row: number): void {
  gatherNormals(batch, row)
  const { rolling, record } = batch.columns
  const f = RECORD * row + FRAME
  const t = RECORD * row + ARM_T
  const s = change[FRICTION]
  const u = change[FRICTION + 1]
  const twist = change[TWIST]
  wrench[0] += s * record[f + 3] + u * record[f + 6]
  wrench[1] += s * record[f + 4] + u * record[f + 7]
  wrench[2] += s * record[f + 5] + u * record[f + 8]
  wrench[3] += s * record[t] + u * record[t + 3] + twist * record[f]
  wrench[4] += s * record[t + 1] + u * record[t + 4] + twist * record[f + 1]
  wrench[5] += s * record[t + 2] + u * record[t + 5] + twist * record[f + 2]
  if (rolling[row] === 0) return
  const y = change[ROLLING]
  const z = change[ROLLING + 1]
  wrench[3] += y * record[f + 3] + z * record[f + 6]
  wrench[4] += y * record[f + 4] + z * record[f + 7]
  wrench[5] += y * record[f + 5] + z * record[f + 8]
}

/** Force and moment about `origin` of the normals' `change`. */
function gatherNormals(batch: Manifolds, row: number): void {
  const { points, record } = batch.columns
  const n = points[row]
  const f = RECORD * row + FRAME
  let push = 0
  let mx = 0
  let my = 0
  let mz = 0
  for (let i = 0, o = RECORD * row + ARM_N; i < n; i++, o += 3) {
    const d = change[i]
    push += d
    mx += d * record[o]
    my += d * record[o + 1]
    mz += d * record[o + 2]
  }
  wrench[0] = push * record[f]
  wrench[1] = push * record[f + 1]
  wrench[2] = push * record[f + 2]
  wrench[3] = mx
  wrench[4] = my
  wrench[5] = mz
}

/** Adds force and moment about the centres of a and b of `change`, all rows, to six numbers each at oa and ob; −1: none. */
export function addWrench(
  bodies: BodyColumns,
  batch: Manifolds,
  row: number,
  a: number,
  b: number,
  out: Float64Array,
  oa: number,
  ob: number,
): void {
  const { position: x } = bodies
  const { record } = batch.columns
  gather(batch, row)
  for (let side = 0; side < 2; side++) {
    const k = side === 0 ? oa : ob
    if (k < 0) continue
    const sign = side === 0 ? 1 : -1
    const p = 4 * (side === 0 ? a : b)
    const o = RECORD * row + ORIGIN
    const sx = record[o] - x[p]
    const sy = record[o + 1] - x[p + 1]
    const sz = record[o + 2] - x[p + 2]
    out[k] += sign * wrench[0]
    out[k + 1] += sign * wrench[1]
    out[k + 2] += sign * wrench[2]
    out[k + 3] += sign * (wrench[3] + sy * wrench[2] - sz * wrench[1])
    out[k + 4] += sign * (wrench[4] + sz * wrench[0] - sx * wrench[2])
    out[k + 5] += sign * (wrench[5] + sx * wrench[1] - sy * wrench[0])
  }
}

/** Whether `wrench` is within measure: a manifold that is not finite moves nothing, and its λ tells of it. */
function isBounded(): boolean {
  const force = Math.abs(wrench[0]) + Math.abs(wrench[1]) + Math.abs(wrench[2])
  return force + Math.abs(wrench[3]) + Math.abs(wrench[4]) + Math.abs(wrench[5]) < RUNAWAY
}

/** ΔX = M⁻¹ Jᵀ `change`, all rows. */
export function displace(bodies: BodyColumns, batch: Manifolds, row: number, a: number, b: number): void {
  gather(batch, row)
  if (!isBounded()) return
  displaceBody(bodies, batch, row, a, 1)
  displaceBody(bodies, batch, row, b, -1)
}

/** ΔX = M⁻¹ Jᵀ of the normals' `change`. */
export function displaceNormals(bodies: BodyColumns, batch: Manifolds, row: number, a: number, b: number): void {
  gatherNormals(batch, row)
  if (!isBounded()) return
  displaceBody(bodies, batch, row, a, 1)
  displaceBody(bodies, batch, row, b, -1)
}

function displaceBody(bodies: BodyColumns, batch: Manifolds, row: number, i: number, sign: number): void {
  const { position: x, orientation: q, inverseInertia: I } = bodies
  const p = 4 * i
  const w = sign * x[p + 3]
  if (w === 0) return
  const { record } = batch.columns
  const o = RECORD * row + ORIGIN
  const fx = wrench[0]
  const fy = wrench[1]
  const fz = wrench[2]
  const sx = record[o] - x[p]
  const sy = record[o + 1] - x[p + 1]
  const sz = record[o + 2] - x[p + 2]
  const mx = sign * (wrench[3] + sy * fz - sz * fy)
  const my = sign * (wrench[4] + sz * fx - sx * fz)
  const mz = sign * (wrench[5] + sx * fy - sy * fx)
  const e = 9 * i
  const tx = I[e] * mx + I[e + 1] * my + I[e + 2] * mz
  const ty = I[e + 3] * mx + I[e + 4] * my + I[e + 5] * mz
  const tz = I[e + 6] * mx + I[e + 7] * my + I[e + 8] * mz
  x[p] += w * fx
  x[p + 1] += w * fy
  x[p + 2] += w * fz
  if (record[RECORD * row + DEEP] !== 0) {
    const { pushed } = batch.plan as PushOut
    const k = 6 * i
    pushed[k] += w * fx
    pushed[k + 1] += w * fy
    pushed[k + 2] += w * fz
    pushed[k + 3] += tx
    pushed[k + 4] += ty
    pushed[k + 5] += tz
  }
  const u = tx * tx + ty * ty + tz * tz
  if (u > SMALL_TURN) {
    turn[0] = tx
    turn[1] = ty
    turn[2] = tz
    rotateBy(q, p, turn)
    return
  }
  // exp(δθ/2) to the sixth order of the angle: off by 1e-12 at most, and no root.
  const s = 0.5 - u * (1 / 48 - u * (1 / 3840))
  const c = 1 - u * (0.125 - u * (1 / 384))
  const ax = s * tx
  const ay = s * ty
  const az = s * tz
  const qx = q[p]
  const qy = q[p + 1]
  const qz = q[p + 2]
  const qw = q[p + 3]
  q[p] = c * qx + ax * qw + ay * qz - az * qy
  q[p + 1] = c * qy - ax * qz + ay * qw + az * qx
  q[p + 2] = c * qz + ax * qy - ay * qx + az * qw
  q[p + 3] = c * qw - ax * qx - ay * qy - az * qz
}

/** Δv = M⁻¹ Jᵀ `change` / h, all rows. */
export function accelerate(bodies: BodyColumns, batch: Manifolds, row: number, a: number, b: number, h: number): void {
  gather(batch, row)
  const rate = 1 / h
  for (let k = 0; k < 6; k++) wrench[k] *= rate
  if (!isBounded()) return
  accelerateBody(bodies, batch, row, a, 1)
  accelerateBody(bodies, batch, row, b, -1)
}

function accelerateBody(bodies: BodyColumns, batch: Manifolds, row: number, i: number, sign: number): void {
  const { position: x, velocity: v, angularVelocity: w, inverseInertia: I } = bodies
  const { record } = batch.columns
  const p = 4 * i
  const m = sign * x[p + 3]
  if (m === 0) return
  const o = RECORD * row + ORIGIN
  const fx = wrench[0]
  const fy = wrench[1]
  const fz = wrench[2]
  const sx = record[o] - x[p]
  const sy = record[o + 1] - x[p + 1]
  const sz = record[o + 2] - x[p + 2]
  const mx = sign * (wrench[3] + sy * fz - sz * fy)
  const my = sign * (wrench[4] + sz * fx - sx * fz)
  const mz = sign * (wrench[5] + sx * fy - sy * fx)
  const e = 9 * i
  const k = 3 * i
  v[k] += m * fx
  v[k + 1] += m * fy
  v[k + 2] += m * fz
  w[k] += I[e] * mx + I[e + 1] * my + I[e + 2] * mz
  w[k + 1] += I[e + 3] * mx + I[e + 4] * my + I[e + 5] * mz
  w[k + 2] += I[e + 6] * mx + I[e + 7] * my + I[e + 8] * mz
}
