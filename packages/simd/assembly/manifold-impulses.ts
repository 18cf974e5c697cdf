// What changes of λ do to the two bodies of a contact manifold (collision: contact/apply-impulses.ts, relax.ts).

import { RUNAWAY } from './constants'
import {
  ANGULAR_VELOCITY,
  ARM_N,
  ARM_T,
  CHANGE,
  DEEP,
  FRAME,
  INVERSE_INERTIA,
  ORIENTATION,
  ORIGIN,
  POSITION,
  PUSHED,
  ROLLING,
  VELOCITY,
  WRENCH,
} from './manifold-columns'

/** Squared angle [rad²] up to which a turn needs no root. */
const SMALL_TURN: f64 = 1e-3

/** `rotateBy` of the core, for the quaternion at q: what src/compiled.ts hands in. */
declare function rotateBy(q: usize, x: f64, y: f64, z: f64): void

function gatherNormals(p: usize, n: i32): void {
  const f0 = load<f64>(p, FRAME)
  const f1 = load<f64>(p, FRAME + 8)
  const f2 = load<f64>(p, FRAME + 16)
  let push: f64 = 0
  let mx: f64 = 0
  let my: f64 = 0
  let mz: f64 = 0
  for (let i = 0, o = p; i < n; i++, o += 24) {
    const d = load<f64>(CHANGE + (i << 3))
    push += d
    mx += d * load<f64>(o, ARM_N)
    my += d * load<f64>(o, ARM_N + 8)
    mz += d * load<f64>(o, ARM_N + 16)
  }
  store<f64>(WRENCH, push * f0)
  store<f64>(WRENCH, push * f1, 8)
  store<f64>(WRENCH, push * f2, 16)
  store<f64>(WRENCH, mx, 24)
  store<f64>(WRENCH, my, 32)
  store<f64>(WRENCH, mz, 40)
}

function gather(row: usize, p: usize, n: i32): void {
  gatherNormals(p, n)
  const s = load<f64>(CHANGE, 32)
  const u = load<f64>(CHANGE, 40)
  const twist = load<f64>(CHANGE, 48)
  store<f64>(WRENCH, load<f64>(WRENCH) + (s * load<f64>(p, FRAME + 24) + u * load<f64>(p, FRAME + 48)))
  store<f64>(WRENCH, load<f64>(WRENCH, 8) + (s * load<f64>(p, FRAME + 32) + u * load<f64>(p, FRAME + 56)), 8)
  store<f64>(WRENCH, load<f64>(WRENCH, 16) + (s * load<f64>(p, FRAME + 40) + u * load<f64>(p, FRAME + 64)), 16)
  store<f64>(
    WRENCH,
    load<f64>(WRENCH, 24) + (s * load<f64>(p, ARM_T) + u * load<f64>(p, ARM_T + 24) + twist * load<f64>(p, FRAME)),
    24,
  )
  store<f64>(
    WRENCH,
    load<f64>(WRENCH, 32) +
      (s * load<f64>(p, ARM_T + 8) + u * load<f64>(p, ARM_T + 32) + twist * load<f64>(p, FRAME + 8)),
    32,
  )
  store<f64>(
    WRENCH,
    load<f64>(WRENCH, 40) +
      (s * load<f64>(p, ARM_T + 16) + u * load<f64>(p, ARM_T + 40) + twist * load<f64>(p, FRAME + 16)),
    40,
  )
  if (load<f64>(ROLLING + (row << 3)) == 0) return
  const y = load<f64>(CHANGE, 56)
  const z = load<f64>(CHANGE, 64)
  store<f64>(WRENCH, load<f64>(WRENCH, 24) + (y * load<f64>(p, FRAME + 24) + z * load<f64>(p, FRAME + 48)), 24)
  store<f64>(WRENCH, load<f64>(WRENCH, 32) + (y * load<f64>(p, FRAME + 32) + z * load<f64>(p, FRAME + 56)), 32)
  store<f64>(WRENCH, load<f64>(WRENCH, 40) + (y * load<f64>(p, FRAME + 40) + z * load<f64>(p, FRAME + 64)), 40)
}

function isBounded(): bool {
  const force = Math.abs(load<f64>(WRENCH)) + Math.abs(load<f64>(WRENCH, 8)) + Math.abs(load<f64>(WRENCH, 16))
  return (
    force + Math.abs(load<f64>(WRENCH, 24)) + Math.abs(load<f64>(WRENCH, 32)) + Math.abs(load<f64>(WRENCH, 40)) <
    RUNAWAY
  )
}

export function displace(row: usize, p: usize, n: i32, a: usize, b: usize): void {
  gather(row, p, n)
  if (isBounded()) displaceBoth(p, a, b)
}

export function displaceNormals(p: usize, n: i32, a: usize, b: usize): void {
  gatherNormals(p, n)
  if (isBounded()) displaceBoth(p, a, b)
}

function displaceBoth(p: usize, a: usize, b: usize): void {
  displaceBody(p, a, 1)
  displaceBody(p, b, -1)
}

