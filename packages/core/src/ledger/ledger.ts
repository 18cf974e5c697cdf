/**
 * The energy ledger: who put energy into a world, substep by substep, and what came from nothing. E is kinetic, gravitational and
 * elastic energy together.
 *
 *   between steps   ΔE                                                     user: edits, impulses, bodies added, targets moved
 *   in a substep    Σ f·Δx + τ·Δθ                                          forces
 *                   −λ/h² · J Δx_k of each row on a kinematic body k       kinematic
 *                   λ/h² · J ΔX + ΔU of rows with a wanted rate, a bound,  drives
 *                   gains by mass, or a law of force; λ/h² · J ΔX of rigid
 *                   ones that are set anew, as by a winch
 *                   ΔT over the user's hook                                user
 *   the rest        ΔE less all of these: above 0 gained, below lost
 *
 * J is the mean of those at both ends of the substep. Elastic energy that comes back is in E already: `springs` tells of it, and
 * `restitution` of what bounces gave back of what their impacts took in the same substep; neither is a source.
 */

import type { Batch } from '../state/batch.js'
import { type BodyColumns, DYNAMIC, EDITED, KINEMATIC } from '../state/body-columns.js'
import { type EnergyLedger, measureEnergy, rowElastic } from '../measure/energy.js'
import { rotationBetween } from '../math/rotation.js'
import { moved } from '../step/row-solver.js'
import type { Group } from '../define/rows.js'
import type { WorldView } from '../define/contract.js'
import { ENERGY_LEDGER, type StepPart, type WorldParts } from '../define/step-part.js'
import type { Settings } from '../state/settings.js'

/** The energy ledger of a world: keeps sums while the option `energyLedger` is set. */
class Ledger implements StepPart {
  readonly name = ENERGY_LEDGER
  private sums = emptySums()
  private isKept = false
  /** E and U where the last substep ended; NaN before the first look. */
  private total = NaN
  private elastic = 0
  /** Kinetic energy before the velocity passes or the user's hook [J]. */
  private kinetic = 0
  /** What the hook of this substep did [J]. */
  private byHook = 0
  /** U of the rows that drive, at the start of the substep, in order. */
  private readonly drivesBefore: number[] = []
  /** Whether rows were set anew in this substep, in order. */
  private readonly resets: boolean[] = []
  private isOpen = false

  /** Begins anew when the option is switched on. */
  configure({ energyLedger: isKept }: Settings): void {
    if (isKept && !this.isKept) {
      this.sums = emptySums()
      this.total = NaN
      this.isOpen = false
    }
    this.isKept = isKept
  }

  report(): EnergyLedger | undefined {
    return this.isKept ? { ...this.sums } : undefined
  }

  /** Before the first substep of a step: what happened since the last one is the user's. */
  beginStep(world: WorldView): void {
    if (!this.isKept) return
    const { total, elastic } = measureEnergy(world)
    if (!Number.isNaN(this.total)) this.sums.user += total - this.total
    this.total = total
    this.elastic = elastic
  }

  /** Before each substep: closes the one before. */
  beginSubstep(world: WorldView): void {
    if (!this.isKept) return
    this.close(world)
    this.isOpen = true
    this.byHook = 0
    this.drivesBefore.length = 0
    const bodies = world.bodies.columns
    eachRow(world, (batch, row) => {
      if (isSource(bodies, batch, row)) this.drivesBefore.push(rowElastic(bodies, batch, row))
    })
  }

  /** Notes which rows stages have set anew. Their flags are cleared before the substep is closed. */
  afterStages(world: WorldView): void {
    if (!this.isKept) return
    this.resets.length = 0
    const bodies = world.bodies.columns
    eachRow(world, (batch, row) => this.resets.push(isReset(bodies, batch, row)))
  }

  /** Closes the last substep of a step. */
  endStep(world: WorldView): void {
    if (this.isKept) this.close(world)
  }

  beginHook(world: WorldView): void {
    this.noteKinetic(world)
  }

  endHook(world: WorldView): void {
    if (this.isKept) this.byHook += measureEnergy(world).kinetic - this.kinetic
  }

  beginBounce(world: WorldView): void {
    this.noteKinetic(world)
  }

  endBounce(world: WorldView): void {
    if (this.isKept) this.sums.restitution += Math.max(0, measureEnergy(world).kinetic - this.kinetic)
  }

  private noteKinetic(world: WorldView): void {
    if (this.isKept) this.kinetic = measureEnergy(world).kinetic
  }

  private close(world: WorldView): void {
    if (!this.isOpen) return
    this.isOpen = false
    const { sums, byHook } = this
    const h = world.clock.substepLength
    const { total, elastic } = measureEnergy(world)
    const forces = workOfForces(world)
    const drives = this.workOfDrives(world, h)
    const kinematic = workOfKinematic(world, h)
    const rest = total - this.total - forces - drives - kinematic - byHook
    sums.user += byHook
    sums.forces += forces
    sums.drives += drives
    sums.kinematic += kinematic
    sums.springs += this.elastic - elastic
    if (rest > 0) sums.gained += rest
    else sums.lost -= rest
    this.total = total
    this.elastic = elastic
  }

