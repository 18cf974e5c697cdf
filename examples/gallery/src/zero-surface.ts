/** The surface on which a function is 0, as triangles: each cell of a grid is cut into six tetrahedra (marching tetrahedra). No DOM. */

import type { Triple } from './exhibit.js'

/** Triangles: corners, and their positions by index. */
export interface ZeroSurface {
  readonly positions: number[]
  readonly indices: number[]
}

/** Corners of a cell by the bits of their index (x, y, z), and the six tetrahedra about its diagonal. */
const TETRAHEDRA = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
] as const

/** The zeros of `f` within a box, on a grid of `count` cells a side; places where it is not finite are left out. */
export function zeroSurface(f: (point: Triple) => number, low: Triple, high: Triple, count: number): ZeroSurface {
  const n = count + 1
  const at = (i: number, k: number): number => low[k] + ((high[k] - low[k]) * i) / count
  const values = new Float64Array(n * n * n)
  for (let z = 0; z < n; z++) {
    for (let y = 0; y < n; y++) {
      for (let x = 0; x < n; x++) values[x + n * (y + n * z)] = f([at(x, 0), at(y, 1), at(z, 2)])
    }
  }
  const surface: ZeroSurface = { positions: [], indices: [] }
  const vertices = new Map<number, number>()

  /** The vertex on the edge between two grid points. */
  const vertex = (p: number, q: number): number => {
    const [a, b] = p < q ? [p, q] : [q, p]
    const key = a * n * n * n + b
    const known = vertices.get(key)
    if (known !== undefined) return known
    const share = values[a] / (values[a] - values[b])
    const axes = [1, n, n * n].map((stride) => [a, b].map((k) => Math.floor(k / stride) % n))
    axes.forEach(([u, v], k) => surface.positions.push(at(u + share * (v - u), k)))
    const index = vertices.size
    vertices.set(key, index)
    return index
  }

  const gridPoint = (k: number): Triple => [at(k % n, 0), at(Math.floor(k / n) % n, 1), at(Math.floor(k / (n * n)), 2)]
  /** A triangle that turns its back to a grid point inside. */
  const face: Face = (a, b, c, inside) => {
    const [p, q, r] = [a, b, c].map((k) => surface.positions.slice(3 * k, 3 * k + 3))
    const [u, v, w] = [minus(q, p), minus(r, p), minus(gridPoint(inside), p)]
    const side =
      (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2]
    surface.indices.push(a, ...(side > 0 ? [c, b] : [b, c]))
  }

  const corners = new Int32Array(8)
  for (let cell = 0; cell < count ** 3; cell++) {
    const [x, y, z] = [cell % count, Math.floor(cell / count) % count, Math.floor(cell / (count * count))]
    for (let k = 0; k < 8; k++) corners[k] = x + (k & 1) + n * (y + ((k >> 1) & 1) + n * (z + (k >> 2)))
    if (!corners.every((k) => Number.isFinite(values[k]))) continue
    for (const tetrahedron of TETRAHEDRA) {
      cut(
        tetrahedron.map((k) => corners[k]),
        values,
        vertex,
        face,
      )
    }
  }
  return surface
}

/** Takes a triangle by its vertices, and a grid point on the side where the function is below 0. */
type Face = (a: number, b: number, c: number, inside: number) => void

function minus(a: readonly number[], b: readonly number[]): Triple {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/** Cuts one tetrahedron: nothing, a triangle, or a quadrangle in two. */
function cut(
  corners: readonly number[],
  values: Float64Array,
  vertex: (p: number, q: number) => number,
  face: Face,
): void {
  const inside = corners.filter((k) => values[k] < 0)
  const outside = corners.filter((k) => values[k] >= 0)
  if (inside.length === 0 || outside.length === 0) return
  if (inside.length !== 2) {
    const [alone] = inside.length === 1 ? inside : outside
    const others = inside.length === 1 ? outside : inside
    const [p, q, r] = others.map((k) => vertex(alone, k))
    face(p, q, r, inside[0])
    return
  }
  const [a, b] = inside
  const [c, d] = outside
  const quadrangle = [vertex(a, c), vertex(a, d), vertex(b, d), vertex(b, c)]
  face(quadrangle[0], quadrangle[1], quadrangle[2], a)
  face(quadrangle[0], quadrangle[2], quadrangle[3], a)
}
