/** A smooth curve through nodes, as a polyline of constant count: Catmull and Rom's, in pieces of equal parameter. */

/** Points of a polyline through `nodes` nodes, with `parts` segments between two. */
export function curveCount(nodes: number, parts: number, closed: boolean): number {
  return closed ? nodes * parts + 1 : (nodes - 1) * parts + 1
}

/** Writes the curve through x, three numbers a node, to `out`. */
export function writeCurve(x: Float64Array, parts: number, closed: boolean, out: Float64Array): void {
  const n = x.length / 3
  const spans = closed ? n : n - 1
  let o = 0
  for (let i = 0; i < spans; i++) {
    const b = 3 * i
    const c = 3 * ((i + 1) % n)
    // At an open end the tangent is that of the parabola through the last three.
    const isFirst = !closed && i === 0
    const isLast = !closed && i === spans - 1
    const a = 3 * ((i + n - 1) % n)
    const d = 3 * ((i + 2) % n)
    for (let s = 0; s < parts; s++) {
      const t = s / parts
      for (let k = 0; k < 3; k++) {
        const p = x[b + k]
        const q = x[c + k]
        let before = isFirst ? 0 : x[a + k]
        let after = isLast ? 0 : x[d + k]
        if (isFirst) before = isLast ? 2 * p - q : 3 * p - 3 * q + after
        if (isLast) after = isFirst ? 2 * q - p : 3 * q - 3 * p + before
        const u = 0.5 * (q - before)
        const v = 0.5 * (after - p)
        out[o++] = p + t * (u + t * (3 * (q - p) - 2 * u - v + t * (2 * (p - q) + u + v)))
      }
    }
  }
  const end = closed ? 0 : 3 * (n - 1)
  for (let k = 0; k < 3; k++) out[o++] = x[end + k]
}
