/** The dense system of one group of rows: J M⁻¹ Jᵀ and what its solution displaces. */

import type { Batch } from '../state/batch.js'
import type { BodyColumns } from '../state/body-columns.js'
import { rotate } from '../math/rotation.js'
import type { Group } from '../define/rows.js'
import { LARGEST_GROUP, RUNAWAY, IMMOVABLE } from './limits.js'

/** What a group's rows lack, and by how much their multipliers change. */
export const residual: Float64Array = /* @__PURE__ */ new Float64Array(LARGEST_GROUP)
export const delta: Float64Array = /* @__PURE__ */ new Float64Array(LARGEST_GROUP)
/** Row-major; as many rows and columns as the group has. */
export const system: Float64Array = /* @__PURE__ */ new Float64Array(LARGEST_GROUP * LARGEST_GROUP)

/** Fills `system` with gain · J M⁻¹ Jᵀ + a 1, or for a law with 1 + h² K M⁻¹. */
export function assemble(
  bodies: BodyColumns,
  batch: Batch,
  row: number,
  group: Group,
  h: number,
  gain: number,
  a: number,
): void {
  const { start, size } = group
  if (group.law === 'implicitForce') {
    assembleLaw(bodies, batch, row, size, h)
    return
  }
  for (let k = 0; k < size; k++) {
    for (let l = 0; l < size; l++) {
      system[size * k + l] = gain * coupling(bodies, batch, row, start + k, start + l) + (k === l ? a : 0)
    }
  }
}

/** 1 + h² K M⁻¹, with K from the law and M⁻¹ block-diagonal: what (106) inverts, times M⁻¹ from the right. */
export function assembleLaw(bodies: BodyColumns, batch: Batch, row: number, size: number, h: number): void {
  const { tangent } = batch.rows
  const { position, inverseInertia } = bodies
  for (let k = 0; k < size; k++) {
    for (let l = 0; l < size; l++) {
      const i = batch.common.body[batch.arity * row + ((l / 6) | 0)]
      const axis = l % 6
      const block = l - axis
      let sum = 0
      if (axis < 3) sum = tangent[size * k + l] * position[4 * i + 3]
      else
        for (let r = 0; r < 3; r++) sum += tangent[size * k + block + 3 + r] * inverseInertia[9 * i + 3 * r + axis - 3]
      system[size * k + l] = h * h * sum + (k === l ? 1 : 0)
    }
  }
}

