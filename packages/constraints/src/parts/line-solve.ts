/** The solve of a line apart from its errors: LDLᵀ once more where rows come in, go or give way, and the bounds of ropes and struts. */

import type { Batch } from '@tautline/core/kernel'
import type { LengthColumn } from './length-row.js'
import { type Lines, RECORD } from './line-cover.js'
import {
  BEFORE,
  DISTANCE,
  ERROR,
  FACTOR,
  FX,
  FY,
  FZ,
  LEAST_PIVOT,
  LET_GO,
  MET,
  NX,
  NY,
  NZ,
  PART,
  SOFT,
  SOLVED,
  STEP,
  WAITING,
} from './line-record.js'
import { solveStiff } from './line-stiff.js'

/** Solves of one line until the bounds of its rows are met; what is left then is cut to its bound. */
const ROUNDS = 8

/** Δλ from what the way forth left in `step`, backwards; the forces that go with it. */
export function solveBack({ scratch: s }: Lines, count: number): void {
  let next = 0
  s[(count << 4) + FX] = s[(count << 4) + FY] = s[(count << 4) + FZ] = 0
  for (let k = count - 1; k >= 0; k--) {
    const o = k << 4
    if (s[o + PART] !== SOLVED) next = s[o + STEP] = 0
    else next = s[o + STEP] -= k + 1 < count ? s[o + RECORD + FACTOR] * next : 0
    s[o + FX] = next * s[o + NX]
    s[o + FY] = next * s[o + NY]
    s[o + FZ] = next * s[o + NZ]
  }
}

/** Both ways once more, when rows have come in or gone, or give way. */
export function solveAgain(
  lines: Lines,
  x: Float64Array,
  base: number,
  at: number,
  count: number,
  isStiff: boolean,
): void {
  if (isStiff) solveStiff(lines, x, base, at, count)
  else {
    solveForth(lines, x, at, count)
    solveBack(lines, count)
  }
}

/** The way forth by itself. */
function solveForth({ nodes, scratch: s }: Lines, x: Float64Array, at: number, count: number): void {
  let inverse = 0
  let y = 0
  for (let k = 0; k < count; k++) {
    const o = k << 4
    if (s[o + PART] !== SOLVED) {
      s[o + FACTOR] = s[o + STEP] = inverse = y = 0
      continue
    }
    const wp = x[nodes[at + k] + 3]
    const beside =
      k === 0
        ? 0
        : -wp * (s[o + NX] * s[o - RECORD + NX] + s[o + NY] * s[o - RECORD + NY] + s[o + NZ] * s[o - RECORD + NZ])
    const l = beside * inverse
    const w = wp + x[nodes[at + k + 1] + 3]
    const pivot = w + s[o + SOFT] - l * beside
    const least = LEAST_PIVOT * w
    inverse = 1 / (pivot > least ? pivot : least)
    y = -s[o + ERROR] - l * y
    s[o + FACTOR] = l
    s[o + STEP] = y * inverse
  }
}

/**
 * Active set of a line with ropes or struts: rows that would go beyond their bound are let go, rows that the others would
 * overstretch come in, and the line is solved again. What is beyond a bound at the end is cut to it.
 */
export function holdBounds(
  batch: Batch<LengthColumn>,
  lines: Lines,
  x: Float64Array,
  base: number,
  at: number,
  count: number,
  isStiff: boolean,
): void {
  const { nodes, scratch: s, closes } = lines
  const { rest, lower, upper } = batch.columns
  for (let round = 1; round < ROUNDS; round++) {
    let changed = false
    for (let k = 0; k < count; k++) {
      const o = k << 4
      if (s[o + PART] !== SOLVED || s[o + BEFORE] !== 0) continue
      if (s[o + STEP] <= upper[base + k] && s[o + STEP] >= lower[base + k]) continue
      s[o + PART] = LET_GO
      changed = true
    }
    // Rows come in only once none has to go.
    if (!changed) {
      for (let k = 0; k < count; k++) {
        const o = k << 4
        if (s[o + PART] !== WAITING) continue
        const row = base + k
        const wp = x[nodes[at + k] + 3]
        const wq = x[nodes[at + k + 1] + 3]
        // F is 0 in the row itself.
        const before = k > 0 ? o - RECORD : (count - 1) << 4
        const fromBefore =
          k > 0 || closes ? s[o + NX] * s[before + FX] + s[o + NY] * s[before + FY] + s[o + NZ] * s[before + FZ] : 0
        const behind = closes && k === count - 1 ? 0 : o + RECORD
        const fromBehind = s[o + NX] * s[behind + FX] + s[o + NY] * s[behind + FY] + s[o + NZ] * s[behind + FZ]
        const c = s[o + DISTANCE] - rest[row] - wp * fromBefore - wq * fromBehind
        if ((upper[row] === 0 ? -c : c) >= -MET * rest[row]) continue
        s[o + PART] = SOLVED
        changed = true
      }
    }
    if (!changed) break
    solveAgain(lines, x, base, at, count, isStiff)
  }
  for (let k = 0; k < count; k++) {
    const o = k << 4
    const row = base + k
    if (s[o + PART] !== SOLVED) continue
    const fresh = s[o + BEFORE] + s[o + STEP]
    if (fresh <= upper[row] && fresh >= lower[row]) continue
    const cut = -s[o + BEFORE] - s[o + STEP]
    s[o + STEP] = -s[o + BEFORE]
    s[o + FX] += cut * s[o + NX]
    s[o + FY] += cut * s[o + NY]
    s[o + FZ] += cut * s[o + NZ]
  }
}
