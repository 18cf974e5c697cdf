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
import type { Lines } from './line-cover.js'
import { IMMOVABLE } from './vector.js'

/**
 * From this κ (w + w) on the turning of the tension is part of the system. Below, a line gets by without it; a cloth of 64×64
 * hung by two corners then has a third of its rows above at 4 substeps, a hundredth at 10.
 */
const STIFF = 0.5
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
/** Solves of one line until the bounds of its rows are met; what is left then is cut to its bound. */
const ROUNDS = 8
/** A one-sided row counts as met within this share of its length, lest round-off takes it in and out. */
const MET = 1e-9

/** How a row takes part: not at all, not yet, solved, let go for this visit. */
const ABSENT = 0
const WAITING = 1
const SOLVED = 2
const LET_GO = 3

/** Keeps λ of the last substep for the turning of the tension, and starts from none. */
export function prepareLines(batch: Batch<LengthColumn>, from: number, to: number): void {
  const { reference } = batch.plan as Lines
  const { lambda } = batch.columns
  for (let row = from; row < to; row++) {
    reference[row] = lambda[row]
    lambda[row] = 0
  }
}

/** Solves the lines that begin in rows `from` to `to`. */
export function sweepLines(bodies: BodyColumns, batch: Batch<LengthColumn>, from: number, to: number): void {
  const lines = batch.plan as Lines
  const { first, nodes, reference, scratch, part } = lines
  const { damped } = batch
  const { rest, lower, upper, lambda, softness, gamma, relaxation } = batch.columns
  const { nx, ny, nz, distance, error, soft, kappa, before, factor, step, x0, y0, z0 } = scratch
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
    let ax = 0
    let ay = 0
    let az = 0
    let inverse = 0
    let y = 0
    let stiffest = 0
    let isBounded = false
    let held = wp === 0 ? 1 : 0
    for (let k = 0; k < count; k++) {
      const row = base + k
      const q = nodes[at + k + 1]
      const qx = x[q]
      const qy = x[q + 1]
      const qz = x[q + 2]
      const wq = x[q + 3]
      const dx = px - qx
      const dy = py - qy
      const dz = pz - qz
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
      const old = lambda[row]
      const c = length - rest[row]
      const w = wp + wq
      let a = softness[row]
      let e = c + a * old
      let taking = length < TOO_SHORT || w + a <= IMMOVABLE ? ABSENT : SOLVED
      const isOneSided = upper[row] === 0 || lower[row] === 0
      if (isOneSided) {
        isBounded = true
        const free = upper[row] === 0 ? -c : c
        const wasFree = damped || reference[row] === 0
        if (taking === SOLVED && old === 0 && wasFree && free >= (damped ? 0 : MET * rest[row])) taking = WAITING
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
      x0[k] = px
      y0[k] = py
      z0[k] = pz
      before[k] = old
      distance[k] = length
      part[k] = taking
      soft[k] = a
      error[k] = e
      p = q
      px = qx
      py = qy
      pz = qz
      const wAt = wp
      wp = wq
      if (wq === 0) held++
      const scale = length < TOO_SHORT ? 0 : 1 / length
      const mx = dx * scale
      const my = dy * scale
      const mz = dz * scale
      nx[k] = mx
      ny[k] = my
      nz[k] = mz
      const tension = -reference[row]
      kappa[k] = tension > 0 ? tension * scale : 0
      if (taking !== SOLVED) {
        factor[k] = step[k] = inverse = y = 0
        continue
      }
      if (kappa[k] * w > stiffest) stiffest = kappa[k] * w
      const beside = -wAt * (mx * ax + my * ay + mz * az)
      const l = beside * inverse
      const pivot = w + a - l * beside
      const least = LEAST_PIVOT * w
      inverse = 1 / (pivot > least ? pivot : least)
      y = -e - l * y
      factor[k] = l
      step[k] = y * inverse
      ax = mx
      ay = my
      az = mz
    }
    x0[count] = px
    y0[count] = py
    z0[count] = pz

    const isStiff = stiffest > STIFF
    if (isStiff) solveStiff(lines, x, at, count)
    else solveBack(lines, count)
    if (isBounded) holdBounds(batch, lines, x, base, at, count, isStiff)
    let turn = displace(lines, x, at, count)
    const isShort = turn <= MOST_TURN * MOST_TURN
    // Most lines are free and short of the limit: they need no second look.
    if (!isShort || held > 1) {
      const isBetter = errorsFell(batch, lines, x, base, at, count)
      if (held > 1 ? !isShort || !isBetter : !isBetter) {
        putBack(lines, x, at, count)
        for (let k = 0; k < count; k++) soft[k] += YIELDING * (x[nodes[at + k] + 3] + x[nodes[at + k + 1] + 3])
        solveAgain(lines, x, at, count, isStiff)
        if (isBounded) holdBounds(batch, lines, x, base, at, count, isStiff)
        turn = displace(lines, x, at, count)
      }
    }
    if (turn < Infinity) for (let k = 0; k < count; k++) lambda[base + k] = before[k] + step[k]
    else {
      // A body that ran away would take the whole line with it.
      putBack(lines, x, at, count)
      sweepCentres(bodies, batch, base, base + count)
    }
  }
}

