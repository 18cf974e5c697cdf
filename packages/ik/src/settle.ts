/**
 * Where goals cannot be met: the nearest pose to that in which the solve began from which no step makes their squares less.
 *
 *   merit = Σ weight ρ(e),   ρ = e² up to the clamp s of an error,   s (2 e − s) beyond it
 *
 * by damping that grows where a step has made it worse (Levenberg 1944, Marquardt 1963). Steps minimise these squares, and not the
 * largest error by which a solve keeps a pose: among poses that miss alike that one is found by chance, and along a motion it shakes.
 */

import type { IkResult } from './ik-solver.js'
import type { Kinematics } from './kinematics.js'
import type { Parts } from './parts.js'
import { Pose } from './pose.js'
import type { GoalRows } from './rows.js'

/** Iterations that a user must allow for it: fewer would leave it half way, and rough. */
export const LEAST_SETTLING = 20
/** A step that takes less than this share of the merit away is as good as none, and after as many it has settled. */
const SETTLED = 1e-4
const PATIENCE = 3
/** Factors of the damping after a step that was for the worse, and for the better. */
const STIFFER = 8
const SOFTER = 4
/**
 * What was found before is worth a jump: this share of the merit, and its root smaller by so much of the reach; or a root that is as
 * good as none, as of goals that were all but met.
 */
const FAR_BETTER = 0.5
const FAR_NEARER = 0.05
const ALMOST_MET = 1e-3

/** What it needs of its solver, by part. */
export interface Poses {
  /** The pose at hand is the best, or goes back to it. */
  keep(p: number): void
  restore(p: number): void
}

/** Parts on their way to where they settle. Made for one rig and its goals. */
export class Settling {
  private readonly kinematics: Kinematics
  private readonly rows: GoalRows
  private readonly parts: Parts
  private readonly poses: Poses
  /** What was found before, by bone and by part. */
  private readonly found: Pose
  private readonly foundCoordinates: Float64Array
  private readonly foundAtLimit: Uint8Array
  private readonly foundError: Float64Array
  private readonly foundMerit: Float64Array
  /** By part: of the pose at hand and of the best, as shares of the squared reach; steps that were as good as none. */
  private readonly merit: Float64Array
  private readonly least: Float64Array
  private readonly slow: Int32Array
  /** 1 for parts that settle. */
  private readonly isOpen: Uint8Array

  constructor(kinematics: Kinematics, rows: GoalRows, parts: Parts, poses: Poses) {
    const { rig } = kinematics
    this.kinematics = kinematics
    this.rows = rows
    this.parts = parts
    this.poses = poses
    this.found = new Pose(rig)
    this.foundCoordinates = new Float64Array(2 * rig.count)
    this.foundAtLimit = new Uint8Array(rig.count)
    this.foundError = new Float64Array(parts.count)
    this.foundMerit = new Float64Array(parts.count)
    this.merit = new Float64Array(parts.count)
    this.least = new Float64Array(parts.count)
    this.slow = new Int32Array(parts.count)
    this.isOpen = new Uint8Array(parts.count)
  }

  /** Puts parts whose goals are not met to their best pose; false where there is none. Soft goals are not met to a tolerance. */
  open(): boolean {
    const { parts, isOpen } = this
    let isAny = false
    for (let p = 0; p < parts.count; p++) {
      if (parts.isSoft[p] === 1) parts.isDone[p] = 1
      isOpen[p] = 1 - parts.isDone[p]
      this.poses.restore(p)
      if (isOpen[p] === 1) isAny = true
    }
    return isAny
  }

  /** Notes the pose at hand, which has been measured, as what was found before. */
  note({ atLimit }: IkResult): void {
    const { kinematics, parts, isOpen } = this
    this.weigh()
    parts.start()
    this.foundMerit.set(this.merit)
    this.foundError.set(parts.best)
    this.foundCoordinates.set(kinematics.coordinates)
    this.foundAtLimit.set(atLimit)
    this.found.copy(kinematics.pose)
    this.least.fill(Infinity)
    this.slow.fill(0)
    // The pose at hand is to be another.
    for (let p = 0; p < parts.count; p++) if (isOpen[p] === 1) parts.isAtBest[p] = 0
  }

  /** Keeps what is better and goes back from what is worse; the parts that have not settled, negative where some went back. */
  judge({ tolerance }: { readonly tolerance: number }): number {
    const { parts, merit, least, slow } = this
    const { best, boost, error, isDone } = parts
    let left = 0
    let isBack = false
    this.weigh()
    for (let p = 0; p < parts.count; p++) {
      if (isDone[p] === 1) continue
      if (merit[p] < least[p]) {
        slow[p] = merit[p] > (1 - SETTLED) * least[p] ? slow[p] + 1 : 0
        least[p] = merit[p]
        best[p] = error[p]
        boost[p] = Math.max(boost[p] / SOFTER, 1)
        this.poses.keep(p)
      } else {
        slow[p]++
        boost[p] *= STIFFER
        this.poses.restore(p)
        isBack = true
      }
      if (slow[p] > PATIENCE || best[p] <= tolerance) isDone[p] = 1
      else left++
    }
    // −0 is no small integer, and would be boxed.
    return isBack && left > 0 ? -left : left
  }

  /** Parts go back to what was found before where that is far better; where `isAny`, where it is better at all. */
  choose(isAny: boolean, { atLimit }: IkResult): void {
    const { kinematics, parts, isOpen, foundMerit, least, found } = this
    const { pose, coordinates } = kinematics
    for (let p = 0; p < parts.count; p++) {
      if (isOpen[p] === 0) continue
      const nearer = Math.sqrt(least[p]) - Math.sqrt(foundMerit[p])
      const isFarBetter = foundMerit[p] < FAR_BETTER * least[p] && nearer > FAR_NEARER
      const isAlmostMet = foundMerit[p] < ALMOST_MET * ALMOST_MET && nearer > 0
      if (!(isAny ? nearer > 0 : isFarBetter || isAlmostMet)) continue
      for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) {
        const i = parts.bones[b]
        pose.copyBone(i, found)
        coordinates[2 * i] = this.foundCoordinates[2 * i]
        coordinates[2 * i + 1] = this.foundCoordinates[2 * i + 1]
      }
      parts.best[p] = this.foundError[p]
      this.poses.keep(p)
      for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) {
        atLimit[parts.bones[b]] = this.foundAtLimit[parts.bones[b]]
      }
    }
  }

  /** Merit of the parts that are not done, by the rows at hand. */
  private weigh(): void {
    const { parts, rows, merit, kinematics } = this
    const { error, beyond, weight, step } = rows
    const { size } = kinematics.rig
    for (let p = 0; p < parts.count; p++) {
      if (parts.isDone[p] === 1) continue
      let sum = 0
      for (let k = parts.firstRow[p]; k < parts.endRow[p]; k++) {
        sum += weight[k] * (error[k] * error[k] + 2 * step[0] * beyond[k])
      }
      merit[p] = sum / (size * size)
    }
  }
}
