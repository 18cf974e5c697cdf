/** Contacts of particles with immovable bodies. */

import { type Column, type f64, i32 } from '@tautline/core/kernel'
import { CARRY, D, FRICTION, GIVES, N, NEAR, RECORD, RESTITUTION, ROWS, TAKEN } from '../point-record.js'
import { takenBy } from './taken-by.js'

/** A pass over rows from `from` on; returns the first row whose body can move, or `to`. */
export function meetSurfaces(
  x: Column,
  x0: Column,
  body: Column,
  record: Column,
  lambda: Column,
  from: i32,
  to: i32,
): i32 {
  for (let row = from; row < to; row++) {
    const r = RECORD * row
    if (record[r + NEAR] !== 1) continue
    if (record[r + GIVES] !== 0) return row
    meetSurface(x, x0, record, lambda, r, ROWS * row, 4 * i32(body[2 * row]))
  }
  return to
}

/** One pass over a row whose body does not give way. */
function meetSurface(x: Column, x0: Column, record: Column, lambda: Column, r: i32, l: i32, p: i32): void {
  const nx = record[r + N]
  const ny = record[r + N + 1]
  const nz = record[r + N + 2]
  const px = x[p]
  const py = x[p + 1]
  const pz = x[p + 2]
  const before = lambda[l]
  let c = nx * px + ny * py + nz * pz - record[r + D]
  if (c >= 0 && before === 0) return
  // What overlaps at the start may stay as it is: it may have been moved out of another surface, and no row may push for that.
  const start =
    nx * (x0[p] + record[r + CARRY]) +
    ny * (x0[p + 1] + record[r + CARRY + 1]) +
    nz * (x0[p + 2] + record[r + CARRY + 2]) -
    record[r + D]
  if (start < 0) {
    c -= start
    if (c >= 0 && before === 0) return
  }
  const w = x[p + 3]
  if (w === 0) return
  let load = before - c / w
  if (!(load > 0)) load = 0
  const way = w * (load - before)
  lambda[l] = load
  if (record[r + RESTITUTION] > 0) record[r + TAKEN] += takenBy(load - before, c, start, w)
  const qx = px + way * nx
  const qy = py + way * ny
  const qz = pz + way * nz
  x[p] = qx
  x[p + 1] = qy
  x[p + 2] = qz
  const cone = record[r + FRICTION] * load
  if (cone === 0 && lambda[l + 1] === 0 && lambda[l + 2] === 0) return
  let ux = qx - x0[p] - record[r + CARRY]
  let uy = qy - x0[p + 1] - record[r + CARRY + 1]
  let uz = qz - x0[p + 2] - record[r + CARRY + 2]
  const off = nx * ux + ny * uy + nz * uz
  ux -= off * nx
  uy -= off * ny
  uz -= off * nz
  // t̂₁ across n̂ and the axis that it is farthest from; t̂₂ = n̂ × t̂₁.
  const s = nx * nx < 0.5 ? 1 / Math.sqrt(1 - nx * nx) : 1 / Math.sqrt(1 - ny * ny)
  const tx: f64 = nx * nx < 0.5 ? 0 : -s * nz
  const ty: f64 = nx * nx < 0.5 ? s * nz : 0
  const tz: f64 = nx * nx < 0.5 ? -s * ny : s * nx
  const vx = ny * tz - nz * ty
  const vy = nz * tx - nx * tz
  const vz = nx * ty - ny * tx
  const old1 = lambda[l + 1]
  const old2 = lambda[l + 2]
  let l1 = old1 - (tx * ux + ty * uy + tz * uz) / w
  let l2 = old2 - (vx * ux + vy * uy + vz * uz) / w
  const square = l1 * l1 + l2 * l2
  if (square > cone * cone) {
    const share = (record[r + FRICTION + 1] * load) / Math.sqrt(square)
    l1 *= share
    l2 *= share
  }
  lambda[l + 1] = l1
  lambda[l + 2] = l2
  const d1 = w * (l1 - old1)
  const d2 = w * (l2 - old2)
  x[p] = qx + d1 * tx + d2 * vx
  x[p + 1] = qy + d1 * ty + d2 * vy
  x[p + 2] = qz + d1 * tz + d2 * vz
}
