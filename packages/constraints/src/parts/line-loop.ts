/**
 * The solve of a line that comes back to its first body: the open line without its last row, and the force of that row beside it (lines.ts).
 *
 * With F_z the force of the last row z, u_0 = −W_0 F_z and the way back begins with F_z. The ends of the open line follow it linearly, by R:
 *
 *   (R + S_z) F_z = −n_z c_z − (dX_z − dX_0 of the open line alone)
 */

import type { Backing } from '@tautline/core/kernel'
import { apply, invert, mobility } from './line-backed.js'
import { type Lines, RECORD } from './line-cover.js'
import { DISTANCE, ERROR, FX, FY, FZ, LEAST_PIVOT, NX, NY, NZ, PART, SOFT, SOLVED, STEP, STIFF } from './line-record.js'

/** W of a body, R + S_z and its inverse, as rows of nine; vectors. */
const W = /* @__PURE__ */ new Float64Array(9)
const sum = /* @__PURE__ */ new Float64Array(9)
const inverse = /* @__PURE__ */ new Float64Array(9)
const u = /* @__PURE__ */ new Float64Array(3)
const t = /* @__PURE__ */ new Float64Array(3)
const f = /* @__PURE__ */ new Float64Array(3)
const gap = /* @__PURE__ */ new Float64Array(3)
const other = /* @__PURE__ */ new Float64Array(3)

/** Adds the last row to the solution of the open line of rows before it, whose Q are in `turning` and forces in the records. */
export function closeLoop(lines: Lines, x: Float64Array, base: number, at: number, count: number): void {
  const { nodes, reference, scratch: s } = lines
  const z = count - 1
  const o = RECORD * z
  f.fill(0)
  if (s[o + PART] === SOLVED) {
    const w = x[nodes[at] + 3] + x[nodes[at + z] + 3]
    const soft = s[o + SOFT] + LEAST_PIVOT * w
    endsApart(lines, x, at, z, gap)
    const tension = -reference[base + z]
    if (tension * w > STIFF * s[o + DISTANCE]) {
      const across = s[o + DISTANCE] / tension
      for (let i = 0; i < 3; i++) {
        f.fill(0)
        f[i] = 1
        solveOpen(lines, x, at, z, 0)
        endsApart(lines, x, at, z, other)
        for (let j = 0; j < 3; j++) {
          sum[3 * j + i] = other[j] + (soft - across) * s[o + NX + i] * s[o + NX + j]
          if (i === j) sum[3 * j + i] += across
        }
      }
      invert(sum, inverse)
      for (let i = 0; i < 3; i++) t[i] = -s[o + NX + i] * s[o + ERROR] - gap[i]
      apply(inverse, t, f)
    } else {
      for (let i = 0; i < 3; i++) f[i] = s[o + NX + i]
      solveOpen(lines, x, at, z, 0)
      endsApart(lines, x, at, z, other)
      const pivot = soft + dot(other, s, o + NX)
      const least = LEAST_PIVOT * w
      const lambda = -(s[o + ERROR] + dot(gap, s, o + NX)) / (pivot > least ? pivot : least)
      for (let i = 0; i < 3; i++) f[i] = lambda * s[o + NX + i]
    }
    solveOpen(lines, x, at, z, 1)
  }
  for (let i = 0; i < 3; i++) s[o + FX + i] = f[i]
  s[o + STEP] = dot(f, s, o + NX)
}

function dot(v: Float64Array, s: Float64Array, o: number): number {
  return v[0] * s[o] + v[1] * s[o + 1] + v[2] * s[o + 2]
}

/** out = W v of a body. */
function move(backing: Backing | undefined, x: Float64Array, p: number, v: Float64Array, out: Float64Array): void {
  if (backing === undefined) for (let i = 0; i < 3; i++) out[i] = x[p + 3] * v[i]
  else {
    mobility(backing, x, p, W)
    apply(W, v, out)
  }
}

/** Forces of the open line for the force `f` of row z, and for `share` of the errors of its rows. */
function solveOpen(lines: Lines, x: Float64Array, at: number, z: number, share: number): void {
  if (lines.backing === undefined) solveFree(lines, x, at, z, share)
  else solvePressed(lines, lines.backing, x, at, z, share)
}

