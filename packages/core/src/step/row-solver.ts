/**
 * The update of one row, and of a small group of rows, from what `evaluate` says (Waterson 52–59, 122–127):
 *
 *   Δλ = −ξ (s c + d δ + a λ) / ((s + d) w + a),   λ' = clamp(λ + Δλ),   ΔX += M⁻¹ Jᵀ (λ' − λ)
 *
 * with δ = J·(X + ΔX − X_start) − h rate, and the gains by law:
 *   position  s = 1,    d = γ = damping·compliance/h,  a = compliance/h² + α
 *   force     s = k h², d = ν h,                       a = 1
 *   rate      s = 0,    d = 1,                         a = α
 *   law       a = 1, and K h² M⁻¹ beside it            (106)
 *
 * It serves types without a loop of their own, frozen and start-of-step gradients, and the tests: a type's `sweep` is
 * the same arithmetic written out.
 */

import type { WorldView } from '../define/contract.js'
import type { Batch } from '../state/batch.js'
import type { BodyColumns } from '../state/body-columns.js'
import { B_S, B_T, K_SS, K_ST, K_TT, SLIP_RADIUS, solveDisc, STICK_RADIUS } from './disc.js'
import {
  assemble,
  between,
  coupling,
  delta,
  directional,
  displace,
  PIVOT,
  reaction,
  residual,
  SOFT_PIVOT,
  solveDense,
  system,
} from './group-system.js'
import { IMMOVABLE, LARGEST_GROUP, RUNAWAY } from './limits.js'
import { TURNED, rotationSinceStart } from './moved.js'
import type { Group, Rows } from '../define/rows.js'

const DISC = /* @__PURE__ */ new Float64Array(9)

/** Share of J M⁻¹ Jᵀ that a kept gradient must have in common with the present one. By ½, an error falls, or changes sign, and is no larger. */
const ALIGNED = 0.5

const right = /* @__PURE__ */ new Float64Array(PIVOT)
/** δ of a group's rows. */
const travelled = /* @__PURE__ */ new Float64Array(LARGEST_GROUP)

/** One pass over rows `from` to `to` of a substep of h [s] through `evaluate`. With `kept`, gradients come from the `jacobian` column. */
export function sweepRows(bodies: BodyColumns, batch: Batch, from: number, to: number, h: number, kept: boolean): void {
  const { type, rows } = batch
  rows.substep = h
  for (let row = from; row < to; row++) {
    let group = 0
    do {
      rows.clear()
      type.evaluate(bodies, batch, row, rows)
      if (kept) loadGradient(bodies, batch, row)
      if (group === 0) keepPivot(rows)
      if (group < rows.groupCount) solveGroup(bodies, batch, row, rows.groups[group], h)
      SOFT_PIVOT[0] = 0
    } while (++group < rows.groupCount)
  }
}

/** Stores every row's gradient at the pose in `bodies`, for `jacobians: 'frozen' | 'start'`. */
export function keepGradients(bodies: BodyColumns, batch: Batch): void {
  const { type, rows } = batch
  for (let row = 0; row < batch.active; row++) {
    rows.clear()
    type.evaluate(bodies, batch, row, rows)
    storeGradient(batch, row)
  }
}

/** By multiplier, as a row that is not there now may be there later; zeros stand for none. */
function storeGradient(batch: Batch, row: number): void {
  const { J, multiplier, count, arity } = batch.rows
  const { jacobian } = batch.common
  const base = J.length * row
  const stride = 6 * arity
  jacobian.fill(0, base, base + J.length)
  for (let k = 0; k < count; k++) {
    const o = base + stride * multiplier[k]
    for (let e = 0; e < stride; e++) jacobian[o + e] = J[stride * k + e]
  }
}

/**
 * Takes the kept gradients of a row in place of the present ones. A row that was not there keeps its own, and so does one that has turned, shrunk or
 * grown so far since that a step along the kept gradient would no longer bring its error down.
 */
export function loadGradient(bodies: BodyColumns, batch: Batch, row: number): void {
  const { J, multiplier, count, arity } = batch.rows
  const { jacobian } = batch.common
  const stride = 6 * arity
  for (let k = 0; k < count; k++) {
    const o = J.length * row + stride * multiplier[k]
    const own = stride * k
    const kept = between(bodies, batch, row, jacobian, o, jacobian, o)
    const both = between(bodies, batch, row, J, own, jacobian, o)
    const fresh = between(bodies, batch, row, J, own, J, own)
    if (!(both > ALIGNED * Math.max(kept, fresh))) continue
    for (let e = 0; e < stride; e++) J[own + e] = jacobian[o + e]
  }
}

