/** Triangle meshes as plain arrays: checks, and vertices that are one joined. */

import { finiteVector, refuseNested, shown } from '@tautline/core/kernel'

/** A triangle mesh whose vertices are all different. */
export interface WeldedMesh {
  /** x, y, z of each vertex [m]. */
  readonly positions: Float64Array
  /** Three vertices a triangle; those that kept three different ones. */
  readonly triangles: Uint32Array
  /** For each vertex that was given, its vertex here; {@link UNUSED} where no triangle has it. */
  readonly vertexOf: Uint32Array
  /** Triangles that lost a side, or were there twice. */
  readonly dropped: number
}

/** In `vertexOf`: no triangle uses the vertex. */
export const UNUSED = 0xffffffff
/** Share of the longest side of the mesh within which vertices are one: coordinates in float32 leave 1e-7 along a seam. */
const SEAM = 1e-5
/** The same as a share of the mean edge: vertices that were rounded to few digits, or exported twice, are nearer; details are farther apart. */
const SEAM_OF_EDGE = 1e-3

/** Checks positions: x, y, z of at least one vertex, all finite [m]. */
export function checkPositions(where: string, positions: unknown, field = 'positions'): ArrayLike<number> {
  const at = `${where}: ${field}`
  const list = listed(at, positions)
  refuseNested(at, list)
  const { length } = list
  if (length === 0 || length % 3 !== 0) {
    throw new RangeError(`${at} must be x, y, z of at least one vertex, got ${length} numbers`)
  }
  return finiteVector(at, positions, length)
}

/** Checks numbers of vertices, `arity` an element, each below `count`. */
export function checkIndices(where: string, indices: unknown, arity: number, count: number): ArrayLike<number> {
  const list = listed(where, indices)
  refuseNested(where, list)
  if (list.length % arity !== 0) throw new RangeError(`${where} must be ${arity} numbers each, got ${list.length}`)
  for (let k = 0; k < list.length; k++) {
    const v = list[k]
    if (!Number.isInteger(v) || v < 0 || v >= count) {
      throw new RangeError(`${where}[${k}] must be the number of one of ${count} vertices, got ${shown(v)}`)
    }
  }
  return list
}

/** A list of numbers: an array or a typed array. */
export function listed(where: string, value: unknown): ArrayLike<number> {
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    throw new TypeError(`${where} must be an array of numbers, got ${shown(value)}`)
  }
  return value as unknown as ArrayLike<number>
}

/** Distance within which vertices of a mesh are one by default [m]. */
export function seamOf(positions: ArrayLike<number>, indices: ArrayLike<number>): number {
  let sum = 0
  let count = 0
  for (let t = 0; t < indices.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const length = apart(positions, indices[t + k], indices[t + ((k + 1) % 3)])
      if (length > 0) count++
      sum += length
    }
  }
  return Math.max(SEAM * extentOf(positions), (SEAM_OF_EDGE * sum) / Math.max(1, count))
}

/** The longest side of the box around positions [m]. */
export function extentOf(positions: ArrayLike<number>): number {
  let longest = 0
  for (let axis = 0; axis < 3; axis++) {
    let least = Infinity
    let most = -Infinity
    for (let k = axis; k < positions.length; k += 3) {
      least = Math.min(least, positions[k])
      most = Math.max(most, positions[k])
    }
    longest = Math.max(longest, most - least)
  }
  return longest
}

/**
 * Joins vertices at most `tolerance` [m] apart, the first of them stays where it is, and drops triangles that lose a side by it or that
 * are there twice. Files store a vertex twice where a seam of the texture or a sharp edge runs through it: simulated as it is, such a mesh tears open there.
 */
