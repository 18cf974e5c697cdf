/**
 * The state of a world, and the order of its rows. Edits (`edit/`), the step (`step/`) and what is read from it (`readout/`) are functions
 * over it; `World` is the face that users know.
 */

import { type BlockSolver, TREES, type WorldView } from '../define/contract.js'
import type { Stage } from '../define/stage.js'
import type { StepPart, WorldParts } from '../define/step-part.js'
import type { BodyGraph } from '../graph/body-graph.js'
import { Ordering } from './order.js'
import type { Batch } from './batch.js'
import { Bodies } from './bodies.js'
import type { BodyColumns } from './body-columns.js'
import { type Clock, newClock, type Settings } from './settings.js'
import type { WorldKernels } from '../define/kernels.js'

/** A row that something befell in the last step, as a handle names it. */
export interface RowRef {
  readonly batch: Batch
  readonly slot: number
  readonly generation: number
}

/** What a world is made of. */
export class WorldState implements WorldView, WorldParts {
  readonly bodies: Bodies = new Bodies(
    (row) => this.removeRowsOn(row),
    (where, row, dynamic, turns) => {
      for (const stage of this.stages) stage.bodyChanging?.(where, row, dynamic, turns)
    },
  )
  /** One a constraint type, arity and variant, in sweep order. */
  readonly batches: Batch[] = []
  settings: Settings
  readonly clock: Clock = newClock()
  /** What takes part in the step besides the core, in the order of `use`. */
  readonly stages: Stage[] = []
  /** What solves many rows at once, in the order in which they came: types of joints bring one along, `addSolver` adds others. */
  readonly solvers: BlockSolver[] = []
  /** What has brought solvers along. */
  readonly brought: Set<() => BlockSolver> = new Set()
  /** Rows that were not finite in the last step. */
  readonly skipped: RowRef[] = []
  /** Constraints that broke in the last step. */
  readonly overloaded: RowRef[] = []
  /** Optional parts of the step, in the order in which they run. */
  readonly parts: StepPart[] = []
  jointSolver: (() => BlockSolver) | undefined
  /** Compiled loops, where the world was made with some. */
  kernels: WorldKernels | undefined
  /** What the user does once a substep of h [s] when velocities are known. */
  velocityHook: ((h: number) => void) | undefined
  /** How often the rows were put in order. */
  orderings = 0
  graph: BodyGraph | undefined
  /** Whether rows have to be put in order, and solvers to gather, before the next substep. */
  private orderStale = true
  private graphStale = true
  private orderedVersion = -1
  private ordering = new Ordering()
  private startView: BodyColumns | undefined

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** Pose columns of the start of the substep, in place of the present ones. */
  get startPose(): BodyColumns {
    const c = this.bodies.columns
    if (this.startView?.position !== c.startPosition) {
      this.startView = { ...c, position: c.startPosition, orientation: c.startOrientation }
    }
    return this.startView
  }

  addPart(part: StepPart): void {
    if (this.parts.some(({ name }) => name === part.name)) {
      throw new RangeError(`parts must hold each part once, got ${part.name} twice`)
    }
    part.configure?.(this.settings)
    this.parts.push(part)
  }

  /** What a part of the step found in the last step; nothing if the world does not have it. */
  partReport(name: string): unknown {
    return this.parts.find((part) => part.name === name)?.report?.(this)
  }

  /** Marks the sweep order for renewal before the next substep, and what solvers gather where a row of `batch` may concern them. */
  markOrderStale(batch?: Batch): void {
    this.orderStale = true
    if (batch === undefined) return
    const { joint, traits } = batch.type
    // Solvers other than trees of joints may ask what else is on a body.
    const hasOthers = this.solvers.some(({ name }) => name !== TREES)
    if (joint !== undefined || (hasOthers && traits?.transient !== true) || this.solvers.length > this.brought.size) {
      this.graphStale = true
    }
  }

  /** Marks the order, and what solvers gather, for renewal. */
  markGraphStale(): void {
    this.orderStale = this.graphStale = true
  }

  /** Lets kernels move tables into their memory; solvers find their columns again. */
  settleTables(): void {
    if (this.kernels?.settle(this) !== true || this.isOrderStale) return
    for (const solver of this.solvers) solver.locate?.(this)
  }

  /** Renews the sweep order if bodies or constraints have changed. */
  refreshOrder(): void {
    this.putInOrder(false)
  }

  /** The same where `all` joints are to be solved together, as a projection wants them. */
  putInOrder(all: boolean): void {
    if (!this.isOrderStale) return
    this.batches.sort((r, s) => r.type.order - s.type.order || (r.key < s.key ? -1 : r.key > s.key ? 1 : 0))
    const stale = this.graphStale || this.orderedVersion !== this.bodies.version
    if (stale) {
      for (const { common, count } of this.batches) common.direct.fill(0, 0, count)
      for (const solver of this.solvers) solver.gather(this, all)
    }
    this.ordering.run(this.bodies, this.batches, this.settings.order)
    for (const solver of this.solvers) solver.locate?.(this)
    this.orderings++
    this.graphStale = false
    this.keepOrder()
  }

  /** Whether bodies or rows have come, gone or changed since rows were last put in order. */
  get isOrderStale(): boolean {
    return this.orderStale || this.orderedVersion !== this.bodies.version
  }

  /** Whether the rows stand in the order of a snapshot that was taken after so many orderings. */
  isOrderedAs(orderings: number): boolean {
    return !this.isOrderStale && this.orderings === orderings
  }

  /** Takes the present order for good. */
  keepOrder(): void {
    this.orderStale = false
    this.orderedVersion = this.bodies.version
  }

  /** Wakes the bodies of a row that is about to change. */
  wakeAround({ arity, common: { body } }: Batch, row: number): void {
    for (let b = arity * row; b < arity * (row + 1); b++) this.bodies.wake(body[b])
  }

  /** Forgets what orderings have kept, memory included; the next substep puts the rows in order. */
  renewOrdering(): void {
    this.ordering = new Ordering()
    this.markGraphStale()
  }

  /** Removes the rows on a body that is about to go. */
  private removeRowsOn(body: number): void {
    for (const stage of this.stages) stage.bodyRemoved?.(body)
    for (const batch of this.batches) {
      // Whoever keeps their order has been told.
      if (batch.type.traits?.unordered === true) continue
      const { incidence } = batch
      for (let slot = incidence.slotOf(body); slot >= 0; slot = incidence.slotOf(body)) {
        this.wakeAround(batch, batch.slotRow[slot])
        batch.remove(slot)
      }
    }
    this.markOrderStale()
  }
}
