/** Other poses to go on from: joints off the bounds that hold them, a little aside of a dead point, or somewhere else altogether. */

import { rotationVectorFromQuaternion, rotateBy } from '@tautline/core/kernel'
import { rotatedFromRest, rotationFromRest, writeCoordinates } from './coordinates.js'
import { BALL, FREE, FREEDOMS, HINGE, LOCKED, SLIDER, UNIVERSAL } from './joints.js'
import type { Kinematics } from './kinematics.js'
import { clampInside, holdBall } from './limits.js'
import { rotationOf } from './rotations.js'

/** Share of the way to the middle of its range that a held joint is moved, times how often it was before. */
const FREE_BY = 0.6
/** Turn [rad] that frees a chain which is straight along its error. */
const NUDGE = 0.05

const local = /* @__PURE__ */ new Float64Array(3)
const turned = /* @__PURE__ */ new Float64Array(4)

/** Moves joints of the pose at hand, all by the same random numbers for the same seed. */
export class Starts {
  private readonly kinematics: Kinematics
  /** 1 for bones whose joints are bounded. */
  private readonly limited: Uint8Array
  /** Whether bones may lengthen. */
  stretches = false
  /** Of the random numbers: 32 bits, which a field would box. */
  private readonly state = new Uint32Array(1)

  constructor(kinematics: Kinematics, limited: Uint8Array) {
    this.kinematics = kinematics
    this.limited = limited
  }

  seed(seed: number): void {
    this.state[0] = seed
  }

  /** Moves a joint inward, by a share of its range that grows with `times`. */
  free(i: number, times: number): void {
    const { kinematics } = this
    const { rig, kinds, pose, coordinates } = kinematics
    const kind = kinds[i]
    const { limits } = rig.joints[i]
    if (kind === BALL) {
      // Towards rest, which limits include or are near to.
      rotationFromRest(rig, i, pose.rotations, turned)
      rotationVectorFromQuaternion(turned, 0, local, 0)
      for (let k = 0; k < 3; k++) local[k] *= 1 - FREE_BY * times
      rotationOf(local, turned)
      rotatedFromRest(rig, i, turned, pose.rotations)
      holdBall(rig, i, pose.rotations)
      return
    }
    for (let c = 0; c < FREEDOMS[kind]; c++) {
      const sum = limits[2 * c] + limits[2 * c + 1]
      const middle = sum - sum === 0 ? 0.5 * sum : 0
      coordinates[2 * i + c] += FREE_BY * times * (middle - coordinates[2 * i + c])
      clampInside(coordinates, 2 * i + c, limits, 2 * c)
    }
    writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, this.stretches)
  }

  /** Turns a joint a little. */
  nudge(i: number): void {
    const { kinematics } = this
    const { rig, kinds, pose, coordinates } = kinematics
    const kind = kinds[i]
    if (kind === BALL) {
      for (let k = 0; k < 3; k++) local[k] = NUDGE * this.random()
      rotateBy(pose.rotations, 4 * i, local)
      if (this.limited[i] === 1) holdBall(rig, i, pose.rotations)
    } else if (kind === HINGE || kind === UNIVERSAL) {
      for (let c = 0; c < FREEDOMS[kind]; c++) {
        coordinates[2 * i + c] += NUDGE * this.random()
        clampInside(coordinates, 2 * i + c, rig.joints[i].limits, 2 * c)
      }
      writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, this.stretches)
    }
  }

  /** Puts a joint somewhere inside its limits. */
  anew(i: number): void {
    const { kinematics } = this
    const { rig, kinds, pose, coordinates } = kinematics
    const kind = kinds[i]
    if (kind === LOCKED || kind === FREE) return
    const { limits } = rig.joints[i]
    if (kind === BALL) {
      for (let c = 0; c < 3; c++) local[c] = 1.5 * this.random()
      rotationOf(local, turned)
      rotatedFromRest(rig, i, turned, pose.rotations)
      if (this.limited[i] === 1) holdBall(rig, i, pose.rotations)
      return
    }
    for (let c = 0; c < FREEDOMS[kind]; c++) {
      const reach = kind === SLIDER ? rig.size : Math.PI
      const min = Math.max(limits[2 * c], -reach)
      const max = Math.min(limits[2 * c + 1], reach)
      coordinates[2 * i + c] = min + 0.5 * (1 + this.random()) * (max - min)
      clampInside(coordinates, 2 * i + c, limits, 2 * c)
    }
    writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, this.stretches)
  }

  /** A number in [−1, 1) (a linear congruential generator: Numerical Recipes, 2nd ed., 7.1). */
  private random(): number {
    this.state[0] = Math.imul(this.state[0], 1664525) + 1013904223
    return this.state[0] / 0x80000000 - 1
  }
}
