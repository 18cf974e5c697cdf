/**
 * The velocity-level solver: a substep of h reads
 *
 *   rows       c and J of every constraint at the present pose, by its `evaluate`                    (gather.ts)
 *   forces     V₀ = V₁ + h M⁻¹ f
 *   solve      J V + D λ = target + push, lower ≤ λ ≤ upper                                          (solve.ts)
 *   positions  x += h V, q = exp(h ω/2) q; with a push that is to leave no velocity, by another V
 *   velocities V, of the solve without push
 *
 * on the bodies, constraints and stages of a `World`. Multipliers go to and from the world's own columns as λ h, so that
 * warm start, force read-outs, breaking, snapshots and a change of solver in mid-run need nothing else.
 */

import { LeanWorld } from '@tautline/core'
import {
  beginStep,
  beginSubstep,
  type BodyColumns,
  breakOverloaded,
  checkVelocities,
  dropFaults,
  endStep,
  FROZEN,
  KINEMATIC,
  RUNAWAY,
  steerKinematic,
  stepLength,
  track,
  instance,
  runVelocityHook,
} from '@tautline/core/kernel'
import { bounceThreshold, gather } from './gather.js'
import type { Mlcp } from './mlcp/problem.js'
import { type ImpulseOptions, type ImpulseSettings, resolveImpulseOptions } from './options.js'
import {
  advance,
  applyForces,
  finishPoses,
  keepStart,
  readVelocities,
  refreshInertias,
  writeVelocities,
} from './poses.js'
import { RowSystem, ENTRY } from './row-system.js'
import { rungeKutta, type StageSolver } from './runge-kutta.js'
import { denseProblem, type SolveReport, solve } from './solve.js'
import { assemble, BodySpace, CHANGE, RowSpace, type Space } from './space.js'

/** Approach slower than this share of the first impact's is the end of it: with e < 1 impacts to and fro never quite cease. */
const SPENT = 1e-9
/** Impacts a row, in the mean: many, as they run to and fro. */
const MOST = 100

/**
 * Solves impacts one at a time (rigid body dynamics notes, 2.2): the row that is struck fastest bounces as if it were alone,
 *
 *   Δλ = −(1 + e) J V/(J M⁻¹ Jᵀ),   V += M⁻¹ Jᵀ Δλ
 *
 * until none approaches. Newton's cradle then passes on the speed of the first ball to the last, where the common solve of
 * −e J v₁ leaves three balls of one mass with −1/3, 2/3 and 2/3 of it. Impacts on their own never gain energy; the common
 * solve may.
 *
 * Solves those faster than `threshold` [m/s] at the velocities before forces in `before`, and applies them to `after` too.
 * They stay in `system.impact`.
 */
function resolveImpacts(system: RowSystem, before: BodySpace, after: BodySpace, threshold: number): void {
  const { restitution, side, diagonal, impact, rows } = system
  let first = 0
  for (let done = 0; done < MOST * rows; done++) {
    let fastest = -1
    let most = Math.max(SPENT * first, threshold)
    for (let k = 0; k < rows; k++) {
      if (restitution[k] === 0 || diagonal[k] === 0) continue
      const approach = -side[k] * before.speed(k)
      if (!(approach > most)) continue
      most = approach
      fastest = k
    }
    if (fastest < 0) return
    if (done === 0) first = most
    const impulse = (side[fastest] * (1 + restitution[fastest]) * most) / diagonal[fastest]
    impact[fastest] += impulse
    CHANGE[0] = impulse
    before.push(fastest)
    after.push(fastest)
  }
}

const NONE = /* @__PURE__ */ new Float64Array(0)
/** A row that was held back to close exactly has this share of its opening left, or less: round-off must not tell them apart. */
const ARRIVED = 1e-6

/** Steps a world by impulses: `new ImpulseSolver(world, { stabilization: 'soft' }).step(1 / 60)`. */
export class ImpulseSolver implements StageSolver {
  readonly world: LeanWorld
  /** Change them by `configure`. */
  settings: ImpulseSettings
  /** What the last step has to say. */
  readonly report: SolveReport = { rows: 0, iterations: 0, updates: 0, change: 0, trace: [], fallback: '' }
  /** Rows of the last substep. */
  readonly system: RowSystem = new RowSystem()
  /** Velocities, six numbers a body: of the solve, before forces, and for positions alone. */
  private velocity: Float64Array = NONE
  private before: Float64Array = NONE
  private moving: Float64Array = NONE
  /** λ of the solve that moves positions alone. */
  private pushed: Float64Array = NONE
  private predicted: BodyColumns | undefined

