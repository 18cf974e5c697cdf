/** What can be told of a mesh of tetrahedra. */

import { acos, countSets } from '@tautline/core/kernel'

/** Counts, volume and the shape of the worst. */
export interface TetrahedraQuality {
  readonly nodes: number
  readonly tetrahedra: number
  /** [m³] */
  readonly volume: number
  /** Parts that do not hang together by a node. */
  readonly parts: number
  /** Least and largest angle between two faces [rad]; of a regular tetrahedron 1.23. */
  readonly leastAngle: number
  readonly largestAngle: number
}

type Vector = [number, number, number]

/** Six times the signed volume of a tetrahedron [m³]. */
export function sixVolumes(x: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
  return dot(cross(way(x, a, b), way(x, a, c)), way(x, a, d))
}

/** Measures tetrahedra. */
export function measureTetrahedra(x: ArrayLike<number>, tetrahedra: ArrayLike<number>): TetrahedraQuality {
  let six = 0
  let [least, largest] = [Infinity, 0]
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [a, b, c, d] = [tetrahedra[t], tetrahedra[t + 1], tetrahedra[t + 2], tetrahedra[t + 3]]
    six += sixVolumes(x, a, b, c, d)
    // Outward normals of the faces opposite to a, b, c and d.
    const normals = [normal(x, b, c, d), normal(x, a, d, c), normal(x, a, b, d), normal(x, a, c, b)]
    for (let i = 0; i < 4; i++) {
      for (let j = i + 1; j < 4; j++) {
        const angle = Math.PI - acos(Math.min(Math.max(dot(normals[i], normals[j]), -1), 1))
        least = Math.min(least, angle)
        largest = Math.max(largest, angle)
      }
    }
  }
  const nodes = x.length / 3
  return {
    nodes,
    tetrahedra: tetrahedra.length / 4,
    volume: six / 6,
    parts: countParts(nodes, tetrahedra),
    leastAngle: least,
    largestAngle: largest,
  }
}

/** Connected parts of elements of four nodes. */
function countParts(nodes: number, tetrahedra: ArrayLike<number>): number {
  return countSets(nodes, Array.from(tetrahedra, (node, k) => [node, tetrahedra[k - (k % 4)]]).flat())
}

function way(x: ArrayLike<number>, a: number, b: number): Vector {
  return [x[3 * b] - x[3 * a], x[3 * b + 1] - x[3 * a + 1], x[3 * b + 2] - x[3 * a + 2]]
}

function normal(x: ArrayLike<number>, a: number, b: number, c: number): Vector {
  const [u, v, w] = cross(way(x, a, b), way(x, a, c))
  const length = Math.sqrt(u * u + v * v + w * w)
  return length > 0 ? [u / length, v / length, w / length] : [0, 0, 0]
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
