/**
 * Which bodies hang together with something for which the direct solution is worth it: sheets and nets of a hundred thousand rows on particles are passed
 * over by numbers alone, before an object is made of any row.
 */

import { DisjointSets } from '../graph/disjoint-sets.js'
import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import { type BodyColumns, ROTATES, WORLD_BODY } from '../state/body-columns.js'

/** Whether anything may be worth it: some body turns, or some row of joints asks for the direct solution by its code in `solver`, `asking`. */
export function isAnyWorth({ columns: { flags }, count }: Bodies, batches: readonly Batch[], asking: number): boolean {
  for (let i = 0; i < count; i++) if ((flags[i] & ROTATES) !== 0) return true
  return batches.some(
    ({ type, common: { solver }, count: rows }) =>
      type.joint !== undefined && solver.subarray(0, rows).includes(asking),
  )
}

/** Moving bodies as rows of joints hold them together; buffers that grow with the world and are kept. */
export class Worth {
  private readonly sets = new DisjointSets()
  /** 1 at the root of bodies among whose rows one asks for the direct solution, or has a body that rotates. */
  private isWorth = new Uint8Array(0)

  /** Forgets all, for a world of `count` bodies. */
  begin(count: number): void {
    if (this.isWorth.length < count) this.isWorth = new Uint8Array(2 * count)
    this.sets.reset(count)
    this.isWorth.fill(0, 0, count)
  }

  /** Takes the rows of a batch of joints along that act; `asking` is the code in `solver` of those that ask for the direct solution, all where `all`. */
  add({ position, flags }: BodyColumns, batch: Batch, asking: number, all: boolean): void {
    const { count, arity, ids } = batch
    const { sets, isWorth } = this
    const { enabled, solver } = batch.common
    for (let row = 0; row < count; row++) {
      if (enabled[row] === 0) continue
      const a = ids[arity * row]
      const b = arity === 1 ? WORLD_BODY : ids[arity * row + 1]
      let top = sets.root(position[4 * a + 3] !== 0 ? a : b)
      if (position[4 * a + 3] !== 0 && position[4 * b + 3] !== 0) {
        const isAnyWorth = isWorth[top] | isWorth[sets.root(b)]
        top = sets.join(top, b)
        isWorth[top] = isAnyWorth
      }
      if (all || solver[row] === asking || ((flags[a] | flags[b]) & ROTATES) !== 0) isWorth[top] = 1
    }
  }

  /** Whether a moving body hangs together with something for which the direct solution is worth it. */
  has(body: number): boolean {
    return this.isWorth[this.sets.root(body)] !== 0
  }
}
