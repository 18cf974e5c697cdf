/** Columns, axes and loop of a point contact (Waterson 91–101): normal and dry friction of a row after another, in one file for its scratch to be constant. */

import {
  B_S,
  B_T,
  type Batch,
  type BodyColumns,
  K_SS,
  K_ST,
  K_TT,
  SLIP_RADIUS,
  solveDisc,
  STICK_RADIUS,
  rotateVector,
} from '@tautline/core/kernel'
import { isAtRest } from './length-mode.js'
import { LEVERS, type Pose } from './levers.js'
import { displacePair, movedPair, pairInverseMass } from './linear.js'
import { IMMOVABLE } from './vector.js'

const DISC = /* @__PURE__ */ new Float64Array(9)

/** Their strides. */
export const POINT_CONTACT_COLUMNS = {
  anchorA: 3,
  anchorB: 3,
  normal: 3,
  tangent: 3,
  friction: 2,
  restitution: 1,
  maxPushOut: 1,
  goal: 1,
  overlap: 1,
  approach: 1,
  stick: 2,
  sliding: 1,
} as const

export type PointContactColumn = keyof typeof POINT_CONTACT_COLUMNS

/** n̂, t̂₁ and t̂₂ = n̂ × t̂₁ in world space, into `frame`. */
export function loadFrame(
  bodies: Pose,
  batch: Batch<PointContactColumn>,
  row: number,
  b: number,
  frame: Float64Array,
): void {
  const { normal, tangent } = batch.columns
  const k = 3 * row
  rotateVector(bodies.orientation, 4 * b, normal[k], normal[k + 1], normal[k + 2], frame, 0)
  rotateVector(bodies.orientation, 4 * b, tangent[k], tangent[k + 1], tangent[k + 2], frame, 3)
  frame[6] = frame[1] * frame[5] - frame[2] * frame[4]
  frame[7] = frame[2] * frame[3] - frame[0] * frame[5]
  frame[8] = frame[0] * frame[4] - frame[1] * frame[3]
}

const g = /* @__PURE__ */ new Float64Array(LEVERS)
/** n̂, t̂₁, t̂₂ in world space. */
const frame = /* @__PURE__ */ new Float64Array(9)
const m = /* @__PURE__ */ new Float64Array(3)

/** The loop: normal, then friction with the present λ_n. */
export function sweepPointContact(
  bodies: BodyColumns,
  batch: Batch<PointContactColumn>,
  from: number,
  to: number,
): void {
  const { ids } = batch
  const { friction, goal, lambda, softness, gamma, relaxation } = batch.columns
  for (let row = from; row < to; row++) {
    const a = ids[2 * row]
    const b = ids[2 * row + 1]
    const l = 3 * row
    measure(bodies, batch, row, a, b)
    const nx = frame[0]
    const ny = frame[1]
    const nz = frame[2]
    const old = lambda[l]
    const c = nx * g[6] + ny * g[7] + nz * g[8] - goal[row]
    // Apart and never pushed: nothing to do, for friction neither.
    if (isAtRest(c, old, 0, Infinity)) continue
    let error = c + softness[row] * old
    let w = pairInverseMass(bodies, a, b, g, frame, 0)
    if (gamma[row] > 0) {
      movedPair(bodies, a, b, g, m)
      error += gamma[row] * (nx * m[0] + ny * m[1] + nz * m[2])
      w *= 1 + gamma[row]
    }
    if (w + softness[row] > IMMOVABLE) {
      const fresh = Math.max(old - (relaxation[row] * error) / (w + softness[row]), 0)
      lambda[l] = fresh
      const s = fresh - old
      if (s !== 0) {
        m[0] = s * nx
        m[1] = s * ny
        m[2] = s * nz
        displacePair(bodies, a, b, g, m)
      }
    }
    if (friction[2 * row] > 0) solveFriction(bodies, batch, row, a, b)
  }
}

