/** Clusters of nodes that overlap. */

/** Nodes of each cluster, rising. */
export function clustersOf(x: Float64Array, tetrahedra: Uint32Array, count: number): number[][] {
  const nodes = x.length / 3
  if (count === 1) return [Array.from({ length: nodes }, (_, v) => v)]
  const nearest = shareOut(x, count)
  const sets = Array.from({ length: count }, () => new Set<number>())
  // All of each tetrahedron belongs to the clusters of its corners: so far they overlap.
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const corners = tetrahedra.subarray(t, t + 4)
    for (const v of corners) for (const w of corners) sets[nearest[v]].add(w)
  }
  return sets.filter(({ size }) => size > 1).map((set) => Array.from(set).sort((a, b) => a - b))
}

/** The nearest of `count` nodes that are far from each other: each is the farthest from those before. */
function shareOut(x: Float64Array, count: number): Uint32Array {
  const nearest = new Uint32Array(x.length / 3)
  const away = new Float64Array(nearest.length).fill(Infinity)
  let middle = 0
  for (let c = 0; c < count; c++) {
    let farthest = 0
    for (let v = 0; v < nearest.length; v++) {
      let squared = 0
      for (let k = 0; k < 3; k++) squared += (x[3 * v + k] - x[3 * middle + k]) * (x[3 * v + k] - x[3 * middle + k])
      if (squared < away[v]) {
        away[v] = squared
        nearest[v] = c
      }
      if (away[v] > away[farthest]) farthest = v
    }
    middle = farthest
  }
  return nearest
}
