// The rows of one manifold, solved together (collision: contact/manifold-solver.ts).

import {
  CHANGE,
  DISC,
  FRICTION,
  G_CROSS,
  G_NORMAL,
  G_PLANE,
  G_ROLL,
  RESIDUAL,
  RHS,
  RIGID_FACTOR,
  ROLLING,
  SLIDING,
  SOFT_FACTOR,
  SPREAD,
  SUM,
  TORSIONAL,
} from './manifold-columns'

/** Bounds of the solve (collision: contact/manifold-solver.ts, goals.ts). */
const TRACE: f64 = 1e-6
const SETTLED: f64 = 1e-3
const LIGHT: f64 = 1e-3
export const SOFTNESS: f64 = 1 / (0.8 * (2 * 3.0 + 0.8))

export function factorManifold(p: usize, n: i32): void {
  factorNormals(p + G_NORMAL, n, SOFTNESS, p + SOFT_FACTOR)
  factorNormals(p + G_NORMAL, n, TRACE, p + RIGID_FACTOR)
}

function factorNormals(g: usize, n: i32, softness: f64, o: usize): void {
  let k = o + 32
  let at = g
  for (let i = 0; i < n; i++) {
    const first = k
    let other = o + 32
    for (let j = 0; j < i; j++) {
      let sum = load<f64>(at)
      at += 8
      for (let m = 0; m < j; m++) sum -= load<f64>(first + (m << 3)) * load<f64>(other + (m << 3))
      store<f64>(k, sum)
      k += 8
      other += j << 3
    }
    let d = (1 + softness) * load<f64>(at)
    at += 8
    for (let j = 0; j < i; j++) {
      const scaled = load<f64>(first + (j << 3))
      const l = scaled * load<f64>(o + (j << 3))
      store<f64>(first + (j << 3), l)
      d -= scaled * l
    }
    store<f64>(o + (i << 3), d > 0 ? 1 / d : 0)
  }
}

/** All at once; false when one would pull. */
export function solveAll(p: usize, n: i32, l: usize, softness: f64): bool {
  const f = p + (softness > 0 ? SOFT_FACTOR : RIGID_FACTOR)
  const g = p + G_NORMAL
  if (n == 4) {
    const l0 = load<f64>(l)
    const l1 = load<f64>(l, 8)
    const l2 = load<f64>(l, 16)
    const l3 = load<f64>(l, 24)
    const l10 = load<f64>(f, 32)
    const l20 = load<f64>(f, 40)
    const l21 = load<f64>(f, 48)
    const l30 = load<f64>(f, 56)
    const l31 = load<f64>(f, 64)
    const l32 = load<f64>(f, 72)
    const r0 = -load<f64>(RESIDUAL) - softness * load<f64>(g) * l0
    const r1 = -load<f64>(RESIDUAL, 8) - softness * load<f64>(g, 16) * l1 - l10 * r0
    const r2 = -load<f64>(RESIDUAL, 16) - softness * load<f64>(g, 40) * l2 - l20 * r0 - l21 * r1
    const r3 = -load<f64>(RESIDUAL, 24) - softness * load<f64>(g, 72) * l3 - l30 * r0 - l31 * r1 - l32 * r2
    const x3 = r3 * load<f64>(f, 24)
    const x2 = r2 * load<f64>(f, 16) - l32 * x3
    const x1 = r1 * load<f64>(f, 8) - l21 * x2 - l31 * x3
    const x0 = r0 * load<f64>(f) - l10 * x1 - l20 * x2 - l30 * x3
    if (!(l0 + x0 >= 0 && l1 + x1 >= 0 && l2 + x2 >= 0 && l3 + x3 >= 0)) return false
    store<f64>(CHANGE, x0)
    store<f64>(CHANGE, x1, 8)
    store<f64>(CHANGE, x2, 16)
    store<f64>(CHANGE, x3, 24)
    return true
  }
  const rhs = RHS
  let k = f + 32
  for (let i = 0; i < n; i++) {
    let r =
      -load<f64>(RESIDUAL + (i << 3)) - softness * load<f64>(g + (((i * (i + 3)) >> 1) << 3)) * load<f64>(l + (i << 3))
    for (let j = 0; j < i; j++) {
      r -= load<f64>(k) * load<f64>(rhs + (j << 3))
      k += 8
    }
    store<f64>(rhs + (i << 3), r)
  }
  for (let i = n - 1; i >= 0; i--) {
    let x = load<f64>(rhs + (i << 3)) * load<f64>(f + (i << 3))
    for (let j = i + 1; j < n; j++)
      x -= load<f64>(f + 32 + ((((j * (j - 1)) >> 1) + i) << 3)) * load<f64>(rhs + (j << 3))
    if (!(load<f64>(l + (i << 3)) + x >= 0)) return false
    store<f64>(rhs + (i << 3), x)
  }
  for (let i = 0; i < n; i++) store<f64>(CHANGE + (i << 3), load<f64>(rhs + (i << 3)))
  return true
}