function solveFree({ nodes, scratch: s, turning }: Lines, x: Float64Array, at: number, z: number, share: number): void {
  const w0 = x[nodes[at] + 3]
  let ux = -w0 * f[0]
  let uy = -w0 * f[1]
  let uz = -w0 * f[2]
  for (let k = 0; k < z; k++) {
    const o = k << 4
    if (s[o + PART] !== SOLVED) {
      ux = uy = uz = 0
      continue
    }
    const q = 9 * k
    const w = x[nodes[at + k + 1] + 3]
    const e = share * s[o + ERROR]
    const tx = (turning[q + 6] = ux + e * s[o + NX])
    const ty = (turning[q + 7] = uy + e * s[o + NY])
    const tz = (turning[q + 8] = uz + e * s[o + NZ])
    ux = w * (turning[q] * tx + turning[q + 1] * ty + turning[q + 2] * tz)
    uy = w * (turning[q + 1] * tx + turning[q + 3] * ty + turning[q + 4] * tz)
    uz = w * (turning[q + 2] * tx + turning[q + 4] * ty + turning[q + 5] * tz)
  }
  let gx = f[0]
  let gy = f[1]
  let gz = f[2]
  for (let k = z - 1; k >= 0; k--) {
    const o = k << 4
    if (s[o + PART] !== SOLVED) gx = gy = gz = 0
    else {
      const q = 9 * k
      const w = x[nodes[at + k + 1] + 3]
      const tx = w * gx - turning[q + 6]
      const ty = w * gy - turning[q + 7]
      const tz = w * gz - turning[q + 8]
      gx = turning[q] * tx + turning[q + 1] * ty + turning[q + 2] * tz
      gy = turning[q + 1] * tx + turning[q + 3] * ty + turning[q + 4] * tz
      gz = turning[q + 2] * tx + turning[q + 4] * ty + turning[q + 5] * tz
    }
    s[o + FX] = gx
    s[o + FY] = gy
    s[o + FZ] = gz
    s[o + STEP] = gx * s[o + NX] + gy * s[o + NY] + gz * s[o + NZ]
  }
}

function solvePressed(
  { nodes, scratch: s, turning }: Lines,
  backing: Backing,
  x: Float64Array,
  at: number,
  z: number,
  share: number,
): void {
  move(backing, x, nodes[at], f, u)
  for (let i = 0; i < 3; i++) u[i] = -u[i]
  for (let k = 0; k < z; k++) {
    const o = RECORD * k
    if (s[o + PART] !== SOLVED) {
      u.fill(0)
      continue
    }
    const q = 9 * k
    for (let i = 0; i < 3; i++) t[i] = turning[q + 6 + i] = u[i] + share * s[o + ERROR] * s[o + NX + i]
    force(turning, q)
    move(backing, x, nodes[at + k + 1], t, u)
  }
  for (let i = 0; i < 3; i++) u[i] = f[i]
  for (let k = z - 1; k >= 0; k--) {
    const o = RECORD * k
    if (s[o + PART] === SOLVED) {
      const q = 9 * k
      move(backing, x, nodes[at + k + 1], u, t)
      for (let i = 0; i < 3; i++) t[i] -= turning[q + 6 + i]
      force(turning, q)
      for (let i = 0; i < 3; i++) u[i] = t[i]
    } else u.fill(0)
    for (let i = 0; i < 3; i++) s[o + FX + i] = u[i]
    s[o + STEP] = dot(u, s, o + NX)
  }
}

/** t = Q t, of the six numbers of Q at `q`. */
function force(turning: Float64Array, q: number): void {
  const x = t[0]
  const y = t[1]
  const z = t[2]
  t[0] = turning[q] * x + turning[q + 1] * y + turning[q + 2] * z
  t[1] = turning[q + 1] * x + turning[q + 3] * y + turning[q + 4] * z
  t[2] = turning[q + 2] * x + turning[q + 4] * y + turning[q + 5] * z
}

/** How far the last body goes from the first, by the forces in the records and `f`. */
function endsApart(
  { nodes, scratch: s, backing }: Lines,
  x: Float64Array,
  at: number,
  z: number,
  out: Float64Array,
): void {
  const last = RECORD * (z - 1)
  for (let i = 0; i < 3; i++) t[i] = f[i] - s[last + FX + i]
  move(backing, x, nodes[at + z], t, out)
  for (let i = 0; i < 3; i++) t[i] = s[FX + i] - f[i]
  move(backing, x, nodes[at], t, u)
  for (let i = 0; i < 3; i++) out[i] -= u[i]
}
