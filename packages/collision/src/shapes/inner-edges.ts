/**
 * Which edges of a triangle mesh are inner: shared with a triangle that lies in the same plane or rises beyond the edge. A
 * shape that slides over such an edge can touch only faces there, and a contact whose normal leans over the edge would be
 * a bump that is not there.
 *
 * Edges belong together where their ends have the same coordinates, whatever their vertices' numbers: meshes made to be
 * drawn have vertices doubled along seams. Windings may differ. Of several triangles on one edge, one is enough.
 */

import { at, cross, dot, minus, unit } from './vector.js'

/** Sine of the angle [rad] between two triangles up to which they count as coplanar: small triangles far out in a float32
 *  model are off by 1e-4, and what leans by less than a thousandth bumps nothing. */
export const COPLANAR = 1e-3

/** Bits of what strikes from behind, above those of what strikes from the front. */
export const BEHIND = 8

/**
 * Most triangles on one edge that each of the others there is looked at with. Surfaces have two; equal triangles count once.
 * Without a bound, n on one edge take n² looks.
 */
const MOST_ON_EDGE = 32

/** See `MeshData.innerEdges`. No triangle is without an area. */
export function findInnerEdges(vertices: Float64Array, triangles: Int32Array): Uint8Array {
  const inner = new Uint8Array(triangles.length / 3)
  const welded = weld(vertices)
  const { start, edges, farEnd } = edgesByEnd(triangles, welded)
  const beyond: number[] = []
  for (let v = 0; v + 1 < start.length; v++) {
    const atEnd = edges.subarray(start[v], start[v + 1]).sort((e, f) => farEnd[e] - farEnd[f] || e - f)
    for (let from = 0, to = 0; from < atEnd.length; from = to) {
      while (to < atEnd.length && farEnd[atEnd[to]] === farEnd[atEnd[from]]) to++
      distinctCorners(triangles, welded, atEnd, from, to, beyond)
      for (let i = from; i < to; i++) {
        const e = atEnd[i]
        const own = welded[thirdCorner(triangles, e)]
        for (const corner of beyond) {
          // One with the same corner lies flat on this one: there is nothing beyond the edge.
          if (corner !== own) inner[Math.floor(e / 3)] |= sideBits(vertices, triangles, e, corner)
        }
      }
    }
  }
  return inner
}

/** The corner of a triangle that is not on edge e. */
function thirdCorner(triangles: Int32Array, e: number): number {
  return triangles[e - (e % 3) + ((e + 2) % 3)]
}

/** Fills `out` with the different corners beyond the edges edges[from … to), all of them on one edge. */
function distinctCorners(
  triangles: Int32Array,
  welded: Int32Array,
  edges: Int32Array,
  from: number,
  to: number,
  out: number[],
): void {
  out.length = 0
  for (let i = from; i < to && out.length < MOST_ON_EDGE; i++) {
    const corner = welded[thirdCorner(triangles, edges[i])]
    if (!out.includes(corner)) out.push(corner)
  }
}

/** The bits that edge e (3 × triangle + its number in the triangle) gets from a triangle on it with the corner `other`. */
function sideBits(vertices: Float64Array, triangles: Int32Array, e: number, other: number): number {
  const first = e - (e % 3)
  const a = at(vertices, triangles[e])
  const b = at(vertices, triangles[first + ((e + 1) % 3)])
  const c = at(vertices, triangles[first + ((e + 2) % 3)])
  const along = unit(minus(b, a))
  const normal = unit(cross(along, minus(c, a)))
  const outward = cross(along, normal)
  const p = minus(at(vertices, other), a)
  const rise = dot(p, normal)
  const out = dot(p, outward)
  const bit = 1 << (e % 3)
  const level = COPLANAR * Math.sqrt(rise * rise + out * out)
  // Folded flat onto this one, as the back of a leaf drawn from both sides: there is nothing beyond the edge.
  if (Math.abs(rise) <= level && out < 0) return 0
  return (rise >= -level ? bit : 0) | (rise <= level ? BEHIND * bit : 0)
}

/**
 * All edges (3 × triangle + their number in it) by that end of the two which has the lower number: those of v are
 * `edges[start[v] … start[v + 1])`. `farEnd` has the other end of each.
 */
function edgesByEnd(
  triangles: Int32Array,
  welded: Int32Array,
): { start: Int32Array; edges: Int32Array; farEnd: Int32Array } {
  const nearEnd = new Int32Array(triangles.length)
  const farEnd = new Int32Array(triangles.length)
  const start = new Int32Array(welded.length + 1)
  for (let e = 0; e < triangles.length; e++) {
    const from = welded[triangles[e]]
    const to = welded[triangles[e % 3 === 2 ? e - 2 : e + 1]]
    nearEnd[e] = Math.min(from, to)
    farEnd[e] = Math.max(from, to)
    start[nearEnd[e] + 1]++
  }
  for (let v = 0; v < welded.length; v++) start[v + 1] += start[v]
  const next = start.slice()
  const edges = new Int32Array(triangles.length)
  for (let e = 0; e < triangles.length; e++) edges[next[nearEnd[e]]++] = e
  return { start, edges, farEnd }
}

/** The first vertex, in some order, that has the same coordinates as each. */
function weld(v: Float64Array): Int32Array {
  const order = Int32Array.from({ length: v.length / 3 }, (_, k) => k)
  const compare = (i: number, j: number): number =>
    v[3 * i] - v[3 * j] || v[3 * i + 1] - v[3 * j + 1] || v[3 * i + 2] - v[3 * j + 2] || i - j
  order.sort(compare)
  const welded = new Int32Array(order.length)
  order.forEach((i, k) => {
    const before = order[k - 1]
    const same =
      k > 0 && v[3 * i] === v[3 * before] && v[3 * i + 1] === v[3 * before + 1] && v[3 * i + 2] === v[3 * before + 2]
    welded[i] = same ? welded[before] : i
  })
  return welded
}
