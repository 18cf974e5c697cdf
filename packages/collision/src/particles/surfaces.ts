/** What loops over contacts of particles know besides their rows. */

import type { BodyColumns } from '@tautline/core/kernel'
import type { Shape } from '../shapes/shape.js'
import type { Pressed } from './pressed.js'

/** What the loops know of colliders, by number: `batch.plan`. */
export interface Surfaces {
  /** The shape of a collider. */
  shapeOf(id: number): Shape
  /** Where it stands on its body: shape to body. */
  localOf(id: number): Float64Array
  /** Who is pressed on what does not give way, from each sweep on. */
  readonly pressed: Pressed
  /** Bodies that are shared out while nets are swept. */
  backing?: { handOver(bodies: BodyColumns): void }
}
