/** The world: bodies, constraints, settings, and the clock. The step itself is in `step.ts`. */

import type { quat, vec3 } from 'gl-matrix'
import {
  callable,
  finite,
  knownFields,
  nonNegative,
  object,
  outVector,
  positive,
  shown,
  instance,
  integer,
} from './define/assert.js'
import { type AnyType, Batch, batchKey } from './state/batch.js'
import { Bodies, type BodiesDef } from './state/bodies.js'
import type { Body, BodyDef } from './state/body.js'
import { type BodyColumns, FROZEN } from './state/body-columns.js'
import { type BlockSolver, SOLVER_HOOKS, TREES } from './define/block-solver.js'
import { Constraint, handleOf } from './edit/constraint.js'
import type { CommonDef, ConstraintType, Stage } from './define/contract.js'
import {
  checkFields,
  checkSolver,
  checkType,
  givesWay,
  join,
  merge,
  namedBodies,
  resolveCommon,
  SOLVERS,
  type Common,
} from './define/definition.js'
import { type Energy, energyOf, type Momentum, momentumOf } from './readout/energy.js'
import { MOST_FAULTS, type Skipped } from './step/faults.js'
import { EnergyGuard, type GuardReport } from './guard/guard.js'
import { markEdited } from './guard/sources.js'
import { hashOf } from './readout/hash.js'
import { rotationBetween, turn } from './math/rotation.js'
import { Ledger } from './ledger/ledger.js'
import { Ordering } from './step/order.js'
import {
  clampedRows,
  constraintError,
  type DirectReport,
  nothingDirect,
  residuals,
  type TypeResidual,
} from './readout/readout.js'
import { effectiveInverseMass } from './step/group-system.js'
import { type SceneJson, toJson } from './readout/to-json.js'
import { type ProjectOptions, type ProjectReport, projectWorld } from './step/projection.js'
import { relaxationOf, resolveSettings, type Settings, type WorldOptions } from './state/settings.js'
import { restoreSnapshot, type Snapshot, takeSnapshot } from './readout/snapshot.js'
import { addTurns } from './step/spin.js'
import { SpinBound } from './step/spin-bound.js'
import { step } from './step/step.js'

/** What a step leaves behind besides the bodies: saved with them. */
export interface Clock {
  /** [s] */
  time: number
  /** Steps made. */
  steps: number
  /** Time not yet simulated by `advance` [s]. */
  accumulator: number
  /** Length of the last substep [s]; 0 before the first. */
  substepLength: number
  /** Sweeps of the last substep. */
  iterations: number
  /** Constraints made. */
  sequence: number
}

/** What the last step has to say. Read it when you want to know: nothing is gathered during the step. */
export interface StepReport {
  /** Bodies that became non-finite and stand still at their last finite pose. */
  nonFinite: Body[]
  /**
   * Constraints, contacts among them, that were not finite in some substep of the last step and moved nothing there. One that stays so for 32 substeps is
   * switched off (`enabled` is false) and stays in the list until it is switched on again.
   */
  skipped: Constraint[]
  /** Constraints that broke in this step. */
  broken: Constraint[]
  /** Rows whose multiplier lies on a bound. */
  clampedRows: number
  /** Sweeps of the last substep. */
  iterations: number
  /** Trees of joints that are solved together. */
  direct: DirectReport
  /** What each block solver has to say, by name. */
  solvers: Record<string, unknown>
  /** What the guard scaled back, for it had gained energy from nothing. */
  guard: GuardReport
}

/** Called once a substep after the velocities are known, with the substep's length [s]. */
export type VelocityHook = (world: World, h: number) => void

/** What a stage may do. */
const STAGE_HOOKS: readonly (keyof Stage)[] = [
  'beforeStep',
  'beforeSubstep',
  'findContacts',
  'advance',
  'afterStep',
  'bodyRemoved',
  'save',
  'restore',
  'toJSON',
]

/** An edit that adds no more than this to an error [m, rad] leaves it to the next substep. */
const DISTURBING = 1e-9

