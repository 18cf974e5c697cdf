/**
 * The loop of rows that are solved by lines: c_k = ‖x_k − x_{k+1}‖ − l_k along a path of bodies, all k at once.
 *
 *   (J M⁻¹ Jᵀ + a) Δλ = −(c + aλ),   dX = M⁻¹ Jᵀ Δλ
 *
 * J M⁻¹ Jᵀ is tridiagonal, w_k + w_{k+1} on and −w_{k+1} n_k·n_{k+1} beside the diagonal: LDLᵀ, once forth and back.
 *
 * Where the tension of the last substep is high, κ_k (w_k + w_{k+1}) > STIFF with κ = −λ/‖δp‖, the way in which it turns with
 * the rows has to be in the system, M̃ = M + Σ κ_k (1 − n n̂ᵀ) on differences: a link then gives way by
 * S = (1 − n nᵀ)/κ + a n nᵀ, and the bodies before it by W. With s = u + n c, u where they would go by themselves,
 *
 *   Q_k = (W_k + S_k + w_{k+1})⁻¹,   W_{k+1} = w_{k+1} (1 − w_{k+1} Q_k),   u_{k+1} = w_{k+1} Q_k s_k
 *   back:  F_k = Q_k (w_{k+1} F_{k+1} − s_k),   dX_k = w_k (F_k − F_{k−1}),   Δλ_k = n_k·F_k
 *
 * where Q = n nᵀ/(nᵀ W n + a + w) for links without κ, which is the tridiagonal system again.
 */

import type { Batch, BodyColumns } from '@tautline/core'
import { isAtRest } from './length-mode.js'
import { type LengthColumn, sweepCentres, TOO_SHORT } from './length-row.js'
import { type Lines, RECORD } from './line-cover.js'
import { IMMOVABLE } from './vector.js'

/**
 * From this κ (w + w) on the turning of the tension is part of the system. At 1 a cloth at few substeps is stable by a hair and
 * stretches twenty times more, at ½ it takes longer and is no better.
 */
const STIFF = 0.75
/**
 * Least pivot, share of w. A line pulled straight between two bodies that do not move has one row more than it can meet, and a
 * last pivot of 0.
 */
const LEAST_PIVOT = 1e-9
/**
 * Largest turn of a row in one visit [rad] for which the directions pass for those that the solution was made with. Beyond,
 * errors must have fallen. A line held at two places must keep to both: pulled longer than it is, it would thrash.
 */
const MOST_TURN = 1
/** Share of w that every row gives way by when that is not so: some thirty rows then share what they cannot meet. */
const YIELDING = 0.01
/** Share of the last tension below which a row's turning is that of its present one; solves of one line until none is. */
const EASED = 0.5
const EASINGS = 3
/** Solves of one line until the bounds of its rows are met; what is left then is cut to its bound. */
const ROUNDS = 8
/** A one-sided row counts as met within this share of its length, lest round-off takes it in and out. */
const MET = 1e-9

/** Where things are in a row's record of scratch. n, ‖δp‖, ξ e, a; how it takes part, λ before; L of LDLᵀ, Δλ, F. */
const NX = 0
const NY = 1
const NZ = 2
const DISTANCE = 3
const ERROR = 4
const SOFT = 5
const PART = 6
const BEFORE = 7
const FACTOR = 8
const STEP = 9
const FX = 10
const FY = 11
const FZ = 12
/** w of the body before it, until there are forces; where that body was. */
const W = FX
const X0 = 13
const Y0 = 14
const Z0 = 15
/** Q (6) and s (3) where the turning of the tension counts. */
const Q = 0
const S = 6

/** How a row takes part: not at all, not yet, solved, let go for this visit. */
const ABSENT = 0
const WAITING = 1
const SOLVED = 2
const LET_GO = 3

/** Keeps λ of the last substep for the turning of the tension, and starts from none. */
export function prepareLines(batch: Batch<LengthColumn>, from: number, to: number): void {
  const { reference } = batch.plan as Lines
  const { lambda } = batch.columns
  for (let row = from; row < to; row++) reference[row] = lambda[row]
  lambda.fill(0, from, to)
}

