/** A static surface of triangles: a level, a terrain, a thing too hollow for a hull. */

import { convexSurface } from '../detect/narrow/mesh.js'
import { knownFields, refuseNested, shown } from '@tautline/core/kernel'
import { Shape, TRIANGLE_MESH } from './shape.js'
import { buildBvh } from './bvh.js'
import { findInnerEdges } from './inner-edges.js'
import { boundsOf, flatPoints, reachOf } from './points.js'
import type { Points } from './points.js'
import { areaVector, at, length, minus, unit } from './vector.js'

/** What a mesh can be told. */
export interface TriangleMeshOptions {
  /**
   * Whether what comes from behind passes through. A closed surface pushes out to the side that faces, however deep.
   * @defaultValue `false`
   */
  oneSided?: boolean
}

/** Height over longest side below which a triangle has no area: what rounding leaves of one whose corners are on a line. */
const NO_AREA = 1e-10

/**
 * A mesh of triangles. It cannot move, and has no inside.
 *
 * Triangles without an area are left out; `shape.mesh.dropped` says how many.
 * @param vertices - [x, y, z] each, or x, y, z of all in one array [m]
 * @param triangles - three vertex indices each, counter-clockwise seen from outside
 */
export function triangleMesh(vertices: Points, triangles: ArrayLike<number>, options: TriangleMeshOptions = {}): Shape {
  knownFields('triangleMesh: options', options, ['oneSided'])
  const { oneSided = false } = options
  const points = flatPoints('triangleMesh: vertices', vertices)
  const given = checkedIndices(triangles, points.length / 3)
  if (typeof oneSided !== 'boolean') {
    throw new TypeError(`triangleMesh: oneSided must be true or false, got ${shown(oneSided)}`)
  }
  const source: number[] = []
  const kept: number[] = []
  // Only corners count for the size: a vertex of no triangle is nowhere.
  const corners: number[] = []
  for (let k = 0; k < given.length; k += 3) {
    const triangle = given.subarray(k, k + 3)
    if (!hasArea(points, triangle)) continue
    source.push(k / 3)
    for (const v of triangle) {
      kept.push(v)
      corners.push(points[3 * v], points[3 * v + 1], points[3 * v + 2])
    }
  }
  if (source.length === 0) {
    throw new RangeError(`triangleMesh: triangles must have an area, got ${given.length / 3} without`)
  }
  const indices = Int32Array.from(kept)
  const ends = Float64Array.from(corners)
  return new Shape({
    kind: TRIANGLE_MESH,
    params: new Float64Array(0),
    mesh: {
      vertices: points,
      triangles: indices,
      normals: normalsOf(points, indices),
      innerEdges: findInnerEdges(points, indices),
      oneSided,
      source: Int32Array.from(source),
      dropped: given.length / 3 - source.length,
      bvh: buildBvh(boxesOf(ends)),
    },
    bounds: boundsOf(ends),
    reach: reachOf(ends),
    contacts: convexSurface,
    json: () => ({ type: 'triangleMesh', vertices: Array.from(points), triangles: Array.from(given), oneSided }),
  })
}

function checkedIndices(triangles: ArrayLike<number>, vertexCount: number): Int32Array {
  const where = 'triangleMesh: triangles'
  if (typeof triangles !== 'object' || typeof triangles?.length !== 'number') {
    throw new TypeError(`${where} must be an array of vertex indices, got ${shown(triangles)}`)
  }
  refuseNested(where, triangles)
  if (triangles.length === 0 || triangles.length % 3 !== 0) {
    throw new RangeError(`${where} must be 3 vertex indices each, at least once, got ${triangles.length}`)
  }
  for (let k = 0; k < triangles.length; k++) {
    const index = triangles[k]
    if (Number.isInteger(index) && index >= 0 && index < vertexCount) continue
    throw new RangeError(`${where}[${k}] must be a vertex index from 0 to ${vertexCount - 1}, got ${shown(index)}`)
  }
  return Int32Array.from(triangles)
}

/** Written so that a NaN, from numbers too large to multiply, is refused as well. */
function hasArea(points: Float64Array, corners: Int32Array): boolean {
  const [a, b, c] = [at(points, corners[0]), at(points, corners[1]), at(points, corners[2])]
  const longest = Math.max(length(minus(b, a)), length(minus(c, b)), length(minus(a, c)))
  return length(areaVector(points, corners)) > NO_AREA * longest * longest
}

function normalsOf(points: Float64Array, triangles: Int32Array): Float64Array {
  const normals = new Float64Array(triangles.length)
  for (let k = 0; k < triangles.length; k += 3) {
    normals.set(unit(areaVector(points, triangles.subarray(k, k + 3))), k)
  }
  return normals
}

/** A box around every nine numbers. */
function boxesOf(corners: Float64Array): Float64Array {
  const boxes = new Float64Array((6 * corners.length) / 9)
  for (let t = 0; 9 * t < corners.length; t++) boxes.set(boundsOf(corners.subarray(9 * t, 9 * t + 9)), 6 * t)
  return boxes
}
