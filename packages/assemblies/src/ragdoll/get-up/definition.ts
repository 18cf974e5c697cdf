/** What users write for getting up, and its checks. */

import { array, knownFields, nonNegative, object, positive } from '@tautline/core/kernel'
import { checkClip, type PoseClip } from '@tautline/ik/poses'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import type { Ragdoll } from '../ragdoll.js'
import { checkWeights, type RagdollWeights } from '../weights.js'

/** What `createGetUp` takes besides the ragdoll. Every field but `clips` may be left out. */
export interface GetUpOptions {
  /** Motions from lying to standing: from the front, the back, a side. They end over the origin, y up, on the ground y = 0, facing +z. */
  clips: readonly PoseClip[]
  /** Where the character stands: the origin of its animations in the world [m]. @defaultValue [0, 0, 0] */
  position?: ReadonlyVec3
  /** How its animations are turned in the world. @defaultValue [0, 0, 0, 1] */
  orientation?: ReadonlyQuat
  /** How parts are driven while it falls and lies. @defaultValue as profile 'limp' */
  falling?: RagdollWeights
  /** How parts are driven while it gets up; the pin is that of the root, the hips. @defaultValue { pin: 1, muscle: 1, strength: 15, damping: 1.5, maxTorque: Infinity } */
  rising?: RagdollWeights
  /** Below this it rests: of all parts' centres [m/s]; their turns [rad/s] below eight times that. @defaultValue 0.15 */
  restSpeed?: number
  /** For how long it must rest to lie [s]. @defaultValue 0.3 */
  restTime?: number
  /** After this time it lies even where something goes on moving it, if its middle is slower than 0.5 m/s [s]. @defaultValue 5 */
  patience?: number
  /** For how long it lies before it gets up [s]; Infinity until you call `startGetUp`. @defaultValue 0.5 */
  lieTime?: number
  /** From the lying pose to the start of the clip, at most [s]; less where the two are near (0.3 m). @defaultValue 0.9 */
  blendTime?: number
  /** From the clip's end to the animation [s]. @defaultValue 0.3 */
  handOverTime?: number
  /** How far its parts may be from where the clip has them before it falls again, as a root of a mean of squares by mass [m]. @defaultValue 0.2 of its height */
  letGo?: number
}

/** Checked options. */
export interface GetUpSettings {
  readonly clips: readonly PoseClip[]
  readonly falling: RagdollWeights
  readonly rising: RagdollWeights
  readonly restSpeed: number
  readonly restTime: number
  readonly patience: number
  readonly lieTime: number
  readonly blendTime: number
  readonly handOverTime: number
  readonly letGo: number | undefined
}

const FIELDS: readonly (keyof GetUpOptions)[] = [
  'clips',
  'position',
  'orientation',
  'falling',
  'rising',
  'restSpeed',
  'restTime',
  'patience',
  'lieTime',
  'blendTime',
  'handOverTime',
  'letGo',
]

/** Checks options. Throws `TypeError`/`RangeError` with what and the value. */
export function resolveGetUp(where: string, doll: Ragdoll, options: GetUpOptions): GetUpSettings {
  knownFields(where, object(`${where}: options`, options), FIELDS)
  const bones = doll.asset.skeleton.names.length
  const clips = array(`${where}: clips`, options.clips) as readonly PoseClip[]
  if (clips.length === 0) throw new RangeError(`${where}: clips must be one at least, got none`)
  clips.forEach((clip, k) => checkClip(`${where}: clips[${k}]`, clip, bones))
  const { falling = { pin: 0, muscle: 0, mapping: 1 }, rising = {}, lieTime = 0.5, patience = 5, letGo } = options
  checkWeights(`${where}: falling`, falling)
  checkWeights(`${where}: rising`, rising)
  const number = (field: 'restSpeed' | 'restTime' | 'blendTime' | 'handOverTime', value: number): number =>
    nonNegative(`${where}: ${field}`, options[field] ?? value)
  const time = (field: string, value: number): number =>
    value === Infinity ? value : nonNegative(`${where}: ${field}`, value)
  return {
    clips,
    falling: { ...falling },
    rising: { pin: 1, muscle: 1, mapping: 1, strength: 15, damping: 1.5, maxTorque: Infinity, ...rising },
    restSpeed: number('restSpeed', 0.15),
    restTime: number('restTime', 0.3),
    patience: time('patience', patience),
    lieTime: time('lieTime', lieTime),
    blendTime: number('blendTime', 0.9),
    handOverTime: number('handOverTime', 0.3),
    letGo: letGo === undefined ? undefined : positive(`${where}: letGo`, letGo),
  }
}
