/**
 * Which points of a lattice are inside: winding numbers along its lines. Signs are those of exact predicates (Shewchuk, "Adaptive precision
 * floating-point arithmetic and fast robust geometric predicates", 1997); a line through an edge or a vertex counts as beside it, by ε along y and ε² along z
 * (Edelsbrunner and Mücke, "Simulation of simplicity", 1990), so that no line passes between two triangles, or through both.
 */

import { orient2d, orient3d } from 'robust-predicates'
import type { ClosedSurface } from './closed-surface.js'

/** Share of the length of a line within which a crossing and a point are told apart exactly. */
const CLOSE = 1e-6

/** Triangles by the cells of y and z that they cover. */
export class Shadows {
  private readonly surface: ClosedSurface
  private readonly low: readonly [number, number]
  private readonly size: readonly [number, number]
  private readonly cells: readonly [number, number]
  private readonly lists: number[][]

  /** `low` and `high` are the corners of the box around the surface; `cells` along y and z. */
  constructor(surface: ClosedSurface, low: ArrayLike<number>, high: ArrayLike<number>, cells: [number, number]) {
    this.surface = surface
    this.low = [low[1], low[2]]
    this.cells = cells
    this.size = [(high[1] - low[1]) / cells[0], (high[2] - low[2]) / cells[1]]
    this.lists = Array.from({ length: cells[0] * cells[1] }, () => [])
    const { positions: x, triangles } = surface
    for (let t = 0; t < triangles.length; t += 3) {
      const ends = [0, 1].map((k) => {
        const at = [0, 1, 2].map((s) => x[3 * triangles[t + s] + 1 + k])
        return [this.cell(k, Math.min(...at)), this.cell(k, Math.max(...at))]
      })
      for (let j = ends[0][0]; j <= ends[0][1]; j++) {
        for (let k = ends[1][0]; k <= ends[1][1]; k++) this.lists[j + cells[0] * k].push(t)
      }
    }
  }

  /** Winding numbers of the points with `xs`, rising, on the line along x at y, z. */
  windings(xs: ArrayLike<number>, y: number, z: number, out: Int32Array): void {
    out.fill(0, 0, xs.length)
    const list = this.lists[this.cell(0, y) + this.cells[0] * this.cell(1, z)]
    const { positions: p, triangles } = this.surface
    const close = CLOSE * (xs[xs.length - 1] - xs[0])
    for (const t of list) {
      const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
      const side = sideOf(p, a, b, y, z)
      if (side === 0 || sideOf(p, b, c, y, z) !== side || sideOf(p, c, a, y, z) !== side) continue
      const at = crossing(p, a, b, c, y, z)
      for (let i = 0; i < xs.length; i++) {
        let isBefore = xs[i] < at
        if (Math.abs(xs[i] - at) <= close) {
          const exact = orient3d(
            p[a],
            p[a + 1],
            p[a + 2],
            p[b],
            p[b + 1],
            p[b + 2],
            p[c],
            p[c + 1],
            p[c + 2],
            xs[i],
            y,
            z,
          )
          isBefore = exact * side > 0
        }
        if (!isBefore) break
        out[i] += side
      }
    }
  }

  private cell(k: 0 | 1 | number, value: number): number {
    const i = Math.floor((value - this.low[k]) / this.size[k])
    return Math.min(Math.max(i, 0), this.cells[k] - 1)
  }
}

/** On which side of the edge from a to b, in y and z, the line is: 1 left, −1 right; on it, that where it is when moved a little. */
function sideOf(p: Float64Array, a: number, b: number, y: number, z: number): number {
  // The predicate is above 0 where the three run clockwise.
  const turn = -orient2d(p[a + 1], p[a + 2], p[b + 1], p[b + 2], y, z)
  if (turn !== 0) return turn > 0 ? 1 : -1
  const along = p[a + 2] - p[b + 2] !== 0 ? p[a + 2] - p[b + 2] : p[b + 1] - p[a + 1]
  return along > 0 ? 1 : along < 0 ? -1 : 0
}

/** x at which the line at y, z crosses the plane of a triangle. */
function crossing(p: Float64Array, a: number, b: number, c: number, y: number, z: number): number {
  const weight = (u: number, v: number): number => (p[u + 1] - y) * (p[v + 2] - z) - (p[u + 2] - z) * (p[v + 1] - y)
  const [wa, wb, wc] = [weight(b, c), weight(c, a), weight(a, b)]
  const sum = wa + wb + wc
  return sum === 0 ? p[a] : (wa * p[a] + wb * p[b] + wc * p[c]) / sum
}
