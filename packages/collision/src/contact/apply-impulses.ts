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

/** Force and moment about `origin` of `change`: of all rows, or of the normals. */
function gather(batch: Manifolds, row: number, all: boolean): void {
  const { points, rolling, record } = batch.columns
  const added = change
  const n = points[row] | 0
  const p = RECORD * row
  const nx = record[p + FRAME]
  const ny = record[p + FRAME + 1]
  const nz = record[p + FRAME + 2]
  let push = 0
  let mx = 0
  let my = 0
  let mz = 0
  for (let i = 0, o = p + ARM_N; i < n; i++, o += 3) {
    const d = added[i]
    push += d
    mx += d * record[o]
    my += d * record[o + 1]
    mz += d * record[o + 2]
  }
  let fx = push * nx
  let fy = push * ny
  let fz = push * nz
  if (all) {
    const f = p + FRAME + 3
    const t = p + ARM_T
    const s = added[FRICTION]
    const u = added[FRICTION + 1]
    const twist = added[TWIST]
    fx += s * record[f] + u * record[f + 3]
    fy += s * record[f + 1] + u * record[f + 4]
    fz += s * record[f + 2] + u * record[f + 5]
    mx += s * record[t] + u * record[t + 3] + twist * nx
    my += s * record[t + 1] + u * record[t + 4] + twist * ny
    mz += s * record[t + 2] + u * record[t + 5] + twist * nz
    if (rolling[row] !== 0) {
      const y = added[ROLLING]
      const z = added[ROLLING + 1]
      mx += y * record[f] + z * record[f + 3]
      my += y * record[f + 1] + z * record[f + 4]
      mz += y * record[f + 2] + z * record[f + 5]
    }
  }
  const out = wrench
  out[0] = fx
  out[1] = fy
  out[2] = fz
  out[3] = mx
  out[4] = my
  out[5] = mz
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
  gather(batch, row, true)
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

/** ΔX = M⁻¹ Jᵀ of `change`: of all rows, or of the normals. What is not within measure moves nothing, and its λ tells of it. */
export function displace(
  bodies: BodyColumns,
  batch: Manifolds,
  row: number,
  a: number,
  b: number,
  all = true,
): void {
  gather(batch, row, all)
  const { position: x, orientation: q, inverseInertia: I } = bodies
  const { record } = batch.columns
  const force = wrench
  const fx = force[0]
  const fy = force[1]
  const fz = force[2]
  const mx = force[3]
  const my = force[4]
  const mz = force[5]
  if (!(Math.abs(fx) + Math.abs(fy) + Math.abs(fz) + Math.abs(mx) + Math.abs(my) + Math.abs(mz) < RUNAWAY)) return
  const o = RECORD * row + ORIGIN
  const ox = record[o]
  const oy = record[o + 1]
  const oz = record[o + 2]
  const isDeep = record[RECORD * row + DEEP] !== 0
  for (let i = a, sign = 1; ; i = b, sign = -1) {
    const p = 4 * i
    const w = sign * x[p + 3]
    if (w !== 0) {
      const sx = ox - x[p]
      const sy = oy - x[p + 1]
      const sz = oz - x[p + 2]
      const gx = sign * (mx + sy * fz - sz * fy)
      const gy = sign * (my + sz * fx - sx * fz)
      const gz = sign * (mz + sx * fy - sy * fx)
      const e = 9 * i
      const tx = I[e] * gx + I[e + 1] * gy + I[e + 2] * gz
      const ty = I[e + 3] * gx + I[e + 4] * gy + I[e + 5] * gz
      const tz = I[e + 6] * gx + I[e + 7] * gy + I[e + 8] * gz
      x[p] += w * fx
      x[p + 1] += w * fy
      x[p + 2] += w * fz
      if (isDeep) {
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
      } else {
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
    }
    if (sign < 0) return
  }
}

/** Δv = M⁻¹ Jᵀ `change` / h, all rows. */
export function accelerate(bodies: BodyColumns, batch: Manifolds, row: number, a: number, b: number, h: number): void {
  gather(batch, row, true)
  const { position: x, velocity: v, angularVelocity: w, inverseInertia: I } = bodies
  const { record } = batch.columns
  const force = wrench
  const rate = 1 / h
  const fx = force[0] * rate
  const fy = force[1] * rate
  const fz = force[2] * rate
  const tx = force[3] * rate
  const ty = force[4] * rate
  const tz = force[5] * rate
  if (!(Math.abs(fx) + Math.abs(fy) + Math.abs(fz) + Math.abs(tx) + Math.abs(ty) + Math.abs(tz) < RUNAWAY)) return
  const o = RECORD * row + ORIGIN
  const ox = record[o]
  const oy = record[o + 1]
  const oz = record[o + 2]
  for (let i = a, sign = 1; ; i = b, sign = -1) {
    const p = 4 * i
    const m = sign * x[p + 3]
    if (m !== 0) {
      const sx = ox - x[p]
      const sy = oy - x[p + 1]
      const sz = oz - x[p + 2]
      const mx = sign * (tx + sy * fz - sz * fy)
      const my = sign * (ty + sz * fx - sx * fz)
      const mz = sign * (tz + sx * fy - sy * fx)
      const e = 9 * i
      const k = 3 * i
      v[k] += m * fx
      v[k + 1] += m * fy
      v[k + 2] += m * fz
      w[k] += I[e] * mx + I[e + 1] * my + I[e + 2] * mz
      w[k + 1] += I[e + 3] * mx + I[e + 4] * my + I[e + 5] * mz
      w[k + 2] += I[e + 6] * mx + I[e + 7] * my + I[e + 8] * mz
    }
    if (sign < 0) return
  }
}
