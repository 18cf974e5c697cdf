/** Shapes from plain data. */

import { knownFields, object, oneOf, shown } from '@tautline/core/kernel'
import type { Shape, ShapeJson } from './shape.js'
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

/** Fields by type. */
const FIELDS: Readonly<Record<(typeof TYPES)[number], readonly string[]>> = {
  sphere: ['radius'],
  capsule: ['radius', 'halfHeight'],
  taperedCapsule: ['radiusTop', 'radiusBottom', 'halfHeight'],
  box: ['halfExtents'],
  cylinder: ['radius', 'halfHeight'],
  convexHull: ['points'],
  plane: ['normal', 'offset'],
  heightfield: ['heights', 'columns', 'rows', 'cellX', 'cellZ'],
  triangleMesh: ['vertices', 'triangles', 'oneSided'],
  compound: ['parts'],
}

const PART = ['shape', 'position', 'orientation']

/** Most compounds inside each other. `shape.toJSON()` writes one. */
const DEEPEST = 32

/** The shape that `shape.toJSON()` wrote, to the last bit. */
export function shapeFromJSON(json: ShapeJson): Shape {
  return read(json, 0)
}

function read(json: unknown, depth: number): Shape {
  if (depth > DEEPEST) throw new RangeError(`shapeFromJSON: compounds must be at most ${DEEPEST} deep, got deeper`)
  const given = object('shapeFromJSON: shape', json)
  const type = oneOf('shapeFromJSON: type', given['type'] as (typeof TYPES)[number], TYPES)
  const data = knownFields(`shapeFromJSON: ${type}`, json, ['type', ...FIELDS[type]]) as unknown as Fields
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
      if (!Array.isArray(parts)) throw new TypeError(`shapeFromJSON: parts must be an array, got ${shown(parts)}`)
      return compound(
        parts.map((part, k) => {
          const { shape, ...at } = knownFields(`shapeFromJSON: parts[${k}]`, part, PART) as unknown as (typeof parts)[0]
          return { ...at, shape: read(shape, depth + 1) }
        }),
      )
    }
  }
}
