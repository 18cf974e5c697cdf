/**
 * The row of a length between two anchors, c = ‖δp‖ − l [m] (Waterson 134), for types with these columns.
 *
 *   ∂c/∂x_a = n̂, ∂c/∂θ_a = r_a × n̂, and the negatives at p_b for b,  n̂ = δp/‖δp‖
 *
 * Where both anchors are at the centres of mass, as in cloth, nothing turns and a shorter loop runs.
 *
 * A row that is pressed through length 0 within a substep keeps the direction n̂₀ of its start, c = n̂₀·δp − l: ½ c²/α is convex along it,
 * so the step gains nothing. Turned about, the row would push on the way that its ends go already, and gain.
 */

import { type Batch, type BodyColumns, type Curvature, type Rows, RUNAWAY, rotate } from '@tautline/core/kernel'
import { isAtRest, type LengthMode, lowerForce, upperForce } from './length-mode.js'
import { isThrough, levers, LEVERS, TOO_SHORT } from './levers.js'
import { movedPair } from './linear.js'
import { IMMOVABLE } from './vector.js'

export type LengthColumn = 'rest' | 'lower' | 'upper' | 'anchorA' | 'anchorB'

/** Their strides. */
export const LENGTH_COLUMNS = { rest: 1, lower: 1, upper: 1, anchorA: 3, anchorB: 3 } as const

/** Variants: which loop runs. */
const CENTRES = 0
const ANCHORED = 1

/**
 * Whether the direct solution can take a row up. A rigid length of 0 has no direction: Newton's method goes to and fro between its two sides, and three rows
 * hold what one does not (`ballSocket`).
 */
export function hasDirection({ columns: { rest, compliance } }: Batch<LengthColumn>, row: number): boolean {
  return rest[row] > TOO_SHORT || compliance[row] > 0
}

const g = /* @__PURE__ */ new Float64Array(LEVERS)
/** A direction or a way, and an error. */
const m = /* @__PURE__ */ new Float64Array(4)

/** The variant for two anchors. */
export function lengthVariant(anchorA: ArrayLike<number>, anchorB: ArrayLike<number>): number {
  for (let k = 0; k < 3; k++) if (anchorA[k] !== 0 || anchorB[k] !== 0) return ANCHORED
  return CENTRES
}

/** Stores a row. */
export function writeLength(
  batch: Batch<LengthColumn>,
  row: number,
  length: number,
  mode: LengthMode,
  anchorA: ArrayLike<number>,
  anchorB: ArrayLike<number>,
): void {
  const { columns } = batch
  columns.rest[row] = length
  columns.lower[row] = lowerForce(mode)
  columns.upper[row] = upperForce(mode)
  columns.anchorA.set(anchorA, 3 * row)
  columns.anchorB.set(anchorB, 3 * row)
}

/** The row for `evaluate`. */
export function lengthRow(bodies: BodyColumns, batch: Batch<LengthColumn>, row: number, out: Rows): void {
  const { rest, lower, upper, anchorA, anchorB, compliance, rayleigh } = batch.columns
  levers(bodies, batch.ids[2 * row], batch.ids[2 * row + 1], anchorA, anchorB, row, g)
  const length = Math.sqrt(g[6] * g[6] + g[7] * g[7] + g[8] * g[8])
  if (length < TOO_SHORT) return
  for (let k = 0; k < 3; k++) m[k] = g[6 + k] / length
  const group = out.group('scalar', 'position', 'm')
  group.compliance = compliance[row]
  group.rayleigh = rayleigh[row]
  group.lower = lower[row]
  group.upper = upper[row]
  m[3] = length - rest[row]
  out.rowAt(0, m, 3)
  out.parts(g, m, 0)
}

/** Its geometric stiffness; the levers of the last `lengthRow`. */
export function lengthCurvature(batch: Batch<LengthColumn>, row: number, out: Curvature): void {
  if (g[6] * g[6] + g[7] * g[7] + g[8] * g[8] < TOO_SHORT * TOO_SHORT) return
  out.length(batch.columns.lambda, row, g)
}

