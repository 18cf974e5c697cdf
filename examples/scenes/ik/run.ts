/** Runs a scene of poses and gathers its figures. */

import type { Figure } from '../scene.js'
import type { PoseScene } from './scene.js'

/** What a run found. */
export interface PoseResult {
  readonly scene: string
  readonly bones: number
  readonly goals: number
  readonly frames: number
  /** Frames that ended without all goals met. */
  readonly unmet: number
  /** Iterations of a frame. */
  readonly iterations: { readonly mean: number; readonly most: number }
  /** Largest error of a goal over the run [m], [rad]. */
  readonly worstError: { readonly linear: number; readonly angular: number }
  /** Farthest outside its limits that a joint ever was [rad or m]. */
  readonly violation: number
  /** Median over the run, of `solver.solve` alone [ms]. */
  readonly msPerSolve: number
  /** The scene's own, at the end. */
  readonly figures: Readonly<Record<string, Figure>>
  /** Of the pose at the end. */
  readonly hash: string
}

export interface PoseRunOptions {
  /** @defaultValue the scene's */
  readonly frames?: number
  /** Called after each frame with the number of frames made. */
  readonly onFrame?: (made: number, frames: number) => void
}

/** Runs the scene from where it is: each frame from the pose of the one before. */
export function runPoseScene(scene: PoseScene, options: PoseRunOptions = {}): PoseResult {
  const { solver, pose, rig } = scene
  const frames = options.frames ?? scene.frames
  const milliseconds: number[] = []
  let [unmet, sum, most, linear, angular, violation] = [0, 0, 0, 0, 0, 0]
  for (let frame = 0; frame < frames; frame++) {
    scene.beforeFrame(frame)
    const before = performance.now()
    const { status, iterations } = solver.solve(pose)
    milliseconds.push(performance.now() - before)
    if (status !== 'converged') unmet++
    sum += iterations
    most = Math.max(most, iterations)
    violation = Math.max(violation, solver.violation(pose))
    for (const { isLength, error } of solver.goals) {
      if (isLength) linear = Math.max(linear, error)
      else angular = Math.max(angular, error)
    }
    options.onFrame?.(frame + 1, frames)
  }
  return {
    scene: scene.name,
    bones: rig.count,
    goals: solver.goals.length,
    frames,
    unmet,
    iterations: { mean: sum / frames, most },
    worstError: { linear, angular },
    violation,
    msPerSolve: milliseconds.sort((r, s) => r - s)[Math.floor(milliseconds.length / 2)],
    figures: scene.measure(),
    hash: hashOf(pose.rotations, pose.positions),
  }
}

/** Whether every number of a result is one. */
export function isFinitePose({ worstError, violation, figures }: PoseResult): boolean {
  const own = Object.values(figures).map(({ value }) => value)
  return [worstError.linear, worstError.angular, violation, ...own].every(Number.isFinite)
}

/** FNV-1a of the bytes (Fowler, Noll and Vo), 32 bits. */
function hashOf(...arrays: Float64Array[]): string {
  let hash = 0x811c9dc5
  for (const array of arrays) {
    for (const byte of new Uint8Array(array.slice().buffer)) hash = Math.imul(hash ^ byte, 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
