/**
 * A solver as its user sees it: goals, options, `solve`. A solve is checked, searched by search.ts in the workspace made for it, and handed
 * out. It allocates nothing and never throws; a target or a pose that is not finite leaves the pose as it was.
 */

import { rotationBetween, rotateBy, instance } from '@tautline/core/kernel'
import { isFiniteVector } from './checks.js'
import { Goal } from './goals/goal.js'
import { holdAll, violation } from './limits.js'
import { DEFAULTS, type IkOptions, resolveOptions, type Settings } from './options.js'
import { checkPose, Pose } from './pose.js'
import type { IkResult } from './result.js'
import { Rig } from './rig.js'
import { search } from './search.js'
import { makeWorkspace, type Workspace } from './workspace.js'

const local = /* @__PURE__ */ new Float64Array(3)

/** Solves goals on one rig: `new IkSolver(rig).add(new PositionGoal(rig, 'hand', [1, 1, 0]))`, then `solve(pose)`. */
export class IkSolver {
  readonly rig: Rig
  /** All options, as given or by default. Change them by {@link IkSolver.configure}. */
  settings: Settings
  /** In the order they were added. Change them by {@link IkSolver.add} and {@link IkSolver.remove}. */
  readonly goals: Goal[] = []
  /** Of the last solve. */
  readonly result: IkResult
  /** Of the goals and joints at hand: none where they have changed since. */
  private workspace: Workspace | undefined
  private readonly best: Pose
  private readonly bestCoordinates: Float64Array
  private readonly previous: Pose
  private readonly origin: Pose
  private hasPrevious = false
  /** Of the rig, when the workspace was made. */
  private revision = 0

  /** Throws `TypeError`/`RangeError` when an option is wrong. */
  constructor(rig: Rig, options: IkOptions = {}) {
    this.rig = instance('IkSolver: rig', rig, Rig, 'a Rig')
    this.settings = resolveOptions('IkSolver', options, DEFAULTS)
    this.best = new Pose(rig)
    this.bestCoordinates = new Float64Array(2 * rig.count)
    this.previous = new Pose(rig)
    this.origin = new Pose(rig)
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
    if (metric !== this.settings.metric) this.workspace = undefined
    return this
  }

  /** Adds a goal and returns it. Throws `TypeError` for what is no goal, and `RangeError` for one of another rig. */
  add<G extends Goal>(goal: G): G {
    if (instance('IkSolver.add: goal', goal, Goal, 'a goal').rig !== this.rig)
      throw new RangeError("IkSolver.add: goal must be of the solver's rig, got one of another")
    this.goals.push(goal)
    this.workspace = undefined
    return goal
  }

  /** Takes a goal away. Throws `RangeError` for one that is not there, `TypeError` for what is none. */
  remove(goal: Goal): void {
    const at = this.goals.indexOf(instance('IkSolver.remove: goal', goal, Goal, 'a goal'))
    if (at < 0) throw new RangeError('IkSolver.remove: goal must be one of the solver, got another')
    this.goals.splice(at, 1)
    this.workspace = undefined
  }

  /** The next solve makes the workspace anew. It does so by itself after `rig.joint` and `rig.root`. */
  refresh(): void {
    this.workspace = undefined
  }

  /**
   * Poses `pose` for the goals, in place. Never throws: goals or a pose that are not finite, or a pose of another rig, give the status
   * `invalid` and leave the pose. The result is the solver's own, and overwritten by the next solve.
   */
  solve(pose: Pose): IkResult {
    const { result, settings } = this
    const workspace = this.currentWorkspace()
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
    workspace.settings = settings
    search(workspace, settings.start === 'previous' && this.hasPrevious ? this.previous : this.origin)
    this.finish(pose, workspace)
    return result
  }

  /** The best pose goes out, smoothed where asked, and what it took. */
  private finish(pose: Pose, { kinematics, limited, starts }: Workspace): void {
    const { result, settings, rig, best, origin, previous } = this
    previous.copy(best)
    this.hasPrevious = true
    result.work = 0
    for (let i = 0; i < rig.count; i++) {
      rotationBetween(best.rotations, 4 * i, origin.rotations, 4 * i, local, 0)
      result.work += local[0] * local[0] + local[1] * local[1] + local[2] * local[2]
    }
    pose.copy(best)
    if (settings.smoothing === 0) return
    for (let i = 0; i < rig.count; i++) {
      rotationBetween(origin.rotations, 4 * i, best.rotations, 4 * i, local, 0)
      for (let k = 0; k < 3; k++) local[k] *= settings.smoothing
      rotateBy(pose.rotations, 4 * i, local)
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        pose.positions[k] += settings.smoothing * (origin.positions[k] - best.positions[k])
      }
    }
    // Between a pose that was given and one inside the limits may be outside.
    kinematics.read(pose)
    holdAll(kinematics, limited, starts.stretches)
    pose.copy(kinematics.pose)
    previous.copy(pose)
  }

  /** How far a pose is outside the limits [rad or m]: the worst joint. 0 for what `solve` returns. */
  violation(pose: Pose): number {
    const { rig } = this
    checkPose('violation: pose', pose, rig.count)
    const { kinematics } = this.currentWorkspace()
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

  private currentWorkspace(): Workspace {
    const { rig } = this
    if (this.workspace === undefined || this.revision !== rig.revision) {
      this.workspace = makeWorkspace(rig, this.goals, this.settings, this.result, this.best, this.bestCoordinates)
      this.revision = rig.revision
    }
    return this.workspace
  }
}
