/** Distance of two centres, rigid or one-sided, with compliance. */

import type { Data } from '../lib/data.js'

export function distance({ rows, ids, x, x0, columns }: Data): void {
  const { rest, lower, upper, lambda, softness, relaxation } = columns
  for (let row = 0; row < rows; row++) {
    const p = 4 * ids[2 * row]
    const u = 4 * ids[2 * row + 1]
    let dx = x[p] - x[u]
    let dy = x[p + 1] - x[u + 1]
    let dz = x[p + 2] - x[u + 2]
    let length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (length < 1e-12) continue
    let c = length - rest[row]
    if (c < 0) {
      // Pressed through 0 within the substep: the direction of its start.
      const sx = x0[p] - x0[u]
      const sy = x0[p + 1] - x0[u + 1]
      const sz = x0[p + 2] - x0[u + 2]
      const along = dx * sx + dy * sy + dz * sz
      const before = Math.sqrt(sx * sx + sy * sy + sz * sz)
      if (along < 0 && before > 1e-12) {
        length = before
        dx = sx
        dy = sy
        dz = sz
        c = along / before - rest[row]
      }
    }
    const wa = x[p + 3]
    const wb = x[u + 3]
    const soft = softness[row]
    const old = lambda[row]
    const k = wa + wb + soft
    if (k <= 1e-300) continue
    let fresh = old - (relaxation[row] * (c + soft * old)) / k
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
