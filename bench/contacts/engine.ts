/** What an engine has to offer to be measured. */

import type { SceneData } from './scenes.js'

/** Tautline's settings; the others run with their own. */
export interface Settings {
  readonly substeps: number
  readonly iterations: number
}

export interface Engine {
  readonly name: string
  /** Precision, SIMD, settings, and how it makes do with shapes that it lacks. */
  readonly note: string
  /** Compiles and starts it. */
  load(settings: Settings): Promise<void>
  /** Makes the scene, without sleeping. */
  setup(scene: SceneData): void
  step(dt: number): void
  /** Pose of body `i` of the scene: x, y, z, then the quaternion x, y, z, w. */
  pose(i: number, out: Float64Array): void
}
