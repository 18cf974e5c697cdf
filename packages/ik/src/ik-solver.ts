/**
 * Poses a rig for its goals: steps of the block until they are met, no better pose is found, or the iterations are spent.
 *
 *   world poses, axes, carried matter   →   rows of the goals   →   block   →   joints turned, put back inside their limits
 *
 * The best pose seen is the one returned, or where goals are not met the one that settle.ts finds. A solve allocates nothing and
 * never throws; a target or a pose that is not finite leaves the pose as it was.
 */

import { rotationBetween, turnBy } from '@tautline/core'
import { Block } from './block.js'
import { isFiniteVector } from './checks.js'
import { isLimited, turnedFromRest, writeCoordinates } from './coordinates.js'
import { FullMass } from './full-mass.js'
import { Goal, PositionGoal } from './goals.js'
import { BALL, FREE, FREEDOMS, HINGE, LOCKED, SLIDER, UNIVERSAL } from './joints.js'
import { Kinematics } from './kinematics.js'
import { type Bounds, clampInside, holdBall, violation } from './limits.js'
import { writeMobility } from './metric.js'
import { DEFAULTS, type IkOptions, resolveOptions, type Settings } from './options.js'
import { Parts } from './parts.js'
import { Pose } from './pose.js'
import { Rig } from './rig.js'
import { GoalRows } from './rows.js'
import { LEAST_SETTLING, Settling } from './settle.js'
import { Starts } from './starts.js'
import { turnVector } from './turns.js'

/** How a solve ended. */
export interface IkResult {
  /**
   * - `converged`: every goal is met.
   * - `stalled`: no step made it better.
   * - `limit`: the iterations were spent.
   * - `unreachable`: it ended without, and some target is farther than its chain is long.
   * - `invalid`: a goal or the pose has what cannot be, as `reason` says; the pose is as it was.
   */
  status: 'converged' | 'stalled' | 'limit' | 'unreachable' | 'invalid'
  /** Steps made, of all starts. */
  iterations: number
  /**
   * The largest error of the goals that count, lengths as shares of the reach, angles in radians; ∞ where the status is `invalid`.
   * Goals with a compliance or a priority do not count.
   */
  error: number
  /** By bone, 1 where a bound held the joint. */
  readonly atLimit: Uint8Array
  /** Σ of the squared turns of all bones against their parents since the solve began [rad²]: how much it moved. */
  work: number
  /** What is wrong where the status is `invalid`. */
  reason: string
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
/** A turn cut to the most allowed stays this share below it, so that half a radian needs no sine. */
const CLAMPED = 1 - 1e-12
/** Steps below this [rad] while there is an error are none. */
const STUCK = 1e-9

/** Solves goals on one rig: `new IkSolver(rig).add(new PositionGoal(rig, 'hand', [1, 1, 0]))`, then `solve(pose)`. */
export class IkSolver {
  readonly rig: Rig
  /** All options, as given or by default. Change them by {@link IkSolver.configure}. */
  settings: Settings
  /** In the order they were added. Change them by {@link IkSolver.add} and {@link IkSolver.remove}. */
  readonly goals: Goal[] = []
  /** Of the last solve. */
  readonly result: IkResult
  private kinematics: Kinematics
  private rows: GoalRows
  private block: Block
  private readonly best: Pose
  private readonly bestCoordinates: Float64Array
  private readonly previous: Pose
  private readonly origin: Pose
  /** Rotations that balls prefer. */
  private readonly wanted: Float64Array
  /** 1 for bones whose goals are not met, and for goals that the best pose does not meet. */
  private readonly unmet: Uint8Array
  private isMissed = new Uint8Array(0)
  private readonly poses = { keep: (p: number): void => this.keep(p), restore: (p: number): void => this.restore(p) }
  private parts: Parts
  private starts: Starts
  private settling: Settling
  private hasPrevious = false
  private limited: Uint8Array
  private stale = true
  /** Of the rig, when room was made. */
  private revision = 0

