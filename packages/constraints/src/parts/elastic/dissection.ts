/**
 * Order in which a graph's nodes are eliminated so that little fills in: automatic nested dissection (George and Liu, "An automatic nested dissection algorithm for
 * irregular finite element problems", 1978). What separates a part in two is eliminated after both, and each of them is ordered likewise.
 */

/** Nodes in a part that is ordered as it stands: to separate it would save next to nothing. */
const LEAF = 12
/** Levels that a part must have to be separated: two have nothing between them. */
const LEAST_LEVELS = 3
/** Searches for a node that lies at an end of its part. */
const SEARCHES = 4

/** A graph: `neighbour` from `first[v]` to `first[v + 1]` are those of node v, each edge from both its ends. */
export interface Graph {
  readonly first: Int32Array
  readonly neighbour: Int32Array
}

/** The nodes of a graph in the order of their elimination. The same graph gives the same order. */
export function dissect(graph: Graph): Int32Array {
  const count = graph.first.length - 1
  const order = new Int32Array(count)
  const search = new Search(graph)
  const parts: Int32Array[] = [Int32Array.from({ length: count }, (_, v) => v)]
  let end = count
  while (parts.length > 0) {
    const part = parts.pop() as Int32Array
    search.enter(part)
    const found = search.from(part[0])
    if (found < part.length) {
      // It does not hang together: what was reached, and the rest.
      parts.push(
        part.filter((v) => search.level[v] < 0),
        search.queue.slice(0, found),
      )
      continue
    }
    const depth = search.deepest(found)
    const separator = part.length <= LEAF || depth < LEAST_LEVELS ? part : search.between(part, depth >> 1)
    end -= separator.length
    order.set(separator, end)
    if (separator === part) continue
    const middle = depth >> 1
    const isSeparator = new Set(separator)
    parts.push(
      part.filter((v) => search.level[v] <= middle && !isSeparator.has(v)),
      part.filter((v) => search.level[v] > middle),
    )
  }
  return order
}

/** Breadth-first search within a part of a graph. */
class Search {
  /** By node: how far from the start of the last search; −1 what it has not reached. */
  readonly level: Int32Array
  /** What it has reached, nearest first. */
  readonly queue: Int32Array
  /** By node: the part that it is in. */
  private readonly part: Int32Array
  private parts = 0
  private readonly graph: Graph

  constructor(graph: Graph) {
    const count = graph.first.length - 1
    this.graph = graph
    this.level = new Int32Array(count)
    this.queue = new Int32Array(count)
    this.part = new Int32Array(count)
  }

  /** Turns to another part. */
  enter(nodes: Int32Array): void {
    this.parts++
    for (const v of nodes) {
      this.part[v] = this.parts
      this.level[v] = -1
    }
  }

  /** Searches from a node of the part; how many it reaches. */
  from(start: number): number {
    const { level, queue, part, parts } = this
    const { first, neighbour } = this.graph
    level[start] = 0
    queue[0] = start
    let tail = 1
    for (let head = 0; head < tail; head++) {
      const v = queue[head]
      for (let k = first[v]; k < first[v + 1]; k++) {
        const w = neighbour[k]
        if (part[w] !== parts || level[w] >= 0) continue
        level[w] = level[v] + 1
        queue[tail++] = w
      }
    }
    return tail
  }

  /** Searches anew from the node that lies farthest, until none lies farther; how many levels there are. The first search has reached `count` nodes. */
  deepest(count: number): number {
    const { level, queue } = this
    let depth = level[queue[count - 1]] + 1
    for (let search = 1; search < SEARCHES; search++) {
      const farthest = queue[count - 1]
      for (let k = 0; k < count; k++) level[queue[k]] = -1
      this.from(farthest)
      const now = level[queue[count - 1]] + 1
      if (now <= depth) return now
      depth = now
    }
    return depth
  }

  /** The nodes of a level that touch the next one. */
  between(nodes: Int32Array, middle: number): Int32Array {
    const { level } = this
    const { first, neighbour } = this.graph
    return nodes.filter((v) => {
      if (level[v] !== middle) return false
      for (let k = first[v]; k < first[v + 1]; k++)
        if (this.part[neighbour[k]] === this.parts && level[neighbour[k]] === middle + 1) return true
      return false
    })
  }
}
