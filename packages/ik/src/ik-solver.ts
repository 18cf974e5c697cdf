/**
 * Poses a rig for its goals: steps of the block until they are met, no better pose is found, or the iterations are spent.
 *
 *   world poses, axes, carried matter   →   rows of the goals   →   block   →   joints turned, put back inside their limits
 *
 * The best pose seen is the one returned. A solve allocates nothing and never throws; a target that is not finite leaves the
 * pose as it was.
 */

import { nonNegative, oneOf, positive, rotationBetween, rotationVectorFromQuaternion, turnBy } from '@tautline/core'
import { Block } from './block.js'
import { isLimited, turnedFromRest, turnFromRest, writeCoordinates } from './coordinates.js'
import { FullMass } from './full-mass.js'
import { Goal, PositionGoal } from './goals.js'
import { BALL, FREE, FREEDOMS, HINGE, LOCKED, SLIDER, UNIVERSAL } from './joints.js'
import { Kinematics } from './kinematics.js'
import { type Bounds, clampInside, holdBall, violation } from './limits.js'
import { type Metric, writeMobility } from './metric.js'
import { Pose } from './pose.js'
import type { Rig } from './rig.js'
import { GoalRows } from './rows.js'
import { rotationOf, turnVector } from './turns.js'

/** What a user writes to make an {@link IkSolver}. Every field may be left out. */
export interface IkOptions {
  /** What weighs a step. @defaultValue 'inertia' */
  metric?: Metric
  /** Share of the root's inertia that every joint has besides. @defaultValue 0.05 */
  blend?: number
  /** Most iterations of a solve. @defaultValue 50 */
  iterations?: number
  /** Error at which a goal is met, as a share of the rig's reach, and in radians. @defaultValue 1e-4 */
  tolerance?: number
  /** Damping grows with the error: this times (e/reach)². @defaultValue 0.05 */
  damping?: number
  /** Most that a joint turns in an iteration [rad]. @defaultValue 0.5 */
  maxAngle?: number
  /** Most of an error that is asked for at once, as a share of the reach. @defaultValue 0.3 */
  errorClamp?: number
  /** Where a solve starts: the pose given, so that the same call gives the same pose, or the one of the last solve. @defaultValue 'input' */
  start?: 'input' | 'previous'
  /**
   * Times to start anew, for the chains whose goals are not met: from the middle of their limits, then from random poses. For
   * single poses; along a motion it makes poses jump. @defaultValue 0
   */
  restarts?: number
  /** Of the random poses. @defaultValue 1 */
  seed?: number
  /** Pull of each joint towards what it prefers, a share an iteration, where the goals leave it free. @defaultValue 0 */
  posture?: number
  /** How much of a frame's change is left out, 0 none, towards 1 nearly all: `solve` moves from the pose given. @defaultValue 0 */
  smoothing?: number
}

/** How a solve ended. */
export interface IkResult {
  /**
   * - `converged`: every goal is met.
   * - `stalled`: no step made it better.
   * - `limit`: the iterations were spent.
   * - `unreachable`: it ended without, and some target is farther than its chain is long.
   * - `invalid`: a target is not finite; the pose is as it was.
   */
  status: 'converged' | 'stalled' | 'limit' | 'unreachable' | 'invalid'
  iterations: number
  /** The largest error of the goals, lengths as shares of the reach, angles in radians. */
  error: number
  /** 1 for bones whose joint was held by a bound. */
  readonly atLimit: Uint8Array
  /** Σ of the squared turns of all bones against their parents since the solve began [rad²]: how much it moved. */
  work: number
  /** What is wrong where the status is `invalid`. */
  reason: string
}

type Settings = Required<IkOptions>

const DEFAULTS: Settings = {
  metric: 'inertia',
  blend: 0.05,
  iterations: 50,
  tolerance: 1e-4,
  damping: 0.05,
  maxAngle: 0.5,
  errorClamp: 0.3,
  start: 'input',
  restarts: 0,
  seed: 1,
  posture: 0,
  smoothing: 0,
}

/** Iterations without a better pose after which it has stalled. */
const PATIENCE = 6
/**
 * How often joints that a bound holds are moved off it when all has stalled: a straight elbow against its stop cannot tell
 * that bending it would help.
 */
