/**
 * What hangs together by rows, for the guard: components of bodies that move, by union–find. Those of the rows in order are found anew where
 * they were put in order anew; what rows without an order join is added in every step.
 */

import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import { type BodyColumns, KINEMATIC } from '../state/body-columns.js'
import type { WorldView } from '../define/contract.js'
import type { Leading } from './components.js'
import { isCounted, isElement } from './sources.js'

/** Whether a component is joined to something that does not give way. */
export const FREE = 0
const HELD = 1

/** What is swept in a component. */
const SWEPT = 1
export const SOFT = 2

/** Components of a world: buffers that grow with it and are kept. */
export class Links implements Leading {
  /** Union–find, by body. */
  parent: Int32Array = new Int32Array(0)
  /** By root: `FREE`, or joined to something that does not give way. */
  joined: Uint8Array = new Uint8Array(0)
  /** By root: `SWEPT` where a row is swept, or may be: what no tree of joints has; and `SOFT` where it is an element of a soft body. */
  swept: Uint8Array = new Uint8Array(0)
  /** By root: a kinematic body that moves and that it is joined to, or 0. */
  leader: Int32Array = new Int32Array(0)
  /** By root: how fast the fastest of those moves [m/s], and how fast it turns [rad/s]. */
  speed: Float64Array = new Float64Array(0)
  spin: Float64Array = new Float64Array(0)
  /** Kinematic bodies and what they are joined to, two by two. */
  private readonly pairs: number[] = []
  private orderedPairs = 0
  /** Indices of batches with rows that give way, between bodies that turn. */
  readonly storing: number[] = []
  /** The same four of the rows in order alone. */
  private ordered: Links | undefined
  /** Whether rows without an order were joined to them. */
  private hasLoose = false
  /** The order, and the number of bodies, that the components are of. */
  private joinedFor = -1
  private joinedCount = 0

  /** Components of all rows that act, of `count` bodies, and who leads them. */
  join(world: WorldView, count: number): void {
    this.joinRows(world, count)
    this.findLeaders(world.bodies)
  }

  /** Components of all rows that act, alone. */
  joinRows(world: WorldView, count: number): void {
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
    } else if (this.hasLoose) copyAwake(ordered, this, world.bodies)
    this.hasLoose = false
    this.pairs.length = this.orderedPairs
    for (let t = 0; t < world.batches.length; t++) {
      if (world.batches[t].type.unordered === true && world.batches[t].active > 0) {
        this.hasLoose = true
        this.joinLoose(world.bodies.columns, world.batches[t])
      }
    }
  }

  /** Of the rows in order alone: the root of a body, and whether its component is free. */
  rootInOrder(i: number): number {
    return this.ordered === undefined ? i : find(this.ordered.parent, i)
  }

  isFreeInOrder(root: number): boolean {
    return this.ordered === undefined || this.ordered.joined[root] === FREE
  }

  /** Which components are joined to what moves by itself. What stands still leads nothing, as the ground does not. */
  private findLeaders({ columns: { velocity, angularVelocity }, awake }: Bodies): void {
    const { parent, leader, speed, spin, pairs } = this
    const { rows, count } = awake
    for (let n = 0; n < count; n++) leader[rows[n]] = speed[rows[n]] = spin[rows[n]] = 0
    for (let k = 0; k < pairs.length; k += 2) {
      const o = 3 * pairs[k]
      const v = sizeOf(velocity, o)
      const w = sizeOf(angularVelocity, o)
      if (v === 0 && w === 0) continue
      const root = find(parent, pairs[k + 1])
      leader[root] = pairs[k]
      // Not a number is as fast as can be.
      if (!(v <= speed[root])) speed[root] = v
      if (!(w <= spin[root])) spin[root] = w
    }
  }

  private reserve(count: number): void {
    this.parent = new Int32Array(count)
    this.leader = new Int32Array(count)
    this.speed = new Float64Array(count)
    this.spin = new Float64Array(count)
    this.joined = new Uint8Array(count)
    this.swept = new Uint8Array(count)
  }

  private joinOrdered(world: WorldView, count: number): void {
    const { parent, joined, pairs, swept } = this
    const { position, kind } = world.bodies.columns
    pairs.length = 0
    for (let i = 0; i < count; i++) {
      parent[i] = i
      joined[i] = FREE
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
      if (type.transient !== true && stores(world, world.batches[t])) this.storing.push(t)
      const end =
        type.transient === true
          ? 0
          : arity * (type.joint === undefined && type.ownsSoftness !== true ? active : world.batches[t].swept)
      for (let k = 0; k < arity * active; k += arity) {
        let mover = -1
        let still = -1
        for (let b = k; b < k + arity; b++) {
          if (position[4 * ids[b] + 3] === 0) still = ids[b]
          else mover = ids[b]
        }
        if (mover >= 0 && k < end) swept[find(parent, mover)] |= isElement(world.batches[t]) ? SWEPT | SOFT : SWEPT
        if (still < 0 || mover < 0) continue
        const root = find(parent, mover)
        joined[root] = HELD
        for (let b = k; b < k + arity; b++) if (kind[ids[b]] === KINEMATIC) pairs.push(ids[b], mover)
      }
    }
    this.orderedPairs = pairs.length
  }

  /** Adds what rows without an order join. */
  private joinLoose({ position, kind }: BodyColumns, { ids, arity, active }: Batch): void {
    const { parent, joined, pairs, swept } = this
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
      }
      if (still < 0 || first < 0) continue
      joined[first] = HELD
      if (kind[still] === KINEMATIC) pairs.push(still, first)
    }
  }
}

/** Copies the components of bodies that do not sleep: rows without an order join no others. */
function copyAwake(from: Links, to: Links, { awake: { rows, count } }: Bodies): void {
  for (let n = 0; n < count; n++) {
    const i = rows[n]
    to.parent[i] = from.parent[i]
    to.joined[i] = from.joined[i]
    to.swept[i] = from.swept[i]
  }
}

function copy(from: Links, to: Links, count: number): void {
  for (let i = 0; i < count; i++) {
    to.parent[i] = from.parent[i]
    to.joined[i] = from.joined[i]
    to.swept[i] = from.swept[i]
  }
}

/** Whether a batch has rows whose stored energy counts. */
function stores(world: WorldView, batch: Batch): boolean {
  for (let row = 0; row < batch.active; row++) if (isCounted(world, batch, row)) return true
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

function sizeOf(v: Float64Array, o: number): number {
  return Math.sqrt(v[o] * v[o] + v[o + 1] * v[o + 1] + v[o + 2] * v[o + 2])
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
