/** Edges that pass through triangles, counted exactly. */

import { orient3d } from 'robust-predicates'

/** How many pairs of an edge (two indices) and a triangle (three) that share no particle cross; `at` has three numbers a particle. */
export function countCrossings(at: ArrayLike<number>, edges: ArrayLike<number>, triangles: ArrayLike<number>): number {
  const grid = new Map<string, number[]>()
  let widest = 0
  const span = (ids: readonly number[], axis: number): [number, number] => [
    Math.min(...ids.map((i) => at[3 * i + axis])),
    Math.max(...ids.map((i) => at[3 * i + axis])),
  ]
  for (let t = 0; t < triangles.length; t += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const [least, most] = span([triangles[t], triangles[t + 1], triangles[t + 2]], axis)
      widest = Math.max(widest, most - least)
    }
  }
  const cells = function* (ids: readonly number[]): Generator<string> {
    const [x, y, z] = [0, 1, 2].map((axis) => span(ids, axis).map((value) => Math.floor(value / widest)))
    for (let i = x[0]; i <= x[1]; i++)
      for (let j = y[0]; j <= y[1]; j++) for (let k = z[0]; k <= z[1]; k++) yield `${i},${j},${k}`
  }
  for (let t = 0; t < triangles.length; t += 3) {
    for (const cell of cells([triangles[t], triangles[t + 1], triangles[t + 2]])) {
      const list = grid.get(cell)
      if (list === undefined) grid.set(cell, [t])
      else list.push(t)
    }
  }
  let count = 0
  for (let e = 0; e < edges.length; e += 2) {
    const seen = new Set<number>()
    for (const cell of cells([edges[e], edges[e + 1]])) {
      for (const t of grid.get(cell) ?? []) {
        if (seen.has(t)) continue
        seen.add(t)
        if (crosses(at, edges[e], edges[e + 1], triangles[t], triangles[t + 1], triangles[t + 2])) count++
      }
    }
  }
  return count
}

function crosses(at: ArrayLike<number>, p: number, q: number, a: number, b: number, c: number): boolean {
  if (p === a || p === b || p === c || q === a || q === b || q === c) return false
  const above = side(at, a, b, c, p)
  const below = side(at, a, b, c, q)
  if (above * below >= 0) return false
  const u = side(at, p, q, a, b)
  const v = side(at, p, q, b, c)
  const w = side(at, p, q, c, a)
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0)
}

function side(at: ArrayLike<number>, i: number, j: number, k: number, l: number): number {
  const [x, y, z, w] = [i, j, k, l].map((n) => [at[3 * n], at[3 * n + 1], at[3 * n + 2]])
  return orient3d(x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2], w[0], w[1], w[2])
}
