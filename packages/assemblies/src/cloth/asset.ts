/**
 * The shape of a cloth: a welded mesh with its edges and threads. Made once from any indexed mesh, shared by as many cloths as you like, never
 * changed, and plain data but for its typed arrays.
 */

import { countSets, finiteVector, knownFields, nonNegative, object, oneOf, shown } from '@tautline/core/kernel'
import { checkIndices, checkPositions, seamOf, triangleAreas, UNUSED, weld } from '../parts/mesh.js'
import { type Edges, edgesOf } from '../parts/topology.js'
import { findThreads, type Threads } from './threads.js'

/** What {@link clothAsset} takes. */
export interface ClothMeshDef {
  /** x, y, z of each vertex at rest [m]. */
  positions: ArrayLike<number>
  /** Three vertices a triangle; left out, vertices are taken three by three. @defaultValue in order */
  indices?: ArrayLike<number>
  /** Vertices at most so far apart are one [m]: seams of texture and normals are closed. @defaultValue 1e-5 of the longest side, or a thousandth of the mean edge where that is more */
  weldTolerance?: number
  /**
   * Whether threads are looked for: pairs of triangles that make quads have warp and weft, which hardly stretch, and diagonals that shear.
   * `auto`: where four fifths of the triangles are in quads. @defaultValue 'auto'
   */
  threads?: 'auto' | 'none'
}

/** What was found, and repaired, in a mesh. */
export interface ClothAssetReport {
  /** Vertices that were given, and that are left. */
  readonly given: number
  readonly vertices: number
  /** Triangles left out: without an area, or there twice. */
  readonly dropped: number
  /** Edges of one triangle: the hem. */
  readonly hem: number
  /** Edges of more than two triangles: they stretch, but do not bend. */
  readonly crowded: number
  /** Parts that do not hang together. */
  readonly parts: number
  /** Share of the triangles that are halves of quads. */
  readonly woven: number
}

/** The shape of a cloth. */
export interface ClothAsset {
  /** x, y, z of each vertex at rest [m]. */
  readonly positions: Float64Array
  readonly triangles: Uint32Array
  /** By vertex that was given: its vertex here, or 2³² − 1 where no triangle has it. */
  readonly vertexOf: Uint32Array
  /** By corner of `triangles`: the given vertex that it was. */
  readonly corners: Uint32Array
  readonly edges: Edges
  /** Threads, or nothing where there are none. */
  readonly threads: Threads | undefined
  /** Area that belongs to each vertex: a third of its triangles [m²]. */
  readonly areas: Float64Array
  readonly report: ClothAssetReport
}

/** Share of the triangles that have to be halves of quads for a mesh to be woven. */
const WOVEN = 0.8
/** Twice the area of a triangle below this share of its longest side squared is none. */
const FLAT = 1e-9
const FIELDS: readonly (keyof ClothMeshDef)[] = ['positions', 'indices', 'weldTolerance', 'threads']

/**
 * Prepares a mesh for cloth. Vertices that lie on each other are joined, triangles without an area and doubled ones are dropped; `report` tells. Throws
 * `TypeError`/`RangeError` with what is wrong where no cloth comes of it.
 */
