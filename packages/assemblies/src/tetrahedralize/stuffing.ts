/**
 * Cuts a lattice at a surface: Labelle and Shewchuk, "Isosurface stuffing: fast tetrahedral meshes with good dihedral angles" (2007).
 *
 * Where an edge of the lattice passes through the surface near one of its ends, that end moves onto the surface; what is left is cut. Shares of an edge
 * that are near: 0.24999 of edges along an axis, 0.41189 of the others (their table 1). Departure: diagonals of cut faces go by the numbers of their nodes, the
 * lowest first (Dompierre, Labbé, Vallet and Camarero, "How to subdivide pyramids, prisms and hexahedra into tetrahedra", 1999), not by their parity rule:
 * their least angle of 10.7° is no promise here.
 */

import type { Crossings } from './crossings.js'
import type { Lattice } from './lattice.js'

const NEAR_LONG = 0.24999
const NEAR_SHORT = 0.41189

/** Nodes and tetrahedra of what is inside; nodes that none has are still among them. */
export interface Stuffed {
  readonly positions: number[]
  readonly tetrahedra: number[]
}

/** `inside` by node of the lattice. */
export function stuff(lattice: Lattice, inside: Uint8Array, crossings: Crossings): Stuffed {
  // 1 inside, 0 on the surface, −1 outside.
  const sign = Int8Array.from(inside, (is) => (is !== 0 ? 1 : -1))
  const x = Float64Array.from(lattice.positions)
  const cuts = new Cuts(lattice, sign, x, crossings)
  cuts.snap()
  return cuts.carve()
}

class Cuts {
  private readonly lattice: Lattice
  private readonly sign: Int8Array
  private readonly x: Float64Array
  private readonly crossings: Crossings
  /** Neighbours over edges that passed through the surface: pairs of neighbour and where, in shares of the way from the node. */
  private readonly near = new Map<number, { other: number; share: number }[]>()
  private readonly made = new Map<number, number>()
  private readonly positions: number[]

  constructor(lattice: Lattice, sign: Int8Array, x: Float64Array, crossings: Crossings) {
    this.lattice = lattice
    this.sign = sign
    this.x = x
    this.crossings = crossings
    this.positions = []
    const { tetrahedra } = lattice
    const seen = new Set<number>()
    for (let t = 0; t < tetrahedra.length; t += 4) {
      for (let i = t; i < t + 4; i++) {
        for (let j = i + 1; j < t + 4; j++) {
          const [v, w] = [tetrahedra[i], tetrahedra[j]]
          if (sign[v] === sign[w]) continue
          const key = this.key(v, w)
          if (seen.has(key)) continue
          seen.add(key)
          const [from, to] = sign[v] > 0 ? [v, w] : [w, v]
          const share = crossings.first(x, 3 * from, 3 * to)
          this.note(from, to, share)
          this.note(to, from, 1 - share)
        }
      }
    }
  }

  /** Moves nodes onto the surface that an edge crosses near: each to the nearest crossing. */
  snap(): void {
    const { sign, x, lattice } = this
    for (const v of Array.from(this.near.keys()).sort((a, b) => a - b)) {
      let [least, best, part] = [Infinity, -1, 0]
      for (const { other, share } of this.near.get(v) ?? []) {
        if (sign[other] === 0) continue
        const isLong = v < lattice.corners === other < lattice.corners
        if (share > (isLong ? NEAR_LONG : NEAR_SHORT)) continue
        const away = share * this.length(v, other)
        if (away < least) [least, best, part] = [away, other, share]
      }
      if (best < 0) continue
      // The other end has not moved: its sign would be 0.
      for (let k = 0; k < 3; k++) x[3 * v + k] += part * (x[3 * best + k] - x[3 * v + k])
      sign[v] = 0
    }
  }

  /** What is inside, as tetrahedra. */
  carve(): Stuffed {
    const { lattice, sign, x } = this
    for (const value of x) this.positions.push(value)
    const out: number[] = []
    const { tetrahedra } = lattice
    for (let t = 0; t < tetrahedra.length; t += 4) {
      const nodes = Array.from(tetrahedra.subarray(t, t + 4))
      const plus = nodes.filter((v) => sign[v] > 0)
      const zero = nodes.filter((v) => sign[v] === 0)
      const minus = nodes.filter((v) => sign[v] < 0)
      if (plus.length === 0) continue
      if (minus.length === 0) out.push(...nodes)
      else if (plus.length === 1) out.push(...nodes.map((v) => (sign[v] < 0 ? this.cut(plus[0], v) : v)))
      else if (plus.length === 2 && zero.length === 1) this.pyramid(plus[0], plus[1], zero[0], minus[0], out)
      else if (plus.length === 3) {
        const [d] = minus
        prism([...plus, ...plus.map((v) => this.cut(v, d))], out)
      } else {
        const [a, b] = plus
        const [c, d] = minus
        prism([a, this.cut(a, c), this.cut(a, d), b, this.cut(b, c), this.cut(b, d)], out)
      }
    }
    return { positions: this.positions, tetrahedra: out }
  }

  /** Apex c on the surface over the face that d's edges to a and b leave. */
  private pyramid(a: number, b: number, c: number, d: number, out: number[]): void {
    const [p, q] = [this.cut(a, d), this.cut(b, d)]
    if (Math.min(a, q) < Math.min(b, p)) out.push(a, b, q, c, a, q, p, c)
    else out.push(a, b, p, c, b, q, p, c)
  }

  /** The node at which the edge from v, inside, to w, outside, is cut. */
  private cut(v: number, w: number): number {
    const key = this.key(v, w)
    const known = this.made.get(key)
    if (known !== undefined) return known
    const share = this.near.get(v)?.find(({ other }) => other === w)?.share ?? 0.5
    const { x, positions } = this
    const made = positions.length / 3
    for (let k = 0; k < 3; k++) positions.push(x[3 * v + k] + share * (x[3 * w + k] - x[3 * v + k]))
    this.made.set(key, made)
    return made
  }

  private note(v: number, other: number, share: number): void {
    const list = this.near.get(v)
    if (list === undefined) this.near.set(v, [{ other, share }])
    else list.push({ other, share })
  }

  private key(v: number, w: number): number {
    return Math.min(v, w) * this.sign.length + Math.max(v, w)
  }

  private length(v: number, w: number): number {
    const { x } = this
    let squared = 0
    for (let k = 0; k < 3; k++) squared += (x[3 * v + k] - x[3 * w + k]) * (x[3 * v + k] - x[3 * w + k])
    return Math.sqrt(squared)
  }
}

/** Places of a prism's corners when the one with the lowest number is to be the first. */
const TURNS = [
  [0, 1, 2, 3, 4, 5],
  [1, 2, 0, 4, 5, 3],
  [2, 0, 1, 5, 3, 4],
  [3, 5, 4, 0, 2, 1],
  [4, 3, 5, 1, 0, 2],
  [5, 4, 3, 2, 1, 0],
]

/** Three tetrahedra of a prism with triangles 0 1 2 and 3 4 5: diagonals start at the lowest number of each face. */
function prism(corners: readonly number[], out: number[]): void {
  const least = corners.indexOf(Math.min(...corners))
  const [a, b, c, d, e, f] = TURNS[least].map((k) => corners[k])
  if (Math.min(b, f) < Math.min(c, e)) out.push(a, b, c, f, a, b, f, e, a, e, f, d)
  else out.push(a, b, c, e, a, e, c, f, a, e, f, d)
}
