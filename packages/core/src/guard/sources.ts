/** Where a component may have its energy from, besides gravity and forces on bodies: looked at only where it has gained some. */

import type { Batch } from '../state/batch.js'
import { type BodyColumns, EDITED, TURNS } from '../state/body-columns.js'
import { rowElastic } from '../readout/energy.js'
import type { WorldView } from '../define/contract.js'
import type { StartForces } from './start-forces.js'
import type { Components, Leading, Suspect } from './components.js'

/** Largest speeds that drives ask for [m/s, rad/s], all together. */
const ASKED = /* @__PURE__ */ new Float64Array(2)

/** Adds U₀ − U₁ and T_led to what is known of a component; `before` and `forces` are those at the start of the step. */
export function addSources(
  world: WorldView,
  guard: Components,
  before: BodyColumns,
  forces: StartForces,
  suspect: Suspect,
  { leader, speed, spin }: Leading,
): void {
  const bodies = world.bodies.columns
  const h = world.clock.substepLength
  ASKED.fill(0)
  let stored = 0
  for (let t = 0; t < world.batches.length; t++) {
    const batch = world.batches[t]
    if (batch.type.transient === true) continue
    const first = forces.at(world, t)
    for (let row = 0; row < batch.active; row++) {
      if (!isRowIn(world, guard, batch, row, suspect.root)) continue
      if (batch.type.opaque === true) suspect.unknown = true
      // Otherwise it is in the sums of the step.
      if (!isCounted(bodies, batch, row)) {
        stored += rowElastic(before, batch, row, true, first)
        stored -= rowElastic(bodies, batch, row, true, first && batch.common.lambda, 1 / (h * h))
      }
      addAsked(before, batch, row)
    }
  }
  suspect.released = Math.max(0, stored)
  ASKED[0] += speed[suspect.root]
  ASKED[1] += spin[suspect.root]
  suspect.led = energyLed(world, guard, suspect, leader[suspect.root])
}

/**
 * Whether what a row stores is in the sums of every step: rows that give way between bodies that turn, or by lines. Cloth and ropes of
 * particles are passive as they are swept (nets.ts), and are many.
 */
export function isCounted({ flags, position }: BodyColumns, { ids, arity, common, type }: Batch, row: number): boolean {
  if (common.yields[row] === 0) return false
  if (type.arrange !== undefined) return true
  for (let b = arity * row; b < arity * (row + 1); b++) {
    if (position[4 * ids[b] + 3] !== 0 && (flags[ids[b]] & TURNS) !== 0) return true
  }
  return false
}

function isRowIn(world: WorldView, guard: Components, batch: Batch, row: number, root: number): boolean {
  for (let b = batch.arity * row; b < batch.arity * (row + 1); b++)
    if (guard.isIn(world, batch.ids[b], root)) return true
  return false
}

/** Adds the speeds that a row's drives ask for. */
function addAsked(bodies: BodyColumns, batch: Batch, row: number): void {
  const { rows, type } = batch
  rows.clear()
  type.evaluate(bodies, batch, row, rows)
  for (let g = 0; g < rows.groupCount; g++) {
    const { law, unit, start, size } = rows.groups[g]
    if (law === 'position') continue
    let squared = 0
    for (let k = start; k < start + size; k++) squared += rows.rate[k] * rows.rate[k]
    ASKED[unit === 'm' ? 0 : 1] += Math.sqrt(squared)
  }
}

/** T of a component that goes with the speeds asked for, about the leader or any of its bodies [J]. */
function energyLed(world: WorldView, guard: Components, { root }: Suspect, leader: number): number {
  const [speed, spin] = ASKED
  if (speed === 0 && spin === 0) return 0
  const { position, inverseMass, moments } = world.bodies.columns
  const centre = 4 * (leader > 0 ? leader : root)
  let mass = 0
  let inertia = 0
  let reach = 0
  for (let i = 1; i < world.bodies.count; i++) {
    if (!guard.isIn(world, i, root)) continue
    const x = position[4 * i] - position[centre]
    const y = position[4 * i + 1] - position[centre + 1]
    const z = position[4 * i + 2] - position[centre + 2]
    reach = Math.max(reach, x * x + y * y + z * z)
    mass += 1 / inverseMass[i]
    inertia += Math.max(moments[3 * i], moments[3 * i + 1], moments[3 * i + 2])
  }
  const fastest = speed + 2 * spin * Math.sqrt(reach)
  return 0.5 * mass * fastest * fastest + 0.5 * inertia * spin * spin
}

/**
 * Notes that a constraint which bears load was changed: what it is changed to may give its bodies energy in the next step, and that
 * is the user's doing. One that bears none may not have been in a step yet, and is as if it had been made so.
 */
export function markEdited(bodies: BodyColumns, batch: Batch, row: number): void {
  const { body, lambda } = batch.common
  const { multipliers } = batch.type
  let bears = false
  for (let k = multipliers * row; k < multipliers * (row + 1); k++) if (lambda[k] !== 0) bears = true
  if (!bears) return
  for (let b = batch.arity * row; b < batch.arity * (row + 1); b++) bodies.flags[body[b]] |= EDITED
}

/** Forgets that constraints were changed: what a step made of it has been seen. */
export function clearEdited(bodies: BodyColumns, count: number): void {
  const { flags } = bodies
  for (let i = 0; i < count; i++) if ((flags[i] & EDITED) !== 0) flags[i] &= ~EDITED
}