/** Solves the lines that begin in rows `from` to `to`. */
export function sweepLines(bodies: BodyColumns, batch: Batch<LengthColumn>, from: number, to: number): void {
  const lines = batch.plan as Lines
  const { first, nodes, reference, scratch: s, isBounded } = lines
  const { damped } = batch
  const { rest, lower, upper, lambda, softness, gamma, relaxation } = batch.columns
  const x = bodies.position
  const start = bodies.startPosition
  let line = 0
  while (line < lines.count && first[line] < from) line++
  for (; line < lines.count && first[line] < to; line++) {
    const base = first[line]
    const count = first[line + 1] - base
    const at = base + line

    // Errors, and LDLᵀ forwards: `factor` holds L, `step` D⁻¹ L⁻¹ of the right-hand side.
    let p = nodes[at]
    let px = x[p]
    let py = x[p + 1]
    let pz = x[p + 2]
    let wp = x[p + 3]
    let mx = 0
    let my = 0
    let mz = 0
    let inverse = 0
    let y = 0
    let isStiff = false
    let held = wp === 0 ? 1 : 0
    for (let k = 0; k < count; k++) {
      const o = k << 4
      const row = base + k
      const q = nodes[at + k + 1]
      const qx = x[q]
      const qy = x[q + 1]
      const qz = x[q + 2]
      const wq = x[q + 3]
      let dx = px - qx
      let dy = py - qy
      let dz = pz - qz
      let length = Math.sqrt(dx * dx + dy * dy + dz * dz)
      const old = lambda[row]
      let c = length - rest[row]
      // Pressed through 0 (length-row.ts).
      if (c < 0) {
        const tx = start[p] - start[q]
        const ty = start[p + 1] - start[q + 1]
        const tz = start[p + 2] - start[q + 2]
        const along = dx * tx + dy * ty + dz * tz
        if (along < 0) {
          const before = Math.sqrt(tx * tx + ty * ty + tz * tz)
          if (before > TOO_SHORT) {
            length = before
            dx = tx
            dy = ty
            dz = tz
            c = along / before - rest[row]
          }
        }
      }
      const w = wp + wq
      let a = softness[row]
      let e = c + a * old
      let taking = length < TOO_SHORT || w + a <= IMMOVABLE ? ABSENT : SOLVED
      if (isBounded && taking === SOLVED && old === 0 && (damped || reference[row] === 0)) {
        const met = damped ? 0 : MET * rest[row]
        if ((upper[row] === 0 && c <= -met) || (lower[row] === 0 && c >= met)) taking = WAITING
      }
      if (damped && gamma[row] > 0 && taking === SOLVED) {
        const g = gamma[row]
        const moved =
          (dx * (px - start[p] - qx + start[q]) +
            dy * (py - start[p + 1] - qy + start[q + 1]) +
            dz * (pz - start[p + 2] - qz + start[q + 2])) /
          length
        e = (e + g * moved) / (1 + g)
        a /= 1 + g
      }
      e *= relaxation[row]
      s[o + W] = wp
      s[o + X0] = px
      s[o + Y0] = py
      s[o + Z0] = pz
      s[o + BEFORE] = old
      s[o + DISTANCE] = length
      s[o + PART] = taking
      s[o + SOFT] = a
      s[o + ERROR] = e
      const scale = length < TOO_SHORT ? 0 : 1 / length
      const ux = dx * scale
      const uy = dy * scale
      const uz = dz * scale
      s[o + NX] = ux
      s[o + NY] = uy
      s[o + NZ] = uz
      if (taking === SOLVED) {
        if (-reference[row] * scale * w > STIFF) isStiff = true
        const beside = -wp * (ux * mx + uy * my + uz * mz)
        const l = beside * inverse
        const pivot = w + a - l * beside
        const least = LEAST_PIVOT * w
        inverse = 1 / (pivot > least ? pivot : least)
        y = -e - l * y
        s[o + FACTOR] = l
        s[o + STEP] = y * inverse
      } else s[o + FACTOR] = s[o + STEP] = inverse = y = 0
      mx = ux
      my = uy
      mz = uz
      p = q
      px = qx
      py = qy
      pz = qz
      wp = wq
      if (wq === 0) held++
    }
    s[(count << 4) + W] = wp
    s[(count << 4) + X0] = px
    s[(count << 4) + Y0] = py
    s[(count << 4) + Z0] = pz

    if (isStiff || isBounded) {
      if (isStiff) solveStiff(lines, x, base, at, count)
      else solveBack(lines, count)
      if (isBounded) holdBounds(batch, lines, x, base, at, count, isStiff)
      const isFar = displace(lines, lambda, x, base, at, count)
      if (isFar || held > 1) lookTwice(bodies, batch, lines, base, at, count, isStiff, isFar, held > 1)
      continue
    }

    // The way back: Δλ, dX = w (F_k − F_{k−1}) from the far end on, and how far the rows turn.
    let next = 0
    let fx = 0
    let fy = 0
    let fz = 0
    let vx = 0
    let vy = 0
    let vz = 0
    let isFar = false
    s[(count << 4) + FACTOR] = 0
    for (let k = count; k >= 0; k--) {
      const o = k << 4
      const q = nodes[at + k]
      const w = s[o + W]
      let gx = 0
      let gy = 0
      let gz = 0
      // What row k pulls its far end by was F; what row k − 1 does is G.
      if (k > 0) {
        next = s[o - RECORD + STEP] - s[o + FACTOR] * next
        gx = next * s[o - RECORD + NX]
        gy = next * s[o - RECORD + NY]
        gz = next * s[o - RECORD + NZ]
        lambda[base + k - 1] = s[o - RECORD + BEFORE] + next
      }
      const sx = w * (fx - gx)
      const sy = w * (fy - gy)
      const sz = w * (fz - gz)
      x[q] = s[o + X0] + sx
      x[q + 1] = s[o + Y0] + sy
      x[q + 2] = s[o + Z0] + sz
      if (k < count) {
        const rx = sx - vx
        const ry = sy - vy
        const rz = sz - vz
        const along = rx * s[o + NX] + ry * s[o + NY] + rz * s[o + NZ]
        const d = MOST_TURN * s[o + DISTANCE]
        // Not a number counts as too far.
        if (!(rx * rx + ry * ry + rz * rz - along * along <= d * d) && s[o + PART] === SOLVED) isFar = true
      }
      vx = sx
      vy = sy
      vz = sz
      fx = gx
      fy = gy
      fz = gz
    }
    if (isFar || held > 1) lookTwice(bodies, batch, lines, base, at, count, false, isFar, held > 1)
  }
}

