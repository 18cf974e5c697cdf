/** Total length of a rope of particles. */

import type { Data } from '../lib/data.js'

export function ropeLength({ rows, arity, ids, x, columns }: Data): void {
  const { rest, lower, upper, lambda, softness, relaxation } = columns
  for (let row = 0; row < rows; row++) {
    const first = arity * row
    const last = first + arity - 1
    let total = 0
    let w = 0
    let masses = 0
    let ux = 0
    let uy = 0
    let uz = 0
    for (let b = first; b <= last; b++) {
      const p = 4 * ids[b]
      const wp = x[p + 3]
      let vx = 0
      let vy = 0
      let vz = 0
      if (b < last) {
        const u = 4 * ids[b + 1]
        const dx = x[p] - x[u]
        const dy = x[p + 1] - x[u + 1]
        const dz = x[p + 2] - x[u + 2]
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
        total += length
        if (length >= 1e-12) {
          vx = dx / length
          vy = dy / length
          vz = dz / length
        }
      }
      const jx = vx - ux
      const jy = vy - uy
      const jz = vz - uz
      w += wp * (jx * jx + jy * jy + jz * jz)
      masses += wp
      ux = vx
      uy = vy
      uz = vz
    }
    const straight = w <= 1e-12 * masses
    const soft = softness[row]
    const k = (straight ? 0 : w) + soft
    if (k <= 1e-300) continue
    const old = lambda[row]
    let fresh = old - (relaxation[row] * (total - rest[row] + soft * old)) / k
    if (fresh < lower[row] || fresh > upper[row]) fresh = 0
    lambda[row] = fresh
    const s = fresh - old
    if (s === 0 || straight) continue
    ux = uy = uz = 0
    for (let b = first; b <= last; b++) {
      const p = 4 * ids[b]
      let vx = 0
      let vy = 0
      let vz = 0
      if (b < last) {
        const u = 4 * ids[b + 1]
        const dx = x[p] - x[u]
        const dy = x[p + 1] - x[u + 1]
        const dz = x[p + 2] - x[u + 2]
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz)

        if (length >= 1e-12) {
          vx = dx / length
          vy = dy / length
          vz = dz / length
        }
      }
      const m = s * x[p + 3]
      x[p] += m * (vx - ux)
      x[p + 1] += m * (vy - uy)
      x[p + 2] += m * (vz - uz)
      ux = vx
      uy = vy
      uz = vz
    }
  }
}