/** The bodies of a line where they were before the visit. */
function putBack({ nodes, scratch }: Lines, x: Float64Array, at: number, count: number): void {
  const { x0, y0, z0 } = scratch
  for (let k = 0; k <= count; k++) {
    const q = nodes[at + k]
    x[q] = x0[k]
    x[q + 1] = y0[k]
    x[q + 2] = z0[k]
  }
}

/** dX = w (F_k − F_{k−1}); returns the square of the largest turn of a row [rad²]. */
function displace({ nodes, scratch, part }: Lines, x: Float64Array, at: number, count: number): number {
  const { nx, ny, nz, distance, fx, fy, fz } = scratch
  let tx = 0
  let ty = 0
  let tz = 0
  let ex = 0
  let ey = 0
  let ez = 0
  let farthest = 0
  for (let k = 0; k <= count; k++) {
    const q = nodes[at + k]
    const w = x[q + 3]
    const ux = fx[k]
    const uy = fy[k]
    const uz = fz[k]
    const sx = w * (ux - tx)
    const sy = w * (uy - ty)
    const sz = w * (uz - tz)
    x[q] += sx
    x[q + 1] += sy
    x[q + 2] += sz
    if (k > 0) {
      const rx = ex - sx
      const ry = ey - sy
      const rz = ez - sz
      const along = rx * nx[k - 1] + ry * ny[k - 1] + rz * nz[k - 1]
      const d = distance[k - 1]
      const turn = (rx * rx + ry * ry + rz * rz - along * along) / (d * d)
      // Not a number counts as too far.
      if (!(turn <= farthest) && part[k - 1] === SOLVED) farthest = turn
    }
    ex = sx
    ey = sy
    ez = sz
    tx = ux
    ty = uy
    tz = uz
  }
  return farthest
}

/** Whether Σ (c + aλ)² has fallen. */
function errorsFell(
  batch: Batch<LengthColumn>,
  { nodes, scratch }: Lines,
  x: Float64Array,
  base: number,
  at: number,
  count: number,
): boolean {
  const { distance, before, step } = scratch
  const { rest, lower, upper, softness } = batch.columns
  let sum = 0
  for (let k = 0; k < count; k++) {
    const row = base + k
    const p = nodes[at + k]
    const q = nodes[at + k + 1]
    const dx = x[p] - x[q]
    const dy = x[p + 1] - x[q + 1]
    const dz = x[p + 2] - x[q + 2]
    const c = Math.sqrt(dx * dx + dy * dy + dz * dz) - rest[row]
    const l = before[k] + step[k]
    const now = c + softness[row] * l
    const then = distance[k] - rest[row] + softness[row] * before[k]
    if (!isAtRest(c, l, lower[row], upper[row])) sum += now * now
    if (!isAtRest(distance[k] - rest[row], before[k], lower[row], upper[row])) sum -= then * then
  }
  return sum <= 0
}

/** Δλ from what the way forth left in `step`, backwards; the forces that go with it. */
function solveBack({ scratch, part }: Lines, count: number): void {
  const { nx, ny, nz, factor, step, fx, fy, fz } = scratch
  let next = 0
  fx[count] = fy[count] = fz[count] = 0
  for (let k = count - 1; k >= 0; k--) {
    if (part[k] !== SOLVED) next = step[k] = 0
    else next = step[k] -= k + 1 < count ? factor[k + 1] * next : 0
    fx[k] = next * nx[k]
    fy[k] = next * ny[k]
    fz[k] = next * nz[k]
  }
}

/** Both ways once more, when rows have come in or gone, or give way. */
function solveAgain(lines: Lines, x: Float64Array, at: number, count: number, isStiff: boolean): void {
  if (isStiff) solveStiff(lines, x, at, count)
  else {
    solveForth(lines, x, at, count)
    solveBack(lines, count)
  }
}

/** The way forth by itself. */
function solveForth({ nodes, scratch, part }: Lines, x: Float64Array, at: number, count: number): void {
  const { nx, ny, nz, error, soft, factor, step } = scratch
  let inverse = 0
  let y = 0
  for (let k = 0; k < count; k++) {
    if (part[k] !== SOLVED) {
      factor[k] = step[k] = inverse = y = 0
      continue
    }
    const wp = x[nodes[at + k] + 3]
    const beside = k === 0 ? 0 : -wp * (nx[k] * nx[k - 1] + ny[k] * ny[k - 1] + nz[k] * nz[k - 1])
    const l = beside * inverse
    const w = wp + x[nodes[at + k + 1] + 3]
    const pivot = w + soft[k] - l * beside
    const least = LEAST_PIVOT * w
    inverse = 1 / (pivot > least ? pivot : least)
    y = -error[k] - l * y
    factor[k] = l
    step[k] = y * inverse
  }
}

