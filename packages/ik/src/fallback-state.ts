/** What the fallback of fallback.ts keeps of each subproblem: plain arrays, made for one rig and its goals. */

import { Pose } from './pose.js'
import type { Rig } from './rig.js'

/** The pose that was found before, and how far each subproblem has come. */
export class FallbackState {
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
