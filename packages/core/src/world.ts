/** The complete world: what users call. */

import type { quat, vec3 } from 'gl-matrix'
import { object } from './define/assert.js'
import type { ConstraintsDef } from './define/common.js'
import type { BlockSolver, ConstraintType } from './define/contract.js'
import { jointTrees } from './direct/direct.js'
import { addBodies } from './edit/add-bodies.js'
import type { ConstraintList } from './edit/constraint-list.js'
import { addConstraints } from './edit/edit-many.js'
import { addSolver, removeSolver } from './edit/solvers.js'
import { shrink } from './edit/shrink.js'
import { energyGuard } from './guard/guard.js'
import { momentumGuard } from './guard/momentum-guard.js'
import { LeanWorld, type NewWorldOptions } from './lean-world.js'
import { energyLedger } from './ledger/ledger.js'
import { type Energy, type Momentum, momentumOf, energyOf } from './measure/energy.js'
import { residualsOf, type TypeResidual } from './measure/residuals.js'
import { hashOf } from './readout/hash.js'
import { interpolate } from './readout/interpolation.js'
import { reportOf, type StepReport } from './readout/report.js'
import { restoreSnapshot, type Snapshot, takeSnapshot } from './readout/snapshot.js'
import { type SceneJson, sceneOf } from './readout/to-json.js'
import type { BodiesDef } from './state/body-definition.js'
import type { Body } from './state/body.js'
import { type ProjectOptions, type ProjectReport, projectWorld } from './step/project-world.js'

/** A set of bodies and constraints that is stepped together. Two worlds share nothing. */
export class World extends LeanWorld {
  constructor(options: NewWorldOptions = {}) {
    // The energy guard judges the velocities that the other parts leave.
    super({ ...withoutParts(options), parts: [jointTrees, energyGuard, energyLedger, momentumGuard] })
  }

  /** Adds many bodies or particles from typed arrays. */
  addBodies(def: BodiesDef): Body[] {
    return addBodies(this, def)
  }

  /**
   * Adds many constraints of one type from arrays: `world.addConstraints(distance, { bodies, indices: edges, each: { length } })`. They are the ones that
   * `add` makes one by one, in their order. A type of `a` and `b` takes two indices a constraint, others as many as they join. Throws
   * `TypeError`/`RangeError` with what, which and the value, and adds nothing, when an entry is wrong.
   */
  addConstraints<Def extends object, Resolved extends Def = Def>(
    type: ConstraintType<Def, string, Resolved>,
    def: ConstraintsDef<Def>,
  ): ConstraintList<Def> {
    return addConstraints(this, type, def)
  }

  /**
   * Moves bodies onto all rigid constraints, inside limits and out of contacts, to a pose near the present one in the metric of mass. No
   * time passes and no velocity changes; compliant constraints, springs and drives take no part. Trees of joints are solved
   * together, loops by their border, the rest by sweeps. What `maxMove` or `iterations` leaves is told in the report.
   * (Waterson, section 11.)
   */
  project(options: ProjectOptions = {}): ProjectReport {
    return projectWorld(this, options)
  }

  /** Adds a solver of many rows at once; at most one of a name. It may take rows from now on. */
  addSolver(solver: BlockSolver): void {
    addSolver(this, solver)
  }

  /**
   * Takes a solver out that `addSolver` put in: its rows go to the other solvers and the sweep, which repair without speed what it left.
   * Throws `TypeError` where it is none, `RangeError` where the world has no such solver.
   */
  removeSolver(solver: BlockSolver): void {
    removeSolver(this, solver)
  }

  /** A body's pose between the last two steps, at `alpha`, for drawing after `advance`. Includes full revolutions of fast bodies. */
  interpolate(body: Body, position: vec3, orientation?: quat): void {
    interpolate(this, body, position, orientation)
  }

  /** What the last step has to say. */
  get report(): StepReport {
    return reportOf(this)
  }

  /** Largest and rms error by constraint type, at the present pose: [m] for `linear`, [rad] for `angular`. */
  residual(): Record<string, TypeResidual> {
    return residualsOf(this)
  }

  /** Kinetic, gravitational and elastic energy [J]; with `energyLedger`, who put it in. */
  energy(): Energy {
    return energyOf(this)
  }

  /** Linear [kg m/s] and angular momentum about the origin [kg m²/s] of all dynamic bodies. */
  momentum(): Momentum {
    return momentumOf(this)
  }

  /**
   * A copy of the state: everything that the next steps depend on. `former` is a snapshot that is no longer needed: its array is written over, and it
   * cannot be restored any more. A ring of snapshots then allocates next to nothing.
   */
  snapshot(former?: Snapshot): Snapshot {
    return takeSnapshot(this, former)
  }

  /** Goes back to a snapshot of this world, also across bodies and constraints added or removed since. */
  restore(snapshot: Snapshot): void {
    restoreSnapshot(this, snapshot)
  }

  /**
   * Gives back the memory that removed bodies and constraints leave: tables are as large as what is in them. Nothing of the state
   * changes, and handles and snapshots stay good. Costs about as much as an ordering; call it after much was removed, not every step.
   */
  shrink(): void {
    shrink(this)
  }

  /** 16 hexadecimal digits that depend on every bit of the state (±0 counts as the same). */
  hash(): string {
    return hashOf(this)
  }

  /** The whole scene as plain data that `JSON.stringify` takes; `fromJSON` reads it. */
  toJSON(): SceneJson {
    return sceneOf(this)
  }
}

/** Refuses `parts`: a complete world has all of them. */
function withoutParts(options: NewWorldOptions): NewWorldOptions {
  if ('parts' in object('World: options', options)) {
    throw new TypeError('World: parts must be left out, as a World has all of them (a LeanWorld takes some), got parts')
  }
  return options
}