  /** Throws `TypeError`/`RangeError` when an option is wrong. */
  constructor(rig: Rig, options: IkOptions = {}) {
    if (!(rig instanceof Rig)) throw new TypeError(`IkSolver: rig must be a Rig, got ${String(rig)}`)
    this.rig = rig
    this.settings = resolveOptions('IkSolver', options, DEFAULTS)
    this.kinematics = new Kinematics(rig)
    this.parts = new Parts(this.kinematics, [], true)
    this.rows = new GoalRows(this.kinematics, 0)
    this.block = new Block(this.kinematics, this.rows, this.parts)
    this.settling = new Settling(this.kinematics, this.rows, this.parts, this.poses)
    this.best = new Pose(rig)
    this.bestCoordinates = new Float64Array(2 * rig.count)
    this.previous = new Pose(rig)
    this.origin = new Pose(rig)
    this.wanted = new Float64Array(4 * rig.count)
    this.limited = new Uint8Array(rig.count)
    this.starts = new Starts(this.kinematics, this.limited)
    this.unmet = new Uint8Array(rig.count)
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
    const { metric } = this.settings
    this.settings = resolveOptions('configure', options, this.settings)
    // The whole mass couples what no goal does.
    if (metric !== this.settings.metric) this.stale = true
    return this
  }

  /** Adds a goal and returns it. Throws `TypeError` for what is no goal, and `RangeError` for one of another rig. */
  add<G extends Goal>(goal: G): G {
    if (!(goal instanceof Goal)) throw new TypeError(`IkSolver.add: goal must be a goal, got ${typeof goal}`)
    if (goal.rig !== this.rig)
      throw new RangeError("IkSolver.add: goal must be of the solver's rig, got one of another")
    this.goals.push(goal)
    this.stale = true
    return goal
  }

  /** Takes a goal away. Throws `RangeError` for one that is not there. */
  remove(goal: Goal): void {
    const at = this.goals.indexOf(goal)
    if (at < 0) throw new RangeError('IkSolver.remove: goal must be one of the solver, got another')
    this.goals.splice(at, 1)
    this.stale = true
  }

  /** The next solve makes room anew. It does so by itself after `rig.joint` and `rig.root`. */
  refresh(): void {
    this.stale = true
  }

  /**
   * Poses `pose` for the goals, in place. Never throws: goals or a pose that are not finite, or a pose of another rig, give the status
   * `invalid` and leave the pose. The result is the solver's own, and overwritten by the next solve.
   */
  solve(pose: Pose): IkResult {
    const { result, settings } = this
    this.refreshIfStale()
    const fault = this.fault(pose)
    if (fault !== '') {
      result.status = 'invalid'
      result.reason = fault
      result.iterations = result.work = 0
      result.error = Infinity
      return result
    }
    result.reason = ''
    this.origin.copy(pose)
    this.startAtFirst()
    for (let g = 0; g < this.goals.length; g++) this.goals[g].begin(this.rows)
    if (this.rig.rootMode === 'prePull') this.pullRoot()
    this.starts.seed(settings.seed)
    result.iterations = 0
    this.parts.begin(this.goals)
    for (let attempt = 0; ; attempt++) {
      this.descend()
      const isMet = this.parts.reopen(settings)
      if (!isMet && attempt < settings.restarts) {
        this.startAnew()
        continue
      }
      if (!isMet && settings.iterations >= LEAST_SETTLING) this.settle()
      break
    }
    this.finish(pose)
    return result
  }

  /** The pose given, or the last one, inside the limits. */
  private startAtFirst(): void {
    const { kinematics, settings } = this
    kinematics.read(settings.start === 'previous' && this.hasPrevious ? this.previous : this.origin)
    this.stretch()
    this.holdAll()
    kinematics.update()
  }

  /** Parts whose goals are not met go where they settle, from where the solve began. */
  private settle(): void {
    const { kinematics, parts, settings, settling, result } = this
    if (!settling.open()) return
    kinematics.update()
    this.measure()
    settling.note(result)
    this.startAtFirst()
    if (this.rig.rootMode === 'prePull') this.pullRoot()
    for (let p = 0; p < parts.count; p++) {
      if (parts.isDone[p] === 0) continue
      parts.isAtBest[p] = 0
      this.restore(p)
    }
    result.status = 'stalled'
    for (let done = 0; ; done++) {
      kinematics.update()
      this.measure()
      const left = settling.judge(settings)
      if (left === 0) break
      if (done === settings.iterations) {
        result.status = 'limit'
        break
      }
      if (left < 0) {
        kinematics.update()
        this.measure()
      }
      result.iterations++
      this.stepOnce()
    }
    settling.choose(settings.restarts > 0, result)
  }

  /** Iterations from the present pose; the best of all is kept. */
  private descend(): void {
    const { settings, kinematics, result, block, parts } = this
    parts.start()
    block.lambda.fill(0)
    result.status = 'limit'
    for (let done = 0; ;) {
      kinematics.update()
      this.measure()
      const left = this.judge(done)
      if (left === 0) {
        result.status = 'stalled'
        break
      }
      // Joints were moved: their rows are no longer those of the pose.
      if (left < 0) continue
      if (done++ === settings.iterations) break
      result.iterations++
      this.stepOnce()
    }
  }

