/** Shapes to test with. */

import { box } from '../../src/shapes/box.js'
import { capsule } from '../../src/shapes/capsule.js'
import { compound } from '../../src/shapes/compound.js'
import { convexHull } from '../../src/shapes/convex-hull.js'
import { cylinder } from '../../src/shapes/cylinder.js'
import { heightfield } from '../../src/shapes/heightfield.js'
import { plane } from '../../src/shapes/plane.js'
import { sphere } from '../../src/shapes/sphere.js'
import { taperedCapsule } from '../../src/shapes/tapered-capsule.js'
import { triangleMesh } from '../../src/shapes/triangle-mesh.js'
import { Shape, type ShapeName, TRIANGLE } from '../../src/shapes/shape.js'
import type { Random } from '../../../core/test/support/random.js'

/** All that is data of a shape: what two that are equal have in common. */
export function data(shape: Shape): unknown {
  const { children, ...rest } = shape
  return {
    ...rest,
    json: shape.toJSON(),
    children: children?.map((child) => ({ ...child, shape: data(child.shape) })),
  }
}

/** One triangle, as the narrow phase sees it. */
export function triangle(corners: ArrayLike<number>): Shape {
  return new Shape({
    kind: TRIANGLE,
    params: Float64Array.from(corners),
    bounds: new Float64Array(6),
    json: () => ({ type: 'triangle' }),
  })
}

/** The corner points of a shape's own frame, some centimetres to metres apart. */
function cloud(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => [...random.direction()].map((x) => random.between(0.5, 2) * x)).flat()
}

/** A random shape of each convex kind. */
export const CONVEX: Partial<Record<ShapeName, (random: Random) => Shape>> = {
  sphere: (random) => sphere(random.between(0.1, 2)),
  capsule: (random) => capsule(random.between(0.1, 1), random.between(0.1, 1)),
  taperedCapsule: (random) => {
    const h = random.between(0.1, 1)
    const r = random.between(0.1, 1)
    const other = Math.max(0.01, r + random.between(-1.9, 1.9) * h)
    return random.chance(0.5) ? taperedCapsule(r, other, h) : taperedCapsule(other, r, h)
  },
  box: (random) => box([random.between(0.1, 1), random.between(0.1, 1), random.between(0.1, 1)]),
  cylinder: (random) => cylinder(random.between(0.1, 1), random.between(0.1, 1)),
  convexHull: (random) => convexHull(cloud(random, 4 + random.below(100))),
  triangle: (random) => triangle(cloud(random, 3)),
}

/** Corners of `count` triangles among `vertices`: some have a corner twice, one at least does not. */
function triangles(random: Random, vertices: number, count: number): number[] {
  const corners = Array.from({ length: 3 * count }, () => random.below(vertices))
  const isTriangle = (_: number, k: number): boolean => k % 3 === 0 && new Set(corners.slice(k, k + 3)).size === 3
  if (!corners.some(isTriangle)) corners.splice(0, 3, 0, 1, 2)
  return corners
}

/** A random shape of each kind that a user can make. */
export const ALL: Partial<Record<ShapeName, (random: Random) => Shape>> = {
  ...CONVEX,
  plane: (random) => plane(random.direction(), random.between(-1, 1)),
  heightfield: (random) =>
    heightfield({
      heights: Array.from({ length: 42 }, (_, k) => (k > 0 && random.chance(0.1) ? null : random.between(-1, 1))),
      columns: 7,
      rows: 6,
      cellX: random.between(0.1, 1),
      cellZ: random.between(0.1, 1),
    }),
  triangleMesh: (random) =>
    triangleMesh(cloud(random, 10), triangles(random, 10, 10), { oneSided: random.chance(0.5) }),
  compound: (random) => {
    const part = (): Shape => {
      const kinds = ['sphere', 'capsule', 'taperedCapsule', 'box', 'cylinder', 'convexHull'] as const
      return CONVEX[kinds[random.below(kinds.length)]]!(random)
    }
    const inner = compound([
      { shape: part(), position: random.vector(), orientation: random.rotation() },
      { shape: part() },
    ])
    return compound([
      { shape: inner, position: random.vector(), orientation: random.rotation() },
      { shape: part(), orientation: random.rotation() },
      { shape: part(), position: random.vector() },
    ])
  },
}
delete ALL.triangle

/** Samples of a convex shape's surface, three numbers each, without the help of its support function. */
export function surfaceSamples(shape: Shape, random: Random, count: number): number[] {
  return Array.from({ length: count }, () => surfacePoint(shape, random)).flat()
}

function surfacePoint({ name, params: p, hull }: Shape, random: Random): number[] {
  const [x, y, z] = random.direction()
  switch (name) {
    case 'sphere':
      return [p[0] * x, p[0] * y, p[0] * z]
    case 'capsule':
      return [p[0] * x, random.between(-p[1], p[1]) + p[0] * y, p[0] * z]
    case 'taperedCapsule': {
      // A ball between the two: what lies between two points of them, in the same share for centres and radii.
      const t = random.chance(0.5) ? random.next() : random.below(2)
      const r = p[1] + t * (p[0] - p[1])
      return [r * x, (2 * t - 1) * p[2] + r * y, r * z]
    }
    case 'box':
      return [random.between(-p[0], p[0]), random.between(-p[1], p[1]), random.between(-p[2], p[2])].map((c, k) =>
        random.chance(0.5) ? Math.sign(c) * p[k] : c,
      )
    case 'cylinder': {
      const radial = Math.sqrt(x * x + z * z)
      const r = random.chance(0.5) ? p[0] : p[0] * random.next()
      return [(r * x) / radial, random.chance(0.5) ? p[1] : -p[1], (r * z) / radial]
    }
    case 'convexHull':
    case 'triangle': {
      const vertices = hull === null ? p : hull.vertices
      const k = 3 * random.below(vertices.length / 3)
      return Array.from(vertices.subarray(k, k + 3))
    }
    case 'plane':
    case 'heightfield':
    case 'triangleMesh':
    case 'compound':
      throw new Error(`a ${name} is not convex`)
  }
}
