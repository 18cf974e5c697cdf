/** Fills a closed mesh with tetrahedra. */

import { knownFields, nonNegative, object, positive } from '@tautline/core/kernel'
import { checkIndices, checkPositions, extentOf, seamOf } from '../parts/mesh.js'
import { type ClosedSurface, closedSurface } from './closed-surface.js'
import { Crossings } from './crossings.js'
import { latticeIn, type Lattice } from './lattice.js'
import { measureTetrahedra, sixVolumes, type TetrahedraQuality } from './quality.js'
import { stuff } from './stuffing.js'
import { Shadows } from './winding.js'

/** What {@link tetrahedralize} takes. */
export interface FillMesh {
  /** x, y, z of each vertex [m]. */
  positions: ArrayLike<number>
  /** Three vertices a triangle; left out, vertices are taken three by three. @defaultValue in order */
  indices?: ArrayLike<number>
}

/** How a mesh is filled. */
export interface FillOptions {
  /** Length of a cell of the lattice, about that of an edge [m]. @defaultValue an eighth of the longest side */
  size?: number
  /** Vertices at most so far apart are one [m]. @defaultValue 1e-5 of the longest side, or a thousandth of the mean edge where that is more */
  weldTolerance?: number
}

/** What was found in a mesh, repaired, and made of it. */
export interface FillReport extends TetrahedraQuality {
  /** Triangles that were left out: without three different vertices, or there twice. */
  readonly dropped: number
  /** Triangles that were turned round. */
  readonly flipped: number
  /** Holes that were closed, by a fan around their middle. */
  readonly capped: number
  /** Volume of the mesh, once it was repaired [m³]. */
  readonly meshVolume: number
}

/** A filled mesh. */
export interface FilledMesh {
  /** x, y, z of each node [m]. */
  readonly positions: Float64Array
  /** Four nodes a, b, c, d each, such that (b − a) × (c − a) points towards d. */
  readonly tetrahedra: Uint32Array
  readonly report: FillReport
}

/** Share of a cell's volume below which a tetrahedron is none: round-off where a surface touches a node. */
const SLIVER = 1e-7
/** Cells along the longest side, where nobody says how large they are. */
const CELLS = 8

/**
 * Fills a mesh with tetrahedra, by a lattice that is cut at its surface. Vertices that lie on each other are joined, triangles turned the same way round, holes closed; `report` tells.
 * Sharp edges that do not lie along the box around the mesh are rounded by up to a cell, and what is thinner than a cell may be lost: compare `volume` with
 * `meshVolume`. The same mesh gives the same tetrahedra, to the bit. Throws `TypeError`/`RangeError` with what is wrong where nothing comes of it.
 */
export function tetrahedralize(mesh: FillMesh, options: FillOptions = {}): FilledMesh {
  const where = 'tetrahedralize'
  knownFields(where, object(`${where}: mesh`, mesh), ['positions', 'indices'])
  knownFields(`${where}: options`, object(`${where}: options`, options), ['size', 'weldTolerance'])
  const given = checkPositions(where, mesh.positions)
  const count = given.length / 3
  const inOrder = Uint32Array.from({ length: count }, (_, v) => v)
  const indices = checkIndices(`${where}: indices`, mesh.indices ?? inOrder, 3, count)
  const extent = extentOf(given)
  const tolerance = nonNegative(`${where}: weldTolerance`, options.weldTolerance ?? seamOf(given, indices))
  const surface = closedSurface(where, given, indices, tolerance)
  const size = positive(`${where}: size`, options.size ?? extent / CELLS)
  const filled = fill(where, surface, size)
  const { dropped, flipped, capped, volume: meshVolume } = surface
  const report = { ...measureTetrahedra(filled.positions, filled.tetrahedra), dropped, flipped, capped, meshVolume }
  return { ...filled, report }
}

function fill(
  where: string,
  surface: ClosedSurface,
  size: number,
): { positions: Float64Array; tetrahedra: Uint32Array } {
  const { positions } = surface
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ]
  positions.forEach((value, k) => {
    low[k % 3] = Math.min(low[k % 3], value)
    high[k % 3] = Math.max(high[k % 3], value)
  })
  const lattice = latticeIn(where, low, high, size)
  const { positions: x, tetrahedra } = stuff(lattice, insideOf(lattice, surface), new Crossings(surface, size))
  const [a, b, c] = lattice.spacing
  const kept = turned(x, tetrahedra, SLIVER * a * b * c)
  if (kept.length === 0) {
    throw new RangeError(`${where}: size must be smaller for a mesh as thin as this, got ${size} m`)
  }
  return compact(x, kept)
}

/** Which nodes of a lattice are inside. */
function insideOf(lattice: Lattice, surface: ClosedSurface): Uint8Array {
  const { cells, corners, positions, low, high } = lattice
  const [nx, ny, nz] = cells
  const shadows = new Shadows(surface, low, high, [ny, nz])
  const inside = new Uint8Array(positions.length / 3)
  const counts = new Int32Array(nx + 2)
  for (let from = 0; from < inside.length;) {
    const length = from < corners ? nx + 1 : nx + 2
    const xs = Array.from({ length }, (_, i) => positions[3 * (from + i)])
    shadows.windings(xs, positions[3 * from + 1], positions[3 * from + 2], counts)
    for (let i = 0; i < length; i++) inside[from + i] = counts[i] !== 0 ? 1 : 0
    from += length
  }
  return inside
}

/** Tetrahedra with a volume, turned so that it is above 0. */
function turned(x: ArrayLike<number>, tetrahedra: readonly number[], least: number): number[] {
  const kept: number[] = []
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [a, b, c, d] = tetrahedra.slice(t, t + 4)
    const six = sixVolumes(x, a, b, c, d)
    if (six > 6 * least) kept.push(a, b, c, d)
    else if (six < -6 * least) kept.push(a, c, b, d)
  }
  return kept
}

/** Leaves nodes out that no tetrahedron has. */
function compact(
  x: ArrayLike<number>,
  tetrahedra: readonly number[],
): { positions: Float64Array; tetrahedra: Uint32Array } {
  const number = new Map<number, number>()
  for (const v of Array.from(new Set(tetrahedra)).sort((a, b) => a - b)) number.set(v, number.size)
  const positions = new Float64Array(3 * number.size)
  for (const [v, n] of number) for (let k = 0; k < 3; k++) positions[3 * n + k] = x[3 * v + k]
  return { positions, tetrahedra: Uint32Array.from(tetrahedra, (v) => number.get(v) as number) }
}
