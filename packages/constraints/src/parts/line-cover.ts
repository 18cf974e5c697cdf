/**
 * Covers the rows of a mesh by lines: long smooth paths, each row in one of them.
 *
 * At each body that moves, the two rows that go on most nearly straight belong together, then of the others those two, and so
 * on: a grid falls into its warp and weft, a triangle mesh into bands of about three directions. Paths end where they come back to their
 * first body, as rings, and are cut where they come back to another of theirs: the rows of a line may couple with their neighbours alone. Lines follow one another
 * outward from what does not move, like rows: warp and weft in turn leave a third of the stretch of all warp, then all weft.
 *
 * What counts is the direction that each row's definition holds, and which row is older: the same rows give the same lines,
 * whatever has become of the pose.
 */

import type { Backing, Batch, BodyColumns } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import type { LengthColumn } from './length-row.js'

/** Rows that meet at less than 120° do not go on into each other: cosine of the turn that is still smooth. */
const SMOOTH = 0.5
/** Where more rows than this meet is a hub that holds them, not cloth. */
const HUB = 32

/** Numbers of scratch a row: one base for all of them, where an array each would take a register each. */
export const RECORD = 16

/** The lines of a batch, for its loop: derived from the rows, and no part of the state. */
export class Lines {
  readonly count: number
  /** Line l has the rows `first[l]` to `first[l + 1]`. */
  readonly first: Int32Array
  /** Offsets 4 i of the bodies along it, one more than rows: from `first[l] + l` on. */
  readonly nodes: Int32Array
  /** λ by row at the end of the last substep. */
  readonly reference: Float64Array
  /** Scratch of the loop: a record a row of the longest line, and one more. */
  readonly scratch: Float64Array
  /** Nine numbers more a row, where the turning of the tension counts. */
  readonly turning: Float64Array
  /** Whether some row is a rope or a strut. */
  readonly isBounded: boolean
  /** Whether line l comes back to its first body, 1 or 0. */
  readonly isLoop: Uint8Array
  /** Whether the line in hand does. */
  closes = false
  /** What bodies of the line in hand are pressed on, where any is. */
  backing: Backing | undefined = undefined
  /** Solves such a line forth and back in place of `line-backed.ts`, with the same bits: whether it has. */
  solveBacked:
    | ((lines: Lines, backing: Backing, x: Float64Array, base: number, at: number, count: number) => boolean)
    | undefined = undefined

  constructor(first: Int32Array, nodes: Int32Array, isBounded: boolean, isLoop: Uint8Array) {
    this.isBounded = isBounded
    this.isLoop = isLoop
    this.first = first
    this.nodes = nodes
    this.count = first.length - 1
    this.reference = new Float64Array(first[this.count])
    let longest = 0
    for (let l = 0; l < this.count; l++) longest = Math.max(longest, first[l + 1] - first[l])
    this.scratch = new Float64Array(RECORD * (longest + 1))
    this.turning = new Float64Array(9 * longest)
  }
}

/** Puts `rows` in the order of their lines, outward from what does not move; the lines become the plan of the batch. */
export function coverByLines(
  bodies: BodyColumns,
  batch: Batch<LengthColumn>,
  rows: Int32Array,
  colour: Int32Array,
): void {
  const { sequence } = batch.columns
  rows.sort((r, s) => sequence[r] - sequence[s])
  const graph = graphOf(batch, rows)
  const pieces = trace(bodies, graph, pairUp(bodies, graph))
  const hops = distances(bodies, graph)
  for (const piece of pieces) {
    for (const e of piece.ends) {
      piece.layer = Math.min(piece.layer, hops.get(graph.body[e]) ?? Infinity, hops.get(graph.body[e ^ 1]) ?? Infinity)
    }
  }
  pieces.sort((p, q) => (p.layer === q.layer ? p.oldest - q.oldest : p.layer - q.layer))

  const first = new Int32Array(pieces.length + 1)
  const nodes = new Int32Array(rows.length + pieces.length)
  const ordered = new Int32Array(rows.length)
  let row = 0
  pieces.forEach(({ ends }, l) => {
    for (const e of ends) {
      nodes[row + l] = 4 * graph.body[e]
      ordered[row] = rows[e >> 1]
      colour[ordered[row]] = l
      row++
    }
    nodes[row + l] = 4 * graph.body[ends[ends.length - 1] ^ 1]
    first[l + 1] = row
  })
  rows.set(ordered)
  const { lower, upper } = batch.columns
  batch.plan = new Lines(
    first,
    nodes,
    rows.some((r) => lower[r] === 0 || upper[r] === 0),
    Uint8Array.from(pieces, ({ isLoop }) => (isLoop ? 1 : 0)),
  )
}

/** Rows by age, each with two ends: end e is of row e >> 1, the other end of it is e ^ 1. */
interface Graph {
  /** The body at an end. */
  readonly body: Int32Array
  /** The unit vector that leads from that body along the row; zeros where there is none. */
  readonly away: Float64Array
  /** Ends by body, then by age. */
  readonly byBody: Int32Array
}

