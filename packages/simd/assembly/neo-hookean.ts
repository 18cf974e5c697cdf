// Tetrahedra of stable Neo-Hookean material (constraints: neo-hookean.ts): two rows that share no body in the lanes of a vector, or one in both.

import { CRUSHED, crushBoth, PULLS, STRETCHES } from './crushed'
import { dot } from './access'
import { IMMOVABLE, RUNAWAY } from './constants'
import {
  areApart,
  both,
  closeGradients,
  displaceAll,
  EDGES,
  gather,
  GRADIENTS,
  longestOf,
  moved,
  pair,
  responseOf,
  storeBoth,
  weightOf,
} from './quads'

/** Strain below which the deviatoric row is at rest, and c² below which it is written by E. */
const UNSTRAINED: f64 = 1e-9
const NEAR: f64 = 1e-2
/** Error beyond which a row is solved again, how often at most, and the share of the longest edge that a solve may move a body by. */
const FAR: f64 = 0.5
const PASSES: i32 = 4
const REACH: f64 = 0.5

/** Rows `from` to `to`, over h [s]. */
export function sweepNeoHookean(
  position: usize,
  start: usize,
  body: usize,
  inverse: usize,
  shape: usize,
  beta: usize,
  size: usize,
  lambda: usize,
  regularization: usize,
  relaxation: usize,
  scratch: usize,
  from: usize,
  to: usize,
  h: f64,
): void {
  let row = from
  while (row < to) {
    const ids = body + (row << 5)
    const other = row + 1 < to && areApart(ids, ids + 32) ? row + 1 : row
    const inverseA = inverse + 72 * row
    const inverseB = inverse + 72 * other
    const gamma = f64x2.div(pair(beta, row, other), f64x2.splat(h))
    const xi = pair(relaxation, row, other)
    const least = pair(size, row, other)
    for (let k: usize = 0; k < 16; k += 8) {
      const compliance = both(shape + (row << 4) + k, shape + (other << 4) + k)
      let isOn = f64x2.ne(compliance, f64x2.splat(Infinity))
      if (!v128.any_true(isOn)) continue
      const soft = f64x2.add(f64x2.div(compliance, f64x2.splat(h * h)), pair(regularization, row, other))
      const l = lambda + (row << 4) + k
      const m = lambda + (other << 4) + k
      for (let pass = 0; pass < PASSES; pass++) {
        gather(scratch, position, ids, body + (other << 5))
        const c = k == 0 ? changeShape(scratch, inverseA, inverseB) : changeVolume(scratch, inverseA, inverseB)
        solveElements(scratch, start - position, c, l, m, soft, gamma, xi, least, isOn)
        isOn = v128.andnot(isOn, f64x2.lt(f64x2.abs(c), f64x2.splat(FAR)))
        if (!v128.any_true(isOn)) break
      }
    }
    row = other + 1
  }
}

/** J − 1, and its gradients. `ia` and `ib` are the places of B of both rows. */
function changeVolume(s: usize, ia: usize, ib: usize): v128 {
  const ax = v128.load(s, EDGES)
  const ay = v128.load(s, EDGES + 16)
  const az = v128.load(s, EDGES + 32)
  const bx = v128.load(s, EDGES + 48)
  const by = v128.load(s, EDGES + 64)
  const bz = v128.load(s, EDGES + 80)
  const cx = v128.load(s, EDGES + 96)
  const cy = v128.load(s, EDGES + 112)
  const cz = v128.load(s, EDGES + 128)
  const b3 = both(ia + 24, ib + 24)
  const b4 = both(ia + 32, ib + 32)
  const b5 = both(ia + 40, ib + 40)
  const b6 = both(ia + 48, ib + 48)
  const b7 = both(ia + 56, ib + 56)
  const b8 = both(ia + 64, ib + 64)
  const scale = dot(
    both(ia, ib),
    both(ia + 8, ib + 8),
    both(ia + 16, ib + 16),
    cross(b4, b8, b5, b7),
    cross(b5, b6, b3, b8),
    cross(b3, b7, b4, b6),
  )
  const x = f64x2.mul(scale, cross(by, cz, bz, cy))
  const y = f64x2.mul(scale, cross(bz, cx, bx, cz))
  const z = f64x2.mul(scale, cross(bx, cy, by, cx))
  v128.store(s, x, GRADIENTS + 48)
  v128.store(s, y, GRADIENTS + 64)
  v128.store(s, z, GRADIENTS + 80)
  v128.store(s, f64x2.mul(scale, cross(cy, az, cz, ay)), GRADIENTS + 96)
  v128.store(s, f64x2.mul(scale, cross(cz, ax, cx, az)), GRADIENTS + 112)
  v128.store(s, f64x2.mul(scale, cross(cx, ay, cy, ax)), GRADIENTS + 128)
  v128.store(s, f64x2.mul(scale, cross(ay, bz, az, by)), GRADIENTS + 144)
  v128.store(s, f64x2.mul(scale, cross(az, bx, ax, bz)), GRADIENTS + 160)
  v128.store(s, f64x2.mul(scale, cross(ax, by, ay, bx)), GRADIENTS + 176)
  closeGradients(s)
  return f64x2.sub(dot(ax, ay, az, x, y, z), f64x2.splat(1))
}

