/** Meshes and heightfields as queries see them: one triangle after the other, each a convex shape. */

import { IntList } from '../detect/broad/int-list.js'
import { Shape, TRIANGLE } from '../shapes/shape.js'
import { queryBvh } from '../shapes/bvh.js'
import { heightfieldTriangles, writeHeightfieldTriangle } from '../shapes/heightfield-data.js'
import { writeMeshTriangle } from '../shapes/mesh-data.js'

/** The triangle that `placeFacet` placed last, about its own middle, where the narrow phase wants the origin of a shape. */
export const FACET: Shape = /* @__PURE__ */ new Shape({
  kind: TRIANGLE,
  params: /* @__PURE__ */ new Float64Array(9),
  bounds: /* @__PURE__ */ new Float64Array(6),
  json: () => ({ type: 'triangle' }),
})

/** Its box in the frame of the surface (6). */
export const FACET_BOX: Float64Array = /* @__PURE__ */ new Float64Array(6)

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

/** Makes `FACET` the triangle of that number of a surface at transform B, and writes where it stands to `out`. */
export function placeFacet(shape: Shape, triangle: number, B: Float64Array, bo: number, out: Float64Array): void {
  const p = FACET.params
  if (shape.mesh !== null) writeMeshTriangle(shape.mesh, triangle, p, 0)
  else writeHeightfieldTriangle(shape.heightfield!, triangle, p, 0)
  for (let k = 0; k < 12; k++) out[k] = B[bo + k]
  for (let k = 0; k < 3; k++) {
    FACET_BOX[k] = Math.min(p[k], p[3 + k], p[6 + k])
    FACET_BOX[3 + k] = Math.max(p[k], p[3 + k], p[6 + k])
    const middle = (p[k] + p[3 + k] + p[6 + k]) / 3
    for (let i = 0; i < 3; i++) {
      p[3 * i + k] -= middle
      out[i] += B[bo + 3 + 3 * i + k] * middle
    }
  }
}

/** Distance of the farthest corner of `FACET` from its middle. */
export function facetReach(): number {
  const p = FACET.params
  let square = 0
  for (let i = 0; i < 9; i += 3) square = Math.max(square, p[i] * p[i] + p[i + 1] * p[i + 1] + p[i + 2] * p[i + 2])
  return Math.sqrt(square)
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
