/**
 * Where goals cannot be met: the nearest pose to that in which the solve began from which no step makes their squares less.
 *
 *   merit = Σ weight ρ(e),   ρ = e² up to the clamp s of an error,   s (2 e − s) beyond it
 *
 * by damping that grows where a step has made it worse (Levenberg 1944, Marquardt 1963). Steps minimise these squares, and not the
 * largest error by which a solve keeps a pose: among poses that miss alike that one is found by chance, and along a motion it shakes.
 */

import { keep, restore } from './best.js'
import { pullRoot, startAt } from './first-pose.js'
import { measure } from './measure.js'
import { Pose } from './pose.js'
import type { Rig } from './rig.js'
import type { Room } from './room.js'
import { takeStep } from './step.js'

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

/** Parts whose goals are not met go where they settle, from where the solve began. */
export function settle(room: Room, first: Pose): void {
  const { parts, settings, settling, result } = room
  if (!settling.open(room)) return
  measure(room)
  settling.note(room)
  startAt(room, first)
  pullRoot(room)
  for (let p = 0; p < parts.count; p++) {
    if (parts.isDone[p] === 0) continue
    parts.isAtBest[p] = 0
    restore(room, p)
  }
  result.status = 'stalled'
  for (let done = 0; ; done++) {
    measure(room)
    const left = settling.judge(room)
    if (left === 0) break
    if (done === settings.iterations) {
      result.status = 'limit'
      break
    }
    if (left < 0) measure(room)
    result.iterations++
    takeStep(room)
  }
  settling.choose(room)
}

/** Parts on their way to where they settle. Made for one rig and its goals. */
export class Settling {
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

  constructor(rig: Rig, parts: number) {
    this.found = new Pose(rig)
    this.foundCoordinates = new Float64Array(2 * rig.count)
    this.foundAtLimit = new Uint8Array(rig.count)
    this.foundError = new Float64Array(parts)
    this.foundMerit = new Float64Array(parts)
    this.merit = new Float64Array(parts)
    this.least = new Float64Array(parts)
    this.slow = new Int32Array(parts)
    this.isOpen = new Uint8Array(parts)
  }

  /** Puts parts whose goals are not met to their best pose; false where there is none. Soft goals are not met to a tolerance. */
  open(room: Room): boolean {
    const { parts } = room
    const { isOpen } = this
    let isAny = false
    for (let p = 0; p < parts.count; p++) {
      if (parts.isSoft[p] === 1) parts.isDone[p] = 1
      isOpen[p] = 1 - parts.isDone[p]
      restore(room, p)
      if (isOpen[p] === 1) isAny = true
    }
    return isAny
  }

  /** Notes the pose at hand, which has been measured, as what was found before. */
  note(room: Room): void {
    const { kinematics, parts, result } = room
    const { isOpen } = this
    this.weigh(room)
    parts.start()
    this.foundMerit.set(this.merit)
    this.foundError.set(parts.best)
    this.foundCoordinates.set(kinematics.coordinates)
    this.foundAtLimit.set(result.atLimit)
    this.found.copy(kinematics.pose)
    this.least.fill(Infinity)
    this.slow.fill(0)
    // The pose at hand is to be another.
    for (let p = 0; p < parts.count; p++) if (isOpen[p] === 1) parts.isAtBest[p] = 0
  }

  /** Keeps what is better and goes back from what is worse; the parts that have not settled, negative where some went back. */
  judge(room: Room): number {
    const { parts, settings } = room
    const { merit, least, slow } = this
    const { best, boost, error, isDone } = parts
    let left = 0
    let isBack = false
    this.weigh(room)
    for (let p = 0; p < parts.count; p++) {
      if (isDone[p] === 1) continue
      if (merit[p] < least[p]) {
        slow[p] = merit[p] > (1 - SETTLED) * least[p] ? slow[p] + 1 : 0
        least[p] = merit[p]
        best[p] = error[p]
        boost[p] = Math.max(boost[p] / SOFTER, 1)
        keep(room, p)
      } else {
        slow[p]++
        boost[p] *= STIFFER
        restore(room, p)
        isBack = true
      }
      if (slow[p] > PATIENCE || best[p] <= settings.tolerance) isDone[p] = 1
      else left++
    }
    // −0 is no small integer, and would be boxed.
    return isBack && left > 0 ? -left : left
  }

  /** Parts go back to what was found before where that is far better; with restarts, where it is better at all. */
  choose(room: Room): void {
    const { kinematics, parts, settings, result } = room
    const { isOpen, foundMerit, least, found } = this
    const { pose, coordinates } = kinematics
    const { atLimit } = result
    const isAny = settings.restarts > 0
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
      keep(room, p)
      for (let b = parts.firstBone[p]; b < parts.firstBone[p + 1]; b++) {
        atLimit[parts.bones[b]] = this.foundAtLimit[parts.bones[b]]
      }
    }
  }

  /** Merit of the parts that are not done, by the rows at hand. */
  private weigh({ parts, rows, rig }: Room): void {
    const { merit } = this
    const { error, beyond, weight, step } = rows
    const { size } = rig
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
