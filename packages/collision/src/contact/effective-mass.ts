/** G = J M⁻¹ Jᵀ of a contact patch. */

import { type BodyColumns } from '@tautline/core'
import {
  ARM_N,
  ARM_T,
  FRAME,
  FRICTION,
  G_CROSS,
  G_NORMAL,
  G_PLANE,
  G_ROLL,
  ORIGIN,
  PATCH,
  type Patches,
  ROLLING,
  ROWS,
  TWIST,
} from './patch-columns.js'

/** Angular parts of the gradients for a and b, and I⁻¹ times them. */
const angularA = /* @__PURE__ */ new Float64Array(3 * ROWS)
const angularB = /* @__PURE__ */ new Float64Array(3 * ROWS)
const movedA = /* @__PURE__ */ new Float64Array(3 * ROWS)
const movedB = /* @__PURE__ */ new Float64Array(3 * ROWS)

/** G from the arms and the present inertia. It steers the solve alone, so one a step serves; residuals are always exact. */
export function buildMatrix(bodies: BodyColumns, batch: Patches, row: number, a: number, b: number): void {
  const { points, rolling, patch, fresh } = batch.columns
  const { position: x, inverseInertia: I } = bodies
  fresh[row] = 0
  const n = points[row]
  const p = PATCH * row
  for (let i = 0; i < 3 * n; i++) angularA[i] = patch[p + ARM_N + i]
  for (let i = 0; i < 6; i++) angularA[3 * FRICTION + i] = patch[p + ARM_T + i]
  for (let i = 0; i < 3; i++) angularA[3 * TWIST + i] = patch[p + FRAME + i]
  for (let i = 0; i < 6; i++) angularA[3 * ROLLING + i] = patch[p + FRAME + 3 + i]
  // b's arms are longer by o − x_B.
  const dx = patch[p + ORIGIN] - x[4 * b]
  const dy = patch[p + ORIGIN + 1] - x[4 * b + 1]
  const dz = patch[p + ORIGIN + 2] - x[4 * b + 2]
  const last = rolling[row] > 0 ? ROWS : ROLLING
  for (let i = 0; i < last; i++) {
    if (i >= n && i < FRICTION) continue
    const o = 3 * i
    const d = p + FRAME + (i < FRICTION ? 0 : i === FRICTION ? 3 : 6)
    const lever = i < TWIST ? 1 : 0
    angularB[o] = angularA[o] + lever * (dy * patch[d + 2] - dz * patch[d + 1])
    angularB[o + 1] = angularA[o + 1] + lever * (dz * patch[d] - dx * patch[d + 2])
    angularB[o + 2] = angularA[o + 2] + lever * (dx * patch[d + 1] - dy * patch[d])
    through(I, 9 * a, angularA, movedA, o)
    through(I, 9 * b, angularB, movedB, o)
  }
  const w = x[4 * a + 3] + x[4 * b + 3]
  let at = p + G_NORMAL
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) patch[at++] = w + coupled(i, j)
    for (let j = 0; j < 3; j++) patch[p + G_CROSS + 3 * i + j] = coupled(i, FRICTION + j)
  }
  const g = p + G_PLANE
  patch[g] = w + coupled(FRICTION, FRICTION)
  patch[g + 1] = coupled(FRICTION, FRICTION + 1)
  patch[g + 2] = w + coupled(FRICTION + 1, FRICTION + 1)
  patch[g + 3] = coupled(TWIST, FRICTION)
  patch[g + 4] = coupled(TWIST, FRICTION + 1)
  patch[g + 5] = coupled(TWIST, TWIST)
  if (last === ROLLING) return
  patch[p + G_ROLL] = coupled(ROLLING, ROLLING)
  patch[p + G_ROLL + 1] = coupled(ROLLING, ROLLING + 1)
  patch[p + G_ROLL + 2] = coupled(ROLLING + 1, ROLLING + 1)
}

/** Angular part of G_ij. */
function coupled(i: number, j: number): number {
  const p = 3 * i
  const s = 3 * j
  return (
    angularA[p] * movedA[s] +
    angularA[p + 1] * movedA[s + 1] +
    angularA[p + 2] * movedA[s + 2] +
    (angularB[p] * movedB[s] + angularB[p + 1] * movedB[s + 1] + angularB[p + 2] * movedB[s + 2])
  )
}

/** out = I⁻¹ v, three numbers at o. */
function through(I: Float64Array, e: number, v: Float64Array, out: Float64Array, o: number): void {
  out[o] = I[e] * v[o] + I[e + 1] * v[o + 1] + I[e + 2] * v[o + 2]
  out[o + 1] = I[e + 3] * v[o] + I[e + 4] * v[o + 1] + I[e + 5] * v[o + 2]
  out[o + 2] = I[e + 6] * v[o] + I[e + 7] * v[o + 1] + I[e + 8] * v[o + 2]
}
