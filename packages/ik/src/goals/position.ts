/** e = x − target, three rows; the error is taken no longer than a share of the reach at once. */

import { nonNegative, positive, knownFields, axisFlags } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { isFiniteVector } from '../checks.js'
import { triple } from '../joints.js'
import type { Kinematics } from '../kinematics.js'
import type { Rig } from '../rig.js'
import type { GoalRows } from '../rows.js'
import { chainLength, chainRoot, checkChain, isLeaf, v, w } from './chains.js'
import { FIELDS, Goal, type GoalOptions } from './goal.js'

/** A bone's joint, in its own space [m]. */
export const NONE: readonly [number, number, number] = [0, 0, 0]

/** What a {@link PositionGoal} takes besides. */
export interface PositionOptions extends GoalOptions {
  /** The bone's point that is to get there, in its space [m]. @defaultValue its tip where it ends a chain, else its joint */
  point?: ReadonlyVec3
  /** Which of the world's x, y and z count. @defaultValue all */
  axes?: readonly [boolean, boolean, boolean]
  /**
   * Targets beyond this share of the chain's length, in (0, 1], are eased, so that a limb does not snap straight; 1 is off.
   * @defaultValue 1
   */
  softReach?: number
  /** Most that its chain's bones may lengthen where the target is too far, as a factor >= 1. @defaultValue 1 */
  stretch?: number
  /** Times `weight`, its say in where `prePull` carries the root, >= 0. @defaultValue 1 */
  pull?: number
}

/** A point of a bone at a point of the world. */
export class PositionGoal extends Goal {
  override readonly isLength = true
  readonly most = 3
  /** By row. */
  readonly bone: number
  readonly end: number
  /** In the bone's space [m]. */
  readonly point: Float64Array
  /** World [x, y, z] [m]: write to it. */
  readonly target: Float64Array
  /** See {@link PositionOptions}, as the next three. */
  readonly axes: readonly [boolean, boolean, boolean]
  /** Share of `reach`. */
  readonly softReach: number
  /** Factor. */
  readonly stretch: number
  /** Factor. */
  readonly pull: number
  /** Length of its chain at rest, from the joint of the chain's first bone to the point, sliders drawn out [m]. */
  readonly reach: number
  private readonly eased = new Float64Array(3)
  private readonly isWhole: boolean

  /** `bone` by name or row, `target` in the world [m]. Throws `TypeError`/`RangeError` that names the field. */
  constructor(rig: Rig, bone: string | number, target: ReadonlyVec3, options: PositionOptions = {}) {
    knownFields('position: options', options, [...FIELDS, 'point', 'axes', 'softReach', 'stretch', 'pull'])
    super(rig, 'position', options)
    this.bone = rig.indexOf(bone, 'position: bone')
    this.end = this.bone
    checkChain('position', this, this.bone)
    const point = options.point ?? (isLeaf(rig, this.bone) ? rig.tip.subarray(3 * this.bone, 3 * this.bone + 3) : NONE)
    this.point = Float64Array.from(triple('position: point', point))
    this.target = Float64Array.from(triple('position: target', target))
    this.axes = axisFlags('position: axes', options.axes ?? [true, true, true])
    this.isWhole = this.axes[0] && this.axes[1] && this.axes[2]
    this.softReach = positive('position: softReach', options.softReach ?? 1)
    if (this.softReach > 1) throw new RangeError(`position: softReach must be <= 1, got ${this.softReach}`)
    this.stretch = positive('position: stretch', options.stretch ?? 1)
    if (this.stretch < 1) throw new RangeError(`position: stretch must be >= 1, got ${this.stretch}`)
    this.pull = nonNegative('position: pull', options.pull ?? 1)
    this.reach = chainLength(rig, this.bone, this.chain, this.point)
  }

  fault(): string {
    if (!isFiniteVector(this.point)) return 'position: point must be finite'
    return isFiniteVector(this.target) ? '' : 'position: target must be finite'
  }

  write(rows: GoalRows): void {
    const { kinematics } = rows
    this.soften(rows)
    kinematics.pointOf(this.bone, this.point, v)
    let squared = 0
    let whole = 0
    for (let k = 0; k < 3; k++) {
      rows.point[k] = v[k]
      w[k] = v[k] - this.eased[k]
      if (!this.axes[k]) continue
      const e = v[k] - this.target[k]
      squared += w[k] * w[k]
      whole += e * e
    }
    this.error = Math.sqrt(this.softReach < 1 ? squared : whole)
    const step = rows.step[0]
    const shrink = squared > step * step ? step / Math.sqrt(squared) : 1
    const opened = rows.count
    if (this.isWhole) {
      for (let k = 0; k < 3; k++) {
        const row = rows.open()
        rows.error[row] = shrink * w[k]
        this.dress(rows, row)
      }
      if (shrink < 1) rows.beyond[opened] = Math.sqrt(squared) - step
      rows.addPlace(opened, this.bone, this.chain)
      return
    }
    for (let k = 0; k < 3; k++) {
      if (!this.axes[k]) continue
      const row = rows.open()
      rows.error[row] = shrink * w[k]
      rows.direction.fill(0)
      rows.direction[k] = 1
      rows.addPoint(row, this.bone, this.chain)
      this.dress(rows, row)
    }
    if (shrink < 1) rows.beyond[opened] = Math.sqrt(squared) - step
  }

  override isBeyondReach(rows: GoalRows): boolean {
    const { rig, world } = rows.kinematics
    if (this.chain < 0 && rig.rootMode !== 'pinned') return false
    const root = chainRoot(rig, this.bone, this.chain)
    let squared = 0
    for (let k = 0; k < 3; k++) squared += square(this.target[k] - world.positions[3 * root + k])
    return Math.sqrt(squared) > this.reach
  }

  /** Lengthens the bones of the chain, its first one's place left alone. */
  stretchChain({ rig, world, stretch }: Kinematics): void {
    const root = chainRoot(rig, this.bone, this.chain)
    let squared = 0
    for (let k = 0; k < 3; k++) squared += square(this.target[k] - world.positions[3 * root + k])
    // The point's own way from its bone stays as it is.
    const own = Math.sqrt(square(this.point[0]) + square(this.point[1]) + square(this.point[2]))
    const factor = Math.min((Math.sqrt(squared) - own) / (this.reach - own), this.stretch)
    if (!(factor > 1)) return
    for (let i = this.bone; i !== root; i = rig.parent[i]) stretch[i] = Math.max(stretch[i], factor)
  }

  /**
   * The target, drawn towards the chain's root so that the chain never has to be longer than its reach: beyond s = softReach ·
   * reach a distance d becomes s + (R − s)(1 − exp(−(d − s)/(R − s))), here with its rational twin x/(1 + x), which needs no
   * exponential and has the same slope at s.
   */
  private soften(rows: GoalRows): void {
    for (let k = 0; k < 3; k++) this.eased[k] = this.target[k]
    if (this.softReach >= 1) return
    const { rig, world } = rows.kinematics
    const root = chainRoot(rig, this.bone, this.chain)
    let squared = 0
    for (let k = 0; k < 3; k++) {
      w[k] = this.target[k] - world.positions[3 * root + k]
      squared += w[k] * w[k]
    }
    const d = Math.sqrt(squared)
    const s = this.softReach * this.reach
    if (d <= s) return
    const x = (d - s) / (this.reach - s)
    const eased = s + ((this.reach - s) * x) / (1 + x)
    for (let k = 0; k < 3; k++) this.eased[k] = world.positions[3 * root + k] + (w[k] * eased) / d
  }
}

function square(x: number): number {
  return x * x
}
