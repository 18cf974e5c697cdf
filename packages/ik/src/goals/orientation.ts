/** e = the rotation vector from the target, on the axes that are not free. */

import { frameX, frameY, frameZ, rotationBetween, unitQuaternion, knownFields, axisFlags } from '@tautline/core/kernel'
import type { ReadonlyQuat } from 'gl-matrix'
import type { Rig } from '../rig.js'
import type { GoalRows } from '../rows.js'
import { checkChain, v, w } from './chains.js'
import { angleLength, FIELDS, Goal, type GoalOptions } from './goal.js'

/** What an {@link OrientationGoal} takes besides. */
export interface OrientationOptions extends GoalOptions {
  /** Which of the target frame's x, y and z the bone may turn about freely. @defaultValue none */
  free?: readonly [boolean, boolean, boolean]
}

/** Of what is taken for a unit quaternion: its length is within 1 % of 1. */
const LEAST_SQUARED = 0.99 * 0.99
const MOST_SQUARED = 1.01 * 1.01

/** A bone's world orientation. */
export class OrientationGoal extends Goal {
  readonly most = 3
  /** By row. */
  readonly bone: number
  readonly end: number
  /** World [x, y, z, w], a unit quaternion: write to it. */
  readonly target: Float64Array
  /** See {@link OrientationOptions}. */
  readonly free: readonly [boolean, boolean, boolean]
  private readonly isWhole: boolean

  /** `bone` by name or row; `target` within 1 % of unit length. Throws `TypeError`/`RangeError` that names the field. */
  constructor(rig: Rig, bone: string | number, target: ReadonlyQuat, options: OrientationOptions = {}) {
    knownFields('orientation: options', options, [...FIELDS, 'free'])
    super(rig, 'orientation', options)
    this.bone = rig.indexOf(bone, 'orientation: bone')
    this.end = this.bone
    checkChain('orientation', this, this.bone)
    this.target = Float64Array.from(unitQuaternion('orientation: target', target))
    this.free = axisFlags('orientation: free', options.free ?? [false, false, false])
    this.isWhole = !this.free[0] && !this.free[1] && !this.free[2]
  }

  fault(): string {
    let squared = 0
    for (let k = 0; k < 4; k++) squared += this.target[k] * this.target[k]
    return squared > LEAST_SQUARED && squared < MOST_SQUARED ? '' : 'orientation: target must be a unit quaternion'
  }

  write(rows: GoalRows): void {
    const { world, rig } = rows.kinematics
    rotationBetween(world.rotations, 4 * this.bone, this.target, 0, v, 0)
    const length = angleLength(rig)
    if (this.isWhole) {
      const first = rows.count
      for (let k = 0; k < 3; k++) {
        const row = rows.open()
        rows.error[row] = length * v[k]
        this.dress(rows, row)
      }
      rows.direction[0] = length
      rows.addRotations(first, this.bone, this.chain)
      this.error = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
      return
    }
    let squared = 0
    for (let k = 0; k < 3; k++) {
      if (this.free[k]) continue
      if (k === 0) frameX(this.target, 0, w, 0)
      else if (k === 1) frameY(this.target, 0, w, 0)
      else frameZ(this.target, 0, w, 0)
      const e = w[0] * v[0] + w[1] * v[1] + w[2] * v[2]
      squared += e * e
      const row = rows.open()
      rows.error[row] = length * e
      for (let c = 0; c < 3; c++) rows.direction[c] = length * w[c]
      rows.addTurn(row, this.bone, this.chain)
      this.dress(rows, row)
    }
    this.error = Math.sqrt(squared)
  }
}
