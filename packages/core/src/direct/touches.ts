/** Contacts that a tree takes along in a substep (define/touch.ts): grown and kept, so that a step allocates nothing. */

import type { Batch } from '../state/batch.js'

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
