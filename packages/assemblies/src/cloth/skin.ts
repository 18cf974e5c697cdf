/**
 * Cloth on a skinned body: each vertex stays within its distance of its place on the skin, and out of a sphere behind it (backstop).
 *
 *   ‖x − s‖ <= maxDistance,  ‖x − (s − (R + backstopDistance) n̂)‖ >= R,  s the place on the skin, n̂ its normal outward
 *
 * Places and centres are kinematic bodies, so that substeps go between the poses of the skin, and what moves cloth has done work.
 */

import type { Body, Constraint, LeanWorld } from '@tautline/core'
import { distance, tether } from '@tautline/constraints'
import { areaVector } from '../parts/mesh.js'
import type { ClothAsset } from './asset.js'
import type { ClothSettings } from './definition.js'

/** What holds a vertex to its skin. */
export interface SkinPoint {
  /** Vertex of the asset. */
  readonly vertex: number
  /** Its place, and the centre of the sphere behind it. */
  readonly place: Body | undefined
  readonly centre: Body | undefined
  readonly rows: readonly Constraint[]
}

/** Ties vertices with a distance to the skin, which is where they are at present. */
export function addSkin(
  world: LeanWorld,
  asset: ClothAsset,
  settings: ClothSettings,
  vertices: readonly Body[],
  positions: Float64Array,
): SkinPoint[] {
  const { maxDistance, backstopDistance, backstopRadius } = settings
  const points: SkinPoint[] = []
  const normals = normalsOf(asset.triangles, positions)
  for (let v = 0; v < asset.areas.length; v++) {
    const holds = maxDistance[v] < Infinity
    const stops = backstopDistance[v] < Infinity
    if (!holds && !stops) continue
    const rows: object[] = []
    const s = [0, 1, 2].map((k) => positions[3 * v + k]) as [number, number, number]
    const place = holds ? world.addBody({ type: 'kinematic', position: s }) : undefined
    if (place !== undefined) rows.push(world.add(tether, { a: vertices[v], b: place, length: maxDistance[v] }))
    const back = backstopRadius + backstopDistance[v]
    const c = s.map((x, k) => x - back * normals[3 * v + k]) as [number, number, number]
    const centre = stops ? world.addBody({ type: 'kinematic', position: c }) : undefined
    if (centre !== undefined) {
      rows.push(
        world.add(distance, { a: vertices[v], b: centre, length: backstopRadius, mode: 'strut', solver: 'sweep' }),
      )
    }
    points.push({ vertex: v, place, centre, rows: rows as Constraint[] })
  }
  return points
}

/** Sets where the skin goes in the next step: `positions` and `normals` by vertex of the asset. */
export function leadSkin(
  points: readonly SkinPoint[],
  settings: ClothSettings,
  positions: Float64Array,
  normals: Float64Array,
): void {
  for (const { vertex: v, place, centre } of points) {
    const s = [0, 1, 2].map((k) => positions[3 * v + k]) as [number, number, number]
    if (place?.alive === true) place.setTarget(s)
    if (centre?.alive !== true) continue
    const back = settings.backstopRadius + settings.backstopDistance[v]
    centre.setTarget(s.map((x, k) => x - back * normals[3 * v + k]) as [number, number, number])
  }
}

/** Unit normals by vertex, of the triangles around by area; zeros where there is none. */
export function normalsOf(triangles: Uint32Array, positions: Float64Array): Float64Array {
  const normals = new Float64Array(positions.length)
  for (let t = 0; t < triangles.length; t += 3) {
    const n = areaVector(positions, triangles[t], triangles[t + 1], triangles[t + 2])
    for (let c = t; c < t + 3; c++) for (let k = 0; k < 3; k++) normals[3 * triangles[c] + k] += n[k]
  }
  for (let o = 0; o < normals.length; o += 3) {
    const l = Math.sqrt(normals[o] * normals[o] + normals[o + 1] * normals[o + 1] + normals[o + 2] * normals[o + 2])
    if (l > 0) for (let k = o; k < o + 3; k++) normals[k] /= l
  }
  return normals
}
