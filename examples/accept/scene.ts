/** What a scene of the gate is. */

import type { Collisions } from '@tautline/collision'
import type { World } from '@tautline/core'
import type { Measure } from './measure.js'

/** A scene that is ready to run. */
export interface Made {
  readonly world: World
  /** Where it is given, the worst overlap of its contact points is measured. */
  readonly collisions?: Collisions
  /** What the scene does before a step: targets, forces. */
  before?(step: number): void
  /** The step that is timed. @defaultValue `world.step()` */
  advance?(): void
  /** What the scene watches beside what all scenes do. */
  readonly measures: readonly Measure[]
}

/** Largest acceptable values of what every scene may measure. What has no bound here is not measured, but for time and faults. */
export interface Bounds {
  /** Median processor time of a step in which something is awake, as a multiple of the reference loop (about a millisecond). */
  readonly time: number
  readonly energy?: number
  /** Deepest overlap of contact points [m]. */
  readonly penetration?: number
  /** Passes of joint trees and loads of soft bodies without a solution. */
  readonly unsolved?: number
  /** Components that the energy guard scaled back, over the run. @defaultValue 0 */
  readonly guarded?: number
  /** Newton's solves a pass of the joint trees. */
  readonly solves?: number
}

export interface AcceptScene {
  readonly name: string
  /** What it is, with sizes. */
  readonly text: string
  readonly steps: number
  readonly bounds: Bounds
  /**
   * Something works on the scene: kinematic bodies, drives, forces. Its energy is then measured in a run of its own with `energyLedger`, which takes longer than
   * the step itself.
   */
  readonly hasWork?: boolean
  /**
   * Which energy may not grow: of cloth that of motion and weight alone, as what its soft rows store is read from errors that contacts leave. @defaultValue 'all'
   */
  readonly energyOf?: 'all' | 'motion'
  make(): Made | Promise<Made>
}
