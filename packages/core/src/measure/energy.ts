/** Energy and momentum of a world, and the sums of its energy ledger. */

import type { Batch } from '../state/batch.js'
import { ASLEEP, type BodyColumns, DYNAMIC, ROTATES } from '../state/body-columns.js'
import { worldInertia } from '../state/inertia.js'
import { effectiveInverseMass } from '../step/group-system.js'
import type { Group, Rows } from '../define/rows.js'
import type { WorldView } from '../define/contract.js'
import { ENERGY_LEDGER } from '../define/step-part.js'
import type { WorldState } from '../state/world-state.js'

/** Sums since the world has kept a ledger [J]. What takes energy out counts below 0, but for `lost`. */
export interface EnergyLedger {
  /** What was done to the world between steps, and by the velocity hook. */
  user: number
  /** Work of `applyForce` and `applyTorque`. */
  forces: number
  /** Work of drives, beyond what their springs have stored, of laws of force, and of winches. */
  drives: number
  /** Work of kinematic bodies. */
  kinematic: number
  /** Energy that springs and soft rows gave back; stored energy counts below 0. Part of `total` already. */
  springs: number
  /** Kinetic energy that velocity passes over contacts added, as far as they added any. No source: the same impacts took more. */
  restitution: number
  /** What nothing put in: sums of the substeps that ended with more than there was for them. */
  gained: number
  /** What friction, damping, impacts and the scheme took. */
  lost: number
}

/** [J] */
export interface Energy {
  /** Of motion, ½ m v² + ½ ω·I ω, of all dynamic bodies. */
  kinetic: number
  /** −m g·x, zero at the origin. */
  potential: number
  /** Stored in compliance, springs and drives. */
  elastic: number
  /** Of the three together. */
  total: number
  /** Who put energy in, and what came from nothing: in a world with `energyLedger`. */
  ledger?: EnergyLedger
}

/** Of all dynamic bodies, angular momentum about the origin. */
export interface Momentum {
  /** [kg m/s] */
  linear: [number, number, number]
  /** [kg m²/s] */
  angular: [number, number, number]
}

const TENSOR = /* @__PURE__ */ new Float64Array(9)

/** I ω of a body in world space [kg m²/s]; zeros for a particle. */
function spinMomentum(c: BodyColumns, i: number): [number, number, number] {
  if ((c.flags[i] & ROTATES) === 0) return [0, 0, 0]
  worldInertia(c, i, TENSOR)
  const x = c.angularVelocity[3 * i]
  const y = c.angularVelocity[3 * i + 1]
  const z = c.angularVelocity[3 * i + 2]
  return [
    TENSOR[0] * x + TENSOR[1] * y + TENSOR[2] * z,
    TENSOR[3] * x + TENSOR[4] * y + TENSOR[5] * z,
    TENSOR[6] * x + TENSOR[7] * y + TENSOR[8] * z,
  ]
}

/** Linear [kg m/s] and angular momentum about the origin [kg m²/s] of all dynamic bodies of a world. */
export function momentumOf({ bodies }: WorldView): Momentum {
  const { position, velocity, inverseMass, kind } = bodies.columns
  const linear: [number, number, number] = [0, 0, 0]
  const angular: [number, number, number] = [0, 0, 0]
  for (let i = 0; i < bodies.count; i++) {
    if (kind[i] !== DYNAMIC) continue
    const m = 1 / inverseMass[i]
    const p = [m * velocity[3 * i], m * velocity[3 * i + 1], m * velocity[3 * i + 2]]
    const [x, y, z] = [position[4 * i], position[4 * i + 1], position[4 * i + 2]]
    const spin = spinMomentum(bodies.columns, i)
    angular[0] += y * p[2] - z * p[1] + spin[0]
    angular[1] += z * p[0] - x * p[2] + spin[1]
    angular[2] += x * p[1] - y * p[0] + spin[2]
    for (let k = 0; k < 3; k++) linear[k] += p[k]
  }
  return { linear, angular }
}

/** Energies of a world whose rows are in order. */
export function measureEnergy(world: WorldView): Energy {
  const { bodies } = world
  const { position, inverseMass, gravityScale, kind } = bodies.columns
  const { gravity } = world.settings
  let kinetic = 0
  let potential = 0
  for (let i = 0; i < bodies.count; i++) {
    if (kind[i] !== DYNAMIC) continue
    kinetic += kineticOf(bodies.columns, i)
    for (let k = 0; k < 3; k++) potential -= (gravityScale[i] * gravity[k] * position[4 * i + k]) / inverseMass[i]
  }
  const elastic = elasticEnergy(world)
  return { kinetic, potential, elastic, total: kinetic + potential + elastic }
}

/** ½ m v² + ½ ω·I ω of a dynamic body [J]. */
export function kineticOf(bodies: BodyColumns, i: number): number {
  const { velocity, angularVelocity, inverseMass } = bodies
  const spin = spinMomentum(bodies, i)
  let twice = 0
  for (let k = 0; k < 3; k++) {
    const v = velocity[3 * i + k]
    twice += (v * v) / inverseMass[i] + spin[k] * angularVelocity[3 * i + k]
  }
  return 0.5 * twice
}