const MOST_FREED = 3
/** The same while bounds hold some joint: they are the likely reason. */
const PATIENCE_HELD = 2
/** An error has to fall to this share to count as better. */
const BETTER = 0.999
/** Turn [rad] that frees a chain which is straight along its error. */
const NUDGE = 0.05
/** Places in `scalars`: the error at hand, the least so far, the largest turn or way of the last step. */
const ERROR = 0
const BEST = 1
const MOVED = 2
/** Share of the way to the middle of its range that a held joint is moved, times how often it was before. */
const FREE_BY = 0.3
/** A turn cut to the most allowed stays this share below it, so that half a radian needs no sine. */
const CLAMPED = 1 - 1e-12
/** Steps below this [rad] while there is an error are none. */
const STUCK = 1e-9

/** Solves goals on one rig: `new IkSolver(rig).add(new PositionGoal(rig, 'hand', [1, 1, 0]))`, then `solve(pose)`. */
export class IkSolver {
  readonly rig: Rig
  settings: Settings
  readonly goals: Goal[] = []
  readonly result: IkResult
  private kinematics: Kinematics
  private rows: GoalRows
  private block: Block
  private readonly best: Pose
  private readonly previous: Pose
  private readonly origin: Pose
  /** Rotations that balls prefer. */
  private readonly wanted: Float64Array
  /** 1 for bones whose goals are not met. */
  private readonly unmet: Uint8Array
  /** `ERROR`, `BEST`, `MOVED`: numbers handed from function to function would be boxed. */
  private readonly scalars = new Float64Array(3)
  /** Whether some goal may lengthen bones. */
  private stretches = false
  /** Whether the pose at hand is the best. */
  private isAtBest = false
  private hasPrevious = false
  private limited: Uint8Array
  /** Of the random numbers: 32 bits, which a field would box. */
  private readonly state = new Uint32Array(1)
  private stale = true

  /** Throws `TypeError`/`RangeError` when an option is wrong. */
  constructor(rig: Rig, options: IkOptions = {}) {
    this.rig = rig
    this.settings = resolveOptions('IkSolver', options, DEFAULTS)
    this.kinematics = new Kinematics(rig)
    this.rows = new GoalRows(this.kinematics, 0)
    this.block = new Block(this.kinematics, this.rows)
    this.best = new Pose(rig)
    this.previous = new Pose(rig)
    this.origin = new Pose(rig)
    this.wanted = new Float64Array(4 * rig.count)
    this.limited = new Uint8Array(rig.count)
    this.unmet = new Uint8Array(rig.count)
    this.state[0] = this.settings.seed
    this.result = {
      status: 'stalled',
      iterations: 0,
      error: 0,
      atLimit: new Uint8Array(rig.count),
      work: 0,
      reason: '',
    }
  }

  /** Changes options; throws, and changes nothing, when one is wrong. */
  configure(options: IkOptions): this {
    this.settings = resolveOptions('configure', options, this.settings)
    this.state[0] = this.settings.seed
    return this
  }

  /** Adds a goal and returns it. */
  add<G extends Goal>(goal: G): G {
    if (!(goal instanceof Goal)) throw new TypeError(`IkSolver.add: goal must be a goal, got ${typeof goal}`)
    this.goals.push(goal)
    this.stale = true
    return goal
  }

  /** Takes a goal away. */
  remove(goal: Goal): void {
    const at = this.goals.indexOf(goal)
    if (at < 0) throw new RangeError('IkSolver.remove: goal must be one of the solver, got another')
    this.goals.splice(at, 1)
    this.stale = true
  }

  /** Joints or the root mode of the rig have changed: the next solve makes room anew. */
  refresh(): void {
    this.stale = true
  }

  /** Poses `pose` for the goals, in place. The result is the solver's own, and overwritten by the next solve. */
  solve(pose: Pose): IkResult {
    const { result, settings } = this
    if (this.stale) this.makeRoom()
    const fault = this.fault()
    if (fault !== '') {
      result.status = 'invalid'
      result.reason = fault
      result.iterations = result.work = 0
      result.error = Infinity
      return result
    }
    result.reason = ''
    this.origin.copy(pose)
    this.kinematics.read(settings.start === 'previous' && this.hasPrevious ? this.previous : pose)
    this.stretch()
    this.holdAll()
    this.kinematics.update()
    for (let g = 0; g < this.goals.length; g++) this.goals[g].begin(this.rows)
    if (this.rig.rootMode === 'prePull') this.pullRoot()
    this.state[0] = settings.seed
    result.iterations = 0
    this.scalars[BEST] = Infinity
    for (let attempt = 0; ; attempt++) {
      this.descend()
      if (this.scalars[BEST] <= settings.tolerance || attempt >= settings.restarts) break
      this.startAnew(attempt === 0)
    }
    this.finish(pose)
    return result
  }

