/**
 * Rows of manifolds that a step visits: all but those between colliders at rest, in which nothing changes. Ascending. Made anew when bodies or the
 * order of rows have changed; rows that come and go in between are added and taken out one by one.
 */

import { type LeanWorld } from '@tautline/core'
import { STATIC, WORLD_BODY } from '@tautline/core/kernel'
import { IntList } from '../detect/broad/int-list.js'
import type { Manifolds } from './manifold-columns.js'
import { BEARS_LONG } from './towers.js'

export class AwakeRows {
  private readonly world: LeanWorld
  private readonly batch: Manifolds
  private readonly list = new IntList()
  /** Rows of the batch, the order, and the changes of bodies that the list is for. */
  private known = -1
  private orderings = -1
  private version = -1
  private changes = -1

  constructor(world: LeanWorld, batch: Manifolds) {
    this.world = world
    this.batch = batch
  }

  /** Brings the list up to date and returns it. */
  get rows(): IntList {
    const { world, batch, list } = this
    const { bodies, orderings } = world
    const isSame = this.known === batch.count && this.orderings === orderings
    if (isSame && this.version === bodies.version && this.changes === bodies.awake.changes) return list
    this.known = batch.count
    this.orderings = orderings
    this.version = bodies.version
    this.changes = bodies.awake.changes
    list.clear()
    for (let row = 0; row < batch.count; row++) if (!this.isAtRest(row)) list.push(row)
    return list
  }

  /** Takes in the last row, which is new. */
  added(): void {
    if (this.known !== this.batch.count - 1) return
    this.list.push(this.known++)
  }

  /** Before a row is removed, whose place the last row takes. */
  removing(row: number): void {
    const { list, batch } = this
    const last = batch.count - 1
    if (this.known !== batch.count) return
    this.known--
    if (list.count === 0 || list.items[list.count - 1] !== last) return
    list.count--
    const at = list.lowerBound(row)
    // The row that moves is visited, and its new place is not: the list is made anew.
    if (row !== last && (at === list.count || list.items[at] !== row)) this.known = -1
  }

  /** Whether nothing changes in a row: its bodies rest, and so does what is counted of it. */
  private isAtRest(row: number): boolean {
    const { body, bearing, fastSubstep } = this.batch.columns
    if (fastSubstep[row] !== 0 || (bearing[row] !== 0 && bearing[row] < BEARS_LONG)) return false
    return this.isBodyAtRest(body[2 * row]) && this.isBodyAtRest(body[2 * row + 1])
  }

  private isBodyAtRest(i: number): boolean {
    const { columns, awake } = this.world.bodies
    return i === WORLD_BODY || awake.isResting(i) || (columns.kind[i] === STATIC && columns.stillTime[i] > 0)
  }
}
