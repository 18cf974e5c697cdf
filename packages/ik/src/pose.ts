/** A pose of a rig: rotations and positions of bones in their parents' spaces, and where that puts them. */

import { finiteVector, instance, integer, outVector } from '@tautline/core/kernel'
import type { ReadonlyVec3, vec3 } from 'gl-matrix'
import { Rig } from './rig.js'
import { rotateInPlace } from './rotations.js'

/** Where the bones are in their parents' spaces; a root in the world. */
export class Pose {
  /** [x, y, z, w], a row of four a bone: bone i from 4 i on. */
  readonly rotations: Float64Array
  /** [x, y, z] [m], a row of three a bone. They are those of the rest pose, but of sliders, free roots and stretched bones. */
  readonly positions: Float64Array

  /** The rest pose of a rig. */
  constructor(rig: Rig) {
    instance('Pose: rig', rig, Rig, 'a Rig')
    this.rotations = rig.restRotation.slice()
    this.positions = rig.restPosition.slice()
  }

  /** Takes another pose of the same rig over. */
  copy(other: Pose): this {
    checkPose('copy: other', other, this.rotations.length / 4)
    this.rotations.set(other.rotations)
    this.positions.set(other.positions)
    return this
  }

  /** Takes one bone of another pose over. */
  copyBone(i: number, other: Pose): void {
    const { rotations, positions } = checkPose('copyBone: other', other, this.rotations.length / 4)
    integer('copyBone: i', i, 0, this.rotations.length / 4 - 1)
    for (let k = 4 * i; k < 4 * i + 4; k++) this.rotations[k] = rotations[k]
    for (let k = 3 * i; k < 3 * i + 3; k++) this.positions[k] = positions[k]
  }
}

/** A pose of as many bones. */
export function checkPose(where: string, pose: unknown, count: number): Pose {
  const { length } = instance(where, pose, Pose, 'a Pose').rotations
  if (length !== 4 * count) throw new RangeError(`${where} must have the ${count} bones of the rig, got ${length / 4}`)
  return pose as Pose
}

const at = /* @__PURE__ */ new Float64Array(3)

/** Where the bones are in the world. */
export class WorldPose {
  readonly rig: Rig
  /** [x, y, z, w], a row of four a bone. */
  readonly rotations: Float64Array
  /** Of the bones' joints, [x, y, z] [m], a row of three a bone. */
  readonly positions: Float64Array

  /** Room for a rig, all zero until the first `update`. */
  constructor(rig: Rig) {
    this.rig = instance('WorldPose: rig', rig, Rig, 'a Rig')
    this.rotations = new Float64Array(4 * rig.count)
    this.positions = new Float64Array(3 * rig.count)
  }

  /**
   * Where a point of a bone is, `local` in the bone's space [m], by default its joint: written to `out` and returned. The bone is given
   * by name or row, and the rig's `tip` of it is its far end. Throws `RangeError` for a bone that there is not, and for a point that is none.
   */
  point(bone: string | number, local?: ReadonlyVec3, out: vec3 = [0, 0, 0]): vec3 {
    const i = this.rig.indexOf(bone, 'WorldPose.point')
    if (local !== undefined) finiteVector('WorldPose.point: local', local, 3)
    outVector('WorldPose.point: out', out, 3)
    for (let k = 0; k < 3; k++) at[k] = local === undefined ? 0 : local[k]
    rotateInPlace(this.rotations, 4 * i, at)
    for (let k = 0; k < 3; k++) out[k] = this.positions[3 * i + k] + at[k]
    return out
  }

  /** Writes where a pose puts the bones. */
  update(rig: Rig, pose: Pose): this {
    const { count, parent } = instance('WorldPose.update: rig', rig, Rig, 'a Rig')
    checkPose('WorldPose.update: pose', pose, count)
    const { rotations: R, positions: x } = this
    const { rotations: q, positions: l } = pose
    for (let i = 0; i < count; i++) {
      const o = 4 * i
      const a = 3 * i
      const bx = q[o]
      const by = q[o + 1]
      const bz = q[o + 2]
      const bw = q[o + 3]
      const lx = l[a]
      const ly = l[a + 1]
      const lz = l[a + 2]
      const p = parent[i]
      if (p < 0) {
        R[o] = bx
        R[o + 1] = by
        R[o + 2] = bz
        R[o + 3] = bw
        x[a] = lx
        x[a + 1] = ly
        x[a + 2] = lz
        continue
      }
      // `compose` and `rotateVector` with the parent's rotation read once.
      const ax = R[4 * p]
      const ay = R[4 * p + 1]
      const az = R[4 * p + 2]
      const aw = R[4 * p + 3]
      R[o] = aw * bx + ax * bw + ay * bz - az * by
      R[o + 1] = aw * by - ax * bz + ay * bw + az * bx
      R[o + 2] = aw * bz + ax * by - ay * bx + az * bw
      R[o + 3] = aw * bw - ax * bx - ay * by - az * bz
      const tx = 2 * (ay * lz - az * ly)
      const ty = 2 * (az * lx - ax * lz)
      const tz = 2 * (ax * ly - ay * lx)
      x[a] = x[3 * p] + (lx + aw * tx + (ay * tz - az * ty))
      x[a + 1] = x[3 * p + 1] + (ly + aw * ty + (az * tx - ax * tz))
      x[a + 2] = x[3 * p + 2] + (lz + aw * tz + (ax * ty - ay * tx))
    }
    return this
  }
}
