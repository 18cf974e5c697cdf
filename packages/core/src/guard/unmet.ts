/** How far rows that are swept stand open: no repair of them gives a component more than all of its mass going by that much in a substep. */

import type { Batch } from '../state/batch.js'
import type { WorldView } from '../define/contract.js'
import { groupResidual } from '../step/row-solver.js'
import type { DisjointSets } from '../graph/disjoint-sets.js'
import { moverOf } from './links.js'
import { isCounted } from './sources.js'

/** Errors below which a row that no bound is known of is met. */
const MET = 1e-9

/**
 * Adds the errors [m] of swept rows to what `sums` have at `stride` × root + `at`, of components that have a number other than 0 at `asked` there: Infinity where a row
 * turns bodies, whose levers are not known, or gives way and is not counted.
 */
export function addUnmet(
  world: WorldView,
  sets: DisjointSets,
  sums: Float64Array,
  stride: number,
  at: number,
  asked: number,
): void {
  const bodies = world.bodies.columns
  for (const batch of world.batches) {
    if (batch.type.traits?.transient === true) continue
    for (let row = 0; row < batch.swept; row++) {
      const o = stride * sets.root(moverOf(bodies, batch, row))
      if (sums[o + asked] !== 0) sums[o + at] += unmet(world, batch, row)
    }
  }
}

function unmet(world: WorldView, batch: Batch, row: number): number {
  const { rows } = batch
  rows.clear()
  batch.type.evaluate(world.bodies.columns, batch, row, rows)
  const isKnown = batch.common.yields[row] === 0 || isCounted(world, batch, row)
  let sum = 0
  for (let g = 0; g < rows.groupCount; g++) {
    const group = rows.groups[g]
    if (group.law !== 'position' || group.kind === 'disc') continue
    const error = groupResidual(batch, row, rows, group, world.clock.substepLength)
    if (isKnown && group.unit === 'm') sum += error
    else if (error > MET) return Infinity
  }
  return sum
}
