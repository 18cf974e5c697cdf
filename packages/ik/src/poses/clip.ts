/** Clips: poses at an even rate, read between them. */

import { array, finite, flag, integer, object, positive } from '@tautline/core/kernel'
import { slerpPose } from './blend.js'
import { checkPoseData, type PoseData } from './pose-data.js'

/** Poses of a motion: `gltfClip` of `@tautline/ik/gltf` reads one, so does any list of poses. */
export interface PoseClip<P extends PoseData = PoseData> {
  /** One at least. */
  readonly poses: readonly P[]
  /** Poses a second [1/s]. */
  readonly rate: number
  /** Whether the last pose is the first again. @defaultValue false */
  readonly loops?: boolean
}

/** Time from its first pose to its last [s]. */
export function clipDuration(clip: PoseClip): number {
  const { poses, rate } = checkClip('clipDuration: clip', clip)
  return (poses.length - 1) / rate
}

/** Checks a clip, whose poses have `count` bones where that is given. Throws `TypeError`/`RangeError`, with `where` before it. */
export function checkClip(where: string, clip: PoseClip, count?: number): PoseClip {
  const { poses, rate, loops = false } = object(where, clip) as unknown as PoseClip
  if (array(`${where}: poses`, poses).length === 0) {
    throw new RangeError(`${where}: poses must be one at least, got none`)
  }
  if (count !== undefined) integer(`${where}: count`, count, 0)
  const bones = count ?? checkPoseData(`${where}: poses[0]`, poses[0]).rotations.length / 4
  poses.forEach((pose, k) => checkPoseData(`${where}: poses[${k}]`, pose, bones))
  positive(`${where}: rate`, rate)
  flag(`${where}: loops`, loops)
  return clip
}

/**
 * Writes the pose of a clip at a time [s] to `out`, and returns it. Before its start and after its end it is the pose there; one that loops goes on, also before 0.
 * Throws `TypeError`/`RangeError` where `out` is no pose of as many bones.
 */
export function sampleClip<P extends PoseData>(out: P, clip: PoseClip, time: number): P {
  const { poses, rate, loops = false } = object('sampleClip: clip', clip) as unknown as PoseClip
  const last = array('sampleClip: clip.poses', poses).length - 1
  let at = finite('sampleClip: time', time) * positive('sampleClip: clip.rate', rate)
  flag('sampleClip: clip.loops', loops)
  if (loops && last > 0) at -= last * Math.floor(at / last)
  at = Math.min(Math.max(at, 0), last)
  const k = Math.min(Math.floor(at), Math.max(last - 1, 0))
  const next = Math.min(k + 1, last)
  const bones = checkPoseData('sampleClip: out', out).rotations.length / 4
  for (const n of [k, next]) checkPoseData(`sampleClip: clip.poses[${n}]`, poses[n], bones)
  return slerpPose(out, poses[k], poses[next], at - k)
}
