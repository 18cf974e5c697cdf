/**
 * What the mannequin does, as poses over time: `idle`, `walk`, `run`, `jump`, `getUpFront`, `getUpBack`, `getUpLeft`, `getUpRight`.
 *
 * Loops are in place: `speed` [m/s] says how fast the ground goes by. Those that get up end as `idle` begins, over the origin; the
 * body moves within the clip. `contacts` are the times in which a foot stands.
 */

import { sin } from '@tautline/core/kernel'
import { Pose, type Rig, WorldPose } from '@tautline/ik'
import { mirrorPose } from '@tautline/ik/poses'
import { type LegShape, type Gait, gaitPosture, RUN, WALK } from './gait.js'
import { getUpBack, getUpFront } from './get-up.js'
import { getUpLeft } from './get-up-side.js'
import type { jump } from './jump.js'
import { both, type Key, keyedPosture, standingGroups, tracksOf } from './keys.js'
import { Poser, type Posture } from './posture.js'
import { length as size, minus } from './vectors.js'

/** Poses at even times. */
export interface Clip {
  readonly name: string
  /** [s] */
  readonly duration: number
  /** Whether the last frame is the first. */
  readonly loops: boolean
  /** Of the ground beneath [m/s]. */
  readonly speed: number
  /** From and to, by foot [s]; those of a loop may end after it does. */
  readonly contacts: Readonly<Record<'leftFoot' | 'rightFoot', readonly (readonly [number, number])[]>>
  readonly times: readonly number[]
  readonly poses: readonly Pose[]
}

/** Frames a second. */
const RATE = 30
/** Of a breath [s]. */
const BREATH = 4

/** The left leg of a rig of `mannequinRig`. */
export function legShape(rig: Rig): LegShape {
  const rest = new WorldPose(rig).update(rig, new Pose(rig))
  const [hips, hip, knee, foot] = ['hips', 'leftUpperLeg', 'leftLowerLeg', 'leftFoot'].map((bone) => rest.point(bone))
  const [, ankle, z] = foot
  const [, height, ball] = rest.point('leftToes')
  const between = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
    size(minus([a[0], a[1], a[2]], [b[0], b[1], b[2]]))
  const lengths = { hip: hips[1] - hip[1], thigh: between(hip, knee), shank: between(knee, foot) }
  return { ...lengths, ankle, heel: [0, -ankle, -0.045], ball: [0, height - ankle, ball - z] }
}

/** All clips for a rig; `jump` where `jumping`, of jump.ts, is given: a page without one need not load it. */
export function mannequinClips(rig: Rig, jumping?: typeof jump): Clip[] {
  const shape = legShape(rig)
  const poser = new Poser(rig)
  const sampled = (
    name: string,
    duration: number,
    posture: (time: number) => Posture,
    rest: Pick<Clip, 'loops' | 'speed' | 'contacts'>,
  ): Clip => {
    const frames = Math.round(duration * RATE)
    const times = Array.from({ length: frames + 1 }, (_, k) => (k * duration) / frames)
    const poses = times.map((time) => {
      const pose = new Pose(rig)
      poser.write(posture(time), pose)
      return pose
    })
    return { name, duration, times, poses, ...rest }
  }
  const gait = (name: string, of: Gait): Clip =>
    sampled(name, of.period, (time) => gaitPosture(of, shape, (time / of.period) % 1), {
      loops: true,
      speed: of.speed,
      contacts: {
        leftFoot: [[0, of.duty * of.period]],
        rightFoot: [[0.5 * of.period, (0.5 + of.duty) * of.period]],
      },
    })
  const keyed = (name: string, keys: readonly Key[], contacts: Clip['contacts']): Clip => {
    const tracks = tracksOf(standingGroups(shape), keys)
    return sampled(name, keys[keys.length - 1].at, (time) => keyedPosture(tracks, time), {
      loops: false,
      speed: 0,
      contacts,
    })
  }
  const idle = sampled('idle', BREATH, (time) => breathing(shape, time), {
    loops: true,
    speed: 0,
    contacts: { leftFoot: [[0, BREATH]], rightFoot: [[0, BREATH]] },
  })
  const up = jumping?.(shape)
  const [front, back, side] = [getUpFront(shape), getUpBack(shape), getUpLeft(shape)]
  const left = keyed('getUpLeft', side.keys, side.contacts)
  return [
    idle,
    gait('walk', WALK),
    gait('run', RUN),
    ...(up === undefined ? [] : [keyed('jump', up.keys, up.contacts)]),
    keyed('getUpFront', front.keys, front.contacts),
    keyed('getUpBack', back.keys, back.contacts),
    left,
    inMirror('getUpRight', left, rig),
  ]
}

/** A clip with left and right swapped. */
function inMirror(name: string, clip: Clip, rig: Rig): Clip {
  const { leftFoot, rightFoot } = clip.contacts
  return {
    ...clip,
    name,
    contacts: { leftFoot: rightFoot, rightFoot: leftFoot },
    poses: clip.poses.map((pose) => mirrorPose(new Pose(rig), pose, rig, new Pose(rig))),
  }
}

/** Standing at ease; the chest goes up and down, and the weight from leg to leg. */
function breathing(shape: LegShape, time: number): Posture {
  const breath = sin((2 * Math.PI * time) / BREATH)
  const start = standingGroups(shape)
  const key: Key = {
    at: 0,
    hips: { x: 0.004 * breath, y: start.hips.y + 0.0015 * breath },
    lean: { side: 0.4 * breath },
    back: { forward: start.back.forward - 1.2 * breath, side: -0.4 * breath },
    head: { forward: start.head.forward + 0.8 * breath },
    ...both('Arm', { raise: start.leftArm.raise - breath, spread: start.leftArm.spread + 0.8 * breath }),
  }
  return keyedPosture(tracksOf(start, [key]), 0)
}
