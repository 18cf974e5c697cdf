/** The solve of a line where the turning of the tension counts: blocks of three by three, forth and back (lines.ts). */

import { backedBack, backedForth } from './line-backed.js'
import { closeLoop } from './line-loop.js'
import type { Lines } from './line-cover.js'
import {
  BEFORE,
  DISTANCE,
  ERROR,
  FX,
  FY,
  FZ,
  LEAST_PIVOT,
  NX,
  NY,
  NZ,
  PART,
  SOFT,
  SOLVED,
  STEP,
  STIFF,
} from './line-record.js'

/** Share of the last tension below which a row's turning is that of its present one; solves of one line until none is. */
const EASED = 0.25
const EASINGS = 3
/** Q (6) and s (3) of a row. */
const Q = 0
const S = 6

/**
 * Both ways with the turning of the tension. Of a tension that is not there any more it would push bodies aside, and put energy in: where
 * a row bears less than a quarter of it, what it bears takes its place.
 */
export function solveStiff(lines: Lines, x: Float64Array, base: number, at: number, count: number): void {
  const { reference, scratch: s } = lines
  for (let round = 0; round < EASINGS; round++) {
    solveOnce(lines, x, base, at, count)
    let eased = false
    for (let k = 0; k < count; k++) {
      const o = k << 4
      const row = base + k
      if (s[o + PART] !== SOLVED || !(reference[row] < 0)) continue
      const bears = s[o + BEFORE] + s[o + STEP]
      if (bears <= EASED * reference[row]) continue
      reference[row] = bears < 0 ? bears : 0
      eased = true
    }
    if (!eased) return
  }
  solveOnce(lines, x, base, at, count)
}

function solveOnce(lines: Lines, x: Float64Array, base: number, at: number, count: number): void {
  if (!lines.closes) {
    solveOpen(lines, x, base, at, count)
    return
  }
  solveOpen(lines, x, base, at, count - 1)
  closeLoop(lines, x, base, at, count)
}

function solveOpen(lines: Lines, x: Float64Array, base: number, at: number, count: number): void {
  if (lines.backing !== undefined) {
    if (lines.solveBacked?.(lines, lines.backing, x, base, at, count) === true) return
    backedForth(lines, lines.backing, x, base, at, count)
    backedBack(lines, lines.backing, x, at, count)
    return
  }
  stiffForth(lines, x, base, at, count)
  stiffBack(lines, x, at, count)
}

/** The way forth with the turning of the tension. */
function stiffForth(
  { nodes, reference, scratch: s, turning: t }: Lines,
  x: Float64Array,
  base: number,
  at: number,
  count: number,
): void {
  let wp = x[nodes[at] + 3]
  let w00 = wp
  let w01 = 0
  let w02 = 0
  let w11 = wp
  let w12 = 0
  let w22 = wp
  let ux = 0
  let uy = 0
  let uz = 0
  for (let k = 0; k < count; k++) {
    const o = k << 4
    const u = 9 * k
    const w = x[nodes[at + k + 1] + 3]
    if (s[o + PART] !== SOLVED) {
      w00 = w11 = w22 = wp = w
      w01 = w02 = w12 = ux = uy = uz = 0
      continue
    }
    const mx = s[o + NX]
    const my = s[o + NY]
    const mz = s[o + NZ]
    // Between bodies that do not move nothing may give way at all.
    const a = w > 0 ? s[o + SOFT] : s[o + SOFT] + LEAST_PIVOT * wp
    const tx = ux + mx * s[o + ERROR]
    const ty = uy + my * s[o + ERROR]
    const tz = uz + mz * s[o + ERROR]
    let c00: number
    let c01: number
    let c02: number
    let c11: number
    let c12: number
    let c22: number
    const tension = -reference[base + k]
    if (tension * (wp + w) > STIFF * s[o + DISTANCE]) {
      const across = s[o + DISTANCE] / tension
      const g = a - across
      const b00 = w00 + w + across + g * mx * mx
      const b01 = w01 + g * mx * my
      const b02 = w02 + g * mx * mz
      const b11 = w11 + w + across + g * my * my
      const b12 = w12 + g * my * mz
      const b22 = w22 + w + across + g * mz * mz
      c00 = b11 * b22 - b12 * b12
      c01 = b02 * b12 - b01 * b22
      c02 = b01 * b12 - b02 * b11
      c11 = b00 * b22 - b02 * b02
      c12 = b01 * b02 - b00 * b12
      c22 = b00 * b11 - b01 * b01
      const inverse = 1 / (b00 * c00 + b01 * c01 + b02 * c02)
      c00 *= inverse
      c01 *= inverse
      c02 *= inverse
      c11 *= inverse
      c12 *= inverse
      c22 *= inverse
    } else {
      const along =
        mx * (w00 * mx + w01 * my + w02 * mz) +
        my * (w01 * mx + w11 * my + w12 * mz) +
        mz * (w02 * mx + w12 * my + w22 * mz)
      const inverse = 1 / (along + a + w)
      c00 = inverse * mx * mx
      c01 = inverse * mx * my
      c02 = inverse * mx * mz
      c11 = inverse * my * my
      c12 = inverse * my * mz
      c22 = inverse * mz * mz
    }
    t[u + Q] = c00
    t[u + Q + 1] = c01
    t[u + Q + 2] = c02
    t[u + Q + 3] = c11
    t[u + Q + 4] = c12
    t[u + Q + 5] = c22
    t[u + S] = tx
    t[u + S + 1] = ty
    t[u + S + 2] = tz
    ux = w * (c00 * tx + c01 * ty + c02 * tz)
    uy = w * (c01 * tx + c11 * ty + c12 * tz)
    uz = w * (c02 * tx + c12 * ty + c22 * tz)
    const ww = w * w
    w00 = w - ww * c00
    w01 = -ww * c01
    w02 = -ww * c02
    w11 = w - ww * c11
    w12 = -ww * c12
    w22 = w - ww * c22
    wp = w
  }
}

/** The way back: F and Δλ. */
function stiffBack({ nodes, scratch: s, turning: t }: Lines, x: Float64Array, at: number, count: number): void {
  let gx = 0
  let gy = 0
  let gz = 0
  s[(count << 4) + FX] = s[(count << 4) + FY] = s[(count << 4) + FZ] = 0
  for (let k = count - 1; k >= 0; k--) {
    const o = k << 4
    const u = 9 * k
    if (s[o + PART] !== SOLVED) gx = gy = gz = 0
    else {
      const w = x[nodes[at + k + 1] + 3]
      const tx = w * gx - t[u + S]
      const ty = w * gy - t[u + S + 1]
      const tz = w * gz - t[u + S + 2]
      gx = t[u + Q] * tx + t[u + Q + 1] * ty + t[u + Q + 2] * tz
      gy = t[u + Q + 1] * tx + t[u + Q + 3] * ty + t[u + Q + 4] * tz
      gz = t[u + Q + 2] * tx + t[u + Q + 4] * ty + t[u + Q + 5] * tz
    }
    s[o + FX] = gx
    s[o + FY] = gy
    s[o + FZ] = gz
    s[o + STEP] = gx * s[o + NX] + gy * s[o + NY] + gz * s[o + NZ]
  }
}
