/** G = J M⁻¹ Jᵀ of a contact manifold. */

import { type BodyColumns } from '@tautline/core/kernel'
import {
  ARM_N,
  FRAME,
  FRICTION,
  G_CROSS,
  G_NORMAL,
  G_PLANE,
  G_ROLL,
  ORIGIN,
  RECORD,
  type Manifolds,
  ROLLING,
  ROWS,
  TWIST,
} from './manifold-columns.js'

/** Angular parts of the gradients for a and b, and I⁻¹ times them. */
const angularA = /* @__PURE__ */ new Float64Array(3 * ROWS)
const angularB = /* @__PURE__ */ new Float64Array(3 * ROWS)
const movedA = /* @__PURE__ */ new Float64Array(3 * ROWS)
const movedB = /* @__PURE__ */ new Float64Array(3 * ROWS)

/** G from the lever arms and the present inertia. It steers the solve alone, so one a step serves; residuals are always exact. */
export function buildMatrix(bodies: BodyColumns, batch: Manifolds, row: number): void {
  const a = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  const { points, rolling, record, fresh } = batch.columns
  const { position: x, inverseInertia: I } = bodies
  fresh[row] = 0
  const n = points[row]
  const p = RECORD * row
  // In the order of the multipliers: arms of normals and friction, then the axes of twist and rolling.
  for (let i = 0; i < 3 * TWIST; i++) angularA[i] = record[p + ARM_N + i]
  for (let i = 0; i < 9; i++) angularA[3 * TWIST + i] = record[p + FRAME + i]
  // b's lever arms are longer by o − x_B.
  const dx = record[p + ORIGIN] - x[4 * b]
  const dy = record[p + ORIGIN + 1] - x[4 * b + 1]
  const dz = record[p + ORIGIN + 2] - x[4 * b + 2]
  const last = rolling[row] > 0 ? ROWS : ROLLING
  for (let i = 0; i < last; i++) {
    if (i >= n && i < FRICTION) continue
    const o = 3 * i
    const d = p + FRAME + (i < FRICTION ? 0 : i === FRICTION ? 3 : 6)
    const lever = i < TWIST ? 1 : 0
    angularB[o] = angularA[o] + lever * (dy * record[d + 2] - dz * record[d + 1])
    angularB[o + 1] = angularA[o + 1] + lever * (dz * record[d] - dx * record[d + 2])
    angularB[o + 2] = angularA[o + 2] + lever * (dx * record[d + 1] - dy * record[d])
    byInverseInertia(I, 9 * a, angularA, o, movedA, o)
    byInverseInertia(I, 9 * b, angularB, o, movedB, o)
  }
  const w = x[4 * a + 3] + x[4 * b + 3]
  let at = p + G_NORMAL
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      couple(i, j, record, at)
      record[at++] += w
    }
    for (let j = 0; j < 3; j++) couple(i, FRICTION + j, record, p + G_CROSS + 3 * i + j)
  }
  const g = p + G_PLANE
  couple(FRICTION, FRICTION, record, g)
  couple(FRICTION, FRICTION + 1, record, g + 1)
  couple(FRICTION + 1, FRICTION + 1, record, g + 2)
  record[g] += w
  record[g + 2] += w
  couple(TWIST, FRICTION, record, g + 3)
  couple(TWIST, FRICTION + 1, record, g + 4)
  couple(TWIST, TWIST, record, g + 5)
  if (last === ROLLING) return
  couple(ROLLING, ROLLING, record, p + G_ROLL)
  couple(ROLLING, ROLLING + 1, record, p + G_ROLL + 1)
  couple(ROLLING + 1, ROLLING + 1, record, p + G_ROLL + 2)
}

/** Angular part of G_ij into out[o]: what a function returns would be boxed. */
function couple(i: number, j: number, out: Float64Array, o: number): void {
  const p = 3 * i
  const s = 3 * j
  out[o] =
    angularA[p] * movedA[s] +
    angularA[p + 1] * movedA[s + 1] +
    angularA[p + 2] * movedA[s + 2] +
    (angularB[p] * movedB[s] + angularB[p + 1] * movedB[s + 1] + angularB[p + 2] * movedB[s + 2])
}

/** Writes I⁻¹ v to `out`, three numbers at o of v and at p of it. */
export function byInverseInertia(
  I: Float64Array,
  e: number,
  v: Float64Array,
  o: number,
  out: Float64Array,
  p: number,
): void {
  out[p] = I[e] * v[o] + I[e + 1] * v[o + 1] + I[e + 2] * v[o + 2]
  out[p + 1] = I[e + 3] * v[o] + I[e + 4] * v[o + 1] + I[e + 5] * v[o + 2]
  out[p + 2] = I[e + 6] * v[o] + I[e + 7] * v[o + 1] + I[e + 8] * v[o + 2]
}
