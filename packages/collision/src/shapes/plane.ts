/** A half space: all that lies behind a plane is solid. */

import type { ReadonlyVec3 } from 'gl-matrix'
import { finite, unitVector } from '@tautline/core/kernel'
import { PLANE, Shape } from './shape.js'

/**
 * A half space, for floors and walls without end. It cannot move.
 * @param normal - out of the solid side; any length
 * @param offset - distance of the surface from the local origin along `normal` [m]
 * @defaultValue offset `0`
 */
export function plane(normal: ReadonlyVec3, offset: number = 0): Shape {
  const [x, y, z] = unitVector('plane: normal', normal)
  const d = finite('plane: offset', offset)
  return new Shape({
    kind: PLANE,
    params: Float64Array.of(x, y, z, d),
    bounds: Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity),
    json: () => ({ type: 'plane', normal: [x, y, z], offset: d }),
  })
}
