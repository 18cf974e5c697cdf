/**
 * Nets: rows over particles that hang together in rings, as in cloth, soft bodies and lattices.
 *
 * Linear, without forces, a substep is x⁺ = P (2x − x⁻), P the product of the rows' projections as they are swept. A mode with Px = px
 * goes as z² − 2pz + p = 0: |z|² = p for p in [0, 1], so nothing grows; for complex p = 1 − ε + iδ it grows once δ > ε^(3/2). Swept
 * out **and back**, P = SᵀS, all p are in [0, 1]. Swept in one direction they are so where no ring of rows exists, each row a neighbour of
 * those that it shares a moving body with (such matrices are consistently ordered in any order: Young, "Iterative solution of large
 * linear systems", 1971): chains. All others are nets.
 */

import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import { ROTATES } from '../state/body-columns.js'

/** Rows beyond this at one moving body form a ring. */
const IN_CHAINS = 2

/** Which bodies belong to nets; buffers that grow with the world and are kept. */
export class Nets {
  private root = new Int32Array(0)
  private degree = new Int32Array(0)
  /** 1 at the root of a net. */
  private isNet = new Uint8Array(0)

  /** Finds the nets of the rows that act and are swept. */
  find(bodies: Bodies, batches: readonly Batch[]): void {
    const { count } = bodies
    if (this.root.length < count) {
      this.root = new Int32Array(2 * count)
      this.degree = new Int32Array(2 * count)
      this.isNet = new Uint8Array(2 * count)
    }
    const { root, degree, isNet } = this
    for (let i = 0; i < count; i++) root[i] = i
    degree.fill(0, 0, count)
    isNet.fill(0, 0, count)
    for (const batch of batches) {
      for (let row = 0; row < batch.count; row++)
        if (this.joinsParticles(bodies, batch, row)) this.unite(bodies, batch, row)
    }
  }

  /** Whether a row belongs to a net. */
  has(bodies: Bodies, batch: Batch, row: number): boolean {
    if (!this.joinsParticles(bodies, batch, row)) return false
    const { arity } = batch
    const { body } = batch.common
    for (let b = arity * row; b < arity * (row + 1); b++) {
      if (bodies.columns.position[4 * body[b] + 3] !== 0) return this.isNet[this.rootOf(body[b])] !== 0
    }
    return false
  }

  /** Whether a row acts, is swept, and moves particles alone. Contacts are no part of nets: they have the last word. */
  private joinsParticles({ columns: { flags, position } }: Bodies, batch: Batch, row: number): boolean {
    const { arity, type } = batch
    const { body, enabled, direct } = batch.common
    if (enabled[row] === 0 || direct[row] !== 0 || type.warmStart === false) return false
    if (type.warmStart === 'own' && type.arrange === undefined) return false
    let moves = false
    for (let b = arity * row; b < arity * (row + 1); b++) {
      if (position[4 * body[b] + 3] === 0) continue
      if ((flags[body[b]] & ROTATES) !== 0) return false
      moves = true
    }
    return moves
  }

  private unite({ columns: { position } }: Bodies, { arity, common: { body } }: Batch, row: number): void {
    const { root, degree, isNet } = this
    let first = -1
    for (let b = arity * row; b < arity * (row + 1); b++) {
      if (position[4 * body[b] + 3] === 0) continue
      const top = this.rootOf(body[b])
      if (++degree[body[b]] > IN_CHAINS) isNet[top] = 1
      if (first < 0) first = top
      else if (first === top) isNet[top] = 1
      else {
        root[top] = first
        isNet[first] |= isNet[top]
      }
    }
  }

  /** The root of a body. */
  private rootOf(i: number): number {
    const { root } = this
    while (root[i] !== i) i = root[i] = root[root[i]]
    return i
  }
}
