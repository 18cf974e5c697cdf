/** A bone where it was: a position, and an orientation where asked. */

import { flag, knownFields } from '@tautline/core/kernel'
import type { Rig } from '../rig.js'
import type { GoalRows } from '../rows.js'
import { FIELDS, Goal, type GoalOptions } from './goal.js'
import { OrientationGoal } from './orientation.js'
import { NONE, PositionGoal } from './position.js'

/**
 * A bone held where it is when a solve begins: its joint's position, and its orientation where asked. Its error is a length, to which
 * an angle counts as that share of the rig's reach.
 */
export class PinGoal extends Goal {
  readonly end: number
  override readonly isLength = true
  readonly most = 6
  /** What holds the position; its target is written by each solve, as the next one's. */
  readonly position: PositionGoal
  /** What holds the orientation, where asked. */
  readonly orientation: OrientationGoal | undefined

  /** `orientation`: whether that is held too, by default not. Throws `TypeError`/`RangeError` that names the field. */
  constructor(rig: Rig, bone: string | number, options: GoalOptions & { orientation?: boolean } = {}) {
    knownFields('pin: options', options, [...FIELDS, 'orientation'])
    super(rig, 'pin', options)
    const { orientation = false, ...rest } = options
    flag('pin: orientation', orientation)
    this.position = new PositionGoal(rig, bone, NONE, { ...rest, point: NONE })
    this.end = this.position.bone
    this.orientation = orientation ? new OrientationGoal(rig, bone, [0, 0, 0, 1], rest) : undefined
  }

  override begin({ kinematics }: GoalRows): void {
    const { world } = kinematics
    const { bone } = this.position
    for (let k = 0; k < 3; k++) this.position.target[k] = world.positions[3 * bone + k]
    if (this.orientation === undefined) return
    for (let k = 0; k < 4; k++) this.orientation.target[k] = world.rotations[4 * bone + k]
  }

  fault(): string {
    return ''
  }

  write(rows: GoalRows): void {
    this.position.weight = this.weight
    this.position.compliance = this.compliance
    this.position.write(rows)
    this.error = this.position.error
    if (this.orientation === undefined) return
    this.orientation.weight = this.weight
    this.orientation.compliance = this.compliance
    this.orientation.write(rows)
    // As a length: an angle of it is a share of the reach.
    this.error = Math.max(this.error, this.orientation.error * rows.kinematics.rig.size)
  }
}
