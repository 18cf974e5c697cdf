/** What an engine has to offer to hang a cloth. */

import type { ClothChoice } from '../../examples/scenes/trees/cloth.js'

export interface Settings {
  /** Tautline's substeps, one sweep each; another engine's iterations, one step. */
  readonly work: number
  /** Drag of the air [1/s] */
  readonly drag: number
}

export interface ClothEngine {
  readonly name: string
  /** Precision, SIMD, what `work` means. */
  readonly note: string
  load(): Promise<void>
  /** Makes the cloth under gravity, without sleeping. */
  setup(cloth: ClothChoice, settings: Settings): void
  step(dt: number): void
  /** x, y, z of each vertex. */
  positions(out: Float64Array): void
}
