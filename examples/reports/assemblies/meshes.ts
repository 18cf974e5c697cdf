/** Meshes of the rows: sheets of quads. */

/** A mesh as `cloth` takes it. */
export interface MeshArrays {
  positions: number[]
  indices: number[]
}

/** n × m vertices in the plane of x and −y, `width` [m] along x, its upper edge at y = 0, quads cut one way. */
export function curtain(n: number, m: number, width: number): MeshArrays {
  return sheet(n, m, width, (u, v) => [u, -v, 0])
}

/** The same, level. */
export function level(n: number, m: number, width: number, height = 0): MeshArrays {
  return sheet(n, m, width, (u, v) => [u, height, v])
}

function sheet(n: number, m: number, width: number, place: (u: number, v: number) => number[]): MeshArrays {
  const cell = width / (n - 1)
  const positions: number[] = []
  const indices: number[] = []
  for (let j = 0; j < m; j++) for (let i = 0; i < n; i++) positions.push(...place(cell * i, cell * j))
  for (let j = 0; j + 1 < m; j++) {
    for (let i = 0; i + 1 < n; i++) {
      const k = j * n + i
      indices.push(k, k + n, k + 1, k + 1, k + n, k + n + 1)
    }
  }
  return { positions, indices }
}