/** One update of the friction of a row, its levers and frame anew into `g` and `frame`, with the present λ_n: exact for this point (`solveDisc`). */
function solveFriction(bodies: BodyColumns, batch: Batch<PointContactColumn>, row: number, a: number, b: number): void {
  const { friction, sliding, stick, lambda, regularization, relaxation } = batch.columns
  const { position, inverseInertia: I } = bodies
  measure(bodies, batch, row, a, b)
  const l = 3 * row
  const e = 9 * a
  const f = 9 * b
  const alpha = regularization[row]
  const sx = frame[3]
  const sy = frame[4]
  const sz = frame[5]
  const tx = frame[6]
  const ty = frame[7]
  const tz = frame[8]
  // Both bodies are pushed at one point, seen from their centres.
  const ax = g[0]
  const ay = g[1]
  const az = g[2]
  const bx = g[3]
  const by = g[4]
  const bz = g[5]
  // r × ŝ and r × t̂, and I⁻¹ times them.
  const px = ay * sz - az * sy
  const py = az * sx - ax * sz
  const pz = ax * sy - ay * sx
  const qx = ay * tz - az * ty
  const qy = az * tx - ax * tz
  const qz = ax * ty - ay * tx
  const ux = by * sz - bz * sy
  const uy = bz * sx - bx * sz
  const uz = bx * sy - by * sx
  const vx = by * tz - bz * ty
  const vy = bz * tx - bx * tz
  const vz = bx * ty - by * tx
  const p0 = I[e] * px + I[e + 1] * py + I[e + 2] * pz
  const p1 = I[e + 3] * px + I[e + 4] * py + I[e + 5] * pz
  const p2 = I[e + 6] * px + I[e + 7] * py + I[e + 8] * pz
  const q0 = I[e] * qx + I[e + 1] * qy + I[e + 2] * qz
  const q1 = I[e + 3] * qx + I[e + 4] * qy + I[e + 5] * qz
  const q2 = I[e + 6] * qx + I[e + 7] * qy + I[e + 8] * qz
  const u0 = I[f] * ux + I[f + 1] * uy + I[f + 2] * uz
  const u1 = I[f + 3] * ux + I[f + 4] * uy + I[f + 5] * uz
  const u2 = I[f + 6] * ux + I[f + 7] * uy + I[f + 8] * uz
  const v0 = I[f] * vx + I[f + 1] * vy + I[f + 2] * vz
  const v1 = I[f + 3] * vx + I[f + 4] * vy + I[f + 5] * vz
  const v2 = I[f + 6] * vx + I[f + 7] * vy + I[f + 8] * vz
  const w = position[4 * a + 3] + position[4 * b + 3] + alpha
  const kss = w + px * p0 + py * p1 + pz * p2 + ux * u0 + uy * u1 + uz * u2
  const ktt = w + qx * q0 + qy * q1 + qz * q2 + vx * v0 + vy * v1 + vz * v2
  // ŝᵀKt̂ and t̂ᵀKŝ differ with the unsymmetric M̃: the disc takes their mean.
  const st = px * q0 + py * q1 + pz * q2 + ux * v0 + uy * v1 + uz * v2
  const ts = qx * p0 + qy * p1 + qz * p2 + vx * u0 + vy * u1 + vz * u2
  const kst = 0.5 * (st + ts)
  if (kss * ktt - kst * kst <= IMMOVABLE) return
  const fs = lambda[l + 1]
  const ft = lambda[l + 2]
  const es = sx * g[6] + sy * g[7] + sz * g[8] - stick[2 * row] + alpha * fs
  const et = tx * g[6] + ty * g[7] + tz * g[8] - stick[2 * row + 1] + alpha * ft
  const slip = friction[2 * row + 1] * lambda[l]
  DISC[K_SS] = kss
  DISC[K_ST] = kst
  DISC[K_TT] = ktt
  DISC[B_S] = es - kss * fs - kst * ft
  DISC[B_T] = et - kst * fs - ktt * ft
  DISC[STICK_RADIUS] = sliding[row] === 1 ? slip : friction[2 * row] * lambda[l]
  DISC[SLIP_RADIUS] = slip
  solveDisc(DISC)
  const ds = relaxation[row] * (DISC[0] - fs)
  const dt = relaxation[row] * (DISC[1] - ft)
  lambda[l + 1] += ds
  lambda[l + 2] += dt
  m[0] = ds * sx + dt * tx
  m[1] = ds * sy + dt * ty
  m[2] = ds * sz + dt * tz
  displacePair(bodies, a, b, g, m)
}

