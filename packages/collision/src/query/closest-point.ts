/**
 * The point of a shape nearest to a given one. Closed forms of the narrow phase; for meshes a walk of their tree, for
 * heightfields rings of cells ever farther out.
 */

import { NEAREST, pointToShape, pointToTriangle } from '../detect/narrow/point.js'
import { composeTransforms } from '../detect/narrow/relative.js'
import { HEIGHTFIELD, type Shape, TRIANGLE_MESH } from '../shapes/shape.js'
import { writeHeightfieldTriangle } from '../shapes/heightfield-data.js'
import type { HeightfieldData } from '../shapes/heightfield-data.js'
import type { MeshData } from '../shapes/mesh-data.js'
import { BvhWalk } from './bvh-walk.js'
import { PointProbe } from './probe.js'

/** Where a shape is nearest to a point. */
export class PointHit {
  /** [m]; negative inside a solid shape. Meshes and heightfields have no inside. */
  distance = 0
  /** On the surface, world [m]. */
  readonly point: Float64Array = new Float64Array(3)
  /** Unit vector out of the surface there, world: from the surface to a point outside, or from a point inside to the surface. */
  readonly normal: Float64Array = new Float64Array(3)
  /** The triangle of a mesh, by its number in the list that it was made of, or of a heightfield; −1 for other shapes. */
  feature = -1
  /** Part of a compound; −1 for other shapes. */
  child = -1
}

const probe = /* @__PURE__ */ new PointProbe()
const walk = /* @__PURE__ */ new BvhWalk(probe)
/** The point as the shape sees it. */
const local = probe.point
const part = /* @__PURE__ */ new Float64Array(12)
const trial = /* @__PURE__ */ new PointHit()
/** `NEAREST` of the best triangle so far. */
const best = /* @__PURE__ */ new Float64Array(6)
const corners = /* @__PURE__ */ new Float64Array(9)

/**
 * Where the shape at T[t…t + 11] is nearest to a point; false, and `out` is as it was, if that is farther than `maxDistance`.
 * A compound is as near as the nearest of its parts.
 */
export function closestOnShape(
  shape: Shape,
  T: Float64Array,
  t: number,
  point: Float64Array,
  maxDistance: number,
  out: PointHit,
): boolean {
  if (shape.children !== null) return closestOnCompound(shape, T, t, point, maxDistance, out)
  const x = point[0] - T[t]
  const y = point[1] - T[t + 1]
  const z = point[2] - T[t + 2]
  for (let k = 0; k < 3; k++) local[k] = T[t + 3 + k] * x + T[t + 6 + k] * y + T[t + 9 + k] * z
  if (shape.kind === TRIANGLE_MESH || shape.kind === HEIGHTFIELD) {
    const mesh = shape.mesh
    const triangle =
      mesh === null ? nearestOfHeightfield(shape.heightfield!, maxDistance) : nearestOfMesh(mesh, maxDistance)
    if (triangle < 0) return false
    writeHit(T, t, distanceTo(best), best, mesh === null ? triangle : mesh.source[triangle], out)
    return true
  }
  const distance = pointToShape(shape, local)
  if (!(distance <= maxDistance)) return false
  writeHit(T, t, distance, NEAREST, -1, out)
  return true
}

function closestOnCompound(
  shape: Shape,
  T: Float64Array,
  t: number,
  point: Float64Array,
  maxDistance: number,
  out: PointHit,
): boolean {
  const children = shape.children!
  let found = false
  let limit = maxDistance
  for (let c = 0; c < children.length; c++) {
    composeTransforms(T, t, children[c].transform, 0, part)
    if (!closestOnShape(children[c].shape, part, 0, point, limit, trial)) continue
    if (found && trial.distance >= limit) continue
    found = true
    limit = trial.distance
    out.distance = trial.distance
    out.point.set(trial.point)
    out.normal.set(trial.normal)
    out.feature = trial.feature
    out.child = c
  }
  return found
}

