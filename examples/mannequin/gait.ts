/**
 * Walking and running in place: the ground moves back at the speed of the clip.
 *
 * A foot's cycle, from when it strikes the ground (0) to the next time (1):
 *   stance   on the heel, toes coming down; flat; on the ball of the foot, the heel rising, toes flat; up to `duty`
 *   swing    the ankle on a cubic between where the stance leaves it and where the next one finds it, with their velocities, raised by a bump
 * The hips go up and down twice a cycle, and turn and tilt with the legs; the back turns against them, the arms swing as the other leg does.
 * Legs are solved for the ankles, so that what stands on the ground does not slide. Angles after D. A. Winter, "Biomechanics and
 * Motor Control of Human Movement", where his book has them, else chosen by eye.
 */

import { cos, sin } from '@tautline/core/kernel'
import type { Vector } from '../data/adult.js'
import { curve } from './curve.js'
import type { ArmAngles, Hold, LegAngles, Posture } from './posture.js'
import { about, smoothstep } from './vectors.js'

/** Keys of a curve over the cycle, each a time and a value. */
type Keys = readonly (readonly [number, number])[]

/** How a figure walks or runs. */
export interface Gait {
  /** [m/s] */
  readonly speed: number
  /** Of a cycle, two steps [s]. */
  readonly period: number
  /** Share of the cycle in which a foot is on the ground. */
  readonly duty: number
  /** Where the ankle strikes, before the hips [m]. */
  readonly strike: number
  /** Of the feet from the middle [m]. */
  readonly stance: number
  /** Of the foot, heel up, over the cycle [°]: below 0 on the heel, above on the ball. */
  readonly pitch: Keys
  /** Of the ankle while it swings, above the way from the last place to the next [m]. */
  readonly clearance: Keys
  /** Height of the hips' bone: its mean [m], how far up and down, and when it is highest after a strike, a share of the cycle. */
  readonly height: { readonly mean: number; readonly swing: number; readonly top: number }
  /** [°] */
  readonly lean: number
  readonly hipTurn: number
  readonly hipTilt: number
  readonly arms: {
    readonly middle: number
    readonly swing: number
    readonly elbow: number
    readonly elbowSwing: number
    readonly spread: number
    readonly twist: number
  }
}

/** Lengths of a leg, and what its foot turns about, from the ankle at rest [m]. */
export interface LegShape {
  /** Of the hip's joint below that of the hips' bone. */
  readonly hip: number
  readonly thigh: number
  readonly shank: number
  /** Height of the ankle over the sole. */
  readonly ankle: number
  /** The sole beneath the heel. */
  readonly heel: Vector
  /** The toes' joint. */
  readonly ball: Vector
}

const WHOLE = 2 * Math.PI

/** The ankle and the foot's pitch while it stands; `phase` may lie a little outside of the stance. */
function standing(gait: Gait, shape: LegShape, phase: number): { y: number; z: number; pitch: number } {
  const pitch = curve(gait.pitch, phase, 1)
  const pivot = pitch < 0 ? shape.heel : shape.ball
  const angle = (pitch * Math.PI) / 180
  const [c, s] = [cos(angle), sin(angle)]
  // From the ankle to the pivot, turned about x; the pivot stays where it is over the ground.
  const [down, ahead] = [c * pivot[1] - s * pivot[2], s * pivot[1] + c * pivot[2]]
  const z = gait.strike - gait.speed * gait.period * phase
  return { y: shape.ankle + pivot[1] - down, z: z + pivot[2] - ahead, pitch }
}

/** A foot at a phase of its own cycle. */
function footAt(gait: Gait, shape: LegShape, x: number, phase: number): { hold: Hold; toes: number } {
  const { duty } = gait
  let at = standing(gait, shape, phase)
  if (phase > duty) {
    const s = (phase - duty) / (1 - duty)
    const e = 1e-4
    const from = standing(gait, shape, duty)
    const to = standing(gait, shape, 0)
    const before = standing(gait, shape, duty - e)
    const after = standing(gait, shape, e)
    const way = (name: 'y' | 'z'): number => {
      const rate = (1 - duty) / e
      return hermite(from[name], (from[name] - before[name]) * rate, to[name], (after[name] - to[name]) * rate, s)
    }
    at = { y: way('y') + curve(gait.clearance, s), z: way('z'), pitch: at.pitch }
  }
  // Toes lie flat while the heel rises, and hang on for a while.
  const flat = at.pitch > 0 ? at.pitch * (1 - smoothstep(duty, duty + 0.2, phase)) : 0
  return { hold: { at: [x, at.y, at.z], turn: about('x', at.pitch), share: 1 }, toes: flat }
}