/** The loop. */
export function sweepLength(bodies: BodyColumns, batch: Batch<LengthColumn>, from: number, to: number): void {
  if (batch.variant === CENTRES) sweepCentres(bodies, batch, from, to)
  else sweepAnchored(bodies, batch, from, to)
}

/** The loop between centres. */
export function sweepCentres(bodies: BodyColumns, batch: Batch<LengthColumn>, from: number, to: number): void {
  const { ids, damped } = batch
  const { rest, lower, upper, lambda, softness, gamma, relaxation } = batch.columns
  const x = bodies.position
  const start = bodies.startPosition
  for (let row = from; row < to; row++) {
    const p = 4 * ids[2 * row]
    const q = 4 * ids[2 * row + 1]
    let dx = x[p] - x[q]
    let dy = x[p + 1] - x[q + 1]
    let dz = x[p + 2] - x[q + 2]
    let length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (length < TOO_SHORT) continue
    let c = length - rest[row]
    if (c < 0) {
      const sx = start[p] - start[q]
      const sy = start[p + 1] - start[q + 1]
      const sz = start[p + 2] - start[q + 2]
      const along = dx * sx + dy * sy + dz * sz
      if (along < 0) {
        const before = Math.sqrt(sx * sx + sy * sy + sz * sz)
        if (before > TOO_SHORT) {
          length = before
          dx = sx
          dy = sy
          dz = sz
          c = along / before - rest[row]
        }
      }
    }
    const wp = x[p + 3]
    const wq = x[q + 3]
    const a = softness[row]
    const old = lambda[row]
    let error = c + a * old
    let w = wp + wq
    if (damped) {
      if (isAtRest(c, old, lower[row], upper[row])) continue
      const moved =
        (dx * (x[p] - start[p] - x[q] + start[q]) +
          dy * (x[p + 1] - start[p + 1] - x[q + 1] + start[q + 1]) +
          dz * (x[p + 2] - start[p + 2] - x[q + 2] + start[q + 2])) /
        length
      error += gamma[row] * moved
      w *= 1 + gamma[row]
    }
    if (w + a <= IMMOVABLE) continue
    let fresh = old - (relaxation[row] * error) / (w + a)
    if (fresh < lower[row]) fresh = 0
    if (fresh > upper[row]) fresh = 0
    lambda[row] = fresh
    const s = (fresh - old) / length
    if (!(Math.abs(fresh) < RUNAWAY)) continue
    if (wp !== 0) {
      x[p] += s * wp * dx
      x[p + 1] += s * wp * dy
      x[p + 2] += s * wp * dz
    }
    if (wq !== 0) {
      x[q] -= s * wq * dx
      x[q + 1] -= s * wq * dy
      x[q + 2] -= s * wq * dz
    }
  }
}

