/** Isometric bending of two triangles of particles, from a curved or flat rest shape. */

import type { Data } from '../lib/data.js'

export function isometricBend({ rows, ids, x, columns }: Data): void {
  const { weight, rest, lambda, softness, relaxation } = columns
  for (let row = 0; row < rows; row++) {
    const p = 4 * ids[4 * row]
    const u = 4 * ids[4 * row + 1]
    const r = 4 * ids[4 * row + 2]
    const s = 4 * ids[4 * row + 3]
    const k0 = weight[4 * row]
    const k1 = weight[4 * row + 1]
    const k2 = weight[4 * row + 2]
    const k3 = weight[4 * row + 3]
    const bx = k1 * (x[u] - x[p]) + k2 * (x[r] - x[p]) + k3 * (x[s] - x[p])
    const by = k1 * (x[u + 1] - x[p + 1]) + k2 * (x[r + 1] - x[p + 1]) + k3 * (x[s + 1] - x[p + 1])
    const bz = k1 * (x[u + 2] - x[p + 2]) + k2 * (x[r + 2] - x[p + 2]) + k3 * (x[s + 2] - x[p + 2])
    let share = 1
    if (rest[row] !== 0) {
      const length = Math.sqrt(bx * bx + by * by + bz * bz)
      if (length <= 1e-9) continue
      share = 1 - rest[row] / length
    }
    const l = 3 * row
    const soft = softness[row]
    const ex = share * bx + soft * lambda[l]
    const ey = share * by + soft * lambda[l + 1]
    const ez = share * bz + soft * lambda[l + 2]
    const wp = x[p + 3]
    const wu = x[u + 3]
    const wr = x[r + 3]
    const ws = x[s + 3]
    const w = k0 * k0 * wp + k1 * k1 * wu + k2 * k2 * wr + k3 * k3 * ws + soft
    if (w <= 1e-300) continue
    const scale = -relaxation[row] / w
    lambda[l] += scale * ex
    lambda[l + 1] += scale * ey
    lambda[l + 2] += scale * ez
    const m0 = scale * k0 * wp
    const m1 = scale * k1 * wu
    const m2 = scale * k2 * wr
    const m3 = scale * k3 * ws
    x[p] += m0 * ex
    x[p + 1] += m0 * ey
    x[p + 2] += m0 * ez
    x[u] += m1 * ex
    x[u + 1] += m1 * ey
    x[u + 2] += m1 * ez
    x[r] += m2 * ex
    x[r + 1] += m2 * ey
    x[r + 2] += m2 * ez
    x[s] += m3 * ex
    x[s + 1] += m3 * ey
    x[s + 2] += m3 * ez
  }
}
