/** Takes solvers of many rows out of a world. */

import { object, shown } from '../define/assert.js'
import { type BlockSolver, TREES } from '../define/contract.js'
import type { WorldState } from '../state/world-state.js'

/**
 * Removes a solver that `addSolver` added. The other solvers and the sweep take its rows, and correct the remaining error without adding velocity.
 * Throws `TypeError` for other values, `RangeError` where the world has no such solver.
 */
export function removeSolver(world: WorldState, solver: BlockSolver): void {
  world.bodies.callbacks.refuse('removeSolver')
  const { name } = object('removeSolver: solver', solver)
  const place = name === TREES ? -1 : world.solvers.indexOf(solver)
  if (place < 0) throw new RangeError(`removeSolver: solver must be one that was added, got ${shown(name)}`)
  world.solvers.splice(place, 1)
  for (let row = 0; row < world.bodies.count; row++) world.bodies.disturb(row)
  world.markGraphStale()
}
