/**
 * Joints that are solved together: which rows they have, and in which order.
 *
 * A node is a moving body and the edge to its parent: all joints between the two. What does not move is the ground, which
 * holds no tree to another; all joints of a body to the ground are one edge. Nodes stand leaves first, so that one pass upward
 * eliminates them and one pass downward solves them. Trees grow breadth first from the ground, oldest joint first. A joint that
 * would close a loop is cut: it becomes an edge of its own behind the nodes, whose rows border the system (border.ts). What acts on one
 * body that moves and always gives way, as a spring or a drive to the ground does, closes no loop: it stands with its node's edge and has
 * no gradient on the parent.
 */

import type { Batch } from '../state/batch.js'
import { SIX } from './body-block.js'

/** A joint as an edge of the graph; `b` of one that has one body is the world. */
export interface Joint {
  readonly batch: Batch
  readonly slot: number
  readonly sequence: number
  readonly a: number
  readonly b: number
  /** Whether it asked for the direct solution by name. */
  readonly asked: boolean
  /** Whether it gives way or is driven. */
  readonly yields: boolean
}

/** A body with the joints to its parent, which is a body, or −1, and those that it has alone. */
export interface Node {
  readonly body: number
  readonly parent: number
  readonly joints: readonly Joint[]
}

/** Trees that joints hold together: nodes leaves first, and the edges that close loops. */
export class Forest {
  /** Body of a node. */
  readonly body: Int32Array
  /** Nodes of an edge: the child, and the parent or −1. Edges that close loops come after those of the nodes. */
  readonly child: Int32Array
  readonly parent: Int32Array
  /** First of an edge's members, and of its rows in the scratch of the solver; closed by their number. */
  readonly firstMember: Int32Array
  readonly firstRow: Int32Array
  /** Joints of the edges: batch, slot, row, and which of its two bodies is the child. */
  readonly batch: readonly Batch[]
  readonly slot: Int32Array
  readonly row: Int32Array
  readonly side: Uint8Array
  /** Numbers of one of its rows in J: six a body. */
  readonly stride: Int32Array
  /** 1 where it has no gradient on the parent of its edge's node. */
  readonly alone: Uint8Array
  /** Bodies that joints of the trees have and that are none of their nodes. */
  readonly ground: Int32Array
  /** 1 where a node has a body of a loop's edge below it, or is one. */
  readonly bordered: Uint8Array
  readonly treeCount: number

  constructor(nodes: readonly Node[], loops: readonly Node[]) {
    const edges = [...nodes, ...loops]
    const members = edges.flatMap(({ joints }) => joints)
    const place = new Map(nodes.map(({ body }, n) => [body, n]))
    this.body = Int32Array.from(nodes, ({ body }) => body)
    this.child = Int32Array.from(edges, ({ body }) => place.get(body) as number)
    this.parent = Int32Array.from(edges, ({ parent }) => place.get(parent) ?? -1)
    this.firstMember = new Int32Array(edges.length + 1)
    this.firstRow = new Int32Array(edges.length + 1)
    edges.forEach(({ joints }, n) => {
      this.firstMember[n + 1] = this.firstMember[n] + joints.length
      this.firstRow[n + 1] = this.firstRow[n] + widthOf(joints)
    })
    this.batch = members.map(({ batch }) => batch)
    this.slot = Int32Array.from(members, ({ slot }) => slot)
    this.row = new Int32Array(members.length)
    this.side = Uint8Array.from(edges.flatMap(({ body, joints }) => joints.map(({ a }) => (a === body ? 0 : 1))))
    this.stride = Int32Array.from(members, ({ batch }) => SIX * batch.arity)
    this.alone = Uint8Array.from(edges.flatMap(({ parent, joints }) => joints.map((j) => (isOn(j, parent) ? 0 : 1))))
    this.ground = Int32Array.from([...new Set(members.flatMap(({ a, b }) => [a, b]).filter((i) => !place.has(i)))])
    this.bordered = new Uint8Array(nodes.length)
    for (let c = nodes.length; c < edges.length; c++) this.bordered[this.child[c]] = this.bordered[this.parent[c]] = 1
    for (let n = 0; n < nodes.length; n++)
      if (this.bordered[n] !== 0 && this.parent[n] >= 0) this.bordered[this.parent[n]] = 1
    this.treeCount = nodes.reduce((sum, { parent }) => sum + (parent < 0 ? 1 : 0), 0)
  }

  get nodeCount(): number {
    return this.body.length
  }

  /** Nodes, and joints that close loops. */
  get edgeCount(): number {
    return this.child.length
  }

  /** Looks up where the rows are: every order of the sweep moves them. */
  locate(): void {
    const { batch, row, slot } = this
    for (let e = 0; e < row.length; e++) row[e] = batch[e].slotRow[slot[e]]
  }
}

/** Whether a joint acts on one body alone, with rows that always give way: of a type of one body, or of springs and drives to what does not move. */
export function isAlone({ batch, a, b }: Joint, moves: (i: number) => boolean): boolean {
  return batch.arity === 1 || (batch.type.joint?.neverRigid === true && moves(a) !== moves(b))
}

function isOn({ batch, a, b }: Joint, body: number): boolean {
  return batch.arity > 1 && (a === body || b === body)
}

/** Most rows that joints have. */
export function widthOf(joints: readonly Joint[]): number {
  return joints.reduce((sum, { batch }) => sum + batch.type.multipliers, 0)
}
