// Rows that are solved by lines (constraints: parts/lines.ts): two lines that share no body in the lanes of a vector, row by row. Lines with anything out
// of the ordinary are left as they were found, to the loop in TypeScript.

import { dot, firsts, seconds } from './access'
import { IMMOVABLE, LEAST_PIVOT, STIFF, TOO_SHORT } from './constants'
import {
  BEFORE,
  DISTANCE,
  ERROR,
  FACTOR,
  NX,
  NY,
  NZ,
  pair,
  putBodies,
  putPair,
  RECORD,
  REFERENCE,
  SOFT,
  STEP,
  take,
  undo,
  W,
  X0,
  Y0,
  Z0,
} from './line-record'
import * as hand from './line-record'
import { displaceStiff, solveStiff } from './line-stiff'

/** What a call did. */
const SOLVED: i32 = 0
const LEFT: i32 = 1

/** How lines are to be solved: by their rows alone, with the turning of their tension, or not here. */
const PLAIN: i32 = 0
const TURNING: i32 = 1
const NOT_HERE: i32 = 2

/**
 * Solves two lines of `count` rows: that of the rows from `baseA` on, with bodies from `atA` on in `nodes`, and that of B; twice the same where there is one.
 * Returns 0, or 1 where it has left both as they were.
 */
export function sweepLinePair(
  position: usize,
  start: usize,
  nodes: usize,
  rest: usize,
  lambda: usize,
  softness: usize,
  relaxation: usize,
  reference: usize,
  scratch: usize,
  baseA: usize,
  atA: usize,
  baseB: usize,
  atB: usize,
  count: usize,
): i32 {
  take(position, nodes, lambda, reference, scratch, baseA, atA, baseB, atB, count)
  const kind = goForth(start, rest, softness, relaxation)
  if (kind === NOT_HERE) return LEFT
  let isNear: bool
  if (kind === TURNING) {
    solveStiff()
    isNear = displaceStiff()
  } else isNear = goBack()
  if (isNear) return SOLVED
  undo()
  return LEFT
}

