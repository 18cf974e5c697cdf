/**
 * All pairs of proxies whose boxes touch, of which at least one is active.
 *
 * Kept from step to step is a larger list: the pairs whose fat boxes touch. It changes only where a fat box has changed, and
 * a step sifts it for the pairs whose own boxes touch (Catto's b2BroadPhase keeps its contacts in this way). The list is
 * in order, so what comes out is.
 *
 * Fat boxes and tree say what is compared; the boxes themselves and the order of the numbers say what comes out. The result
 * is the same whatever the tree has been through.
 */

import { overlaps } from './box.js'
import { IntList } from './int-list.js'
import { PairList } from './pair-list.js'
import type { BoxTree } from './tree.js'

/** Finds the pairs of one tree, step after step. */
export class PairFinder {
  /** Pairs of the last search: lower number first, sorted. */
  readonly pairs: PairList = new PairList()
  private readonly tree: BoxTree
  /** Pairs whose fat boxes touch, sorted; those of proxies on the tree's list of changes are out of date. */
  private candidates: PairList = new PairList()
  private merged: PairList = new PairList()
  /** Those of which one is active, and the count of changes that they are of. */
  private readonly moving: PairList = new PairList()
  private activeAt = -1
  private readonly found: PairList = new PairList()
  private readonly near: IntList = new IntList()

  constructor(tree: BoxTree) {
    this.tree = tree
  }

  /** Fills `pairs`. `active[id]` is not 0 for a proxy that is awake and moves; `changes` counts changes of that. */
  find(active: Uint8Array, changes: number): void {
    const isChanged = this.tree.changes.count > 0
    if (isChanged) {
      this.findNew()
      this.merge()
      this.tree.clearChanges()
    }
    if (isChanged || this.activeAt !== changes) this.keepActive(active)
    this.activeAt = changes
    this.sift()
  }

  /** Pairs of the fat boxes that have changed. */
  private findNew(): void {
    const { tree, found, near } = this
    const { changes, changed, fixed } = tree
    found.clear()
    for (let k = 0; k < changes.count; k++) {
      const id = changes.items[k]
      if (!tree.has(id)) continue
      near.clear()
      tree.queryFat(id, near)
      found.reserve(found.count + near.count)
      for (let n = 0; n < near.count; n++) {
        const other = near.items[n]
        if (fixed[id] !== 0 && fixed[other] !== 0) continue
        // Two that have both changed find each other: the lower one's find counts.
        if (other === id || (changed[other] !== 0 && other < id)) continue
        const slot = 2 * found.count++
        found.items[slot] = id < other ? id : other
        found.items[slot + 1] = id < other ? other : id
      }
    }
    found.sort(tree.ids)
  }

  /** Merges the pairs found into what is left of the old ones. */
  private merge(): void {
    const { found, merged, candidates } = this
    const { changed } = this.tree
    const old = candidates.items
    const fresh = found.items
    const freshCount = found.count
    merged.clear()
    merged.reserve(candidates.count + freshCount)
    const into = merged.items
    let count = 0
    let f = 0
    for (let k = 0; k < candidates.count; k++) {
      const a = old[2 * k]
      const b = old[2 * k + 1]
      if ((changed[a] | changed[b]) !== 0) continue
      while (f < freshCount && (fresh[2 * f] < a || (fresh[2 * f] === a && fresh[2 * f + 1] < b))) {
        into[2 * count] = fresh[2 * f]
        into[2 * count + 1] = fresh[2 * f + 1]
        count++
        f++
      }
      into[2 * count] = a
      into[2 * count + 1] = b
      count++
    }
    for (; f < freshCount; f++) {
      into[2 * count] = fresh[2 * f]
      into[2 * count + 1] = fresh[2 * f + 1]
      count++
    }
    merged.count = count
    this.merged = candidates
    this.candidates = merged
  }

  /** Of the candidates, those of which one is active. */
  private keepActive(active: Uint8Array): void {
    const { candidates, moving } = this
    moving.clear()
    moving.reserve(candidates.count)
    const from = candidates.items
    const to = moving.items
    const end = 2 * candidates.count
    let n = 0
    for (let k = 0; k < end; k += 2) {
      const a = from[k]
      const b = from[k + 1]
      if ((active[a] | active[b]) === 0) continue
      to[n] = a
      to[n + 1] = b
      n += 2
    }
    moving.count = n >> 1
  }

  /** Of those, the ones whose own boxes touch. */
  private sift(): void {
    const { moving, pairs } = this
    const { tight } = this.tree
    pairs.clear()
    pairs.reserve(moving.count)
    const from = moving.items
    const to = pairs.items
    const end = 2 * moving.count
    let n = 0
    for (let k = 0; k < end; k += 2) {
      const a = from[k]
      const b = from[k + 1]
      if (!overlaps(tight, 6 * a, tight, 6 * b)) continue
      to[n] = a
      to[n + 1] = b
      n += 2
    }
    pairs.count = n >> 1
  }
}
