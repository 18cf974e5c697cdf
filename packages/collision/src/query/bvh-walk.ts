/** Leaves of the tree of a mesh, the nearer child first. */

import type { Bvh } from '../shapes/bvh.js'
import type { Probe } from './probe.js'

/** A walk that can be stopped anywhere: what has been found bounds how far it goes on. */
export class BvhWalk {
  /** The leaf's triangles are `items[first … first + count)`. */
  first = 0
  count = 0
  private readonly probe: Probe
  private bvh: Bvh | null = null
  private nodes: Int32Array = new Int32Array(64)
  private reached: Float64Array = new Float64Array(64)
  private top = 0

  constructor(probe: Probe) {
    this.probe = probe
  }

  /** Begins at the root. */
  start(bvh: Bvh, limit: number): void {
    // Of each node on the way down one child waits.
    if (this.nodes.length <= bvh.depth) {
      this.nodes = new Int32Array(2 * bvh.depth)
      this.reached = new Float64Array(2 * bvh.depth)
    }
    this.bvh = bvh
    this.top = 0
    this.wait(0, this.probe.reach(bvh.boxes, 0, limit))
  }

  /** Goes on to the next leaf no farther than `limit`; false if there is none. */
  next(limit: number): boolean {
    const { probe, nodes, reached } = this
    const { boxes, nodes: links } = this.bvh!
    while (this.top > 0) {
      const node = nodes[--this.top]
      if (reached[this.top] > limit) continue
      const left = links[2 * node]
      const right = links[2 * node + 1]
      if (left < 0) {
        this.first = -1 - left
        this.count = right
        return true
      }
      const toLeft = probe.reach(boxes, 6 * left, limit)
      const toRight = probe.reach(boxes, 6 * right, limit)
      if (toLeft <= toRight) {
        this.wait(right, toRight)
        this.wait(left, toLeft)
      } else {
        this.wait(left, toLeft)
        this.wait(right, toRight)
      }
    }
    return false
  }

  private wait(node: number, far: number): void {
    if (far === Infinity) return
    this.nodes[this.top] = node
    this.reached[this.top++] = far
  }
}
