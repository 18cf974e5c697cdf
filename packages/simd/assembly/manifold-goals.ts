// What a contact manifold is driven to, and what λ the next substep begins with (collision: contact/goals.ts, relax.ts).

import {
  BOUNCE,
  DEEP,
  FALL,
  FIRST,
  FRICTION,
  GOAL,
  G_NORMAL,
  HAS_JOINED,
  HEFT,
  JOINED,
  MAX_PUSH,
  POSITION,
  RESIDUAL,
  RESTITUTION,
  SLIDING,
  START_ORIENTATION,
  START_POSITION,
} from './manifold-columns'
import { measureAt, measureVelocities } from './manifold-geometry'
import { SOFTNESS } from './manifold-solver'

/** Share of an overlap that is repaired a substep, and the sag of a load that goes with it. */
const REPAIR: f64 = 0.8 / (2 * 3.0 + 0.8)
const SAG: f64 = SOFTNESS / REPAIR

function findGoals(row: usize, p: usize, n: i32, l: usize, h: f64): void {
  const most = load<f64>(MAX_PUSH + (row << 3)) * h
  store<f64>(p, 0, DEEP)
  for (let i = 0; i < n; i++) {
    const c = load<f64>(RESIDUAL + (i << 3))
    const repair = -REPAIR * c
    if (
      repair > 0.3 * h &&
      -c > 3 * SAG * load<f64>(p + (((i * (i + 3)) >> 1) << 3), G_NORMAL) * load<f64>(l + (i << 3))
    ) {
      store<f64>(p, 1, DEEP)
    }
    store<f64>(p + (i << 3), c < 0 ? c + (repair < most ? repair : most) : 0, GOAL)
    store<f64>(p + (i << 3), c, BOUNCE)
  }
}

export function prepareGoals(row: usize, p: usize, n: i32, l: usize, a: usize, b: usize, h: f64): void {
  measureAt(START_POSITION, START_ORIENTATION, row, p, n, a, b)
  findGoals(row, p, n, l, h)
  if (load<f64>(p, DEEP) == 0 || !HAS_JOINED) return
  if (load<u8>(JOINED + (a >> 5)) != 1 && load<u8>(JOINED + (b >> 5)) != 1) return
  store<f64>(p, 0, DEEP)
  for (let i = 0; i < n; i++) store<f64>(p + (i << 3), Math.min(load<f64>(p + (i << 3), BOUNCE), 0), GOAL)
}

export function setBounce(row: usize, p: usize, n: i32, a: usize, b: usize, h: f64): void {
  const e = load<f64>(RESTITUTION + (row << 3))
  if (e == 0) {
    for (let i = 0; i < n; i++) store<f64>(p + (i << 3), 0, BOUNCE)
    return
  }
  measureVelocities(POSITION, p, n, a, b)
  const f = load<f64>(FALL + (row << 3))
  const resting = 2 * h * Math.max(2 * Math.abs(f), load<f64>(HEFT + (row << 3)))
  for (let i = 0; i < n; i++) {
    const start = load<f64>(RESIDUAL + (i << 3)) - f * h
    const squared = start * start - 4 * f * Math.max(load<f64>(p + (i << 3), BOUNCE), 0)
    const impact = start < 0 && squared > 0 ? Math.sqrt(squared) : 0
    store<f64>(p + (i << 3), impact > resting ? e * impact - f * h : 0, BOUNCE)
  }
}

export function limitWarmStart(row: usize, p: usize, n: i32, l: usize, h: f64): void {
  const speed = Math.max(2 * Math.abs(load<f64>(FALL + (row << 3))) * h, 0.2)
  let sum: f64 = 0
  let least: f64 = Infinity
  let keeps = load<f64>(p, DEEP) == 0
  for (let i = 0; i < n; i++) {
    sum += load<f64>(l + (i << 3))
    least = Math.min(least, load<f64>(p + (((i * (i + 3)) >> 1) << 3), G_NORMAL))
    if (load<f64>(p + (i << 3), BOUNCE) > 0) keeps = false
  }
  const most = keeps ? 2 * load<f64>(p, FIRST) + (h * speed) / least : 0
  if (sum <= most) return
  const share = most / sum
  for (let k: usize = 0; k < 72; k += 8) store<f64>(l + k, load<f64>(l + k) * share)
}

export function followSlip(row: usize, n: i32, l: usize): void {
  let sum: f64 = 0
  for (let i = 0; i < n; i++) sum += load<f64>(l + (i << 3))
  const s = load<f64>(l, 32)
  const t = load<f64>(l, 40)
  const cone = load<f64>(FRICTION + (row << 4), 8) * sum
  store<f64>(SLIDING + (row << 3), sum > 0 && Math.abs(Math.sqrt(s * s + t * t) - cone) <= 1e-6 * cone ? 1 : 0)
}
