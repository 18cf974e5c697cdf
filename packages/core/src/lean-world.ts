/**
 * A world of chosen parts. It checks its arguments and calls functions over its state (`state/world-state.ts`): edits in `edit/edit.ts`, the step in
 * `step/step.ts`. `World` extends it by all parts and by the functions that pages may not need.
 */

import { array, callable, finite, object, shown } from './define/assert.js'
import type { ConstraintType, ReportView } from './define/contract.js'
import { type Kernels, openKernels } from './define/kernels.js'
import { type Stage, STAGE_HOOKS } from './define/stage.js'
import { ENERGY_GUARD, ENERGY_LEDGER, type WorldPart } from './define/step-part.js'
import { type Constraint, constraintsOf, handleOf } from './edit/constraint.js'
import { addRow, batchFor, requireJointSolver } from './edit/edit.js'
import type { AnyType, Batch } from './state/batch.js'
import type { BodyDef } from './state/body-definition.js'
import type { Body } from './state/body.js'
import { relaxationOf, resolveSettings, stepLength, type WorldOptions } from './state/settings.js'
import { WorldState } from './state/world-state.js'
import { step } from './step/step.js'

/** Called once a substep after the velocities are known, with the substep's length [s]. */
export type VelocityHook = (world: LeanWorld, h: number) => void

/** What `new World` takes: options that may change later, and kernels, which may not. */
export interface NewWorldOptions extends WorldOptions {
  /**
   * Compiled loops in place of those of TypeScript, with the same bits: `simd()` of `@tautline/simd`. They are no part of the world's state, of snapshots or
   * of JSON. @defaultValue none
   */
  kernels?: Kernels
}

/** What `new LeanWorld` takes. */
export interface LeanWorldOptions extends NewWorldOptions {
  /**
   * Parts of the step: `jointTrees`, `energyGuard`, `momentumGuard`, `energyLedger`. A world without `jointTrees` sweeps its joints.
   * @defaultValue none
   */
  parts?: readonly WorldPart[]
}

/**
 * Bodies and constraints that are stepped together, with the parts of the step that it is given. It leaves out the functions that `World` has as further
 * methods: `energyOf(world)`, `hashOf(world)`, `takeSnapshot(world)` and so on are imported where they are used. For pages that count bytes; all others
 * use `World`.
 */
export class LeanWorld extends WorldState implements ReportView {
  constructor(options: LeanWorldOptions = {}) {
    const { kernels, parts = [], ...rest } = object('World: options', options) as LeanWorldOptions
    super(resolveSettings('World', rest))
    array('World: parts', parts).forEach((part, k) => callable(`World: parts[${k}]`, part))
    for (const part of parts) part(this)
    this.checkParts('World', rest)
    this.kernels = openKernels('World', kernels)
  }

  /** Adds a stage to the step; at most one of a name. */
  use(stage: Stage): void {
    const fields = object('use: stage', stage)
    if (typeof stage.name !== 'string') throw new TypeError(`use: stage.name must be a text, got ${shown(stage.name)}`)
    for (const hook of STAGE_HOOKS) if (fields[hook] !== undefined) callable(`use: stage.${hook}`, fields[hook])
    if (this.stages.some(({ name }) => name === stage.name)) {
      throw new RangeError(
        `use: stage must be the only one of its name in a world, which has ${stage.name} already: take that one, got another`,
      )
    }
    this.stages.push(stage)
    // Solvers may ask whether anything makes contacts.
    this.markGraphStale()
  }

  /** Changes options while the world runs, and wakes every body; throws, and changes nothing, when one is wrong. */
  configure(options: WorldOptions): void {
    this.bodies.callbacks.refuse('configure')
    const settings = resolveSettings('configure', options, this.settings)
    for (const { type, count, common } of this.batches) {
      for (let row = 0; row < count; row++) {
        relaxationOf(`configure: relaxation of a ${type.name}`, common.relaxation[row], settings.iterations)
      }
    }
    if (settings.solver !== this.settings.solver) {
      for (let row = 0; row < this.bodies.count; row++) this.bodies.disturb(row)
    }
    this.checkParts('configure', options)
    this.settings = settings
    for (const part of this.parts) part.configure?.(settings)
    this.markGraphStale()
    for (let row = 0; row < this.bodies.count; row++) this.bodies.wake(row)
  }

