/**
 * Poses between poses, and differences of poses that are put on others.
 *
 *   slerp      q = exp(t log(q_b q̄_a)) q_a,   x = x_a + t (x_b − x_a)         (K. Shoemake 1985), the short way
 *   additive   d = q̄_r q,   q_out = q_base exp(w log d)                       a turn in the bone's own frame
 */

import {
  compose,
  finite,
  normalizeQuaternion,
  quaternionFromRotationVector,
  rotationBetween,
  rotationVectorFromQuaternion,
  rotate,
} from '@tautline/core/kernel'
import { checkMask, checkPoseData, type PoseData } from './pose-data.js'

const q = /* @__PURE__ */ new Float64Array(4)
const r = /* @__PURE__ */ new Float64Array(4)
const v = /* @__PURE__ */ new Float64Array(3)

/**
 * Writes the pose `t` of the way from `a` to `b` to `out`, which may be either, and returns it; beyond 0 … 1 it goes on. With a mask, a share a bone of `boneMask`,
 * each bone goes that much of the way. Throws `TypeError`/`RangeError` for what are no poses of as many bones.
 */
export function slerpPose<P extends PoseData>(
  out: P,
  a: PoseData,
  b: PoseData,
  t: number,
  mask?: ArrayLike<number>,
): P {
  const count = boneCount('slerpPose', out, a, b, ['a', 'b'])
  finite('slerpPose: t', t)
  checkMask('slerpPose: mask', mask, count)
  for (let i = 0; i < count; i++) {
    const share = mask === undefined ? t : t * mask[i]
    // To the last bit what it comes from, where it stays.
    const from = share === 1 ? b : a
    for (let k = 0; k < 4; k++) q[k] = from.rotations[4 * i + k]
    if (share !== 0 && share !== 1) {
      rotationBetween(b.rotations, 4 * i, a.rotations, 4 * i, v, 0)
      rotate(q, 0, share * v[0], share * v[1], share * v[2])
      normalizeQuaternion(q, 0)
    }
    for (let k = 0; k < 4; k++) out.rotations[4 * i + k] = q[k]
    for (let k = 3 * i; k < 3 * i + 3; k++) {
      const x = a.positions[k]
      out.positions[k] = share === 1 ? b.positions[k] : x + share * (b.positions[k] - x)
    }
  }
  return out
}

/** Writes what `pose` has beyond `reference` to `out`, and returns it: what {@link addPose} puts on others, such as a breath or a recoil. */
export function poseDifference<P extends PoseData>(out: P, pose: PoseData, reference: PoseData): P {
  const count = boneCount('poseDifference', out, pose, reference, ['pose', 'reference'])
  for (let i = 0; i < count; i++) {
    const o = 4 * i
    for (let k = 0; k < 3; k++) r[k] = -reference.rotations[o + k]
    r[3] = reference.rotations[o + 3]
    compose(r, 0, pose.rotations, o, q, 0)
    for (let k = 0; k < 4; k++) out.rotations[o + k] = q[k]
    for (let k = 3 * i; k < 3 * i + 3; k++) out.positions[k] = pose.positions[k] - reference.positions[k]
  }
  return out
}

/** Writes `base` with `weight` of a difference on it to `out`, which may be `base`, and returns it; a mask as of {@link slerpPose}. */
export function addPose<P extends PoseData>(
  out: P,
  base: PoseData,
  difference: PoseData,
  weight = 1,
  mask?: ArrayLike<number>,
): P {
  const count = boneCount('addPose', out, base, difference, ['base', 'difference'])
  finite('addPose: weight', weight)
  checkMask('addPose: mask', mask, count)
  for (let i = 0; i < count; i++) {
    const o = 4 * i
    const share = mask === undefined ? weight : weight * mask[i]
    rotationVectorFromQuaternion(difference.rotations, o, v, 0)
    quaternionFromRotationVector(r, 0, share * v[0], share * v[1], share * v[2])
    compose(base.rotations, o, r, 0, q, 0)
    normalizeQuaternion(q, 0)
    for (let k = 0; k < 4; k++) out.rotations[o + k] = q[k]
    for (let k = 3 * i; k < 3 * i + 3; k++) out.positions[k] = base.positions[k] + share * difference.positions[k]
  }
  return out
}

/** Bones that three poses have alike. */
function boneCount(
  where: string,
  out: PoseData,
  a: PoseData,
  b: PoseData,
  [first, second]: readonly [string, string],
): number {
  const count = checkPoseData(`${where}: out`, out).rotations.length / 4
  checkPoseData(`${where}: ${first}`, a, count)
  checkPoseData(`${where}: ${second}`, b, count)
  return count
}
