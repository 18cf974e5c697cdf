/** Edges of a triangle mesh, and what meets at them. */

/** Edges in the order in which triangles mention them. */
export interface Edges {
  readonly count: number
  /** Two vertices an edge, the smaller first. */
  readonly ends: Uint32Array
  /** Three edges a triangle: between its corners 0 1, 1 2, 2 0. */
  readonly ofTriangle: Uint32Array
  /** Triangles of edge e: `triangles[first[e]]` to `triangles[first[e + 1]]`. */
  readonly first: Uint32Array
  readonly triangles: Uint32Array
}

/** The edges of triangles over `vertexCount` vertices. */
export function edgesOf(triangles: ArrayLike<number>, vertexCount: number): Edges {
  const number = new Map<number, number>()
  const ends: number[] = []
  const ofTriangle = new Uint32Array(triangles.length)
  for (let t = 0; t < triangles.length; t += 3) {
    for (let s = 0; s < 3; s++) {
      const from = triangles[t + s]
      const to = triangles[t + ((s + 1) % 3)]
      const low = Math.min(from, to)
      const high = Math.max(from, to)
      const key = low * vertexCount + high
      let e = number.get(key)
      if (e === undefined) {
        number.set(key, (e = ends.length / 2))
        ends.push(low, high)
      }
      ofTriangle[t + s] = e
    }
  }
  const count = ends.length / 2
  const first = new Uint32Array(count + 1)
  for (const e of ofTriangle) first[e + 1]++
  for (let e = 0; e < count; e++) first[e + 1] += first[e]
  const fill = first.slice(0, count)
  const around = new Uint32Array(ofTriangle.length)
  for (let k = 0; k < ofTriangle.length; k++) around[fill[ofTriangle[k]]++] = (k / 3) | 0
  return { count, ends: Uint32Array.from(ends), ofTriangle, first, triangles: around }
}

/** Corner of a triangle that is not on one of its edges. */
export function oppositeCorner(triangles: ArrayLike<number>, edges: Edges, triangle: number, edge: number): number {
  for (let s = 0; s < 3; s++)
    if (edges.ofTriangle[3 * triangle + s] === edge) return triangles[3 * triangle + ((s + 2) % 3)]
  return triangles[3 * triangle]
}

/** Whether a triangle runs along an edge from its first end to its second. */
export function runsAlong(triangles: ArrayLike<number>, edges: Edges, triangle: number, edge: number): boolean {
  for (let s = 0; s < 3; s++) {
    if (edges.ofTriangle[3 * triangle + s] === edge) return triangles[3 * triangle + s] === edges.ends[2 * edge]
  }
  return false
}

/** What is wrong with a surface that should enclose a volume: counts of edges. */
export interface Openness {
  /** Edges of one triangle. */
  readonly open: number
  /** Edges of more than two triangles. */
  readonly crowded: number
  /** Edges between two triangles that are turned against each other. */
  readonly flipped: number
}

/** Counts what keeps a surface from enclosing a volume. */
export function opennessOf(triangles: ArrayLike<number>, edges: Edges): Openness {
  let [open, crowded, flipped] = [0, 0, 0]
  for (let e = 0; e < edges.count; e++) {
    const around = edges.first[e + 1] - edges.first[e]
    if (around === 1) open++
    else if (around > 2) crowded++
    else {
      const one = runsAlong(triangles, edges, edges.triangles[edges.first[e]], e)
      if (one === runsAlong(triangles, edges, edges.triangles[edges.first[e] + 1], e)) flipped++
    }
  }
  return { open, crowded, flipped }
}
