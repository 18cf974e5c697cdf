/**
 * The solve of a line whose bodies are pressed on what is heavy: blocks of three by three with W = w (1 − s n̂ n̂ᵀ) a body, forth and back
 * (lines.ts; core's `Backing`).
 */

import type { Backing, Batch, BodyColumns } from '@tautline/core/kernel'
import { BACKING_CHANGE, BACKING_LOAD, BACKING_N, BACKING_SHARE } from '@tautline/core/kernel'
import type { LengthColumn } from './length-row.js'
import { type Lines, RECORD } from './line-cover.js'
import { DISTANCE, ERROR, FX, FY, FZ, LEAST_PIVOT, NX, NY, NZ, PART, SOFT, SOLVED, STEP, STIFF } from './line-record.js'

/** Share of a stretch that a substep began with that is taken out in it. */
const REPAIR = 0.02

/** W of the next body; that of those before it; their sum with the row; its inverse or projection; W C and vectors. Symmetric ones as rows of nine. */
const next = /* @__PURE__ */ new Float64Array(9)
const before = /* @__PURE__ */ new Float64Array(9)
const sum = /* @__PURE__ */ new Float64Array(9)
const C = /* @__PURE__ */ new Float64Array(9)
const product = /* @__PURE__ */ new Float64Array(9)
const n = /* @__PURE__ */ new Float64Array(3)
const t = /* @__PURE__ */ new Float64Array(3)
const u = /* @__PURE__ */ new Float64Array(3)

/** Whether one of the bodies of a line is pressed. */
export function isBacked(backing: Backing | undefined, nodes: Int32Array, at: number, count: number): boolean {
  if (backing === undefined || backing.count === 0) return false
  for (let k = 0; k <= count; k++) if (backing.find(nodes[at + k] >> 2) >= 0) return true
  return false
}

/** W of a body into `out`. */
export function mobility(backing: Backing, x: Float64Array, p: number, out: Float64Array): void {
  const w = x[p + 3]
  out.fill(0)
  out[0] = out[4] = out[8] = w
  const place = backing.find(p >> 2)
  if (place < 0) return
  const { record } = backing
  const share = w * record[place + BACKING_SHARE]
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) out[3 * i + j] -= share * record[place + BACKING_N + i] * record[place + BACKING_N + j]
  }
}

/** out = A b for 3×3 matrices. */
function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]
  }
}

/** out = A v. */
export function apply(a: Float64Array, v: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 3; i++) out[i] = a[3 * i] * v[0] + a[3 * i + 1] * v[1] + a[3 * i + 2] * v[2]
}

/** The inverse of a symmetric matrix. */
export function invert(b: Float64Array, out: Float64Array): void {
  const c00 = b[4] * b[8] - b[5] * b[5]
  const c01 = b[2] * b[5] - b[1] * b[8]
  const c02 = b[1] * b[5] - b[2] * b[4]
  const scale = 1 / (b[0] * c00 + b[1] * c01 + b[2] * c02)
  out[0] = scale * c00
  out[1] = out[3] = scale * c01
  out[2] = out[6] = scale * c02
  out[4] = scale * (b[0] * b[8] - b[2] * b[2])
  out[5] = out[7] = scale * (b[1] * b[2] - b[0] * b[5])
  out[8] = scale * (b[0] * b[4] - b[1] * b[1])
}

/** The way forth: Q and s of each row, as in `line-stiff.ts`. */
export function backedForth(
  { nodes, reference, scratch: s, turning }: Lines,
  backing: Backing,
  x: Float64Array,
  base: number,
  at: number,
  count: number,
): void {
  mobility(backing, x, nodes[at], before)
  u.fill(0)
  for (let k = 0; k < count; k++) {
    const o = RECORD * k
    mobility(backing, x, nodes[at + k + 1], next)
    if (s[o + PART] !== SOLVED) {
      before.set(next)
      u.fill(0)
      continue
    }
    n[0] = s[o + NX]
    n[1] = s[o + NY]
    n[2] = s[o + NZ]
    const w = x[nodes[at + k + 1] + 3]
    const wp = x[nodes[at + k] + 3]
    // Between bodies that do not move nothing may give way at all.
    const soft = w > 0 ? s[o + SOFT] : s[o + SOFT] + LEAST_PIVOT * wp
    for (let i = 0; i < 3; i++) t[i] = u[i] + n[i] * s[o + ERROR]
    for (let i = 0; i < 9; i++) sum[i] = before[i] + next[i]
    const tension = -reference[base + k]
    if (tension * (wp + w) > STIFF * s[o + DISTANCE]) {
      const across = s[o + DISTANCE] / tension
      for (let i = 0; i < 3; i++) {
        sum[4 * i] += across
        for (let j = 0; j < 3; j++) sum[3 * i + j] += (soft - across) * n[i] * n[j]
      }
      invert(sum, C)
    } else {
      apply(sum, n, u)
      const inverse = 1 / (n[0] * u[0] + n[1] * u[1] + n[2] * u[2] + soft)
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) C[3 * i + j] = inverse * n[i] * n[j]
    }
    const q = 9 * k
    turning[q] = C[0]
    turning[q + 1] = C[1]
    turning[q + 2] = C[2]
    turning[q + 3] = C[4]
    turning[q + 4] = C[5]
    turning[q + 5] = C[8]
    turning.set(t, q + 6)
    multiply(next, C, product)
    apply(product, t, u)
    multiply(product, next, before)
    for (let i = 0; i < 9; i++) before[i] = next[i] - before[i]
  }
}