  /** Iterations from the present pose; the best of all is kept. */
  private descend(): void {
    const { settings, kinematics, result, block, scalars } = this
    let lastBetter = 0
    let own = Infinity
    let freed = 0
    const isSoft = this.hasSoftGoals()
    scalars[MOVED] = Infinity
    block.lambda.fill(0)
    result.status = 'limit'
    for (let done = 0; done <= settings.iterations; done++) {
      kinematics.update()
      this.measure()
      const error = scalars[ERROR]
      // Soft goals have no error that says when they are done: they are when nothing moves, and the later pose is the better.
      if (error < scalars[BEST] || (isSoft && error <= Math.max(scalars[BEST], settings.tolerance))) {
        scalars[BEST] = error
        this.keep()
      }
      if (error < BETTER * own) {
        own = error
        lastBetter = done
      }
      const isMet = error <= settings.tolerance
      if (isMet && (!isSoft || scalars[MOVED] <= settings.tolerance)) {
        result.status = 'converged'
        break
      }
      if (!isMet && done - lastBetter > (freed < MOST_FREED && this.isHeldBack() ? PATIENCE_HELD : PATIENCE)) {
        if (freed === MOST_FREED || !this.freeHeld(++freed)) {
          result.status = 'stalled'
          break
        }
        lastBetter = done
        own = Infinity
        continue
      }
      if (done === settings.iterations) break
      result.iterations++
      this.stepOnce()
    }
  }

  /** Whether some goal is met as well as it can be, and not to a tolerance. */
  private hasSoftGoals(): boolean {
    const { goals } = this
    for (let g = 0; g < goals.length; g++) {
      if (goals[g].weight > 0 && (goals[g].compliance > 0 || goals[g].priority > 0)) return true
    }
    return false
  }

  /** One step of the block, applied. */
  private stepOnce(): void {
    const { settings, kinematics, block, scalars } = this
    if (settings.metric === 'fullMass') {
      kinematics.carry()
      block.fullMass ??= new FullMass(kinematics)
      block.fullMass.update(settings.blend)
    } else {
      block.fullMass = undefined
      writeMobility(kinematics, settings, block.mobility)
    }
    const wishes = settings.posture > 0
    if (wishes) this.wish()
    block.damping[0] = settings.damping * scalars[ERROR] * scalars[ERROR]
    block.solve(this.limited, wishes)
    this.isAtBest = false
    this.apply()
    if (scalars[MOVED] < STUCK && scalars[ERROR] > settings.tolerance) this.nudge()
  }

  private writeRows(): void {
    const { rows, goals, settings, rig } = this
    rows.clear()
    rows.step[0] = settings.errorClamp * rig.size
    for (let g = 0; g < goals.length; g++) {
      if (goals[g].weight === 0) continue
      rows.begin()
      goals[g].write(rows)
    }
  }

  /** The largest error of the goals that count, lengths as shares of the reach, into `scalars`. */
  private measure(): void {
    const { goals, rig } = this
    this.writeRows()
    let largest = 0
    for (let g = 0; g < goals.length; g++) {
      const goal = goals[g]
      if (goal.weight === 0 || goal.compliance > 0 || goal.priority > 0) continue
      largest = Math.max(largest, goal.isLength ? goal.error / rig.size : goal.error)
    }
    this.scalars[ERROR] = largest
  }

