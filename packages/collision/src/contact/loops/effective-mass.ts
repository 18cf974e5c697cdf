/** G = J M⁻¹ Jᵀ of a contact manifold. */

import { type Column, i32 } from '@tautline/core/kernel'
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
  ROLLING,
  ROWS,
  TWIST,
} from '../manifold-record.js'
import type { ManifoldView } from './view.js'

/** G from the lever arms and the present inertia. It steers the solve alone, so one a step serves; residuals are always exact. */
export function buildMatrix(m: ManifoldView, row: i32): void {
  const record = m.record
  const x = m.position
  const a = i32(m.body[2 * row])
  const b = i32(m.body[2 * row + 1])
  m.fresh[row] = 0
  const n = i32(m.points[row])
  const p = RECORD * row
  const last = m.rolling[row] > 0 ? ROWS : ROLLING
  findAngular(m, p, a, b, n, last)
  const w = x[4 * a + 3] + x[4 * b + 3]
  let at = p + G_NORMAL
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      couple(m, i, j, at)
      record[at] += w
      at++
    }
    for (let j = 0; j < 3; j++) couple(m, i, FRICTION + j, p + G_CROSS + 3 * i + j)
  }
  const g = p + G_PLANE
  couple(m, FRICTION, FRICTION, g)
  couple(m, FRICTION, FRICTION + 1, g + 1)
  couple(m, FRICTION + 1, FRICTION + 1, g + 2)
  record[g] += w
  record[g + 2] += w
  couple(m, TWIST, FRICTION, g + 3)
  couple(m, TWIST, FRICTION + 1, g + 4)
  couple(m, TWIST, TWIST, g + 5)
  if (last === ROLLING) return
  couple(m, ROLLING, ROLLING, p + G_ROLL)
  couple(m, ROLLING, ROLLING + 1, p + G_ROLL + 1)
  couple(m, ROLLING + 1, ROLLING + 1, p + G_ROLL + 2)
}

/** Angular parts of the gradients for a and b, and I⁻¹ times them. */
function findAngular(m: ManifoldView, p: i32, a: i32, b: i32, n: i32, last: i32): void {
  const record = m.record
  const x = m.position
  const angularA = m.angularA
  const angularB = m.angularB
  // In the order of the multipliers: arms of normals and friction, then the axes of twist and rolling.
  for (let i = 0; i < 3 * TWIST; i++) angularA[i] = record[p + ARM_N + i]
  for (let i = 0; i < 9; i++) angularA[3 * TWIST + i] = record[p + FRAME + i]
  // b's lever arms are longer by o − x_B.
  const dx = record[p + ORIGIN] - x[4 * b]
  const dy = record[p + ORIGIN + 1] - x[4 * b + 1]
  const dz = record[p + ORIGIN + 2] - x[4 * b + 2]
  for (let i = 0; i < last; i++) {
    if (i >= n && i < FRICTION) continue
    const o = 3 * i
    angularB[o] = angularA[o]
    angularB[o + 1] = angularA[o + 1]
    angularB[o + 2] = angularA[o + 2]
    if (i < TWIST) {
      const d = p + FRAME + (i < FRICTION ? 0 : i === FRICTION ? 3 : 6)
      angularB[o] += dy * record[d + 2] - dz * record[d + 1]
      angularB[o + 1] += dz * record[d] - dx * record[d + 2]
      angularB[o + 2] += dx * record[d + 1] - dy * record[d]
    }
    byInverseInertia(m.inverseInertia, 9 * a, angularA, o, m.movedA, o)
    byInverseInertia(m.inverseInertia, 9 * b, angularB, o, m.movedB, o)
  }
}

/** Angular part of G_ij into the record at o: what a function returns would be boxed. */
function couple(m: ManifoldView, i: i32, j: i32, o: i32): void {
  const angularA = m.angularA
  const angularB = m.angularB
  const movedA = m.movedA
  const movedB = m.movedB
  const p = 3 * i
  const s = 3 * j
  m.record[o] =
    angularA[p] * movedA[s] +
    angularA[p + 1] * movedA[s + 1] +
    angularA[p + 2] * movedA[s + 2] +
    (angularB[p] * movedB[s] + angularB[p + 1] * movedB[s + 1] + angularB[p + 2] * movedB[s + 2])
}

/** Writes I⁻¹ v to `out`, three numbers at o of v and at p of it. */
export function byInverseInertia(I: Column, e: i32, v: Column, o: i32, out: Column, p: i32): void {
  out[p] = I[e] * v[o] + I[e + 1] * v[o + 1] + I[e + 2] * v[o + 2]
  out[p + 1] = I[e + 3] * v[o] + I[e + 4] * v[o + 1] + I[e + 5] * v[o + 2]
  out[p + 2] = I[e + 6] * v[o] + I[e + 7] * v[o + 1] + I[e + 8] * v[o + 2]
}
