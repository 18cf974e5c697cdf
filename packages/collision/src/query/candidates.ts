/** The colliders that a query must look at, the nearest boxes first. */

import { type BoxTree, NO_NODE } from '../detect/broad/tree.js'
import type { Shape } from '../shapes/shape.js'
import type { Probe } from './probe.js'

/** What queries are made of: colliders by number, where they stand, and which of them count. */
export interface QuerySource {
  /** Boxes of colliders; each holds its shape at `transform`. */
  readonly tree: BoxTree
  /** World transform (12) a collider. */
  readonly transform: Float64Array
  shapeOf(id: number): Shape
  /** Whether a collider counts; asked at most once a query, before its shape is looked at. */
  accepts(id: number): boolean
}

/**
 * A walk over colliders: those whose boxes have no end, then the tree, of two children always the nearer
 * first. What has been found bounds how far it goes on.
 */
export class Candidates {
  private readonly source: QuerySource
  private readonly probe: Probe
  /** Nodes that wait, and how far they are. */
  private readonly nodes: number[] = []
  private readonly far: number[] = []
  private unbounded = 0

  constructor(source: QuerySource, probe: Probe, limit: number) {
    this.source = source
    this.probe = probe
    if (source.tree.root !== NO_NODE) this.wait(source.tree.root, limit)
  }

  /** The next collider that counts and may be no farther than `limit`; −1 if there is none. */
  next(limit: number): number {
    const { source, nodes, far } = this
    const { tree } = source
    while (this.unbounded < tree.unbounded.count) {
      const id = tree.unbounded.items[this.unbounded++]
      if (source.accepts(id)) return id
    }
    while (nodes.length > 0) {
      const node = nodes.pop()!
      const distance = far.pop()!
      // Where something is overlapped the limit is negative, and what else holds the point still counts.
      if (distance > limit && distance > 0) continue
      if ((node & 1) !== 0) this.openNode(node, limit)
      else if (source.accepts(node >> 1)) return node >> 1
    }
    return -1
  }

  /** Both children wait, the nearer on top. */
  private openNode(node: number, limit: number): void {
    const { children } = this.source.tree
    const { far, nodes } = this
    const first = far.length
    this.wait(children[2 * node], limit)
    this.wait(children[2 * node + 1], limit)
    if (far.length - first < 2 || far[first] >= far[first + 1]) return
    far.push(far.splice(first, 1)[0])
    nodes.push(nodes.splice(first, 1)[0])
  }

  private wait(node: number, limit: number): void {
    const { boxes, tight } = this.source.tree
    const inner = (node & 1) !== 0
    const distance = this.probe.reach(inner ? boxes : tight, inner ? 6 * node : 3 * node, limit)
    if (distance === Infinity) return
    this.nodes.push(node)
    this.far.push(distance)
  }
}
