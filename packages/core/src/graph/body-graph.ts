/**
 * Which moving bodies are connected by rows that act, contacts included. Static and kinematic bodies do not connect components. One for a world: guards
 * read it. Components by rows in order are found anew when rows were put in order anew; rows without an order, which a step makes, are added each time.
 */

import { type BodyColumns, KINEMATIC, WORLD_BODY } from '../state/body-columns.js'
import type { AwakeBodies } from './awake-bodies.js'
import { DisjointSets } from './disjoint-sets.js'

/** Rows of a batch, as far as the graph reads them. */
interface GraphRows {
  readonly ids: Int32Array
  readonly arity: number
  readonly active: number
  readonly type: { readonly traits?: { readonly unordered?: boolean } }
}

/** The world, as far as the graph reads it. */
export interface GraphView {
  readonly bodies: {
    readonly columns: BodyColumns
    readonly awake: AwakeBodies
    readonly count: number
    readonly version: number
  }
  readonly batches: readonly GraphRows[]
  readonly orderings: number
  graph: BodyGraph | undefined
}

/** The graph of a world, made when it is first asked for and brought up to date. */
export function graphOf(world: GraphView): BodyGraph {
  const graph = (world.graph ??= new BodyGraph())
  graph.refresh(world)
  return graph
}

/** Components of a world: buffers that grow with it and are kept. */
export class BodyGraph {
  /** Components by all rows, and by the rows in order alone. */
  readonly sets: DisjointSets = new DisjointSets()
  readonly ordered: DisjointSets = new DisjointSets()
  /** By root of each: 1 where the component is joined to a static or kinematic body, or to the world. */
  held: Uint8Array = new Uint8Array(0)
  heldInOrder: Uint8Array = new Uint8Array(0)
  /** Kinematic bodies and a body that each is joined to, two by two. */
  readonly drivers: number[] = []
  private orderedDrivers = 0
  /** Whether rows without an order were joined. */
  private hasLoose = false
  /** The order, and the version of the bodies, that the components are of: one that is frozen within a step joins nothing from then on. */
  private foundFor = -1
  private foundVersion = -1

  /** Brings the components up to date. */
  refresh({ bodies, batches, orderings }: GraphView): void {
    const { count, columns, awake, version } = bodies
    if (this.foundFor !== orderings || this.foundVersion !== version) {
      this.foundFor = orderings
      this.foundVersion = version
      this.joinOrdered(columns, count, batches)
      for (let i = 0; i < count; i++) this.copy(i)
    } else if (this.hasLoose) {
      // Rows without an order join no body that sleeps.
      const { rows, count: visited } = awake
      for (let n = 0; n < visited; n++) this.copy(rows[n])
    }
    this.hasLoose = false
    this.drivers.length = this.orderedDrivers
    for (let t = 0; t < batches.length; t++) {
      if (batches[t].type.traits?.unordered !== true || batches[t].active === 0) continue
      this.hasLoose = true
      joinRows(columns, batches[t], this.sets, this.held)
      this.markHeld(columns, batches[t], this.sets, this.held)
    }
  }

  private joinOrdered(columns: BodyColumns, count: number, batches: readonly GraphRows[]): void {
    const { ordered, sets, drivers } = this
    if (this.held.length < count) {
      this.held = new Uint8Array(2 * count)
      this.heldInOrder = new Uint8Array(2 * count)
      sets.reserve(2 * count)
    }
    ordered.reset(count)
    drivers.length = 0
    this.heldInOrder.fill(0, 0, count)
    for (let t = 0; t < batches.length; t++) {
      if (batches[t].type.traits?.unordered !== true) joinRows(columns, batches[t], ordered, this.heldInOrder)
    }
    for (let t = 0; t < batches.length; t++) {
      if (batches[t].type.traits?.unordered !== true) this.markHeld(columns, batches[t], ordered, this.heldInOrder)
    }
    this.orderedDrivers = drivers.length
  }

  private copy(i: number): void {
    this.sets.parent[i] = this.ordered.parent[i]
    this.held[i] = this.heldInOrder[i]
  }

  /** Marks the components that rows join to what does not move, and notes what drives them. */
  private markHeld({ position, kind }: BodyColumns, rows: GraphRows, sets: DisjointSets, held: Uint8Array): void {
    const { ids, arity, active } = rows
    for (let k = 0; k < arity * active; k += arity) {
      let mover = -1
      let isHeld = false
      for (let b = k; b < k + arity; b++) {
        if (position[4 * ids[b] + 3] === 0) isHeld = true
        else mover = ids[b]
      }
      if (!isHeld || mover < 0) continue
      held[sets.root(mover)] = 1
      for (let b = k; b < k + arity; b++) if (kind[ids[b]] === KINEMATIC) this.drivers.push(ids[b], mover)
    }
  }
}

/** The first body of a row that moves; 0, the world, where all of them were frozen within the step. */
export function moverOf({ position }: BodyColumns, { ids, arity }: GraphRows, row: number): number {
  for (let b = arity * row; b < arity * (row + 1); b++) if (position[4 * ids[b] + 3] !== 0) return ids[b]
  return WORLD_BODY
}

/** Joins the moving bodies of each row that acts. */
function joinRows({ position }: BodyColumns, rows: GraphRows, sets: DisjointSets, held: Uint8Array): void {
  const { ids, arity, active } = rows
  for (let k = 0; k < arity * active; k += arity) {
    let first = -1
    for (let b = k; b < k + arity; b++) {
      if (position[4 * ids[b] + 3] === 0) continue
      if (first < 0) first = sets.root(ids[b])
      else {
        const other = sets.root(ids[b])
        const isHeld = held[first] | held[other]
        first = sets.join(first, other)
        held[first] = isHeld
      }
    }
  }
}