/** a b − c d. */
function cross(a: v128, b: v128, c: v128, d: v128): v128 {
  return f64x2.sub(f64x2.mul(a, b), f64x2.mul(c, d))
}

/** Writes F = D B, entry by entry. */
function stretch(s: usize, ia: usize, ib: usize): void {
  for (let k: usize = 0; k < 24; k += 8) {
    const u = both(ia + k, ib + k)
    const v = both(ia + k + 24, ib + k + 24)
    const w = both(ia + k + 48, ib + k + 48)
    const out = s + 2 * k + STRETCHES
    for (let axis: usize = 0; axis < 48; axis += 16) {
      const e = s + axis
      v128.store(out + 3 * axis, dot(v128.load(e, EDGES), v128.load(e, EDGES + 48), v128.load(e, EDGES + 96), u, v, w))
    }
  }
}

/** The deviatoric error, and its gradients. */
function changeShape(s: usize, ia: usize, ib: usize): v128 {
  const zero = f64x2.splat(0)
  stretch(s, ia, ib)
  const f0 = v128.load(s, STRETCHES)
  const f1 = v128.load(s, STRETCHES + 16)
  const f2 = v128.load(s, STRETCHES + 32)
  const f3 = v128.load(s, STRETCHES + 48)
  const f4 = v128.load(s, STRETCHES + 64)
  const f5 = v128.load(s, STRETCHES + 80)
  const f6 = v128.load(s, STRETCHES + 96)
  const f7 = v128.load(s, STRETCHES + 112)
  const f8 = v128.load(s, STRETCHES + 128)
  const c0 = cross(f4, f8, f5, f7)
  const c1 = cross(f5, f6, f3, f8)
  const c2 = cross(f3, f7, f4, f6)
  const j = dot(f0, f1, f2, c0, c1, c2)
  let i = dot(f0, f1, f2, f0, f1, f2)
  i = f64x2.add(f64x2.add(f64x2.add(i, f64x2.mul(f3, f3)), f64x2.mul(f4, f4)), f64x2.mul(f5, f5))
  i = f64x2.add(f64x2.add(f64x2.add(i, f64x2.mul(f6, f6)), f64x2.mul(f7, f7)), f64x2.mul(f8, f8))
  let squared = f64x2.sub(f64x2.add(i, f64x2.mul(j, j)), f64x2.mul(f64x2.splat(4), j))
  const isNear = v128.and(f64x2.lt(squared, f64x2.splat(NEAR)), f64x2.gt(j, f64x2.splat(0.5)))
  if (v128.any_true(isNear)) squared = v128.bitselect(nearRest(s, j), squared, isNear)
  const off = f64x2.sub(j, f64x2.splat(2))
  v128.store(s, f64x2.add(f0, f64x2.mul(off, c0)), PULLS)
  v128.store(s, f64x2.add(f1, f64x2.mul(off, c1)), PULLS + 16)
  v128.store(s, f64x2.add(f2, f64x2.mul(off, c2)), PULLS + 32)
  v128.store(s, f64x2.add(f3, f64x2.mul(off, cross(f2, f7, f1, f8))), PULLS + 48)
  v128.store(s, f64x2.add(f4, f64x2.mul(off, cross(f0, f8, f2, f6))), PULLS + 64)
  v128.store(s, f64x2.add(f5, f64x2.mul(off, cross(f1, f6, f0, f7))), PULLS + 80)
  v128.store(s, f64x2.add(f6, f64x2.mul(off, cross(f1, f5, f2, f4))), PULLS + 96)
  v128.store(s, f64x2.add(f7, f64x2.mul(off, cross(f2, f3, f0, f5))), PULLS + 112)
  v128.store(s, f64x2.add(f8, f64x2.mul(off, cross(f0, f4, f1, f3))), PULLS + 128)
  if (v128.any_true(f64x2.lt(j, f64x2.splat(CRUSHED)))) squared = crushBoth(s, j, squared)
  const c = v128.bitselect(f64x2.sqrt(squared), zero, f64x2.gt(squared, zero))
  const isStrained = f64x2.gt(c, f64x2.splat(UNSTRAINED))
  pull(s, ia, ib, v128.bitselect(f64x2.div(f64x2.splat(1), c), zero, isStrained))
  return c
}

