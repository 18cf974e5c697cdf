/** e = the angle of the middle bone about the line from the chain's root to its end, one row. */

import { atan2At, knownFields } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { isFiniteVector } from '../checks.js'
import { triple } from '../joints.js'
import type { Rig } from '../rig.js'
import type { GoalRows } from '../rows.js'
import { cross, flatten, hasDirection } from '../rotations.js'
import { checkChain, isAbove, angleTo, v, w } from './chains.js'
import { FIELDS, Goal, type GoalOptions } from './goal.js'

/** A bend that is less than this share of the reach has no side. */
const STRAIGHT = 1e-6

/**
 * Which way the middle of a chain bends: a knee or an elbow towards a point. Its error is the angle about the line from start to
 * end; nothing is asked of a limb that is straight, or where the point lies on that line.
 */
export class PoleGoal extends Goal {
  readonly most = 1
  readonly end: number
  /** By row. */
  readonly middle: number
  /** By row. */
  readonly start: number
  /** World [x, y, z] [m]: write to it. */
  readonly target: Float64Array
  private readonly along = new Float64Array(3)

  /**
   * `start`, `middle` and `end` are bones of one chain, by name or row: hip, knee and foot; shoulder, elbow and hand. Others may
   * stand between. Throws `TypeError`/`RangeError` that names the field.
   */
  constructor(
    rig: Rig,
    bones: { start: string | number; middle: string | number; end: string | number },
    target: ReadonlyVec3,
    options: GoalOptions = {},
  ) {
    knownFields('pole: options', options, FIELDS)
    super(rig, 'pole', options)
    knownFields('pole: bones', bones, ['start', 'middle', 'end'])
    this.start = rig.indexOf(bones.start, 'pole: start')
    this.middle = rig.indexOf(bones.middle, 'pole: middle')
    this.end = rig.indexOf(bones.end, 'pole: end')
    if (!isAbove(rig, this.start, this.middle) || !isAbove(rig, this.middle, this.end)) {
      throw new RangeError('pole: start, middle and end must follow each other on one chain')
    }
    // The middle's own joint does not move it.
    checkChain('pole', this, rig.parent[this.middle])
    this.target = Float64Array.from(triple('pole: target', target))
  }

  fault(): string {
    return isFiniteVector(this.target) ? '' : 'pole: target must be finite'
  }

  write(rows: GoalRows): void {
    const { positions: x } = rows.kinematics.world
    const { along } = this
    for (let k = 0; k < 3; k++) {
      along[k] = x[3 * this.end + k] - x[3 * this.start + k]
      v[k] = x[3 * this.middle + k] - x[3 * this.start + k]
      w[k] = this.target[k] - x[3 * this.start + k]
    }
    this.error = 0
    if (!hasDirection(along)) return
    flatten(v, along)
    flatten(w, along)
    const bend = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    // A straight limb has no side, and a pole on its line shows none.
    if (!(bend > STRAIGHT * rows.kinematics.rig.size) || !hasDirection(w)) return
    cross(v, w, rows.direction)
    angleTo[0] = (rows.direction[0] * along[0] + rows.direction[1] * along[1] + rows.direction[2] * along[2]) / bend
    angleTo[1] = (v[0] * w[0] + v[1] * w[1] + v[2] * w[2]) / bend
    atan2At(angleTo, 0)
    const angle = angleTo[0]
    this.error = Math.abs(angle)
    // Turning the middle about the line by dφ moves it by bend dφ along (along × v).
    const row = rows.open()
    cross(along, v, rows.direction)
    for (let k = 0; k < 3; k++) {
      rows.direction[k] /= bend
      rows.point[k] = x[3 * this.middle + k]
    }
    rows.error[row] = -bend * angle
    rows.addPoint(row, this.middle, this.chain)
    this.dress(rows, row)
  }
}
