/** The workspace of a solve: all that is made once for a rig and its goals, so that solves allocate nothing. */

import { Block } from './block.js'
import { isLimited } from './coordinates.js'
import type { Goal } from './goals/goal.js'
import { Kinematics } from './kinematics.js'
import type { Settings } from './options.js'
import { Subproblems } from './subproblems.js'
import { Pose } from './pose.js'
import type { IkResult } from './result.js'
import type { Rig } from './rig.js'
import { GoalRows } from './rows.js'
import { Starts } from './starts.js'

/** Made by {@link makeWorkspace}. */
export interface Workspace {
  readonly rig: Rig
  readonly goals: readonly Goal[]
  /** Of the solve at hand. */
  settings: Settings
  readonly result: IkResult
  readonly kinematics: Kinematics
  readonly subproblems: Subproblems
  readonly rows: GoalRows
  readonly block: Block
  readonly starts: Starts
  readonly fallback: FallbackState
  readonly best: Pose
  readonly bestCoordinates: Float64Array
  /** Rotations that balls prefer. */
  readonly wanted: Float64Array
  /** 1 for bones whose joints are bounded. */
  readonly limited: Uint8Array
  /** 1 for bones whose goals are not met, and for goals that the best pose does not meet. */
  readonly unmet: Uint8Array
  readonly isMissed: Uint8Array
}

/** Makes the workspace of one rig and the goals at hand. The best pose is written over `best` and `bestCoordinates`. */
export function makeWorkspace(
  rig: Rig,
  goals: readonly Goal[],
  settings: Settings,
  result: IkResult,
  best: Pose,
  bestCoordinates: Float64Array,
): Workspace {
  let most = 0
  for (const goal of goals) most += goal.most
  const kinematics = new Kinematics(rig)
  const subproblems = new Subproblems(kinematics, goals, settings.metric === 'fullMass')
  const rows = new GoalRows(kinematics, most)
  const limited = Uint8Array.from(rig.joints, (joint) => Number(isLimited(joint)))
  return {
    rig,
    goals,
    settings,
    result,
    kinematics,
    subproblems,
    rows,
    block: new Block(kinematics, rows, subproblems),
    starts: new Starts(kinematics, limited),
    fallback: new FallbackState(rig, subproblems.count),
    best,
    bestCoordinates,
    wanted: new Float64Array(4 * rig.count),
    limited,
    unmet: new Uint8Array(rig.count),
    isMissed: new Uint8Array(goals.length),
  }
}

/** The pose that was found before, and how far each subproblem has come. */
class FallbackState {
  /** What was found before, by bone and by subproblem. */
  readonly found: Pose
  readonly foundCoordinates: Float64Array
  readonly foundAtLimit: Uint8Array
  readonly foundError: Float64Array
  readonly foundMerit: Float64Array
  /** By subproblem: of the pose at hand and of the best, as shares of the squared reach; steps that were as good as none. */
  readonly merit: Float64Array
  readonly least: Float64Array
  readonly slow: Int32Array
  /** 1 for subproblems that take part. */
  readonly isOpen: Uint8Array

  constructor(rig: Rig, subproblems: number) {
    this.found = new Pose(rig)
    this.foundCoordinates = new Float64Array(2 * rig.count)
    this.foundAtLimit = new Uint8Array(rig.count)
    this.foundError = new Float64Array(subproblems)
    this.foundMerit = new Float64Array(subproblems)
    this.merit = new Float64Array(subproblems)
    this.least = new Float64Array(subproblems)
    this.slow = new Int32Array(subproblems)
    this.isOpen = new Uint8Array(subproblems)
  }
}
