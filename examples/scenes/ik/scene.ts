/** What a scene of poses is: a rig, a solver whose goals move frame by frame, and what to measure. No world, no time. */

import type { IkSolver, Pose, Rig } from '@tautline/ik'
import type { Figure } from '../scene.js'

/** A scene that is ready to run: `beforeFrame(i)`, then `solver.solve(pose)`, `frames` times. */
export interface PoseScene {
  readonly name: string
  readonly rig: Rig
  readonly solver: IkSolver
  readonly pose: Pose
  readonly frames: number
  beforeFrame(frame: number): void
  measure(): Readonly<Record<string, Figure>>
}

/** A scene whose input is not there. */
export interface SkippedScene {
  readonly name: string
  /** Why, in a sentence. */
  readonly skipped: string
}

/** Share of a way, from 0 to 1 without a jump of the speed, when `t` of `whole` frames are over. */
export function share(t: number, whole: number): number {
  const s = Math.min(t / whole, 1)
  return s * s * (3 - 2 * s)
}

/** Where a bone's joint is in a world pose [m]. */
export function jointAt(positions: Float64Array, bone: number): [number, number, number] {
  return [positions[3 * bone], positions[3 * bone + 1], positions[3 * bone + 2]]
}

/** Length between two points [m]. */
export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
  return Math.sqrt(x * x + y * y + z * z)
}