  /** Simulated time [s]. */
  get time(): number {
    return this.clock.time
  }

  /** Adds a body. */
  addBody(def: BodyDef): Body {
    return this.bodies.add(def)
  }

  /** Adds a particle: a body without inertia. */
  addParticle(def: Omit<BodyDef, 'inertia' | 'orientation' | 'angularVelocity'>): Body {
    return this.bodies.add(def)
  }

  /**
   * Adds a constraint: `world.add(distance, { a, b, length: 1 })`. What the definition leaves out is taken from the
   * present pose. Throws `TypeError`/`RangeError` with what, where and the value, and adds nothing, when a field is wrong.
   */
  add<Def extends object, Resolved extends Def = Def>(
    type: ConstraintType<Def, string, Resolved>,
    def: Def,
  ): Constraint<Def> {
    const { batch, slot } = addRow(this, type, def, false)
    return handleOf(this, batch, slot) as unknown as Constraint<Def>
  }

  /** Adds a constraint that existed when its scene was saved, whatever has become of its bodies since it was made. */
  addSaved<Def extends object, Resolved extends Def = Def>(
    type: ConstraintType<Def, string, Resolved>,
    def: Def,
  ): Constraint<Def> {
    const { batch, slot } = addRow(this, type, def, true)
    return handleOf(this, batch, slot) as unknown as Constraint<Def>
  }

  /** All constraints that are broken, oldest first; `report.broken` has those of the last step. */
  brokenConstraints(): Constraint[] {
    return this.constraints().filter(({ broken }) => broken)
  }

  /** All constraints, oldest first. */
  constraints(): Constraint[] {
    return constraintsOf(this)
  }

  /** The handle of what a slot of a batch holds: for type authors and block solvers. */
  handle(batch: Batch, slot: number): Constraint {
    return handleOf(this, batch, slot)
  }

  /** The batch of a type, arity and variant; made when it is new. */
  batchFor(type: AnyType, arity: number, variant: number): Batch {
    return batchFor(this, type, arity, variant)
  }

  /** Advances by one step of `dt` [s], at most the option `maxDt`. @defaultValue the world's `dt` */
  step(dt: number = this.settings.dt): void {
    this.bodies.callbacks.refuse('step')
    const { settings } = this
    step(this, dt === settings.dt ? dt : stepLength('step: dt', dt, settings.maxDt))
  }

  /**
   * Advances by the time of a frame [s] in steps of the world's `dt`, and keeps the rest for the next frame. At most
   * `maxSteps` are made; time beyond them is dropped. Returns how many were made. Any pattern of frame times runs
   * through the same states.
   */
  advance(frameTime: number): number {
    this.bodies.callbacks.refuse('advance')
    const { dt, maxSteps } = this.settings
    finite('advance: frameTime', frameTime)
    if (frameTime < 0) throw new RangeError(`advance: frameTime must be >= 0, got ${frameTime}`)
    this.clock.accumulator += frameTime
    let made = 0
    while (this.clock.accumulator >= dt && made < maxSteps) {
      this.clock.accumulator -= dt
      step(this, dt)
      made++
    }
    if (this.clock.accumulator >= dt) this.clock.accumulator = 0
    return made
  }

  /** How far the time of frames is past the last step, as a share of a step, in [0, 1). */
  get alpha(): number {
    return this.clock.accumulator / this.settings.dt
  }

  /** Sets what runs once a substep after the velocity pass, or nothing. It may change velocities, not poses. */
  onVelocities(hook: VelocityHook | undefined): void {
    if (hook !== undefined) callable('onVelocities: hook', hook)
    this.velocityHook = hook === undefined ? undefined : (h) => hook(this, h)
  }

  /** Refuses options that ask for a part which the world does not have. */
  private checkParts(where: string, options: WorldOptions): void {
    for (const name of [ENERGY_GUARD, ENERGY_LEDGER] as const) {
      if (options[name] !== true || this.parts.some((part) => part.name === name)) continue
      throw new RangeError(`${where}: ${name} must be false in a world without the part ${name}, got true`)
    }
    if (options.solver === 'direct') requireJointSolver(where, this)
  }
}
