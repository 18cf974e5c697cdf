/**
 * The contract of what users add to the core: constraint types, and solvers of many rows at once. The core knows none by name: it stores
 * rows, orders them, and calls what is offered here.
 */

import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import type { BodyColumns } from '../state/body-columns.js'
import type { Clock, Settings } from '../state/settings.js'
import type { Strides } from '../state/table.js'
import type { BodyGraph } from '../graph/body-graph.js'
import type { Curvature } from './curvature.js'
import type { JointRows } from './joint-rows.js'
import type { Outline } from './outline.js'
import type { Rows } from './rows.js'
import type { Touch } from './touch.js'

/** What a part of the step sees of the world; at run time it is the `World`. */
export interface WorldView {
  readonly bodies: Bodies
  /** One a constraint type, arity and variant, in sweep order. */
  readonly batches: readonly Batch[]
  /** What takes part in the step besides the core; what has `findContacts` makes contacts. */
  readonly stages: readonly { findContacts?(): void }[]
  /** What solves many rows at once. */
  readonly solvers: readonly BlockSolver[]
  readonly settings: Settings
  readonly clock: Readonly<Clock>
  /** Pose columns of the start of the substep, in place of the present ones. */
  readonly startPose: BodyColumns
  /** How often the rows were put in order: what is derived from the order is good as long as this stands. */
  readonly orderings: number
  /** Which moving bodies are connected, once a part has asked for it: `graphOf`. */
  graph: BodyGraph | undefined
}

/** The same where a report is made. */
export interface ReportView extends WorldView {
  /** The handle, a `Constraint`, of what a slot of a batch holds. */
  handle(batch: Batch, slot: number): object
}

/** Options of the world that a type may have to know when it checks a definition. */
export interface ResolveContext {
  readonly bodies: BodyColumns
  readonly iterations: number
  /**
   * The constraint exists, and is changed or read back from a scene: what its bodies have become since it was made is no reason to
   * refuse it.
   */
  readonly exists?: boolean
}

/** A definition that `resolve` has completed: the fields named are there. */
export type ResolvedDef<Def, Field extends keyof Def> = Def & { readonly [Name in Field]-?: NonNullable<Def[Name]> }

/** Properties of a constraint type that change how the step treats its rows. */
export interface ConstraintTraits {
  /** Whether it reads `stiffness` and `damping` itself: springs, drives, forces. @defaultValue false */
  readonly ownsSoftness?: boolean
  /**
   * Whether λ of the last substep may start the next one; `own`: it always does, and `prepare` displaces by it.
   * @defaultValue true
   */
  readonly warmStart?: boolean | 'own'
  /**
   * Whether its gradient changes its length, or the error is curved, within the motion of a substep, as that of a volume or an angle: then λ of the last
   * substep is no first guess, and a relaxation above 1 counts as 1. @defaultValue false
   */
  readonly isCurved?: boolean
  /** Whether it may add energy that its rows do not report, as a user's own forces may: then the energy guard ignores it. @defaultValue false */
  readonly opaque?: boolean
  /** Whether its rows are added and removed by a stage of the step rather than by the user. @defaultValue false */
  readonly transient?: boolean
  /**
   * Whether the stage that makes its rows keeps their order too, through `Batch.setRows`: thousands may come and go in every step without reordering
   * anything else. They connect no components by which other rows are ordered. @defaultValue false
   */
  readonly unordered?: boolean
  /** Whether its rows follow a law of force with a Jacobian of its own (section 8). @defaultValue false */
  readonly hasTangent?: boolean
  /** Whether the same constraint on a rotated system is the same constraint: then it keeps angular momentum. @defaultValue true */
  readonly rotatesWithFrame?: boolean
}

/** Columns, by name, that scenes keep. */
export interface SavedColumns {
  /** State, such as stick anchors. */
  readonly state?: readonly string[]
  /** First guesses of a solution, and counts such as turns: saved where they are not 0, and 0 where a scene has none. No part of hashes. */
  readonly hints?: readonly string[]
}

