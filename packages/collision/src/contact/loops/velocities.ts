/** Velocities of contact manifolds: their speeds, the pass that solves for them, and the λ that the next substep starts with. */

import { type f64, i32, RUNAWAY } from '@tautline/core/kernel'
import {
  ARM_N,
  ARM_T,
  BOUNCE,
  DEEP,
  FIRST,
  FRAME,
  FRICTION,
  G_NORMAL,
  GOAL,
  ORIGIN,
  RECORD,
  ROLLING,
  ROWS,
  TWIST,
} from '../manifold-record.js'
import { sumOfNormals } from './displace.js'
import { followSlip, solveRolling, solveSpeeds } from './manifold-solver.js'
import { HAS_STRUCK, type ManifoldView } from './view.js'

/** A change of speed [m/s] that any contact may take over into the next substep. */
const GENTLE: f64 = 0.2
/** Tasks: speeds alone; changes of velocity alone; all of a pass; the same where it bounces. */
const MEASURE = 0
const ACCELERATE = 1
const RELAX = 2
const REBOUND = 3
/** A residual so large that a row that is at rest, or a point that is apart, stays out of a solve. */
export const APART: f64 = 1e30
/** No impulse is told to be larger [N s]: forces near 1e308 N would overflow it. */
export const MOST_IMPULSE: f64 = 1.7976931348623157e308

/** Speeds of all rows, into `residual`. */
export function measureVelocities(m: ManifoldView, row: i32): void {
  passVelocities(m, row, row + 1, 1, MEASURE)
}

/** Δv = M⁻¹ Jᵀ `change` / h, all rows. */
export function accelerate(m: ManifoldView, row: i32, h: f64): void {
  passVelocities(m, row, row + 1, h, ACCELERATE)
}

/** Solves all rows of manifolds `from` to `to` for their velocities, one after the other; with `bounces` for those after an impact. */
export function relax(m: ManifoldView, from: i32, to: i32, h: f64, bounces: boolean): void {
  passVelocities(m, from, to, h, bounces ? REBOUND : RELAX)
}

/**
 * Measures speeds, solves for them and changes velocities, or does one of the two alone. All three need the same thirty numbers of a
 * row and its bodies: in functions of their own, which load them anew, a pass takes a fifth more.
 */