/** I + J² − 4J by E = FᵀF − 1. */
function nearRest(s: usize, j: v128): v128 {
  const one = f64x2.splat(1)
  const xx = f64x2.sub(columns(s, 0, 0), one)
  const yy = f64x2.sub(columns(s, 16, 16), one)
  const zz = f64x2.sub(columns(s, 32, 32), one)
  const xy = columns(s, 0, 16)
  const xz = columns(s, 0, 32)
  const yz = columns(s, 16, 32)
  let second = cross(xx, yy, xy, xy)
  second = f64x2.sub(f64x2.add(second, f64x2.mul(xx, zz)), f64x2.mul(xz, xz))
  second = f64x2.sub(f64x2.add(second, f64x2.mul(yy, zz)), f64x2.mul(yz, yz))
  let third = cross(xx, cross(yy, zz, yz, yz), xy, cross(xy, zz, yz, xz))
  third = f64x2.add(third, f64x2.mul(xz, cross(xy, yz, yy, xz)))
  const off = f64x2.sub(j, one)
  return f64x2.sub(f64x2.sub(f64x2.mul(f64x2.mul(f64x2.splat(2), off), off), second), third)
}

/** Products of two columns of F. */
function columns(s: usize, a: usize, b: usize): v128 {
  const f = s + STRETCHES + a
  const g = s + STRETCHES + b
  return dot(v128.load(f), v128.load(f, 48), v128.load(f, 96), v128.load(g), v128.load(g, 48), v128.load(g, 96))
}

/** The gradients of the deviatoric row, t times P b_k. */
function pull(s: usize, ia: usize, ib: usize, t: v128): void {
  for (let k: usize = 0; k < 3; k++) {
    const a = ia + 24 * k
    const b = ib + 24 * k
    const u = f64x2.mul(t, both(a, b))
    const v = f64x2.mul(t, both(a + 8, b + 8))
    const w = f64x2.mul(t, both(a + 16, b + 16))
    const g = s + 48 * k + GRADIENTS
    for (let axis: usize = 0; axis < 48; axis += 16) {
      const p = s + 3 * axis + PULLS
      v128.store(g + axis, dot(u, v, w, v128.load(p), v128.load(p, 16), v128.load(p, 32)), 48)
    }
  }
  closeGradients(s)
}

/** One update of two rows with errors `c`, where they are `on`; λ is at `l` and `m`. */
function solveElements(
  s: usize,
  away: usize,
  c: v128,
  l: usize,
  m: usize,
  soft: v128,
  gamma: v128,
  xi: v128,
  size: v128,
  on: v128,
): void {
  const zero = f64x2.splat(0)
  const one = f64x2.splat(1)
  const wp = responseOf(s, 0)
  const wq = responseOf(s, 1)
  const wr = responseOf(s, 2)
  const ws = responseOf(s, 3)
  const old = both(l, m)
  let error = f64x2.add(c, f64x2.mul(soft, old))
  const isDamped = f64x2.gt(gamma, zero)
  if (v128.any_true(isDamped)) {
    error = v128.bitselect(f64x2.add(error, f64x2.mul(gamma, moved(s, away))), error, isDamped)
  }
  const w = f64x2.mul(f64x2.add(one, gamma), f64x2.add(f64x2.add(f64x2.add(wp, wq), wr), ws))
  const divisor = f64x2.add(w, soft)
  let step = f64x2.div(f64x2.mul(f64x2.neg(xi), error), divisor)
  const farthest = f64x2.max(
    f64x2.max(f64x2.max(f64x2.mul(weightOf(s, 0), wp), f64x2.mul(weightOf(s, 1), wq)), f64x2.mul(weightOf(s, 2), wr)),
    f64x2.mul(weightOf(s, 3), ws),
  )
  const most = f64x2.mul(f64x2.splat(REACH * REACH), f64x2.max(longestOf(s), size))
  const isFar = f64x2.gt(f64x2.mul(f64x2.mul(step, step), farthest), most)
  if (v128.any_true(isFar)) {
    const way = f64x2.sqrt(f64x2.div(most, farthest))
    const sign = v128.bitselect(f64x2.splat(-1), one, f64x2.lt(step, zero))
    step = v128.bitselect(f64x2.mul(sign, way), step, isFar)
  }
  const isKept = v128.andnot(
    v128.and(on, f64x2.lt(f64x2.abs(step), f64x2.splat(RUNAWAY))),
    f64x2.le(divisor, f64x2.splat(IMMOVABLE)),
  )
  storeBoth(l, m, v128.bitselect(f64x2.add(old, step), old, isKept))
  displaceAll(s, step, isKept, true)
}
