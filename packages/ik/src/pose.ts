/** A pose of a rig: rotations and positions of bones in their parents' spaces, and where that puts them. */

import { compose, rotateVector } from '@tautline/core'
import type { Rig } from './rig.js'

/** Where the bones are in their parents' spaces; a root in the world. */
export class Pose {
  /** [x, y, z, w], a row of four a bone: bone i from 4 i on. */
  readonly rotations: Float64Array
  /** [x, y, z] [m], a row of three a bone. They are those of the rest pose, but of sliders, free roots and stretched bones. */
  readonly positions: Float64Array

  /** The rest pose of a rig. */
  constructor(rig: Rig) {
    this.rotations = rig.restRotation.slice()
    this.positions = rig.restPosition.slice()
  }

  /** Takes another pose of the same rig over. */
  copy(other: Pose): this {
    this.rotations.set(other.rotations)
    this.positions.set(other.positions)
    return this
  }
}

/** Where the bones are in the world. */
export class WorldPose {
  /** [x, y, z, w], a row of four a bone. */
  readonly rotations: Float64Array
  /** Of the bones' joints, [x, y, z] [m], a row of three a bone. */
  readonly positions: Float64Array

  /** Room for a rig, all zero until the first `update`. */
  constructor(rig: Rig) {
    this.rotations = new Float64Array(4 * rig.count)
    this.positions = new Float64Array(3 * rig.count)
  }

  /** Writes where a pose puts the bones. */
  update(rig: Rig, pose: Pose): this {
    const { rotations: R, positions: x } = this
    const { parent } = rig
    for (let i = 0; i < rig.count; i++) {
      const p = parent[i]
      if (p < 0) {
        for (let k = 0; k < 4; k++) R[4 * i + k] = pose.rotations[4 * i + k]
        for (let k = 0; k < 3; k++) x[3 * i + k] = pose.positions[3 * i + k]
        continue
      }
      compose(R, 4 * p, pose.rotations, 4 * i, R, 4 * i)
      const local = pose.positions
      rotateVector(R, 4 * p, local[3 * i], local[3 * i + 1], local[3 * i + 2], x, 3 * i)
      for (let k = 0; k < 3; k++) x[3 * i + k] += x[3 * p + k]
    }
    return this
  }
}
