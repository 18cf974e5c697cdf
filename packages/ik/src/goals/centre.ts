/** The centre of mass at a point, e = x − target, or over a polygon of support. */

import { finiteVector, knownFields, array, axisFlags, object } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { isFiniteVector } from '../checks.js'
import { triple } from '../joints.js'
import type { Rig } from '../rig.js'
import type { GoalRows } from '../rows.js'
import { FIELDS, Goal, type GoalOptions } from './goal.js'
import { v } from './chains.js'

/** The centre of mass of the whole rig, as its bones' masses make it, at a point, or over a polygon on a plane. */
export class CentreGoal extends Goal {
  readonly end = -1
  override readonly isLength = true
  readonly most = 3
  /** World [x, y, z] [m]: write to it. Over a support it is the solver's. */
  readonly target: Float64Array
  /** Which of the world's x, y and z count: x and z over a support. */
  readonly axes: readonly [boolean, boolean, boolean]
  /** Corners of the support in order around it, x and z each [m]; empty for a point. It is taken as convex. */
  support: Float64Array

  /**
   * `target` a point [m], with `axes` as of a {@link PositionGoal}; or `support`, three corners [x, z] [m] or more of a convex polygon,
   * with y up: the centre is then kept over it. Throws `TypeError`/`RangeError` that names the field.
   */
  constructor(
    rig: Rig,
    where:
      | { target: ReadonlyVec3; axes?: readonly [boolean, boolean, boolean] }
      | { support: ReadonlyArray<readonly [number, number]> },
    options: Omit<GoalOptions, 'chain'> = {},
  ) {
    knownFields(
      'centre: options',
      options,
      FIELDS.filter((name) => name !== 'chain'),
    )
    super(rig, 'centre', options)
    object('centre: where', where)
    const isOver = 'support' in where
    if (!isOver && !('target' in where)) throw new TypeError('centre: target or support must be given, got neither')
    knownFields('centre: where', where, isOver ? ['support'] : ['target', 'axes'])
    if (isOver) {
      if (array('centre: support', where.support).length < 3) {
        throw new RangeError(`centre: support must have at least three corners, got ${where.support.length}`)
      }
      this.support = Float64Array.from(
        where.support.flatMap((corner) => Array.from(finiteVector('centre: support', corner, 2))),
      )
      this.target = new Float64Array(3)
      this.axes = [true, false, true]
    } else {
      this.support = new Float64Array(0)
      this.target = Float64Array.from(triple('centre: target', where.target))
      this.axes = axisFlags('centre: axes', where.axes ?? [true, true, true])
    }
  }

  fault(): string {
    if (!isFiniteVector(this.support)) return 'centre: support must be finite'
    return isFiniteVector(this.target) ? '' : 'centre: target must be finite'
  }

  write(rows: GoalRows): void {
    rows.kinematics.centreOfMass(v)
    this.error = 0
    if (this.support.length > 0 && nearestInside(this.support, v, this.target)) return
    let squared = 0
    for (let k = 0; k < 3; k++) {
      const e = v[k] - this.target[k]
      if (this.axes[k]) squared += e * e
    }
    this.error = Math.sqrt(squared)
    const step = rows.step[0]
    const shrink = squared > step * step ? step / Math.sqrt(squared) : 1
    const opened = rows.count
    for (let k = 0; k < 3; k++) {
      if (!this.axes[k]) continue
      const row = rows.open()
      rows.error[row] = shrink * (v[k] - this.target[k])
      rows.direction.fill(0)
      rows.direction[k] = 1
      rows.addCentre(row)
      this.dress(rows, row)
    }
    if (shrink < 1) rows.beyond[opened] = Math.sqrt(squared) - step
  }
}

/** Moves `p` (x, z of a point) to the nearest point of a convex polygon, into `out`; true when it is inside already. */
function nearestInside(corners: Float64Array, p: Float64Array, out: Float64Array): boolean {
  const n = corners.length / 2
  let area = 0
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n
    area += corners[2 * i] * corners[2 * j + 1] - corners[2 * j] * corners[2 * i + 1]
  }
  let inside = true
  let least = Infinity
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n
    const ax = corners[2 * i]
    const az = corners[2 * i + 1]
    const ex = corners[2 * j] - ax
    const ez = corners[2 * j + 1] - az
    const px = p[0] - ax
    const pz = p[2] - az
    if (area * (ex * pz - ez * px) < 0) inside = false
    const share = Math.min(Math.max((px * ex + pz * ez) / (ex * ex + ez * ez), 0), 1)
    const dx = share * ex - px
    const dz = share * ez - pz
    if (dx * dx + dz * dz >= least) continue
    least = dx * dx + dz * dz
    out[0] = ax + share * ex
    out[2] = az + share * ez
  }
  return inside
}