/** A set of bodies and constraints that is stepped together. Two worlds share nothing. */
export class World {
  readonly bodies: Bodies = new Bodies((row) => this.removeConstraintsOn(row))
  /** One a constraint type, arity and variant, in sweep order. */
  readonly batches: Batch[] = []
  settings: Settings
  readonly clock: Clock = {
    time: 0,
    steps: 0,
    accumulator: 0,
    substepLength: 0,
    iterations: 0,
    sequence: 0,
  }
  /** What takes part in the step besides the core, in the order of `use`. */
  readonly stages: Stage[] = []
  private velocityHook: VelocityHook | undefined
  private ordering = new Ordering()
  /** How often the rows were put in order. */
  orderings = 0
  private startView: BodyColumns | undefined
  private orderStale = true
  private graphStale = true
  /** Whether all joints are gathered to be solved together, as a projection wants them. */
  private gathersAll = false
  /** Scales back what gains energy from nothing. */
  readonly guard: EnergyGuard = new EnergyGuard()
  /** Rows that were not finite in the last step. */
  readonly skipped: Skipped[] = []
  /** Constraints that broke in the last step. */
  readonly overloaded: Skipped[] = []
  /** Keeps turns that are too large for a substep from gaining energy. */
  readonly spinBound: SpinBound = new SpinBound()
  /** Who put energy in, where the world keeps a ledger. */
  ledger: Ledger | undefined
  /** What solves many rows at once, in the order in which they came: types of joints bring one along, `addSolver` adds others. */
  readonly solvers: BlockSolver[] = []
  /** What has brought solvers along. */
  private readonly brought = new Set<() => BlockSolver>()
  private orderedVersion = -1

  constructor(options: WorldOptions = {}) {
    this.settings = resolveSettings('World', options)
    this.openLedger()
  }

  /** Adds a stage to the step; at most one of a name. */
  use(stage: Stage): void {
    const fields = object('use: stage', stage)
    if (typeof stage.name !== 'string') throw new TypeError(`use: stage.name must be a text, got ${shown(stage.name)}`)
    for (const hook of STAGE_HOOKS) if (fields[hook] !== undefined) callable(`use: stage.${hook}`, fields[hook])
    if (this.stages.some(({ name }) => name === stage.name)) {
      throw new RangeError(`use: stage must be the only one of its name, got another ${stage.name}`)
    }
    this.stages.push(stage)
  }

  /** Adds a solver of many rows at once; at most one of a name. It may take rows from now on. */
  addSolver(solver: BlockSolver): void {
    this.bodies.callbacks.refuse('addSolver')
    const fields = object('addSolver: solver', solver)
    if (typeof solver.name !== 'string') {
      throw new TypeError(`addSolver: solver.name must be a text, got ${shown(solver.name)}`)
    }
    for (const hook of SOLVER_HOOKS) {
      const isDue = hook === 'gather' || hook === 'solve'
      if (isDue || fields[hook] !== undefined) callable(`addSolver: solver.${hook}`, fields[hook])
    }
    // Joints may come later, and bring theirs along.
    if (solver.name === TREES || this.solvers.some(({ name }) => name === solver.name)) {
      throw new RangeError(`addSolver: solver must be the only one of its name, got another ${solver.name}`)
    }
    this.solvers.push(solver)
    this.orderStale = this.graphStale = true
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
    this.settings = settings
    this.openLedger()
    this.orderStale = this.graphStale = true
    for (let row = 0; row < this.bodies.count; row++) this.bodies.wake(row)
  }

