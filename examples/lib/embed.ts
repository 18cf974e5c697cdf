/**
 * Ties the vertices of a surface to a body of tetrahedra, so that the fine surface follows the coarse body.
 *
 * Each vertex takes the tetrahedron in which it lies deepest, by barycentric coordinates wₖ = Vₖ/V. A vertex outside of all
 * of them takes the one that it is least outside of: its coordinates are then partly negative, which goes on working.
 */

import { sixVolumes } from './lattice.js'

/** For each vertex four nodes and their weights. */
export interface Embedding {
  readonly nodes: Uint32Array
  readonly weights: Float64Array
}

/** Ties `vertices` to tetrahedra over `nodes`, both x, y, z [m]. */
export function embed(vertices: ArrayLike<number>, nodes: ArrayLike<number>, tetrahedra: ArrayLike<number>): Embedding {
  const count = vertices.length / 3
  const result = { nodes: new Uint32Array(4 * count), weights: new Float64Array(4 * count) }
  // The nodes, and behind them the vertex that is looked at.
  const x = Float64Array.of(...Array.from(nodes), 0, 0, 0)
  const v = nodes.length / 3
  const wholes = new Float64Array(tetrahedra.length / 4)
  for (let t = 0; t < tetrahedra.length; t += 4) {
    wholes[t / 4] = sixVolumes(x, tetrahedra[t], tetrahedra[t + 1], tetrahedra[t + 2], tetrahedra[t + 3])
  }
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) x[3 * v + k] = vertices[3 * i + k]
    let best = -Infinity
    for (let t = 0; t < tetrahedra.length && best < 0; t += 4) {
      const [a, b, c, d] = [tetrahedra[t], tetrahedra[t + 1], tetrahedra[t + 2], tetrahedra[t + 3]]
      const whole = wholes[t / 4]
      const w0 = sixVolumes(x, v, b, c, d) / whole
      if (w0 <= best) continue
      const w1 = sixVolumes(x, a, v, c, d) / whole
      if (w1 <= best) continue
      const w2 = sixVolumes(x, a, b, v, d) / whole
      const w3 = 1 - w0 - w1 - w2
      if (w2 <= best || w3 <= best) continue
      best = Math.min(w0, w1, w2, w3)
      result.nodes.set([a, b, c, d], 4 * i)
      result.weights.set([w0, w1, w2, w3], 4 * i)
    }
    if (best === -Infinity) throw new RangeError('embed: tetrahedra must be at least one, got none')
  }
  return result
}

/** Writes where the vertices are now, x, y, z each. */
export function follow({ nodes, weights }: Embedding, positions: ArrayLike<number>, out: Float64Array): void {
  for (let v = 0; v < out.length / 3; v++) {
    for (let k = 0; k < 3; k++) {
      let sum = 0
      for (let c = 4 * v; c < 4 * v + 4; c++) sum += weights[c] * positions[3 * nodes[c] + k]
      out[3 * v + k] = sum
    }
  }
}