/** The way back: F and Δλ. */
export function backedBack(
  { nodes, scratch: s, turning }: Lines,
  backing: Backing,
  x: Float64Array,
  at: number,
  count: number,
): void {
  u.fill(0)
  s[RECORD * count + FX] = s[RECORD * count + FY] = s[RECORD * count + FZ] = 0
  for (let k = count - 1; k >= 0; k--) {
    const o = RECORD * k
    if (s[o + PART] !== SOLVED) u.fill(0)
    else {
      const q = 9 * k
      mobility(backing, x, nodes[at + k + 1], next)
      apply(next, u, t)
      for (let i = 0; i < 3; i++) t[i] -= turning[q + 6 + i]
      u[0] = turning[q] * t[0] + turning[q + 1] * t[1] + turning[q + 2] * t[2]
      u[1] = turning[q + 1] * t[0] + turning[q + 3] * t[1] + turning[q + 4] * t[2]
      u[2] = turning[q + 2] * t[0] + turning[q + 4] * t[1] + turning[q + 5] * t[2]
    }
    s[o + FX] = u[0]
    s[o + FY] = u[1]
    s[o + FZ] = u[2]
    s[o + STEP] = u[0] * s[o + NX] + u[1] * s[o + NY] + u[2] * s[o + NZ]
  }
}

/**
 * Leaves most of what rows are longer than they should be at the start of the substep: a heavy body would be shot off by what light ones are moved
 * by in no time.
 */
export function easeErrors(
  { startPosition: start }: BodyColumns,
  batch: Batch<LengthColumn>,
  { nodes, scratch: s }: Lines,
  base: number,
  at: number,
  count: number,
): void {
  const { rest } = batch.columns
  for (let k = 0; k < count; k++) {
    const o = RECORD * k
    if (s[o + PART] !== SOLVED || s[o + SOFT] > 0) continue
    const p = nodes[at + k]
    const q = nodes[at + k + 1]
    let square = 0
    for (let axis = 0; axis < 3; axis++)
      square += (start[p + axis] - start[q + axis]) * (start[p + axis] - start[q + axis])
    const left = (1 - REPAIR) * (Math.sqrt(square) - rest[base + k])
    if (left <= 0 || s[o + ERROR] <= 0) continue
    s[o + ERROR] = s[o + ERROR] > left ? s[o + ERROR] - left : 0
  }
}

/** Takes the share of what is behind a body out of the force on it: W F/w. */
export function displaceBacked(backing: Backing, body: number, force: Float64Array): void {
  const place = backing.find(body)
  if (place < 0) return
  const { record } = backing
  let along = 0
  for (let axis = 0; axis < 3; axis++) along += record[place + BACKING_N + axis] * force[axis]
  along *= record[place + BACKING_SHARE]
  for (let axis = 0; axis < 3; axis++) force[axis] -= along * record[place + BACKING_N + axis]
  record[place + BACKING_LOAD] -= along
  record[place + BACKING_CHANGE] = along
}

/** Takes back what the last `displaceBacked` of each body did. */
export function undoBacking(backing: Backing, nodes: Int32Array, at: number, count: number): void {
  const { record } = backing
  for (let k = 0; k <= count; k++) {
    const place = backing.find(nodes[at + k] >> 2)
    if (place < 0) continue
    record[place + BACKING_LOAD] += record[place + BACKING_CHANGE]
    record[place + BACKING_CHANGE] = 0
  }
}
