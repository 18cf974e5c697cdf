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
 * where Q = n nᵀ/(nᵀ W n + a + w) for links without κ, which is the tridiagonal system again. Rings are solved in this way too (line-loop.ts).
 */

import type { Batch, BodyColumns } from '@tautline/core/kernel'
import { isAtRest } from './length-mode.js'
import { type LengthColumn, sweepCentres } from './length-row.js'
import { displaceBacked, easeErrors, isBacked, undoBacking } from './line-backed.js'
import { holdBacking } from './line-backing.js'
import { type Lines, RECORD } from './line-cover.js'
import {
  ABSENT,
  BEFORE,
  DISTANCE,
  ERROR,
  FACTOR,
  FX,
  FY,
  FZ,
  LEAST_PIVOT,
  MET,
  NX,
  NY,
  NZ,
  PART,
  SOFT,
  SOLVED,
  STEP,
  STIFF,
  W,
  WAITING,
  X0,
  Y0,
  Z0,
} from './line-record.js'
import { holdBounds, solveAgain, solveBack } from './line-solve.js'
import { solveStiff } from './line-stiff.js'
import { IMMOVABLE } from './vector.js'
import { TOO_SHORT } from './levers.js'

/**
 * Largest turn of a row in one pass [rad] for which the directions pass for those that the solution was made with. Beyond,
 * errors must have fallen. A line held at two places must keep to both: pulled longer than it is, it would thrash.
 */
const MOST_TURN = 1
/** Share of w that every row gives way by when that is not so: some thirty rows then share what they cannot meet. */
const YIELDING = 0.01

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

    lines.closes = lines.isLoop[line] === 1
    if (lines.closes) {
      isStiff = true
      // It holds its own ends.
      held = 2
    }
    lines.backing = isBacked(bodies.backing, nodes, at, count) ? bodies.backing : undefined
    if (lines.backing !== undefined) {
      isStiff = true
      easeErrors(bodies, batch, lines, base, at, count)
    }
    if (isStiff || isBounded) {
      if (isStiff) solveStiff(lines, x, base, at, count)
      else solveBack(lines, count)
      if (isBounded) holdBounds(batch, lines, x, base, at, count, isStiff)
      if (lines.backing !== undefined) holdBacking(batch, lines, lines.backing, x, base, at, count)
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
  if (lines.backing !== undefined) holdBacking(batch, lines, lines.backing, x, base, at, count)
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

/** The bodies of a line where they were before the pass. */
function putBack({ nodes, scratch: s, backing }: Lines, x: Float64Array, at: number, count: number): void {
  if (backing !== undefined) undoBacking(backing, nodes, at, count)
  for (let k = 0; k <= count; k++) {
    const o = k << 4
    const q = nodes[at + k]
    x[q] = s[o + X0]
    x[q + 1] = s[o + Y0]
    x[q + 2] = s[o + Z0]
  }
}

/** What a force moves a body by, times its mass. */
const WAY = /* @__PURE__ */ new Float64Array(3)

/** λ and dX = w (F_k − F_{k−1}); whether some row turns too far. */
function displace(
  { nodes, scratch: s, backing, closes }: Lines,
  lambda: Float64Array,
  x: Float64Array,
  base: number,
  at: number,
  count: number,
): boolean {
  const last = (count - 1) << 4
  let tx = closes ? s[last + FX] : 0
  let ty = closes ? s[last + FY] : 0
  let tz = closes ? s[last + FZ] : 0
  // How far the first body goes: it is the last of a ring.
  let x0 = 0
  let y0 = 0
  let z0 = 0
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
    WAY[0] = ux - tx
    WAY[1] = uy - ty
    WAY[2] = uz - tz
    const isFirst = closes && k === count
    if (backing !== undefined && !isFirst) displaceBacked(backing, q >> 2, WAY)
    const sx = isFirst ? x0 : w * WAY[0]
    const sy = isFirst ? y0 : w * WAY[1]
    const sz = isFirst ? z0 : w * WAY[2]
    if (k === 0) {
      x0 = sx
      y0 = sy
      z0 = sz
    }
    // What does not move is never written: 0 times what is not a number is none.
    if (w !== 0 && !isFirst) {
      x[q] += sx
      x[q + 1] += sy
      x[q + 2] += sz
    }
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