function sweepAnchored(bodies: BodyColumns, batch: Batch<LengthColumn>, from: number, to: number): void {
  const { ids } = batch
  const { rest, lower, upper, anchorA, anchorB, lambda, softness, gamma, relaxation } = batch.columns
  const { position: x, orientation: q, inverseInertia: I } = bodies
  for (let row = from; row < to; row++) {
    const a = ids[2 * row]
    const b = ids[2 * row + 1]
    const p = 4 * a
    const u = 4 * b
    const ax = q[p]
    const ay = q[p + 1]
    const az = q[p + 2]
    const aw = q[p + 3]
    const bx = q[u]
    const by = q[u + 1]
    const bz = q[u + 2]
    const bw = q[u + 3]
    const ox = anchorA[3 * row]
    const oy = anchorA[3 * row + 1]
    const oz = anchorA[3 * row + 2]
    const cx = anchorB[3 * row]
    const cy = anchorB[3 * row + 1]
    const cz = anchorB[3 * row + 2]
    const sx = 2 * (ay * oz - az * oy)
    const sy = 2 * (az * ox - ax * oz)
    const sz = 2 * (ax * oy - ay * ox)
    const rx = ox + aw * sx + (ay * sz - az * sy)
    const ry = oy + aw * sy + (az * sx - ax * sz)
    const rz = oz + aw * sz + (ax * sy - ay * sx)
    const tx = 2 * (by * cz - bz * cy)
    const ty = 2 * (bz * cx - bx * cz)
    const tz = 2 * (bx * cy - by * cx)
    const mx = cx + bw * tx + (by * tz - bz * ty)
    const my = cy + bw * ty + (bz * tx - bx * tz)
    const mz = cz + bw * tz + (bx * ty - by * tx)
    const dx = x[p] + rx - x[u] - mx
    const dy = x[p + 1] + ry - x[u + 1] - my
    const dz = x[p + 2] + rz - x[u + 2] - mz
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (length < TOO_SHORT) continue
    let nx = dx / length
    let ny = dy / length
    let nz = dz / length
    let c = length - rest[row]
    if (c < 0) {
      g[6] = dx
      g[7] = dy
      g[8] = dz
      if (isThrough(bodies, a, b, anchorA, anchorB, row, g, m)) {
        nx = m[0]
        ny = m[1]
        nz = m[2]
        c = m[3] - rest[row]
      }
    }
    const A0 = I[9 * a]
    const A1 = I[9 * a + 1]
    const A2 = I[9 * a + 2]
    const A3 = I[9 * a + 3]
    const A4 = I[9 * a + 4]
    const A5 = I[9 * a + 5]
    const A6 = I[9 * a + 6]
    const A7 = I[9 * a + 7]
    const A8 = I[9 * a + 8]
    const B0 = I[9 * b]
    const B1 = I[9 * b + 1]
    const B2 = I[9 * b + 2]
    const B3 = I[9 * b + 3]
    const B4 = I[9 * b + 4]
    const B5 = I[9 * b + 5]
    const B6 = I[9 * b + 6]
    const B7 = I[9 * b + 7]
    const B8 = I[9 * b + 8]
    const wa = x[p + 3]
    const wb = x[u + 3]
    const fx = ry * nz - rz * ny
    const fy = rz * nx - rx * nz
    const fz = rx * ny - ry * nx
    const hx = my * nz - mz * ny
    const hy = mz * nx - mx * nz
    const hz = mx * ny - my * nx
    const soft = softness[row]
    const old = lambda[row]
    if (isAtRest(c, old, lower[row], upper[row])) continue
    let error = c + soft * old
    let w =
      wa +
      wb +
      fx * (A0 * fx + A1 * fy + A2 * fz) +
      fy * (A3 * fx + A4 * fy + A5 * fz) +
      fz * (A6 * fx + A7 * fy + A8 * fz) +
      hx * (B0 * hx + B1 * hy + B2 * hz) +
      hy * (B3 * hx + B4 * hy + B5 * hz) +
      hz * (B6 * hx + B7 * hy + B8 * hz)
    if (gamma[row] > 0) {
      g[0] = rx
      g[1] = ry
      g[2] = rz
      g[3] = mx
      g[4] = my
      g[5] = mz
      movedPair(bodies, a, b, g, m)
      error += gamma[row] * (nx * m[0] + ny * m[1] + nz * m[2])
      w *= 1 + gamma[row]
    }
    if (w + soft <= IMMOVABLE) continue
    let fresh = old - (relaxation[row] * error) / (w + soft)
    if (fresh < lower[row]) fresh = 0
    if (fresh > upper[row]) fresh = 0
    lambda[row] = fresh
    const s = fresh - old
    if (s === 0 || !(Math.abs(s) < RUNAWAY)) continue
    if (wa !== 0) {
      x[p] += s * wa * nx
      x[p + 1] += s * wa * ny
      x[p + 2] += s * wa * nz
      rotate(
        q,
        p,
        s * (A0 * fx + A1 * fy + A2 * fz),
        s * (A3 * fx + A4 * fy + A5 * fz),
        s * (A6 * fx + A7 * fy + A8 * fz),
      )
    }
    if (wb === 0) continue
    x[u] -= s * wb * nx
    x[u + 1] -= s * wb * ny
    x[u + 2] -= s * wb * nz
    rotate(
      q,
      u,
      -s * (B0 * hx + B1 * hy + B2 * hz),
      -s * (B3 * hx + B4 * hy + B5 * hz),
      -s * (B6 * hx + B7 * hy + B8 * hz),
    )
  }
}
