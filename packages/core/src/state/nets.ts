/**
 * Nets: rows over particles that hang together in rings, as in cloth, soft bodies and lattices.
 *
 * Linear, without forces, a substep is x⁺ = P (2x − x⁻), P the product of the rows' projections as they are swept. A mode with Px = px
 * goes as z² − 2pz + p = 0: |z|² = p for p in [0, 1], so nothing grows; for complex p = 1 − ε + iδ it grows once δ > ε^(3/2). Swept
 * out **and back**, P = SᵀS, all p are in [0, 1]. Swept in one direction they are so where no ring of rows exists, each row a neighbour of
 * those that it shares a moving body with (such matrices are consistently ordered in any order: Young, "Iterative solution of large
 * linear systems", 1971): chains. All others are nets.
 */

import { DisjointSets, roomFor } from '../graph/disjoint-sets.js'
import type { Batch } from './batch.js'

/** What a body does: it stands, it moves without turning, or it turns as well. */
export const STANDS = 0
export const MOVES = 1
export const TURNS = 2

/** Rows beyond this at one moving body form a ring. */
const IN_CHAINS = 2

/** Which bodies belong to nets; buffers that grow with the world and are kept. */
export class Nets {
  /** 1 for a particle of a net. */
  members: Uint8Array = new Uint8Array(0)
  private readonly sets = new DisjointSets()
  private degree = new Int32Array(0)
  /** 1 at the root of a net. */
  private isNet = new Uint8Array(0)

  /** Finds the nets of the rows that act and are swept, among `count` bodies of which `motion` says what they do. */
  find(motion: Uint8Array, count: number, batches: readonly Batch[]): void {
    if (this.degree.length < count) {
      const size = roomFor(count, this.degree)
      this.degree = new Int32Array(size)
      this.isNet = new Uint8Array(size)
      this.members = new Uint8Array(size)
    }
    const { sets, degree, isNet, members } = this
    sets.reset(count)
    degree.fill(0, 0, count)
    isNet.fill(0, 0, count)
    for (const batch of batches) if (mayHaveNets(batch)) this.unite(motion, batch)
    for (let i = 0; i < count; i++) members[i] = isNet[sets.root(i)]
  }

  /** Unites the particles of each row that acts, is swept, and moves nothing else. */
  private unite(motion: Uint8Array, { arity, ids, count, common }: Batch): void {
    const { sets, degree, isNet } = this
    const { enabled, direct } = common
    for (let row = 0; row < count; row++) {
      if (enabled[row] === 0 || direct[row] !== 0) continue
      const from = arity * row
      const to = from + arity
      let fastest = STANDS
      for (let b = from; b < to; b++) if (motion[ids[b]] > fastest) fastest = motion[ids[b]]
      if (fastest !== MOVES) continue
      let first = -1
      for (let b = from; b < to; b++) {
        const i = ids[b]
        if (motion[i] === STANDS) continue
        const top = sets.root(i)
        if (++degree[i] > IN_CHAINS) isNet[top] = 1
        if (first < 0) first = top
        else if (first === top) isNet[top] = 1
        else {
          const isAnyNet = isNet[first] | isNet[top]
          first = sets.join(first, top)
          isNet[first] = isAnyNet
        }
      }
    }
  }
}

/** Whether rows of a batch may belong to nets. Contacts are no part of them: they have the last word. */
export function mayHaveNets({ type }: Batch): boolean {
  return type.traits?.warmStart !== false && (type.traits?.warmStart !== 'own' || type.loop?.arrange !== undefined)
}