  /** Turns and moves all joints by the block's step; the largest turn or way made goes into `scalars`. */
  private apply(): void {
    const { kinematics, block, settings, rig, limited, scalars } = this
    const { kinds, firstFreedom, pose, world } = kinematics
    const { step } = block
    const { rotations } = pose
    const most = settings.maxAngle * settings.maxAngle
    let largest = 0
    scalars[MOVED] = 0
    for (let i = 0; i < rig.count; i++) {
      const kind = kinds[i]
      if (kind === LOCKED) continue
      if (kind !== BALL && kind !== FREE) {
        this.moveCoordinates(i)
        continue
      }
      if (kind === FREE) this.moveRoot(i)
      const a = kind === FREE ? firstFreedom[i] + 3 : firstFreedom[i]
      let x = step[a]
      let y = step[a + 1]
      let z = step[a + 2]
      let squared = x * x + y * y + z * z
      if (squared > most) {
        const scale = Math.sqrt(most / squared) * CLAMPED
        x *= scale
        y *= scale
        z *= scale
        squared = most
      }
      if (squared > largest) largest = squared
      // Into the parent's axes.
      const p = rig.parent[i]
      if (p >= 0) {
        const qx = -world.rotations[4 * p]
        const qy = -world.rotations[4 * p + 1]
        const qz = -world.rotations[4 * p + 2]
        const qw = world.rotations[4 * p + 3]
        const tx = 2 * (qy * z - qz * y)
        const ty = 2 * (qz * x - qx * z)
        const tz = 2 * (qx * y - qy * x)
        x += qw * tx + (qy * tz - qz * ty)
        y += qw * ty + (qz * tx - qx * tz)
        z += qw * tz + (qx * ty - qy * tx)
      }
      local[0] = x
      local[1] = y
      local[2] = z
      turnBy(rotations, 4 * i, local)
      if (limited[i] === 1 && kind === BALL && isNear(block.bounds[i], local)) holdBall(rig, i, rotations)
    }
    scalars[MOVED] = Math.max(scalars[MOVED], Math.sqrt(largest))
  }

  /** Carries a free root along. */
  private moveRoot(i: number): void {
    const { kinematics, block, settings, rig, scalars } = this
    const { step } = block
    const f = kinematics.firstFreedom[i]
    const far = settings.errorClamp * rig.size
    const way = Math.sqrt(step[f] * step[f] + step[f + 1] * step[f + 1] + step[f + 2] * step[f + 2])
    const shrink = way > far ? far / way : 1
    scalars[MOVED] = Math.max(scalars[MOVED], (shrink * way) / rig.size)
    for (let k = 0; k < 3; k++) kinematics.pose.positions[3 * i + k] += shrink * step[f + k]
  }

