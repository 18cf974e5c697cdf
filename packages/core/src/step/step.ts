/**
 * One step of the world (Waterson, Algorithm 1, with the corrections in docs/method.md).
 *
 *   begin step      stages set targets, then find contacts; rows are put in order; block solvers and parts of the world begin
 *   for each substep h = dt / substeps
 *     begin substep     stages set targets and refresh fast contacts; rows are put in order if any came or went
 *     repair start      poses that were set or edited are moved onto the constraints, without speed
 *     advance           stages move bodies that are too fast for one step of h: impacts
 *     begin solvers     block solvers note the velocities before the prediction
 *     predict           v += h f/m, ω by implicit midpoint, x += h v, q = exp(h ω/2) q              (28–31)
 *     prepare           a, γ; λ = 0 or warm start; kept gradients; block solvers gather contacts    (54, 58)
 *     solve             iterations × (block solvers, then each batch): c(X+ΔX), ξ, a, γ, clamp λ, displace (51–59)
 *     end solvers       block solvers write λ, which is read as force λ/h²
 *     velocities        v̂ and ω̂ corrected by (x − x̂)/h and the rotation from q̂ to q over h          (43–46)
 *     track             types note what follows from the solved poses, such as counted turns
 *     velocity pass     restitution and friction of contacts; velocity of push-out is removed; the user's hook
 *     drop faults       rows that are not finite lose their λ; a row that stays so is disabled
 *     break overloaded  constraints beyond their breakForce or breakTorque are disabled
 *   end step        parts correct velocities (energy guard) and close their books; forces are cleared; stages: events, sleep
 *
 * `velocities` also lets the parts of the world (define/step-part.ts) keep the momenta of free components and bound the energy of fast
 * rotation. After the last sweep of `solve`, block solvers and the sweep alternate until impacts on joints are shared out.
 *
 * A step allocates nothing and never throws.
 */