function displaceBody(p: usize, a: usize, sign: f64): void {
  const x = POSITION + a
  const q = ORIENTATION + a
  const w = sign * load<f64>(x, 24)
  if (w == 0) return
  const fx = load<f64>(WRENCH)
  const fy = load<f64>(WRENCH, 8)
  const fz = load<f64>(WRENCH, 16)
  const px = load<f64>(x)
  const py = load<f64>(x, 8)
  const pz = load<f64>(x, 16)
  const sx = load<f64>(p, ORIGIN) - px
  const sy = load<f64>(p, ORIGIN + 8) - py
  const sz = load<f64>(p, ORIGIN + 16) - pz
  const mx = sign * (load<f64>(WRENCH, 24) + sy * fz - sz * fy)
  const my = sign * (load<f64>(WRENCH, 32) + sz * fx - sx * fz)
  const mz = sign * (load<f64>(WRENCH, 40) + sx * fy - sy * fx)
  const e = INVERSE_INERTIA + (a >> 2) * 9
  const tx = load<f64>(e) * mx + load<f64>(e, 8) * my + load<f64>(e, 16) * mz
  const ty = load<f64>(e, 24) * mx + load<f64>(e, 32) * my + load<f64>(e, 40) * mz
  const tz = load<f64>(e, 48) * mx + load<f64>(e, 56) * my + load<f64>(e, 64) * mz
  store<f64>(x, px + w * fx)
  store<f64>(x, py + w * fy, 8)
  store<f64>(x, pz + w * fz, 16)
  if (load<f64>(p, DEEP) != 0) {
    const k = PUSHED + (a >> 1) * 3
    store<f64>(k, load<f64>(k) + w * fx)
    store<f64>(k, load<f64>(k, 8) + w * fy, 8)
    store<f64>(k, load<f64>(k, 16) + w * fz, 16)
    store<f64>(k, load<f64>(k, 24) + tx, 24)
    store<f64>(k, load<f64>(k, 32) + ty, 32)
    store<f64>(k, load<f64>(k, 40) + tz, 40)
  }
  const u = tx * tx + ty * ty + tz * tz
  if (u > SMALL_TURN) {
    rotateBy(q, tx, ty, tz)
    return
  }
  const s = 0.5 - u * (1.0 / 48 - u * (1.0 / 3840))
  const c = 1 - u * (0.125 - u * (1.0 / 384))
  const ax = s * tx
  const ay = s * ty
  const az = s * tz
  const qx = load<f64>(q)
  const qy = load<f64>(q, 8)
  const qz = load<f64>(q, 16)
  const qw = load<f64>(q, 24)
  store<f64>(q, c * qx + ax * qw + ay * qz - az * qy)
  store<f64>(q, c * qy - ax * qz + ay * qw + az * qx, 8)
  store<f64>(q, c * qz + ax * qy - ay * qx + az * qw, 16)
  store<f64>(q, c * qw - ax * qx - ay * qy - az * qz, 24)
}

export function accelerate(row: usize, p: usize, n: i32, a: usize, b: usize, h: f64): void {
  gather(row, p, n)
  const rate = 1 / h
  for (let k: usize = 0; k < 48; k += 8) store<f64>(WRENCH + k, load<f64>(WRENCH + k) * rate)
  if (!isBounded()) return
  accelerateBody(p, a, 1)
  accelerateBody(p, b, -1)
}

function accelerateBody(p: usize, a: usize, sign: f64): void {
  const x = POSITION + a
  const m = sign * load<f64>(x, 24)
  if (m == 0) return
  const fx = load<f64>(WRENCH)
  const fy = load<f64>(WRENCH, 8)
  const fz = load<f64>(WRENCH, 16)
  const sx = load<f64>(p, ORIGIN) - load<f64>(x)
  const sy = load<f64>(p, ORIGIN + 8) - load<f64>(x, 8)
  const sz = load<f64>(p, ORIGIN + 16) - load<f64>(x, 16)
  const mx = sign * (load<f64>(WRENCH, 24) + sy * fz - sz * fy)
  const my = sign * (load<f64>(WRENCH, 32) + sz * fx - sx * fz)
  const mz = sign * (load<f64>(WRENCH, 40) + sx * fy - sy * fx)
  const o = (a >> 2) * 3
  const e = INVERSE_INERTIA + o * 3
  const v = VELOCITY + o
  const w = ANGULAR_VELOCITY + o
  store<f64>(v, load<f64>(v) + m * fx)
  store<f64>(v, load<f64>(v, 8) + m * fy, 8)
  store<f64>(v, load<f64>(v, 16) + m * fz, 16)
  store<f64>(w, load<f64>(w) + (load<f64>(e) * mx + load<f64>(e, 8) * my + load<f64>(e, 16) * mz))
  store<f64>(w, load<f64>(w, 8) + (load<f64>(e, 24) * mx + load<f64>(e, 32) * my + load<f64>(e, 40) * mz), 8)
  store<f64>(w, load<f64>(w, 16) + (load<f64>(e, 48) * mx + load<f64>(e, 56) * my + load<f64>(e, 64) * mz), 16)
}
