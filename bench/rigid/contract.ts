/** What an engine has to offer to be measured on bodies. */

import type { SceneData } from './data.js'

/** A snapshot of an engine's world. */
export interface Saved {
  /** Size of what is kept; `null` where that is not told. */
  bytes(): number | null
  /** Goes back to it. */
  restore(): void
}

export interface RigidEngine {
  readonly name: string
  /** Precision, SIMD, settings, what `work` means, and how it makes do with what it lacks. */
  note(work: number): string
  /** Compiles and starts it. */
  load(): Promise<void>
  /** Makes the scene, without sleeping. */
  setup(scene: SceneData, work: number): void
  step(dt: number): void
  /** Frame of the shape of body `i` of the scene: x, y, z, then the quaternion x, y, z, w. */
  pose(i: number, out: Float64Array): void
  /** Hash of the state, where there is one. */
  hash?(): string
  /** Takes a snapshot, where it can. */
  snapshot?(): Saved
}