/** Errors, and LDLᵀ forwards: `FACTOR` holds L, `STEP` D⁻¹ L⁻¹ of the right-hand side. */
function goForth(start: usize, rest: usize, softness: usize, relaxation: usize): i32 {
  const position = hand.position
  const lambda = hand.lambda
  const reference = hand.reference
  const baseA = hand.baseA
  const baseB = hand.baseB
  const atA = hand.atA
  const atB = hand.atB
  const count = hand.count
  const zero = f64x2.splat(0)
  const one = f64x2.splat(1)
  let oa = hand.nodeAt(atA)
  let ob = hand.nodeAt(atB)
  let a0 = v128.load(position + oa)
  let a1 = v128.load(position + oa, 16)
  let b0 = v128.load(position + ob)
  let b1 = v128.load(position + ob, 16)
  let px = firsts(a0, b0)
  let py = seconds(a0, b0)
  let pz = firsts(a1, b1)
  let wp = seconds(a1, b1)
  let mx = zero
  let my = zero
  let mz = zero
  let inverse = zero
  let y = zero
  let wasHeld = f64x2.eq(wp, zero)
  let odd = zero
  let isStiff = zero
  let o = hand.scratch
  for (let k: usize = 0; k < count; k++) {
    const ja = baseA + k
    const jb = baseB + k
    const qa = hand.nodeAt(atA + k + 1)
    const qb = hand.nodeAt(atB + k + 1)
    a0 = v128.load(position + qa)
    a1 = v128.load(position + qa, 16)
    b0 = v128.load(position + qb)
    b1 = v128.load(position + qb, 16)
    const qx = firsts(a0, b0)
    const qy = seconds(a0, b0)
    const qz = firsts(a1, b1)
    const wq = seconds(a1, b1)
    const dx = f64x2.sub(px, qx)
    const dy = f64x2.sub(py, qy)
    const dz = f64x2.sub(pz, qz)
    const length = f64x2.sqrt(dot(dx, dy, dz, dx, dy, dz))
    const old = pair(lambda, ja, jb)
    const c = f64x2.sub(length, pair(rest, ja, jb))
    const isPressed = f64x2.lt(c, zero)
    if (v128.any_true(isPressed)) {
      const near = f64x2.sub(v128.load(start + oa), v128.load(start + qa))
      const far = f64x2.sub(v128.load(start + ob), v128.load(start + qb))
      const high = f64x2.sub(pair(start + 16, oa >> 3, ob >> 3), pair(start + 16, qa >> 3, qb >> 3))
      const along = dot(dx, dy, dz, firsts(near, far), seconds(near, far), high)
      odd = v128.or(odd, v128.and(isPressed, f64x2.lt(along, zero)))
    }
    const w = f64x2.add(wp, wq)
    const a = pair(softness, ja, jb)
    const wa = f64x2.add(w, a)
    odd = v128.or(odd, v128.or(f64x2.lt(length, f64x2.splat(TOO_SHORT)), f64x2.le(wa, f64x2.splat(IMMOVABLE))))
    const e = f64x2.mul(f64x2.add(c, f64x2.mul(a, old)), pair(relaxation, ja, jb))
    const scale = f64x2.div(one, length)
    const ux = f64x2.mul(dx, scale)
    const uy = f64x2.mul(dy, scale)
    const uz = f64x2.mul(dz, scale)
    const tension = pair(reference, ja, jb)
    const turning = f64x2.mul(f64x2.mul(f64x2.neg(tension), scale), w)
    isStiff = v128.or(isStiff, f64x2.gt(turning, f64x2.splat(STIFF)))
    const beside = f64x2.mul(f64x2.neg(wp), dot(ux, uy, uz, mx, my, mz))
    const l = f64x2.mul(beside, inverse)
    const pivot = f64x2.sub(wa, f64x2.mul(l, beside))
    const least = f64x2.mul(f64x2.splat(LEAST_PIVOT), w)
    inverse = f64x2.div(one, v128.bitselect(pivot, least, f64x2.gt(pivot, least)))
    y = f64x2.sub(f64x2.neg(e), f64x2.mul(l, y))
    v128.store(o, ux, NX)
    v128.store(o, uy, NY)
    v128.store(o, uz, NZ)
    v128.store(o, length, DISTANCE)
    v128.store(o, old, BEFORE)
    v128.store(o, l, FACTOR)
    v128.store(o, f64x2.mul(y, inverse), STEP)
    v128.store(o, wp, W)
    v128.store(o, px, X0)
    v128.store(o, py, Y0)
    v128.store(o, pz, Z0)
    v128.store(o, a, SOFT)
    v128.store(o, e, ERROR)
    v128.store(o, tension, REFERENCE)
    // A line that is held at two places has to be looked at twice.
    const isHeld = f64x2.eq(wq, zero)
    odd = v128.or(odd, v128.and(wasHeld, isHeld))
    wasHeld = v128.or(wasHeld, isHeld)
    mx = ux
    my = uy
    mz = uz
    px = qx
    py = qy
    pz = qz
    wp = wq
    oa = qa
    ob = qb
    o += RECORD
  }
  v128.store(o, zero, FACTOR)
  v128.store(o, wp, W)
  v128.store(o, px, X0)
  v128.store(o, py, Y0)
  v128.store(o, pz, Z0)
  if (v128.any_true(odd)) return NOT_HERE
  if (!v128.any_true(isStiff)) return PLAIN
  // One with and one without are solved one by one.
  return i64x2.all_true(isStiff) ? TURNING : NOT_HERE
}

/** The way back: Δλ, dX = w (F_k − F_{k−1}) from the far end on; whether no row turns too far. */
function goBack(): bool {
  const lambda = hand.lambda
  const baseA = hand.baseA
  const baseB = hand.baseB
  const count = hand.count
  const zero = f64x2.splat(0)
  let next = zero
  let fx = zero
  let fy = zero
  let fz = zero
  let vx = zero
  let vy = zero
  let vz = zero
  let isNear = f64x2.eq(zero, zero)
  let o = hand.scratch + RECORD * count
  for (let k = count; ; k--) {
    const w = v128.load(o, W)
    let gx = zero
    let gy = zero
    let gz = zero
    if (k > 0) {
      const b = o - RECORD
      next = f64x2.sub(v128.load(b, STEP), f64x2.mul(v128.load(o, FACTOR), next))
      gx = f64x2.mul(next, v128.load(b, NX))
      gy = f64x2.mul(next, v128.load(b, NY))
      gz = f64x2.mul(next, v128.load(b, NZ))
      putPair(lambda, baseA + k - 1, baseB + k - 1, f64x2.add(v128.load(b, BEFORE), next))
    }
    const sx = f64x2.mul(w, f64x2.sub(fx, gx))
    const sy = f64x2.mul(w, f64x2.sub(fy, gy))
    const sz = f64x2.mul(w, f64x2.sub(fz, gz))
    putBodies(k, f64x2.add(v128.load(o, X0), sx), f64x2.add(v128.load(o, Y0), sy), f64x2.add(v128.load(o, Z0), sz))
    if (k < count)
      isNear = v128.and(isNear, hand.turnsLittle(o, f64x2.sub(sx, vx), f64x2.sub(sy, vy), f64x2.sub(sz, vz)))
    if (k === 0) break
    vx = sx
    vy = sy
    vz = sz
    fx = gx
    fy = gy
    fz = gz
    o -= RECORD
  }
  return i64x2.all_true(isNear)
}
