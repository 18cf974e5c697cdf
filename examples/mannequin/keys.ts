/** Postures set as keys: each group of numbers has keys of its own, and goes from one to the next on a curve that does not overshoot. */

import { cos, sin } from '@tautline/core/kernel'
import { curve } from './curve.js'
import type { LegShape } from './gait.js'
import type { ArmAngles, Bend, Hold, LegAngles, Posture } from './posture.js'
import { about, mirrored, smoothstep, times } from './vectors.js'

/** Where a wrist or an ankle is [m], which way fingers or toes point from the front, outward and up or down [°]. */
export interface HoldKey {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly yaw: number
  readonly pitch: number
  readonly share: number
}

interface Groups {
  readonly hips: { readonly x: number; readonly y: number; readonly z: number }
  readonly lean: Bend
  readonly back: Bend
  readonly head: Bend
  readonly leftArm: ArmAngles
  readonly rightArm: ArmAngles
  readonly leftLeg: LegAngles
  readonly rightLeg: LegAngles
  readonly leftHand: HoldKey
  readonly rightHand: HoldKey
  readonly leftFoot: HoldKey
  readonly rightFoot: HoldKey
}

type Partly<T> = { readonly [name in keyof T]?: Partial<T[name]> }

/** What is set at a time [s]; a group that is not goes on to its next key, a number of one that is has its last value. */
export interface Key extends Partly<Groups> {
  readonly at: number
}

const ARM: ArmAngles = { raise: 4, spread: 9, twist: 4, elbow: 14, pronation: 12, wrist: 8 }
const LEG: LegAngles = { raise: 10, spread: 0, turnout: 4, knee: 20, ankle: 0, toes: 0 }
const NONE: Bend = { forward: 0, turn: 0, side: 0, roll: 0 }

/** Standing at ease, feet flat. */
export function standingGroups(shape: LegShape): Groups {
  const foot = (x: number): HoldKey => ({ x, y: shape.ankle, z: REST_Z, yaw: 6, pitch: 0, share: 1 })
  const hand: HoldKey = { x: 0, y: 1, z: 0, yaw: 0, pitch: 0, share: 0 }
  return {
    hips: { x: 0, y: 0.943, z: 0 },
    lean: { ...NONE, forward: 1 },
    back: { ...NONE, forward: 2 },
    head: { ...NONE, forward: -2 },
    leftArm: ARM,
    rightArm: ARM,
    leftLeg: LEG,
    rightLeg: LEG,
    leftHand: hand,
    rightHand: hand,
    leftFoot: foot(0.1),
    rightFoot: foot(-0.1),
  }
}

/** Of the ankles where the figure stands [m]. */
export const REST_Z = -0.012

/** An ankle over the ball of its foot, which stands on the ground where it does when the ankle is at `z`, heel up by `pitch` [°]. */
export function onBall(shape: LegShape, z: number, pitch: number): Pick<HoldKey, 'y' | 'z' | 'pitch'> {
  const angle = (pitch * Math.PI) / 180
  const [, down, ahead] = shape.ball
  const [c, s] = [cos(angle), sin(angle)]
  return { y: shape.ankle + down - (c * down - s * ahead), z: z + ahead - (s * down + c * ahead), pitch }
}

/** The posture at a time [s] of keys whose first has every group from `start`. */
export function keyedPosture(tracks: Tracks, time: number): Posture {
  const read = (group: keyof Groups): Record<string, number> =>
    Object.fromEntries(Object.entries(tracks[group]).map(([name, keys]) => [name, curve(keys, time)]))
  const { x, y, z } = read('hips')
  const hold = (group: keyof Groups, isHand: boolean): Hold => {
    const key = read(group)
    const outward = isHand ? key.yaw - 90 : key.yaw
    const turn = times(about('y', outward), isHand ? about('z', key.pitch) : about('x', key.pitch))
    const own = group.startsWith('left') ? turn : mirrored(turn)
    return { at: [key.x, key.y, key.z], turn: own, share: key.share }
  }
  const leg = (group: keyof Groups, foot: Hold, pitch: number): LegAngles => {
    const angles = read(group) as unknown as LegAngles
    return { ...angles, toes: angles.toes + toesUp(foot.at[1], pitch) }
  }
  const feet = [hold('leftFoot', false), hold('rightFoot', false)] as const
  return {
    hips: [x, y, z],
    lean: read('lean') as unknown as Bend,
    back: read('back') as unknown as Bend,
    head: read('head') as unknown as Bend,
    arms: [read('leftArm') as unknown as ArmAngles, read('rightArm') as unknown as ArmAngles],
    legs: [leg('leftLeg', feet[0], read('leftFoot').pitch), leg('rightLeg', feet[1], read('rightFoot').pitch)],
    hands: [hold('leftHand', true), hold('rightHand', true)],
    feet,
  }
}

/** How far toes are bent on the ground by a heel that is up [°]: not where the foot lies on its back, nor in the air. */
function toesUp(ankle: number, pitch: number): number {
  const isNear = 1 - smoothstep(0.16, 0.24, ankle)
  return isNear * Math.min(Math.max(pitch, 0), 72) * (1 - smoothstep(112, 150, pitch))
}

/** Keys by group and number. */
export type Tracks = Readonly<Record<keyof Groups, Readonly<Record<string, readonly (readonly [number, number])[]>>>>

/** Sorts keys by what they set; `start` is what holds before the first. */
export function tracksOf(start: Groups, keys: readonly Key[]): Tracks {
  const tracks: Record<string, Record<string, (readonly [number, number])[]>> = {}
  for (const [group, values] of Object.entries(start) as [keyof Groups, object][]) {
    const last: Record<string, number> = { ...(values as Record<string, number>) }
    tracks[group] = Object.fromEntries(Object.keys(last).map((name) => [name, []]))
    for (const key of keys) {
      const set = key[group]
      if (set === undefined) continue
      Object.assign(last, set)
      for (const name of Object.keys(last)) tracks[group][name].push([key.at, last[name]])
    }
    for (const name of Object.keys(last))
      if (tracks[group][name].length === 0) tracks[group][name].push([0, last[name]])
  }
  return tracks as unknown as Tracks
}

/** Both sides alike: `both('Arm', …)` sets `leftArm` and `rightArm`; x is mirrored. */
export function both<T extends 'Arm' | 'Leg' | 'Hand' | 'Foot'>(
  part: T,
  values: Partial<Groups[`left${T}`]>,
): Partial<Groups> {
  const right = 'x' in values ? { ...values, x: -(values as Partial<HoldKey>).x! } : values
  return { [`left${part}`]: values, [`right${part}`]: right } as Partial<Groups>
}