import type { AnyType, Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import {
  ADVANCED,
  ANY_TRANSLATION_LOCK,
  type BodyColumns,
  DEAD,
  DYNAMIC,
  FROZEN,
  KINEMATIC,
  LOCK_TRANSLATION,
  RESTS,
  ROTATES,
} from '../state/body-columns.js'
import { dropFaults } from './faults.js'
import { refreshInertia } from '../state/inertia.js'
import {
  checkVelocities,
  correctAdvanced,
  correctVelocity,
  drift,
  freeze,
  isFinitePose,
  predictBody,
  steerKinematic,
} from './motion.js'
import { repairStart } from './projection.js'
import { breakOverloaded } from './breaking.js'
import { keepGradients, sweepRows, warmStart, worstResidual } from './row-solver.js'
import type { Settings } from '../state/settings.js'
import { clearEdited } from '../state/edit-marks.js'
import type { WorldState } from '../state/world-state.js'

/** Advances the world by `dt` [s]. */
export function step(world: WorldState, dt: number): void {
  const { settings, clock } = world
  const h = dt / settings.substeps
  beginStep(world, dt)
  for (let substep = 0; substep < settings.substeps; substep++) {
    beginSubstep(world, h)
    repairStart(world, h)
    advance(world, h, settings.substeps - substep)
    beginSolvers(world, h)
    predict(world, h, settings.substeps - substep)
    prepare(world, h)
    solve(world, h)
    endSolvers(world, h)
    velocities(world, h)
    track(world)
    velocityPass(world, h)
    clock.substepLength = h
    dropFaults(world)
    breakOverloaded(world)
  }
  endStep(world, dt)
}

/** What comes before the substeps of a step of `dt` [s], by whatever solver. */
export function beginStep(world: WorldState, dt: number): void {
  const { stages, solvers, parts } = world
  for (let s = 0; s < stages.length; s++) stages[s].lead?.(dt)
  for (let s = 0; s < stages.length; s++) stages[s].beforeStep?.(dt)
  world.settleTables()
  world.refreshOrder()
  keepPreviousPose(world.bodies)
  for (let s = 0; s < solvers.length; s++) solvers[s].beginStep?.(world)
  world.skipped.length = world.overloaded.length = 0
  for (let p = 0; p < parts.length; p++) parts[p].beginStep?.(world, dt)
}

/** What comes before each substep of `h` [s]. */
export function beginSubstep(world: WorldState, h: number): void {
  const { stages, parts } = world
  for (let p = 0; p < parts.length; p++) parts[p].beginSubstep?.(world)
  for (let s = 0; s < stages.length; s++) stages[s].beforeSubstep?.(h)
  world.refreshOrder()
  for (let p = 0; p < parts.length; p++) parts[p].afterStages?.(world)
}

/** Lets stages move bodies through the substep that need steps of their own. */
function advance(world: WorldState, h: number, left: number): void {
  const { stages } = world
  for (let s = 0; s < stages.length; s++) stages[s].advance?.(h, left)
  world.refreshOrder()
}

/** What comes after the substeps of a step of `dt` [s]; `sweeps` where a solver swept all rows, also those that the world solves directly. */
export function endStep(world: WorldState, dt: number, sweeps = false): void {
  const { stages, parts } = world
  for (let p = 0; p < parts.length; p++) parts[p].correct?.(world, dt, sweeps)
  clearEdited(world.bodies)
  checkVelocities(world)
  for (let p = parts.length - 1; p >= 0; p--) parts[p].endStep?.(world)
  clearForces(world.bodies)
  world.bodies.awake.end(world.bodies.columns)
  world.clock.time += dt
  world.clock.steps++
  for (let s = 0; s < stages.length; s++) stages[s].afterStep?.(dt)
  world.bodies.callbacks.finish()
}

function keepPreviousPose({ columns, awake }: Bodies): void {
  const { position, orientation, previousPosition, previousOrientation } = columns
  awake.begin(columns)
  const { rows, count } = awake
  for (let k = 0; k < count; k++) {
    const i = rows[k]
    previousPosition[3 * i] = position[4 * i]
    previousPosition[3 * i + 1] = position[4 * i + 1]
    previousPosition[3 * i + 2] = position[4 * i + 2]
    for (let o = 4 * i; o < 4 * i + 4; o++) previousOrientation[o] = orientation[o]
  }
}

function beginSolvers(world: WorldState, h: number): void {
  for (let s = 0; s < world.solvers.length; s++) world.solvers[s].beginSubstep?.(world, h)
}

function endSolvers(world: WorldState, h: number): void {
  for (let s = 0; s < world.solvers.length; s++) world.solvers[s].endSubstep?.(world, h)
}

/** h times gravity [m/s]. */
const fall = /* @__PURE__ */ new Float64Array(3)

/** Whether kernels may take a body along: it moves, does not turn, and no stage has moved it. */
function isParticle(kind: number, flags: number): boolean {
  return kind === DYNAMIC && (flags & (ROTATES | RESTS | ADVANCED)) === 0
}

/** The place of the first of `rows` from place `n` on that is not below `row`; `count` where there is none. */
function skipTo(rows: Int32Array, n: number, count: number, row: number): number {
  while (n < count && rows[n] < row) n++
  return n
}

/** Moves every body as if it were free; `left` substeps remain for kinematic targets. */
function predict(world: WorldState, h: number, left: number): void {
  const { gravity } = world.settings
  const { kernels } = world
  const bodies = world.bodies.columns
  const { position, orientation, startPosition, startOrientation, predictedRotation, kind, flags } = bodies
  for (let k = 0; k < 3; k++) fall[k] = h * gravity[k]
  const { rows, count } = world.bodies.awake
  for (let n = 0; n < count; n++) {
    if (kernels !== undefined && isParticle(kind[rows[n]], flags[rows[n]])) {
      n = skipTo(rows, n, count, kernels.predict(bodies, rows[n], world.bodies.count, h, fall))
      if (n === count) break
    }
    const i = rows[n]
    if (kind[i] === DEAD) continue
    const p = 4 * i
    // A repair before the substep, or a stage that moved it through, may have lost it.
    if (kind[i] === DYNAMIC && !isFinitePose(bodies, i)) freeze(world, i)
    startPosition[p] = position[p]
    startPosition[p + 1] = position[p + 1]
    startPosition[p + 2] = position[p + 2]
    startPosition[p + 3] = position[p + 3]
    // What is dynamic and does not turn has had its orientation for its start since it was set.
    if (kind[i] !== DYNAMIC || (flags[i] & ROTATES) !== 0) {
      startOrientation[p] = orientation[p]
      startOrientation[p + 1] = orientation[p + 1]
      startOrientation[p + 2] = orientation[p + 2]
      startOrientation[p + 3] = orientation[p + 3]
    }
    if (kind[i] !== DYNAMIC || (flags[i] & (RESTS | ADVANCED)) !== 0) {
      for (let k = 3 * i; k < 3 * i + 3; k++) predictedRotation[k] = 0
    }
    if (kind[i] === KINEMATIC && (flags[i] & FROZEN) === 0) {
      steerKinematic(bodies, i, h, left)
      drift(bodies, i, h)
      if (!isFinitePose(bodies, i)) freeze(world, i)
    }
    if (kind[i] !== DYNAMIC || (flags[i] & RESTS) !== 0) continue
    if ((flags[i] & ADVANCED) !== 0) {
      refreshInertia(bodies, i)
      continue
    }

    predictBody(bodies, i, h, fall, world.settings)
    if (!isFinitePose(bodies, i)) freeze(world, i)
  }
}

/** Softness of this substep, multipliers at their first guess, gradients where they are kept. */
function prepare(world: WorldState, h: number): void {
  const { settings, batches } = world
  const bodies = world.bodies.columns
  const fromLast = world.clock.substepLength > 0 ? h / world.clock.substepLength : 0
  // After a substep that was next to none, forces are not known.
  const sameForce = fromLast * fromLast < Infinity ? fromLast * fromLast : 0
  for (let b = 0; b < batches.length; b++) {
    const batch = batches[b]
    const { type, active, swept } = batch
    const { lambda, compliance, rayleigh, regularization, softness, gamma } = batch.common
    batch.rows.substep = h
    if (batch.softFor !== h) {
      for (let row = 0; row < active; row++) {
        softness[row] = compliance[row] / (h * h) + regularization[row]
        gamma[row] = rayleigh[row] / h
      }
      batch.softFor = h
    }
    if (settings.jacobians === 'frozen') keepGradients(bodies, batch)
    else if (settings.jacobians === 'start') keepGradients(world.startPose, batch)
    // Block solvers go on from the multipliers of the last substep, without displacing by them.
    rescale(lambda, type.multipliers * swept, type.multipliers * active, sameForce)
    if (type.traits?.warmStart === 'own') rescale(lambda, 0, type.multipliers * swept, sameForce)
    else if (startsWarm(settings, type)) warmStart(bodies, batch, settings.warmStart * sameForce)
    else lambda.fill(0, 0, type.multipliers * swept)
    batch.loops.prepare?.(bodies, batch, 0, active, h)
  }
  for (let s = 0; s < world.solvers.length; s++) world.solvers[s].prepare?.(world, h)
}

/** Whether λ of the last substep is a first guess: not along gradients that are kept, or of rows whose own change: there it drove what it is to hold. */
function startsWarm({ warmStart: share, jacobians }: Settings, { traits }: AnyType): boolean {
  return share > 0 && jacobians === 'fresh' && traits?.warmStart !== false && traits?.isCurved !== true
}

/** Multipliers are force times h²: another substep length, another number for the same force. */
function rescale(lambda: Float64Array, from: number, to: number, factor: number): void {
  if (factor === 1) return
  for (let k = from; k < to; k++) lambda[k] *= factor
}

/** Most solutions by block solvers that an impact is shared out in, by turns with the sweep, at the end of a substep, where none asks for more. */
const MOST_TURNS = 4

/**
 * Gauss–Seidel sweeps: a fixed number, or until the worst residual is below the tolerance; before each, block solvers have their turn.
 * What the last sweep has struck of theirs is solved again, by turns with the sweep, and once more at the end: joints hold, and what
 * touches them gives way.
 */
function solve(world: WorldState, h: number): void {
  const { settings, solvers } = world
  const { iterations, tolerance, maxIterations } = settings
  const limit = tolerance > 0 ? maxIterations : iterations
  const isAlternating = settings.order === 'alternating'
  let done = 0
  while (done < limit) {
    for (let s = 0; s < solvers.length; s++) solvers[s].solve(world, h, done === 0)
    // Sweeps of nets come in pairs: with an odd number of them the first is one.
    const isPair = tolerance > 0 || (done === 0 && iterations % 2 === 1)
    const isBack = iterations % 2 === 0 ? done % 2 === 1 : done % 2 === 0
    if (isPair || !isBack) sweepNets(world, h, true)
    if (isPair || isBack) sweepNets(world, h, false)
    sweep(world, h, isAlternating && done % 2 === 1)
    done++
    if (tolerance > 0 && done >= iterations && worstResidual(world, h) <= tolerance) break
  }
  world.clock.iterations = done
  if (solvers.length === 0) return
  const takesTurns = solvers.length > 1 || hasSwept(world)
  for (let turn = 1; takesTurns && resolveImpacts(world, h, turn); turn++) {
    sweepNets(world, h, false)
    sweepNets(world, h, true)
    sweep(world, h, false)
    done++
  }
  for (let s = 0; s < solvers.length; s++) solvers[s].finish?.(world, h)
  world.clock.iterations = done
}

/** Whether a block solver that has turns left had to solve again what was struck; in turn `turn`, from 1 on. */
function resolveImpacts(world: WorldState, h: number, turn: number): boolean {
  let anyStruck = false
  for (let s = 0; s < world.solvers.length; s++) {
    const solver = world.solvers[s]
    // How many turns it wants is known when it is struck.
    if (solver.resolveImpacts?.(world, h) === true && turn < Math.max(MOST_TURNS, solver.turns ?? 0)) anyStruck = true
  }
  return anyStruck
}

/** Whether the sweep may have moved anything: by a row, or by a locked translation. */
function hasSwept({ batches, bodies }: WorldState): boolean {
  for (let b = 0; b < batches.length; b++) if (batches[b].swept > 0) return true
  const { flags } = bodies.columns
  const { rows, count } = bodies.awake
  for (let n = 0; n < count; n++) if ((flags[rows[n]] & ANY_TRANSLATION_LOCK) !== 0) return true
  return false
}

/** One sweep over the nets of all batches: out, or back the same way. */
function sweepNets(world: WorldState, h: number, isBack: boolean): void {
  const { batches, settings } = world
  const bodies = world.bodies.columns
  const kept = settings.jacobians !== 'fresh'
  for (let b = 0; b < batches.length; b++) {
    const batch = batches[isBack ? batches.length - 1 - b : b]
    if (batch.inNets === 0) continue
    if (isBack && !kept && batch.loops.sweepBack !== undefined) batch.loops.sweepBack(bodies, batch, 0, batch.inNets, h)
    else if (isBack) {
      for (let s = batch.netSegments - 1; s >= 0; s--) {
        sweepRange(bodies, batch, batch.segments[s], batch.segments[s + 1], h, kept)
      }
    } else sweepRange(bodies, batch, 0, batch.inNets, h, kept)
  }
}

/**
 * One sweep over all batches but their nets. Alternating means forward and backward within a substep: from one substep to the next it
 * pumps energy (a hanging cloth of 400 nodes gains a factor 10²⁷ in 10 steps).
 */
function sweep(world: WorldState, h: number, backward: boolean): void {
  const { batches, settings } = world
  const bodies = world.bodies.columns
  const kept = settings.jacobians !== 'fresh'
  for (let b = 0; b < batches.length; b++) {
    const batch = batches[backward ? batches.length - 1 - b : b]
    if (backward) {
      for (let s = batch.segmentCount - 1; s >= batch.netSegments; s--) {
        sweepRange(bodies, batch, batch.segments[s], batch.segments[s + 1], h, kept)
      }
    } else if (batch.swept > batch.inNets) sweepRange(bodies, batch, batch.inNets, batch.swept, h, kept)
  }
  holdLocks(world.bodies)
}

function sweepRange(bodies: BodyColumns, batch: Batch, from: number, to: number, h: number, kept: boolean): void {
  if (kept || batch.loops.sweep === undefined) sweepRows(bodies, batch, from, to, h, kept)
  else batch.loops.sweep(bodies, batch, from, to, h)
}

/** Locked translation is one more row a sweep, against a world of infinite mass: back to where the substep began. */
function holdLocks({ columns, awake }: Bodies): void {
  const { flags, position, startPosition } = columns
  const { rows, count } = awake
  for (let n = 0; n < count; n++) {
    const i = rows[n]
    if ((flags[i] & ANY_TRANSLATION_LOCK) === 0) continue
    for (let axis = 0; axis < 3; axis++) {
      if ((flags[i] & (LOCK_TRANSLATION << axis)) !== 0) position[4 * i + axis] = startPosition[4 * i + axis]
    }
  }
}

/** Velocities from poses. */
function velocities(world: WorldState, h: number): void {
  const bodies = world.bodies.columns
  const { rows, count } = world.bodies.awake
  const { gyroscopic } = world.settings
  const { kind, flags } = bodies
  const { kernels, parts } = world
  for (let p = 0; p < parts.length; p++) parts[p].beginVelocities?.(world, h)
  for (let n = 0; n < count; n++) {
    if (kernels !== undefined && isParticle(kind[rows[n]], flags[rows[n]])) {
      n = skipTo(rows, n, count, kernels.velocities(bodies, rows[n], world.bodies.count, h))
      if (n === count) break
    }
    const i = rows[n]
    if (kind[i] !== DYNAMIC || (flags[i] & RESTS) !== 0) continue
    if (!isFinitePose(bodies, i)) {
      freeze(world, i)
      continue
    }
    if ((flags[i] & ADVANCED) !== 0) correctAdvanced(bodies, i, h)
    else correctVelocity(bodies, i, h, gyroscopic)
  }
  for (let p = parts.length - 1; p >= 0; p--) parts[p].endVelocities?.(world, h)
}

/** Lets types note what follows from the poses of the substep. */
export function track({ batches, bodies }: WorldState): void {
  for (let b = 0; b < batches.length; b++) {
    batches[b].type.loop?.track?.(bodies.columns, batches[b], 0, batches[b].active)
  }
}

function velocityPass(world: WorldState, h: number): void {
  const { gravity } = world.settings
  const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
  const bodies = world.bodies.columns
  const { batches, parts } = world
  for (let p = 0; p < parts.length; p++) parts[p].beginBounce?.(world)
  for (let b = 0; b < batches.length; b++) batches[b].loops.velocities?.(bodies, batches[b], 0, batches[b].active, h, g)
  for (let p = parts.length - 1; p >= 0; p--) parts[p].endBounce?.(world)
  runVelocityHook(world, h)
  checkVelocities(world)
}

/** Runs the user's hook of velocities of a substep of `h` [s]: what it does is the user's, and an error of it comes out when the step is over. */
export function runVelocityHook(world: WorldState, h: number): void {
  if (world.velocityHook === undefined) return
  const { parts } = world
  const { callbacks } = world.bodies
  for (let p = 0; p < parts.length; p++) parts[p].beginHook?.(world)
  callbacks.begin()
  try {
    world.velocityHook(h)
    callbacks.end()
  } catch (error) {
    callbacks.fail(error)
  }
  for (let p = parts.length - 1; p >= 0; p--) parts[p].endHook?.(world)
}

function clearForces({ columns: { force, torque }, awake }: Bodies): void {
  const { rows, count } = awake
  for (let n = 0; n < count; n++) for (let k = 3 * rows[n]; k < 3 * rows[n] + 3; k++) force[k] = torque[k] = 0
}