  private openLedger(): void {
    if (!this.settings.energyLedger) this.ledger = undefined
    else this.ledger ??= new Ledger()
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

  /** Adds many bodies or particles from typed arrays. */
  addBodies(def: BodiesDef): Body[] {
    return this.bodies.addMany(def)
  }

  /**
   * Adds a constraint: `world.add(distance, { a, b, length: 1 })`. What the definition leaves out is taken from the
   * present pose. Throws `TypeError`/`RangeError` with what, where and the value, and adds nothing, when a field is wrong.
   */
  add<Def extends object>(type: ConstraintType<Def>, def: Def): Constraint<Def> {
    return this.insert(type, def, false)
  }

  /** Adds a constraint that existed when its scene was saved, whatever has become of its bodies since it was made. */
  addSaved<Def extends object>(type: ConstraintType<Def>, def: Def): Constraint<Def> {
    return this.insert(type, def, true)
  }

  private insert<Def extends object>(type: ConstraintType<Def>, def: Def, exists: boolean): Constraint<Def> {
    this.bodies.callbacks.refuse('add')
    checkType('add: type', type)
    const where = type.name
    const rows = namedBodies(where, this.bodies, def, type.fields)
    if (type.arity !== undefined && rows.length !== type.arity) {
      throw new RangeError(`${where}: bodies must be ${type.arity}, got ${rows.length}`)
    }
    checkFields(where, def, type.fields)
    if (rows.length < 1) throw new RangeError(`${where}: bodies must be at least one, got none`)
    const full = this.resolve(type, def, exists)
    const batch = this.batchFor(type as AnyType, rows.length, type.variant?.(full) ?? 0)
    for (const body of rows) this.bodies.wake(body)
    const row = batch.push(rows, this.clock.sequence++, full)
    const slot = batch.common.slot[row]
    batch.rows.strict = !exists
    try {
      this.write(batch, row, full)
      this.applyFrequency(batch, row, def)
      this.disturbAround(batch, row, 0)
    } catch (error) {
      // A user's own function threw.
      batch.remove(slot)
      this.clock.sequence--
      throw error
    } finally {
      batch.rows.strict = false
    }
    this.markOrderStale(batch)
    return handleOf(this, batch, slot) as unknown as Constraint<Def>
  }

  /** All constraints that are broken, oldest first; `report.broken` has those of the last step. */
  brokenConstraints(): Constraint[] {
    return this.constraints().filter(({ broken }) => broken)
  }

  /** All constraints, oldest first. */
  constraints(): Constraint[] {
    const found: { handle: Constraint; sequence: number }[] = []
    for (const batch of this.batches) {
      if (batch.type.transient === true) continue
      for (let row = 0; row < batch.count; row++) {
        const handle = handleOf(this, batch, batch.common.slot[row])
        found.push({ handle, sequence: batch.common.sequence[row] })
      }
    }
    return found.sort((r, s) => r.sequence - s.sequence).map(({ handle }) => handle)
  }

  /** Advances by one step of `dt` [s]. @defaultValue the world's `dt` */
  step(dt: number = this.settings.dt): void {
    this.bodies.callbacks.refuse('step')
    step(this, dt === this.settings.dt ? dt : positive('step: dt', dt))
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

  /** A body's pose between the last two steps, at `alpha`, for drawing after `advance`; what spins fast, by as many turns as its ω says. */
  interpolate(body: Body, position: vec3, orientation?: quat): void {
    this.bodies.assertAlive('interpolate: body', body)
    outVector('interpolate: position', position, 3)
    if (orientation !== undefined) outVector('interpolate: orientation', orientation, 4)
    const c = this.bodies.columns
    const i = body.index
    const t = this.alpha
    for (let k = 0; k < 3; k++) {
      const from = c.previousPosition[3 * i + k]
      position[k] = from + t * (c.position[4 * i + k] - from)
    }
    if (orientation === undefined) return
    const turned = new Float64Array(3)
    rotationBetween(c.orientation, 4 * i, c.previousOrientation, 4 * i, turned, 0)
    const { dt } = this.settings
    addTurns(
      turned,
      c.angularVelocity.slice(3 * i, 3 * i + 3).map((w) => dt * w),
    )
    const q = c.previousOrientation.slice(4 * i, 4 * i + 4)
    turn(q, 0, t * turned[0], t * turned[1], t * turned[2])
    for (let k = 0; k < 4; k++) orientation[k] = q[k]
  }

  /**
   * Moves bodies onto all rigid constraints, inside limits and out of contacts, to a pose near the present one in the metric of mass. No
   * time passes and no velocity changes; compliant constraints, springs and drives take no part. Trees of joints are solved
   * together, loops by their border, the rest by sweeps. What `maxMove` or `iterations` leaves is told in the report.
   * (Waterson, section 11.)
   */
  project(options: ProjectOptions = {}): ProjectReport {
    this.bodies.callbacks.refuse('project')
    knownFields('project: options', options, ['tolerance', 'iterations', 'maxMove'])
    const { tolerance = 1e-9, iterations = 20, maxMove = Infinity } = options
    nonNegative('project: tolerance', tolerance)
    integer('project: iterations', iterations, 1, 1e6)
    if (maxMove !== Infinity) nonNegative('project: maxMove', maxMove)
    this.gathersAll = this.orderStale = this.graphStale = true
    const report = projectWorld(this, tolerance, iterations, maxMove)
    this.gathersAll = false
    this.orderStale = this.graphStale = true
    this.bodies.callbacks.finish()
    return report
  }

  /** Sets what runs once a substep after the velocity pass, or nothing. It may change velocities, not poses. */
  onVelocities(hook: VelocityHook | undefined): void {
    if (hook !== undefined) callable('onVelocities: hook', hook)
    this.velocityHook = hook
  }

  /** What the last step has to say. */
  get report(): StepReport {
    this.refreshOrder()
    const { flags } = this.bodies.columns
    const solvers = Object.fromEntries(this.solvers.map((solver) => [solver.name, solver.report?.(this)]))
    return {
      nonFinite: this.bodies.all().filter((body) => (flags[body.index] & FROZEN) !== 0),
      skipped: this.skippedConstraints(),
      broken: this.handlesOf(this.overloaded),
      clampedRows: clampedRows(this),
      iterations: this.clock.iterations,
      direct: (solvers[TREES] as DirectReport | undefined) ?? nothingDirect(),
      solvers,
      guard: this.guard.report(this.bodies),
    }
  }

  /** Largest and rms error by constraint type, at the present pose: [m] for `linear`, [rad] for `angular`. */
  residual(): Record<string, TypeResidual> {
    this.refreshOrder()
    return residuals(this)
  }

  /** Kinetic, gravitational and elastic energy [J]; with `energyLedger`, who put it in. */
  energy(): Energy {
    this.refreshOrder()
    return this.ledger === undefined ? energyOf(this) : { ...energyOf(this), ledger: { ...this.ledger.sums } }
  }

  /** Linear [kg m/s] and angular momentum about the origin [kg m²/s] of all dynamic bodies. */
  momentum(): Momentum {
    return momentumOf(this.bodies)
  }

  /** A copy of the state: everything that the next steps depend on. */
  snapshot(): Snapshot {
    return takeSnapshot(this)
  }

  /** Goes back to a snapshot of this world, also across bodies and constraints added or removed since. */
  restore(snapshot: Snapshot): void {
    this.bodies.callbacks.refuse('restore')
    object('restore: snapshot', snapshot)
    const sameOrder =
      !this.orderStale && this.orderedVersion === this.bodies.version && this.orderings === snapshot.orderings
    this.skipped.length = this.overloaded.length = 0
    restoreSnapshot(this, snapshot)
    this.orderStale = this.graphStale = !sameOrder
    this.orderedVersion = this.bodies.version
  }

  /**
   * Gives back the memory that removed bodies and constraints leave: tables are as large as what is in them. Nothing of the state
   * changes, and handles and snapshots stay good. Costs about as much as an ordering; call it after much was removed, not every step.
   */
  shrink(): void {
    this.bodies.shrink()
    for (const batch of this.batches) batch.shrink()
    this.ordering = new Ordering()
    this.orderStale = this.graphStale = true
  }

  /** 16 hexadecimal digits that depend on every bit of the state (±0 counts as the same). */
  hash(): string {
    this.refreshOrder()
    return hashOf(this)
  }

  /** The whole scene as plain data that `JSON.stringify` takes; `fromJSON` reads it. */
  toJSON(): SceneJson {
    return toJson(this)
  }

  /** Pose columns of the start of the substep, in place of the present ones. */
  get startPose(): BodyColumns {
    const c = this.bodies.columns
    if (this.startView?.position !== c.startPosition) {
      this.startView = { ...c, position: c.startPosition, orientation: c.startOrientation }
    }
    return this.startView
  }

  /** Marks the sweep order for renewal before the next substep, and what solvers gather where a row of `batch` may concern them. */
  markOrderStale(batch?: Batch): void {
    this.orderStale = true
    if (batch !== undefined && (batch.type.joint !== undefined || this.solvers.length > this.brought.size)) {
      this.graphStale = true
    }
  }

  /** Renews the sweep order if bodies or constraints have changed. */
  refreshOrder(): void {
    if (!this.orderStale && this.orderedVersion === this.bodies.version) return
    this.batches.sort((r, s) => r.type.order - s.type.order || (r.key < s.key ? -1 : r.key > s.key ? 1 : 0))
    const stale = this.graphStale || this.orderedVersion !== this.bodies.version
    if (stale) {
      for (const { common, count } of this.batches) common.direct.fill(0, 0, count)
      for (const solver of this.solvers) solver.gather(this, this.gathersAll)
    }
    this.ordering.run(this.bodies, this.batches, this.settings.order)
    for (const solver of this.solvers) solver.locate?.(this)
    this.graphStale = false
    this.orderings++
    this.orderStale = false
    this.orderedVersion = this.bodies.version
  }

  /** Runs the velocity hook. */
  runVelocityHook(h: number): void {
    if (this.velocityHook === undefined) return
    const before = this.ledger === undefined ? 0 : energyOf(this).kinetic
    const { callbacks } = this.bodies
    this.guard.beginHook(this)
    callbacks.begin()
    try {
      this.velocityHook(this, h)
      callbacks.end()
    } catch (error) {
      callbacks.fail(error)
    }
    this.guard.endHook(this)
    this.ledger?.addHook(energyOf(this).kinetic - before)
  }

  /** Changes a constraint's definition: see {@link Constraint.set}. */
  change(constraint: Constraint, changes: object): void {
    instance('change: constraint', constraint, Constraint, 'a constraint')
    this.bodies.callbacks.refuse(`${constraint.typeName}: set`)
    const { batch, slot } = constraint
    object(`${batch.type.name}: changes`, changes)
    for (const field of ['a', 'b', 'bodies']) {
      if (field in changes) throw new TypeError(`${batch.type.name}: ${field} must stay, got a change of it`)
    }
    checkFields(batch.type.name, changes, batch.type.fields)
    const merged = merge(constraint.def, changes)
    const full = this.resolve(batch.type, merged, true)
    if ((batch.type.variant?.(full) ?? 0) !== batch.variant) {
      throw new TypeError(
        `${batch.type.name}: a change must not move the constraint to another variant; remove it and add it anew`,
      )
    }
    const row = constraint.row()
    this.wakeAround(batch, row)
    const error = batch.common.enabled[row] === 0 ? 0 : constraintError(this.bodies.columns, batch, row)
    markEdited(this.bodies.columns, batch, row)
    batch.setDef(slot, full)
    if ('enabled' in changes) this.mend(batch, row)
    this.write(batch, row, full)
    this.applyFrequency(batch, row, changes)
    this.disturbAround(batch, row, error)
    this.markOrderStale(batch)
  }

  /** Removes a constraint by batch and slot: see {@link Constraint.remove}. */
  removeSlot(batch: Batch, slot: number): void {
    const { callbacks } = this.bodies
    const generation = batch.slotGeneration[slot]
    const again = (): void => {
      if (batch.slotGeneration[slot] === generation) this.removeSlot(batch, slot)
    }
    if (callbacks.defer(again)) return
    this.wakeAround(batch, batch.slotRow[slot])
    batch.remove(slot)
    this.markOrderStale(batch)
  }

  /** The batch of a type, arity and variant; made when it is new. */
  batchFor(type: AnyType, arity: number, variant: number): Batch {
    checkType('batchFor: type', type)
    integer('batchFor: arity', arity, 1)
    integer('batchFor: variant', variant, 0)
    const key = batchKey(type, arity, variant)
    for (const batch of this.batches) {
      if (batch.type.name === type.name && batch.type !== type) {
        throw new TypeError(`${type.name}: type names must differ within a world, got another type of that name`)
      }
      if (batch.key === key) return batch
    }
    const batch = new Batch(type, arity, variant, this.settings.jacobians !== 'fresh')
    batch.rows.substep = this.clock.substepLength
    this.batches.push(batch)
    if (type.joint !== undefined) this.bring(type.joint)
    return batch
  }

  /** Takes the solver that a type brings along, once. */
  private bring(make: () => BlockSolver): void {
    if (this.brought.has(make)) return
    const solver = make()
    this.brought.add(make)
    this.solvers.push(solver)
  }

  /** Forgets that a constraint broke, or was off for not being finite. */
  private mend(batch: Batch, row: number): void {
    batch.common.broken[row] = batch.common.faults[row] = 0
    for (let k = this.skipped.length - 1; k >= 0; k--) {
      if (this.skipped[k].batch === batch && this.skipped[k].slot === batch.common.slot[row]) this.skipped.splice(k, 1)
    }
  }

  /** Those of the last step that still exist, and those that are off, each once. */
  private skippedConstraints(): Constraint[] {
    const found = new Set(this.handlesOf(this.skipped))
    for (const batch of this.batches) {
      const { faults, slot } = batch.common
      for (let row = 0; row < batch.count; row++) {
        if (faults[row] > 0) found.add(handleOf(this, batch, slot[row]))
      }
    }
    return [...found]
  }

  /** Those that still exist. */
  private handlesOf(list: readonly Skipped[]): Constraint[] {
    return list
      .filter(({ batch, slot, generation }) => batch.slotRow[slot] >= 0 && batch.slotGeneration[slot] === generation)
      .map(({ batch, slot }) => handleOf(this, batch, slot))
  }

  private resolve<Def extends object>(type: ConstraintType<Def>, def: Def, exists: boolean): Def & Common {
    const owns = type.ownsSoftness === true
    checkSolver(type.name, (def as CommonDef).solver, type.joint !== undefined)
    const common = resolveCommon(type.name, def, this.settings, owns)
    const context = { bodies: this.bodies.columns, iterations: this.settings.iterations, exists }
    return join(type.resolve(def, context), common, owns)
  }

  private write(batch: Batch, row: number, def: object): void {
    const common = def as Common
    const c = batch.common
    c.compliance[row] = common.compliance ?? 0
    c.rayleigh[row] = (common.damping ?? 0) * (common.compliance ?? 0)
    if (batch.type.ownsSoftness === true) c.compliance[row] = c.rayleigh[row] = 0
    c.relaxation[row] = common.relaxation
    c.regularization[row] = common.regularization
    c.breakForce[row] = common.breakForce
    c.breakTorque[row] = common.breakTorque
    c.enabled[row] = common.enabled && c.broken[row] === 0 && c.faults[row] < MOST_FAULTS ? 1 : 0
    c.solver[row] = SOLVERS.indexOf(common.solver)
    batch.type.write(batch, row, def)
    c.yields[row] = givesWay(def) ? 1 : 0
  }

  /** Turns frequency and damping ratio into compliance and damping, for the masses as they are joined now. */
  private applyFrequency(batch: Batch, row: number, def: { frequency?: number; dampingRatio?: number }): void {
    if (def.frequency === undefined || batch.type.ownsSoftness === true) return
    const omega = 2 * Math.PI * def.frequency
    const { rows } = batch
    rows.clear()
    batch.type.evaluate(this.bodies.columns, batch, row, rows)
    const soft: Record<string, number> = {}
    for (let g = 0; g < rows.groupCount; g++) {
      const group = rows.groups[g]
      const angular = group.unit === 'rad' && 'angularCompliance' in batch.columns
      const field = angular ? 'angularCompliance' : 'compliance'
      if (group.law !== 'position' || field in soft) continue
      const w = effectiveInverseMass(this.bodies.columns, batch, row, group)
      // Masses beyond measure end where numbers do: a scene that is saved must be read again.
      soft[field] = Math.min(w / (omega * omega), Number.MAX_VALUE)
      const damping = w > 0 ? (2 * (def.dampingRatio ?? 1) * omega) / w : 0
      soft[angular ? 'angularDamping' : 'damping'] = Math.min(damping, Number.MAX_VALUE)
    }
    const full = { ...batch.defs[batch.common.slot[row]], ...soft }
    batch.setDef(batch.common.slot[row], full)
    this.write(batch, row, full)
  }

  /** Has the error of a row repaired without speed where an edit made it larger than it was. */
  private disturbAround(batch: Batch, row: number, error: number): void {
    if (batch.common.enabled[row] === 0 || !(constraintError(this.bodies.columns, batch, row) > error + DISTURBING))
      return
    const { body } = batch.common
    for (let b = batch.arity * row; b < batch.arity * (row + 1); b++) this.bodies.disturb(body[b])
  }

  /** Wakes the bodies of a row that is about to change. */
  private wakeAround(batch: Batch, row: number): void {
    const { body } = batch.common
    for (let b = batch.arity * row; b < batch.arity * (row + 1); b++) this.bodies.wake(body[b])
  }

  private removeConstraintsOn(row: number): void {
    for (const stage of this.stages) stage.bodyRemoved?.(row)
    for (const batch of this.batches) {
      for (let slot = batch.slotOn(row); slot >= 0; slot = batch.slotOn(row)) {
        this.wakeAround(batch, batch.slotRow[slot])
        batch.remove(slot)
      }
    }
    this.markOrderStale()
  }
}
