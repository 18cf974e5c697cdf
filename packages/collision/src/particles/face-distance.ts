/** Distance of a triangle of particles, or of an edge, to a part of a collider: by cores, so that what is round is told exactly. */

import { CLOSEST } from '../detect/narrow/closest-pair.js'
import { coreRadius } from '../detect/narrow/core.js'
import { gjk } from '../detect/narrow/gjk.js'
import { Shape as ShapeClass, type Shape, TRIANGLE } from '../shapes/shape.js'
import { writeHeightfieldTriangle } from '../shapes/heightfield-data.js'
import { writeMeshTriangle } from '../shapes/mesh-data.js'

/** Share of the squared distance by which the bounds may differ: a curved core is approached. */
const EXACT = 1e-12
/** Area, as a share of the square of the sides, below which a triangle is a line. */
const FLAT = 1e-12

/** Corners of the face that is looked at, in the frame of the part. */
export const FACE: Float64Array = /* @__PURE__ */ new Float64Array(9)
/** What `measureFace` finds: unit normal from the shape to the face, the nearest point of the shape, and the shares of the corners in that of the face. */
export const FACE_FOUND: Float64Array = /* @__PURE__ */ new Float64Array(9)
const FACE_APART = /* @__PURE__ */ new Float64Array(1)
const NORMAL = 0
const POINT = 3
const SHARES = 6

const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)

function triangleOf(params: Float64Array): Shape {
  return new ShapeClass({
    kind: TRIANGLE,
    params,
    bounds: new Float64Array(6),
    reach: Infinity,
    json: () => ({ type: 'triangle' }),
  })
}
const face = /* @__PURE__ */ triangleOf(FACE)
const surface = /* @__PURE__ */ triangleOf(/* @__PURE__ */ new Float64Array(9))

/** Distance of `FACE` to part `sub` of a shape [m], the rest into `FACE_FOUND`: 0 where the face is within it. */
export function measureFace(shape: Shape, sub: number): number {
  findNearest(shape, sub)
  return FACE_APART[0]
}

/** Finds it, the distance into `FACE_APART`: what the function returned would be boxed. */
function findNearest(shape: Shape, sub: number): void {
  let part = shape
  if (shape.mesh !== null || shape.heightfield !== null) {
    if (shape.mesh !== null) writeMeshTriangle(shape.mesh, sub, surface.params, 0)
    else writeHeightfieldTriangle(shape.heightfield!, sub, surface.params, 0)
    part = surface
  }
  const radius = coreRadius(part)
  const distance = gjk(part, face, IDENTITY, Infinity, EXACT)
  FACE_APART[0] = distance === 0 ? 0 : distance - radius
  if (distance === 0) return
  for (let k = 0; k < 3; k++) {
    FACE_FOUND[NORMAL + k] = -CLOSEST[k]
    FACE_FOUND[POINT + k] = CLOSEST[3 + k] - radius * CLOSEST[k]
  }
  findShares()
}

/** Shares of the corners of `FACE` in the point of it that was found. */
function findShares(): void {
  const ux = FACE[3] - FACE[0]
  const uy = FACE[4] - FACE[1]
  const uz = FACE[5] - FACE[2]
  const vx = FACE[6] - FACE[0]
  const vy = FACE[7] - FACE[1]
  const vz = FACE[8] - FACE[2]
  const px = CLOSEST[6] - FACE[0]
  const py = CLOSEST[7] - FACE[1]
  const pz = CLOSEST[8] - FACE[2]
  const uu = ux * ux + uy * uy + uz * uz
  const uv = ux * vx + uy * vy + uz * vz
  const vv = vx * vx + vy * vy + vz * vz
  const pu = px * ux + py * uy + pz * uz
  const pv = px * vx + py * vy + pz * vz
  const square = uu * vv - uv * uv
  let s = 0
  let t = 0
  if (square > FLAT * uu * vv) {
    s = (vv * pu - uv * pv) / square
    t = (uu * pv - uv * pu) / square
  } else if (uu >= vv) s = uu > 0 ? pu / uu : 0
  else t = pv / vv
  s = s > 0 ? (s < 1 ? s : 1) : 0
  t = t > 0 ? (t < 1 - s ? t : 1 - s) : 0
  FACE_FOUND[SHARES] = 1 - s - t
  FACE_FOUND[SHARES + 1] = s
  FACE_FOUND[SHARES + 2] = t
}