  /** λ/h² · J ΔX + ΔU of the rows that drive. */
  private workOfDrives(world: WorldView, h: number): number {
    const bodies = world.bodies.columns
    let work = 0
    let k = 0
    let n = 0
    eachRow(world, (batch, row) => {
      const source = isSource(bodies, batch, row)
      const reset = !source && (this.resets[n] ?? false)
      n++
      if (!source && !reset) return
      if (source) work += rowElastic(bodies, batch, row) - (this.drivesBefore[k++] ?? 0)
      for (const pose of [world.startPose, bodies]) {
        const { rows, type } = batch
        rows.clear()
        type.evaluate(pose, batch, row, rows)
        for (let g = 0; g < rows.groupCount; g++) {
          const group = rows.groups[g]
          if ((group.law === 'position') !== reset) continue
          for (let r = group.start; r < group.start + group.size; r++) {
            const l = batch.common.lambda[type.multipliers * row + rows.multiplier[r]]
            work += (0.5 * l * moved(bodies, batch, row, r)) / (h * h)
          }
        }
      }
    })
    return work
  }
}

function eachRow(world: WorldView, visit: (batch: Batch, row: number) => void): void {
  for (const batch of world.batches) for (let row = 0; row < batch.active; row++) visit(batch, row)
}

/** Whether a row may put in more than its spring has stored. */
function isSource(bodies: BodyColumns, batch: Batch, row: number): boolean {
  const { rows, type } = batch
  if (type.transient === true) return false
  rows.clear()
  type.evaluate(bodies, batch, row, rows)
  for (let g = 0; g < rows.groupCount; g++) {
    const group = rows.groups[g]
    if (group.law === 'position') continue
    if (group.law === 'implicitForce' || group.accelerationMode || isBounded(group)) return true
    for (let k = group.start; k < group.start + group.size; k++) if (rows.rate[k] !== 0) return true
  }
  return false
}

/** Whether a row that does not give way may have been set to another length in the substep, as a winch does. */
function isReset({ flags }: BodyColumns, { ids, arity, common, type }: Batch, row: number): boolean {
  if (type.transient === true || common.yields[row] !== 0) return false
  for (let b = arity * row; b < arity * (row + 1); b++) if ((flags[ids[b]] & EDITED) !== 0) return true
  return false
}

function isBounded({ lower, upper, radius }: Group): boolean {
  return lower > -Infinity || upper < Infinity || radius < Infinity
}

const TURNED = /* @__PURE__ */ new Float64Array(3)

function workOfForces(world: WorldView): number {
  const c = world.bodies.columns
  let work = 0
  for (let i = 0; i < world.bodies.count; i++) {
    if (c.kind[i] !== DYNAMIC) continue
    const v = 3 * i
    const acts = c.force[v] !== 0 || c.force[v + 1] !== 0 || c.force[v + 2] !== 0
    const turns = c.torque[v] !== 0 || c.torque[v + 1] !== 0 || c.torque[v + 2] !== 0
    if (acts) {
      for (let k = 0; k < 3; k++) work += c.force[v + k] * (c.position[4 * i + k] - c.startPosition[4 * i + k])
    }
    if (!turns) continue
    rotationBetween(c.orientation, 4 * i, c.startOrientation, 4 * i, TURNED, 0)
    for (let k = 0; k < 3; k++) work += c.torque[v + k] * TURNED[k]
  }
  return work
}

/** −λ/h² · J Δx_k of all rows on kinematic bodies. */
function workOfKinematic(world: WorldView, h: number): number {
  const bodies = world.bodies.columns
  let work = 0
  eachRow(world, (batch, row) => {
    for (let b = 0; b < batch.arity; b++) {
      const i = batch.ids[batch.arity * row + b]
      if (bodies.kind[i] !== KINEMATIC) continue
      rotationBetween(bodies.orientation, 4 * i, bodies.startOrientation, 4 * i, TURNED, 0)
      for (const pose of [world.startPose, bodies])
        work -= (0.5 * reactionWork(pose, bodies, batch, row, b, i)) / (h * h)
    }
  })
  return work
}

/** λ · J Δx of the `b`-th body of a row, J at a pose; `TURNED` is its rotation. */
function reactionWork(pose: BodyColumns, bodies: BodyColumns, batch: Batch, row: number, b: number, i: number): number {
  const { rows, type } = batch
  rows.clear()
  type.evaluate(pose, batch, row, rows)
  let work = 0
  for (let r = 0; r < rows.count; r++) {
    const l = batch.common.lambda[type.multipliers * row + rows.multiplier[r]]
    if (l === 0) continue
    const o = 6 * (batch.arity * r + b)
    for (let k = 0; k < 3; k++) {
      work += l * rows.J[o + k] * (bodies.position[4 * i + k] - bodies.startPosition[4 * i + k])
      work += l * rows.J[o + 3 + k] * TURNED[k]
    }
  }
  return work
}

function emptySums(): EnergyLedger {
  return { user: 0, forces: 0, drives: 0, kinematic: 0, springs: 0, restitution: 0, gained: 0, lost: 0 }
}

/** Part of a world: keeps the energy ledger where the option `energyLedger` asks for it. */
export function energyLedger(world: WorldParts): void {
  world.addPart(new Ledger())
}
