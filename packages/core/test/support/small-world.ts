/** A small random world and how it is run: what tests of several packages compare two ways of stepping by. */

import type { World } from '../../src/index.js'

export interface SmallWorld {
  readonly world: World
  readonly steps: number
  /** Length of a step [s]. */
  readonly dt: number
}

/** Makes a world, the same one each time. */
export type MakeSmallWorld = () => SmallWorld
