/** Adds block solvers to a world, and removes them. */

import { callable, object, shown } from '../define/assert.js'
import { type BlockSolver, SOLVER_HOOKS, TREES } from '../define/contract.js'
import type { WorldState } from '../state/world-state.js'

/** Adds a solver of many rows at once; at most one of a name. It may take rows from now on. Throws `TypeError`/`RangeError` for a wrong solver. */
export function addSolver(world: WorldState, solver: BlockSolver): void {
  world.bodies.callbacks.refuse('addSolver')
  const fields = object('addSolver: solver', solver)
  if (typeof solver.name !== 'string') {
    throw new TypeError(`addSolver: solver.name must be a text, got ${shown(solver.name)}`)
  }
  for (const hook of SOLVER_HOOKS) {
    const isRequired = hook === 'gather' || hook === 'solve'
    if (isRequired || fields[hook] !== undefined) callable(`addSolver: solver.${hook}`, fields[hook])
  }
  // The solver of joint trees comes with the first joint.
  if (solver.name === TREES || world.solvers.some(({ name }) => name === solver.name)) {
    throw new RangeError(`addSolver: solver must be the only one of its name, got another ${solver.name}`)
  }
  world.solvers.push(solver)
  world.markGraphStale()
}

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