/**
 * Displaces by M⁻¹ Jᵀ λ with the multipliers kept from the last substep, times `share`; rows of a relaxation above 1 start from 0, as both together
 * go too far (a cloth of soft rows at ξ = 1.25, s = ½ came to 10¹⁹ times its m g L).
 */
export function warmStart(bodies: BodyColumns, batch: Batch, share: number): void {
  const { type, rows } = batch
  const { lambda, relaxation } = batch.common
  for (let row = 0; row < batch.swept; row++) {
    if (relaxation[row] > 1) {
      lambda.fill(0, type.multipliers * row, type.multipliers * (row + 1))
      continue
    }
    rows.clear()
    type.evaluate(bodies, batch, row, rows)
    for (let k = 0; k < rows.count; k++) {
      const l = type.multipliers * row + rows.multiplier[k]
      // A multiplier beyond all measure belongs to a body that ran away: as a first guess it would push the rest after it.
      lambda[l] = Math.abs(lambda[l]) < RUNAWAY ? share * lambda[l] : 0
      delta[0] = lambda[l]
      displace(bodies, batch, row, k, 1)
    }
  }
}

function solveGroup(bodies: BodyColumns, batch: Batch, row: number, group: Group, h: number): void {
  const { rows, type } = batch
  const { lambda, relaxation, regularization } = batch.common
  const base = type.multipliers * row
  const { start, size } = group
  if (isAtRest(group, rows.c[start], lambda[base + rows.multiplier[start]])) return
  const xi = relaxation[row]
  for (let k = 0; k < size; k++) travelled[k] = moved(bodies, batch, row, start + k) - h * rows.rate[start + k]
  const pivots = group.pivotCompensated && takeReactionAlong(bodies, batch, row, group, pivotSoftness(batch, row, h))
  const scale = group.accelerationMode ? 1 / coupling(bodies, batch, row, start, start) : 1
  const s = group.law === 'position' ? 1 : group.law === 'force' ? group.stiffness * scale * h * h : 0
  const d = group.law === 'position' ? group.rayleigh / h : group.law === 'force' ? group.damping * scale * h : 1
  const a =
    group.law === 'position'
      ? group.compliance / (h * h) + regularization[row]
      : group.law === 'rate'
        ? regularization[row]
        : 1

  let squared = 0
  for (let k = 0; k < size; k++) {
    const l = lambda[base + rows.multiplier[start + k]]
    const e =
      group.law === 'implicitForce' ? h * h * rows.c[start + k] + l : s * rows.c[start + k] + d * travelled[k] + a * l
    residual[k] = e
    squared += e * e
  }
  if (squared === 0 && group.kind !== 'disc') return

  // Difference of the multipliers at the two ends of a range; infinite for one bound.
  let range = Infinity
  if (group.kind === 'line') {
    const e = Math.sqrt(squared)
    const w = directional(bodies, batch, row, start, size, e)
    const denominator = (s + d) * w + a
    if (denominator <= IMMOVABLE) return
    for (let k = 0; k < size; k++) delta[k] = (-xi * residual[k]) / denominator
  } else if (group.kind === 'disc') {
    if (!solveFriction(bodies, batch, row, group, a)) return
  } else {
    assemble(bodies, batch, row, group, h, s + d, a)
    if (group.width < Infinity) range = (xi * group.width) / system[0]
    if (!solveDense(size, residual)) return
    for (let k = 0; k < size; k++) delta[k] = -xi * residual[k]
  }
  if (group.kind !== 'disc') clamp(batch, row, group, h, range)
  for (let k = 0; k < size; k++) lambda[base + rows.multiplier[start + k]] += delta[k]
  displace(bodies, batch, row, start, size)
  if (pivots) addReaction(batch, row, size)
}

/** Whether a one-sided row is satisfied and has not pushed: then it rests, its damper included. */
function isAtRest({ kind, law, lower, upper }: Group, c: number, l: number): boolean {
  if (kind !== 'scalar' || law !== 'position' || l !== 0) return false
  return (lower === 0 && c >= 0) || (upper === 0 && c <= 0)
}

/** J₀ of the joint in hand, as it was when its first group was solved; a joint has two bodies. */
const pivot = /* @__PURE__ */ new Float64Array(12 * PIVOT)

/** Gradient of the row in hand before the reaction was taken along. */
const own = /* @__PURE__ */ new Float64Array(12)

/** Notes the gradients of the first group where later ones go along with its reaction. */
function keepPivot(rows: Rows): void {
  for (let g = 1; g < rows.groupCount; g++) {
    if (rows.groups[g].pivotCompensated) {
      pivot.set(rows.J.subarray(0, pivot.length))
      return
    }
  }
}

/** a/(1 + γ) of the first group. */
function pivotSoftness({ rows, common }: Batch, row: number, h: number): number {
  const { compliance, rayleigh } = rows.groups[0]
  return (compliance / (h * h) + common.regularization[row]) / (1 + rayleigh / h)
}

