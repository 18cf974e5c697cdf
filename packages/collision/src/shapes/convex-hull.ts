/**
 * Convex hull of points: triangles from `quickhull`, put together into polygons by `mergeFaces`.
 *
 * Both leave out what is within a tolerance. It follows from the size of the whole: points that came from a mesh in
 * float32 and were turned there are off their faces by some 1e-7 of it. A box with such corners gets its six faces.
 */

import { closedMesh, type MassProperties } from '@tautline/core'
import { convexPair } from '../detect/narrow/convex-pair.js'
import { CONVEX_HULL, Shape } from './shape.js'
import { hullData } from './hull-data.js'
import type { HullData } from './hull-data.js'
import { mergeFaces } from './merge-faces.js'
import { boundsOf, extentOf, flatPoints, reachOf } from './points.js'
import type { Points } from './points.js'
import { quickhull } from './quickhull.js'
import { at } from './vector.js'

/**
 * Share of the longest side of the box around all points within which points count as on a face: coordinates in float32
 * are off by 3e-8 of that side, and four corners of a face that was turned add up to a few times as much.
 */
const TOLERANCE = 2e-7

/**
 * The convex hull of points.
 *
 * Points within 2e-7 of its size of the hull of the others are left out.
 * @param points - [x, y, z] each, or x, y, z of all in one array [m]; at least four that span a volume, in any order
 */
export function convexHull(points: Points): Shape {
  const where = 'convexHull: points'
  let vertices = flatPoints(where, points)
  if (vertices.length < 12) throw new RangeError(`${where} must be at least 4, got ${vertices.length / 3}`)
  let hull = build(where, vertices)
  // Until nothing more is left out: the hull of these vertices is then this hull to the last bit, also when read from JSON.
  while (hull.vertices.length < vertices.length) {
    vertices = hull.vertices
    hull = build(where, vertices)
  }
  return new Shape({
    kind: CONVEX_HULL,
    params: new Float64Array(0),
    hull,
    bounds: boundsOf(vertices),
    reach: reachOf(vertices),
    contacts: convexPair,
    solid: solidOf,
    json: () => ({ type: 'convexHull', points: Array.from(vertices) }),
  })
}

function build(where: string, points: Float64Array): HullData {
  const tolerance = TOLERANCE * extentOf(boundsOf(points))
  const faces = mergeFaces(points, quickhull(where, points, tolerance), tolerance)
  // Vertices keep the order in which they were given.
  const used = [...new Set(faces.flat())].sort((i, j) => i - j)
  const number = new Map(used.map((point, vertex) => [point, vertex]))
  const vertices = Float64Array.from(used.flatMap((point) => [...at(points, point)]))
  const renumbered = faces.map((face) => face.map((point) => number.get(point)!))
  return hullData(vertices, renumbered)
}

/** Each face as a fan. */
function trianglesOf({ faceStart, faceVertices }: HullData): number[] {
  const triangles: number[] = []
  for (let f = 0; f + 1 < faceStart.length; f++) {
    for (let k = faceStart[f] + 1; k + 1 < faceStart[f + 1]; k++) {
      triangles.push(faceVertices[faceStart[f]], faceVertices[k], faceVertices[k + 1])
    }
  }
  return triangles
}

function solidOf({ hull }: Shape): MassProperties {
  return closedMesh(hull!.vertices, trianglesOf(hull!), { density: 1 })
}