export function sweepSome(p: usize, n: i32, l: usize, softness: f64): void {
  const g = p + G_NORMAL
  for (let i = 0; i < n; i++) store<f64>(CHANGE + (i << 3), 0)
  for (let sweep = 0; sweep < 4; sweep++) {
    let sum: f64 = 0
    let largest: f64 = 0
    for (let i = 0; i < n; i++) {
      const own = load<f64>(g + (((i * (i + 3)) >> 1) << 3))
      if (!(own > 0)) continue
      const old = load<f64>(l + (i << 3))
      const ci = load<f64>(CHANGE + (i << 3))
      let r = load<f64>(RESIDUAL + (i << 3)) + softness * own * (old + ci)
      for (let j = 0; j < n; j++) {
        r +=
          load<f64>(g + ((j <= i ? ((i * (i + 1)) >> 1) + j : ((j * (j + 1)) >> 1) + i) << 3)) *
          load<f64>(CHANGE + (j << 3))
      }
      const next = Math.max(old + ci - r / (own + softness * own), 0) - old
      const step = Math.abs(next - ci)
      if (step > largest) largest = step
      store<f64>(CHANGE + (i << 3), next)
      sum += old + next
    }
    if (largest <= SETTLED * sum) break
  }
}

function cutDisc(o: usize, k: usize, radius: f64): bool {
  const s = load<f64>(o)
  const t = load<f64>(o, 8)
  const squared = s * s + t * t
  store<f64>(k, 0)
  store<f64>(k, 0, 8)
  if (squared <= radius * radius) return false
  const scale = radius / Math.sqrt(squared)
  store<f64>(o, scale * s)
  store<f64>(o, scale * t, 8)
  store<f64>(k, scale * s - s)
  store<f64>(k, scale * t - t, 8)
  return true
}

export function solveNormals(row: usize, n: i32, p: usize, l: usize, softness: f64): bool {
  if (!solveAll(p, n, l, softness)) sweepSome(p, n, l, softness)
  let sum: f64 = 0
  let lever: f64 = 0
  for (let i = 0; i < n; i++) {
    const v = load<f64>(l + (i << 3)) + load<f64>(CHANGE + (i << 3))
    store<f64>(l + (i << 3), v)
    sum += v
    lever += v * load<f64>(p + SPREAD + (i << 3))
  }
  store<f64>(CHANGE, 0, 48)
  const coefficient = load<f64>(FRICTION + (row << 4))
  let cut = cutDisc(l + 32, CHANGE + 32, coefficient * sum)
  const limit = coefficient * lever + load<f64>(TORSIONAL + (row << 3)) * sum
  const twist = load<f64>(l, 48)
  if (Math.abs(twist) > limit) {
    const v = twist > 0 ? limit : -limit
    store<f64>(l, v, 48)
    store<f64>(CHANGE, v - twist, 48)
    cut = true
  }
  const rolling = load<f64>(ROLLING + (row << 3))
  if (rolling > 0 && cutDisc(l + 56, CHANGE + 56, rolling * sum)) cut = true
  return cut
}

