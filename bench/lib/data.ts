/** What a hand-written loop works on: plain arrays of its own, copied from a world, and one function over them. */

import type { World } from '@tautline/core'
import type { Batch } from '@tautline/core/kernel'

/** Arrays that a sweep reads and writes. Strides are the product's; the arrays are not. */
export interface Data {
  /** Rows, and the length of the substep [s]. */
  rows: number
  h: number
  /** Body indices, `arity` a row. */
  arity: number
  ids: Int32Array
  /** Position and inverse mass (4), orientation (4), world inverse inertia (9), and the first two as the substep began. */
  x: Float64Array
  q: Float64Array
  inertia: Float64Array
  x0: Float64Array
  q0: Float64Array
  /** The turn that was predicted (3). */
  predicted: Float64Array
  /** The columns of the rows, by name. */
  columns: Record<string, Float64Array>
}

/** One Gauss–Seidel pass over all rows. */
export type ByHand = (data: Data) => void

/** Copies what the one batch of `world` works on. */
export function copyData(world: World, batch: Batch, h: number): Data {
  const { position, orientation, inverseInertia, startPosition, startOrientation, predictedRotation } =
    world.bodies.columns
  const { count } = world.bodies
  const columns: Record<string, Float64Array> = {}
  for (const [name, column] of Object.entries(batch.columns)) {
    columns[name] = column.slice(0, (column.length / batch.table.capacity) * batch.active)
  }
  return {
    rows: batch.active,
    h,
    arity: batch.arity,
    ids: batch.ids.slice(0, batch.arity * batch.active),
    x: position.slice(0, 4 * count),
    q: orientation.slice(0, 4 * count),
    inertia: inverseInertia.slice(0, 9 * count),
    x0: startPosition.slice(0, 4 * count),
    q0: startOrientation.slice(0, 4 * count),
    predicted: predictedRotation.slice(0, 3 * count),
    columns,
  }
}
