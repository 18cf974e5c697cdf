/**
 * The shape of a soft body: nodes, tetrahedra, and the mesh that rides on them. Made once from any closed mesh, or from tetrahedra, shared by as many bodies as
 * you like, never changed, and plain data but for its typed arrays.
 */

import { flag, inContext, knownFields, nonNegative, object, shown } from '@tautline/core/kernel'
import { areaVector, checkIndices, checkPositions, extentOf, seamOf, triangleAreas, UNUSED } from '../parts/mesh.js'
import { embed, embedAlike, type Embedding } from './embed.js'
import { closedSurface } from '../tetrahedralize/closed-surface.js'
import { measureTetrahedra, sixVolumes, type TetrahedraQuality } from '../tetrahedralize/quality.js'
import { type FillReport, tetrahedralize } from '../tetrahedralize/tetrahedralize.js'

/** What {@link softBodyAsset} takes. */
export interface SoftBodyMeshDef {
  /** x, y, z of each vertex at rest [m]. */
  positions: ArrayLike<number>
  /** Three vertices a triangle: a closed surface, which is filled, and what is drawn. @defaultValue vertices three by three, or the outside of `tetrahedra` */
  indices?: ArrayLike<number>
  /** Four vertices each, in place of filling: then vertices are nodes. @defaultValue none */
  tetrahedra?: ArrayLike<number>
  /** Length of an edge of the tetrahedra, about [m]. @defaultValue an eighth of the longest side */
  size?: number
  /** Vertices at most so far apart are one [m]. @defaultValue 1e-5 of the longest side, or a thousandth of the mean edge where that is more */
  weldTolerance?: number
  /** Whether it is a skin alone, as of a balloon: it has no tetrahedra, and vertices are nodes. @defaultValue false */
  hollow?: boolean
}

/** The shape of a soft body. */
export interface SoftBodyAsset {
  /** x, y, z of each node at rest [m]. */
  readonly positions: Float64Array
  /** Four nodes each, (b − a) × (c − a) towards d; none of a skin. */
  readonly tetrahedra: Uint32Array
  /** The outside: three nodes a triangle, counter-clockwise from there. */
  readonly surface: Uint32Array
  /** What is drawn: three given vertices a triangle. */
  readonly indices: Uint32Array
  /** Where given vertices are on the nodes. */
  readonly embedding: Embedding
  /** By given vertex: the node that is nearest to it. */
  readonly vertexOf: Uint32Array
  /** By node: what belongs to it, a quarter of its tetrahedra [m³], or of a skin a third of its triangles [m²]. */
  readonly shares: Float64Array
  readonly report: SoftBodyReport
}

/** What was found, repaired and made: of a skin counts of tetrahedra are 0. */
export type SoftBodyReport = FillReport

export const ASSET_FIELDS: readonly (keyof SoftBodyMeshDef)[] = [
  'positions',
  'indices',
  'tetrahedra',
  'size',
  'weldTolerance',
  'hollow',
]

/** Edges along the longest side, where nobody says how long they are. */
const CELLS = 8
/** Share of the longest edge cubed below which a tetrahedron is flat. */
const FLAT = 1e-9

/**
 * Prepares a mesh for soft bodies. A surface is filled as `tetrahedralize` does; tetrahedra that are given are turned so that their volumes are above 0.
 * Throws `TypeError`/`RangeError` with what is wrong where nothing comes of it.
 */
export function softBodyAsset(def: SoftBodyMeshDef): SoftBodyAsset {
  const where = 'softBodyAsset'
  knownFields(where, object(`${where}: definition`, def), ASSET_FIELDS)
  const given = checkPositions(where, def.positions)
  if (def.tetrahedra !== undefined) return ofTetrahedra(where, def, given, def.tetrahedra)
  const inOrder = Uint32Array.from({ length: given.length / 3 }, (_, v) => v)
  const indices = Uint32Array.from(checkIndices(`${where}: indices`, def.indices ?? inOrder, 3, given.length / 3))
  if (flag(`${where}: hollow`, def.hollow ?? false)) return ofSkin(where, def, given, indices)
  const { size, weldTolerance } = def
  const options = { ...(size !== undefined && { size }), ...(weldTolerance !== undefined && { weldTolerance }) }
  const filled = inContext(where, () => tetrahedralize({ positions: given, indices }, options))
  const { positions, tetrahedra, report } = filled
  return {
    positions,
    tetrahedra,
    surface: outsideOf(tetrahedra),
    indices,
    ...riding(embed(given, positions, tetrahedra, size ?? extentOf(given) / CELLS)),
    shares: volumeShares(positions, tetrahedra),
    report,
  }
}