export function clothAsset(def: ClothMeshDef): ClothAsset {
  const where = 'clothAsset'
  knownFields(where, object(`${where}: definition`, def), FIELDS)
  const given = checkPositions(where, def.positions)
  const count = given.length / 3
  const indices = checkIndices(
    `${where}: indices`,
    def.indices ?? Uint32Array.from({ length: count }, (_, v) => v),
    3,
    count,
  )
  const tolerance = nonNegative(`${where}: weldTolerance`, def.weldTolerance ?? seamOf(given, indices))
  oneOf(`${where}: threads`, def.threads ?? 'auto', ['auto', 'none'])
  const solid = withArea(given, indices)
  const mesh = weld(given, solid, tolerance)
  if (mesh.triangles.length === 0) {
    throw new RangeError(`${where}: indices must have a triangle with an area, got ${indices.length / 3} without`)
  }
  const { positions, triangles, vertexOf } = mesh
  const edges = edgesOf(triangles, positions.length / 3)
  const found = def.threads === 'none' ? undefined : findThreads(positions, triangles, edges)
  const woven = found?.covered ?? 0
  const dropped = indices.length / 3 - triangles.length / 3
  return {
    positions,
    triangles,
    vertexOf,
    corners: cornersOf(solid, triangles, vertexOf),
    edges,
    threads: woven >= WOVEN ? found : undefined,
    areas: areasOf(positions, triangles),
    report: {
      given: count,
      vertices: positions.length / 3,
      dropped,
      ...counts(edges),
      parts: countSets(positions.length / 3, edges.ends.subarray(0, 2 * edges.count)),
      woven,
    },
  }
}

/** Triangles that have an area. */
function withArea(positions: ArrayLike<number>, indices: ArrayLike<number>): number[] {
  const areas = triangleAreas(positions, indices)
  const kept: number[] = []
  for (let t = 0; t < areas.length; t++) {
    const corners = [indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]]
    let longest = 0
    for (let k = 0; k < 3; k++) {
      const [v, w] = [3 * corners[k], 3 * corners[(k + 1) % 3]]
      let squared = 0
      for (let axis = 0; axis < 3; axis++) {
        const way = positions[v + axis] - positions[w + axis]
        squared += way * way
      }
      longest = Math.max(longest, squared)
    }
    if (2 * areas[t] > FLAT * longest) kept.push(...corners)
  }
  return kept
}

/** The given vertex of each corner that is left. */
function cornersOf(solid: readonly number[], triangles: Uint32Array, vertexOf: Uint32Array): Uint32Array {
  const corners = new Uint32Array(triangles.length)
  for (let s = 0, t = 0; t < triangles.length; s += 3) {
    let matches = true
    for (let k = 0; k < 3; k++) if (vertexOf[solid[s + k]] !== triangles[t + k]) matches = false
    if (!matches) continue
    for (let k = 0; k < 3; k++) corners[t + k] = solid[s + k]
    t += 3
  }
  return corners
}

function areasOf(positions: Float64Array, triangles: Uint32Array): Float64Array {
  const areas = new Float64Array(positions.length / 3)
  triangleAreas(positions, triangles).forEach((area, t) => {
    for (let k = 3 * t; k < 3 * t + 3; k++) areas[triangles[k]] += area / 3
  })
  return areas
}

function counts(edges: Edges): { hem: number; crowded: number } {
  let [hem, crowded] = [0, 0]
  for (let e = 0; e < edges.count; e++) {
    const around = edges.first[e + 1] - edges.first[e]
    if (around === 1) hem++
    else if (around > 2) crowded++
  }
  return { hem, crowded }
}

/** Number of the vertex here of one that was given; throws where no triangle has it. */
export function vertexAt(where: string, asset: Pick<ClothAsset, 'vertexOf'>, given: unknown): number {
  const { vertexOf } = asset
  if (!Number.isInteger(given) || (given as number) < 0 || (given as number) >= vertexOf.length) {
    throw new RangeError(`${where} must be the number of one of ${vertexOf.length} vertices, got ${shown(given)}`)
  }
  const v = vertexOf[given as number]
  if (v === UNUSED)
    throw new RangeError(`${where} must be a vertex of a triangle, got ${String(given)}, which none has`)
  return v
}

/** Checks x, y, z of all given vertices, and writes those of the vertices here [m]. */
export function readPose(where: string, asset: ClothAsset, given: ArrayLike<number>, out: Float64Array): void {
  const { vertexOf } = asset
  const x = finiteVector(where, given, 3 * vertexOf.length)
  for (let g = vertexOf.length - 1; g >= 0; g--) {
    const v = vertexOf[g]
    if (v === UNUSED) continue
    for (let k = 0; k < 3; k++) out[3 * v + k] = x[3 * g + k]
  }
}
