// Volumes of tetrahedra (constraints: tetra-volume.ts).

import { dot } from './access'
import { NOISE } from './constants'
import {
  areApart,
  closeGradients,
  EDGES,
  gather,
  GRADIENTS,
  longestOf,
  pair,
  response,
  solveRows,
  weights,
} from './quads'

/** Rows from `from` on; the first one whose bodies lie along a line, or `to`. */
export function sweepTetraVolumes(
  position: usize,
  start: usize,
  body: usize,
  rest: usize,
  lambda: usize,
  softness: usize,
  gamma: usize,
  relaxation: usize,
  scratch: usize,
  from: usize,
  to: usize,
): usize {
  const away = start - position
  let row = from
  while (row < to) {
    const ids = body + (row << 5)
    const isPair = row + 1 < to && areApart(ids, ids + 32)
    gather(scratch, position, ids, isPair ? ids + 32 : ids)
    const next = isPair ? row + 1 : row
    if (solveTwo(scratch, away, rest, lambda, softness, gamma, relaxation, row, next)) {
      row = next + 1
      continue
    }
    // One of them has no gradient: the first may have.
    gather(scratch, position, ids, ids)
    if (!isPair || !solveTwo(scratch, away, rest, lambda, softness, gamma, relaxation, row, row)) return row
    row++
  }
  return to
}

/** 6V, with its gradients. */
function measure(s: usize): v128 {
  const ax = v128.load(s, EDGES)
  const ay = v128.load(s, EDGES + 16)
  const az = v128.load(s, EDGES + 32)
  const bx = v128.load(s, EDGES + 48)
  const by = v128.load(s, EDGES + 64)
  const bz = v128.load(s, EDGES + 80)
  const cx = v128.load(s, EDGES + 96)
  const cy = v128.load(s, EDGES + 112)
  const cz = v128.load(s, EDGES + 128)
  const x = f64x2.sub(f64x2.mul(by, cz), f64x2.mul(bz, cy))
  const y = f64x2.sub(f64x2.mul(bz, cx), f64x2.mul(bx, cz))
  const z = f64x2.sub(f64x2.mul(bx, cy), f64x2.mul(by, cx))
  v128.store(s, x, GRADIENTS + 48)
  v128.store(s, y, GRADIENTS + 64)
  v128.store(s, z, GRADIENTS + 80)
  v128.store(s, f64x2.sub(f64x2.mul(cy, az), f64x2.mul(cz, ay)), GRADIENTS + 96)
  v128.store(s, f64x2.sub(f64x2.mul(cz, ax), f64x2.mul(cx, az)), GRADIENTS + 112)
  v128.store(s, f64x2.sub(f64x2.mul(cx, ay), f64x2.mul(cy, ax)), GRADIENTS + 128)
  v128.store(s, f64x2.sub(f64x2.mul(ay, bz), f64x2.mul(az, by)), GRADIENTS + 144)
  v128.store(s, f64x2.sub(f64x2.mul(az, bx), f64x2.mul(ax, bz)), GRADIENTS + 160)
  v128.store(s, f64x2.sub(f64x2.mul(ax, by), f64x2.mul(ay, bx)), GRADIENTS + 176)
  closeGradients(s)
  return dot(ax, ay, az, x, y, z)
}

/** One pass over two rows; nothing, and false, where bodies of one lie along a line: the gradient is noise. */
function solveTwo(
  s: usize,
  away: usize,
  rest: usize,
  lambda: usize,
  softness: usize,
  gamma: usize,
  relaxation: usize,
  a: usize,
  b: usize,
): bool {
  const c = f64x2.sub(measure(s), pair(rest, a, b))
  const longest = longestOf(s)
  const w = response(s)
  const least = f64x2.mul(f64x2.mul(f64x2.mul(f64x2.splat(NOISE), longest), longest), weights(s))
  const isNoise = f64x2.le(w, least)
  if (v128.any_true(isNoise)) return false
  solveRows(s, away, c, w, v128.not(isNoise), f64x2.splat(0), lambda, softness, gamma, relaxation, a, b)
  return true
}
