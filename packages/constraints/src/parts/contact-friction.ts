/** Dry friction of a point contact (Waterson 96–101): an update of its two rows, and where sticking begins anew. */

import { type Batch, type BodyColumns, DISC, solveDisc } from '@tautline/core'
import { measureContact, type PointContactColumn } from './contact-frame.js'
import { displacePair } from './linear.js'
import { IMMOVABLE } from './vector.js'

/** ‖λ_t‖ within this share of ν_d λ_n lies on the cone: it slides. */
const ON_CONE = 1e-9

const m = /* @__PURE__ */ new Float64Array(3)

/** One update of the friction of a row, its levers and frame anew into `g` and `frame`, with the present λ_n: exact for this point (`solveDisc`). */
export function solveFriction(
  bodies: BodyColumns,
  batch: Batch<PointContactColumn>,
  row: number,
  a: number,
  b: number,
  g: Float64Array,
  frame: Float64Array,
): void {
  const { friction, sliding, stick, lambda, regularization, relaxation } = batch.columns
  const { position, inverseInertia: I } = bodies
  measureContact(bodies, batch, row, a, b, g, frame)
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
  const stickTo = sliding[row] === 1 ? slip : friction[2 * row] * lambda[l]
  solveDisc(kss, kst, ktt, es - kss * fs - kst * ft, et - kst * fs - ktt * ft, stickTo, slip)
  const ds = relaxation[row] * (DISC[0] - fs)
  const dt = relaxation[row] * (DISC[1] - ft)
  lambda[l + 1] += ds
  lambda[l + 2] += dt
  m[0] = ds * sx + dt * tx
  m[1] = ds * sy + dt * ty
  m[2] = ds * sz + dt * tz
  displacePair(bodies, a, b, g, m)
}

/**
 * Where the point slides, or is free, sticking begins anew at its present place; where it sticks too unless it `remembers`.
 * `g` and `frame` are the present ones.
 */
export function followSlip(
  batch: Batch<PointContactColumn>,
  row: number,
  remembers: boolean,
  g: Float64Array,
  frame: Float64Array,
): void {
  const { friction, lambda, stick, sliding } = batch.columns
  const l = 3 * row
  const push = Math.sqrt(lambda[l + 1] * lambda[l + 1] + lambda[l + 2] * lambda[l + 2])
  const cone = friction[2 * row + 1] * lambda[l]
  sliding[row] = lambda[l] > 0 && Math.abs(push - cone) <= ON_CONE * cone ? 1 : 0
  if (remembers && sliding[row] === 0 && lambda[l] > 0) return
  stick[2 * row] = frame[3] * g[6] + frame[4] * g[7] + frame[5] * g[8]
  stick[2 * row + 1] = frame[6] * g[6] + frame[7] * g[7] + frame[8] * g[8]
  // So far off that it overflows, there is nothing to stick to.
  const sum = stick[2 * row] + stick[2 * row + 1]
  if (sum - sum !== 0) stick[2 * row] = stick[2 * row + 1] = 0
}
