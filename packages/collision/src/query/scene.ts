/**
 * Queries over many colliders. What they return is in an order that depends on distances and numbers alone: the same scene
 * gives the same answer, whatever the tree of boxes has been through.
 */

import { writeBounds } from '../shapes/bounds.js'
import { IntList } from '../detect/broad/int-list.js'
import type { Shape } from '../shapes/shape.js'
import { Candidates, type QuerySource } from './candidates.js'
import { CastHit, castShape } from './cast.js'
import type { Ray } from './check.js'
import { closestOnShape, PointHit } from './closest-point.js'
import { overlapShapes } from './overlap.js'
import { PointProbe, Slab } from './probe.js'
import { RayHit, rayShape } from './ray.js'

/** x, y, z. */
export type Point = [number, number, number]

/** Where a ray meets a collider. */
export interface RayResult {
  /** Number of the collider. */
  id: number
  /** From the origin of the ray [m]. */
  distance: number
  /** World [m]. */
  point: Point
  /** Unit vector out of the surface, or against the ray where it begins inside or meets a surface from behind. */
  normal: Point
  /** Triangle of a mesh or heightfield, face of a hull, box or cylinder; else 0. −1 inside. */
  feature: number
  /** Part of a compound; −1 for other shapes. */
  child: number
  /** Whether the ray begins inside. */
  inside: boolean
}

/** Where a shape on its way meets a collider. */
export interface CastResult {
  /** Number of the collider. */
  id: number
  /** Share of the way, in [0, 1]. */
  time: number
  /** Gap at that time [m]; negative, the depth, for an overlap at the start. */
  separation: number
  /** On the surface of the collider, world [m]. */
  point: Point
  /** Unit vector from the collider to the shape. */
  normal: Point
  /** Triangle of a mesh or heightfield; −1 for other shapes. */
  feature: number
  /** Part of a compound that is met; −1 for other shapes. */
  child: number
  /** Part of the compound that was cast; −1 for other shapes. */
  ownChild: number
}

/** Where a collider is nearest to a point. */
export interface PointResult {
  /** Number of the collider. */
  id: number
  /** [m]; negative inside. */
  distance: number
  /** On the surface, world [m]. */
  point: Point
  /** Unit vector out of the surface there. */
  normal: Point
  /** Triangle of a mesh or heightfield; −1 for other shapes. */
  feature: number
  /** Part of a compound; −1 for other shapes. */
  child: number
}

const line = /* @__PURE__ */ new Float64Array(6)
const box = /* @__PURE__ */ new Float64Array(6)

/** Boxes are widened by this share of all lengths in play, for rounding. */
const BOX_ROUNDING = 1e-14

/** What a ray meets first; of several at the same distance, the lowest number. `solid`: see {@link rayShape}. */
export function rayCast(source: QuerySource, ray: Ray, solid: boolean): RayResult | null {
  const candidates = new Candidates(source, alongRay(ray), ray.maxDistance)
  const hit = new RayHit()
  let best: RayResult | null = null
  let limit = ray.maxDistance
  for (let id = candidates.next(limit); id >= 0; id = candidates.next(limit)) {
    if (!meetsRay(source, id, ray, limit, solid, hit)) continue
    if (best !== null && hit.distance === limit && id > best.id) continue
    best = rayResult(id, hit)
    limit = hit.distance
  }
  return best
}

/** All that a ray meets, each collider once, by distance, then by number. */
export function rayCastAll(source: QuerySource, ray: Ray, solid: boolean): RayResult[] {
  const candidates = new Candidates(source, alongRay(ray), ray.maxDistance)
  const hit = new RayHit()
  const results: RayResult[] = []
  for (let id = candidates.next(ray.maxDistance); id >= 0; id = candidates.next(ray.maxDistance)) {
    if (meetsRay(source, id, ray, ray.maxDistance, solid, hit)) results.push(rayResult(id, hit))
  }
  return results.sort((a, b) => a.distance - b.distance || a.id - b.id)
}

/**
 * What a shape, convex or a compound, on its straight way from T by `displacement` first comes within `margin` of; of several
 * at the same time the one that is nearest, or deepest at the start, then the lowest number.
 */
export function shapeCast(
  source: QuerySource,
  shape: Shape,
  T: Float64Array,
  displacement: Float64Array,
  margin: number,
): CastResult | null {
  const candidates = new Candidates(source, alongWay(shape, T, displacement, margin), 1)
  const hit = new CastHit()
  let best: CastResult | null = null
  for (let id = candidates.next(1); id >= 0; id = candidates.next(best === null ? 1 : best.time)) {
    if (!castShape(shape, T, 0, displacement, source.shapeOf(id), source.transform, 12 * id, margin, hit)) continue
    const result = castResult(id, hit)
    if (best === null || inOrder(result, best) < 0) best = result
  }
  return best
}

