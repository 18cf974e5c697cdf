/** How slender what stands on a contact manifold is (towers.ts). */

import { type Column, type f64, i32 } from '@tautline/core/kernel'
import { ARM_N, ARM_T, FRAME, G_NORMAL, RECORD } from '../manifold-record.js'
import { X } from './goals.js'
import type { ManifoldView } from './view.js'

/** Share of the larger spread of points that the smaller has where they lie on a line: no face stands on those. */
const LINE: f64 = 1e-4

/** Notes how slender what stands on a manifold is, l/(4 x² Σ d_i²/G_ii) [1/(kg m)], so that B is n² Σ λ_i times that; 0: no face. */
export function noteSlenderness(m: ManifoldView, row: i32): void {
  const record = m.record
  const x = m.position
  const a = 4 * i32(m.body[2 * row])
  const b = 4 * i32(m.body[2 * row + 1])
  const n = i32(m.points[row])
  const p = RECORD * row
  m.slender[row] = 0
  if (n < 3) return
  // Arms × n̂ are the points in the plane, turned by 90°, which is as good.
  let sum: f64 = 0
  let ms: f64 = 0
  let mt: f64 = 0
  for (let i = 0; i < n; i++) {
    const share = 1 / record[p + G_NORMAL + ((i * (i + 3)) >> 1)]
    sum += share
    ms += share * along(record, p + ARM_N + 3 * i, p + FRAME + 3)
    mt += share * along(record, p + ARM_N + 3 * i, p + FRAME + 6)
  }
  ms /= sum
  mt /= sum
  let ss: f64 = 0
  let st: f64 = 0
  let tt: f64 = 0
  for (let i = 0; i < n; i++) {
    const share = 1 / record[p + G_NORMAL + ((i * (i + 3)) >> 1)]
    const s = along(record, p + ARM_N + 3 * i, p + FRAME + 3) - ms
    const t = along(record, p + ARM_N + 3 * i, p + FRAME + 6) - mt
    ss += share * s * s
    st += share * s * t
    tt += share * t * t
  }
  const half = 0.5 * (ss + tt)
  const apart = Math.sqrt(0.25 * (ss - tt) * (ss - tt) + st * st)
  const least = half - apart
  if (!(least > LINE * (half + apart))) return
  // How high the two centres are above the manifold: n̂·(lever arm r to its centre) is (r × t̂₁)·t̂₂.
  const below = along(record, p + ARM_T, p + FRAME + 6)
  let over: f64 = 0
  for (let k = 0; k < 3; k++) over += record[p + FRAME + k] * (x[a + k] - x[b + k])
  const heightA = Math.abs(below)
  const heightB = Math.abs(over + below)
  const height = x[a + 3] === 0 ? 2 * heightB : x[b + 3] === 0 ? 2 * heightA : heightA + heightB
  m.slender[row] = height / (4 * X * X * least)
}

/** Dot product of three numbers at i and at j. */
function along(v: Column, i: i32, j: i32): f64 {
  return v[i] * v[j] + v[i + 1] * v[j + 1] + v[i + 2] * v[j + 2]
}