/**
 * Turns the group's gradients into those that leave the first group's rows met, of softness a: ρ = (J₀ M⁻¹ J₀ᵀ + a)⁻¹ J₀ M⁻¹ Jᵀ is what each pushes there. False when that has
 * no inverse.
 */
function takeReactionAlong(bodies: BodyColumns, batch: Batch, row: number, group: Group, softness: number): boolean {
  SOFT_PIVOT[0] = softness
  SOFT_PIVOT[1] = group.start
  const { J, arity } = batch.rows
  const stride = 6 * arity
  for (let l = 0; l < group.size; l++) {
    const line = stride * (group.start + l)
    for (let i = 0; i < PIVOT; i++) {
      for (let j = 0; j < PIVOT; j++)
        system[PIVOT * i + j] =
          between(bodies, batch, row, pivot, stride * i, pivot, stride * j) + (i === j ? softness : 0)
      right[i] = between(bodies, batch, row, pivot, stride * i, J, line)
    }
    if (!solveDense(PIVOT, right)) return false
    for (let i = 0; i < PIVOT; i++) {
      reaction[PIVOT * l + i] = right[i]
      for (let k = 0; k < stride; k++) J[line + k] -= right[i] * pivot[stride * i + k]
    }
  }
  return true
}

/** What the reaction has pushed, into the first group's multipliers. */
function addReaction(batch: Batch, row: number, size: number): void {
  const { rows, type } = batch
  for (let i = 0; i < PIVOT; i++) {
    let sum = 0
    for (let l = 0; l < size; l++) sum += reaction[PIVOT * l + i] * delta[l]
    batch.common.lambda[type.multipliers * row + rows.multiplier[i]] -= sum
  }
}

/** What a frictional group's coefficient multiplies. */
function load(lambda: Float64Array, base: number, group: Group): number {
  let sum = 0
  for (let k = 0; k < group.normals; k++) sum += lambda[base + group.normal + k]
  return sum
}

/** Two rows inside their disc: `delta` becomes the way from the present λ to the minimiser. */
function solveFriction(bodies: BodyColumns, batch: Batch, row: number, group: Group, a: number): boolean {
  const { rows, type } = batch
  const { lambda, relaxation } = batch.common
  const base = type.multipliers * row
  const k = group.start
  const s = lambda[base + rows.multiplier[k]]
  const t = lambda[base + rows.multiplier[k + 1]]
  const kss = coupling(bodies, batch, row, k, k) + a
  const kst = 0.5 * (coupling(bodies, batch, row, k, k + 1) + coupling(bodies, batch, row, k + 1, k))
  const ktt = coupling(bodies, batch, row, k + 1, k + 1) + a
  if (kss * ktt - kst * kst <= IMMOVABLE) return false
  const unit = load(lambda, base, group)
  DISC[K_SS] = kss
  DISC[K_ST] = kst
  DISC[K_TT] = ktt
  DISC[B_S] = residual[0] - kss * s - kst * t
  DISC[B_T] = residual[1] - kst * s - ktt * t
  DISC[STICK_RADIUS] = group.radius * unit
  DISC[SLIP_RADIUS] = Math.min(group.slip, group.radius) * unit
  solveDisc(DISC)
  delta[0] = relaxation[row] * (DISC[0] - s)
  delta[1] = relaxation[row] * (DISC[1] - t)
  return true
}

/** Holds the accumulated multipliers in their bounds by changing `delta`. `range` is the difference of those at the two ends of a range. */
function clamp(batch: Batch, row: number, group: Group, h: number, range: number): void {
  const { rows, type } = batch
  const { lambda } = batch.common
  const base = type.multipliers * row
  const { start, size } = group
  if (group.kind === 'scalar') {
    const l = lambda[base + rows.multiplier[start]]
    const wanted = l + delta[0]
    const held = Math.min(Math.max(wanted, group.lower * h * h), group.upper * h * h)
    // Where λ is that of the farther bound, the row of that bound holds.
    const isOther = held !== wanted && range < Infinity
    delta[0] = (isOther ? (wanted < 0 ? Math.min(wanted + range, 0) : Math.max(wanted - range, 0)) : held) - l
    return
  }
  if (group.radius === Infinity) return
  let squared = 0
  for (let k = 0; k < size; k++) {
    const wanted = lambda[base + rows.multiplier[start + k]] + delta[k]
    squared += wanted * wanted
  }
  const unit = group.normal < 0 ? h * h : load(lambda, base, group)
  const radius = group.radius * unit
  if (squared <= radius * radius) return
  const slip = Math.min(group.slip, group.radius) * unit
  const shrink = squared > 0 ? slip / Math.sqrt(squared) : 0
  for (let k = 0; k < size; k++) {
    const l = lambda[base + rows.multiplier[start + k]]
    delta[k] = shrink * (l + delta[k]) - l
  }
}

