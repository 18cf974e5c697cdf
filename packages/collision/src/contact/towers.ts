/**
 * Towers: what bears so much on so narrow a base that soft contacts would let it lean ever further.
 *
 * A contact gives way like springs k_i = x²/(h² G_ii) at its points (`goals.ts`), so against tilt it holds with
 * K = Σ k_i d_i², d_i the distance of a point from the axis of least hold. n such contacts under one another, each a body's
 * height l above the last, with the load P at the foot, lean over once (Euler's column of n links under its own weight)
 *   B = n² P l / (4 K) >= 1,   n = P / (m g)
 * where boxes of 1 m do with 25 on each other at 8 substeps, boxes of 10 cm with 12. Well below that the island is solved
 * exactly (`islands.ts`), which has no sag. B is a share, and load is counted where it has lasted, for impacts are no load.
 */

import { type LeanWorld } from '@tautline/core'
import { type Batch, type BodyColumns, DYNAMIC } from '@tautline/core/kernel'
import type { IntList } from '../detect/broad/int-list.js'
import { X } from './goals.js'
import { ARM_N, ARM_T, FRAME, G_NORMAL, loadOf, RECORD, type Manifolds } from './manifold-columns.js'

/** B from which a contact bears too much, half the height at which it gives way; and below which it no longer does. */
const LEANS = 1 / 8
const STANDS = 1 / 64
/** Steps for which it has to last. */
export const BEARS_LONG = 2
/** Share of the larger spread of points that the smaller has where they lie on a line: no face stands on those. */
const LINE = 1e-4

/** Notes how slender what stands on a manifold is, l/(4 x² Σ d_i²/G_ii) [1/(kg m)], so that B is n² Σ λ_i times that; 0: no face. */
export function noteSlenderness(bodies: BodyColumns, batch: Manifolds, row: number): void {
  const a = batch.ids[2 * row]
  const b = batch.ids[2 * row + 1]
  const { points, slender, record } = batch.columns
  const { position: x } = bodies
  const n = points[row]
  const p = RECORD * row
  slender[row] = 0
  if (n < 3) return
  // Arms × n̂ are the points in the plane, turned by 90°, which is as good.
  let sum = 0
  let ms = 0
  let mt = 0
  for (let i = 0; i < n; i++) {
    const share = 1 / record[p + G_NORMAL + ((i * (i + 3)) >> 1)]
    sum += share
    ms += share * along(record, p + ARM_N + 3 * i, p + FRAME + 3)
    mt += share * along(record, p + ARM_N + 3 * i, p + FRAME + 6)
  }
  ms /= sum
  mt /= sum
  let ss = 0
  let st = 0
  let tt = 0
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
  let over = 0
  for (let k = 0; k < 3; k++) over += record[p + FRAME + k] * (x[4 * a + k] - x[4 * b + k])
  const heightA = Math.abs(below)
  const heightB = Math.abs(over + below)
  const height = x[4 * a + 3] === 0 ? 2 * heightB : x[4 * b + 3] === 0 ? 2 * heightA : heightA + heightB
  slender[row] = height / (4 * X * X * least)
}

/** Dot product of three numbers at i and at j. */
function along(v: Float64Array, i: number, j: number): number {
  return v[i] * v[j] + v[i + 1] * v[j + 1] + v[i + 2] * v[j + 2]
}

/** Counts for how many steps, with substeps of h [s], a manifold has borne too much. */
function countBearing(bodies: BodyColumns, batch: Manifolds, row: number, h: number): void {
  const { slender, heft, bearing } = batch.columns
  if (slender[row] === 0) {
    bearing[row] = 0
    return
  }
  const load = loadOf(batch, row)
  const { position: x } = bodies
  const w = Math.max(x[4 * batch.ids[2 * row] + 3], x[4 * batch.ids[2 * row + 1] + 3])
  const n = Math.max((load * w) / (h * h * heft[row]), 1)
  const B = n * n * load * slender[row]
  // Without weight there is nothing to lean, and B is infinite.
  if (B > LEANS && heft[row] > 0) bearing[row] = Math.min(bearing[row] + 1, BEARS_LONG)
  else if (B < STANDS) bearing[row] = 0
}

/** Marks bodies that something other than contacts holds. Grown and kept. */
let held = /* @__PURE__ */ new Uint8Array(0)

/**
 * Notes which manifolds make an island a tower: those that have long borne too much. Where a joint or a rope takes part none
 * is: its share of the load comes and goes with its own solution, and rigid contacts by turns with it never rest.
 */
export function findTowers(world: LeanWorld, batch: Manifolds, rows: IntList): void {
  const { bearing, tower } = batch.columns
  const h = world.clock.substepLength
  if (!(h > 0)) return
  let any = false
  for (let n = 0; n < rows.count; n++) {
    const row = rows.items[n]
    countBearing(world.bodies.columns, batch, row, h)
    tower[row] = bearing[row] >= BEARS_LONG ? 1 : 0
    if (tower[row] === 1) any = true
  }
  if (!any) return
  markHeld(world, batch as Batch)
  for (let n = 0; n < rows.count; n++) {
    const row = rows.items[n]
    if (held[batch.columns.body[2 * row]] === 1 || held[batch.columns.body[2 * row + 1]] === 1) tower[row] = -1
  }
}

function markHeld(world: LeanWorld, manifolds: Batch): void {
  const { count, columns } = world.bodies
  const { kind } = columns
  if (held.length < count) held = new Uint8Array(2 * count)
  else held.fill(0)
  for (const batch of world.batches) {
    if (batch === manifolds) continue
    const { body, enabled } = batch.common
    for (let row = 0; row < batch.count; row++) {
      if (enabled[row] === 0) continue
      for (let k = batch.arity * row; k < batch.arity * (row + 1); k++) if (kind[body[k]] === DYNAMIC) held[body[k]] = 1
    }
  }
}