/** A figure that walks or runs, at a share of the cycle that begins as the left foot strikes. */
export function gaitPosture(gait: Gait, shape: LegShape, phase: number): Posture {
  const { height, arms, hipTurn, hipTilt, lean } = gait
  const left = footAt(gait, shape, gait.stance, phase)
  const right = footAt(gait, shape, -gait.stance, (phase + 0.5) % 1)
  const swing = cos(WHOLE * phase)
  const sway = sin(WHOLE * (phase + 0.02))
  const lift = cos(2 * WHOLE * (phase - height.top))
  const arm = (sign: number): ArmAngles => {
    const s = sign * cos(WHOLE * (phase - 0.03))
    return {
      raise: arms.middle + arms.swing * s,
      spread: arms.spread,
      twist: arms.twist,
      elbow: arms.elbow + arms.elbowSwing * s,
      pronation: 10,
      wrist: 8,
    }
  }
  const leg = (toes: number): LegAngles => ({ raise: 20, spread: 0, turnout: 0, knee: 30, ankle: 0, toes })
  return {
    hips: [0.016 * sway, height.mean + height.swing * lift, 0],
    // The left leg is ahead at phase 0: that hip is ahead as well, which is a turn to the right.
    lean: { forward: lean, turn: -hipTurn * swing, side: hipTilt * sin(WHOLE * (phase - 0.06)) },
    back: { forward: 0.2 * lean, turn: 1.9 * hipTurn * swing, side: -hipTilt * sin(WHOLE * (phase - 0.06)) },
    head: { forward: -lean + 0.8 * lift, turn: -0.9 * hipTurn * swing, side: 0 },
    arms: [arm(-1), arm(1)],
    legs: [leg(left.toes), leg(right.toes)],
    feet: [left.hold, right.hold],
  }
}

function hermite(a: number, va: number, b: number, vb: number, s: number): number {
  const [s2, s3] = [s * s, s * s * s]
  return (2 * s3 - 3 * s2 + 1) * a + (s3 - 2 * s2 + s) * va + (3 * s2 - 2 * s3) * b + (s3 - s2) * vb
}

/** At 1.3 m/s. */
export const WALK: Gait = {
  speed: 1.3,
  period: 1.08,
  duty: 0.62,
  strike: 0.325,
  stance: 0.075,
  pitch: [
    [0, -20],
    [0.1, 0],
    [0.34, 0],
    [0.5, 20],
    [0.62, 52],
    [0.7, 58],
    [0.83, 12],
    [0.94, -16],
  ],
  clearance: [
    [0, 0],
    [0.15, 0.036],
    [0.35, 0.05],
    [0.6, 0.04],
    [1, 0],
  ],
  height: { mean: 0.913, swing: 0.025, top: 0.31 },
  lean: 3,
  hipTurn: 6,
  hipTilt: 3.5,
  arms: { middle: 2, swing: 22, elbow: 22, elbowSwing: 10, spread: 9, twist: -8 },
}

/** At 3.4 m/s, with both feet in the air twice a cycle. */
export const RUN: Gait = {
  speed: 3.4,
  period: 0.7,
  duty: 0.33,
  strike: 0.25,
  stance: 0.05,
  pitch: [
    [0, -8],
    [0.05, 0],
    [0.12, 0],
    [0.22, 20],
    [0.33, 52],
    [0.45, 95],
    [0.62, 85],
    [0.82, 10],
    [0.94, -12],
  ],
  clearance: [
    [0, 0],
    [0.35, 0.27],
    [0.7, 0.14],
    [1, 0],
  ],
  height: { mean: 0.876, swing: 0.035, top: 0.44 },
  lean: 10,
  hipTurn: 9,
  hipTilt: 4,
  arms: { middle: -4, swing: 38, elbow: 88, elbowSwing: 14, spread: 12, twist: 4 },
}
