/** What a static triangle mesh is stored as. */

import type { Bvh } from './bvh.js'

export interface MeshData {
  /** x, y, z a vertex. */
  readonly vertices: Float64Array
  /** Three vertices a triangle, counter-clockwise seen from outside. */
  readonly triangles: Int32Array
  /** Outward unit normal a triangle. */
  readonly normals: Float64Array
  /**
   * A bit an edge (1: 0→1, 2: 1→2, 4: 2→0) that no contact normal may lean over: the edge is shared, and its two triangles
   * are coplanar or meet in a valley. What strikes there strikes a face. The same times 8 for what comes from behind.
   */
  readonly innerEdges: Uint8Array
  /** Triangles met from behind are passed through. */
  readonly oneSided: boolean
  /** The number that each triangle has in the user's list. */
  readonly source: Int32Array
  /** Triangles of the user's list that have no area, and were left out. */
  readonly dropped: number
  readonly bvh: Bvh
}

/** Writes the corners of a triangle to out[o…o + 8]. */
export function writeMeshTriangle(mesh: MeshData, triangle: number, out: Float64Array, o: number): void {
  const { vertices, triangles } = mesh
  for (let k = 0; k < 3; k++) {
    const v = 3 * triangles[3 * triangle + k]
    out[o + 3 * k] = vertices[v]
    out[o + 3 * k + 1] = vertices[v + 1]
    out[o + 3 * k + 2] = vertices[v + 2]
  }
}