export function solveSpeeds(row: usize, n: i32, p: usize, l: usize): void {
  const torsional = load<f64>(TORSIONAL + (row << 3))
  const coefficient =
    load<f64>(SLIDING + (row << 3)) == 1 ? load<f64>(FRICTION + (row << 4), 8) : load<f64>(FRICTION + (row << 4))
  for (let k: usize = 32; k < 72; k += 8) store<f64>(CHANGE + k, 0)
  if (!solveAll(p, n, l, 0)) sweepSome(p, n, l, 0)
  if (coefficient > 0 || torsional > 0) {
    solveFrictionRows(row, n, p, l, coefficient)
    const sum = load<f64>(SUM)
    const s = load<f64>(CHANGE, 32)
    const t = load<f64>(CHANGE, 40)
    const w = load<f64>(CHANGE, 48)
    if (s * s + t * t > LIGHT * LIGHT * sum * sum) {
      for (let i = 0; i < n; i++) {
        const c = p + G_CROSS + 24 * i
        store<f64>(
          RESIDUAL + (i << 3),
          load<f64>(RESIDUAL + (i << 3)) + (load<f64>(c) * s + load<f64>(c, 8) * t + load<f64>(c, 16) * w),
        )
      }
      if (!solveAll(p, n, l, 0)) sweepSome(p, n, l, 0)
      solveFrictionRows(row, n, p, l, coefficient)
    }
    for (let k: usize = 32; k < 56; k += 8) store<f64>(l + k, load<f64>(l + k) + load<f64>(CHANGE + k))
  }
  for (let i = 0; i < n; i++) store<f64>(l + (i << 3), load<f64>(l + (i << 3)) + load<f64>(CHANGE + (i << 3)))
}

function solveFrictionRows(row: usize, n: i32, p: usize, l: usize, coefficient: f64): void {
  const g = p + G_PLANE
  let es = load<f64>(RESIDUAL, 32)
  let et = load<f64>(RESIDUAL, 40)
  let ew = load<f64>(RESIDUAL, 48)
  let sum: f64 = 0
  let lever: f64 = 0
  for (let i = 0, c = p + G_CROSS; i < n; i++, c += 24) {
    const d = load<f64>(CHANGE + (i << 3))
    es += load<f64>(c) * d
    et += load<f64>(c, 8) * d
    ew += load<f64>(c, 16) * d
    const whole = load<f64>(l + (i << 3)) + d
    sum += whole
    lever += whole * load<f64>(p + SPREAD + (i << 3))
  }
  const kss = load<f64>(g)
  const kst = load<f64>(g, 8)
  const ktt = load<f64>(g, 16)
  const ksw = load<f64>(g, 24)
  const ktw = load<f64>(g, 32)
  const kww = load<f64>(g, 40)
  const determinant = kss * ktt - kst * kst
  const oldS = load<f64>(l, 32)
  const oldT = load<f64>(l, 40)
  if (coefficient > 0 && determinant > 0) {
    const fs = es + ksw * load<f64>(CHANGE, 48)
    const ft = et + ktw * load<f64>(CHANGE, 48)
    let s = oldS - (ktt * fs - kst * ft) / determinant
    let t = oldT - (kss * ft - kst * fs) / determinant
    const slip = load<f64>(FRICTION + (row << 4), 8) * sum
    const stick = load<f64>(SLIDING + (row << 3)) == 1 ? slip : load<f64>(FRICTION + (row << 4)) * sum
    if (s * s + t * t > stick * stick) {
      solveDisc(kss, kst, ktt, fs - kss * oldS - kst * oldT, ft - kst * oldS - ktt * oldT, stick, slip)
      s = load<f64>(DISC)
      t = load<f64>(DISC, 8)
    }
    store<f64>(CHANGE, s - oldS, 32)
    store<f64>(CHANGE, t - oldT, 40)
  }
  const limit = coefficient * lever + load<f64>(TORSIONAL + (row << 3)) * sum
  const old = load<f64>(l, 48)
  if (kww > 0 && limit > 0) {
    const wanted = old - (ew + ksw * load<f64>(CHANGE, 32) + ktw * load<f64>(CHANGE, 40)) / kww
    store<f64>(CHANGE, (wanted > limit ? limit : wanted < -limit ? -limit : wanted) - old, 48)
  } else store<f64>(CHANGE, -old, 48)
  store<f64>(SUM, sum)
}

