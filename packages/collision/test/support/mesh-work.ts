/** Prints the work per triangle of a mesh of many triangles, as a share of that of one with an eighth of them. */

import { startCounting, takeCount } from '../../../core/test/support/count-work.js'

startCounting()
const { triangleMesh } = await import('../../src/index.js')

type Mesh = [vertices: number[], triangles: number[]]

/** Triangles that are equal, that share a corner, and that share an edge. */
const MESHES: Record<string, (n: number) => Mesh> = {
  equal: (n) => [[0, 0, 0, 1, 0, 0, 0, 1, 0], Array.from({ length: 3 * n }, (_, k) => k % 3)],
  fan: (n) => [
    [0, 0, 0, ...Array.from({ length: n + 1 }, (_, k) => [Math.cos(k), Math.sin(k), 0.01 * k]).flat()],
    Array.from({ length: n }, (_, k) => [0, k + 1, k + 2]).flat(),
  ],
  book: (n) => [
    [0, 0, 0, 0, 0, 1, ...Array.from({ length: n }, (_, k) => [Math.cos(k), Math.sin(k), 0]).flat()],
    Array.from({ length: n }, (_, k) => [0, 1, k + 2]).flat(),
  ],
}

function work([vertices, triangles]: Mesh): number {
  takeCount()
  triangleMesh(vertices, triangles)
  return takeCount() / triangles.length
}

const growth = Object.entries(MESHES).map(([name, make]) => [name, work(make(2000)) / work(make(250))])
console.log(JSON.stringify(Object.fromEntries(growth)))