  /** Moves a joint that has coordinates of its own. */
  private moveCoordinates(i: number): void {
    const { kinematics, block, settings, rig, scalars } = this
    const { kinds, firstFreedom, pose, coordinates } = kinematics
    const { limits } = rig.joints[i]
    const kind = kinds[i]
    const f = firstFreedom[i]
    const bound = kind === SLIDER ? settings.errorClamp * rig.size : settings.maxAngle
    for (let c = 0; c < FREEDOMS[kind]; c++) {
      const moved = Math.min(Math.max(block.step[f + c], -bound), bound)
      const before = coordinates[2 * i + c]
      coordinates[2 * i + c] = before + moved
      clampInside(coordinates, 2 * i + c, limits, 2 * c)
      scalars[MOVED] = Math.max(scalars[MOVED], Math.abs(coordinates[2 * i + c] - before))
    }
    writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, this.stretches)
  }

  /** Makes the chains of goals that may stretch as long as their targets are far, within what they allow. */
  private stretch(): void {
    const { kinematics, goals, rig } = this
    this.stretches = false
    for (let g = 0; g < goals.length; g++) {
      const goal = goals[g]
      if (goal instanceof PositionGoal && goal.weight > 0 && goal.stretch > 1) this.stretches = true
    }
    if (!this.stretches) return
    kinematics.stretch.fill(1)
    kinematics.world.update(rig, kinematics.pose)
    for (let g = 0; g < goals.length; g++) {
      const goal = goals[g]
      if (goal instanceof PositionGoal && goal.weight > 0 && goal.stretch > 1) goal.stretchChain(kinematics)
    }
  }

  /** Puts every joint inside its limits. */
  private holdAll(): void {
    const { kinematics, rig } = this
    const { kinds, pose, coordinates } = kinematics
    for (let i = 0; i < rig.count; i++) {
      const kind = kinds[i]
      if (kind === BALL && this.limited[i] === 1) holdBall(rig, i, pose.rotations)
      const { limits } = rig.joints[i]
      for (let c = 0; c < FREEDOMS[kind] && kind !== BALL && kind !== FREE; c++) {
        clampInside(coordinates, 2 * i + c, limits, 2 * c)
      }
      writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, this.stretches)
    }
  }

  /** What each joint would rather do: a share of the way to what it prefers. */
  private wish(): void {
    const { kinematics, rig, block, settings } = this
    const share = settings.posture
    const { kinds, firstFreedom, pose, coordinates, world } = kinematics
    block.wish.fill(0)
    for (let i = 0; i < rig.count; i++) {
      const f = firstFreedom[i]
      const { preferred } = rig.joints[i]
      if (kinds[i] === HINGE || kinds[i] === SLIDER) block.wish[f] = share * (preferred[0] - coordinates[2 * i])
      else if (kinds[i] === UNIVERSAL) {
        block.wish[f] = -share * coordinates[2 * i]
        block.wish[f + 1] = -share * coordinates[2 * i + 1]
      } else if (kinds[i] === BALL) {
        turnedFromRest(rig, i, preferred, this.wanted)
        rotationBetween(this.wanted, 4 * i, pose.rotations, 4 * i, local, 0)
        const p = rig.parent[i]
        if (p >= 0) turnVector(world.rotations, 4 * p, local)
        for (let k = 0; k < 3; k++) block.wish[f + k] = share * local[k]
      }
    }
  }

  /** Whether a bound was in force in the last step. */
  private isHeldBack(): boolean {
    const { rig, block } = this
    for (let i = 0; i < rig.count; i++) if (block.isHeld(i)) return true
    return false
  }

  /**
   * Moves joints of unmet goals that were held by a bound inward, by a share of their range that grows with `times`; false when none was
   * held. Starts from the best pose.
   */
  private freeHeld(times: number): boolean {
    const { kinematics, rig, block, result } = this
    const { kinds, pose, coordinates } = kinematics
    let found = false
    kinematics.read(this.best)
    kinematics.update()
    this.measure()
    this.findUnmet()
    this.isAtBest = false
    for (let i = 0; i < rig.count; i++) {
      if (this.unmet[i] === 0 || (result.atLimit[i] === 0 && !block.isHeld(i))) continue
      const kind = kinds[i]
      const { limits } = rig.joints[i]
      found = true
      if (kind === BALL) {
        // Towards rest, which limits include or are near to.
        turnFromRest(rig, i, pose.rotations, turned)
        rotationVectorFromQuaternion(turned, 0, local, 0)
        const keep = 1 - FREE_BY * times
        for (let k = 0; k < 3; k++) local[k] *= keep
        rotationOf(local, turned)
        turnedFromRest(rig, i, turned, pose.rotations)
        holdBall(rig, i, pose.rotations)
        continue
      }
      for (let c = 0; c < FREEDOMS[kind]; c++) {
        const middle = Number.isFinite(limits[2 * c] + limits[2 * c + 1])
          ? 0.5 * (limits[2 * c] + limits[2 * c + 1])
          : 0
        const value = coordinates[2 * i + c]
        coordinates[2 * i + c] = value + FREE_BY * times * (middle - value)
        clampInside(coordinates, 2 * i + c, limits, 2 * c)
      }
      writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, this.stretches)
    }
    return found
  }

  /** Frees what stands still although there is an error: a little turn of every joint, the same for the same seed. */
  private nudge(): void {
    const { kinematics, rig } = this
    const { kinds, pose, coordinates } = kinematics
    for (let i = 0; i < rig.count; i++) {
      const kind = kinds[i]
      if (kind === BALL) {
        for (let k = 0; k < 3; k++) local[k] = NUDGE * this.random()
        turnBy(pose.rotations, 4 * i, local)
        if (this.limited[i] === 1) holdBall(rig, i, pose.rotations)
      } else if (kind === HINGE || kind === UNIVERSAL) {
        const { limits } = rig.joints[i]
        for (let c = 0; c < FREEDOMS[kind]; c++) {
          coordinates[2 * i + c] += NUDGE * this.random()
          clampInside(coordinates, 2 * i + c, limits, 2 * c)
        }
        writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, this.stretches)
      }
    }
  }

  /**
   * Another start for the chains of the goals that are not met, from the best pose: in the middle of their limits the first
   * time, at random inside them afterwards. Chains whose goals are met stay.
   */
  private startAnew(isFirst: boolean): void {
    const { kinematics, rig, unmet } = this
    const { kinds, pose, coordinates } = kinematics
    kinematics.read(this.best)
    kinematics.update()
    this.measure()
    this.findUnmet()
    for (let i = 0; i < rig.count; i++) {
      const kind = kinds[i]
      if (unmet[i] === 0 || kind === LOCKED || kind === FREE) continue
      const { limits } = rig.joints[i]
      if (kind === BALL) {
        for (let c = 0; c < 3; c++) local[c] = isFirst ? 0.1 * this.random() : 1.5 * this.random()
        rotationOf(local, turned)
        turnedFromRest(rig, i, turned, pose.rotations)
        if (this.limited[i] === 1) holdBall(rig, i, pose.rotations)
        continue
      }
      for (let c = 0; c < FREEDOMS[kind]; c++) {
        const reach = kind === SLIDER ? rig.size : Math.PI
        const min = Math.max(limits[2 * c], -reach)
        const max = Math.min(limits[2 * c + 1], reach)
        const share = isFirst ? 0.5 + 0.05 * this.random() : 0.5 * (1 + this.random())
        coordinates[2 * i + c] = min + share * (max - min)
        clampInside(coordinates, 2 * i + c, limits, 2 * c)
      }
      writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, this.stretches)
    }
  }

  /** Marks the bones that goals move which are not met. */
  private findUnmet(): void {
    const { goals, rig, settings, unmet } = this
    unmet.fill(0)
    for (let g = 0; g < goals.length; g++) {
      const goal = goals[g]
      const unit = goal.isLength ? rig.size : 1
      if (goal.weight === 0 || goal.error <= settings.tolerance * unit) continue
      for (let i = goal.end; i >= 0; i = i === goal.chain ? -1 : rig.parent[i]) unmet[i] = 1
    }
  }

  /** Carries free roots along by the mean of what the position goals lack, before the solve. */
  private pullRoot(): void {
    const { kinematics, goals, rig } = this
    let weight = 0
    local.fill(0)
    for (let g = 0; g < goals.length; g++) {
      const goal = goals[g]
      if (!(goal instanceof PositionGoal) || goal.weight === 0) continue
      kinematics.pointOf(goal.bone, goal.point, point)
      const pull = goal.weight * goal.pull
      weight += pull
      for (let k = 0; k < 3; k++) local[k] += pull * (goal.target[k] - point[k])
    }
    if (weight === 0) return
    for (let i = 0; i < rig.count; i++) {
      if (rig.parent[i] >= 0) continue
      for (let k = 0; k < 3; k++) kinematics.pose.positions[3 * i + k] += local[k] / weight
    }
  }

  private keep(): void {
    this.isAtBest = true
    this.best.copy(this.kinematics.pose)
    for (let i = 0; i < this.rig.count; i++)
      this.result.atLimit[i] = this.limited[i] === 1 && this.block.isHeld(i) ? 1 : 0
  }

  /** The best pose goes out, smoothed where asked, and what it took. */
  private finish(pose: Pose): void {
    const { result, settings, kinematics, rig, goals } = this
    const error = this.scalars[BEST]
    if (!this.isAtBest) {
      kinematics.read(this.best)
      kinematics.update()
      this.measure()
    }
    // For balls whose swing is so wide that `AT_MOST` does not hold; all others are inside.
    this.holdAll()
    this.best.copy(kinematics.pose)
    result.error = error
    if (error <= settings.tolerance) result.status = 'converged'
    else {
      for (let g = 0; g < goals.length; g++) {
        if (goals[g].weight > 0 && goals[g].isBeyondReach(this.rows)) result.status = 'unreachable'
      }
    }
    this.previous.copy(this.best)
    this.hasPrevious = true
    result.work = 0
    for (let i = 0; i < rig.count; i++) {
      rotationBetween(this.best.rotations, 4 * i, this.origin.rotations, 4 * i, local, 0)
      result.work += local[0] * local[0] + local[1] * local[1] + local[2] * local[2]
    }
    pose.copy(this.best)
    if (settings.smoothing === 0) return
    for (let i = 0; i < rig.count; i++) {
      rotationBetween(this.origin.rotations, 4 * i, this.best.rotations, 4 * i, local, 0)
      for (let k = 0; k < 3; k++) local[k] *= settings.smoothing
      turnBy(pose.rotations, 4 * i, local)
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        pose.positions[k] += settings.smoothing * (this.origin.positions[k] - this.best.positions[k])
      }
    }
    // Between a pose that was given and one inside the limits may be outside.
    kinematics.read(pose)
    this.holdAll()
    pose.copy(kinematics.pose)
    this.previous.copy(pose)
  }

  /** How far a pose is outside the limits [rad or m]: the worst joint. 0 for what `solve` returns. */
  violation(pose: Pose): number {
    if (this.stale) this.makeRoom()
    const { kinematics, rig } = this
    kinematics.read(pose)
    let worst = 0
    for (let i = 0; i < rig.count; i++) {
      worst = Math.max(worst, violation(rig, i, kinematics.kinds[i], pose, kinematics.coordinates))
    }
    return worst
  }

  private fault(): string {
    for (let g = 0; g < this.goals.length; g++) {
      const fault = this.goals[g].fault()
      if (fault !== '') return fault
    }
    return ''
  }

  private makeRoom(): void {
    const { rig } = this
    let most = 0
    for (const goal of this.goals) most += goal.most
    this.kinematics = new Kinematics(rig)
    this.rows = new GoalRows(this.kinematics, most)
    this.block = new Block(this.kinematics, this.rows)
    for (let i = 0; i < rig.count; i++) this.limited[i] = isLimited(rig.joints[i]) ? 1 : 0
    this.stale = false
  }

  /** A number in [−1, 1) (a linear congruential generator: Numerical Recipes, 2nd ed., 7.1). */
  private random(): number {
    this.state[0] = Math.imul(this.state[0], 1664525) + 1013904223
    return this.state[0] / 0x80000000 - 1
  }
}

