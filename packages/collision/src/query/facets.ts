/** Meshes and heightfields as queries see them: one triangle after the other, each a convex shape. */

import { IntList } from '../broad/int-list.js'
import { Shape, TRIANGLE } from '../shape.js'
import { queryBvh } from '../shapes/bvh.js'
import { heightfieldTriangles, writeHeightfieldTriangle } from '../shapes/heightfield.js'
import { writeMeshTriangle } from '../shapes/mesh-data.js'

/** The triangle that `writeFacet` wrote last, in the frame of its shape. */
export const FACET: Shape = /* @__PURE__ */ new Shape({
  kind: TRIANGLE,
  params: /* @__PURE__ */ new Float64Array(9),
  bounds: /* @__PURE__ */ new Float64Array(6),
  json: () => ({ type: 'triangle' }),
})

/** What `findFacets` found, ascending. */
export const FACETS: IntList = /* @__PURE__ */ new IntList()

/** Whether a shape is made of triangles. */
export function hasFacets(shape: Shape): boolean {
  return shape.mesh !== null || shape.heightfield !== null
}

/** Fills `FACETS` with the triangles that a box in the frame of the shape may touch. */
export function findFacets(shape: Shape, box: Float64Array): void {
  if (shape.mesh !== null) queryBvh(shape.mesh.bvh, box, 0, FACETS)
  else heightfieldTriangles(shape.heightfield!, box, 0, FACETS)
}

/** Makes `FACET` the triangle of that number. */
export function writeFacet(shape: Shape, triangle: number): void {
  if (shape.mesh !== null) writeMeshTriangle(shape.mesh, triangle, FACET.params, 0)
  else writeHeightfieldTriangle(shape.heightfield!, triangle, FACET.params, 0)
}

/** The number by which a user knows a triangle: that in the list which the mesh was made of. */
export function facetName(shape: Shape, triangle: number): number {
  return shape.mesh !== null ? shape.mesh.source[triangle] : triangle
}

/** Whether a triangle is of a one-sided mesh and is met from behind by what comes along d, in the frame of the shape. */
export function isPassed(shape: Shape, triangle: number, d: Float64Array): boolean {
  const { mesh } = shape
  if (mesh === null || !mesh.oneSided) return false
  const { normals } = mesh
  const o = 3 * triangle
  return normals[o] * d[0] + normals[o + 1] * d[1] + normals[o + 2] * d[2] > 0
}
