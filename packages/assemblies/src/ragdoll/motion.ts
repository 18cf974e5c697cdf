/** What drives a ragdoll: weights, strengths and targets by part. Numbers that change each frame, kept by snapshots as copies. */

import type { RagdollAsset } from './data.js'
import { type BonePose, restPose } from './pose.js'

/** Numbers of a part that users set. */
export const WEIGHTS = ['pin', 'muscle', 'mapping', 'strength', 'damping', 'maxTorque', 'maxLead'] as const

/** Name of one of them. */
export type WeightName = (typeof WEIGHTS)[number]

/** All that is driven. */
export interface Motion {
  /** By part: see {@link WEIGHTS}; a largest torque of NaN is the joint's own. */
  readonly weights: Readonly<Record<WeightName, Float64Array>>
  /** Share of its strength that a part has lost by hits, and the rate at which it comes back [1/s]. */
  readonly weakness: Float64Array
  readonly recovery: Float64Array
  /** How far limits are open beyond their own, six numbers a part; how far they were at first, and since when [s]. */
  readonly open: Float64Array
  readonly opened: Float64Array
  readonly openFor: Float64Array
  /** Pose that is driven to, and that bones which are no parts take over. */
  readonly target: BonePose
  /** Where that puts parts in the world, and its rates [m/s, rad/s]. */
  readonly positions: Float64Array
  readonly rotations: Float64Array
  readonly velocities: Float64Array
  readonly spins: Float64Array
  /** What each joint is driven to at the end of the step, in its own frames, and how fast that moves: seven numbers a part. */
  readonly goals: Float64Array
  /** Clock of the world when the target was set [s]; −1 without one. */
  time: number
  /** Whether joints are driven. */
  driven: boolean
  /** Share of gravity that muscles bear. */
  bears: number
}

/** Stride of goals: target (4), rate (3). */
export const GOAL = 7

/** Default natural frequency of drives [Hz]. */
export const STRENGTH = 15

/** Nothing is driven, all muscles are whole. */
export function motionOf({ parts, skeleton }: RagdollAsset): Motion {
  const n = parts.length
  const column = (value: number): Float64Array => new Float64Array(n).fill(value)
  return {
    weights: {
      pin: column(0),
      muscle: column(1),
      mapping: column(1),
      strength: column(STRENGTH),
      damping: column(1),
      maxTorque: column(NaN),
      maxLead: column(Infinity),
    },
    weakness: column(0),
    recovery: column(0),
    open: new Float64Array(6 * n),
    opened: new Float64Array(6 * n),
    openFor: new Float64Array(6 * n),
    target: restPose(skeleton),
    positions: new Float64Array(3 * n),
    rotations: new Float64Array(4 * n),
    velocities: new Float64Array(3 * n),
    spins: new Float64Array(3 * n),
    goals: new Float64Array(GOAL * n),
    time: -1,
    driven: false,
    bears: 0,
  }
}

/** Columns of a motion besides its weights. */
export const COLUMNS = [
  'weakness',
  'recovery',
  'open',
  'opened',
  'openFor',
  'positions',
  'rotations',
  'velocities',
  'spins',
  'goals',
] as const

/** A copy that does not change. */
export function copyMotion(motion: Motion): Motion {
  const { weights, target, time, driven, bears } = motion
  const copies = Object.fromEntries(COLUMNS.map((name) => [name, motion[name].slice()]))
  return {
    ...(copies as unknown as Motion),
    weights: Object.fromEntries(WEIGHTS.map((name) => [name, weights[name].slice()])) as Motion['weights'],
    target: { positions: target.positions.slice(), rotations: target.rotations.slice() },
    time,
    driven,
    bears,
  }
}

/** How many joints away a hit is felt. */
const REACH = 2

/** Takes a share of their strength off the muscles of a part, half as much of its neighbours, a quarter of theirs; it comes back in `time` [s]. */
export function weakenAround(
  { parts }: RagdollAsset,
  { weakness, recovery }: Motion,
  part: number,
  by: number,
  time: number,
): void {
  const steps = new Map([[part, 0]])
  for (let round = 1; round <= REACH; round++) {
    const reached = Array.from(steps.keys())
    parts.forEach(({ parent }, k) => {
      if (parent < 0) return
      if (reached.includes(k) && !steps.has(parent)) steps.set(parent, round)
      if (reached.includes(parent) && !steps.has(k)) steps.set(k, round)
    })
  }
  for (const [k, away] of steps) {
    weakness[k] = Math.max(weakness[k], by / (1 << away))
    recovery[k] = weakness[k] / time
  }
}