  /** Keeps what is better, and finds out which parts are done: how many are left, or −1 where joints were freed. */
  private judge(done: number): number {
    const { settings, parts } = this
    const { best, error, least, better, freed, isDone, isSoft, moved } = parts
    let left = 0
    let isFreed = false
    for (let p = 0; p < parts.count; p++) {
      if (isDone[p] === 1) continue
      // Soft goals have no error that says when they are done: they are when nothing moves, and the later pose is the better.
      if (error[p] < best[p] || (isSoft[p] === 1 && error[p] <= Math.max(best[p], settings.tolerance))) {
        best[p] = error[p]
        this.keep(p)
      }
      if (error[p] < BETTER * least[p]) {
        least[p] = error[p]
        better[p] = done
      }
      const isMet = error[p] <= settings.tolerance
      if (isMet && (isSoft[p] === 0 || moved[p] <= settings.tolerance * settings.tolerance)) {
        isDone[p] = 1
        continue
      }
      left++
      const waited = done - better[p]
      if (isMet || waited <= PATIENCE_HELD) continue
      if (waited <= PATIENCE && (freed[p] === MOST_FREED || !this.isHeldBack(p))) continue
      if (freed[p] < MOST_FREED && this.freeHeld(p, ++freed[p])) {
        better[p] = done
        least[p] = Infinity
        isFreed = true
      } else {
        isDone[p] = 1
        left--
      }
    }
    return isFreed ? -1 : left
  }

  /** One step of the block, applied. */
  private stepOnce(): void {
    const { settings, kinematics, block, parts } = this
    if (settings.metric === 'fullMass') {
      kinematics.carry()
      block.fullMass ??= new FullMass(kinematics)
      block.fullMass.update(settings.blend)
    } else {
      block.fullMass = undefined
      writeMobility(kinematics, settings, block.system.mobility)
    }
    const wishes = settings.posture > 0
    if (wishes) this.wish()
    else block.wish.fill(0)
    for (let p = 0; p < parts.count; p++) {
      if (parts.isDone[p] === 1) continue
      block.system.damping[p] = parts.boost[p] * settings.damping * parts.error[p] * parts.error[p]
      block.solve(p, this.limited, wishes)
    }
    this.apply()
    for (let p = 0; p < parts.count; p++) {
      if (parts.isDone[p] === 1) continue
      parts.isAtBest[p] = 0
      const isStuck = parts.moved[p] < STUCK * STUCK && parts.error[p] > settings.tolerance
      if (isStuck && parts.boost[p] === 1) this.nudge(p)
    }
  }

  private writeRows(): void {
    const { rows, goals, settings, rig, parts } = this
    rows.clear()
    rows.step[0] = settings.errorClamp * rig.size
    for (let p = 0; p < parts.count; p++) {
      rows.goTo(parts.firstRow[p])
      for (let n = parts.firstGoal[p]; n < parts.firstGoal[p + 1] && parts.isDone[p] === 0; n++) {
        const goal = goals[parts.goals[n]]
        if (goal.weight === 0) continue
        rows.begin()
        goal.write(rows)
      }
      parts.endRow[p] = rows.count
    }
  }

  /** The largest error of each part's goals that count, lengths as shares of the reach. */
  private measure(): void {
    const { goals, rig, parts } = this
    const { error, isDone, ofGoal } = parts
    this.writeRows()
    for (let p = 0; p < parts.count; p++) if (isDone[p] === 0) error[p] = 0
    for (let g = 0; g < goals.length; g++) {
      const goal = goals[g]
      const p = ofGoal[g]
      if (isDone[p] === 1 || goal.weight === 0 || goal.compliance > 0 || goal.priority > 0) continue
      error[p] = Math.max(error[p], goal.isLength ? goal.error / rig.size : goal.error)
    }
  }