function ofTetrahedra(
  where: string,
  def: SoftBodyMeshDef,
  given: ArrayLike<number>,
  list: ArrayLike<number>,
): SoftBodyAsset {
  for (const field of ['size', 'weldTolerance', 'hollow'] as const) {
    if (def[field] === undefined) continue
    throw new TypeError(`${where}: ${field} must be left out with tetrahedra, got ${shown(def[field])}`)
  }
  const count = given.length / 3
  const tetrahedra = Uint32Array.from(checkIndices(`${where}: tetrahedra`, list, 4, count))
  if (tetrahedra.length === 0) throw new RangeError(`${where}: tetrahedra must be one or more, got none`)
  const positions = Float64Array.from(given)
  for (let t = 0; t < tetrahedra.length; t += 4) turnOut(where, positions, tetrahedra, t)
  const used = new Uint8Array(count)
  for (const v of tetrahedra) used[v] = 1
  const free = used.indexOf(0)
  if (free >= 0)
    throw new RangeError(`${where}: positions must all be corners of tetrahedra, got ${free}, which is of none`)
  const surface = outsideOf(tetrahedra)
  const quality = measureTetrahedra(positions, tetrahedra)
  return {
    positions,
    tetrahedra,
    surface,
    indices:
      def.indices === undefined ? surface : Uint32Array.from(checkIndices(`${where}: indices`, def.indices, 3, count)),
    ...riding(
      embedAlike(
        Uint32Array.from({ length: count }, (_, v) => v),
        UNUSED,
      ),
    ),
    shares: volumeShares(positions, tetrahedra),
    report: reportOf(quality, 0, 0, 0, quality.volume),
  }
}

function ofSkin(where: string, def: SoftBodyMeshDef, given: ArrayLike<number>, indices: Uint32Array): SoftBodyAsset {
  if (def.size !== undefined) throw new TypeError(`${where}: size must be left out with hollow, got ${def.size}`)
  const tolerance = nonNegative(`${where}: weldTolerance`, def.weldTolerance ?? seamOf(given, indices))
  const { positions, triangles, vertexOf, dropped, flipped, capped, volume } = closedSurface(
    where,
    given,
    indices,
    tolerance,
  )
  const nodes = positions.length / 3
  const quality = { nodes, tetrahedra: 0, volume, parts: 1, leastAngle: 0, largestAngle: 0 }
  const shares = new Float64Array(nodes)
  for (let t = 0; t < triangles.length; t += 3) {
    const [x, y, z] = areaVector(positions, triangles[t], triangles[t + 1], triangles[t + 2])
    for (let k = t; k < t + 3; k++) shares[triangles[k]] += Math.sqrt(x * x + y * y + z * z) / 6
  }
  return {
    positions,
    tetrahedra: new Uint32Array(0),
    surface: triangles,
    indices,
    ...riding(embedAlike(vertexOf, UNUSED)),
    shares,
    report: reportOf(quality, dropped, flipped, capped, volume),
  }
}

function reportOf(
  quality: TetrahedraQuality,
  dropped: number,
  flipped: number,
  capped: number,
  meshVolume: number,
): SoftBodyReport {
  return { ...quality, dropped, flipped, capped, meshVolume }
}

/** Turns a tetrahedron so that its volume is above 0; throws for one that is flat. */
function turnOut(where: string, x: Float64Array, tetrahedra: Uint32Array, t: number): void {
  const [a, b, c, d] = tetrahedra.subarray(t, t + 4)
  const six = sixVolumes(x, a, b, c, d)
  let longest = 0
  for (const v of [b, c, d]) {
    for (let k = 0; k < 3; k++) longest = Math.max(longest, Math.abs(x[3 * v + k] - x[3 * a + k]))
  }
  if (!(Math.abs(six) > FLAT * longest * longest * longest)) {
    throw new RangeError(`${where}: tetrahedra must have a volume, got ${six / 6} m³ of that at ${t}`)
  }
  if (six < 0) tetrahedra.set([a, c, b, d], t)
}

/** Where vertices ride, and the nearest node of each; of one that rides on nothing, 2³² − 1. */
export function riding(embedding: Embedding): { embedding: Embedding; vertexOf: Uint32Array } {
  const { nodes, weights } = embedding
  const vertexOf = Uint32Array.from({ length: nodes.length / 4 }, (_, v) => {
    let most = 4 * v
    for (let k = 4 * v + 1; k < 4 * v + 4; k++) if (weights[k] > weights[most]) most = k
    return weights[most] > 0 ? nodes[most] : UNUSED
  })
  return { embedding, vertexOf }
}

/** Faces opposite to each corner of a tetrahedron, counter-clockwise from outside. */
const FACES = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
]

/** Faces that are of one tetrahedron alone. */
export function outsideOf(tetrahedra: Uint32Array): Uint32Array {
  const faces = new Map<string, number[]>()
  for (let t = 0; t < tetrahedra.length; t += 4) {
    for (const face of FACES) {
      const nodes = face.map((k) => tetrahedra[t + k])
      const key = [...nodes].sort((a, b) => a - b).join()
      if (faces.has(key)) faces.delete(key)
      else faces.set(key, nodes)
    }
  }
  return Uint32Array.from(Array.from(faces.values()).flat())
}

/** A quarter of the tetrahedra at each node [m³]. */
export function volumeShares(x: Float64Array, tetrahedra: Uint32Array): Float64Array {
  const shares = new Float64Array(x.length / 3)
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [a, b, c, d] = tetrahedra.subarray(t, t + 4)
    const quarter = sixVolumes(x, a, b, c, d) / 24
    for (const v of [a, b, c, d]) shares[v] += quarter
  }
  return shares
}

/** The side of an equilateral triangle as large as those outside are in the mean [m]. */
export function meanEdge({ positions, surface }: SoftBodyAsset): number {
  const areas = triangleAreas(positions, surface)
  return Math.sqrt((4 / Math.sqrt(3)) * (areas.reduce((sum, area) => sum + area, 0) / areas.length))
}