const local = /* @__PURE__ */ new Float64Array(3)
const point = /* @__PURE__ */ new Float64Array(3)
const turned = /* @__PURE__ */ new Float64Array(4)

/** A turn changes swing and twist by no more than this many times itself, up to swings of 2.4 rad. */
const AT_MOST = 3

/** Whether a turn may lead past one of a ball's bounds. */
function isNear({ count, room }: Bounds, turned: Float64Array): boolean {
  const squared = turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]
  for (let b = 0; b < count; b++) if (room[b] * room[b] < AT_MOST * AT_MOST * squared) return true
  return false
}

/** Checks options over `base`; changes nothing. */
function resolveOptions(where: string, options: IkOptions, base: Settings): Settings {
  for (const name of Object.keys(options)) {
    if (!(name in DEFAULTS)) throw new TypeError(`${where}: options must be known ones, got ${name}`)
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const o: Settings = { ...base, ...given }
  const settings: Settings = {
    metric: oneOf(`${where}: metric`, o.metric, ['inertia', 'identity', 'fullMass']),
    blend: nonNegative(`${where}: blend`, o.blend),
    iterations: count(`${where}: iterations`, o.iterations, 1),
    tolerance: nonNegative(`${where}: tolerance`, o.tolerance),
    damping: nonNegative(`${where}: damping`, o.damping),
    maxAngle: positive(`${where}: maxAngle`, o.maxAngle),
    errorClamp: positive(`${where}: errorClamp`, o.errorClamp),
    start: oneOf(`${where}: start`, o.start, ['input', 'previous']),
    restarts: count(`${where}: restarts`, o.restarts, 0),
    seed: count(`${where}: seed`, o.seed, 0),
    posture: nonNegative(`${where}: posture`, o.posture),
    smoothing: nonNegative(`${where}: smoothing`, o.smoothing),
  }
  if (settings.posture > 1) throw new RangeError(`${where}: posture must be <= 1, got ${settings.posture}`)
  if (settings.smoothing >= 1) throw new RangeError(`${where}: smoothing must be < 1, got ${settings.smoothing}`)
  return settings
}

function count(where: string, value: number, least: number): number {
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(`${where} must be an integer >= ${least}, got ${value}`)
  }
  return value
}