/** Both ways with the turning of the tension. */
function solveStiff({ nodes, scratch, part }: Lines, x: Float64Array, at: number, count: number): void {
  const { nx, ny, nz, error, soft, kappa, step, fx, fy, fz } = scratch
  const { q00, q01, q02, q11, q12, q22, sx, sy, sz } = scratch
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
    const w = x[nodes[at + k + 1] + 3]
    if (part[k] !== SOLVED) {
      w00 = w11 = w22 = wp = w
      w01 = w02 = w12 = ux = uy = uz = 0
      continue
    }
    const mx = nx[k]
    const my = ny[k]
    const mz = nz[k]
    // Between bodies that do not move nothing may give way at all.
    const a = w > 0 ? soft[k] : soft[k] + LEAST_PIVOT * wp
    const tx = ux + mx * error[k]
    const ty = uy + my * error[k]
    const tz = uz + mz * error[k]
    let c00: number
    let c01: number
    let c02: number
    let c11: number
    let c12: number
    let c22: number
    if (kappa[k] * (wp + w) > STIFF) {
      const s = 1 / kappa[k]
      const g = a - s
      const b00 = w00 + w + s + g * mx * mx
      const b01 = w01 + g * mx * my
      const b02 = w02 + g * mx * mz
      const b11 = w11 + w + s + g * my * my
      const b12 = w12 + g * my * mz
      const b22 = w22 + w + s + g * mz * mz
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
    q00[k] = c00
    q01[k] = c01
    q02[k] = c02
    q11[k] = c11
    q12[k] = c12
    q22[k] = c22
    sx[k] = tx
    sy[k] = ty
    sz[k] = tz
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
  let gx = 0
  let gy = 0
  let gz = 0
  fx[count] = fy[count] = fz[count] = 0
  for (let k = count - 1; k >= 0; k--) {
    if (part[k] !== SOLVED) gx = gy = gz = 0
    else {
      const w = x[nodes[at + k + 1] + 3]
      const tx = w * gx - sx[k]
      const ty = w * gy - sy[k]
      const tz = w * gz - sz[k]
      gx = q00[k] * tx + q01[k] * ty + q02[k] * tz
      gy = q01[k] * tx + q11[k] * ty + q12[k] * tz
      gz = q02[k] * tx + q12[k] * ty + q22[k] * tz
    }
    fx[k] = gx
    fy[k] = gy
    fz[k] = gz
    step[k] = gx * nx[k] + gy * ny[k] + gz * nz[k]
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
  const { nodes, scratch, part } = lines
  const { nx, ny, nz, distance, before, step, fx, fy, fz } = scratch
  const { rest, lower, upper } = batch.columns
  for (let round = 1; round < ROUNDS; round++) {
    let changed = false
    for (let k = 0; k < count; k++) {
      if (part[k] !== SOLVED || before[k] !== 0) continue
      if (step[k] <= upper[base + k] && step[k] >= lower[base + k]) continue
      part[k] = LET_GO
      changed = true
    }
    // Rows come in only once none has to go.
    if (!changed) {
      for (let k = 0; k < count; k++) {
        if (part[k] !== WAITING) continue
        const row = base + k
        const wp = x[nodes[at + k] + 3]
        const wq = x[nodes[at + k + 1] + 3]
        // F is 0 in the row itself.
        const fromBefore = k > 0 ? nx[k] * fx[k - 1] + ny[k] * fy[k - 1] + nz[k] * fz[k - 1] : 0
        const fromBehind = nx[k] * fx[k + 1] + ny[k] * fy[k + 1] + nz[k] * fz[k + 1]
        const c = distance[k] - rest[row] - wp * fromBefore - wq * fromBehind
        if ((upper[row] === 0 ? -c : c) >= -MET * rest[row]) continue
        part[k] = SOLVED
        changed = true
      }
    }
    if (!changed) break
    solveAgain(lines, x, at, count, isStiff)
  }
  for (let k = 0; k < count; k++) {
    const row = base + k
    if (part[k] !== SOLVED) continue
    const fresh = before[k] + step[k]
    if (fresh <= upper[row] && fresh >= lower[row]) continue
    const cut = -before[k] - step[k]
    step[k] = -before[k]
    fx[k] += cut * nx[k]
    fy[k] += cut * ny[k]
    fz[k] += cut * nz[k]
  }
}
