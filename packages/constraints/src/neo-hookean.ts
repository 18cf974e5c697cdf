/**
 * A tetrahedron of stable Neo-Hookean material: Macklin and Müller, "A Constraint-based Formulation of Stable Neo-Hookean Materials" (2021).
 *
 *   F = D B, D the edges d_k = x_k − x_0 as columns, B the inverse of those at rest;  I = tr FᵀF, J = det F
 *   Ψ = ½ μ (I − 3) + ½ λ' (J − 1 − μ/λ')² [Pa], their (10) and (13), λ' = λ + μ; μ = E/2(1 + ν), λ = E ν/(1 + ν)(1 − 2ν)
 *
 * The same energy, but for a constant, in two rows that are both 0 at rest:
 *
 *   deviatoric    c = √(I + J² − 4J), compliance 1/(μ V);   ∂c/∂x_k = (F b_k + (J − 2) j_k)/c
 *   hydrostatic   c = J − 1, compliance 1/(λ V);            ∂c/∂x_k = j_k
 *   b_k row k of B, j_k = det B (d_l × d_m), V the volume at rest; of x_0 minus the sum
 *
 * Departures: their rows √I and J − 1 − μ/λ' pull against each other at rest with forces of the order of μ V/ℓ, and it takes both, met exactly,
 * for a body to rest. I + J² − 4J is a sum of four squares less four times their product, so it is never below 0, and 0 where all
 * principal stretches are 1. Near rest it is 2 tr ε², and written as 2 (J − 1)² − II(E) − III(E), E = FᵀF − 1, which does not cancel.
 * It is 0 again where an element is a point, and would hold it there: below J = 0.2 it goes over to the distance from the nearest rotation. What was turned inside
 * out comes back through the flat state.
 * Far from rest one solve along the gradient leaves most of the error, as J is of third order: a row is solved again until it is near, and moves nothing
 * farther in a solve than half the longest edge, now or at rest, within which the gradient tells something.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import {
  type BodyColumns,
  finite,
  finiteVector,
  nonNegative,
  positive,
  type ResolvedDef,
  RUNAWAY,
} from '@tautline/core/kernel'
import { centreGradient } from './parts/centres.js'
import { refuseSoftness } from './parts/definition.js'
import { fitRotation } from './parts/rotation-fit.js'
import { determinant, longestSquared, presentEdges } from './parts/tetra-edges.js'
import { IMMOVABLE } from './parts/vector.js'
import { keepsAll } from './parts/momenta.js'

/** Four bodies, at their centres. Positive where, seen from body 0, the face 1 2 3 runs clockwise: that is how it lies at rest. */
export interface NeoHookeanDef extends ManyDef {
  /** Young's modulus E [Pa]. */
  youngsModulus: number
  /** Poisson's ratio ν, 0 to 0.499: the nearer to a half, the better it keeps its volume. @defaultValue 0.4 */
  poissonRatio?: number
  /** Time in which half of a motion is lost that no inertia keeps up, about [s]. @defaultValue 0 */
  damping?: number
  /** Edges from body 0 to 1, 2 and 3 at rest, x, y, z each [m]. @defaultValue those of the present pose */
  edges?: readonly number[]
}

type Column = 'inverse' | 'shape' | 'beta' | 'size'

/** Volumes below this share of the longest edge cubed are flat: coordinates a thousand edges from the origin still tell. */
const FLAT = 1e-12
/** Strain below which the deviatoric row is at rest: its gradient is round-off. */
const UNSTRAINED = 1e-9
/** c² below which it is written by E. */
const NEAR = 1e-2

/** Poisson's ratio of rubber; at a half the row would be rigid, and what it is off would hold any energy. */
const MOST_RATIO = 0.499
/** Error beyond which a row is solved again, and how often at most. */
const FAR = 0.5
const TURNS = 4
/** Share of the longest edge that a solve may move a body by. */
const REACH = 0.5

/** J below which an element is pressed flat. */
const CRUSHED = 0.2

/** F, the rotation nearest to it, and half the derivative of c² by F, row by row. */
const F = /* @__PURE__ */ new Float64Array(9)
const R = /* @__PURE__ */ new Float64Array(9)
const P = /* @__PURE__ */ new Float64Array(9)
/** Gradients of the two rows, three numbers a body. */
const gd = /* @__PURE__ */ new Float64Array(12)
const gh = /* @__PURE__ */ new Float64Array(12)

