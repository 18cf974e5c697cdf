/**
 * Ties the vertices of a fine surface to a coarse body of tetrahedra, which they then follow.
 *
 * Each vertex takes the tetrahedron in which it lies deepest, by barycentric coordinates w_k = V_k/V. One outside of all of them takes
 * the one that it is least outside of: its coordinates are then partly negative, which goes on working.
 */

import { finiteVector, refuseNested } from '@tautline/core/kernel'
import { kindOf } from './checks.js'

/** For each vertex four nodes and their weights, which add up to 1. */
export interface Embedding {
  /** Numbers of nodes, four a vertex. */
  readonly nodes: ArrayLike<number>
  /** By node. */
  readonly weights: ArrayLike<number>
}

/** Six times the volume of a tetrahedron below this share of its longest edge cubed counts as flat. */
const FLAT = 1e-12

/**
 * Ties `vertices`, x, y, z each [m], to tetrahedra over `nodes`, x, y, z each [m], four numbers of nodes a tetrahedron, both as they are
 * at rest. Flat tetrahedra are passed over. Throws `TypeError`/`RangeError` when an entry is wrong or there is no tetrahedron.
 */
export function embed(vertices: ArrayLike<number>, nodes: ArrayLike<number>, tetrahedra: ArrayLike<number>): Embedding {
  const x = flat('embed: vertices', vertices, 3)
  const p = flat('embed: nodes', nodes, 3)
  const tets = flat('embed: tetrahedra', tetrahedra, 4)
  for (let k = 0; k < tets.length; k++) {
    if (Number.isInteger(tets[k]) && tets[k] >= 0 && 3 * tets[k] < p.length) continue
    throw new RangeError(`embed: tetrahedra[${k}] must be an integer in [0, ${p.length / 3}), got ${tets[k]}`)
  }
  const maps = inverses(p, tets)
  if (maps.every(Number.isNaN)) throw new RangeError('embed: tetrahedra must have one that is not flat, got none')
  const count = x.length / 3
  const result = { nodes: new Uint32Array(4 * count), weights: new Float64Array(4 * count) }
  for (let v = 0; v < count; v++) {
    let best = -Infinity
    for (let t = 0; t < tets.length / 4 && best < 0; t++) {
      const d = 3 * tets[4 * t + 3]
      const o = 9 * t
      const dx = x[3 * v] - p[d]
      const dy = x[3 * v + 1] - p[d + 1]
      const dz = x[3 * v + 2] - p[d + 2]
      const a = maps[o] * dx + maps[o + 1] * dy + maps[o + 2] * dz
      const b = maps[o + 3] * dx + maps[o + 4] * dy + maps[o + 5] * dz
      const c = maps[o + 6] * dx + maps[o + 7] * dy + maps[o + 8] * dz
      const least = Math.min(a, b, c, 1 - a - b - c)
      if (!(least > best)) continue
      best = least
      for (let k = 0; k < 4; k++) result.nodes[4 * v + k] = tets[4 * t + k]
      result.weights.set([a, b, c, 1 - a - b - c], 4 * v)
    }
  }
  return result
}

/** By tetrahedron the matrix from x − x_d to the first three coordinates, row by row; NaN for a flat one. */
function inverses(p: ArrayLike<number>, tets: ArrayLike<number>): Float64Array {
  const out = new Float64Array((9 * tets.length) / 4).fill(NaN)
  const e = new Float64Array(9)
  for (let t = 0; t < tets.length / 4; t++) {
    const d = 3 * tets[4 * t + 3]
    let longest = 0
    for (let k = 0; k < 3; k++) {
      for (let n = 0; n < 3; n++) e[3 * k + n] = p[3 * tets[4 * t + k] + n] - p[d + n]
      const squared = e[3 * k] * e[3 * k] + e[3 * k + 1] * e[3 * k + 1] + e[3 * k + 2] * e[3 * k + 2]
      longest = Math.max(longest, Math.sqrt(squared))
    }
    // Rows of the inverse of (e0 e1 e2) are cross products of two edges over their triple product.
    const volume =
      e[0] * (e[4] * e[8] - e[5] * e[7]) + e[1] * (e[5] * e[6] - e[3] * e[8]) + e[2] * (e[3] * e[7] - e[4] * e[6])
    if (!(Math.abs(volume) > FLAT * longest * longest * longest)) continue
    for (let k = 0; k < 3; k++) {
      const u = 3 * ((k + 1) % 3)
      const w = 3 * ((k + 2) % 3)
      out[9 * t + 3 * k] = (e[u + 1] * e[w + 2] - e[u + 2] * e[w + 1]) / volume
      out[9 * t + 3 * k + 1] = (e[u + 2] * e[w] - e[u] * e[w + 2]) / volume
      out[9 * t + 3 * k + 2] = (e[u] * e[w + 1] - e[u + 1] * e[w]) / volume
    }
  }
  return out
}

function flat(where: string, list: ArrayLike<number>, each: number): ArrayLike<number> {
  const { length } = list ?? {}
  if (typeof length !== 'number') throw new TypeError(`${where} must be an array of numbers, got ${kindOf(list)}`)
  refuseNested(where, list)
  if (length % each !== 0) throw new RangeError(`${where} must be ${each} numbers each, got ${length} entries`)
  return finiteVector(where, list, length)
}
