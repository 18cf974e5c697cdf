/** Sets of bodies that move as one: each goes by the mean of their ways, by mass. */

import { IntList } from '../detect/broad/int-list.js'

/** Numbers of a zone: mass, and mass times way (3). */
const SUMS = 4

export class Zones {
  /** Two bodies for each time that two zones became one. */
  readonly links: IntList = new IntList()
  private parent: Int32Array = new Int32Array(0)
  /** Bodies that are in a zone. */
  private readonly members = new IntList()
  private sums: Float64Array = new Float64Array(0)

  /** Has each of `count` bodies by itself. */
  clear(count: number): void {
    this.links.clear()
    if (this.parent.length < count) {
      this.parent = new Int32Array(2 * count).fill(-1)
      this.sums = new Float64Array(2 * SUMS * count)
      this.members.clear()
      return
    }
    const { items, count: members } = this.members
    for (let k = 0; k < members; k++) this.parent[items[k]] = -1
    this.members.clear()
  }

  /** Joins the zones of two bodies: whether they were two. */
  unite(i: number, j: number): boolean {
    const a = this.find(i)
    const b = this.find(j)
    if (a === b) return false
    this.parent[Math.max(a, b)] = Math.min(a, b)
    this.links.push(i)
    this.links.push(j)
    return true
  }

  private find(i: number): number {
    const { parent } = this
    if (parent[i] < 0) {
      parent[i] = i
      this.members.push(i)
      return i
    }
    let root = i
    while (parent[root] !== root) root = parent[root]
    for (let k = i; k !== root;) {
      const next = parent[k]
      parent[k] = root
      k = next
    }
    return root
  }

  /** Moves all from where they were `at` (3 a body) by the mean way of their zone; how many there are. What cannot be moved takes its zone along. */
  move(x: Float64Array, at: Float64Array): number {
    const { members, sums } = this
    const { items, count } = members
    for (let k = 0; k < count; k++) sums.fill(0, SUMS * items[k], SUMS * items[k] + SUMS)
    for (let k = 0; k < count; k++) {
      const i = items[k]
      const s = SUMS * this.find(i)
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
      const s = SUMS * this.find(i)
      const mass = sums[s] === Infinity ? 1 : sums[s]
      for (let axis = 0; axis < 3; axis++) x[4 * i + axis] = at[3 * i + axis] + sums[s + 1 + axis] / mass
    }
    return count
  }
}
