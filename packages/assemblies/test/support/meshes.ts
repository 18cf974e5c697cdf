/** Meshes of tests: plain arrays as files have them. */

import { cos, sin } from '@tautline/core/kernel'

export interface MeshArrays {
  positions: number[]
  indices: number[]
}

/** A rectangle of n × m vertices in the x, z plane at a height [m], `width` along x; quads cut one way. */
export function sheet(n: number, m: number, width = 1, height = 0): MeshArrays {
  const positions: number[] = []
  const indices: number[] = []
  const cell = width / (n - 1)
  for (let j = 0; j < m; j++) for (let i = 0; i < n; i++) positions.push(cell * i, height, cell * j)
  for (let j = 0; j + 1 < m; j++) {
    for (let i = 0; i + 1 < n; i++) {
      const k = j * n + i
      indices.push(k, k + n, k + 1, k + 1, k + n, k + n + 1)
    }
  }
  return { positions, indices }
}

/** A sphere as file formats have it: a seam from pole to pole, and a vertex of each pole a meridian. */
export function uvSphere(meridians: number, parallels: number, radius = 1): MeshArrays {
  const positions: number[] = []
  const indices: number[] = []
  for (let j = 0; j <= parallels; j++) {
    for (let i = 0; i <= meridians; i++) {
      const [u, v] = [(2 * Math.PI * i) / meridians, (Math.PI * j) / parallels]
      positions.push(radius * sin(v) * cos(u), radius * cos(v), radius * sin(v) * sin(u))
    }
  }
  const row = meridians + 1
  for (let j = 0; j < parallels; j++) {
    for (let i = 0; i < meridians; i++) {
      const k = j * row + i
      if (j > 0) indices.push(k, k + 1, k + row)
      if (j + 1 < parallels) indices.push(k + 1, k + row + 1, k + row)
    }
  }
  return { positions, indices }
}

/** A box of n × n quads a side whose faces share no vertex, as glTF exporters write it for its normals. */
export function splitBox(n: number, size = 1): MeshArrays {
  const positions: number[] = []
  const indices: number[] = []
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const first = positions.length / 3
      for (let j = 0; j <= n; j++) {
        for (let i = 0; i <= n; i++) {
          const p = [0, 0, 0]
          p[axis] = (side * size) / 2
          p[(axis + 1) % 3] = (i / n - 0.5) * size
          p[(axis + 2) % 3] = (j / n - 0.5) * size
          positions.push(...p)
        }
      }
      for (let j = 0; j < n; j++) {
        for (let i = 0; i < n; i++) {
          const k = first + j * (n + 1) + i
          const quad = [k, k + 1, k + n + 1, k + 1, k + n + 2, k + n + 1]
          if (side < 0) quad.reverse()
          indices.push(...quad)
        }
      }
    }
  }
  return { positions, indices }
}