  /** Turns and moves the joints of all parts that are not done by the block's step, and notes how far at most. */
  private apply(): void {
    const { kinematics, block, settings, rig, limited, parts } = this
    const { kinds, firstFreedom, pose, world } = kinematics
    const { isDone, moved, ofBone } = parts
    const { step } = block
    const { rotations } = pose
    const most = settings.maxAngle * settings.maxAngle
    moved.fill(0)
    for (let i = 0; i < rig.count; i++) {
      const kind = kinds[i]
      const part = ofBone[i]
      if (kind === LOCKED || isDone[part] === 1) continue
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
      if (squared > moved[part]) moved[part] = squared
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
  }

  /** Carries a free root along. */
  private moveRoot(i: number): void {
    const { kinematics, block, settings, rig, parts } = this
    const { step } = block
    const f = kinematics.firstFreedom[i]
    const far = settings.errorClamp * rig.size
    const way = Math.sqrt(step[f] * step[f] + step[f + 1] * step[f + 1] + step[f + 2] * step[f + 2])
    const shrink = way > far ? far / way : 1
    const p = parts.ofBone[i]
    const share = (shrink * way) / rig.size
    parts.moved[p] = Math.max(parts.moved[p], share * share)
    for (let k = 0; k < 3; k++) kinematics.pose.positions[3 * i + k] += shrink * step[f + k]
  }

  /** Moves a joint that has coordinates of its own. */
  private moveCoordinates(i: number): void {
    const { kinematics, block, settings, rig, parts } = this
    const { kinds, firstFreedom, pose, coordinates } = kinematics
    const { limits } = rig.joints[i]
    const kind = kinds[i]
    const p = parts.ofBone[i]
    const f = firstFreedom[i]
    const bound = kind === SLIDER ? settings.errorClamp * rig.size : settings.maxAngle
    for (let c = 0; c < FREEDOMS[kind]; c++) {
      const before = coordinates[2 * i + c]
      coordinates[2 * i + c] = before + Math.min(Math.max(block.step[f + c], -bound), bound)
      clampInside(coordinates, 2 * i + c, limits, 2 * c)
      const moved = coordinates[2 * i + c] - before
      parts.moved[p] = Math.max(parts.moved[p], moved * moved)
    }
    writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, this.starts.stretches)
  }

  /** Makes the chains of goals that may stretch as long as their targets are far, within what they allow. */
  private stretch(): void {
    const { kinematics, goals, rig } = this
    this.starts.stretches = false
    for (let g = 0; g < goals.length; g++) {
      const goal = goals[g]
      if (goal instanceof PositionGoal && goal.weight > 0 && goal.stretch > 1) this.starts.stretches = true
    }
    if (!this.starts.stretches) return
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
    this.holdBalls()
    for (let i = 0; i < rig.count; i++) {
      const kind = kinds[i]
      const { limits } = rig.joints[i]
      for (let c = 0; c < FREEDOMS[kind] && kind !== BALL && kind !== FREE; c++) {
        clampInside(coordinates, 2 * i + c, limits, 2 * c)
      }
      writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, this.starts.stretches)
    }
  }

  private holdBalls(): void {
    const { kinematics, rig, limited } = this
    const { kinds, pose } = kinematics
    for (let i = 0; i < rig.count; i++) if (kinds[i] === BALL && limited[i] === 1) holdBall(rig, i, pose.rotations)
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

  /** Whether a bound was in force in a part's last step. */
  private isHeldBack(p: number): boolean {
    const { block, parts } = this
    for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) if (block.isHeld(parts.bones[b])) return true
    return false
  }

