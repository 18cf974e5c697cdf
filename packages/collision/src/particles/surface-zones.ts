/** Sets of bodies that move as one: each goes by the mean of their ways, by mass. */

import { DisjointSets } from '@tautline/core/kernel'
import { IntList } from '../detect/broad/int-list.js'

/** Numbers of a zone: mass, and mass times way (3). */
const SUMS = 4

export class Zones {
  /** Two bodies for each time that two zones became one. */
  readonly links: IntList = new IntList()
  private readonly sets = new DisjointSets()
  /** Bodies that are in a zone, and by body 1 for each of them. */
  private readonly members = new IntList()
  private isMember: Uint8Array = new Uint8Array(0)
  private sums: Float64Array = new Float64Array(0)

  /** Has each of `count` bodies by itself. */
  clear(count: number): void {
    this.links.clear()
    const { members } = this
    for (let k = 0; k < members.count; k++) this.isMember[members.items[k]] = 0
    members.clear()
    if (this.isMember.length >= count) return
    this.isMember = new Uint8Array(2 * count)
    this.sets.reserve(2 * count)
    this.sums = new Float64Array(2 * SUMS * count)
  }

  /** Joins the zones of two bodies: whether they were two. */
  unite(i: number, j: number): boolean {
    const { sets } = this
    this.add(i)
    this.add(j)
    if (sets.root(i) === sets.root(j)) return false
    sets.join(i, j)
    this.links.push(i)
    this.links.push(j)
    return true
  }

  private add(i: number): void {
    if (this.isMember[i] !== 0) return
    this.isMember[i] = 1
    this.sets.add(i)
    this.members.push(i)
  }

  /** Moves all from where they were `at` (3 a body) by the mean way of their zone; how many there are. What cannot be moved takes its zone along. */
  move(x: Float64Array, at: Float64Array): number {
    const { members, sets, sums } = this
    const { items, count } = members
    for (let k = 0; k < count; k++) sums.fill(0, SUMS * items[k], SUMS * items[k] + SUMS)
    for (let k = 0; k < count; k++) {
      const i = items[k]
      const s = SUMS * sets.root(i)
      const w = x[4 * i + 3]
      if (w === 0 && sums[s] < Infinity) sums.fill(0, s, s + SUMS)
      else if (w !== 0 && sums[s] === Infinity) continue
      const mass = w === 0 ? 1 : 1 / w
      sums[s] = w === 0 ? Infinity : sums[s] + mass
      for (let axis = 0; axis < 3; axis++) {
        const way = mass * (x[4 * i + axis] - at[3 * i + axis])
        sums[s + 1 + axis] = w === 0 ? way : sums[s + 1 + axis] + way
      }
    }
    for (let k = 0; k < count; k++) {
      const i = items[k]
      if (x[4 * i + 3] === 0) continue
      const s = SUMS * sets.root(i)
      const mass = sums[s] === Infinity ? 1 : sums[s]
      for (let axis = 0; axis < 3; axis++) x[4 * i + axis] = at[3 * i + axis] + sums[s + 1 + axis] / mass
    }
    return count
  }
}
