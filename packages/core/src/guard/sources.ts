/** Finds where a component may have its energy from, besides gravity and forces on bodies: looked at only where it has gained some. */

import type { Batch } from '../state/batch.js'
import { type BodyColumns, RETARGETED, ROTATES, TIED } from '../state/body-columns.js'
import { rowElastic } from '../measure/energy.js'
import { effectiveInverseMass } from '../step/group-system.js'
import type { WorldView } from '../define/contract.js'
import type { StartForces } from './step-start.js'

/** Knows which bodies belong to the component of a root. */
export interface Components {
  isIn(world: WorldView, i: number, root: number): boolean
}

/** What the guard finds out about one component that looks as if it had gained. */
export interface Suspect {
  root: number
  /** U₀ − U₁ where that is positive [J]. */
  released: number
  /** T_led of all that leads [J]. */
  led: number
  /** The same without drives that have a damping, and the most that those can have put in [J]. */
  ledOtherwise: number
  driven: number
  /** Something acts on it whose energy nobody knows. */
  unknown: boolean
}

/** What kinematic bodies do to components, by root: one of them, or 0, and how fast the fastest moves [m/s] and turns [rad/s]. */
export interface Leading {
  readonly leader: Int32Array
  readonly speed: Float64Array
  readonly spin: Float64Array
}

/** Largest speeds that drives ask for [m/s, rad/s], all together; the same of those without a damping. */
const ASKED = /* @__PURE__ */ new Float64Array(4)

/** Adds U₀ − U₁ and T_led to what is known of a component; `before` and `forces` are those at the start of the step. */
export function addSources(
  world: WorldView,
  dt: number,
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
  let driven = 0
  for (let t = 0; t < world.batches.length; t++) {
    const batch = world.batches[t]
    if (batch.type.traits?.transient === true) continue
    const first = forces.forcesOf(world, t)
    for (let row = 0; row < batch.active; row++) {
      if (!isRowIn(world, guard, batch, row, suspect.root)) continue
      if (batch.type.traits?.opaque === true) suspect.unknown = true
      // Otherwise it is in the sums of the step.
      if (!isCounted(world, batch, row)) {
        const known = isRetargeted(bodies, batch, row) ? undefined : first
        if (isElement(batch)) {
          if (!hasBorne(batch, row, known)) stored += rowElastic(before, batch, row, true)
          continue
        }
        stored += rowElastic(before, batch, row, true, known, 1, batch.type.multipliers * batch.common.slot[row])
        stored -= rowElastic(bodies, batch, row, true, known && batch.common.lambda, 1 / (h * h))
      }
      driven += addAsked(bodies, before, batch, row, dt)
    }
  }
  suspect.released = Math.max(0, stored)
  suspect.driven = driven
  for (let k = 0; k < ASKED.length; k += 2) {
    ASKED[k] += speed[suspect.root]
    ASKED[k + 1] += spin[suspect.root]
  }
  suspect.led = energyLed(world, guard, suspect, leader[suspect.root], 0)
  suspect.ledOtherwise = energyLed(world, guard, suspect, leader[suspect.root], 2)
}

/**
 * Whether what a row stores is in the sums of every step: rows that give way between bodies that rotate or are in trees, or by lines. Cloth and ropes of
 * particles are passive as they are swept (nets.ts), and are many; not so with kept gradients, a warm start or a relaxation above 1, and then all rows count.
 * So do soft bodies that are solved as a whole: a load that has no solution leaves a shape that nothing paid for.
 */
export function isCounted(world: WorldView, batch: Batch, row: number): boolean {
  const { ids, arity, common, type } = batch
  if (isOfWhole(batch, row)) return true
  if (common.yields[row] === 0) return false
  const { jacobians, warmStart } = world.settings
  if (type.loop?.arrange !== undefined || jacobians !== 'fresh' || warmStart > 0 || common.relaxation[row] > 1)
    return true
  const { flags, position } = world.bodies.columns
  for (let b = arity * row; b < arity * (row + 1); b++) {
    if (position[4 * ids[b] + 3] !== 0 && (flags[ids[b]] & (ROTATES | TIED)) !== 0) return true
  }
  return false
}