function distanceTo(p: Float64Array): number {
  const x = local[0] - p[0]
  const y = local[1] - p[1]
  const z = local[2] - p[2]
  return Math.sqrt(x * x + y * y + z * z)
}

/** Takes the world's axes. */
function writeHit(T: Float64Array, t: number, distance: number, p: Float64Array, feature: number, out: PointHit): void {
  out.distance = distance
  for (let k = 0; k < 3; k++) {
    const x = T[t + 3 + 3 * k]
    const y = T[t + 4 + 3 * k]
    const z = T[t + 5 + 3 * k]
    out.point[k] = x * p[0] + y * p[1] + z * p[2] + T[t + k]
    out.normal[k] = x * p[3] + y * p[4] + z * p[5]
  }
  out.feature = feature
  out.child = -1
}

/** The nearest triangle, the lowest of those at the same distance, no farther than `limit`; −1 if there is none. */
function nearestOfMesh({ vertices, triangles, bvh }: MeshData, limit: number): number {
  let nearest = -1
  walk.start(bvh, limit)
  while (walk.next(limit)) {
    for (let k = walk.first; k < walk.first + walk.count; k++) {
      const triangle = bvh.items[k]
      const v = 3 * triangle
      const distance = pointToTriangle(local, vertices, 3 * triangles[v], 3 * triangles[v + 1], 3 * triangles[v + 2])
      if (distance > limit || (distance === limit && nearest >= 0 && triangle > nearest)) continue
      limit = distance
      nearest = triangle
      best.set(NEAREST)
    }
  }
  return nearest
}

/**
 * The same for a heightfield. Ring r around the cell below the point is the cells r columns or rows from it: at least r − 1
 * cells away, also from a point beside the grid, for which it is the nearest cell.
 */
function nearestOfHeightfield(field: HeightfieldData, limit: number): number {
  const { columns, rows, cellX, cellZ } = field
  const countI = columns - 1
  const countJ = rows - 1
  const middleI = Math.max(0, Math.min(countI - 1, Math.floor(local[0] / cellX + 0.5 * countI)))
  const middleJ = Math.max(0, Math.min(countJ - 1, Math.floor(local[2] / cellZ + 0.5 * countJ)))
  const least = Math.min(cellX, cellZ)
  const rings = Math.max(middleI, countI - 1 - middleI, middleJ, countJ - 1 - middleJ)
  let nearest = -1
  for (let ring = 0; ring <= rings && (ring - 1) * least <= limit; ring++) {
    const fromJ = Math.max(0, middleJ - ring)
    const toJ = Math.min(countJ - 1, middleJ + ring)
    for (let j = fromJ; j <= toJ; j++) {
      const whole = j === middleJ - ring || j === middleJ + ring
      // The first and the last row of a ring are full; the others are its two ends.
      for (let i = middleI - ring; i <= middleI + ring; i += whole ? 1 : Math.max(1, 2 * ring)) {
        if (i < 0 || i >= countI) continue
        for (let half = 0; half < 2; half++) {
          const triangle = 2 * (j * countI + i) + half
          const distance = toCell(field, triangle, limit)
          if (!(distance <= limit) || (distance === limit && nearest >= 0 && triangle > nearest)) continue
          limit = distance
          nearest = triangle
          best.set(NEAREST)
        }
      }
    }
  }
  return nearest
}

/** Distance to a triangle of a heightfield; NaN if it is not there, `Infinity` if its heights alone are beyond `limit`. */
function toCell(field: HeightfieldData, triangle: number, limit: number): number {
  writeHeightfieldTriangle(field, triangle, corners, 0)
  const low = Math.min(corners[1], corners[4], corners[7])
  const high = Math.max(corners[1], corners[4], corners[7])
  if (low - local[1] > limit || local[1] - high > limit) return Infinity
  return low === low ? pointToTriangle(local, corners, 0, 3, 6) : NaN
}