/** How the solver of joint trees takes the rows of a type. */
export interface JointTraits<Column extends string = string> {
  /** Whether it can take a row of such a type, as it is defined; left out, each. Others are swept. */
  takes?(batch: Batch<Column>, row: number): boolean
  /** All its rows are soft, whatever their definitions say: to a static body it closes no loop. @defaultValue false */
  readonly neverRigid?: boolean
  /**
   * Geometric stiffness −Σ λ_k ∂²c_k/∂X² of rows under load: without it heavy loads take more solves, or do not converge. Called after `evaluate` of the
   * same row.
   */
  curvature?(bodies: BodyColumns, batch: Batch<Column>, row: number, out: Curvature): void
  /**
   * Of a type whose bodies share a rigid point: writes a row as a point, angles and couples, for the fast solution of trees (direct/articulated.ts). False
   * where the row has something else, as a soft point: then its tree is solved from `evaluate`.
   */
  articulate?(bodies: BodyColumns, batch: Batch<Column>, row: number, out: JointRows): boolean
}

/** How joint trees take contacts of a type into their systems. */
export interface ContactTraits<Column extends string = string> {
  /**
   * Writes how a row of this substep holds particles that joints hold too; false where the row does not act, or not like that. Called after `prepare`.
   * Its multipliers are those of n̂, t̂₁ and t̂₂.
   */
  write(bodies: BodyColumns, batch: Batch<Column>, row: number, out: Touch): boolean
  /** Leaves a written row to the joint tree for this substep, or, false, takes it back. */
  leave?(batch: Batch<Column>, row: number, isLeft: boolean): void
}

/** The loops over the rows of a batch. By default they are those of its type; kernels may replace them. */
export interface Loops<Column extends string = string> {
  /** Once a substep at the predicted state, before the sweeps. */
  prepare?(bodies: BodyColumns, batch: Batch<Column>, from: number, to: number, h: number): void
  /**
   * One Gauss–Seidel pass over rows `from` to `to`. Left out, the core's slower loop over `evaluate` does it.
   * `batch.columns.softness` and `gamma` hold a and γ of this substep.
   */
  sweep?(bodies: BodyColumns, batch: Batch<Column>, from: number, to: number, h: number): void
  /** Sweeps the runs of one layer and colour from row `from` to row `to` in the opposite order, each run as ever. Left out, the step does. */
  sweepBack?(bodies: BodyColumns, batch: Batch<Column>, from: number, to: number, h: number): void
  /** Velocity pass: once a substep, when velocities are those of the solved pose. */
  velocities?(bodies: BodyColumns, batch: Batch<Column>, from: number, to: number, h: number, gravity: number): void
}

/** The loops that a type brings along. */
export interface TypeLoops<Column extends string = string> extends Omit<Loops<Column>, 'sweepBack'> {
  /**
   * Puts the live rows of a batch in an order of the type's own, in place of layers and colours: permutes `rows` and numbers in
   * `colour`, by row, the runs that are swept as one. What the loop has to know of the order goes into `batch.plan`. It may
   * depend on the present bodies and rows, not on how they came about: `sequence` says which are older.
   * Unless they ask for `direct`, its joints are solved directly only where a rotating body is attached to them.
   */
  arrange?(bodies: BodyColumns, batch: Batch<Column>, rows: Int32Array, colour: Int32Array): void
  /**
   * After a substep of another solver than the world's own, with poses, velocities and λ as that left them: updates the state that the
   * type keeps from step to step, as its sweep would have.
   */
  adopt?(bodies: BodyColumns, batch: Batch<Column>, from: number, to: number, h: number): void
  /** When the poses of a substep are known, by whatever solver: updates state that follows from poses alone, such as counted turns. */
  track?(bodies: BodyColumns, batch: Batch<Column>, from: number, to: number): void
}

/**
 * A constraint type: its error c(X), its gradient, its loop. `Resolved` is the definition that `resolve` returns.
 *
 * Sign: a multiplier λ displaces by ΔX = M⁻¹ Jᵀ λ with J = ∂c/∂X, so a row that pushes c up has λ > 0.
 * Unit: λ is what the paper writes λΔt² (kg m for a length row): force is λ/h², impulse λ/h.
 */
export interface ConstraintType<
  Def extends object = never,
  Column extends string = string,
  Resolved extends Def = Def,