/**
 * What goes from one function to another, in memory, as numbers handed on would be boxed: a, γ, ξ, the longest edge at rest and now, squared [m²], the error in
 * hand, J, and the square of the deviatoric error.
 */
const STEP = /* @__PURE__ */ new Float64Array(8)
const SOFTNESS = 0
const GAMMA = 1
const XI = 2
const SIZE = 3
const LONGEST = 4
const ERROR = 5
const JACOBIAN = 6
const SQUARED = 7

type ResolvedNeoHookean = ResolvedDef<NeoHookeanDef, 'edges' | 'poissonRatio' | 'damping'>

/** Elastic material in a tetrahedron: `world.add(neoHookean, { bodies: [a, b, c, d], youngsModulus: 1e4 })`. */
export const neoHookean: ConstraintType<NeoHookeanDef, Column, ResolvedNeoHookean> = {
  name: 'neoHookean',
  order: 2,
  arity: 4,
  multipliers: 2,
  isCurved: true,
  ownsSoftness: true,
  fields: ['bodies', 'youngsModulus', 'poissonRatio', 'damping', 'edges'],
  columns: { inverse: 9, shape: 2, beta: 1, size: 1 },

  resolve(def, { bodies }) {
    refuseSoftness('neoHookean', def, ['stiffness'])
    const poissonRatio = finite('neoHookean: poissonRatio', def.poissonRatio ?? 0.4)
    if (poissonRatio < 0 || poissonRatio > MOST_RATIO) {
      throw new RangeError(`neoHookean: poissonRatio must be within [0, ${MOST_RATIO}], got ${poissonRatio}`)
    }
    const given = def.edges === undefined ? undefined : finiteVector('neoHookean: edges', def.edges, 9)
    const edges = given === undefined ? presentEdges(bodies, def) : Array.from(given)
    const six = determinant(edges)
    const longest = longestSquared(edges)
    if (!(Math.abs(six) > FLAT * longest * Math.sqrt(longest))) {
      throw new RangeError(`neoHookean: edges must not lie in a plane, got a volume of ${six / 6}`)
    }
    return {
      ...def,
      youngsModulus: positive('neoHookean: youngsModulus', def.youngsModulus),
      poissonRatio,
      damping: nonNegative('neoHookean: damping', def.damping ?? 0),
      edges,
    }
  },

  write({ columns }, row, { edges, youngsModulus, poissonRatio: ratio, damping }) {
    const [a, b, c, d, e, f, g, h, i] = edges
    const six = determinant(edges)
    // Rows of the inverse of the matrix whose columns are the edges.
    const rows = [
      e * i - f * h, f * g - d * i, d * h - e * g,
      c * h - b * i, a * i - c * g, b * g - a * h,
      b * f - c * e, c * d - a * f, a * e - b * d,
    ] // prettier-ignore
    for (let k = 0; k < 9; k++) columns.inverse[9 * row + k] = rows[k] / six
    const volume = Math.abs(six) / 6
    columns.shape[2 * row] = (2 * (1 + ratio)) / (youngsModulus * volume)
    columns.shape[2 * row + 1] = ((1 + ratio) * (1 - 2 * ratio)) / (youngsModulus * ratio * volume)
    columns.beta[row] = damping
    columns.size[row] = longestSquared(edges)
  },

  evaluate(bodies, batch, row, out) {
    const { inverse, shape, beta } = batch.columns
    const { ids } = batch
    for (let k = 0; k < 2; k++) {
      if (shape[2 * row + k] === Infinity) continue
      if (k === 0) changeShape(bodies, ids, 4 * row, inverse, 9 * row)
      else changeVolume(bodies, ids, 4 * row, inverse, 9 * row)
      const group = out.group('scalar', 'position', '1')
      group.compliance = shape[2 * row + k]
      group.rayleigh = beta[row]
      out.rowAt(k, STEP, ERROR)
      centreGradient(out, 4, k === 0 ? gd : gh)
    }
  },

  keepsMomenta: keepsAll,
  outline({ position }, { ids }, row, out) {
    for (let k = 1; k < 4; k++) {
      for (let n = 0; n < k; n++) out.link(position, 4 * ids[4 * row + n], 4 * ids[4 * row + k])
    }
  },

  sweep(bodies, batch, from, to, h) {
    const { ids } = batch
    const { inverse, shape, beta, size, lambda, regularization, relaxation } = batch.columns
    for (let row = from; row < to; row++) {
      STEP[GAMMA] = beta[row] / h
      STEP[XI] = relaxation[row]
      STEP[SIZE] = size[row]
      for (let k = 0; k < 2; k++) {
        if (shape[2 * row + k] === Infinity) continue
        STEP[SOFTNESS] = shape[2 * row + k] / (h * h) + regularization[row]
        for (let turn = 0; turn < TURNS; turn++) {
          if (k === 0) changeShape(bodies, ids, 4 * row, inverse, 9 * row)
          else changeVolume(bodies, ids, 4 * row, inverse, 9 * row)
          solveRow(bodies, ids, 4 * row, k === 0 ? gd : gh, lambda, 2 * row + k)
          if (Math.abs(STEP[ERROR]) < FAR) break
        }
      }
    }
  },
}