/**
 * Both ways with the turning of the tension. Of a tension that is not there any more it would push bodies aside, and put energy in: where
 * a row bears less than half of it, what it bears takes its place.
 */
function solveStiff(lines: Lines, x: Float64Array, base: number, at: number, count: number): void {
  const { reference, scratch: s } = lines
  for (let round = 0; round < EASINGS; round++) {
    stiffForth(lines, x, base, at, count)
    stiffBack(lines, x, at, count)
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
  stiffForth(lines, x, base, at, count)
  stiffBack(lines, x, at, count)
}

/**
 * A line that turned far, or is held at two places: unless its errors have fallen it is solved anew, giving way a little, and
 * row by row where that is not finite.
 */
function lookTwice(
  bodies: BodyColumns,
  batch: Batch<LengthColumn>,
  lines: Lines,
  base: number,
  at: number,
  count: number,
  isStiff: boolean,
  isFar: boolean,
  isHeld: boolean,
): void {
  const { nodes, scratch: s, isBounded } = lines
  const { lambda } = batch.columns
  const x = bodies.position
  const fell = errorsFell(batch, lines, x, base, at, count)
  if (fell && !(isHeld && isFar)) return
  putBack(lines, x, at, count)
  for (let k = 0; k < count; k++) s[(k << 4) + SOFT] += YIELDING * (x[nodes[at + k] + 3] + x[nodes[at + k + 1] + 3])
  solveAgain(lines, x, base, at, count, isStiff)
  if (isBounded) holdBounds(batch, lines, x, base, at, count, isStiff)
  displace(lines, lambda, x, base, at, count)
  let sum = 0
  for (let k = 0; k < count; k++)
    sum += lambda[base + k] + x[nodes[at + k]] + x[nodes[at + k] + 1] + x[nodes[at + k] + 2]
  if (sum - sum === 0) return
  // A body that ran away would take the whole line with it.
  putBack(lines, x, at, count)
  for (let k = 0; k < count; k++) lambda[base + k] = s[(k << 4) + BEFORE]
  sweepCentres(bodies, batch, base, base + count)
}

/** The bodies of a line where they were before the visit. */
function putBack({ nodes, scratch: s }: Lines, x: Float64Array, at: number, count: number): void {
  for (let k = 0; k <= count; k++) {
    const o = k << 4
    const q = nodes[at + k]
    x[q] = s[o + X0]
    x[q + 1] = s[o + Y0]
    x[q + 2] = s[o + Z0]
  }
}

/** λ and dX = w (F_k − F_{k−1}); whether some row turns too far. */
function displace(
  { nodes, scratch: s }: Lines,
  lambda: Float64Array,
  x: Float64Array,
  base: number,
  at: number,
  count: number,
): boolean {
  let tx = 0
  let ty = 0
  let tz = 0
  let ex = 0
  let ey = 0
  let ez = 0
  let isFar = false
  for (let k = 0; k <= count; k++) {
    const o = k << 4
    const q = nodes[at + k]
    const w = x[q + 3]
    const ux = s[o + FX]
    const uy = s[o + FY]
    const uz = s[o + FZ]
    const sx = w * (ux - tx)
    const sy = w * (uy - ty)
    const sz = w * (uz - tz)
    x[q] += sx
    x[q + 1] += sy
    x[q + 2] += sz
    if (k > 0) {
      const l = k - 1
      lambda[base + l] = s[(l << 4) + BEFORE] + s[(l << 4) + STEP]
      const rx = ex - sx
      const ry = ey - sy
      const rz = ez - sz
      const along = rx * s[(l << 4) + NX] + ry * s[(l << 4) + NY] + rz * s[(l << 4) + NZ]
      const d = MOST_TURN * s[(l << 4) + DISTANCE]
      if (!(rx * rx + ry * ry + rz * rz - along * along <= d * d) && s[(l << 4) + PART] === SOLVED) isFar = true
    }
    ex = sx
    ey = sy
    ez = sz
    tx = ux
    ty = uy
    tz = uz
  }
  return isFar
}

/** Whether Σ (c + aλ)² has fallen. */
function errorsFell(
  batch: Batch<LengthColumn>,
  { nodes, scratch: s }: Lines,
  x: Float64Array,
  base: number,
  at: number,
  count: number,
): boolean {
  const { rest, lower, upper, softness, lambda } = batch.columns
  let sum = 0
  for (let k = 0; k < count; k++) {
    const o = k << 4
    const row = base + k
    const p = nodes[at + k]
    const q = nodes[at + k + 1]
    const dx = x[p] - x[q]
    const dy = x[p + 1] - x[q + 1]
    const dz = x[p + 2] - x[q + 2]
    const c = Math.sqrt(dx * dx + dy * dy + dz * dz) - rest[row]
    const now = c + softness[row] * lambda[row]
    const then = s[o + DISTANCE] - rest[row] + softness[row] * s[o + BEFORE]
    if (!isAtRest(c, lambda[row], lower[row], upper[row])) sum += now * now
    if (!isAtRest(s[o + DISTANCE] - rest[row], s[o + BEFORE], lower[row], upper[row])) sum -= then * then
  }
  return sum <= 0
}

/** Δλ from what the way forth left in `step`, backwards; the forces that go with it. */
function solveBack({ scratch: s }: Lines, count: number): void {
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
function solveAgain(lines: Lines, x: Float64Array, base: number, at: number, count: number, isStiff: boolean): void {
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

/**
 * Active set of a line with ropes or struts: rows that would go beyond their bound are let go, rows that the others would
 * overstretch come in, and the line is solved again. What is beyond a bound at the end is cut to it.
 */
function holdBounds(
  batch: Batch<LengthColumn>,
  lines: Lines,
  x: Float64Array,
  base: number,
  at: number,
  count: number,
  isStiff: boolean,
): void {
  const { nodes, scratch: s } = lines
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
        const fromBefore =
          k > 0 ? s[o + NX] * s[o - RECORD + FX] + s[o + NY] * s[o - RECORD + FY] + s[o + NZ] * s[o - RECORD + FZ] : 0
        const fromBehind =
          s[o + NX] * s[o + RECORD + FX] + s[o + NY] * s[o + RECORD + FY] + s[o + NZ] * s[o + RECORD + FZ]
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
