/**
 * A ground of heights over a regular grid in x and z, centred on the local origin.
 *
 * Column i lies at x = (i − (columns − 1)/2) cellX, row j at z = (j − (rows − 1)/2) cellZ. The cell between the columns i,
 * i + 1 and the rows j, j + 1 has the number j (columns − 1) + i and two triangles, cut along the diagonal from (i + 1, j)
 * to (i, j + 1), as most terrain meshes are that a plane was bent into:
 *
 *        i      i + 1   → x
 *    j   •────────•
 *        │ 2c   ╱ │         2 c        (i, j), (i, j + 1), (i + 1, j)
 *        │   ╱    │         2 c + 1    (i + 1, j), (i, j + 1), (i + 1, j + 1)
 *  j + 1 •────────•
 *   ↓ z    2c + 1           both counter-clockwise seen from above
 *
 * A triangle of which a corner is a hole is not there.
 */

import { knownFields, shown } from '@tautline/core/kernel'
import { convexSurface } from '../detect/narrow/mesh.js'
import { HEIGHTFIELD, Shape } from './shape.js'
import { BEHIND, COPLANAR } from './inner-edges.js'
import type { HeightfieldData } from './heightfield-data.js'
import { coordinate, extent } from './points.js'

/** How a user describes a heightfield. */
export interface HeightfieldDef {
  /** Height y [m] of column i (x) and row j (z) at `heights[j * columns + i]`; `null` is a hole. */
  heights: ArrayLike<number | null>
  /** Points along x, at least 2. */
  columns: number
  /** Points along z, at least 2. */
  rows: number
  /** Distance of two columns [m]. */
  cellX: number
  /** Distance of two rows [m]. */
  cellZ: number
}

/** A ground of heights over a grid, centred on the local origin. It cannot move, and has no inside. */
export function heightfield(def: HeightfieldDef): Shape {
  knownFields('heightfield: definition', def, ['type', 'heights', 'columns', 'rows', 'cellX', 'cellZ'])
  const columns = atLeastTwo('heightfield: columns', def.columns)
  const rows = atLeastTwo('heightfield: rows', def.rows)
  const cellX = extent('heightfield: cellX', def.cellX)
  const cellZ = extent('heightfield: cellZ', def.cellZ)
  const heights = checkedHeights(def.heights, columns, rows)
  const grid = { heights, columns, rows, cellX, cellZ }
  const { least, greatest } = rangeOf(grid)
  const x = ((columns - 1) / 2) * cellX
  const z = ((rows - 1) / 2) * cellZ
  return new Shape({
    kind: HEIGHTFIELD,
    params: new Float64Array(0),
    heightfield: { ...grid, innerEdges: innerEdgesOf(grid) },
    bounds: Float64Array.of(-x, least, -z, x, greatest, z),
    contacts: convexSurface,
    json: () => ({ type: 'heightfield', ...grid, heights: Array.from(heights, (h) => (h === h ? h : null)) }),
  })
}

type Grid = Omit<HeightfieldData, 'innerEdges'>

/**
 * Triangles on both sides of an edge a → b with the third corners c and d are a parallelogram seen from above, so that
 * the plane of the one has the height a + b − c over d. What rises above that makes a valley.
 */
function innerEdgesOf({ heights, columns, rows, cellX, cellZ }: Grid): Uint8Array {
  const inner = new Uint8Array(2 * (columns - 1) * (rows - 1))
  const height = (i: number, j: number): number =>
    i < 0 || j < 0 || i >= columns || j >= rows ? NaN : heights[j * columns + i]
  // What counts as level: the distance of d from the edge, seen from above, times the angle.
  const levelX = COPLANAR * cellX
  const levelZ = COPLANAR * cellZ
  const levelD = (levelX * cellZ) / Math.sqrt(cellX * cellX + cellZ * cellZ)
  // A side beyond which there is nothing has the height NaN, and gets no bit.
  const bits = (a: number, b: number, c: number, d: number, level: number, bit: number): number => {
    const rise = d - (a + b - c)
    return (rise >= -level ? bit : 0) | (rise <= level ? BEHIND * bit : 0)
  }
  for (let j = 0; j + 1 < rows; j++) {
    for (let i = 0; i + 1 < columns; i++) {
      const h00 = height(i, j)
      const h10 = height(i + 1, j)
      const h01 = height(i, j + 1)
      const h11 = height(i + 1, j + 1)
      const t = 2 * (j * (columns - 1) + i)
      inner[t] =
        bits(h00, h01, h10, height(i - 1, j + 1), levelX, 1) |
        bits(h01, h10, h00, h11, levelD, 2) |
        bits(h10, h00, h01, height(i + 1, j - 1), levelZ, 4)
      inner[t + 1] =
        bits(h10, h01, h11, h00, levelD, 1) |
        bits(h01, h11, h10, height(i, j + 2), levelZ, 2) |
        bits(h11, h10, h01, height(i + 2, j), levelX, 4)
    }
  }
  return inner
}

function checkedHeights(given: ArrayLike<number | null>, columns: number, rows: number): Float64Array {
  const where = 'heightfield: heights'
  if (typeof given !== 'object' || typeof given?.length !== 'number') {
    throw new TypeError(`${where} must be an array of numbers, got ${shown(given)}`)
  }
  if (given.length !== columns * rows) {
    throw new RangeError(`${where} must be columns × rows = ${columns * rows} numbers, got ${given.length}`)
  }
  return Float64Array.from({ length: given.length }, (_, k) => {
    const h = given[k]
    return h === null ? NaN : coordinate(`${where}[${k}]`, h)
  })
}

function atLeastTwo(where: string, value: unknown): number {
  if (typeof value !== 'number') throw new TypeError(`${where} must be a whole number >= 2, got ${shown(value)}`)
  if (!(Number.isInteger(value) && value >= 2))
    throw new RangeError(`${where} must be a whole number >= 2, got ${value}`)
  return value
}

/** Least and greatest height of what is there. */
function rangeOf({ heights, columns, rows }: Grid): { least: number; greatest: number } {
  let least = Infinity
  let greatest = -Infinity
  const include = (a: number, b: number, c: number): void => {
    // Of a hole all three are NaN, and nothing is less or greater.
    const low = Math.min(a, b, c)
    const high = Math.max(a, b, c)
    if (low < least) least = low
    if (high > greatest) greatest = high
  }
  for (let j = 0; j + 1 < rows; j++) {
    for (let k = j * columns; k + 1 < (j + 1) * columns; k++) {
      include(heights[k], heights[k + columns], heights[k + 1])
      include(heights[k + 1], heights[k + columns], heights[k + columns + 1])
    }
  }
  if (least > greatest) throw new RangeError('heightfield: heights must leave a triangle, got holes in each')
  return { least, greatest }
}
