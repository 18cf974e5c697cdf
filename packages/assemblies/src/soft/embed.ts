/** Vertices that ride on tetrahedra. */

import { sixVolumes } from '../tetrahedralize/quality.js'

/** Four nodes and four weights, which add up to 1, a vertex. */
export interface Embedding {
  readonly nodes: Uint32Array
  readonly weights: Float64Array
}

/** Each vertex is a node. */
export function embedAlike(vertexOf: ArrayLike<number>, unused: number): Embedding {
  const nodes = new Uint32Array(4 * vertexOf.length)
  const weights = new Float64Array(4 * vertexOf.length)
  for (let v = 0; v < vertexOf.length; v++) {
    // What no triangle has is drawn nowhere; it goes with the first node.
    nodes.fill(vertexOf[v] === unused ? 0 : vertexOf[v], 4 * v, 4 * v + 4)
    weights[4 * v] = 1
  }
  return { nodes, weights }
}

/**
 * For each vertex the tetrahedron that it is in; outside of all, the one that it is least outside of. `size` is about the length of an edge [m]: so far from the
 * nodes the search goes at once.
 */
export function embed(vertices: ArrayLike<number>, x: Float64Array, tetrahedra: Uint32Array, size: number): Embedding {
  const grid = gridOf(x, tetrahedra, size)
  const count = vertices.length / 3
  const nodes = new Uint32Array(4 * count)
  const weights = new Float64Array(4 * count)
  const shares = new Float64Array(4)
  const all = Array.from({ length: tetrahedra.length / 4 }, (_, t) => 4 * t)
  for (let v = 0; v < count; v++) {
    const key = [0, 1, 2].map((k) => Math.floor(vertices[3 * v + k] / size)).join()
    let most = -Infinity
    for (const t of grid.get(key) ?? all) {
      barycentric(vertices, v, x, tetrahedra, t, shares)
      const least = Math.min(shares[0], shares[1], shares[2], shares[3])
      if (!(least > most)) continue
      most = least
      nodes.set(tetrahedra.subarray(t, t + 4), 4 * v)
      weights.set(shares, 4 * v)
    }
  }
  return { nodes, weights }
}

/** Tetrahedra by the cells that they are within half a cell of. */
function gridOf(x: Float64Array, tetrahedra: Uint32Array, size: number): Map<string, number[]> {
  const grid = new Map<string, number[]>()
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const ends = [0, 1, 2].map((k) => {
      const at = [0, 1, 2, 3].map((s) => x[3 * tetrahedra[t + s] + k])
      return [Math.floor(Math.min(...at) / size - 0.5), Math.floor(Math.max(...at) / size + 0.5)]
    })
    for (let k = ends[2][0]; k <= ends[2][1]; k++) {
      for (let j = ends[1][0]; j <= ends[1][1]; j++) {
        for (let i = ends[0][0]; i <= ends[0][1]; i++) {
          const key = `${i},${j},${k}`
          const list = grid.get(key)
          if (list === undefined) grid.set(key, [t])
          else list.push(t)
        }
      }
    }
  }
  return grid
}

/** Shares of the corners of a tetrahedron in a vertex: those of the volumes opposite to them. */
function barycentric(
  vertices: ArrayLike<number>,
  v: number,
  x: Float64Array,
  tetrahedra: Uint32Array,
  t: number,
  out: Float64Array,
): void {
  const [a, b, c, d] = tetrahedra.subarray(t, t + 4)
  for (let k = 0; k < 3; k++) {
    POINTS[k] = vertices[3 * v + k]
    POINTS[3 + k] = x[3 * a + k]
    POINTS[6 + k] = x[3 * b + k]
    POINTS[9 + k] = x[3 * c + k]
    POINTS[12 + k] = x[3 * d + k]
  }
  const whole = sixVolumes(POINTS, 1, 2, 3, 4)
  out[0] = sixVolumes(POINTS, 0, 2, 3, 4) / whole
  out[1] = sixVolumes(POINTS, 1, 0, 3, 4) / whole
  out[2] = sixVolumes(POINTS, 1, 2, 0, 4) / whole
  out[3] = 1 - out[0] - out[1] - out[2]
}

/** The vertex, then the corners of a tetrahedron. */
const POINTS = /* @__PURE__ */ new Float64Array(15)
