/** Shapes from plain data. */

import { oneOf } from '@tautline/core'
import type { Shape, ShapeJson } from '../shape.js'
import { box } from './box.js'
import { capsule } from './capsule.js'
import { compound } from './compound.js'
import type { Part } from './compound.js'
import { convexHull } from './convex-hull.js'
import { cylinder } from './cylinder.js'
import { heightfield } from './heightfield.js'
import type { HeightfieldDef } from './heightfield.js'
import { plane } from './plane.js'
import { sphere } from './sphere.js'
import { taperedCapsule } from './tapered-capsule.js'
import { triangleMesh } from './triangle-mesh.js'

/** All that a user can make. */
const TYPES = [
  'sphere',
  'capsule',
  'taperedCapsule',
  'box',
  'cylinder',
  'convexHull',
  'plane',
  'heightfield',
  'triangleMesh',
  'compound',
] as const

/** The fields of all kinds; what is missing or wrong is found by the functions that they are handed to. */
interface Fields extends HeightfieldDef {
  radius: number
  radiusTop: number
  radiusBottom: number
  halfHeight: number
  halfExtents: [number, number, number]
  normal: [number, number, number]
  offset: number
  points: number[]
  vertices: number[]
  triangles: number[]
  oneSided: boolean
  parts: (Omit<Part, 'shape'> & { shape: ShapeJson })[]
}

/** The shape that `shape.toJSON()` wrote, to the last bit. */
export function shapeFromJSON(json: ShapeJson): Shape {
  const data = Object(json) as Fields
  const type = oneOf('shapeFromJSON: type', (data as unknown as ShapeJson).type, TYPES)
  switch (type) {
    case 'sphere':
      return sphere(data.radius)
    case 'capsule':
      return capsule(data.radius, data.halfHeight)
    case 'taperedCapsule':
      return taperedCapsule(data.radiusTop, data.radiusBottom, data.halfHeight)
    case 'box':
      return box(data.halfExtents)
    case 'cylinder':
      return cylinder(data.radius, data.halfHeight)
    case 'convexHull':
      return convexHull(data.points)
    case 'plane':
      return plane(data.normal, data.offset)
    case 'heightfield':
      return heightfield(data)
    case 'triangleMesh':
      return triangleMesh(data.vertices, data.triangles, { oneSided: data.oneSided })
    case 'compound': {
      const { parts } = data
      if (!Array.isArray(parts)) throw new TypeError(`shapeFromJSON: parts must be an array, got ${typeof parts}`)
      return compound(parts.map((part) => ({ ...part, shape: shapeFromJSON(part.shape) })))
    }
  }
}