> {
  /** Unique among the types of a world; it stands in messages, reports and JSON. */
  readonly name: string
  /**
   * Place in the sweep: joints 0, forces and drives 1, constraints over many bodies 2, limits over them 3, contacts 4.
   * Forces come after joints: before them, a damper sees its own effect and not yet the joints' answer to it, and a damped
   * drive on a hinge sags 39 % too far.
   */
  readonly order: number
  /** How many bodies a row joins; left out, any number from two up. */
  readonly arity?: number
  /** Multipliers λ a row. */
  readonly multipliers: number
  /** Columns of its own, with strides. */
  readonly columns: Strides<Column>
  /**
   * Fields of its definition besides the common ones, `a` and `b` or `bodies` among them: others are refused. Left out, none is.
   */
  readonly fields?: readonly string[]
  /** How the step treats its rows. */
  readonly traits?: ConstraintTraits
  /** Columns that scenes keep. */
  readonly saved?: SavedColumns
  /**
   * Makes it a joint: it joins two bodies, or one to the world by `arity` 1, and the solver of joint trees may take its rows together with all joints that
   * are connected to them. Left out, its rows are swept.
   */
  readonly joint?: JointTraits<Column>
  /** Of a type of contact: how joint trees take it along. */
  readonly touches?: ContactTraits<Column>
  /**
   * A block solver that the type brings along for its own rows, of any number of bodies; it follows their `solver: 'direct'` and `'sweep'`. The same function
   * is one solver of a world.
   */
  readonly blockSolver?: () => BlockSolver
  /** Its fast loops. */
  readonly loop?: TypeLoops<Column>
  /**
   * How rows are made at once that differ in their bodies and in some numbers alone, as `addConstraints` makes them. Left out, one is made
   * after the other.
   */
  readonly many?: ManyRows<Def>

  /**
   * Checks a definition and fills what was left out from the present pose. The result is plain data that gives the same
   * constraint at any later pose. Throws `TypeError`/`RangeError`; changes nothing.
   */
  resolve(def: Def, context: ResolveContext): Resolved
  /** A number that sets rows apart which run through different loops; each value has its own batch. @defaultValue 0 */
  variant?(def: Resolved): number
  /** Stores a resolved definition in a row. */
  write(batch: Batch<Column>, row: number, def: Resolved): void
  /** c and its gradient at the current state, literally: the definition of the constraint. */
  evaluate(bodies: BodyColumns, batch: Batch<Column>, row: number, out: Rows): void
  /** Energy stored in a row [J], where it is not ½ c²/compliance or ½ stiffness c². */
  energy?(bodies: BodyColumns, batch: Batch<Column>, row: number): number
  /**
   * Whether a row takes no momentum from its bodies, as it does where it holds on to a point of the world that no body represents, or has a lever at a body
   * that does not rotate. Free components of such rows alone keep their momenta to round-off; left out, angular momentum is kept to first order. A joint that
   * has it, whatever it returns, pushes two moving bodies by equal and opposite forces: free trees of such joints keep their linear momentum to round-off.
   */
  keepsMomenta?(bodies: BodyColumns, batch: Batch<Column>, row: number): boolean
  /** Its drawing at the poses in `bodies`: anchors, axes, ranges. Left out, lines from the first body to the others. */
  outline?(bodies: BodyColumns, batch: Batch<Column>, row: number, out: Outline): void
}

/** What sets rows apart that are made at once: their bodies, and numbers of their definitions. */
export interface ManyRows<Def extends object = never> {
  /** Fields of definitions that may differ by row, and the column that holds each as it stands. Variants do not depend on them. */
  readonly columns: Readonly<Record<string, string>>
  /**
   * The numbers of rows on the bodies `rows`, of which `def` is the first's definition and `given` has what others give by row, in arrays of their own.
   * Nothing where `resolve` would refuse a row, or where rows differ in more than that.
   */
  numbers(
    def: Def,
    rows: Int32Array,
    given: Readonly<Record<string, Float64Array>>,
    bodies: BodyColumns,
  ): ManyNumbers | undefined
}