/** J − 1 into `STEP`, its gradient into `gh`, and the longest edge. `o` and `n` are the places of the row in `ids` and of B in `inverse`. */
function changeVolume(bodies: BodyColumns, ids: Int32Array, o: number, inverse: Float64Array, n: number): void {
  const x = bodies.position
  const p = 4 * ids[o]
  const q = 4 * ids[o + 1]
  const r = 4 * ids[o + 2]
  const s = 4 * ids[o + 3]
  const ax = x[q] - x[p]
  const ay = x[q + 1] - x[p + 1]
  const az = x[q + 2] - x[p + 2]
  const bx = x[r] - x[p]
  const by = x[r + 1] - x[p + 1]
  const bz = x[r + 2] - x[p + 2]
  const cx = x[s] - x[p]
  const cy = x[s + 1] - x[p + 1]
  const cz = x[s + 2] - x[p + 2]
  const B4 = inverse[n + 4]
  const B5 = inverse[n + 5]
  const B7 = inverse[n + 7]
  const B8 = inverse[n + 8]
  const scale =
    inverse[n] * (B4 * B8 - B5 * B7) +
    inverse[n + 1] * (B5 * inverse[n + 6] - inverse[n + 3] * B8) +
    inverse[n + 2] * (inverse[n + 3] * B7 - B4 * inverse[n + 6])
  const j1x = scale * (by * cz - bz * cy)
  const j1y = scale * (bz * cx - bx * cz)
  const j1z = scale * (bx * cy - by * cx)
  const j2x = scale * (cy * az - cz * ay)
  const j2y = scale * (cz * ax - cx * az)
  const j2z = scale * (cx * ay - cy * ax)
  const j3x = scale * (ay * bz - az * by)
  const j3y = scale * (az * bx - ax * bz)
  const j3z = scale * (ax * by - ay * bx)
  gh[0] = -(j1x + j2x + j3x)
  gh[1] = -(j1y + j2y + j3y)
  gh[2] = -(j1z + j2z + j3z)
  gh[3] = j1x
  gh[4] = j1y
  gh[5] = j1z
  gh[6] = j2x
  gh[7] = j2y
  gh[8] = j2z
  gh[9] = j3x
  gh[10] = j3y
  gh[11] = j3z
  STEP[LONGEST] = Math.max(ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz, cx * cx + cy * cy + cz * cz)
  STEP[ERROR] = ax * j1x + ay * j1y + az * j1z - 1
}

