/**
 * A convex shape against a plane: corners of the face that looks down, the ends of the line that does, or the lowest point.
 * What the face does not hold (a cap's rim between two corners) is added by the lowest point.
 */

import { CAPSULE, type Shape, SPHERE, TAPERED_CAPSULE } from '../../shapes/shape.js'
import { support } from '../../shapes/support.js'
import { CLOSEST, MARGIN } from './closest-pair.js'
import { writeFeature } from './feature.js'
import { type ManifoldList, NORMAL_ON_B } from './manifold.js'
import { dropFeature } from './clip.js'
import { FACE_A } from './polygon.js'
import { ballRadius } from './sphere.js'

const n = /* @__PURE__ */ new Float64Array(3)
const offset = /* @__PURE__ */ new Float64Array(1)
const down = /* @__PURE__ */ new Float64Array(3)

/** Writes the contacts of the convex shape a and the plane b that stands at `T` in the frame of a. */
export function convexPlane(a: Shape, b: Shape, T: Float64Array, list: ManifoldList): void {
  const { params } = b
  const px = params[0]
  const py = params[1]
  const pz = params[2]
  n[0] = T[3] * px + T[4] * py + T[5] * pz
  n[1] = T[6] * px + T[7] * py + T[8] * pz
  n[2] = T[9] * px + T[10] * py + T[11] * pz
  offset[0] = params[3] + n[0] * T[0] + n[1] * T[1] + n[2] * T[2]
  for (let k = 0; k < 3; k++) down[k] = -n[k]
  support(a, down, 0, CLOSEST, 3)
  CLOSEST[9] = n[0] * CLOSEST[3] + n[1] * CLOSEST[4] + n[2] * CLOSEST[5] - offset[0]
  if (CLOSEST[9] > MARGIN[0]) return
  const manifold = list.next()
  manifold.normal.set(n)
  manifold.carrier = NORMAL_ON_B
  writeFeature(a, down, 0, FACE_A)
  dropFeature(n, offset, manifold)
  if (a.kind === SPHERE || a.kind === CAPSULE) manifold.roundA = a.params[0]
  else if (a.kind === TAPERED_CAPSULE && manifold.count === 1) manifold.roundA = ballRadius(a.params, down[1])
}
