/**
 * What hangs together by rows, for the guard: components of bodies that move, by union–find. Those of the rows in order are found anew where
 * they were put in order anew; what rows without an order join is added in every step.
 */

import type { Batch } from '../state/batch.js'
import { type BodyColumns, KINEMATIC } from '../state/body-columns.js'
import type { WorldView } from '../define/contract.js'
import { isCounted } from './sources.js'

/** Whether a component is joined to something that does not give way. */
export const FREE = 0
const HELD = 1

/** Components of a world: buffers that grow with it and are kept. */
export class Links {
  /** Union–find, by body. */
  parent: Int32Array = new Int32Array(0)
  /** By root: `FREE`, or joined to something that does not give way. */
  joined: Uint8Array = new Uint8Array(0)
  /** By root: 1 where a joint is swept. */
  swept: Uint8Array = new Uint8Array(0)
  /** By root: the kinematic body that it is joined to, or 0; −1 where there are two. */
  leader: Int32Array = new Int32Array(0)
  /** Indices of batches with rows that give way, between bodies that turn. */
  readonly storing: number[] = []
  /** The same four of the rows in order alone. */
  private ordered: Links | undefined
  /** Whether rows without an order were joined to them. */
  private hasLoose = false
  /** The order, and the number of bodies, that the components are of. */
  private joinedFor = -1
  private joinedCount = 0

  /** Components of all rows that act, of `count` bodies. */
  join(world: WorldView, count: number): void {
    const ordered = (this.ordered ??= new Links())
    if (this.parent.length < count) {
      this.reserve(2 * count)
      ordered.reserve(2 * count)
      this.joinedFor = -1
    }
    if (this.joinedFor !== world.orderings || this.joinedCount !== count) {
      this.joinedFor = world.orderings
      this.joinedCount = count
      this.joinOrdered(world, count)
      copy(this, ordered, count)
    } else if (this.hasLoose) copy(ordered, this, count)
    this.hasLoose = false
    for (let t = 0; t < world.batches.length; t++) {
      if (world.batches[t].type.unordered === true && world.batches[t].active > 0) {
        this.hasLoose = true
        this.joinLoose(world.bodies.columns, world.batches[t])
      }
    }
  }

  private reserve(count: number): void {
    this.parent = new Int32Array(count)
    this.leader = new Int32Array(count)
    this.joined = new Uint8Array(count)
    this.swept = new Uint8Array(count)
  }

  private joinOrdered(world: WorldView, count: number): void {
    const { parent, joined, leader, swept } = this
    const { position, kind } = world.bodies.columns
    for (let i = 0; i < count; i++) {
      parent[i] = i
      joined[i] = FREE
      leader[i] = 0
      swept[i] = 0
    }
    for (let t = 0; t < world.batches.length; t++) {
      const { ids, arity, active, type } = world.batches[t]
      if (type.unordered === true) continue
      for (let k = 0; k < arity * active; k += arity) {
        let first = -1
        for (let b = k; b < k + arity; b++) {
          if (position[4 * ids[b] + 3] === 0) continue
          if (first < 0) first = find(parent, ids[b])
          else first = unite(parent, first, find(parent, ids[b]))
        }
      }
    }
    this.storing.length = 0
    for (let t = 0; t < world.batches.length; t++) {
      const { ids, arity, active, type } = world.batches[t]
      if (type.unordered === true) continue
      if (type.transient !== true && stores(world.bodies.columns, world.batches[t])) this.storing.push(t)
      const end = type.transient === true ? 0 : arity * world.batches[t].swept
      for (let k = 0; k < arity * active; k += arity) {
        let mover = -1
        let still = -1
        for (let b = k; b < k + arity; b++) {
          if (position[4 * ids[b] + 3] === 0) still = ids[b]
          else mover = ids[b]
        }
        if (mover >= 0 && k < end) swept[find(parent, mover)] = 1
        if (still < 0 || mover < 0) continue
        const root = find(parent, mover)
        joined[root] = HELD
        if (kind[still] === KINEMATIC) leader[root] = led(leader[root], still)
      }
    }
  }

  /** Adds what rows without an order join. */
  private joinLoose({ position, kind }: BodyColumns, { ids, arity, active }: Batch): void {
    const { parent, joined, leader, swept } = this
    for (let k = 0; k < arity * active; k += arity) {
      let first = -1
      let still = -1
      for (let b = k; b < k + arity; b++) {
        if (position[4 * ids[b] + 3] === 0) {
          if (still <= 0 || kind[ids[b]] === KINEMATIC) still = ids[b]
          continue
        }
        const root = find(parent, ids[b])
        if (first < 0 || first === root) {
          first = root
          continue
        }
        const other = first
        first = unite(parent, first, root)
        const gone = first === root ? other : root
        joined[first] |= joined[gone]
        swept[first] |= swept[gone]
        leader[first] = led(leader[first], leader[gone])
      }
      if (still < 0 || first < 0) continue
      joined[first] = HELD
      if (kind[still] === KINEMATIC) leader[first] = led(leader[first], still)
    }
  }
}

function copy(from: Links, to: Links, count: number): void {
  for (let i = 0; i < count; i++) {
    to.parent[i] = from.parent[i]
    to.leader[i] = from.leader[i]
    to.joined[i] = from.joined[i]
    to.swept[i] = from.swept[i]
  }
}

/** Whether a batch has rows whose stored energy counts. */
function stores(bodies: BodyColumns, batch: Batch): boolean {
  for (let row = 0; row < batch.active; row++) if (isCounted(bodies, batch, row)) return true
  return false
}

/** The first body of a row that moves; there is one in each row that acts. */
export function moverOf({ position }: BodyColumns, { ids, arity }: Batch, row: number): number {
  let b = arity * row
  while (position[4 * ids[b] + 3] === 0) b++
  return ids[b]
}

/** The root of a body. */
export function find(parent: Int32Array, i: number): number {
  while (parent[i] !== i) i = parent[i] = parent[parent[i]]
  return i
}

/** Two leaders as one: none, one, or −1 for two. */
function led(a: number, b: number): number {
  return a === 0 || a === b ? b : b === 0 ? a : -1
}

/** Joins two roots under the lower. */
function unite(parent: Int32Array, r: number, s: number): number {
  if (r < s) {
    parent[s] = r
    return r
  }
  parent[r] = s
  return s
}
