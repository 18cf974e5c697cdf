/** Contacts that hold bodies of a tree in later passes (held.ts): grown and kept, so that a step allocates nothing. */

import type { Batch } from '../state/batch.js'
import { SIX } from './body-block.js'

/** Rows that hold bodies of a tree: grown and kept. */
export class Held {
  count = 0
  /** By node: whether it was struck in this substep; and whether any was. */
  isStruck: Uint8Array = new Uint8Array(0)
  any = false
  node: Int32Array = new Int32Array(0)
  /** Gradients, six a row. */
  n: Float64Array = new Float64Array(0)
  /** Where its λ is: the batch, and the number of the multiplier there. */
  readonly batch: Batch[] = []
  multiplier: Int32Array = new Int32Array(0)
  /** What it bears [kg m]. */
  load: Float64Array = new Float64Array(0)
  /** κ [kg]. */
  readonly stiffness: Float64Array = new Float64Array(1)

  add(): number {
    const at = this.count++
    if (at < this.node.length) return at
    const size = Math.max(16, 2 * at)
    this.node = longer(this.node, new Int32Array(size))
    this.n = longer(this.n, new Float64Array(SIX * size))
    this.multiplier = longer(this.multiplier, new Int32Array(size))
    this.load = longer(this.load, new Float64Array(size))
    return at
  }

  /** Puts row `from` in the place of row `to`. */
  move(from: number, to: number): void {
    this.node[to] = this.node[from]
    this.batch[to] = this.batch[from]
    this.multiplier[to] = this.multiplier[from]
    this.n.copyWithin(SIX * to, SIX * from, SIX * (from + 1))
  }
}

function longer<Numbers extends Int32Array | Float64Array>(old: Numbers, next: Numbers): Numbers {
  next.set(old)
  return next
}