function solveDisc(kss: f64, kst: f64, ktt: f64, bs: f64, bt: f64, stick: f64, slip: f64): void {
  const determinant = kss * ktt - kst * kst
  const d0 = -(ktt * bs - kst * bt) / determinant
  const d1 = -(kss * bt - kst * bs) / determinant
  store<f64>(DISC, d0)
  store<f64>(DISC, d1, 8)
  if (d0 * d0 + d1 * d1 <= stick * stick) return
  if (slip == 0) {
    store<f64>(DISC, 0)
    store<f64>(DISC, 0, 8)
    return
  }
  const half = 0.5 * (kss - ktt)
  const root = Math.sqrt(half * half + kst * kst)
  const mean = 0.5 * (kss + ktt)
  const k1 = mean + root
  const k2 = Math.max(mean - root, 0)
  let x = half >= 0 ? half + root : kst
  let y = half >= 0 ? kst : root - half
  const length = Math.sqrt(x * x + y * y)
  x = length > 0 ? x / length : 1
  y = length > 0 ? y / length : 0
  const b1 = x * bs + y * bt
  const b2 = x * bt - y * bs
  let sigma: f64 = 0
  let l1 = -b1 / k1
  let l2 = -b2 / k2
  for (let step = 0; step < 10; step++) {
    l1 = -b1 / (k1 + sigma)
    l2 = -b2 / (k2 + sigma)
    const squared = l1 * l1 + l2 * l2
    const norm = Math.sqrt(squared)
    if (Math.abs(norm - slip) <= 1e-14 * slip) break
    const slope = (l1 * l1) / (k1 + sigma) + (l2 * l2) / (k2 + sigma)
    sigma = Math.max(sigma + (squared * (norm - slip)) / (slip * slope), 0)
  }
  const scale = slip / Math.sqrt(l1 * l1 + l2 * l2)
  store<f64>(DISC, scale * (x * l1 - y * l2))
  store<f64>(DISC, scale * (y * l1 + x * l2), 8)
}

export function solveRolling(row: usize, n: i32, p: usize, l: usize): void {
  const g = p + G_ROLL
  for (let k: usize = 0; k < 72; k += 8) store<f64>(CHANGE + k, 0)
  const kss = load<f64>(g)
  const kst = load<f64>(g, 8)
  const ktt = load<f64>(g, 16)
  if (!(kss * ktt - kst * kst > 0)) return
  let sum: f64 = 0
  for (let i = 0; i < n; i++) sum += load<f64>(l + (i << 3))
  const s = load<f64>(l, 56)
  const t = load<f64>(l, 64)
  const limit = load<f64>(ROLLING + (row << 3)) * sum
  solveDisc(
    kss,
    kst,
    ktt,
    load<f64>(RESIDUAL, 56) - kss * s - kst * t,
    load<f64>(RESIDUAL, 64) - kst * s - ktt * t,
    limit,
    limit,
  )
  store<f64>(CHANGE, load<f64>(DISC) - s, 56)
  store<f64>(CHANGE, load<f64>(DISC, 8) - t, 64)
  store<f64>(l, load<f64>(DISC), 56)
  store<f64>(l, load<f64>(DISC, 8), 64)
}
