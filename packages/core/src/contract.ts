/**
 * The contract of a constraint type. The core knows no type by name: it stores rows, orders them, and calls what a type
 * offers here.
 */

import type { Batch } from './batch.js'
import type { Body } from './body.js'
import type { BodyColumns } from './body-columns.js'
import type { Curvature } from './direct/curvature.js'
import type { BlockSolver } from './block-solver.js'
import type { Outline } from './outline.js'
import type { Rows } from './rows.js'
import type { Strides } from './table.js'

/** Fields that every definition may have. */
export interface CommonDef {
  /** Inverse stiffness [m/N] or [rad/(N m)]; 0 is rigid. Give one of compliance, stiffness, frequency. @defaultValue 0 */
  compliance?: number
  /** 1/compliance, in its place, above 0 [N/m] or [N m/rad]. @defaultValue by `compliance` */
  stiffness?: number
  /** Undamped natural frequency [Hz] of the joined masses, as they are when the constraint is made. @defaultValue none */
  frequency?: number
  /** Share of critical damping; goes with `frequency`, in place of `damping`. @defaultValue 1 */
  dampingRatio?: number
  /** Damping [N s/m] or [N m s/rad]; acts where there is compliance. @defaultValue 0 */
  damping?: number
  /** Share ξ of the error repaired a sweep (53), in (0, 2); above 1 the world needs two iterations a substep. @defaultValue the world's */
  relaxation?: number
  /** Tikhonov term α (54) [1/kg or 1/(kg m²)] for over-constrained systems. @defaultValue the world's */
  regularization?: number
  /** Above this force [N] it is switched off, and `broken`. @defaultValue Infinity */
  breakForce?: number
  /** Above this couple of its angular rows [N m] likewise. @defaultValue Infinity */
  breakTorque?: number
  /** Whether it acts. @defaultValue true */
  enabled?: boolean
  /** Whether the two bodies that it joins may touch. @defaultValue false */
  enableCollision?: boolean
  /**
   * How it is solved: `sweep`, one after another (Gauss–Seidel); `direct`, together with all joints that it forms a tree with
   * (types with `joint`); `auto`, as the world's `solver` says. @defaultValue 'auto'
   */
  solver?: Solver
}

/** How a constraint is solved. */
export type Solver = 'auto' | 'direct' | 'sweep'

/** A definition on two bodies; `null` is the world. */
export interface PairDef extends CommonDef {
  /** First body; `null` is the world, and one of the two must be a body. @defaultValue null */
  a?: Body | null
  /** Second body, or `null`. @defaultValue null */
  b?: Body | null
}

/** A definition on any number of bodies. */
export interface ManyDef extends CommonDef {
  /** The bodies that it joins, none of them twice; no `null` here, use a static body. */
  bodies: readonly Body[]
}

/**
 * Something that takes part in the step from outside the core, as collision detection does. What it keeps between steps
 * beyond the world's tables goes through `save` and `restore`, and through JSON, under its name.
 */
