/**
 * What a tree keeps beside its system, grown and kept so that a step allocates nothing: contacts that are solved with the joints (define/touch.ts), contacts that hold bodies
 * in later passes (held.ts), and groups of rows whose multiplier stays in a ball (balls.ts).
 */

import type { Batch } from '../state/batch.js'
import { SIX } from './body-block.js'

/** Numbers of a contact's axes. */
export const AXES = 9

export class Touches {
  /** Contacts of the substep in hand, and whether they are solved with the joints. */
  count = 0
  acts = false
  /** Whether they push: else only how they stand is measured. */
  pushes = true
  /** Row of a contact in its batch. */
  readonly batch: Batch[] = []
  row: Int32Array = new Int32Array(0)
  /** Bodies of its two particles and their nodes, the child's first; −1 where there is none, of nodes also where it does not move. */
  body: Int32Array = new Int32Array(0)
  node: Int32Array = new Int32Array(0)
  /** s of both, n̂ with t̂₁ and t̂₂, d, o, static and dynamic ν, as in `Touch`. */
  share: Float64Array = new Float64Array(0)
  axes: Float64Array = new Float64Array(0)
  offset: Float64Array = new Float64Array(0)
  origin: Float64Array = new Float64Array(0)
  friction: Float64Array = new Float64Array(0)
  /** Σ s² w [1/kg]; softness [1/kg] of its rows. */
  inverseMassBound: Float64Array = new Float64Array(0)
  softness: Float64Array = new Float64Array(0)
  /** Load that bounds friction, λ [kg m], and errors [m] along its axes. */
  load: Float64Array = new Float64Array(0)
  lambda: Float64Array = new Float64Array(0)
  error: Float64Array = new Float64Array(0)
  /** Batch, row and load of each contact of the last substep of this step. */
  private lastCount = 0
  private readonly lastBatch: Batch[] = []
  private lastRow: Int32Array = new Int32Array(0)
  private lastLoad: Float64Array = new Float64Array(0)

  /** Before a step: rows of contacts are found anew. */
  beginStep(): void {
    this.count = this.lastCount = 0
  }

  /** Before contacts of a substep are gathered: keeps the loads that those of the last one were found to bear. */
  beginSubstep(): void {
    this.lastCount = this.acts ? this.count : 0
    this.count = 0
    if (this.lastRow.length < this.row.length) {
      this.lastRow = new Int32Array(this.row.length)
      this.lastLoad = new Float64Array(this.row.length)
    }
    for (let k = 0; k < this.lastCount; k++) {
      this.lastBatch[k] = this.batch[k]
      this.lastRow[k] = this.row[k]
      this.lastLoad[k] = this.lambda[3 * k]
    }
  }

  /** Takes the loads of the last substep, 0 where a contact is new; false where none is known. Contacts are gathered in the same order each time. */
  recallLoads(): boolean {
    const { lastCount, lastBatch, lastRow, lastLoad } = this
    let next = 0
    for (let k = 0; k < this.count; k++) {
      let at = next
      while (at < lastCount && (lastBatch[at] !== this.batch[k] || lastRow[at] !== this.row[k])) at++
      this.load[k] = at < lastCount ? lastLoad[at] : 0
      if (at < lastCount) next = at + 1
    }
    return next > 0
  }

  /** Room for one more, whose number it returns. */
  add(): number {
    const at = this.count++
    if (at >= this.row.length) this.grow(Math.max(16, 2 * at))
    return at
  }

  private grow(size: number): void {
    this.row = longer(this.row, new Int32Array(size))
    this.body = longer(this.body, new Int32Array(2 * size))
    this.node = longer(this.node, new Int32Array(2 * size))
    this.share = longer(this.share, new Float64Array(2 * size))
    this.axes = longer(this.axes, new Float64Array(AXES * size))
    this.offset = longer(this.offset, new Float64Array(size))
    this.origin = longer(this.origin, new Float64Array(3 * size))
    this.friction = longer(this.friction, new Float64Array(2 * size))
    this.inverseMassBound = longer(this.inverseMassBound, new Float64Array(size))
    this.softness = longer(this.softness, new Float64Array(size))
    this.load = longer(this.load, new Float64Array(size))
    this.lambda = longer(this.lambda, new Float64Array(3 * size))
    this.error = longer(this.error, new Float64Array(3 * size))
  }
}

function longer<Numbers extends Int32Array | Float64Array>(old: Numbers, next: Numbers): Numbers {
  next.set(old)
  return next
}

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

const THREE = 3

/** Scratch of the groups of one set of trees that are in a ball. */
export class Balls {
  count = 0
  /** Edge and joint of a group, its first multiplier among all, how many it has, and R [kg m, kg m²]. */
  readonly edge: Int32Array
  readonly joint: Int32Array
  readonly origin: Int32Array
  readonly size: Int32Array
  readonly radius: Float64Array
  /** On the rim: the direction that λ takes, how far it has to go along it, and its gradients; `slides` is 0 inside. */
  readonly slides: Uint8Array
  readonly toward: Float64Array
  readonly change: Float64Array
  readonly Ji: Float64Array
  readonly Jp: Float64Array

  constructor(capacity: number) {
    this.edge = new Int32Array(capacity)
    this.joint = new Int32Array(capacity)
    this.origin = new Int32Array(capacity)
    this.size = new Int32Array(capacity)
    this.radius = new Float64Array(capacity)
    this.slides = new Uint8Array(capacity)
    this.toward = new Float64Array(THREE * capacity)
    this.change = new Float64Array(capacity)
    this.Ji = new Float64Array(SIX * capacity)
    this.Jp = new Float64Array(SIX * capacity)
  }
}
