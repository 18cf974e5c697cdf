// Angles between two triangles that share an edge (constraints: dihedral-bend.ts): two rows that share no body in the lanes of a vector, or one in both.

import { dot } from './access'
import { atan2, isSpecial } from './angles'
import { areApart, closeGradients, EDGES, gather, GRADIENTS, pair, response, solveRows } from './quads'

/** Squared sine at an edge below which a triangle has no normal. */
const SLIVER: f64 = 1e-18

/** Rows from `from` on; the first one whose angle is a special one, or beyond half a turn from rest, or `to`. */
export function sweepDihedralBends(
  position: usize,
  start: usize,
  body: usize,
  rest: usize,
  goal: usize,
  most: usize,
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
    const next = isPair ? row + 1 : row
    gather(scratch, position, ids, body + (next << 5))
    if (foldTwo(scratch, away, rest, goal, most, lambda, softness, gamma, relaxation, row, next)) {
      row = next + 1
      continue
    }
    // One of them is out of the ordinary: the other may come first.
    gather(scratch, position, ids, ids)
    if (!isPair || !foldTwo(scratch, away, rest, goal, most, lambda, softness, gamma, relaxation, row, row)) return row
    row++
  }
  return to
}

/** One pass over two rows; nothing, and false, where one is out of the ordinary. */
function foldTwo(
  s: usize,
  away: usize,
  rest: usize,
  goal: usize,
  most: usize,
  lambda: usize,
  softness: usize,
  gamma: usize,
  relaxation: usize,
  a: usize,
  b: usize,
): bool {
  const ex = v128.load(s, EDGES)
  const ey = v128.load(s, EDGES + 16)
  const ez = v128.load(s, EDGES + 32)
  const ax = v128.load(s, EDGES + 48)
  const ay = v128.load(s, EDGES + 64)
  const az = v128.load(s, EDGES + 80)
  const bx = v128.load(s, EDGES + 96)
  const by = v128.load(s, EDGES + 112)
  const bz = v128.load(s, EDGES + 128)
  const nx = f64x2.sub(f64x2.mul(ey, az), f64x2.mul(ez, ay))
  const ny = f64x2.sub(f64x2.mul(ez, ax), f64x2.mul(ex, az))
  const nz = f64x2.sub(f64x2.mul(ex, ay), f64x2.mul(ey, ax))
  const mx = f64x2.sub(f64x2.mul(by, ez), f64x2.mul(bz, ey))
  const my = f64x2.sub(f64x2.mul(bz, ex), f64x2.mul(bx, ez))
  const mz = f64x2.sub(f64x2.mul(bx, ey), f64x2.mul(by, ex))
  const ee = dot(ex, ey, ez, ex, ey, ez)
  const nn = dot(nx, ny, nz, nx, ny, nz)
  const mm = dot(mx, my, mz, mx, my, mz)
  const thin = f64x2.mul(f64x2.splat(SLIVER), ee)
  const isFlat = v128.or(
    f64x2.le(nn, f64x2.mul(thin, dot(ax, ay, az, ax, ay, az))),
    f64x2.le(mm, f64x2.mul(thin, dot(bx, by, bz, bx, by, bz))),
  )
  const e = f64x2.sqrt(ee)
  // (N_b × N_a)·ê and N_a·N_b.
  const sine = f64x2.div(
    dot(
      f64x2.sub(f64x2.mul(my, nz), f64x2.mul(mz, ny)),
      f64x2.sub(f64x2.mul(mz, nx), f64x2.mul(mx, nz)),
      f64x2.sub(f64x2.mul(mx, ny), f64x2.mul(my, nx)),
      ex,
      ey,
      ez,
    ),
    e,
  )
  const cosine = dot(nx, ny, nz, mx, my, mz)
  const c = f64x2.sub(f64x2.sub(atan2(sine, cosine), pair(rest, a, b)), pair(goal, a, b))
  const isOdd = v128.or(isSpecial(sine, cosine), f64x2.gt(f64x2.abs(c), f64x2.splat(Math.PI)))
  if (v128.any_true(v128.andnot(isOdd, isFlat))) return false
  const f = f64x2.div(e, nn)
  const v = f64x2.div(e, mm)
  const t = f64x2.neg(f64x2.div(dot(ax, ay, az, ex, ey, ez), ee))
  const l = f64x2.div(dot(bx, by, bz, ex, ey, ez), ee)
  writeGradients(s, 0, f64x2.mul(f, nx), f64x2.mul(v, mx), t, l)
  writeGradients(s, 16, f64x2.mul(f, ny), f64x2.mul(v, my), t, l)
  writeGradients(s, 32, f64x2.mul(f, nz), f64x2.mul(v, mz), t, l)
  closeGradients(s)
  solveRows(s, away, c, response(s), v128.not(isFlat), pair(most, a, b), lambda, softness, gamma, relaxation, a, b)
  return true
}

/** Of the wings, along one axis, and of the end of the edge: t g₂ − l g₃. */
function writeGradients(s: usize, axis: usize, g2: v128, g3: v128, t: v128, l: v128): void {
  const g = s + GRADIENTS + axis
  v128.store(g, f64x2.sub(f64x2.mul(t, g2), f64x2.mul(l, g3)), 48)
  v128.store(g, g2, 96)
  v128.store(g, g3, 144)
}
