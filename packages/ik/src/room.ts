/** What a solve works in: all that is made once for a rig and its goals, so that solves allocate nothing. */

import { Block } from './block.js'
import { isLimited } from './coordinates.js'
import type { Goal } from './goals/goal.js'
import { Kinematics } from './kinematics.js'
import type { Settings } from './options.js'
import { Parts } from './parts.js'
import type { Pose } from './pose.js'
import type { IkResult } from './result.js'
import type { Rig } from './rig.js'
import { GoalRows } from './rows.js'
import { Settling } from './settle.js'
import { Starts } from './starts.js'

/** Made by {@link makeRoom}. */
export interface Room {
  readonly rig: Rig
  readonly goals: readonly Goal[]
  /** Of the solve at hand. */
  settings: Settings
  readonly result: IkResult
  readonly kinematics: Kinematics
  readonly parts: Parts
  readonly rows: GoalRows
  readonly block: Block
  readonly starts: Starts
  readonly settling: Settling
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

/** Room for one rig and the goals at hand. The best pose is written over `best` and `bestCoordinates`. */
export function makeRoom(
  rig: Rig,
  goals: readonly Goal[],
  settings: Settings,
  result: IkResult,
  best: Pose,
  bestCoordinates: Float64Array,
): Room {
  let most = 0
  for (const goal of goals) most += goal.most
  const kinematics = new Kinematics(rig)
  const parts = new Parts(kinematics, goals, settings.metric === 'fullMass')
  const rows = new GoalRows(kinematics, most)
  const limited = Uint8Array.from(rig.joints, (joint) => Number(isLimited(joint)))
  return {
    rig,
    goals,
    settings,
    result,
    kinematics,
    parts,
    rows,
    block: new Block(kinematics, rows, parts),
    starts: new Starts(kinematics, limited),
    settling: new Settling(rig, parts.count),
    best,
    bestCoordinates,
    wanted: new Float64Array(4 * rig.count),
    limited,
    unmet: new Uint8Array(rig.count),
    isMissed: new Uint8Array(goals.length),
  }
}
