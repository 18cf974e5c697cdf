/** Which bodies hang together: disjoint sets of rows (union–find). Each has its lowest row for a root. */

export class DisjointSets {
  private parent: Int32Array = new Int32Array(0)

  /** Each of `count` rows alone. */
  reset(count: number): void {
    if (this.parent.length < count) this.parent = new Int32Array(2 * count)
    const { parent } = this
    for (let i = 0; i < count; i++) parent[i] = i
  }

  /** Root of the set that a row is in. */
  root(i: number): number {
    const { parent } = this
    while (parent[i] !== i) i = parent[i] = parent[parent[i]]
    return i
  }

  /** Makes one of the sets that two rows are in. */
  join(i: number, j: number): void {
    const r = this.root(i)
    const s = this.root(j)
    if (r < s) this.parent[s] = r
    else this.parent[r] = s
  }
}