/** Numbers of rows that are made at once. */
export interface ManyNumbers {
  /** By field of resolved definitions, as many numbers a row as it has; one that is the same for all is left out. */
  readonly fields: Readonly<Record<string, Float64Array>>
  /** Whether no row has an error at the present pose, as it is where that pose has given the numbers. */
  readonly isSatisfied: boolean
}

/**
 * What solves many rows at once within the step, in place of their sweep: trees of joints are one (direct/direct.ts), which types of
 * joints bring along. `World.addSolver` takes those of users.
 *
 * A solver takes rows by setting their `direct` column while it gathers. Rows that are taken come last in their batch, from `swept` to
 * `active`, and move when rows are ordered: `locate` tells when. Their multipliers λ are the batch's: forces, breaking, energy
 * and snapshots read them there. At the start of a substep they are those of the last one, scaled to its length, and bodies are predicted
 * without them: a solver that counts changes of λ from the prediction sets them to 0 first.
 *
 * Only `gather` and `solve` must be there; the rest is called where it is.
 */
export interface BlockSolver {
  /** Unique among the solvers of a world; its report stands under it. */
  readonly name: string
  /** Turns with the sweep [-] that `resolveImpacts` may ask for in a substep, where 4 are not enough. */
  readonly turns?: number
  /**
   * After an edit: takes rows, by setting `batch.common.direct[row]` to 1 where it is 0 (the column is clear at first; other solvers may
   * have taken some). All rows that it can take where `all`, as a projection wants them.
   */
  gather(world: WorldView, all: boolean): void
  /** After rows were put in order, or their tables moved. */
  locate?(world: WorldView): void
  /** Before the substeps of a step. */
  beginStep?(world: WorldView): void
  /** Once a substep of `h` [s], before the prediction: repairs what was disturbed, without speed. */
  repair?(world: WorldView, h: number): void
  /** After that: marks again what is not repaired yet. */
  keepDisturbed?(world: WorldView): void
  /** Moves bodies onto its rows, without time. */
  project?(world: WorldView): void
  /** Once a substep of `h` [s], before bodies are predicted. */
  beginSubstep?(world: WorldView, h: number): void
  /** Once a substep of `h` [s], at the predicted state. */
  prepare?(world: WorldView, h: number): void
  /** Before each sweep of a substep of `h` [s]: moves bodies, and sets λ; `first` in the first of them. */
  solve(world: WorldView, h: number, first: boolean): void
  /**
   * After the last sweep of a substep: solves again what that has struck. Whether anything was: rows are swept once more then. What is heavier than the masses of its
   * bodies tell may lend them others in `position` until its next turn, with the flag `LENT`.
   */
  resolveImpacts?(world: WorldView, h: number): boolean
  /** After all sweeps of a substep: solves again what they have moved. */
  finish?(world: WorldView, h: number): void
  /** After all passes of a substep of `h` [s]: sets λ to what is read as force, λ/h². */
  endSubstep?(world: WorldView, h: number): void
  /**
   * Adds the numbers of the bodies that it has pushed in the substep against what does not move, without a row that says so: what hangs on them does not
   * keep its momenta.
   */
  listHeld?(out: number[]): void
  /**
   * After a step, of bodies whose `members` is 1: takes back up to `excess` [J] of what its rows have come to store in the step, which nothing paid for, by their shape
   * alone: no speed changes, and no centre of mass of what it solves together and nothing holds. Returns what it took [J].
   */
  unstrain?(world: WorldView, members: Uint8Array, excess: number): number
  /** What it did in the last step, for `world.report.solvers`. */
  report?(world: ReportView): unknown
  /** What it keeps from step to step beyond the world's tables, for snapshots; it must not change afterwards. */
  save?(): unknown
  /** Back to what was saved, or to nothing where it was not there yet. */
  restore?(saved: unknown): void
}

/** Name of the solver of joint trees, which the first joint of a world brings along. */
export const TREES = 'trees'

/** What a solver may do. */
export const SOLVER_HOOKS: readonly (keyof BlockSolver)[] = [
  'gather',
  'locate',
  'beginStep',
  'repair',
  'keepDisturbed',
  'project',
  'beginSubstep',
  'prepare',
  'solve',
  'resolveImpacts',
  'finish',
  'endSubstep',
  'listHeld',
  'unstrain',
  'report',
  'save',
  'restore',
]