  /** Moves joints of a part's unmet goals that were held by a bound inward, from its best pose; false when none was held. */
  private freeHeld(p: number, times: number): boolean {
    const { block, result, parts, starts, unmet } = this
    let found = false
    this.restore(p)
    this.findUnmet(p)
    for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) {
      const i = parts.bones[b]
      if (unmet[i] === 0 || (result.atLimit[i] === 0 && !block.isHeld(i))) continue
      found = true
      parts.isAtBest[p] = 0
      starts.free(i, times)
    }
    return found
  }

  /** Frees what of a part stands still although there is an error. */
  private nudge(p: number): void {
    const { parts, starts } = this
    for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) starts.nudge(parts.bones[b])
  }

  /** Another start for the chains of the goals that are not met, from the best pose. Chains whose goals are met stay. */
  private startAnew(): void {
    const { unmet, parts, starts } = this
    for (let p = 0; p < parts.count; p++) {
      this.restore(p)
      if (parts.isDone[p] === 1) continue
      this.findUnmet(p)
      parts.isAtBest[p] = 0
      for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) {
        if (unmet[parts.bones[b]] === 1) starts.anew(parts.bones[b])
      }
    }
  }

  /** Marks the bones of a part that move goals which its best pose does not meet. */
  private findUnmet(p: number): void {
    const { goals, rig, unmet, parts, isMissed } = this
    for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) unmet[parts.bones[b]] = 0
    for (let n = parts.firstGoal[p]; n < parts.firstGoal[p + 1]; n++) {
      const goal = goals[parts.goals[n]]
      if (isMissed[parts.goals[n]] === 0) continue
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

  /** A part's pose at hand is its best. */
  private keep(p: number): void {
    const { kinematics, goals, rig, best, bestCoordinates, block, isMissed, limited, parts, result, settings } = this
    const { pose, coordinates } = kinematics
    const { bones, firstBone, firstGoal } = parts
    parts.isAtBest[p] = 1
    if (parts.count === 1) {
      best.copy(pose)
      bestCoordinates.set(coordinates)
    }
    for (let b = firstBone[p]; b < firstBone[p + 1]; b++) {
      const i = bones[b]
      result.atLimit[i] = limited[i] === 1 && block.isHeld(i) ? 1 : 0
      if (parts.count === 1) continue
      best.copyBone(i, pose)
      bestCoordinates[2 * i] = coordinates[2 * i]
      bestCoordinates[2 * i + 1] = coordinates[2 * i + 1]
    }
    for (let n = firstGoal[p]; n < firstGoal[p + 1]; n++) {
      const goal = goals[parts.goals[n]]
      const most = goal.isLength ? settings.tolerance * rig.size : settings.tolerance
      isMissed[parts.goals[n]] = goal.weight > 0 && goal.error > most ? 1 : 0
    }
  }

  /** A part goes back to its best pose. */
  private restore(p: number): void {
    const { kinematics, best, bestCoordinates, parts } = this
    const { pose, coordinates } = kinematics
    if (parts.isAtBest[p] === 1) return
    parts.isAtBest[p] = 1
    for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) {
      const i = parts.bones[b]
      pose.copyBone(i, best)
      coordinates[2 * i] = bestCoordinates[2 * i]
      coordinates[2 * i + 1] = bestCoordinates[2 * i + 1]
    }
  }

  /** The best pose goes out, smoothed where asked, and what it took. */
  private finish(pose: Pose): void {
    const { result, settings, kinematics, rig, goals, parts } = this
    let error = 0
    let isBest = true
    for (let p = 0; p < parts.count; p++) {
      error = Math.max(error, parts.best[p])
      if (parts.isAtBest[p] === 0) isBest = false
      this.restore(p)
    }
    if (!isBest) {
      parts.isDone.fill(0)
      kinematics.update()
      this.measure()
    }
    // For those whose swing is so wide that `AT_MOST` does not hold; all other joints are inside.
    this.holdBalls()
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
    this.refreshIfStale()
    const { kinematics, rig } = this
    kinematics.read(pose)
    let worst = 0
    for (let i = 0; i < rig.count; i++) {
      worst = Math.max(worst, violation(rig, i, kinematics.kinds[i], pose, kinematics.coordinates))
    }
    return worst
  }

  /** What is wrong with the pose or the goals, or nothing. */
  private fault(pose: Pose): string {
    const { count } = this.rig
    if (!(pose instanceof Pose)) return 'pose must be a Pose'
    if (pose.rotations.length !== 4 * count || pose.positions.length !== 3 * count) {
      return `pose must have the ${count} bones of the rig, got ${pose.rotations.length / 4}`
    }
    if (!isFiniteVector(pose.rotations) || !isFiniteVector(pose.positions)) return 'pose must be finite'
    for (let g = 0; g < this.goals.length; g++) {
      const fault = this.goals[g].check()
      if (fault !== '') return fault
    }
    return ''
  }

  private refreshIfStale(): void {
    if (this.stale || this.revision !== this.rig.revision) this.makeRoom()
  }

  private makeRoom(): void {
    const { rig } = this
    let most = 0
    for (const goal of this.goals) most += goal.most
    this.kinematics = new Kinematics(rig)
    this.parts = new Parts(this.kinematics, this.goals, this.settings.metric === 'fullMass')
    this.rows = new GoalRows(this.kinematics, most)
    this.block = new Block(this.kinematics, this.rows, this.parts)
    this.settling = new Settling(this.kinematics, this.rows, this.parts, this.poses)
    this.isMissed = new Uint8Array(this.goals.length)
    this.starts = new Starts(this.kinematics, this.limited)
    for (let i = 0; i < rig.count; i++) this.limited[i] = isLimited(rig.joints[i]) ? 1 : 0
    this.stale = false
    this.revision = rig.revision
  }
}

const local = /* @__PURE__ */ new Float64Array(3)
const point = /* @__PURE__ */ new Float64Array(3)

/** A turn changes swing and twist by no more than this many times itself, up to swings of 2.4 rad. */
const AT_MOST = 3

/** Whether a turn may lead past one of a ball's bounds. */
function isNear({ count, room }: Bounds, turned: Float64Array): boolean {
  const squared = turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]
  for (let b = 0; b < count; b++) if (room[b] * room[b] < AT_MOST * AT_MOST * squared) return true
  return false
}