export interface Stage {
  readonly name: string
  /** Before the first substep of a step of `dt` [s]. */
  beforeStep?(dt: number): void
  /** Before each substep of `h` [s]. */
  beforeSubstep?(h: number): void
  /** Finds what touches at the present poses, for a projection: no time passes, and nothing is told of it. */
  findContacts?(): void
  /**
   * Before bodies are predicted over a substep of `h` [s], `left` of which remain in the step, this one counted. What it moves through
   * the substep itself it marks `ADVANCED`.
   */
  advance?(h: number, left: number): void
  /** When the poses of the step are known. */
  afterStep?(dt: number): void
  /** A body is about to be removed. */
  bodyRemoved?(row: number): void
  /** Something that `restore` brings it back from; it must not change afterwards. */
  save?(): unknown
  /** Back to what was saved, or to nothing when it was not there yet. The world's tables are back already. */
  restore?(saved: unknown): void
  /** Plain data; bodies as what `indexOf` makes of their row. */
  toJSON?(indexOf: (row: number) => number): unknown
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

/**
 * A constraint type: its error c(X), its gradient, its loop.
 *
 * Sign: a multiplier λ displaces by ΔX = M⁻¹ Jᵀ λ with J = ∂c/∂X, so a row that pushes c up has λ > 0.
 * Unit: λ is what the paper writes λΔt² (kg m for a length row): force is λ/h², impulse λ/h.
 */
export interface ConstraintType<Def extends object = never, Column extends string = string> {
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
  /** Columns, by name, that are state (stick anchors and such): kept in JSON. */
  readonly state?: readonly string[]
  /** Whether it reads `stiffness` and `damping` itself: springs, drives, forces. @defaultValue false */
  readonly ownsSoftness?: boolean
  /**
   * Whether λ of the last substep may start the next one; `own`: it always does, and `prepare` displaces by it.
   * @defaultValue true
   */
  readonly warmStart?: boolean | 'own'
  /** Whether it may give energy that its rows do not tell of, as a user's own forces may: then the guard leaves it alone. @defaultValue false */
  readonly opaque?: boolean
  /** Whether its rows come and go with a stage of the step rather than by a user's hand. @defaultValue false */
  readonly transient?: boolean
  /** Whether its rows follow a law of force with a Jacobian of its own (section 8). @defaultValue false */
  readonly hasTangent?: boolean
  /** `direct` of core, where it joins two bodies in a way that the direct solution can take up. */
  readonly joint?: () => BlockSolver
  /** Whether the same constraint on a turned system is the same constraint: then it keeps angular momentum. @defaultValue true */
  readonly turnsWithFrame?: boolean

  /**
   * Checks a definition and fills what was left out from the present pose. The result is plain data that gives the same
   * constraint at any later pose. Throws `TypeError`/`RangeError`; changes nothing.
   */
  resolve(def: Def, context: ResolveContext): Def
  /** A number that sets rows apart which run through different loops; each value has its own batch. @defaultValue 0 */
  variant?(def: Def): number
  /**
   * Puts the live rows of a batch in an order of the type's own, in place of layers and colours: permutes `rows` and numbers in
   * `colour`, by row, the runs that are swept as one. What the loop has to know of the order goes into `batch.plan`. It may
   * depend on the present bodies and rows, not on how they came about: `sequence` says which are older.
   * Unless they ask for `direct`, its joints are solved directly only where a body that turns hangs on them.
   */
  arrange?(bodies: BodyColumns, batch: Batch<Column>, rows: Int32Array, colour: Int32Array): void
  /** Stores a resolved definition in a row. */
  write(batch: Batch<Column>, row: number, def: Def): void
  /** c and its gradient at the current state, literally: the definition of the constraint. */
  evaluate(bodies: BodyColumns, batch: Batch<Column>, row: number, out: Rows): void
  /**
   * Geometric stiffness −Σ λ_k ∂²c_k/∂X² of a joint's rows that bear load, for the direct solution: without it heavy loads
   * take more solves, or do not converge. Called after `evaluate` of the same row.
   */
  curvature?(bodies: BodyColumns, batch: Batch<Column>, row: number, out: Curvature): void
  /** What it looks like at the poses in `bodies`: anchors, axes, ranges. Left out, lines from the first body to the others. */
  outline?(bodies: BodyColumns, batch: Batch<Column>, row: number, out: Outline): void
  /** Energy stored in a row [J], where it is not ½ c²/compliance or ½ stiffness c². */
  energy?(bodies: BodyColumns, batch: Batch<Column>, row: number): number
  /** Once a substep at the predicted state, before the sweeps. */
  prepare?(bodies: BodyColumns, batch: Batch<Column>, from: number, to: number, h: number): void
  /**
   * One Gauss–Seidel pass over rows `from` to `to`. Left out, the core's slower loop over `evaluate` does it.
   * `batch.columns.softness` and `gamma` hold a and γ of this substep.
   */
  sweep?(bodies: BodyColumns, batch: Batch<Column>, from: number, to: number, h: number): void
  /**
   * After a substep of another solver than the world's own, with poses, velocities and λ as that left them: brings what the
   * type keeps from step to step up to date, as its loop would have.
   */
  settle?(bodies: BodyColumns, batch: Batch<Column>, from: number, to: number, h: number): void
  /** Velocity pass: once a substep, when velocities are those of the solved pose. */
  velocities?(bodies: BodyColumns, batch: Batch<Column>, from: number, to: number, h: number, gravity: number): void
}