/** Solves `system` x = `b` in place by elimination with row pivots; false when it is singular. */
export function solveDense(n: number, b: Float64Array): boolean {
  for (let k = 0; k < n; k++) {
    let pivot = k
    for (let r = k + 1; r < n; r++) if (Math.abs(system[n * r + k]) > Math.abs(system[n * pivot + k])) pivot = r
    if (Math.abs(system[n * pivot + k]) <= IMMOVABLE) return false
    if (pivot !== k) {
      for (let l = 0; l < n; l++) {
        const t = system[n * k + l]
        system[n * k + l] = system[n * pivot + l]
        system[n * pivot + l] = t
      }
      const t = b[k]
      b[k] = b[pivot]
      b[pivot] = t
    }
    for (let r = k + 1; r < n; r++) {
      const f = system[n * r + k] / system[n * k + k]
      if (f === 0) continue
      for (let l = k; l < n; l++) system[n * r + l] -= f * system[n * k + l]
      b[r] -= f * b[k]
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    let sum = b[k]
    for (let l = k + 1; l < n; l++) sum -= system[n * k + l] * b[l]
    b[k] = sum / system[n * k + k]
  }
  return true
}

/** Rows of a pivot: three directions. */
export const PIVOT = 3
/** What rows that take the reaction of a pivot along push there, a column a row; the softness of the pivot, 0 without one, and the first of the rows. */
export const reaction: Float64Array = /* @__PURE__ */ new Float64Array(PIVOT * LARGEST_GROUP)
export const SOFT_PIVOT: Float64Array = /* @__PURE__ */ new Float64Array(2)

/** J_k M⁻¹ J_lᵀ [1/kg for length rows], and a ρ_k·ρ_l of the reactions at a pivot of softness a. */
export function coupling(bodies: BodyColumns, batch: Batch, row: number, k: number, l: number): number {
  const { J, arity } = batch.rows
  const w = between(bodies, batch, row, J, 6 * arity * k, J, 6 * arity * l)
  if (SOFT_PIVOT[0] === 0) return w
  const o = PIVOT * (k - SOFT_PIVOT[1])
  const u = PIVOT * (l - SOFT_PIVOT[1])
  return (
    w +
    SOFT_PIVOT[0] * (reaction[o] * reaction[u] + reaction[o + 1] * reaction[u + 1] + reaction[o + 2] * reaction[u + 2])
  )
}

/** The same of the gradients at `p` in `P` and at `q` in `Q`. */
export function between(
  bodies: BodyColumns,
  batch: Batch,
  row: number,
  P: Float64Array,
  p: number,
  Q: Float64Array,
  q: number,
): number {
  const { arity } = batch.rows
  const { position, inverseInertia } = bodies
  let w = 0
  for (let b = 0; b < arity; b++) {
    const i = batch.common.body[arity * row + b]
    const o = p + 6 * b
    const u = q + 6 * b
    w += position[4 * i + 3] * (P[o] * Q[u] + P[o + 1] * Q[u + 1] + P[o + 2] * Q[u + 2])
    for (let r = 0; r < 3; r++) {
      const e = 9 * i + 3 * r
      w +=
        P[o + 3 + r] *
        (inverseInertia[e] * Q[u + 3] + inverseInertia[e + 1] * Q[u + 4] + inverseInertia[e + 2] * Q[u + 5])
    }
  }
  return w
}

/** êᵀ (J M⁻¹ Jᵀ) ê for the direction of `residual`, whose length is `length`. */
export function directional(
  bodies: BodyColumns,
  batch: Batch,
  row: number,
  start: number,
  size: number,
  length: number,
): number {
  let w = 0
  for (let k = 0; k < size; k++) {
    for (let l = 0; l < size; l++) {
      w += (residual[k] / length) * (residual[l] / length) * coupling(bodies, batch, row, start + k, start + l)
    }
  }
  return w
}

/** ΔX += M⁻¹ Jᵀ `delta` over rows of one group: together, so that a body turns once. Nothing where `delta` is not finite. */
export function displace(bodies: BodyColumns, batch: Batch, row: number, start: number, size: number): void {
  for (let k = 0; k < size; k++) if (!(Math.abs(delta[k]) < RUNAWAY)) return
  const { J, arity } = batch.rows
  const { position, orientation, inverseInertia } = bodies
  for (let b = 0; b < arity; b++) {
    const i = batch.common.body[arity * row + b]
    const m = position[4 * i + 3]
    if (m === 0) continue
    let tx = 0
    let ty = 0
    let tz = 0
    for (let k = 0; k < size; k++) {
      const s = delta[k]
      const o = 6 * (arity * (start + k) + b)
      position[4 * i] += m * s * J[o]
      position[4 * i + 1] += m * s * J[o + 1]
      position[4 * i + 2] += m * s * J[o + 2]
      tx += s * J[o + 3]
      ty += s * J[o + 4]
      tz += s * J[o + 5]
    }
    if (tx === 0 && ty === 0 && tz === 0) continue
    const e = 9 * i
    rotate(
      orientation,
      4 * i,
      inverseInertia[e] * tx + inverseInertia[e + 1] * ty + inverseInertia[e + 2] * tz,
      inverseInertia[e + 3] * tx + inverseInertia[e + 4] * ty + inverseInertia[e + 5] * tz,
      inverseInertia[e + 6] * tx + inverseInertia[e + 7] * ty + inverseInertia[e + 8] * tz,
    )
  }
}

/** J M⁻¹ Jᵀ averaged over a group's rows, after an `evaluate`: what a frequency refers to. */
export function effectiveInverseMass(bodies: BodyColumns, batch: Batch, row: number, group: Group): number {
  let w = 0
  for (let k = 0; k < group.size; k++) w += coupling(bodies, batch, row, group.start + k, group.start + k)
  return w / group.size
}
