/** What is asked of an engine to stand beside the others. */

import type { SceneData } from '../../../../bench/rigid/data.js'

/** What is asked of an engine: what `bench` measures them by. */
export interface Engine {
  load(): Promise<void>
  /** Makes a scene in place of the one before. */
  setup(scene: SceneData, work: number): void
  step(dt: number): void
  /** Position and quaternion of a body. */
  pose(i: number, out: Float64Array): void
}
