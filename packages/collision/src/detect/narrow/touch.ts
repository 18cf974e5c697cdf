/**
 * The points at which two convex shapes touch, from where they are nearest (`CLOSEST`): a face with whatever is over it, two
 * lines side by side, or a single point.
 */

import { type Shape, TAPERED_CAPSULE } from '../../shapes/shape.js'
import { clipFeatures } from './clip.js'
import { CLOSEST } from './closest-pair.js'
import { writeFeature } from './feature.js'
import { sideBySide } from './lines.js'
import { type Manifold, NORMAL_ON_A, NORMAL_ON_B } from './manifold.js'
import { FACE_A, FACE_B, LABEL_B } from './polygon.js'
import { ballRadius } from './sphere.js'

/** Tilt [rad] of a face within which it may give the normal. */
const TILT = 1e-3
/** How far a point may be moved along a face by that [m]: tilt times separation. */
const MOVED = 1e-6

/**
 * Whether a face at an angle of this cos to the normal, of shapes so far apart [m], takes its place: it is the same next step,
 * and the difference cannot be told.
 */
export function isSteady(cos: number, separation: number): boolean {
  const square = 2 * (1 - cos)
  return square <= TILT * TILT && square * separation * separation <= MOVED * MOVED
}

/** cos of the angle to a face within which what is over it touches all of it: 3°. */
export const FLAT = 0.9986

const n = /* @__PURE__ */ new Float64Array(3)
const down = /* @__PURE__ */ new Float64Array(3)
const local = /* @__PURE__ */ new Float64Array(3)

/**
 * Fills the manifold of a and b, b at `T`, in the frame of a. `steady`: a face nearly across the normal takes its place, so that
 * it is the same next step.
 */
export function touch(a: Shape, b: Shape, T: Float64Array, steady: boolean, manifold: Manifold): void {
  for (let k = 0; k < 3; k++) {
    n[k] = CLOSEST[k]
    down[k] = -n[k]
  }
  for (let k = 0; k < 3; k++) {
    local[k] = T[3 + k] * n[0] + T[6 + k] * n[1] + T[9 + k] * n[2]
  }
  writeFeature(a, down, 0, FACE_A)
  writeFeature(b, local, LABEL_B, FACE_B)
  FACE_B.place(T)
  const cosA = FACE_A.count < 3 ? 0 : -alongNormal(FACE_A.normal)
  const cosB = FACE_B.count < 3 ? 0 : alongNormal(FACE_B.normal)
  if (cosA >= FLAT || cosB >= FLAT) {
    // Either face may give the normal; a's does unless only b's is as good.
    const steadyA = isSteady(cosA, CLOSEST[9])
    const steadyB = isSteady(cosB, CLOSEST[9])
    const onA = steadyA || (!steadyB && cosA >= FLAT)
    if (steady && (onA ? steadyA : steadyB)) snap(onA)
    clipFeatures(n, onA, false, manifold)
    manifold.carrier = onA ? NORMAL_ON_A : NORMAL_ON_B
  } else {
    manifold.carrier = NORMAL_ON_B
    if (!sideBySide(n, manifold)) single(a, b, manifold)
  }
  manifold.normal.set(n)
}

function alongNormal(normal: Float64Array): number {
  return n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2]
}

/** Takes the face's normal for n; the face's own point follows. */
function snap(onA: boolean): void {
  const sign = onA ? -1 : 1
  const normal = onA ? FACE_A.normal : FACE_B.normal
  let s = 0
  for (let k = 0; k < 3; k++) {
    CLOSEST[k] = n[k] = sign * normal[k]
    s += n[k] * (CLOSEST[3 + k] - CLOSEST[6 + k])
  }
  for (let k = 0; k < 3; k++) {
    if (onA) CLOSEST[3 + k] = CLOSEST[6 + k] + s * n[k]
    else CLOSEST[6 + k] = CLOSEST[3 + k] - s * n[k]
  }
  CLOSEST[9] = s
}

/** `CLOSEST` alone. */
function single(a: Shape, b: Shape, manifold: Manifold): void {
  manifold.count = 1
  for (let k = 0; k < 3; k++) {
    manifold.pointA[k] = CLOSEST[3 + k]
    manifold.pointB[k] = CLOSEST[6 + k]
  }
  manifold.separation[0] = CLOSEST[9]
  manifold.feature[0] = 0
  if (a.kind === TAPERED_CAPSULE) manifold.roundA = ballRadius(a.params, down[1])
  if (b.kind === TAPERED_CAPSULE) manifold.roundB = ballRadius(b.params, local[1])
}