/** The deviatoric error into `STEP`, its gradient into `gd`, and the longest edge. `o` and `n` are the places of the row in `ids` and of B in `inverse`. */
function changeShape(bodies: BodyColumns, ids: Int32Array, o: number, inverse: Float64Array, n: number): void {
  const x = bodies.position
  const p = 4 * ids[o]
  const q = 4 * ids[o + 1]
  const r = 4 * ids[o + 2]
  const s = 4 * ids[o + 3]
  const ax = x[q] - x[p]
  const ay = x[q + 1] - x[p + 1]
  const az = x[q + 2] - x[p + 2]
  const bx = x[r] - x[p]
  const by = x[r + 1] - x[p + 1]
  const bz = x[r + 2] - x[p + 2]
  const cx = x[s] - x[p]
  const cy = x[s + 1] - x[p + 1]
  const cz = x[s + 2] - x[p + 2]
  const B0 = inverse[n]
  const B1 = inverse[n + 1]
  const B2 = inverse[n + 2]
  const B3 = inverse[n + 3]
  const B4 = inverse[n + 4]
  const B5 = inverse[n + 5]
  const B6 = inverse[n + 6]
  const B7 = inverse[n + 7]
  const B8 = inverse[n + 8]
  const F0 = ax * B0 + bx * B3 + cx * B6
  const F1 = ax * B1 + bx * B4 + cx * B7
  const F2 = ax * B2 + bx * B5 + cx * B8
  const F3 = ay * B0 + by * B3 + cy * B6
  const F4 = ay * B1 + by * B4 + cy * B7
  const F5 = ay * B2 + by * B5 + cy * B8
  const F6 = az * B0 + bz * B3 + cz * B6
  const F7 = az * B1 + bz * B4 + cz * B7
  const F8 = az * B2 + bz * B5 + cz * B8
  const C0 = F4 * F8 - F5 * F7
  const C1 = F5 * F6 - F3 * F8
  const C2 = F3 * F7 - F4 * F6
  const J = F0 * C0 + F1 * C1 + F2 * C2
  STEP[LONGEST] = Math.max(ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz, cx * cx + cy * cy + cz * cz)
  F[0] = F0
  F[1] = F1
  F[2] = F2
  F[3] = F3
  F[4] = F4
  F[5] = F5
  F[6] = F6
  F[7] = F7
  F[8] = F8
  const I = F0 * F0 + F1 * F1 + F2 * F2 + F3 * F3 + F4 * F4 + F5 * F5 + F6 * F6 + F7 * F7 + F8 * F8
  STEP[JACOBIAN] = J
  STEP[SQUARED] = I + J * J - 4 * J
  if (STEP[SQUARED] < NEAR && J > 0.5) nearRest()
  P[0] = F0 + (J - 2) * C0
  P[1] = F1 + (J - 2) * C1
  P[2] = F2 + (J - 2) * C2
  P[3] = F3 + (J - 2) * (F2 * F7 - F1 * F8)
  P[4] = F4 + (J - 2) * (F0 * F8 - F2 * F6)
  P[5] = F5 + (J - 2) * (F1 * F6 - F0 * F7)
  P[6] = F6 + (J - 2) * (F1 * F5 - F2 * F4)
  P[7] = F7 + (J - 2) * (F2 * F3 - F0 * F5)
  P[8] = F8 + (J - 2) * (F0 * F4 - F1 * F3)
  if (J < CRUSHED) crush()
  const c = STEP[SQUARED] > 0 ? Math.sqrt(STEP[SQUARED]) : 0
  STEP[ERROR] = c
  const t = c > UNSTRAINED ? 1 / c : 0
  for (let k = 0; k < 9; k += 3) {
    const u = t * inverse[n + k]
    const v = t * inverse[n + k + 1]
    const w = t * inverse[n + k + 2]
    gd[k + 3] = u * P[0] + v * P[1] + w * P[2]
    gd[k + 4] = u * P[3] + v * P[4] + w * P[5]
    gd[k + 5] = u * P[6] + v * P[7] + w * P[8]
  }
  gd[0] = -(gd[3] + gd[6] + gd[9])
  gd[1] = -(gd[4] + gd[7] + gd[10])
  gd[2] = -(gd[5] + gd[8] + gd[11])
}

/**
 * The deviatoric row of an element that is pressed flat or turned inside out, with its P: from J = 0.2 to 0 it goes over to 2 ‖F − R‖² where that is more,
 * R the rotation nearest to F. It has no rest but the one at F = R, so that what was crushed to a line or a point comes back too.
 */
function crush(): void {
  const J = STEP[JACOBIAN]
  const squared = STEP[SQUARED]
  fitRotation(F, R)
  let away = 0
  for (let k = 0; k < 9; k++) away += 2 * (F[k] - R[k]) * (F[k] - R[k])
  const more = away - squared
  if (!(more > 0)) return
  // φ = 3 s² − 2 s³ of s = 1 − J/0.2.
  const s = J > 0 ? 1 - J / CRUSHED : 1
  const share = s * s * (3 - 2 * s)
  const slope = J > 0 ? (-6 * s * (1 - s)) / CRUSHED : 0
  const along = 0.5 * slope * more
  for (let k = 0; k < 9; k++) P[k] += share * (2 * (F[k] - R[k]) - P[k])
  P[0] += along * (F[4] * F[8] - F[5] * F[7])
  P[1] += along * (F[5] * F[6] - F[3] * F[8])
  P[2] += along * (F[3] * F[7] - F[4] * F[6])
  P[3] += along * (F[2] * F[7] - F[1] * F[8])
  P[4] += along * (F[0] * F[8] - F[2] * F[6])
  P[5] += along * (F[1] * F[6] - F[0] * F[7])
  P[6] += along * (F[1] * F[5] - F[2] * F[4])
  P[7] += along * (F[2] * F[3] - F[0] * F[5])
  P[8] += along * (F[0] * F[4] - F[1] * F[3])
  STEP[SQUARED] = squared + share * more
}