  /** Throws `TypeError`/`RangeError` when an option is wrong. */
  constructor(world: LeanWorld, options: ImpulseOptions = {}) {
    instance('ImpulseSolver: world', world, LeanWorld, 'a World')
    this.settings = resolveImpulseOptions('ImpulseSolver', options)
    this.world = world
  }

  /** Changes options; throws, and changes nothing, when one is wrong. */
  configure(options: ImpulseOptions): void {
    this.settings = resolveImpulseOptions('configure', options, this.settings)
  }

  /** Advances the world by one step of `dt` [s], at most the world's `maxDt`. @defaultValue the world's `dt` */
  step(dt: number = this.world.settings.dt): void {
    const { world, settings } = this
    const h = stepLength('step: dt', dt, world.settings.maxDt) / settings.substeps
    this.report.updates = 0
    beginStep(world, dt)
    for (let left = settings.substeps; left > 0; left--) {
      beginSubstep(world, h)
      this.reserve()
      for (let i = 0; i < world.bodies.count; i++) {
        const { kind, flags } = world.bodies.columns
        if (kind[i] === KINEMATIC && (flags[i] & FROZEN) === 0) steerKinematic(world.bodies.columns, i, h, left)
      }
      this.clearReport()
      if (settings.integrator === 'rungeKutta4') rungeKutta(this, h)
      else this.substep(h)
      this.finish(h)
    }
    endStep(world, dt, true)
  }

  /**
   * The mixed linear complementarity problem of the last solve of the last step: A = J M⁻¹ Jᵀ + D, and b such that
   * `system.impulse` is the λ found; friction is bounded by that.
   */
  problem(): Mlcp {
    const { system, settings } = this
    const speeds = new Float64Array(system.rows)
    const space = new BodySpace(system, this.velocity)
    for (let k = 0; k < system.rows; k++) speeds[k] = space.speed(k)
    return denseProblem(system, system.impulse, new RowSpace(assemble(system, this.world.bodies.count), speeds), {
      relaxation: 1,
      projects: true,
      blocks: false,
      hasFriction: true,
      cone: false,
      byWeight: settings.bound === 'weight',
    })
  }

  /** Semi-implicit Euler. */
  private substep(h: number): void {
    const { world, settings, system, velocity, before, moving } = this
    const bodies = world.bodies.columns
    const { count } = world.bodies
    const { stabilization } = settings
    this.gatherRows(h)
    const pushed = this.pushed
    let positions = velocity
    if (stabilization === 'singleFrame') {
      moving.set(velocity)
      pushed.set(system.impulse.subarray(0, system.rows))
      positions = moving
      this.solveFor(pushed, positions, settings.iterations, true, true, false)
    } else if (stabilization === 'split') {
      moving.fill(0)
      pushed.fill(0)
      system.aimPush()
      this.solveFor(pushed, moving, settings.iterations, false, undefined, false)
      positions = moving
    }
    const isPushed = stabilization === 'baumgarte' || stabilization === 'soft'
    this.solveFor(system.impulse, velocity, settings.iterations, true, isPushed, settings.trace)
    if (stabilization === 'split') for (let k = 0; k < ENTRY * count; k++) moving[k] += velocity[k]
    advance(bodies, bodies, count, positions, h, settings.rotation)
    if (stabilization === 'soft') {
      before.set(velocity)
      relaxOpen(system, new BodySpace(system, before), h)
      this.solveFor(system.impulse, velocity, settings.relaxIterations, true, false, false)
    }
    writeVelocities(bodies, count, velocity)
    finishPoses(world, h, settings)
  }

  /** Rows at the present poses, forces, the first guess of the impulses, and what is struck. Leaves V in `velocity`. */
  gatherRows(h: number): void {
    const { world, settings, system, velocity, before } = this
    const bodies = world.bodies.columns
    const { count } = world.bodies
    const predicted = this.predicted as BodyColumns
    keepStart(bodies, count)
    refreshInertias(world)
    readVelocities(bodies, count, before)
    let { gyroscopic } = world.settings
    // Momentum as the state turns ω with the body afterwards; the stages of Runge–Kutta have the term themselves.
    const isMomentum = settings.state === 'momentum'
    if (settings.integrator === 'rungeKutta4') gyroscopic = isMomentum || gyroscopic !== 'none' ? 'explicit' : 'none'
    else if (isMomentum) gyroscopic = 'none'
    applyForces(world, h, gyroscopic)
    readVelocities(bodies, count, velocity)
    advance(bodies, predicted, count, velocity, h, 'exponential')
    const start = new BodySpace(system, before)
    const space = new BodySpace(system, velocity)
    gather(world, system, { bodies, predicted, before: start, after: space }, settings, h)
    this.report.rows = system.rows
    if (this.pushed.length < system.rows) this.pushed = new Float64Array(2 * system.rows)
    if (settings.restitution === 'sequential') resolveImpacts(system, start, space, bounceThreshold(world, settings, h))
    startFromLast(system, space)
  }

