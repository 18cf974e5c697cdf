/** Volume of a tetrahedron of particles. */

import type { Data } from '../lib/data.js'

export function tetraVolume({ rows, ids, x, columns }: Data): void {
  const { rest, lambda, softness, relaxation } = columns
  for (let row = 0; row < rows; row++) {
    const p = 4 * ids[4 * row]
    const u = 4 * ids[4 * row + 1]
    const r = 4 * ids[4 * row + 2]
    const s = 4 * ids[4 * row + 3]
    const ax = x[u] - x[p]
    const ay = x[u + 1] - x[p + 1]
    const az = x[u + 2] - x[p + 2]
    const bx = x[r] - x[p]
    const by = x[r + 1] - x[p + 1]
    const bz = x[r + 2] - x[p + 2]
    const cx = x[s] - x[p]
    const cy = x[s + 1] - x[p + 1]
    const cz = x[s + 2] - x[p + 2]
    const g1x = by * cz - bz * cy
    const g1y = bz * cx - bx * cz
    const g1z = bx * cy - by * cx
    const g2x = cy * az - cz * ay
    const g2y = cz * ax - cx * az
    const g2z = cx * ay - cy * ax
    const g3x = ay * bz - az * by
    const g3y = az * bx - ax * bz
    const g3z = ax * by - ay * bx
    const g0x = -(g1x + g2x + g3x)
    const g0y = -(g1y + g2y + g3y)
    const g0z = -(g1z + g2z + g3z)
    const c = ax * g1x + ay * g1y + az * g1z - rest[row]
    const wp = x[p + 3]
    const wu = x[u + 3]
    const wr = x[r + 3]
    const ws = x[s + 3]
    const edge = Math.max(ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz, cx * cx + cy * cy + cz * cz)
    const w =
      wp * (g0x * g0x + g0y * g0y + g0z * g0z) +
      wu * (g1x * g1x + g1y * g1y + g1z * g1z) +
      wr * (g2x * g2x + g2y * g2y + g2z * g2z) +
      ws * (g3x * g3x + g3y * g3y + g3z * g3z)
    // All four along a line: the gradient is noise.
    if (w <= 1e-12 * edge * edge * (wp + wu + wr + ws)) continue
    const k = w + softness[row]
    if (k <= 1e-300) continue
    const old = lambda[row]
    const step = (-relaxation[row] * (c + softness[row] * old)) / k
    lambda[row] = old + step
    const m0 = step * wp
    const m1 = step * wu
    const m2 = step * wr
    const m3 = step * ws
    x[p] += m0 * g0x
    x[p + 1] += m0 * g0y
    x[p + 2] += m0 * g0z
    x[u] += m1 * g1x
    x[u + 1] += m1 * g1y
    x[u + 2] += m1 * g1z
    x[r] += m2 * g2x
    x[r + 1] += m2 * g2y
    x[r + 2] += m2 * g2z
    x[s] += m3 * g3x
    x[s + 1] += m3 * g3y
    x[s + 2] += m3 * g3z
  }
}
