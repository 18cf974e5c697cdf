/** e = the turn that brings an axis of the bone onto a direction, two rows; `up` a third. */

import { atan2At, nonNegative, unitVector, knownFields } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { isFiniteVector } from '../checks.js'
import { triple } from '../joints.js'
import type { Rig } from '../rig.js'
import type { GoalRows } from '../rows.js'
import { cross, flatten, hasDirection, perpendicular, rotateInPlace } from '../rotations.js'
import { checkChain, angleTo, v, w } from './chains.js'
import { angleLength, FIELDS, Goal, type GoalOptions } from './goal.js'

/** What an {@link AimGoal} takes besides. */
export interface AimOptions extends GoalOptions {
  /** Axis of the bone that is to point there, in its space. @defaultValue along the bone, which must have a length then */
  axis?: ReadonlyVec3
  /** What keeps it from rolling about the line of sight. @defaultValue nothing */
  up?: {
    /** Axis of the bone that is to be as upright as it can, in its space. */
    axis: ReadonlyVec3
    /** World direction that is up. */
    towards: ReadonlyVec3
    /** Against the aim itself. @defaultValue 1 */
    weight?: number
  }
}

/** An axis of a bone, from its joint, towards a point of the world. Its error is the angle between them, without the roll. */
export class AimGoal extends Goal {
  readonly most = 3
  /** By row. */
  readonly bone: number
  readonly end: number
  /** World [x, y, z] [m]: write to it. */
  readonly target: Float64Array
  /** Unit vector in the bone's space. */
  readonly axis: Float64Array
  /** As {@link AimOptions}, its directions unit vectors. */
  readonly up: { axis: Float64Array; towards: Float64Array; weight: number } | undefined
  private readonly side = new Float64Array(3)
  private readonly other = new Float64Array(3)

  /** `bone` by name or row, `target` in the world [m]. Throws `TypeError`/`RangeError` that names the field. */
  constructor(rig: Rig, bone: string | number, target: ReadonlyVec3, options: AimOptions = {}) {
    knownFields('aim: options', options, [...FIELDS, 'axis', 'up'])
    super(rig, 'aim', options)
    this.bone = rig.indexOf(bone, 'aim: bone')
    this.end = this.bone
    checkChain('aim', this, this.bone)
    this.target = Float64Array.from(triple('aim: target', target))
    const tip = rig.tip.subarray(3 * this.bone, 3 * this.bone + 3)
    this.axis = Float64Array.from(unitVector('aim: axis', options.axis ?? tip))
    const { up } = options
    if (up !== undefined) knownFields('aim: up', up, ['axis', 'towards', 'weight'])
    this.up =
      up === undefined
        ? undefined
        : {
            axis: Float64Array.from(unitVector('aim: up.axis', up.axis)),
            towards: Float64Array.from(unitVector('aim: up.towards', up.towards)),
            weight: nonNegative('aim: up.weight', up.weight ?? 1),
          }
  }

  fault(): string {
    const { up } = this
    if (!isFiniteVector(this.axis)) return 'aim: axis must be finite'
    if (up !== undefined && !(isFiniteVector(up.axis) && isFiniteVector(up.towards) && up.weight >= 0)) {
      return 'aim: up must be finite, its weight >= 0'
    }
    return isFiniteVector(this.target) ? '' : 'aim: target must be finite'
  }

  write(rows: GoalRows): void {
    const { world, rig } = rows.kinematics
    const { side, other } = this
    v.set(this.axis)
    rotateInPlace(world.rotations, 4 * this.bone, v)
    for (let k = 0; k < 3; k++) w[k] = this.target[k] - world.positions[3 * this.bone + k]
    this.error = 0
    // Towards itself is no direction.
    if (!hasDirection(w)) return
    cross(v, w, side)
    const sine = Math.sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2])
    angleTo[0] = sine
    angleTo[1] = v[0] * w[0] + v[1] * w[1] + v[2] * w[2]
    atan2At(angleTo, 0)
    const angle = angleTo[0]
    if (sine > 0) for (let k = 0; k < 3; k++) side[k] /= sine
    else perpendicular(v, side)
    cross(v, side, other)
    const length = angleLength(rig)
    this.error = angle
    for (let k = 0; k < 2; k++) {
      const row = rows.open()
      rows.error[row] = k === 0 ? -length * angle : 0
      const about = k === 0 ? side : other
      for (let c = 0; c < 3; c++) rows.direction[c] = length * about[c]
      rows.addTurn(row, this.bone, this.chain)
      this.dress(rows, row)
    }
    if (this.up === undefined) return
    // The angle about the axis from where up is to where it can be.
    w.set(this.up.axis)
    rotateInPlace(world.rotations, 4 * this.bone, w)
    flatten(w, v)
    side.set(this.up.towards)
    flatten(side, v)
    if (!hasDirection(w) || !hasDirection(side)) return
    cross(w, side, other)
    angleTo[0] = v[0] * other[0] + v[1] * other[1] + v[2] * other[2]
    angleTo[1] = w[0] * side[0] + w[1] * side[1] + w[2] * side[2]
    atan2At(angleTo, 0)
    const lean = angleTo[0]
    const row = rows.open()
    rows.error[row] = -length * lean
    for (let c = 0; c < 3; c++) rows.direction[c] = length * v[c]
    rows.addTurn(row, this.bone, this.chain)
    this.dress(rows, row)
    rows.weight[row] *= this.up.weight
  }
}