/** I + J² − 4J by E = FᵀF − 1. */
function nearRest(): void {
  const J = STEP[JACOBIAN]
  const xx = F[0] * F[0] + F[3] * F[3] + F[6] * F[6] - 1
  const yy = F[1] * F[1] + F[4] * F[4] + F[7] * F[7] - 1
  const zz = F[2] * F[2] + F[5] * F[5] + F[8] * F[8] - 1
  const xy = F[0] * F[1] + F[3] * F[4] + F[6] * F[7]
  const xz = F[0] * F[2] + F[3] * F[5] + F[6] * F[8]
  const yz = F[1] * F[2] + F[4] * F[5] + F[7] * F[8]
  const second = xx * yy - xy * xy + xx * zz - xz * xz + yy * zz - yz * yz
  const third = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
  STEP[SQUARED] = 2 * (J - 1) * (J - 1) - second - third
}

/** One update of a row with gradient `g`. `o` and `l` are its places in `ids` and `lambda`. */
function solveRow(
  bodies: BodyColumns,
  ids: Int32Array,
  o: number,
  g: Float64Array,
  lambda: Float64Array,
  l: number,
): void {
  const x = bodies.position
  const a = STEP[SOFTNESS]
  const gamma = STEP[GAMMA]
  const p = 4 * ids[o]
  const q = 4 * ids[o + 1]
  const r = 4 * ids[o + 2]
  const s = 4 * ids[o + 3]
  const g0 = g[0]
  const g1 = g[1]
  const g2 = g[2]
  const g3 = g[3]
  const g4 = g[4]
  const g5 = g[5]
  const g6 = g[6]
  const g7 = g[7]
  const g8 = g[8]
  const g9 = g[9]
  const g10 = g[10]
  const g11 = g[11]
  const mp = x[p + 3]
  const mq = x[q + 3]
  const mr = x[r + 3]
  const ms = x[s + 3]
  const wp = mp * (g0 * g0 + g1 * g1 + g2 * g2)
  const wq = mq * (g3 * g3 + g4 * g4 + g5 * g5)
  const wr = mr * (g6 * g6 + g7 * g7 + g8 * g8)
  const ws = ms * (g9 * g9 + g10 * g10 + g11 * g11)
  let error = STEP[ERROR] + a * lambda[l]
  if (gamma > 0) {
    const y = bodies.startPosition
    error +=
      gamma *
      (g0 * (x[p] - y[p]) +
        g1 * (x[p + 1] - y[p + 1]) +
        g2 * (x[p + 2] - y[p + 2]) +
        g3 * (x[q] - y[q]) +
        g4 * (x[q + 1] - y[q + 1]) +
        g5 * (x[q + 2] - y[q + 2]) +
        g6 * (x[r] - y[r]) +
        g7 * (x[r + 1] - y[r + 1]) +
        g8 * (x[r + 2] - y[r + 2]) +
        g9 * (x[s] - y[s]) +
        g10 * (x[s + 1] - y[s + 1]) +
        g11 * (x[s + 2] - y[s + 2]))
  }
  const w = (1 + gamma) * (wp + wq + wr + ws)
  if (w + a <= IMMOVABLE) return
  let step = (-STEP[XI] * error) / (w + a)
  const farthest = Math.max(mp * wp, mq * wq, mr * wr, ms * ws)
  const most = REACH * REACH * Math.max(STEP[LONGEST], STEP[SIZE])
  if (step * step * farthest > most) step = (step < 0 ? -1 : 1) * Math.sqrt(most / farthest)
  if (!(Math.abs(step) < RUNAWAY)) return
  lambda[l] += step
  if (mp !== 0) {
    const m = step * mp
    x[p] += m * g0
    x[p + 1] += m * g1
    x[p + 2] += m * g2
  }
  if (mq !== 0) {
    const m = step * mq
    x[q] += m * g3
    x[q + 1] += m * g4
    x[q + 2] += m * g5
  }
  if (mr !== 0) {
    const m = step * mr
    x[r] += m * g6
    x[r + 1] += m * g7
    x[r + 2] += m * g8
  }
  if (ms !== 0) {
    const m = step * ms
    x[s] += m * g9
    x[s + 1] += m * g10
    x[s + 2] += m * g11
  }
}
