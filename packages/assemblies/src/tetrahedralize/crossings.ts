/** Where edges of a lattice pass through a surface. */

import type { ClosedSurface } from './closed-surface.js'

/** Slack of the shares of a triangle's corners: what passes between two triangles by round-off hits both. */
const SLACK = 1e-9

/** Triangles by the cells of a grid that they may touch. */
export class Crossings {
  private readonly surface: ClosedSurface
  private readonly size: number
  private readonly grid = new Map<string, number[]>()

  /** `size` is about the length of an edge that is asked for [m]. */
  constructor(surface: ClosedSurface, size: number) {
    this.surface = surface
    this.size = size
    const { positions: x, triangles } = surface
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
      const ends = [0, 1, 2].map((k) => [
        Math.min(x[a + k], x[b + k], x[c + k]),
        Math.max(x[a + k], x[b + k], x[c + k]),
      ])
      this.each(ends, (key) => {
        const list = this.grid.get(key)
        if (list === undefined) this.grid.set(key, [t])
        else list.push(t)
      })
    }
  }

  /** Share of the way from p to q, offsets in `x`, of the first crossing; a half where round-off hides it. */
  first(x: Float64Array, p: number, q: number): number {
    let share = Infinity
    const ends = [0, 1, 2].map((k) => [Math.min(x[p + k], x[q + k]), Math.max(x[p + k], x[q + k])])
    this.each(ends, (key) => {
      for (const t of this.grid.get(key) ?? []) share = Math.min(share, this.hit(t, x, p, q))
    })
    return share <= 1 ? share : 0.5
  }

  private each(ends: readonly (readonly number[])[], visit: (key: string) => void): void {
    const [[x0, x1], [y0, y1], [z0, z1]] = ends.map((pair) => pair.map((value) => Math.floor(value / this.size)))
    for (let k = z0; k <= z1; k++) for (let j = y0; j <= y1; j++) for (let i = x0; i <= x1; i++) visit(`${i},${j},${k}`)
  }

  /** Share of the way at which a triangle is hit, or infinity (Möller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997). */
  private hit(t: number, x: Float64Array, p: number, q: number): number {
    const { positions: y, triangles } = this.surface
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]]
    const d = [x[q] - x[p], x[q + 1] - x[p + 1], x[q + 2] - x[p + 2]]
    const e = [y[b] - y[a], y[b + 1] - y[a + 1], y[b + 2] - y[a + 2]]
    const f = [y[c] - y[a], y[c + 1] - y[a + 1], y[c + 2] - y[a + 2]]
    const s = [x[p] - y[a], x[p + 1] - y[a + 1], x[p + 2] - y[a + 2]]
    const h = cross(d, f)
    const det = dot(e, h)
    if (det === 0) return Infinity
    const u = dot(s, h) / det
    const r = cross(s, e)
    const v = dot(d, r) / det
    if (u < -SLACK || v < -SLACK || u + v > 1 + SLACK) return Infinity
    const share = dot(f, r) / det
    return share >= -SLACK && share <= 1 + SLACK ? Math.min(Math.max(share, 0), 1) : Infinity
  }
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
