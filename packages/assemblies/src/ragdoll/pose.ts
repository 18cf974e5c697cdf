/**
 * Poses of a skeleton, and where they put the parts of its ragdoll; and back.
 *
 * Parts take their orientations from the bones, and their places from the root's and the joints: bones between two parts, which the parts do not
 * have, do not tear joints apart. Back, a bone that is no part stands where the pose that leads it (else the rest pose) has it in its parent.
 */

import {
  compose,
  finiteVector,
  normalizeQuaternion,
  object,
  rotateVector,
  rotateVectorInverse,
  shown,
} from '@tautline/core/kernel'
import type { RagdollAsset } from './data.js'
import type { Skeleton } from './skeleton.js'
import type { PartPlaces } from './validate.js'

/** Where bones are in their parents' spaces, roots in the ragdoll's: a `Pose` of `@tautline/ik` is one. */
export interface BonePose {
  /** [x, y, z], a row of three a bone. */
  readonly positions: Float64Array
  /** [x, y, z, w], a row of four a bone. */
  readonly rotations: Float64Array
}

/** Where the space of a ragdoll's poses is in the world. */
export interface Space {
  readonly position: Float64Array
  readonly orientation: Float64Array
}

/** Places of bones in the world, while poses are turned into parts and back. */
export class BonePlaces {
  readonly positions: Float64Array
  readonly rotations: Float64Array

  constructor(count: number) {
    this.positions = new Float64Array(3 * count)
    this.rotations = new Float64Array(4 * count)
  }
}

const v = /* @__PURE__ */ new Float64Array(3)
const p = /* @__PURE__ */ new Float64Array(3)
const q = /* @__PURE__ */ new Float64Array(4)
const r = /* @__PURE__ */ new Float64Array(4)

/** The rest pose. */
export function restPose(skeleton: Skeleton): BonePose {
  const { positions, rotations, unit, mirror } = object('restPose: skeleton', skeleton) as unknown as Skeleton
  if (!(unit instanceof Float64Array)) {
    throw new TypeError(`restPose: skeleton must be that of an asset, got ${shown(skeleton)}`)
  }
  return {
    positions: positions.map((value, k) => value / unit[k]),
    rotations: rotations.map((value, k) => (k % 4 === 3 ? value : value * mirror[3 * (k >> 2) + (k % 4)])),
  }
}

/** A pose with room for as many bones. */
export function checkPose(where: string, { names }: Skeleton, pose: unknown): BonePose {
  const { positions, rotations } = object(where, pose) as Partial<Record<keyof BonePose, unknown>>
  for (const [name, list, stride] of [
    ['positions', positions, 3],
    ['rotations', rotations, 4],
  ] as const) {
    finiteVector(`${where}: ${name}`, list, stride * names.length)
  }
  return pose as BonePose
}

/** World places of bones in a pose. */
export function placeBones(skeleton: Skeleton, pose: BonePose, space: Space, out: BonePlaces): void {
  const { order } = skeleton
  for (let k = 0; k < order.length; k++) placeBone(skeleton, pose, space, order[k], out)
}

/** World place of one bone; its parent has its own. */
function placeBone({ parent, unit, mirror }: Skeleton, pose: BonePose, space: Space, i: number, out: BonePlaces): void {
  const up = parent[i]
  const x = up < 0 ? space.position : out.positions
  const turn = up < 0 ? space.orientation : out.rotations
  const o = up < 0 ? 0 : 3 * up
  const u = up < 0 ? 0 : 4 * up
  for (let k = 0; k < 3; k++) {
    p[k] = unit[3 * i + k] * pose.positions[3 * i + k]
    q[k] = mirror[3 * i + k] * pose.rotations[4 * i + k]
  }
  q[3] = pose.rotations[4 * i + 3]
  rotateVector(turn, u, p[0], p[1], p[2], v, 0)
  for (let k = 0; k < 3; k++) out.positions[3 * i + k] = x[o + k] + v[k]
  compose(turn, u, q, 0, out.rotations, 4 * i)
  normalizeQuaternion(out.rotations, 4 * i)
}

