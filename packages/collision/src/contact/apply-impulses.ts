/** What changes of λ do to the positions of the two bodies of a contact manifold. */

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
  loadOf,
  type Manifolds,
  ROLLING,
  ROWS,
  TWIST,
} from './manifold-columns.js'

/** Squared angle [rad²] up to which a turn needs no root. */
const SMALL_TURN = 1e-3

/** Force and moment on a body whose block solver takes loads. */
const load = /* @__PURE__ */ new Float64Array(6)
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

/** Whether a body of a manifold is held by something other than contacts: then deep overlaps are pushed out at the start of the substep. */
export function holdsJoined(batch: Manifolds, row: number): boolean {
  const { joined, hasJoined } = pushOutOf(batch)
  return hasJoined && (joined[batch.ids[2 * row]] === 1 || joined[batch.ids[2 * row + 1]] === 1)
}

/** Starts the count of what push-out does to the bodies of some rows, and notes their predicted poses. */
export function beginPush(bodies: BodyColumns, batch: Manifolds, from: number, to: number): void {
  const { position, orientation } = bodies
  const plan = pushOutOf(batch)
  if (plan.position.length !== position.length) {
    plan.pushed = new Float64Array(6 * bodies.kind.length)
    plan.position = new Float64Array(position.length)
    plan.orientation = new Float64Array(orientation.length)
  }
  const { ids } = batch
  const { pushed, position: y, orientation: r } = plan
  for (let k = 2 * from; k < 2 * to; k++) {
    const i = ids[k]
    for (let o = 6 * i; o < 6 * i + 6; o++) pushed[o] = 0
    for (let o = 4 * i; o < 4 * i + 4; o++) {
      y[o] = position[o]
      r[o] = orientation[o]
    }
  }
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
export function warmStart(bodies: BodyColumns, batch: Manifolds, row: number): void {
  const { lambda, record } = batch.columns
  const added = change
  const l = ROWS * row
  const pushed = loadOf(batch, row)
  record[RECORD * row + FIRST] = pushed
  if (pushed === 0) {
    for (let k = FRICTION; k < ROWS; k++) lambda[l + k] = 0
    return
  }
  for (let k = 0; k < ROWS; k++) added[k] = lambda[l + k]
  displace(bodies, batch, row)
}

/**
 * ΔX = M⁻¹ Jᵀ `change`, of all rows or of the normals alone. What is not within measure moves nothing, and its λ tells of it. With
 * `out`, force and moment about the centres of a and b are added to six numbers each at oa and ob instead.
 */
export function displace(
  bodies: BodyColumns,
  batch: Manifolds,
  row: number,
  all = true,
  out?: Float64Array,
  oa = 0,
  ob = 0,
): void {
  const { points, rolling, record } = batch.columns
  const { ids } = batch
  const { position: x, orientation: q, inverseInertia: I } = bodies
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
  const size = Math.abs(fx) + Math.abs(fy) + Math.abs(fz) + Math.abs(mx) + Math.abs(my) + Math.abs(mz)
  if (!(size < RUNAWAY) && out === undefined) return
  const ox = record[p + ORIGIN]
  const oy = record[p + ORIGIN + 1]
  const oz = record[p + ORIGIN + 2]
  const { loads } = bodies
  for (let side = 0; side < 2; side++) {
    const i = ids[2 * row + side]
    const sign = 1 - 2 * side
    const c = 4 * i
    const m = sign * x[c + 3]
    if (m === 0) continue
    const sx = ox - x[c]
    const sy = oy - x[c + 1]
    const sz = oz - x[c + 2]
    const gx = sign * (mx + sy * fz - sz * fy)
    const gy = sign * (my + sz * fx - sx * fz)
    const gz = sign * (mz + sx * fy - sy * fx)
    if (out !== undefined) {
      const k = side === 0 ? oa : ob
      out[k] += sign * fx
      out[k + 1] += sign * fy
      out[k + 2] += sign * fz
      out[k + 3] += gx
      out[k + 4] += gy
      out[k + 5] += gz
      continue
    }
    if (loads?.takes(i) === true) {
      load[0] = sign * fx
      load[1] = sign * fy
      load[2] = sign * fz
      load[3] = gx
      load[4] = gy
      load[5] = gz
      loads.add(i, load)
      continue
    }
    const e = 9 * i
    const tx = I[e] * gx + I[e + 1] * gy + I[e + 2] * gz
    const ty = I[e + 3] * gx + I[e + 4] * gy + I[e + 5] * gz
    const tz = I[e + 6] * gx + I[e + 7] * gy + I[e + 8] * gz
    x[c] += m * fx
    x[c + 1] += m * fy
    x[c + 2] += m * fz
    if (record[p + DEEP] !== 0) {
      const { pushed } = batch.plan as PushOut
      const k = 6 * i
      pushed[k] += m * fx
      pushed[k + 1] += m * fy
      pushed[k + 2] += m * fz
      pushed[k + 3] += tx
      pushed[k + 4] += ty
      pushed[k + 5] += tz
    }
    const u = tx * tx + ty * ty + tz * tz
    if (u > SMALL_TURN) {
      turn[0] = tx
      turn[1] = ty
      turn[2] = tz
      rotateBy(q, c, turn)
      continue
    }
    // exp(δθ/2) to the sixth order of the angle: off by 1e-12 at most, and no root.
    const half = 0.5 - u * (1 / 48 - u * (1 / 3840))
    const cos = 1 - u * (0.125 - u * (1 / 384))
    const ax = half * tx
    const ay = half * ty
    const az = half * tz
    const qx = q[c]
    const qy = q[c + 1]
    const qz = q[c + 2]
    const qw = q[c + 3]
    q[c] = cos * qx + ax * qw + ay * qz - az * qy
    q[c + 1] = cos * qy - ax * qz + ay * qw + az * qx
    q[c + 2] = cos * qz + ax * qy - ay * qx + az * qw
    q[c + 3] = cos * qw - ax * qx - ay * qy - az * qz
  }
}
