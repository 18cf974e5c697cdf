/**
 * Takes overlap of particles out before a substep: they are moved apart by mass, and no speed comes of it. It is done before anything is predicted,
 * or what is moved out of one would begin the substep within another, which would push it back with speed.
 */

import type { BodyColumns } from '@tautline/core/kernel'
import { APART, type PairContacts, PUSH, RECORD } from './pair-columns.js'
import { REPAIR } from './point-prepare.js'

/** Moves what the rows join apart, by a share of the overlap and no faster than the push-out of their materials, in a substep of `h` [s]. */
export function repairPairs({ position: x }: BodyColumns, batch: PairContacts, h: number): void {
  const { active, ids } = batch
  const { record } = batch.columns
  for (let row = 0; row < active; row++) {
    const r = RECORD * row
    const i = 4 * ids[2 * row]
    const j = 4 * ids[2 * row + 1]
    const d = record[r + APART]
    const dx = x[i] - x[j]
    const dy = x[i + 1] - x[j + 1]
    const dz = x[i + 2] - x[j + 2]
    const square = dx * dx + dy * dy + dz * dz
    const w = x[i + 3] + x[j + 3]
    if (!(square < d * d) || w === 0) continue
    const length = Math.sqrt(square)
    const most = record[r + PUSH] * h
    const share = REPAIR * (d - length)
    const push = (share < most ? share : most) / w
    // Of two in one place the first goes along x.
    const a = length > 0 ? push / length : push
    const nx = length > 0 ? dx : 1
    const wi = a * x[i + 3]
    const wj = a * x[j + 3]
    x[i] += wi * nx
    x[i + 1] += wi * dy
    x[i + 2] += wi * dz
    x[j] -= wj * nx
    x[j + 1] -= wj * dy
    x[j + 2] -= wj * dz
  }
}
