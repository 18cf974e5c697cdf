/** Angle between two triangles of particles. */

import type { Data } from '../lib/data.js'
import { arc } from './math.js'

export function dihedralBend({ rows, ids, x, columns }: Data): void {
  const { rest, lambda, softness, relaxation } = columns
  for (let row = 0; row < rows; row++) {
    const p = 4 * ids[4 * row]
    const u = 4 * ids[4 * row + 1]
    const r = 4 * ids[4 * row + 2]
    const s = 4 * ids[4 * row + 3]
    const ex = x[u] - x[p]
    const ey = x[u + 1] - x[p + 1]
    const ez = x[u + 2] - x[p + 2]
    const ax = x[r] - x[p]
    const ay = x[r + 1] - x[p + 1]
    const az = x[r + 2] - x[p + 2]
    const bx = x[s] - x[p]
    const by = x[s + 1] - x[p + 1]
    const bz = x[s + 2] - x[p + 2]
    const nx = ey * az - ez * ay
    const ny = ez * ax - ex * az
    const nz = ex * ay - ey * ax
    const mx = by * ez - bz * ey
    const my = bz * ex - bx * ez
    const mz = bx * ey - by * ex
    const ee = ex * ex + ey * ey + ez * ez
    const nn = nx * nx + ny * ny + nz * nz
    const mm = mx * mx + my * my + mz * mz
    if (nn <= 1e-18 * ee * (ax * ax + ay * ay + az * az) || mm <= 1e-18 * ee * (bx * bx + by * by + bz * bz)) continue
    const e = Math.sqrt(ee)
    const f = e / nn
    const v = e / mm
    const g2x = f * nx
    const g2y = f * ny
    const g2z = f * nz
    const g3x = v * mx
    const g3y = v * my
    const g3z = v * mz
    const t = (ax * ex + ay * ey + az * ez) / ee
    const l = (bx * ex + by * ey + bz * ez) / ee
    const g1x = -t * g2x - l * g3x
    const g1y = -t * g2y - l * g3y
    const g1z = -t * g2z - l * g3z
    const g0x = -(g1x + g2x + g3x)
    const g0y = -(g1y + g2y + g3y)
    const g0z = -(g1z + g2z + g3z)
    const sine = ((my * nz - mz * ny) * ex + (mz * nx - mx * nz) * ey + (mx * ny - my * nx) * ez) / e
    const cosine = nx * mx + ny * my + nz * mz
    let c = (sine < 0 ? -arc(-sine, cosine) : arc(sine, cosine)) - rest[row]
    if (c > Math.PI) c -= 2 * Math.PI
    else if (c <= -Math.PI) c += 2 * Math.PI
    const wp = x[p + 3]
    const wu = x[u + 3]
    const wr = x[r + 3]
    const ws = x[s + 3]
    const w =
      wp * (g0x * g0x + g0y * g0y + g0z * g0z) +
      wu * (g1x * g1x + g1y * g1y + g1z * g1z) +
      wr * (g2x * g2x + g2y * g2y + g2z * g2z) +
      ws * (g3x * g3x + g3y * g3y + g3z * g3z)
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
