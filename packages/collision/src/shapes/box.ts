/** A box about the local origin, sides along the axes. */

import type { ReadonlyVec3 } from 'gl-matrix'
import { type MassProperties, solidBox } from '@tautline/core'
import { boxVolume, finiteVector } from '@tautline/core/kernel'
import { centredSolid } from './mass.js'
import { BOX, Shape } from './shape.js'
import { extent } from './points.js'

/**
 * A box.
 * @param halfExtents - half of each side [m]: `box([0.5, 0.5, 0.5])` is a cube of one metre
 */
export function box(halfExtents: ReadonlyVec3): Shape {
  const half = finiteVector('box: halfExtents', halfExtents, 3)
  const x = extent('box: halfExtents[0]', half[0])
  const y = extent('box: halfExtents[1]', half[1])
  const z = extent('box: halfExtents[2]', half[2])
  return new Shape({
    kind: BOX,
    params: Float64Array.of(x, y, z),
    bounds: Float64Array.of(-x, -y, -z, x, y, z),
    solid: solidOf,
    json: () => ({ type: 'box', halfExtents: [x, y, z] }),
  })
}

function solidOf({ params: [x, y, z] }: Shape): MassProperties {
  const size: [number, number, number] = [2 * x, 2 * y, 2 * z]
  return centredSolid(boxVolume(size), solidBox(boxVolume(size), size))
}