/** All that a shape on its way comes within `margin` of, each collider once, in the order of `shapeCast`. */
export function shapeCastAll(
  source: QuerySource,
  shape: Shape,
  T: Float64Array,
  displacement: Float64Array,
  margin: number,
): CastResult[] {
  const candidates = new Candidates(source, alongWay(shape, T, displacement, margin), 1)
  const hit = new CastHit()
  const results: CastResult[] = []
  for (let id = candidates.next(1); id >= 0; id = candidates.next(1)) {
    if (castShape(shape, T, 0, displacement, source.shapeOf(id), source.transform, 12 * id, margin, hit)) {
      results.push(castResult(id, hit))
    }
  }
  return results.sort(inOrder)
}

/** Numbers of the colliders that a shape, convex or a compound, at T overlaps or touches, ascending. */
export function overlapShape(source: QuerySource, shape: Shape, T: Float64Array): number[] {
  const bounds = new Float64Array(6)
  writeBounds(shape, T, 0, bounds, 0)
  return inBox(source, bounds).filter((id) => {
    return source.accepts(id) && overlapShapes(shape, T, 0, source.shapeOf(id), source.transform, 12 * id)
  })
}

/** Numbers of the colliders that hold a point, ascending. Meshes and heightfields, which have no inside, hold none. */
export function overlapPoint(source: QuerySource, point: Float64Array): number[] {
  const bounds = Float64Array.of(point[0], point[1], point[2], point[0], point[1], point[2])
  const hit = new PointHit()
  return inBox(source, bounds).filter((id) => {
    if (!source.accepts(id)) return false
    const shape = source.shapeOf(id)
    if (shape.mesh !== null || shape.heightfield !== null) return false
    return closestOnShape(shape, source.transform, 12 * id, point, 0, hit)
  })
}

/**
 * The nearest point of all colliders no farther than `maxDistance`; inside several, the one whose surface is farthest. Of
 * several as near, that of the lowest number.
 */
export function closestPoint(source: QuerySource, point: Float64Array, maxDistance: number): PointResult | null {
  const probe = new PointProbe()
  probe.point.set(point)
  const candidates = new Candidates(source, probe, maxDistance)
  const hit = new PointHit()
  let best: PointResult | null = null
  let limit = maxDistance
  for (let id = candidates.next(limit); id >= 0; id = candidates.next(limit)) {
    if (!closestOnShape(source.shapeOf(id), source.transform, 12 * id, point, limit, hit)) continue
    if (best !== null && hit.distance === limit && id > best.id) continue
    limit = hit.distance
    const { distance, feature, child } = hit
    best = { id, distance, point: triple(hit.point), normal: triple(hit.normal), feature, child }
  }
  return best
}

function alongRay(ray: Ray): Slab {
  const slab = new Slab()
  const [x, y, z] = ray.origin
  line.set(ray.origin)
  line.set(ray.direction, 3)
  const pad = BOX_ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z))
  slab.set(line, 0, pad, pad, pad)
  return slab
}

/** The box of the shape, grown by the margin, on its way. */
function alongWay(shape: Shape, T: Float64Array, displacement: Float64Array, margin: number): Slab {
  const slab = new Slab()
  writeBounds(shape, T, 0, box, 0)
  let pad = margin
  for (let k = 0; k < 3; k++) {
    line[k] = 0.5 * (box[k] + box[3 + k])
    line[3 + k] = displacement[k]
    pad += BOX_ROUNDING * (Math.abs(box[k]) + Math.abs(box[3 + k]))
  }
  slab.set(line, 0, pad + 0.5 * (box[3] - box[0]), pad + 0.5 * (box[4] - box[1]), pad + 0.5 * (box[5] - box[2]))
  return slab
}

/** Numbers of the colliders whose boxes touch a box, ascending. */
function inBox(source: QuerySource, bounds: Float64Array): number[] {
  const ids = new IntList()
  source.tree.query(bounds, 0, ids)
  ids.sort(0)
  return Array.from(ids.items.subarray(0, ids.count))
}

function meetsRay(source: QuerySource, id: number, ray: Ray, limit: number, solid: boolean, hit: RayHit): boolean {
  return rayShape(source.shapeOf(id), source.transform, 12 * id, ray.origin, ray.direction, limit, solid, hit)
}

function inOrder(a: CastResult, b: CastResult): number {
  return a.time - b.time || a.separation - b.separation || a.id - b.id
}

function rayResult(id: number, hit: RayHit): RayResult {
  const { distance, feature, child, inside } = hit
  return { id, distance, point: triple(hit.point), normal: triple(hit.normal), feature, child, inside }
}

function castResult(id: number, hit: CastHit): CastResult {
  const { time, distance, feature, child, ownChild } = hit
  const [point, normal] = [triple(hit.point), triple(hit.normal)]
  return { id, time, separation: distance, point, normal, feature, child, ownChild }
}

function triple(v: Float64Array): Point {
  return [v[0], v[1], v[2]]
}