function passVelocities(m: ManifoldView, from: i32, to: i32, h: f64, task: i32): void {
  const record = m.record
  const lambda = m.lambda
  const body = m.body
  const points = m.points
  const rolling = m.rolling
  const x = m.position
  const v = m.velocity
  const w = m.angularVelocity
  const I = m.inverseInertia
  const speeds = m.residual
  const added = m.change
  const rate = 1 / h
  for (let row = from; row < to; row++) {
    const l = ROWS * row
    const p = RECORD * row
    const n = i32(points[row])
    const rolls = rolling[row] !== 0
    const isDeep = record[p + DEEP] !== 0
    let pass = 0
    let passes = 1
    if (task >= RELAX) {
      let pushed: f64 = 0
      for (let k = 0; k < n; k++) pushed += lambda[l + k]
      if (pushed === 0 && !isDeep) continue
      m.touching[row] = 1
      // An exact island bounces manifold by manifold: all at once, what is between two others can gain energy.
      if (task === RELAX && m.island[row] !== 0) pass = 1
      if (rolls) passes = 2
    }
    const i = i32(body[2 * row])
    const j = i32(body[2 * row + 1])
    const a = 4 * i
    const b = 4 * j
    const c = 3 * i
    const d = 3 * j
    const ox = record[p + ORIGIN]
    const oy = record[p + ORIGIN + 1]
    const oz = record[p + ORIGIN + 2]
    const px = ox - x[a]
    const py = oy - x[a + 1]
    const pz = oz - x[a + 2]
    const qx = ox - x[b]
    const qy = oy - x[b + 1]
    const qz = oz - x[b + 2]
    const nx = record[p + FRAME]
    const ny = record[p + FRAME + 1]
    const nz = record[p + FRAME + 2]
    const sx = record[p + FRAME + 3]
    const sy = record[p + FRAME + 4]
    const sz = record[p + FRAME + 5]
    const tx = record[p + FRAME + 6]
    const ty = record[p + FRAME + 7]
    const tz = record[p + FRAME + 8]
    const t = p + ARM_T
    for (; pass < passes; pass++) {
      const ax = w[c]
      const ay = w[c + 1]
      const az = w[c + 2]
      const bx = w[d]
      const by = w[d + 1]
      const bz = w[d + 2]
      if (task !== ACCELERATE) {
        const ux = v[c] + ay * pz - az * py - (v[d] + by * qz - bz * qy)
        const uy = v[c + 1] + az * px - ax * pz - (v[d + 1] + bz * qx - bx * qz)
        const uz = v[c + 2] + ax * py - ay * px - (v[d + 2] + bx * qy - by * qx)
        const wx = ax - bx
        const wy = ay - by
        const wz = az - bz
        const along = nx * ux + ny * uy + nz * uz
        for (let k = 0, o = p + ARM_N; k < n; k++, o += 3) {
          // A point that did not push is apart: it may come nearer.
          if (task === MEASURE || lambda[l + k] > 0 || (isDeep && record[p + GOAL + k] < 0)) {
            const leave: f64 = task === REBOUND ? record[p + BOUNCE + k] : 0
            speeds[k] = h * (along + wx * record[o] + wy * record[o + 1] + wz * record[o + 2] - leave)
          } else speeds[k] = APART
        }
        speeds[FRICTION] =
          h * (sx * ux + sy * uy + sz * uz + (wx * record[t] + wy * record[t + 1] + wz * record[t + 2]))
        speeds[FRICTION + 1] =
          h * (tx * ux + ty * uy + tz * uz + (wx * record[t + 3] + wy * record[t + 4] + wz * record[t + 5]))
        speeds[TWIST] = h * (nx * wx + ny * wy + nz * wz)
        speeds[ROLLING] = h * (sx * wx + sy * wy + sz * wz)
        speeds[ROLLING + 1] = h * (tx * wx + ty * wy + tz * wz)
        if (task === MEASURE) continue
        if (pass > 0) solveRolling(m, row)
        else {
          solveSpeeds(m, row, !isStruck(m, row))
          followSlip(m, row)
        }
      }
      let push: f64 = 0
      let mx: f64 = 0
      let my: f64 = 0
      let mz: f64 = 0
      for (let k = 0, o = p + ARM_N; k < n; k++, o += 3) {
        const more = added[k]
        push += more
        mx += more * record[o]
        my += more * record[o + 1]
        mz += more * record[o + 2]
      }
      const s = added[FRICTION]
      const u = added[FRICTION + 1]
      const twist = added[TWIST]
      mx += s * record[t] + u * record[t + 3] + twist * nx
      my += s * record[t + 1] + u * record[t + 4] + twist * ny
      mz += s * record[t + 2] + u * record[t + 5] + twist * nz
      if (rolls) {
        const y = added[ROLLING]
        const z = added[ROLLING + 1]
        mx += y * sx + z * tx
        my += y * sy + z * ty
        mz += y * sz + z * tz
      }
      const fx = (push * nx + (s * sx + u * tx)) * rate
      const fy = (push * ny + (s * sy + u * ty)) * rate
      const fz = (push * nz + (s * sz + u * tz)) * rate
      mx *= rate
      my *= rate
      mz *= rate
      if (!(Math.abs(fx) + Math.abs(fy) + Math.abs(fz) + Math.abs(mx) + Math.abs(my) + Math.abs(mz) < RUNAWAY)) continue
      if (x[a + 3] !== 0) {
        const weight = x[a + 3]
        const gx = mx + py * fz - pz * fy
        const gy = my + pz * fx - px * fz
        const gz = mz + px * fy - py * fx
        const e = 3 * c
        v[c] += weight * fx
        v[c + 1] += weight * fy
        v[c + 2] += weight * fz
        w[c] = ax + (I[e] * gx + I[e + 1] * gy + I[e + 2] * gz)
        w[c + 1] = ay + (I[e + 3] * gx + I[e + 4] * gy + I[e + 5] * gz)
        w[c + 2] = az + (I[e + 6] * gx + I[e + 7] * gy + I[e + 8] * gz)
      }
      if (x[b + 3] !== 0) {
        const weight = -x[b + 3]
        const gx = -(mx + qy * fz - qz * fy)
        const gy = -(my + qz * fx - qx * fz)
        const gz = -(mz + qx * fy - qy * fx)
        const e = 3 * d
        v[d] += weight * fx
        v[d + 1] += weight * fy
        v[d + 2] += weight * fz
        w[d] = bx + (I[e] * gx + I[e + 1] * gy + I[e + 2] * gz)
        w[d + 1] = by + (I[e + 3] * gx + I[e + 4] * gy + I[e + 5] * gz)
        w[d + 2] = bz + (I[e + 6] * gx + I[e + 7] * gy + I[e + 8] * gz)
      }
    }
  }
}