/** Where parts are when bones are at `bones`. */
export function placeParts({ parts }: RagdollAsset, bones: BonePlaces, out: PartPlaces): void {
  for (let part = 0; part < parts.length; part++) {
    const { bone, parent, joint } = parts[part]
    for (let k = 0; k < 4; k++) out.rotations[4 * part + k] = bones.rotations[4 * bone + k]
    if (parent < 0 || joint === undefined) {
      for (let k = 0; k < 3; k++) out.positions[3 * part + k] = bones.positions[3 * bone + k]
      continue
    }
    const { anchor } = joint
    let [x, y, z] = anchor
    if (joint.kind === 'slider') {
      // Along its axis a slider's bone is where the pose says.
      const above = parts[parent].bone
      for (let k = 0; k < 3; k++) p[k] = bones.positions[3 * bone + k] - bones.positions[3 * above + k]
      rotateVectorInverse(out.rotations, 4 * parent, p[0], p[1], p[2], v, 0)
      for (let k = 0; k < 4; k++) r[k] = joint.frameA[k]
      rotateVector(r, 0, 1, 0, 0, p, 0)
      const along = (v[0] - x) * p[0] + (v[1] - y) * p[1] + (v[2] - z) * p[2]
      x += along * p[0]
      y += along * p[1]
      z += along * p[2]
    }
    rotateVector(out.rotations, 4 * parent, x, y, z, v, 0)
    for (let k = 0; k < 3; k++) out.positions[3 * part + k] = out.positions[3 * parent + k] + v[k]
  }
}

/**
 * Writes the pose in which parts are at `places`. Bones that are no parts, and all lengths, are those of `lead`; `isLoose` says which parts take their
 * place from `places` also: the root, what slides, what was cut off.
 */
export function readPose(
  { skeleton, parts, partOf }: RagdollAsset,
  places: PartPlaces,
  lead: BonePose,
  space: Space,
  isLoose: (part: number) => boolean,
  bones: BonePlaces,
  out: BonePose,
): void {
  const { order, parent, unit, mirror } = skeleton
  for (let n = 0; n < order.length; n++) {
    const i = order[n]
    const part = partOf[i]
    for (let k = 3 * i; k < 3 * i + 3; k++) out.positions[k] = lead.positions[k]
    for (let k = 4 * i; k < 4 * i + 4; k++) out.rotations[k] = lead.rotations[k]
    if (part < 0 || parts[part].bone !== i) {
      placeBone(skeleton, out, space, i, bones)
      continue
    }
    const up = parent[i]
    const turn = up < 0 ? space.orientation : bones.rotations
    const u = up < 0 ? 0 : 4 * up
    r[0] = -turn[u]
    r[1] = -turn[u + 1]
    r[2] = -turn[u + 2]
    r[3] = turn[u + 3]
    compose(r, 0, places.rotations, 4 * part, q, 0)
    normalizeQuaternion(q, 0)
    for (let k = 0; k < 3; k++) out.rotations[4 * i + k] = mirror[3 * i + k] * q[k]
    out.rotations[4 * i + 3] = q[3]
    if (isLoose(part)) {
      const x = up < 0 ? space.position : bones.positions
      const o = up < 0 ? 0 : 3 * up
      for (let k = 0; k < 3; k++) p[k] = places.positions[3 * part + k] - x[o + k]
      rotateVectorInverse(turn, u, p[0], p[1], p[2], v, 0)
      for (let k = 0; k < 3; k++) out.positions[3 * i + k] = v[k] / unit[3 * i + k]
    }
    placeBone(skeleton, out, space, i, bones)
  }
}

/** out ← a, b blended by `share` of b, bone by bone: rotations the short way round, by chord; at 0 to the last bit a. */
export function blendBone(a: BonePose, b: BonePose, i: number, share: number, out: BonePose): void {
  if (share === 0) {
    for (let k = 3 * i; k < 3 * i + 3; k++) out.positions[k] = a.positions[k]
    for (let k = 4 * i; k < 4 * i + 4; k++) out.rotations[k] = a.rotations[k]
    return
  }
  for (let k = 3 * i; k < 3 * i + 3; k++) out.positions[k] = a.positions[k] + share * (b.positions[k] - a.positions[k])
  let d = 0
  for (let k = 4 * i; k < 4 * i + 4; k++) d += a.rotations[k] * b.rotations[k]
  const sign = d < 0 ? -1 : 1
  for (let k = 4 * i; k < 4 * i + 4; k++)
    out.rotations[k] = (1 - share) * a.rotations[k] + sign * share * b.rotations[k]
  normalizeQuaternion(out.rotations, 4 * i)
}