/** Effective mass of a scalar group about the joint's point, after an `evaluate`: what `accelerationMode` multiplies its gains by. */
export function rowMass(bodies: BodyColumns, batch: Batch, row: number, group: Group): number {
  const { J } = batch.rows
  const o = 6 * batch.arity * group.start
  own.set(J.subarray(o, o + own.length))
  keepPivot(batch.rows)
  if (group.pivotCompensated) takeReactionAlong(bodies, batch, row, group, 0)
  const w = coupling(bodies, batch, row, group.start, group.start)
  J.set(own, o)
  return w > 0 ? 1 / w : 0
}

/** J_k·(X + ΔX − X_start): how far the row's matter has moved in this substep. */
export function moved(bodies: BodyColumns, batch: Batch, row: number, k: number): number {
  const { J, arity } = batch.rows
  const { position, startPosition } = bodies
  let sum = 0
  for (let b = 0; b < arity; b++) {
    const i = batch.common.body[arity * row + b]
    const o = 6 * (arity * k + b)
    const p = 4 * i
    for (let r = 0; r < 3; r++) sum += J[o + r] * (position[p + r] - startPosition[p + r])
    if (J[o + 3] === 0 && J[o + 4] === 0 && J[o + 5] === 0) continue
    rotationSinceStart(bodies, i)
    sum += J[o + 3] * TURNED[0] + J[o + 4] * TURNED[1] + J[o + 5] * TURNED[2]
  }
  return sum
}

/** The same of `size` rows from `start` on, into `out`: what a body has turned by is found once. */
export function movedRows(
  bodies: BodyColumns,
  batch: Batch,
  row: number,
  start: number,
  size: number,
  out: Float64Array,
): void {
  const { J, arity } = batch.rows
  const { position, startPosition } = bodies
  out.fill(0, 0, size)
  for (let b = 0; b < arity; b++) {
    const i = batch.common.body[arity * row + b]
    const p = 4 * i
    const x = position[p] - startPosition[p]
    const y = position[p + 1] - startPosition[p + 1]
    const z = position[p + 2] - startPosition[p + 2]
    let isKnown = false
    for (let k = 0; k < size; k++) {
      const o = 6 * (arity * (start + k) + b)
      let sum = out[k]
      sum += J[o] * x
      sum += J[o + 1] * y
      sum += J[o + 2] * z
      if (J[o + 3] !== 0 || J[o + 4] !== 0 || J[o + 5] !== 0) {
        if (!isKnown) rotationSinceStart(bodies, i)
        isKnown = true
        sum += J[o + 3] * TURNED[0] + J[o + 4] * TURNED[1] + J[o + 5] * TURNED[2]
      }
      out[k] = sum
    }
  }
}

/**
 * How far a group is from what it asks, after an `evaluate`: |c + aλ| where it acts, 0 where an inequality is satisfied
 * or a multiplier lies on its bound.
 */
export function groupResidual(batch: Batch, row: number, rows: Rows, group: Group, h: number): number {
  if (group.law !== 'position') return 0
  const { lambda } = batch.common
  const base = batch.type.multipliers * row
  const a = h > 0 ? group.compliance / (h * h) : 0
  let squared = 0
  let squaredLambda = 0
  for (let k = group.start; k < group.start + group.size; k++) {
    const l = lambda[base + rows.multiplier[k]]
    let e = rows.c[k] + a * l
    if (group.kind === 'scalar') {
      if (e > 0 && l <= group.lower * h * h) e = 0
      if (e < 0 && l >= group.upper * h * h) e = 0
    }
    squared += e * e
    squaredLambda += l * l
  }
  if (group.radius < Infinity) {
    const unit = group.normal < 0 ? h * h : load(lambda, base, group)
    const slip = Math.min(group.slip, group.radius) * unit
    if (squaredLambda >= slip * slip * SLIDING) return 0
  }
  return Math.sqrt(squared)
}

/** A multiplier within a millionth of its cone counts as on it. */
const SLIDING = 1 - 1e-6

/** The largest residual of all rows, in whatever unit: `tolerance` is compared with it. */
export function worstResidual({ batches, bodies }: WorldView, h: number): number {
  let worst = 0
  for (const batch of batches) {
    const { rows, type } = batch
    for (let row = 0; row < batch.active; row++) {
      rows.clear()
      type.evaluate(bodies.columns, batch, row, rows)
      for (let g = 0; g < rows.groupCount; g++) {
        const error = groupResidual(batch, row, rows, rows.groups[g], h)
        // Rows that are not finite are skipped: no sweep improves them.
        if (error > worst) worst = error
      }
    }
  }
  return worst
}
