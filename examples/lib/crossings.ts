/** Edges that pass through triangles, counted exactly: every edge against every triangle. */

import { orient3d } from 'robust-predicates'

type Point = readonly [number, number, number]

/** How many edges (two indices) pass through triangles (three) that they share no vertex with; `at` has three numbers a vertex. */
export function countCrossings(at: ArrayLike<number>, edges: ArrayLike<number>, triangles: ArrayLike<number>): number {
  const point = (v: number): Point => [at[3 * v], at[3 * v + 1], at[3 * v + 2]]
  let count = 0
  for (let e = 0; e < edges.length; e += 2) {
    const [p, q] = [edges[e], edges[e + 1]]
    const ends = [point(p), point(q)] as const
    for (let t = 0; t < triangles.length; t += 3) {
      const corners = [triangles[t], triangles[t + 1], triangles[t + 2]]
      if (corners.includes(p) || corners.includes(q) || areApart(at, p, q, corners)) continue
      const [a, b, c] = corners.map(point)
      if (passes(...ends, a, b, c)) count++
    }
  }
  return count
}

/** Whether the boxes of an edge and a triangle are apart. */
function areApart(at: ArrayLike<number>, p: number, q: number, [a, b, c]: readonly number[]): boolean {
  for (let k = 0; k < 3; k++) {
    const [x, y] = [at[3 * p + k], at[3 * q + k]]
    const [u, v, w] = [at[3 * a + k], at[3 * b + k], at[3 * c + k]]
    if (Math.max(x, y) < Math.min(u, v, w) || Math.min(x, y) > Math.max(u, v, w)) return true
  }
  return false
}

/** Whether p and q are on two sides of the triangle, and it is on one side of all planes through them and its edges. */
function passes(p: Point, q: Point, a: Point, b: Point, c: Point): boolean {
  if (Math.sign(orient3d(...a, ...b, ...c, ...p)) * Math.sign(orient3d(...a, ...b, ...c, ...q)) !== -1) return false
  const turns = Math.sign(orient3d(...p, ...q, ...a, ...b))
  if (turns === 0) return false
  return turns === Math.sign(orient3d(...p, ...q, ...b, ...c)) && turns === Math.sign(orient3d(...p, ...q, ...c, ...a))
}
