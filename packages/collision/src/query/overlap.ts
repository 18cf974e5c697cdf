/** Whether two shapes have a point in common. */

import { writeBounds } from '../shapes/bounds.js'
import { distanceInOrder } from '../detect/narrow/convex-pair.js'
import { composeTransforms, relativeTransform } from '../detect/narrow/relative.js'
import type { Shape } from '../shapes/shape.js'
import { FACET, FACETS, findFacets, hasFacets, placeFacet } from './facets.js'

const partA = /* @__PURE__ */ new Float64Array(12)
const partB = /* @__PURE__ */ new Float64Array(12)
const relative = /* @__PURE__ */ new Float64Array(12)
const box = /* @__PURE__ */ new Float64Array(6)

/**
 * Whether shape a, convex or a compound, at transform A[ao…] and any shape b at B[bo…] overlap or touch. Surfaces without an
 * inside, meshes and heightfields, are met where a touches a triangle, from either side.
 */
export function overlapShapes(a: Shape, A: Float64Array, ao: number, b: Shape, B: Float64Array, bo: number): boolean {
  if (a.children !== null) {
    for (const { shape, transform } of a.children) {
      composeTransforms(A, ao, transform, 0, partA)
      if (overlapsConvex(shape, partA, 0, b, B, bo)) return true
    }
    return false
  }
  return overlapsConvex(a, A, ao, b, B, bo)
}

function overlapsConvex(a: Shape, A: Float64Array, ao: number, b: Shape, B: Float64Array, bo: number): boolean {
  if (b.children !== null) {
    for (const { shape, transform } of b.children) {
      composeTransforms(B, bo, transform, 0, partB)
      if (touches(a, A, ao, shape, partB, 0)) return true
    }
    return false
  }
  if (!hasFacets(b)) return touches(a, A, ao, b, B, bo)
  relativeTransform(B, bo, A, ao, relative)
  writeBounds(a, relative, 0, box, 0)
  findFacets(b, box)
  for (let k = 0; k < FACETS.count; k++) {
    placeFacet(b, FACETS.items[k], B, bo, partB)
    if (touches(a, A, ao, FACET, partB, 0)) return true
  }
  return false
}

/** Two convex shapes, or one and a plane. */
function touches(a: Shape, A: Float64Array, ao: number, b: Shape, B: Float64Array, bo: number): boolean {
  const distance =
    a.kind <= b.kind
      ? distanceInOrder(a, b, relativeTransform(A, ao, B, bo, relative), 0)
      : distanceInOrder(b, a, relativeTransform(B, bo, A, ao, relative), 0)
  return distance <= 0
}