/** ½ c²/compliance of soft rows that act or sleep, and ½ k c² of springs and drives. */
function elasticEnergy(world: WorldView): number {
  const bodies = world.bodies.columns
  let sum = 0
  for (const batch of world.batches) {
    for (let row = 0; row < batch.active; row++) sum += rowElastic(bodies, batch, row)
    if (batch.type.traits?.transient === true) continue
    for (let row = batch.active; row < batch.count; row++)
      if (sleeps(bodies, batch, row)) sum += rowElastic(bodies, batch, row)
  }
  return sum
}

/** Whether a row would act if its bodies were awake: what they stored when they fell asleep they have when they wake. */
function sleeps({ flags }: BodyColumns, { ids, arity, common }: Batch, row: number): boolean {
  if (common.enabled[row] === 0) return false
  for (let b = arity * row; b < arity * (row + 1); b++) if ((flags[ids[b]] & ASLEEP) !== 0) return true
  return false
}

/**
 * The same of one row; `all`: with drives whose stiffness is in proportion to mass. Where `forces` are given, those of the row from `at` on, what a soft
 * row stores is no more than ½ compliance × force²: a sweep that ends before it has met a row leaves an error that the row never bore. Not of
 * damped ones, whose force is not the spring's alone.
 */
export function rowElastic(
  bodies: BodyColumns,
  batch: Batch,
  row: number,
  all = false,
  forces?: Float64Array,
  scale = 1,
  at: number = batch.type.multipliers * row,
): number {
  const { rows, type } = batch
  if (type.energy !== undefined) return type.energy(bodies, batch, row)
  rows.clear()
  type.evaluate(bodies, batch, row, rows)
  let sum = 0
  for (let g = 0; g < rows.groupCount; g++) {
    const group = rows.groups[g]
    const squared = squaredError(rows, group)
    let stored: number
    let compliance: number
    let most = Infinity
    if (group.law === 'force' && (all || !group.accelerationMode)) {
      const w = group.accelerationMode ? effectiveInverseMass(bodies, batch, row, group) : 1
      if (w === 0 || group.stiffness === 0) continue
      compliance = w / group.stiffness
      most = mostForce(group)
      stored = springEnergy(group.stiffness / w, most, squared)
    } else if (group.law === 'position' && group.compliance !== 0) {
      const c = rows.c[group.start]
      if (group.kind === 'scalar' && (c > 0 ? group.lower >= 0 : group.upper <= 0)) continue
      compliance = group.compliance
      stored = (0.5 * squared) / compliance
    } else continue
    if (forces !== undefined && !isDamped(group)) {
      const force = scale * forceOf(rows, group, forces, at)
      // Where it was never solved, nobody knows.
      if (force > 0) stored = Math.min(stored, borne(force, compliance, Math.sqrt(squared), most))
    }
    sum += stored
  }
  return sum
}

/** What the springs of a row's drives store [J]. */
export function driveElastic(bodies: BodyColumns, batch: Batch, row: number): number {
  const { rows, type } = batch
  rows.clear()
  type.evaluate(bodies, batch, row, rows)
  let sum = 0
  for (let g = 0; g < rows.groupCount; g++) {
    const group = rows.groups[g]
    if (group.law !== 'force' || group.stiffness === 0) continue
    const w = group.accelerationMode ? effectiveInverseMass(bodies, batch, row, group) : 1
    if (w > 0) sum += springEnergy(group.stiffness / w, mostForce(group), squaredError(rows, group))
  }
  return sum
}

function squaredError({ c }: Rows, { start, size }: Group): number {
  let squared = 0
  for (let k = start; k < start + size; k++) squared += c[k] * c[k]
  return squared
}

function isDamped({ law, damping, rayleigh }: Group): boolean {
  return law === 'force' ? damping > 0 : rayleigh > 0
}

/** Size of the force of a group's rows. */
function forceOf(rows: Rows, { start, size }: Group, forces: Float64Array, at: number): number {
  let squared = 0
  for (let k = start; k < start + size; k++) {
    const force = forces[at + rows.multiplier[k]]
    squared += force * force
  }
  return Math.sqrt(squared)
}

/** What a spring stores that bears `force` [J]: ½ compliance force², and of one that bears the most it can at `error`, what it took to bring it there. */
function borne(force: number, compliance: number, error: number, most: number): number {
  const half = 0.5 * compliance * force * force
  return most < Infinity ? Math.max(half, force * error - half) : half
}

/** The most that a drive pushes with [N or N m]. */
function mostForce({ kind, lower, upper, radius }: Group): number {
  return kind === 'scalar' ? Math.min(-lower, upper) : radius
}

/** What a spring of `stiffness` stores [J] whose force ends at `most`: ½ k c², and from where k |c| is more, most |c| − most²/2k. */
function springEnergy(stiffness: number, most: number, squared: number): number {
  if (stiffness * stiffness * squared <= most * most) return 0.5 * stiffness * squared
  return most * (Math.sqrt(squared) - (0.5 * most) / stiffness)
}

/** Kinetic, gravitational and elastic energy [J] of a world; with the option `energyLedger`, who put it in. */
export function energyOf(world: WorldState): Energy {
  world.refreshOrder()
  const energy = measureEnergy(world)
  const ledger = world.partReport(ENERGY_LEDGER) as EnergyLedger | undefined
  return ledger === undefined ? energy : { ...energy, ledger }
}
