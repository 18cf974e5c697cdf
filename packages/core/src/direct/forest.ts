/**
 * Joints as trees: which rows are solved together, and in which order.
 *
 * A node is a moving body and the edge to its parent: all joints between the two. What does not move is the ground, which
 * holds no tree to another. Nodes of a tree stand leaves first, so that one pass upward eliminates it and one pass downward
 * solves it. Trees grow breadth first from the ground, oldest joint first; a joint that would close a loop is cut.
 */

import type { Batch } from '../batch.js'

/** Trees of a world, flat. */
export class Forest {
  /** Nodes of tree t are `start[t]` to `start[t + 1]`. */
  readonly start: Int32Array
  /** Body of a node, its parent's node or −1, and the first of its members; closed by their number. */
  readonly body: Int32Array
  readonly parent: Int32Array
  readonly firstMember: Int32Array
  /** First of a node's rows in the scratch of the solver; closed by their number. */
  readonly firstRow: Int32Array
  /** Joints of the edges: batch, row, and which of its two bodies is the child. */
  readonly batch: readonly Batch[]
  readonly row: Int32Array
  readonly side: Uint8Array
  /** Joints that close loops, and are left to the sweep. */
  readonly cuts: readonly { readonly batch: Batch; readonly slot: number }[]

  constructor(trees: readonly Tree[], cuts: readonly Joint[]) {
    const nodes = trees.flat()
    const members = nodes.flatMap(({ joints }) => joints)
    this.start = new Int32Array(trees.length + 1)
    trees.forEach((tree, t) => (this.start[t + 1] = this.start[t] + tree.length))
    this.body = Int32Array.from(nodes, ({ body }) => body)
    const place = new Map(nodes.map(({ body }, n) => [body, n]))
    this.parent = Int32Array.from(nodes, ({ parent }) => place.get(parent) ?? -1)
    this.firstMember = new Int32Array(nodes.length + 1)
    this.firstRow = new Int32Array(nodes.length + 1)
    nodes.forEach(({ joints }, n) => {
      this.firstMember[n + 1] = this.firstMember[n] + joints.length
      this.firstRow[n + 1] = this.firstRow[n] + joints.reduce((sum, { batch }) => sum + batch.type.multipliers, 0)
    })
    this.batch = members.map(({ batch }) => batch)
    this.row = Int32Array.from(members, ({ batch, slot }) => batch.slotRow[slot])
    this.side = Uint8Array.from(nodes.flatMap(({ body, joints }) => joints.map(({ a }) => (a === body ? 0 : 1))))
    this.cuts = cuts
  }

  get treeCount(): number {
    return this.start.length - 1
  }

  get nodeCount(): number {
    return this.body.length
  }
}

/** A joint as an edge of the graph. */
export interface Joint {
  readonly batch: Batch
  readonly slot: number
  readonly sequence: number
  readonly a: number
  readonly b: number
  /** Whether it asked for the direct solution by name. */
  readonly asked: boolean
}

/** A body with the joints to its parent; the parent's row, or −1. */
export interface Node {
  readonly body: number
  readonly parent: number
  readonly joints: readonly Joint[]
}

export type Tree = readonly Node[]
