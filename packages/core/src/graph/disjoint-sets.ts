/**
 * Disjoint sets of numbers (union–find; Tarjan 1975, with path halving): components of bodies, of vertices. The root of a set is its lowest number,
 * so that it does not depend on the order in which sets were joined.
 */

/** Sets of bodies that are united one by one; buffers grow with the world and are kept. */
export class DisjointSets {
  /** Makes a set of each number below `count`. */
  static of(count: number): DisjointSets {
    const sets = new DisjointSets()
    sets.reset(count)
    return sets
  }

  /** What stands above each number; itself at a root. */
  parent: Int32Array = new Int32Array(0)

  /** Makes a set of each number below `count`. */
  reset(count: number): void {
    this.reserve(count)
    const { parent } = this
    for (let i = 0; i < count; i++) parent[i] = i
  }

  /** Makes room for numbers below `count`. */
  reserve(count: number): void {
    if (this.parent.length >= count) return
    const { parent } = this
    this.parent = new Int32Array(roomFor(count, parent))
    this.parent.set(parent)
  }

  /** Makes a set of one number alone. */
  add(i: number): void {
    this.parent[i] = i
  }

  /** Root of the set that a number is in. */
  root(i: number): number {
    const { parent } = this
    while (parent[i] !== i) i = parent[i] = parent[parent[i]]
    return i
  }

  /** Joins the sets of two numbers, and returns the root. */
  join(i: number, j: number): number {
    const r = this.root(i)
    const s = this.root(j)
    if (r < s) return (this.parent[s] = r)
    return (this.parent[r] = s)
  }
}

/** Items by the set of what `memberOf` says of each; sets in the order of their first items. */
export function groupBySet<Item>(
  sets: DisjointSets,
  items: readonly Item[],
  memberOf: (item: Item) => number,
): Item[][] {
  const groups = new Map<number, Item[]>()
  for (const item of items) {
    const root = sets.root(memberOf(item))
    const group = groups.get(root)
    if (group === undefined) groups.set(root, [item])
    else group.push(item)
  }
  return [...groups.values()]
}

/** How many sets `count` numbers make that are joined two by two. */
export function countSets(count: number, pairs: ArrayLike<number>): number {
  const sets = DisjointSets.of(count)
  for (let k = 0; k + 1 < pairs.length; k += 2) sets.join(pairs[k], pairs[k + 1])
  let roots = 0
  for (let i = 0; i < count; i++) if (sets.root(i) === i) roots++
  return roots
}

/** What is needed now, or twice what there was: whoever adds all at once pays for no more than that, and who adds one by one does not copy again and again. */
export function roomFor(needed: number, { length }: { readonly length: number }): number {
  return Math.max(needed, 2 * length)
}
