/** What contacts of particles look like: those that have pushed in the step, each where it touched. */

import type { Batch, BodyColumns, Outline } from '@tautline/core/kernel'
import * as face from './face-columns.js'
import * as pair from './pair-columns.js'
import * as point from './point-columns.js'

/** Two points, and a normal at the second. */
const g = /* @__PURE__ */ new Float64Array(9)
const SECOND = 3
const NORMAL = 6

/** Draws where a particle touches a collider: from its centre to the surface. */
export function outlinePoint(
  { position }: BodyColumns,
  { ids, columns: { record, touching } }: point.PointContacts,
  row: number,
  out: Outline,
): void {
  if (touching[row] === 0) return
  const r = point.RECORD * row
  for (let k = 0; k < 3; k++) {
    g[k] = position[4 * ids[2 * row] + k]
    g[NORMAL + k] = record[r + point.N + k]
    g[SECOND + k] = g[k] - record[r + point.RADIUS] * g[NORMAL + k]
  }
  out.contact(g, 0, SECOND, NORMAL)
}

/** Draws where a face or an edge touches a collider: from the point of it to the surface. */
export function outlineFace(
  { position }: BodyColumns,
  { ids, columns: { record, touching } }: face.FaceContacts,
  row: number,
  out: Outline,
): void {
  if (touching[row] === 0) return
  const r = face.RECORD * row
  let radius = 0
  for (let k = 0; k < 3; k++) g[k] = 0
  for (let corner = 0; corner < face.CORNERS; corner++) {
    const share = record[r + face.SHARES + corner]
    radius += share * record[r + face.RADIUS + corner]
    for (let k = 0; k < 3; k++) g[k] += share * position[4 * ids[face.BODIES * row + corner] + k]
  }
  for (let k = 0; k < 3; k++) {
    g[NORMAL + k] = record[r + face.N + k]
    g[SECOND + k] = g[k] - radius * g[NORMAL + k]
  }
  out.contact(g, 0, SECOND, NORMAL)
}

/** Draws where two particles touch, half of their distance from each. */
export function outlinePair(
  { position }: BodyColumns,
  { ids, columns: { record, touching } }: pair.PairContacts,
  row: number,
  out: Outline,
): void {
  if (touching[row] === 0) return
  const r = pair.RECORD * row
  const half = 0.5 * record[r + pair.APART]
  for (let k = 0; k < 3; k++) {
    g[NORMAL + k] = record[r + pair.N + k]
    g[k] = position[4 * ids[2 * row] + k] - half * g[NORMAL + k]
    g[SECOND + k] = position[4 * ids[2 * row + 1] + k] + half * g[NORMAL + k]
  }
  out.contact(g, 0, SECOND, NORMAL)
}

/** Draws a line between two particles whose surfaces have pushed each other. */
export function outlineSurface(
  { position }: BodyColumns,
  { ids, columns: { touching } }: Batch<'touching'>,
  row: number,
  out: Outline,
): void {
  if (touching[row] === 0) return
  let size = 0
  for (let k = 0; k < 3; k++) {
    g[k] = position[4 * ids[2 * row] + k]
    g[SECOND + k] = position[4 * ids[2 * row + 1] + k]
    g[NORMAL + k] = g[k] - g[SECOND + k]
    size += g[NORMAL + k] * g[NORMAL + k]
  }
  if (size === 0) return
  for (let k = 0; k < 3; k++) g[NORMAL + k] /= Math.sqrt(size)
  out.contact(g, 0, SECOND, NORMAL)
}