/** Whether a point of a manifold that pushed is to bounce. */
export function bouncesOff(m: ManifoldView, row: i32): boolean {
  if (m.restitution[row] === 0) return false
  const n = i32(m.points[row])
  for (let i = 0; i < n; i++) {
    if (m.lambda[ROWS * row + i] > 0 && m.record[RECORD * row + BOUNCE + i] > 0) return true
  }
  return false
}

/** Whether a chain of impacts of this substep has struck a manifold: then its normals are done. */
export function isStruck(m: ManifoldView, row: i32): boolean {
  return m.flags[HAS_STRUCK] !== 0 && m.reached[row] === 2
}

/** Adds to the impulse of a row what its load has pushed in a substep of h; returns the load [kg m]. */
export function noteImpulse(m: ManifoldView, row: i32, h: f64): f64 {
  const load = sumOfNormals(m, row)
  // Ignore NaN.
  if (load >= 0 || load < 0) m.impulse[row] = Math.min(m.impulse[row] + load / h, MOST_IMPULSE)
  return load
}

/**
 * Notes impulses, and cuts λ to what is a guess for the next substep. The force of an impact is none: displaced by it once more, a
 * light body between two heavy ones turns by radians. So the load Σ λ_i may double from substep to substep, and grow besides by what
 * stops `GENTLE` or a substep's fall; all of it goes where a point bounced or an overlap was pushed out fast.
 */
export function finishVelocities(m: ManifoldView, from: i32, to: i32, h: f64): void {
  const record = m.record
  const lambda = m.lambda
  for (let row = from; row < to; row++) {
    const l = ROWS * row
    const p = RECORD * row
    const n = i32(m.points[row])
    const pushed = noteImpulse(m, row, h)
    if (!isStruck(m, row) && pushed > 0 && m.island[row] === 0) {
      const speed = Math.max(2 * Math.abs(m.fall[row]) * h, GENTLE)
      let least: f64 = Infinity
      let keeps = record[p + DEEP] === 0
      for (let i = 0; i < n; i++) {
        least = Math.min(least, record[p + G_NORMAL + ((i * (i + 3)) >> 1)])
        if (record[p + BOUNCE + i] > 0) keeps = false
      }
      const most: f64 = keeps ? 2 * record[p + FIRST] + (h * speed) / least : 0
      if (pushed <= most) continue
      const share = most / pushed
      for (let k = 0; k < ROWS; k++) lambda[l + k] *= share
    } else if (isStruck(m, row) || bouncesOff(m, row)) for (let k = 0; k < ROWS; k++) lambda[l + k] = 0
  }
}