/** Whether rows of a batch are elements of soft bodies. */
export function isElement({ type }: Batch): boolean {
  return type.blockSolver !== undefined && type.traits?.ownsSoftness === true
}

/** Whether a row is of a soft body that is solved as a whole. */
export function isOfWhole(batch: Batch, row: number): boolean {
  return isElement(batch) && batch.common.direct[row] !== 0
}

/**
 * Whether a row had a force at the start of the step. What an element stores since it has had one was lost by its bodies before, or was never paid for: surfaces that are
 * pushed apart after all sweeps press it without a force that would tell. What it stored before its first is that of the pose it was made in.
 */
function hasBorne({ type, common }: Batch, row: number, forces: Float64Array | undefined): boolean {
  if (forces === undefined) return false
  const at = type.multipliers * common.slot[row]
  for (let k = 0; k < type.multipliers; k++) if (forces[at + k] !== 0) return true
  return false
}

function isRowIn(world: WorldView, guard: Components, batch: Batch, row: number, root: number): boolean {
  for (let b = batch.arity * row; b < batch.arity * (row + 1); b++)
    if (guard.isIn(world, batch.ids[b], root)) return true
  return false
}

/** Whether a drive was given another target or other gains since the last step: the force that it began with is of the one before. */
export function isRetargeted({ flags }: BodyColumns, { ids, arity }: Batch, row: number): boolean {
  for (let b = arity * row; b < arity * (row + 1); b++) if ((flags[ids[b]] & RETARGETED) !== 0) return true
  return false
}

/** Errors at the start of the step of a row's groups, by what `evaluate` calls them. */
const ERRORS = /* @__PURE__ */ new Float64Array(64)

/**
 * Adds the speeds that a row's drives ask for. Returns the most that those with a damping d can have put in over `dt` [J], beyond what their
 * springs have given: with a rate r, ∫ d (r − ċ) ċ dt <= ¼ d r² dt, inside a ball of largest force as well, for the projection onto it is firmly nonexpansive; and where the
 * target has moved at r, k |r| |Δc| dt.
 */
function addAsked(bodies: BodyColumns, before: BodyColumns, batch: Batch, row: number, dt: number): number {
  const { rows, type } = batch
  rows.clear()
  type.evaluate(bodies, batch, row, rows)
  for (let k = 0; k < rows.count && k < ERRORS.length; k++) ERRORS[k] = rows.c[k]
  rows.clear()
  type.evaluate(before, batch, row, rows)
  let most = 0
  for (let g = 0; g < rows.groupCount; g++) {
    const group = rows.groups[g]
    const { law, unit, start, size } = group
    if (law === 'position') continue
    let squared = 0
    let moved = 0
    for (let k = start; k < start + size; k++) {
      squared += rows.rate[k] * rows.rate[k]
      moved += (rows.c[k] - ERRORS[k]) * (rows.c[k] - ERRORS[k])
    }
    if (squared === 0) continue
    const rate = Math.sqrt(squared)
    const at = unit === 'm' ? 0 : 1
    ASKED[at] += rate
    if (law !== 'force') {
      ASKED[2 + at] += rate
      continue
    }
    const w = group.accelerationMode ? effectiveInverseMass(bodies, batch, row, group) : 1
    if (w > 0) most += (dt / w) * (0.25 * group.damping * squared + group.stiffness * rate * Math.sqrt(moved))
  }
  return most
}

/** T of a component that goes with the speeds asked for, about the leader or any of its bodies [J]. */
function energyLed(world: WorldView, guard: Components, { root }: Suspect, leader: number, asked: number): number {
  const speed = ASKED[asked]
  const spin = ASKED[asked + 1]
  if (speed === 0 && spin === 0) return 0
  const { position, inverseMass, principalInertia: moments } = world.bodies.columns
  const centre = 4 * (leader > 0 ? leader : root)
  let mass = 0
  let inertia = 0
  let reach = 0
  const { rows, count } = world.bodies.awake
  for (let n = 1; n < count; n++) {
    const i = rows[n]
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