export function weld(positions: ArrayLike<number>, triangles: ArrayLike<number>, tolerance: number): WeldedMesh {
  const joined = joinVertices(positions, tolerance)
  const kept: number[] = []
  const seen = new Set<string>()
  let dropped = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [joined[triangles[t]], joined[triangles[t + 1]], joined[triangles[t + 2]]]
    const key = [a, b, c].sort((x, y) => x - y).join()
    if (a === b || b === c || c === a || seen.has(key)) dropped++
    else kept.push(a, b, c)
    seen.add(key)
  }
  const number = new Uint32Array(joined.length).fill(UNUSED)
  for (const v of kept) number[v] = 0
  const points: number[] = []
  for (let v = 0; v < joined.length; v++) {
    if (number[v] === UNUSED) continue
    number[v] = points.length / 3
    points.push(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2])
  }
  return {
    positions: Float64Array.from(points),
    triangles: Uint32Array.from(kept, (v) => number[v]),
    vertexOf: joined.map((v) => number[v]),
    dropped,
  }
}

/** For each vertex, the first one at most `tolerance` [m] away. */
function joinVertices(positions: ArrayLike<number>, tolerance: number): Uint32Array {
  const cell = tolerance > 0 ? 2 * tolerance : 1
  const cells = new Map<string, number[]>()
  const joined = new Uint32Array(positions.length / 3)
  const near = [0, 0, 0]
  for (let v = 0; v < joined.length; v++) {
    const o = 3 * v
    let first = v
    // A ball of the tolerance meets two cells an axis at most: its own, and the one that its centre is nearer to.
    for (let axis = 0; axis < 3; axis++) near[axis] = nearerCell(positions[o + axis] / cell)
    for (let n = 0; n < 8; n++) {
      if (tolerance === 0 && n > 0) break
      const key = cellKey(positions, o, cell, near, n)
      for (const other of cells.get(key) ?? []) {
        if (other < first && apart(positions, v, other) <= tolerance) first = other
      }
    }
    joined[v] = first
    if (first !== v) continue
    const key = cellKey(positions, o, cell, near, 0)
    const list = cells.get(key)
    if (list === undefined) cells.set(key, [v])
    else list.push(v)
  }
  return joined
}

/** Whether a coordinate, in cells, is nearer to the next cell (+1) or the one before (−1). */
function nearerCell(x: number): number {
  return x - Math.floor(x) >= 0.5 ? 1 : -1
}

/** Name of the cell of a vertex, moved along the axes in `bits` towards what it is nearer to. */
function cellKey(positions: ArrayLike<number>, o: number, cell: number, near: readonly number[], bits: number): string {
  const x = Math.floor(positions[o] / cell) + (bits & 1) * near[0]
  const y = Math.floor(positions[o + 1] / cell) + ((bits >> 1) & 1) * near[1]
  const z = Math.floor(positions[o + 2] / cell) + (bits >> 2) * near[2]
  return `${x},${y},${z}`
}

/** Distance of two vertices [m]. */
export function apart(positions: ArrayLike<number>, v: number, w: number): number {
  const x = positions[3 * v] - positions[3 * w]
  const y = positions[3 * v + 1] - positions[3 * w + 1]
  const z = positions[3 * v + 2] - positions[3 * w + 2]
  return Math.sqrt(x * x + y * y + z * z)
}

/** Twice the area vector (b − a) × (c − a) of a triangle [m²]. */
export function areaVector(positions: ArrayLike<number>, a: number, b: number, c: number): [number, number, number] {
  const ux = positions[3 * b] - positions[3 * a]
  const uy = positions[3 * b + 1] - positions[3 * a + 1]
  const uz = positions[3 * b + 2] - positions[3 * a + 2]
  const vx = positions[3 * c] - positions[3 * a]
  const vy = positions[3 * c + 1] - positions[3 * a + 1]
  const vz = positions[3 * c + 2] - positions[3 * a + 2]
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
}

/** Area of each triangle [m²]. */
export function triangleAreas(positions: ArrayLike<number>, triangles: ArrayLike<number>): Float64Array {
  const areas = new Float64Array(triangles.length / 3)
  for (let t = 0; t < areas.length; t++) {
    const [x, y, z] = areaVector(positions, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2])
    areas[t] = 0.5 * Math.sqrt(x * x + y * y + z * z)
  }
  return areas
}
