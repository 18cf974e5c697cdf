/** Distance of two centres, rigid or one-sided, with compliance. */

import type { Data } from '../lib/data.js'

export function distance({ rows, ids, x, columns }: Data): void {
  const { rest, lower, upper, lambda, softness, relaxation } = columns
  for (let row = 0; row < rows; row++) {
    const p = 4 * ids[2 * row]
    const u = 4 * ids[2 * row + 1]
    const dx = x[p] - x[u]
    const dy = x[p + 1] - x[u + 1]
    const dz = x[p + 2] - x[u + 2]
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (length < 1e-12) continue
    const wa = x[p + 3]
    const wb = x[u + 3]
    const soft = softness[row]
    const old = lambda[row]
    const k = wa + wb + soft
    if (k <= 1e-300) continue
    let fresh = old - (relaxation[row] * (length - rest[row] + soft * old)) / k
    if (fresh < lower[row] || fresh > upper[row]) fresh = 0
    lambda[row] = fresh
    const s = (fresh - old) / length
    x[p] += s * wa * dx
    x[p + 1] += s * wa * dy
    x[p + 2] += s * wa * dz
    x[u] -= s * wb * dx
    x[u + 1] -= s * wb * dy
    x[u + 2] -= s * wb * dz
  }
}
