/** A sphere against any convex shape or plane: the distance of its centre, less its radius. Exact, deep overlap included. */

import { CAPSULE, type Shape, SPHERE, TAPERED_CAPSULE } from '../../shapes/shape.js'
import { MARGIN } from './closest-pair.js'
import { type ManifoldList, NORMAL_ON_B } from './manifold.js'
import { NEAREST, pointToShape } from './point.js'

const centre = /* @__PURE__ */ new Float64Array(3)

/** Writes the contact of the sphere a and a shape b that stands at `T` in the frame of a. */
export function sphereShape(a: Shape, b: Shape, T: Float64Array, list: ManifoldList): void {
  const tx = T[0]
  const ty = T[1]
  const tz = T[2]
  centre[0] = -(T[3] * tx + T[6] * ty + T[9] * tz)
  centre[1] = -(T[4] * tx + T[7] * ty + T[10] * tz)
  centre[2] = -(T[5] * tx + T[8] * ty + T[11] * tz)
  const radius = a.params[0]
  const separation = pointToShape(b, centre) - radius
  if (separation > MARGIN[0]) return
  const manifold = list.next()
  const { normal, pointA, pointB } = manifold
  const mx = NEAREST[3]
  const my = NEAREST[4]
  const mz = NEAREST[5]
  const nx = T[3] * mx + T[4] * my + T[5] * mz
  const ny = T[6] * mx + T[7] * my + T[8] * mz
  const nz = T[9] * mx + T[10] * my + T[11] * mz
  normal[0] = nx
  normal[1] = ny
  normal[2] = nz
  pointA[0] = -radius * nx
  pointA[1] = -radius * ny
  pointA[2] = -radius * nz
  const reach = -radius - separation
  pointB[0] = reach * nx
  pointB[1] = reach * ny
  pointB[2] = reach * nz
  manifold.separation[0] = separation
  manifold.feature[0] = 0
  manifold.count = 1
  manifold.carrier = NORMAL_ON_B
  manifold.roundA = radius
  if (b.kind === SPHERE || b.kind === CAPSULE) manifold.roundB = b.params[0]
  else if (b.kind === TAPERED_CAPSULE) manifold.roundB = ballRadius(b.params, my)
}

/** Radius of the ball of a tapered capsule that a normal of height `y` stands on; 0 on its side. */
export function ballRadius(params: Float64Array, y: number): number {
  const slope = (params[1] - params[0]) / (2 * params[2])
  return y > slope + ON_SIDE ? params[0] : y < slope - ON_SIDE ? params[1] : 0
}

/** Normals whose height is that of the side's within this stand on the side: rounding. */
const ON_SIDE = 1e-12
