/** Elements that hang together, and the system that they are solved as: corners that move are its nodes, in the order of elimination. */

import { BlockCholesky } from './cholesky.js'
import { dissect, type Graph } from './dissection.js'
import { CORNERS, type ElasticBatch, START } from './element.js'
import { type Batch, type Bodies, DisjointSets, groupBySet } from '@tautline/core/kernel'

/** Pairs of corners of an element. */
const PAIRS = 6
/** Numbers noted of an element's material. */
const NOTED = 4

/** A piece: its structure, and buffers for its solution. */
export class Piece {
  /** Slots of its rows, oldest first, and where the rows are now. */
  readonly slots: Int32Array
  readonly rows: Int32Array
  /** Body of a node. */
  readonly bodyOf: Int32Array
  /** Nodes at the corners of an element; −1 what does not move. */
  readonly corner: Int32Array
  /** The first corner that a node stands at, by its number among all of them. */
  readonly owner: Int32Array
  /** Which block of the matrix the pairs of corners of an element have, (1, 0), (2, 0), (2, 1) and so on; −1 none. */
  readonly place: Int32Array
  readonly factor: BlockCholesky
  /**
   * What it has displaced its nodes by in this substep, and had before this solve; their residual, then their step; the last step; and where they were [m].
   */
  readonly own: Float64Array
  readonly ownBefore: Float64Array
  readonly step: Float64Array
  readonly before: Float64Array
  readonly delta: Float64Array
  /** Shapes of its elements at the start of the substep (residual.ts). */
  readonly start: Float64Array
  /** Sum of F of its elements. */
  readonly mean: Float64Array = new Float64Array(9)
  /** The rotation of all of it when the factor was made. */
  readonly turned: Float64Array = new Float64Array(9)
  /** tr K/tr M, K the stiffness at rest [1/s²]. */
  stiffness = 0
  /** Σ 2μ V of its elements [J]: what a strain of 1 would store. */
  modulus = 0
  /** Energy [J] that a solution may leave: what comes after it solves again. */
  spare = 0
  /** Masses and material that the factor is of. */
  readonly noted: Float64Array
  /** The substep [s] that it is of; 0 when there is none. */
  factoredFor = 0
  /** Whether its elements were turned each by itself, and whether it could be made. */
  isTurned = false
  isDefinite = false
  /** A step has begun, and the factor was not looked at. */
  isDue = true
  /** Whether no corner of it stands still. */
  readonly isFree: boolean
  /** Whether others may push its nodes; whether they have in this substep, and since the last turn; and whether it is solved as a whole in it. */
  isCoupled = false
  isLoaded = false
  isPushed = false
  /** Whether the last share has strained it by more than its matrix is good for. */
  isStrained = false
  isWhole = false
  /** Whether it has come to store more in the step. */
  hasGained = false
  /** What others have pushed its nodes by since it had left them, d/w [kg m]. */
  readonly load: Float64Array
  /** What those of this substep would have moved its nodes by alone [m]: that much of what the piece has displaced is to bear them. */
  readonly carried: Float64Array
  /** Inverse masses [1/kg] that are lent to its nodes; their own meanwhile; and those that they have alone, along their softest direction. */
  readonly lent: Float64Array
  readonly kept: Float64Array
  readonly softest: Float64Array
  isLent = false
  /** Nodes that were pushed in this substep. */
  readonly isSeen: Uint8Array
  /** Σ d²/w of the turn that did most of it in this substep [kg m²]. */
  mostWork = 0
  /** The substep [s] that `softest` is of; 0 when it is not known. */
  softestFor = 0
  /** Bodies at the corners as they were given. */
  private readonly corners: Int32Array

