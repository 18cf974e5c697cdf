/** Parts of the step that a world may leave out: the energy guard, the momentum guard, the energy ledger. */

import type { Settings } from '../state/settings.js'
import type { BlockSolver, WorldView } from './contract.js'

/**
 * Watches a step, and may correct velocities. The step calls the hooks of all parts in the order of `WorldState.parts`; those that end something run in
 * the opposite order.
 */
export interface StepPart {
  /** Unique among the parts of a world. */
  readonly name: string
  /** After the options of the world were set or changed. */
  configure?(settings: Settings): void
  /** Before the substeps of a step of `dt` [s]. */
  beginStep?(world: WorldView, dt: number): void
  /** Before each substep. */
  beginSubstep?(world: WorldView): void
  /** In each substep, after stages have run their `beforeSubstep`. */
  afterStages?(world: WorldView): void
  /** Before and after poses are repaired without speed. */
  beginRepair?(world: WorldView): void
  endRepair?(world: WorldView): void
  /** Before and after velocities are derived from the poses of a substep of `h` [s]. */
  beginVelocities?(world: WorldView, h: number): void
  endVelocities?(world: WorldView, h: number): void
  /** Before and after the velocity passes over contacts. */
  beginBounce?(world: WorldView): void
  endBounce?(world: WorldView): void
  /** Before and after the user's velocity hook. */
  beginHook?(world: WorldView): void
  endHook?(world: WorldView): void
  /**
   * After the substeps of a step of `dt` [s]: may correct velocities. `sweeps` if the step swept all rows, also those that block solvers take by
   * default.
   */
  correct?(world: WorldView, dt: number, sweeps: boolean): void
  /** After all corrections, when the velocities of the step are final. */
  endStep?(world: WorldView): void
  /** What it found in the last step, for `reportOf` and `energyOf`. */
  report?(world: WorldView): unknown
}

/** Names of the parts whose reports are read. */
export const ENERGY_GUARD = 'energyGuard'
export const ENERGY_LEDGER = 'energyLedger'

/** What a world takes its parts with. */
export interface WorldParts {
  /** Adds a part to the step; at most one of a name. */
  addPart(part: StepPart): void
  /** Makes the solver of joint trees, which the first joint of the world brings along; without it joints are swept. */
  jointSolver: (() => BlockSolver) | undefined
}

/** A part of a world, for `new LeanWorld({ parts })`: `energyGuard`, `momentumGuard`, `energyLedger`, `jointTrees`. */
export type WorldPart = (world: WorldParts) => void
