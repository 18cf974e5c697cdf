/**
 * Finds the threads of a cloth: the quads that its triangles are halves of, and which of their sides run along warp and weft.
 *
 * Two triangles are a quad where their common side is the longest of both, and their other corners are near right angles. Opposite sides
 * of a quad run the same way, sides that meet run across; from quad to quad that spreads over the whole cloth.
 */

import { apart } from '../parts/mesh.js'
import { type Edges, oppositeCorner } from '../parts/topology.js'

/** What the edges of a mesh are to its threads. */
export interface Threads {
  /** Four corners a quad: the ends of the diagonal that the mesh has, then the two other corners. */
  readonly quads: Uint32Array
  /** By edge: {@link WARP}, {@link WEFT}, {@link DIAGONAL}, or {@link LOOSE} where it is in no quad. */
  readonly kind: Uint8Array
  /** Share of the triangles that are in quads. */
  readonly covered: number
}

export const LOOSE = 0
export const WARP = 1
export const WEFT = 2
export const DIAGONAL = 3

/** Cosine of the angle at the corners of a quad that its diagonal does not meet, at most: within 24° of a right angle. */
const SQUARE = 0.4
/** How much longer another side of a triangle may be than the diagonal: round-off of files. */
const LONGER = 1 + 1e-5

/** The threads of a mesh at rest. */
export function findThreads(positions: ArrayLike<number>, triangles: ArrayLike<number>, edges: Edges): Threads {
  const kind = new Uint8Array(edges.count)
  const taken = new Uint8Array(triangles.length / 3)
  const quads: number[] = []
  const sides: number[] = []
  for (let e = 0; e < edges.count; e++) {
    if (edges.first[e + 1] - edges.first[e] !== 2) continue
    const t = edges.triangles[edges.first[e]]
    const u = edges.triangles[edges.first[e] + 1]
    if (taken[t] === 1 || taken[u] === 1) continue
    const a = edges.ends[2 * e]
    const b = edges.ends[2 * e + 1]
    const c = oppositeCorner(triangles, edges, t, e)
    const d = oppositeCorner(triangles, edges, u, e)
    if (!isRight(positions, c, a, b) || !isRight(positions, d, a, b)) continue
    taken[t] = taken[u] = 1
    kind[e] = DIAGONAL
    quads.push(a, b, c, d)
    sides.push(side(edges, t, a, c), side(edges, t, c, b), side(edges, u, b, d), side(edges, u, d, a))
  }
  spread(positions, edges, sides, kind)
  const covered = triangles.length === 0 ? 0 : (6 * quads.length) / (4 * triangles.length)
  return { quads: Uint32Array.from(quads), kind, covered }
}

/** Whether the angle at corner c between a and b is near a right one, and a b the longest side. */
function isRight(x: ArrayLike<number>, c: number, a: number, b: number): boolean {
  const [p, q, r] = [apart(x, c, a), apart(x, c, b), apart(x, a, b)]
  if (p === 0 || q === 0 || p > LONGER * r || q > LONGER * r) return false
  return Math.abs(p * p + q * q - r * r) <= 2 * SQUARE * p * q
}

/** The edge of a triangle between two of its corners. */
function side(edges: Edges, triangle: number, a: number, b: number): number {
  const low = Math.min(a, b)
  const high = Math.max(a, b)
  for (let s = 3 * triangle; s < 3 * triangle + 3; s++) {
    const e = edges.ofTriangle[s]
    if (edges.ends[2 * e] === low && edges.ends[2 * e + 1] === high) return e
  }
  return -1
}

/** Calls sides warp or weft, from quad to quad; where quads contradict each other, the first of them is right. */
function spread(positions: ArrayLike<number>, edges: Edges, sides: readonly number[], kind: Uint8Array): void {
  const quadsOf = new Map<number, number[]>()
  for (let k = 0; k < sides.length; k++) {
    const list = quadsOf.get(sides[k])
    if (list === undefined) quadsOf.set(sides[k], [k >> 2])
    else list.push(k >> 2)
  }
  const done = new Uint8Array(sides.length / 4)
  for (let seed = 0; seed < done.length; seed++) {
    if (done[seed] === 1) continue
    const first = sides[4 * seed]
    if (kind[first] === LOOSE) kind[first] = isUpright(positions, edges, first) ? WARP : WEFT
    const queue = [seed]
    done[seed] = 1
    for (const quad of queue) {
      let known = 0
      while (known < 4 && kind[sides[4 * quad + known]] === LOOSE) known++
      for (let s = 0; s < 4; s++) {
        const e = sides[4 * quad + s]
        const along = kind[sides[4 * quad + known]]
        if (kind[e] === LOOSE) kind[e] = (s - known) % 2 === 0 ? along : along === WARP ? WEFT : WARP
        for (const next of quadsOf.get(e) ?? []) {
          if (done[next] === 1) continue
          done[next] = 1
          queue.push(next)
        }
      }
    }
  }
}

/** Whether an edge runs rather along y than across: garments are drawn upright, and the warp hangs. Lying cloth has it along z. */
function isUpright(x: ArrayLike<number>, edges: Edges, e: number): boolean {
  const [a, b] = [3 * edges.ends[2 * e], 3 * edges.ends[2 * e + 1]]
  const [dx, dy, dz] = [Math.abs(x[a] - x[b]), Math.abs(x[a + 1] - x[b + 1]), Math.abs(x[a + 2] - x[b + 2])]
  return dy > dx || (dz > dx && dy === 0)
}
