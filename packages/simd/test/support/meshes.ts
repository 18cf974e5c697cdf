/** Meshes to fall. */

/** A grid of n × n vertices in the plane y = 0, `spacing` [m] apart. */
export function grid(n: number, spacing: number): { positions: number[]; indices: number[] } {
  const positions: number[] = []
  const indices: number[] = []
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) positions.push(spacing * i, 0, spacing * j)
  for (let j = 0; j + 1 < n; j++) {
    for (let i = 0; i + 1 < n; i++) {
      const k = n * j + i
      indices.push(k, k + n, k + 1, k + 1, k + n, k + n + 1)
    }
  }
  return { positions, indices }
}

/** A cube of n³ cells of `size` [m], six tetrahedra around a diagonal each. */
export function cells(n: number, size: number): { positions: number[]; tetrahedra: number[] } {
  const m = n + 1
  const positions: number[] = []
  const tetrahedra: number[] = []
  for (let z = 0; z < m; z++) {
    for (let y = 0; y < m; y++) for (let x = 0; x < m; x++) positions.push(size * x, size * y, size * z)
  }
  const steps = [1, m, m * m]
  const ways = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [2, 1, 0],
    [1, 0, 2],
  ]
  for (let z = 0; z < n; z++) {
    for (let y = 0; y < n; y++) {
      for (let x = 0; x < n; x++) {
        const k = (z * m + y) * m + x
        ways.forEach(([a, b], w) => {
          const [p, q, r] = [k + steps[a], k + steps[a] + steps[b], k + 1 + m + m * m]
          // The last three ways are mirror images.
          tetrahedra.push(...(w < 3 ? [k, p, q, r] : [k, q, p, r]))
        })
      }
    }
  }
  return { positions, tetrahedra }
}