  /** `corners` are bodies, or −1 what does not move. */
  constructor(slots: Int32Array, corners: Int32Array) {
    this.slots = slots
    this.corners = corners
    this.isFree = !corners.includes(-1)
    this.rows = new Int32Array(slots.length)
    const bodies = Int32Array.from(new Set(corners.filter((i) => i >= 0)))
    const numbers = new Map(Array.from(bodies, (body, k) => [body, k]))
    const given = corners.map((i) => numbers.get(i) ?? -1)
    const order = dissect(graphOf(given, bodies.length))
    const numberOf = new Int32Array(order.length)
    order.forEach((v, k) => (numberOf[v] = k))
    this.bodyOf = Int32Array.from(order, (v) => bodies[v])
    this.corner = given.map((v) => (v < 0 ? -1 : numberOf[v]))
    this.owner = Int32Array.from(this.bodyOf, (body) => corners.indexOf(body))
    this.factor = new BlockCholesky(graphOf(this.corner, order.length))
    this.place = placesOf(this.corner, this.factor)
    this.own = new Float64Array(3 * order.length)
    this.start = new Float64Array(START * slots.length)
    this.ownBefore = new Float64Array(3 * order.length)
    this.step = new Float64Array(3 * order.length)
    this.carried = new Float64Array(3 * order.length)
    this.load = new Float64Array(3 * order.length)
    this.lent = new Float64Array(order.length)
    this.kept = new Float64Array(order.length)
    this.softest = new Float64Array(order.length)
    this.isSeen = new Uint8Array(order.length)
    this.delta = new Float64Array(3 * order.length)
    this.before = new Float64Array(3 * order.length)
    this.noted = new Float64Array(order.length + NOTED * slots.length)
  }

  /** Whether it is of these rows and corners. */
  has(slots: Int32Array, corners: Int32Array): boolean {
    return isSame(this.slots, slots) && isSame(this.corners, corners)
  }

  /** Finds its rows again, which an order of the sweep has moved. */
  locate({ slotRow }: ElasticBatch): void {
    for (let e = 0; e < this.slots.length; e++) this.rows[e] = slotRow[this.slots[e]]
  }
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k])
}

/** Which of `count` nodes have an element in common. */
function graphOf(corner: Int32Array, count: number): Graph {
  const around: Set<number>[] = Array.from({ length: count }, () => new Set())
  for (let e = 0; e < corner.length; e += CORNERS) {
    for (let a = e; a < e + CORNERS; a++) {
      for (let b = e; b < e + CORNERS; b++) {
        if (corner[a] >= 0 && corner[b] >= 0 && corner[a] !== corner[b]) around[corner[a]].add(corner[b])
      }
    }
  }
  const first = new Int32Array(count + 1)
  for (let v = 0; v < count; v++) first[v + 1] = first[v] + around[v].size
  const neighbour = new Int32Array(first[count])
  for (let v = 0; v < count; v++) neighbour.set([...around[v]], first[v])
  return { first, neighbour }
}

function placesOf(corner: Int32Array, factor: BlockCholesky): Int32Array {
  const place = new Int32Array((PAIRS * corner.length) / CORNERS)
  for (let e = 0, pair = 0; e < corner.length; e += CORNERS) {
    for (let a = 1; a < CORNERS; a++) {
      for (let b = 0; b < a; b++, pair++) {
        const i = corner[e + a]
        const j = corner[e + b]
        place[pair] = i < 0 || j < 0 ? -1 : factor.blockAt(Math.max(i, j), Math.min(i, j))
      }
    }
  }
  return place
}

/** Rows of a batch that may be solved as a whole, in pieces; oldest first, of pieces and in each. */
export function piecesOf({ columns, count }: Bodies, batch: Batch, rows: readonly number[]): number[][] {
  const { position } = columns
  const { body, sequence } = batch.common
  const sets = DisjointSets.of(count)
  const moverOf = (row: number): number => {
    for (let k = CORNERS * row; k < CORNERS * (row + 1); k++) if (position[4 * body[k] + 3] !== 0) return body[k]
    return -1
  }
  for (const row of rows) {
    const first = moverOf(row)
    for (let k = CORNERS * row; k < CORNERS * (row + 1); k++) {
      if (position[4 * body[k] + 3] !== 0) sets.join(first, body[k])
    }
  }
  const byAge = [...rows].sort((r, s) => sequence[r] - sequence[s])
  return groupBySet(sets, byAge, moverOf)
}

/** The piece of these rows, or the one that there was, where it has the same rows on the same bodies. */
export function pieceOf(bodies: Bodies, batch: Batch, rows: readonly number[], before: Piece | undefined): Piece {
  const { position } = bodies.columns
  const { body, slot } = batch.common
  const slots = Int32Array.from(rows, (row) => slot[row])
  // What does not move is the same whoever it is, but for the row that finds it.
  const corners = new Int32Array(CORNERS * rows.length)
  for (let e = 0; e < rows.length; e++) {
    for (let k = 0; k < CORNERS; k++) {
      const i = body[CORNERS * rows[e] + k]
      corners[CORNERS * e + k] = position[4 * i + 3] === 0 ? -1 : i
    }
  }
  return before !== undefined && before.has(slots, corners) ? before : new Piece(slots, corners)
}
