/**
 * A ray against a shape of any kind.
 *
 * The ray is taken into the frame of the shape, and its origin moved along it to the point nearest to the shape's: what is
 * far away is then computed as exactly as what is near.
 */

import { composeTransforms } from '../detect/narrow/relative.js'
import { COMPOUND, HEIGHTFIELD, type Shape, TRIANGLE_MESH } from '../shapes/shape.js'
import { rayHeightfield, rayMesh, STRUCK } from './ray-surface.js'
import { SPAN, SPAN_FACES, spanOf } from './span.js'

/** Where a ray meets a shape. */
export class RayHit {
  /** From the origin of the ray [m]. */
  distance = 0
  /** World [m]. */
  readonly point: Float64Array = new Float64Array(3)
  /** Unit vector out of the surface, world; against the ray where that begins inside, or strikes a surface from behind. */
  readonly normal: Float64Array = new Float64Array(3)
  /**
   * What of the shape it is: the triangle of a mesh, by its number in the list that it was made of, or of a heightfield; the
   * face of a hull, box or cylinder; else 0. −1 inside.
   */
  feature = -1
  /** Part of a compound; −1 for other shapes. */
  child = -1
  /** Whether the ray begins inside. */
  inside = false
}

const L = /* @__PURE__ */ new Float64Array(6)
const part = /* @__PURE__ */ new Float64Array(12)
const trial = /* @__PURE__ */ new RayHit()

/**
 * Where the ray from `origin` along the unit vector `direction` first meets the shape at T[t…t + 11], no farther away than
 * `maxDistance`. False, and `out` is as it was, where it does not.
 *
 * A ray that begins inside a solid shape (all but meshes and heightfields) meets it at distance 0; with `solid` false it
 * meets its surface from within, where it leaves. One that begins on the surface and leads out meets nothing.
 */
export function rayShape(
  shape: Shape,
  T: Float64Array,
  t: number,
  origin: Float64Array,
  direction: Float64Array,
  maxDistance: number,
  solid: boolean,
  out: RayHit,
): boolean {
  if (shape.kind === COMPOUND) return rayCompound(shape, T, t, origin, direction, maxDistance, solid, out)
  const middle = writeLocalRay(T, t, origin, direction)
  if (shape.kind === TRIANGLE_MESH || shape.kind === HEIGHTFIELD) {
    const mesh = shape.mesh
    const from = -middle
    const to = maxDistance - middle
    const triangle = mesh === null ? rayHeightfield(shape, L, from, to) : rayMesh(shape, L, from, to)
    if (triangle < 0) return false
    const feature = mesh === null ? triangle : mesh.source[triangle]
    writeHit(T, t, origin, direction, STRUCK[0] + middle, STRUCK, 1, feature, out)
    return true
  }
  if (!spanOf(shape, L)) return false
  const enter = SPAN[0] + middle
  const leave = SPAN[1] + middle
  if (enter >= 0) {
    if (enter > maxDistance) return false
    writeHit(T, t, origin, direction, enter, SPAN, 2, SPAN_FACES[0], out)
    return true
  }
  if (leave <= 0) return false
  if (solid) {
    writeInside(origin, direction, out)
    return true
  }
  if (leave > maxDistance || leave === Infinity) return false
  writeHit(T, t, origin, direction, leave, SPAN, 5, SPAN_FACES[1], out)
  out.inside = true
  return true
}

/** The nearest of the parts, the first of those at the same distance. */
function rayCompound(
  shape: Shape,
  T: Float64Array,
  t: number,
  origin: Float64Array,
  direction: Float64Array,
  maxDistance: number,
  solid: boolean,
  out: RayHit,
): boolean {
  const children = shape.children!
  let limit = maxDistance
  let found = false
  for (let c = 0; c < children.length; c++) {
    composeTransforms(T, t, children[c].transform, 0, part)
    if (!rayShape(children[c].shape, part, 0, origin, direction, limit, solid, trial)) continue
    if (found && trial.distance >= limit) continue
    limit = trial.distance
    found = true
    out.distance = trial.distance
    out.point.set(trial.point)
    out.normal.set(trial.normal)
    out.feature = trial.feature
    out.inside = trial.inside
    out.child = c
  }
  return found
}

/** Writes the ray as the shape sees it to L, from its point nearest to the shape's origin; returns how far along that is. */
function writeLocalRay(T: Float64Array, t: number, origin: Float64Array, direction: Float64Array): number {
  const x = origin[0] - T[t]
  const y = origin[1] - T[t + 1]
  const z = origin[2] - T[t + 2]
  const dx = direction[0]
  const dy = direction[1]
  const dz = direction[2]
  const middle = -(x * dx + y * dy + z * dz)
  const px = x + middle * dx
  const py = y + middle * dy
  const pz = z + middle * dz
  for (let k = 0; k < 3; k++) {
    const a = T[t + 3 + k]
    const b = T[t + 6 + k]
    const c = T[t + 9 + k]
    L[k] = a * px + b * py + c * pz
    L[3 + k] = a * dx + b * dy + c * dz
  }
  return middle
}

/** Turns the normal at n[o…o + 2] to the world. */
function writeHit(
  T: Float64Array,
  t: number,
  origin: Float64Array,
  direction: Float64Array,
  distance: number,
  n: Float64Array,
  o: number,
  feature: number,
  out: RayHit,
): void {
  out.distance = distance
  for (let k = 0; k < 3; k++) {
    out.point[k] = origin[k] + distance * direction[k]
    out.normal[k] = T[t + 3 + 3 * k] * n[o] + T[t + 4 + 3 * k] * n[o + 1] + T[t + 5 + 3 * k] * n[o + 2]
  }
  out.feature = feature
  out.child = -1
  out.inside = false
}

function writeInside(origin: Float64Array, direction: Float64Array, out: RayHit): void {
  out.distance = 0
  for (let k = 0; k < 3; k++) {
    out.point[k] = origin[k]
    // 0 − x: no −0 for a direction along an axis.
    out.normal[k] = 0 - direction[k]
  }
  out.feature = -1
  out.child = -1
  out.inside = true
}
