/** What a heightfield is stored as, and its triangles. */

import type { IntList } from '../detect/broad/int-list.js'

/** Heights over a grid in x and z. */
export interface HeightfieldData {
  /** Height y [m] of column i (x) and row j (z) at `heights[j * columns + i]`; NaN is a hole. */
  readonly heights: Float64Array
  readonly columns: number
  readonly rows: number
  /** Spacing of the grid in x and z [m]; the grid is centred on the local origin. */
  readonly cellX: number
  readonly cellZ: number
  /** Bits as in `MeshData.innerEdges`, a triangle each, also of those that are not there. */
  readonly innerEdges: Uint8Array
}

/**
 * Fills `out` with the triangles of a heightfield that box[o…o + 5], in its frame, may touch, ascending: those whose cell
 * and whose heights it meets.
 */
export function heightfieldTriangles(field: HeightfieldData, box: Float64Array, o: number, out: IntList): void {
  const { heights, columns, rows, cellX, cellZ } = field
  out.clear()
  const middleX = (columns - 1) / 2
  const middleZ = (rows - 1) / 2
  const fromI = Math.max(0, Math.floor(box[o] / cellX + middleX))
  const toI = Math.min(columns - 2, Math.floor(box[o + 3] / cellX + middleX))
  const fromJ = Math.max(0, Math.floor(box[o + 2] / cellZ + middleZ))
  const toJ = Math.min(rows - 2, Math.floor(box[o + 5] / cellZ + middleZ))
  const least = box[o + 1]
  const greatest = box[o + 4]
  for (let j = fromJ; j <= toJ; j++) {
    for (let i = fromI; i <= toI; i++) {
      const k = j * columns + i
      const h00 = heights[k]
      const h10 = heights[k + 1]
      const h01 = heights[k + columns]
      const h11 = heights[k + columns + 1]
      const cell = j * (columns - 1) + i
      // Of a hole Math.min and Math.max make a NaN, which meets nothing.
      const low = Math.min(h10, h01)
      const high = Math.max(h10, h01)
      if (Math.min(low, h00) <= greatest && Math.max(high, h00) >= least) out.push(2 * cell)
      if (Math.min(low, h11) <= greatest && Math.max(high, h11) >= least) out.push(2 * cell + 1)
    }
  }
}

/** Writes the corners of a triangle to out[o…o + 8]. */
export function writeHeightfieldTriangle(field: HeightfieldData, triangle: number, out: Float64Array, o: number): void {
  const { columns } = field
  const cell = triangle >> 1
  const j = Math.floor(cell / (columns - 1))
  const i = cell - j * (columns - 1)
  if (triangle % 2 === 0) writeVertex(field, i, j, out, o)
  else writeVertex(field, i + 1, j, out, o)
  writeVertex(field, i, j + 1, out, o + 3)
  if (triangle % 2 === 0) writeVertex(field, i + 1, j, out, o + 6)
  else writeVertex(field, i + 1, j + 1, out, o + 6)
}

function writeVertex(field: HeightfieldData, i: number, j: number, out: Float64Array, o: number): void {
  out[o] = (i - (field.columns - 1) / 2) * field.cellX
  out[o + 1] = field.heights[j * field.columns + i]
  out[o + 2] = (j - (field.rows - 1) / 2) * field.cellZ
}
