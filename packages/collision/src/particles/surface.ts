/**
 * Distance of a point to the surface of a collider, as particles see it: closed forms of the convex kinds, and single triangles of meshes and
 * heightfields, each of which knows where it leaves a contact to its neighbours.
 */

import { APART, NEAREST, nearestOfShape, nearestOfTriangle } from '../detect/narrow/point.js'
import { composeTransforms } from '../detect/narrow/relative.js'
import { BEHIND } from '../shapes/inner-edges.js'
import { writeHeightfieldTriangle } from '../shapes/heightfield-data.js'
import { writeMeshTriangle } from '../shapes/mesh-data.js'
import type { Shape } from '../shapes/shape.js'

/** The point that is looked at, in the frame of the shape. */
export const AT: Float64Array = /* @__PURE__ */ new Float64Array(3)
/** What `measureSurface` finds: the distance [m], and 1 where another triangle has the contact. */
export const FOUND: Float64Array = /* @__PURE__ */ new Float64Array(2)
export const DISTANCE = 0
export const ELSEWHERE = 1

/** Cosine of the angle to a triangle's normal up to which a contact is one of its face. */
const UPRIGHT = 1 - 1e-9
/** How near, as a share of the squared side, the nearest point has to be to an edge to lie on it. */
const ON_EDGE = 1e-18
const EDGES = 7

const corners = /* @__PURE__ */ new Float64Array(9)

/** Where part `sub` of a collider is: a child of a compound, or the collider itself; `T` at `o`, into `out`. */
export function placePart(shape: Shape, sub: number, T: Float64Array, o: number, out: Float64Array): void {
  if (shape.children !== null) composeTransforms(T, o, shape.children[sub].transform, 0, out)
  else for (let k = 0; k < 12; k++) out[k] = T[o + k]
}

/** Part `sub` of a shape. */
export function partOf(shape: Shape, sub: number): Shape {
  return shape.children !== null ? shape.children[sub].shape : shape
}

/** A point at x[p…] in the frame T[o…], into `AT`. */
export function localise(M: Float64Array, o: number, x: Float64Array, p: number): void {
  const dx = x[p] - M[o]
  const dy = x[p + 1] - M[o + 1]
  const dz = x[p + 2] - M[o + 2]
  for (let k = 0; k < 3; k++) AT[k] = M[o + 3 + k] * dx + M[o + 6 + k] * dy + M[o + 9 + k] * dz
}

/** Signed distance of `AT` to a convex shape, or distance to triangle `sub`, into `FOUND`; `NEAREST` has the point and the normal there. */
export function measureSurface(shape: Shape, sub: number): void {
  FOUND[ELSEWHERE] = 0
  if (shape.mesh === null && shape.heightfield === null) {
    nearestOfShape(shape, AT)
    FOUND[DISTANCE] = APART[0]
    return
  }
  if (shape.mesh !== null) writeMeshTriangle(shape.mesh, sub, corners, 0)
  else writeHeightfieldTriangle(shape.heightfield!, sub, corners, 0)
  nearestOfTriangle(AT, corners, 0, 3, 6)
  FOUND[DISTANCE] = APART[0]
  const ux = corners[3] - corners[0]
  const uy = corners[4] - corners[1]
  const uz = corners[5] - corners[2]
  const vx = corners[6] - corners[0]
  const vy = corners[7] - corners[1]
  const vz = corners[8] - corners[2]
  let nx = uy * vz - uz * vy
  let ny = uz * vx - ux * vz
  let nz = ux * vy - uy * vx
  const area = Math.sqrt(nx * nx + ny * ny + nz * nz)
  nx /= area
  ny /= area
  nz /= area
  const upright = nx * NEAREST[3] + ny * NEAREST[4] + nz * NEAREST[5]
  const { mesh, heightfield } = shape
  if (mesh !== null && mesh.oneSided && upright < 0) {
    FOUND[ELSEWHERE] = 1
    return
  }
  if (upright > UPRIGHT || upright < -UPRIGHT) return
  const all = mesh === null ? heightfield!.innerEdges[sub] : mesh.innerEdges[sub]
  const inner = (upright < 0 ? Math.floor(all / BEHIND) : all) & EDGES
  for (let edge = 0; edge < 3; edge++) {
    if ((inner >> edge) & 1 && leansOver(3 * edge, 3 * ((edge + 1) % 3), nx, ny, nz)) {
      FOUND[ELSEWHERE] = 1
      return
    }
  }
}

/** Whether the nearest point lies on the edge from corner a to b, and the normal there leans beyond it; n is that of the triangle. */
function leansOver(a: number, b: number, nx: number, ny: number, nz: number): boolean {
  const ex = corners[b] - corners[a]
  const ey = corners[b + 1] - corners[a + 1]
  const ez = corners[b + 2] - corners[a + 2]
  // Out of the triangle, in its plane: e × n.
  const mx = ey * nz - ez * ny
  const my = ez * nx - ex * nz
  const mz = ex * ny - ey * nx
  if (NEAREST[3] * mx + NEAREST[4] * my + NEAREST[5] * mz <= 0) return false
  const px = NEAREST[0] - corners[a]
  const py = NEAREST[1] - corners[a + 1]
  const pz = NEAREST[2] - corners[a + 2]
  const square = ex * ex + ey * ey + ez * ez
  const off = px * mx + py * my + pz * mz
  return off * off <= ON_EDGE * square * square
}