/** Levers into `g`, both at a's anchor, and the frame of `loadFrame` into `frame`, written out: twice a row of a sweep. */
function measure(bodies: BodyColumns, batch: Batch<PointContactColumn>, row: number, a: number, b: number): void {
  const { anchorA, anchorB, normal, tangent } = batch.columns
  const { position: x, orientation: q } = bodies
  const o = 4 * a
  const u = 4 * b
  const k = 3 * row
  const ax = q[o]
  const ay = q[o + 1]
  const az = q[o + 2]
  const aw = q[o + 3]
  const bx = q[u]
  const by = q[u + 1]
  const bz = q[u + 2]
  const bw = q[u + 3]
  const rx = anchorA[k]
  const ry = anchorA[k + 1]
  const rz = anchorA[k + 2]
  const RX = 2 * (ay * rz - az * ry)
  const RY = 2 * (az * rx - ax * rz)
  const RZ = 2 * (ax * ry - ay * rx)
  const lx = rx + aw * RX + (ay * RZ - az * RY)
  const ly = ry + aw * RY + (az * RX - ax * RZ)
  const lz = rz + aw * RZ + (ax * RY - ay * RX)
  const sx = anchorB[k]
  const sy = anchorB[k + 1]
  const sz = anchorB[k + 2]
  const SX = 2 * (by * sz - bz * sy)
  const SY = 2 * (bz * sx - bx * sz)
  const SZ = 2 * (bx * sy - by * sx)
  const mx = sx + bw * SX + (by * SZ - bz * SY)
  const my = sy + bw * SY + (bz * SX - bx * SZ)
  const mz = sz + bw * SZ + (bx * SY - by * SX)
  const dx = x[o] + lx - x[u] - mx
  const dy = x[o + 1] + ly - x[u + 1] - my
  const dz = x[o + 2] + lz - x[u + 2] - mz
  g[0] = lx
  g[1] = ly
  g[2] = lz
  g[3] = mx + dx
  g[4] = my + dy
  g[5] = mz + dz
  g[6] = dx
  g[7] = dy
  g[8] = dz
  const nx = normal[k]
  const ny = normal[k + 1]
  const nz = normal[k + 2]
  const NX = 2 * (by * nz - bz * ny)
  const NY = 2 * (bz * nx - bx * nz)
  const NZ = 2 * (bx * ny - by * nx)
  const ex = nx + bw * NX + (by * NZ - bz * NY)
  const ey = ny + bw * NY + (bz * NX - bx * NZ)
  const ez = nz + bw * NZ + (bx * NY - by * NX)
  const tx = tangent[k]
  const ty = tangent[k + 1]
  const tz = tangent[k + 2]
  const TX = 2 * (by * tz - bz * ty)
  const TY = 2 * (bz * tx - bx * tz)
  const TZ = 2 * (bx * ty - by * tx)
  const fx = tx + bw * TX + (by * TZ - bz * TY)
  const fy = ty + bw * TY + (bz * TX - bx * TZ)
  const fz = tz + bw * TZ + (bx * TY - by * TX)
  frame[0] = ex
  frame[1] = ey
  frame[2] = ez
  frame[3] = fx
  frame[4] = fy
  frame[5] = fz
  frame[6] = ey * fz - ez * fy
  frame[7] = ez * fx - ex * fz
  frame[8] = ex * fy - ey * fx
}