function graphOf(batch: Batch<LengthColumn>, rows: Int32Array): Graph {
  const { body: columns, slot } = batch.common
  const body = new Int32Array(2 * rows.length)
  const away = new Float64Array(6 * rows.length)
  rows.forEach((row, k) => {
    const [x, y, z] = batch.definitionField(slot[row], 'direction') as ReadonlyVec3
    const length = Math.sqrt(x * x + y * y + z * z)
    const scale = length > 0 ? 1 / length : 0
    for (let side = 0; side < 2; side++) {
      const e = 2 * k + side
      // The direction is that from b to a.
      const s = side === 0 ? -scale : scale
      body[e] = columns[2 * row + side]
      away.set([s * x, s * y, s * z], 3 * e)
    }
  })
  const byBody = Int32Array.from({ length: body.length }, (_, k) => k).sort((e, f) => body[e] - body[f] || e - f)
  return { body, away, byBody }
}

/** For each end the one at the same body that it goes on into, or −1. */
function pairUp({ position }: BodyColumns, { body, away, byBody }: Graph): Int32Array {
  const mate = new Int32Array(body.length).fill(-1)
  for (let from = 0, to = 0; from < byBody.length; from = to) {
    const i = body[byBody[from]]
    while (to < byBody.length && body[byBody[to]] === i) to++
    // Rows do not couple through what does not move.
    if (position[4 * i + 3] === 0 || to - from > HUB) continue
    const pairs: { straight: number; e: number; f: number }[] = []
    for (let k = from; k < to; k++) {
      for (let l = k + 1; l < to; l++) {
        const [e, f] = [byBody[k], byBody[l]]
        const straight = -(
          away[3 * e] * away[3 * f] +
          away[3 * e + 1] * away[3 * f + 1] +
          away[3 * e + 2] * away[3 * f + 2]
        )
        if (straight > SMOOTH) pairs.push({ straight, e, f })
      }
    }
    pairs.sort((p, q) => q.straight - p.straight || p.e - q.e || p.f - q.f)
    for (const { e, f } of pairs) {
      if (mate[e] >= 0 || mate[f] >= 0) continue
      mate[e] = f
      mate[f] = e
    }
  }
  return mate
}

/** A line: the ends at which its rows begin, in its order, its oldest row by age, and how far it is from what does not move. */
interface Piece {
  readonly ends: number[]
  oldest: number
  layer: number
  /** Whether it comes back to its first body. */
  isLoop: boolean
}

/** Rows of the shortest ring. */
const RING = 3

/** Follows the ways from row to row, and cuts where a line would meet itself but for its first body. */
function trace({ position }: BodyColumns, { body }: Graph, mate: Int32Array): Piece[] {
  const taken = new Uint8Array(body.length >> 1)
  const visitor = new Map<number, Piece>()
  const pieces: Piece[] = []
  for (let k = 0; k < taken.length; k++) {
    if (taken[k] !== 0) continue
    let e = 2 * k
    while (mate[e] >= 0 && mate[e] >> 1 !== k) e = mate[e] ^ 1
    let piece: Piece | undefined
    for (; e >= 0 && taken[e >> 1] === 0; e = mate[e ^ 1]) {
      const next = body[e ^ 1]
      const isMet = piece !== undefined && visitor.get(next) === piece
      const closes = piece !== undefined && isMet && next === body[piece.ends[0]] && piece.ends.length >= RING - 1
      if (piece === undefined || (isMet && !closes)) {
        piece = { ends: [], oldest: e >> 1, layer: Infinity, isLoop: false }
        pieces.push(piece)
        if (position[4 * body[e] + 3] !== 0) visitor.set(body[e], piece)
      }
      taken[e >> 1] = 1
      piece.ends.push(e)
      piece.oldest = Math.min(piece.oldest, e >> 1)
      if (position[4 * next + 3] !== 0) visitor.set(next, piece)
      if (closes) {
        piece.isLoop = true
        piece = undefined
      }
    }
  }
  return pieces
}

/** Distances in rows from the nearest body that does not move, by body; bodies that none is reached from are not in it. */
function distances({ position }: BodyColumns, { body, byBody }: Graph): Map<number, number> {
  const hops = new Map<number, number>()
  const first = new Map<number, number>()
  const queue: number[] = []
  byBody.forEach((e, k) => {
    const i = body[e]
    if (first.has(i)) return
    first.set(i, k)
    if (position[4 * i + 3] !== 0) return
    hops.set(i, 0)
    queue.push(i)
  })
  for (const i of queue) {
    for (let k = first.get(i) ?? 0; body[byBody[k]] === i; k++) {
      const j = body[byBody[k] ^ 1]
      if (hops.has(j)) continue
      hops.set(j, (hops.get(i) ?? 0) + 1)
      queue.push(j)
    }
  }
  return hops
}