  /** One solve; `pushes` undefined leaves the system aimed as it is. */
  solveFor(
    impulse: Float64Array,
    velocity: Float64Array,
    iterations: number,
    hasFriction: boolean,
    pushes: boolean | undefined,
    traces: boolean,
  ): void {
    const { system, settings, world } = this
    if (pushes !== undefined) system.aim(pushes)
    solve(
      { system, settings, bodies: world.bodies.count, impulse, velocity, iterations, hasFriction },
      this.report,
      traces,
    )
  }

  /** V of the solve, for the stages of Runge–Kutta. */
  get solved(): Float64Array {
    return this.velocity
  }

  /** Multipliers back to the constraints, and what the world does after any substep. */
  private finish(h: number): void {
    const { world, system } = this
    const bodies = world.bodies.columns
    for (const batch of world.batches) batch.common.lambda.fill(0, 0, batch.type.multipliers * batch.active)
    for (let k = 0; k < system.rows; k++) {
      const { lambda } = world.batches[system.batch[k]].common
      lambda[system.multiplier[k]] = h * (system.impulse[k] + system.impact[k])
    }
    for (const batch of world.batches) batch.type.loop?.adopt?.(bodies, batch, 0, batch.active, h)
    track(world)
    runVelocityHook(world, h)
    checkVelocities(world)
    world.clock.substepLength = h
    dropFaults(world)
    world.clock.iterations = this.report.iterations
    breakOverloaded(world)
    // An impact is over: it is no guess for the next substep.
    for (let k = 0; k < system.rows; k++) {
      if (system.impact[k] === 0) continue
      const lambda = h * system.impulse[k]
      if (Math.abs(lambda) < RUNAWAY) world.batches[system.batch[k]].common.lambda[system.multiplier[k]] = lambda
    }
  }

  private clearReport(): void {
    this.report.iterations = this.report.change = 0
    this.report.trace.length = 0
    this.report.fallback = ''
  }

  /** Room for all bodies. */
  private reserve(): void {
    const bodies = this.world.bodies.columns
    const length = ENTRY * bodies.kind.length
    if (this.velocity.length !== length) {
      this.velocity = new Float64Array(length)
      this.before = new Float64Array(length)
      this.moving = new Float64Array(length)
    }
    if (this.predicted?.startPosition !== bodies.startPosition) {
      this.predicted = { ...bodies, position: bodies.position.slice(), orientation: bodies.orientation.slice() }
    }
  }
}

/**
 * Pushes the first guess, λ of the last substep, or as much of it as is better than none: a solve makes q(λ) = bᵀλ + ½ λᵀ (A + D) λ
 * smaller, b = J V − target, which is 0 without a guess and least along one at s = −bᵀλ/(λᵀ (A + D) λ). (Ten iterations of a net of rigid
 * volumes, from what ten others had left, came to 10⁶² J in thirty steps.)
 */
function startFromLast(system: RowSystem, space: Space): void {
  const { impulse, target, softness, rows } = system
  let slope = 0
  for (let k = 0; k < rows; k++) slope += impulse[k] * (space.speed(k) - target[k])
  for (let k = 0; k < rows; k++) {
    CHANGE[0] = impulse[k]
    space.push(k)
  }
  let after = 0
  for (let k = 0; k < rows; k++) after += impulse[k] * (space.speed(k) - target[k] + softness[k] * impulse[k])
  const curvature = after - slope
  if (!(slope + 0.5 * curvature > 0)) return
  const share = curvature > 0 ? Math.min(Math.max(-slope / curvature, 0), 1) : 0
  for (let k = 0; k < rows; k++) {
    CHANGE[0] = (share - 1) * impulse[k]
    space.push(k)
    impulse[k] *= share
  }
}

/**
 * Open rows that have closed, after positions have moved by h of the velocities in `moved`, are to stay so; not those that
 * bounce. What is still on its way keeps its speed: braked here, it would not bounce when it arrives.
 */
function relaxOpen({ rows, side, error, target }: RowSystem, moved: Space, h: number): void {
  for (let k = 0; k < rows; k++) {
    if (side[k] * error[k] <= 0 || target[k] !== -error[k] / h) continue
    const left = side[k] * (error[k] + h * moved.speed(k))
    if (left <= ARRIVED * Math.abs(error[k])) target[k] = 0
  }
}
