// Contact of particles with what does not give way (collision: particles/point-contact.ts, meetSurface).

import { recordOf } from './access'

/** Bytes of a row's record, and what is where in it (collision: particles/point-columns.ts). */
const RECORD: usize = 192
const N: usize = 0
const D: usize = 24
const CARRY: usize = 32
const FRICTION: usize = 88
const RESTITUTION: usize = 104
const NEAR: usize = 136
const GIVES: usize = 144
const TAKEN: usize = 184
/** Bytes of a row's multipliers. */
const ROWS: usize = 24

/** Rows from `from` on; the first one whose body gives way, or `to`. */
export function meetSurfaces(
  position: usize,
  start: usize,
  body: usize,
  record: usize,
  lambda: usize,
  from: usize,
  to: usize,
): usize {
  for (let row = from; row < to; row++) {
    const r = record + RECORD * row
    if (load<f64>(r, NEAR) != 1) continue
    if (load<f64>(r, GIVES) != 0) return row
    const o = recordOf(body + (row << 4))
    meetSurface(position + o, start + o, r, lambda + ROWS * row)
  }
  return to
}

/** One pass over a row. */
function meetSurface(p: usize, s: usize, r: usize, l: usize): void {
  const nx = load<f64>(r, N)
  const ny = load<f64>(r, N + 8)
  const nz = load<f64>(r, N + 16)
  const d = load<f64>(r, D)
  const px = load<f64>(p)
  const py = load<f64>(p, 8)
  const pz = load<f64>(p, 16)
  const before = load<f64>(l)
  let c = nx * px + ny * py + nz * pz - d
  if (c >= 0 && before == 0) return
  const cx = load<f64>(r, CARRY)
  const cy = load<f64>(r, CARRY + 8)
  const cz = load<f64>(r, CARRY + 16)
  const x0 = load<f64>(s)
  const y0 = load<f64>(s, 8)
  const z0 = load<f64>(s, 16)
  // What overlaps at the start may stay as it is.
  const start = nx * (x0 + cx) + ny * (y0 + cy) + nz * (z0 + cz) - d
  if (start < 0) {
    c -= start
    if (c >= 0 && before == 0) return
  }
  const w = load<f64>(p, 24)
  if (w == 0) return
  let load0 = before - c / w
  if (!(load0 > 0)) load0 = 0
  const dl = load0 - before
  const way = w * dl
  store<f64>(l, load0)
  if (load<f64>(r, RESTITUTION) > 0) {
    const come = start > 0 ? c - start : c
    store<f64>(r, load<f64>(r, TAKEN) + -dl * (come + 0.5 * w * dl), TAKEN)
  }
  const qx = px + way * nx
  const qy = py + way * ny
  const qz = pz + way * nz
  store<f64>(p, qx)
  store<f64>(p, qy, 8)
  store<f64>(p, qz, 16)
  const cone = load<f64>(r, FRICTION) * load0
  const old1 = load<f64>(l, 8)
  const old2 = load<f64>(l, 16)
  if (cone == 0 && old1 == 0 && old2 == 0) return
  let ux = qx - x0 - cx
  let uy = qy - y0 - cy
  let uz = qz - z0 - cz
  const off = nx * ux + ny * uy + nz * uz
  ux -= off * nx
  uy -= off * ny
  uz -= off * nz
  const isX = nx * nx < 0.5
  const t = isX ? 1 / Math.sqrt(1 - nx * nx) : 1 / Math.sqrt(1 - ny * ny)
  const tx: f64 = isX ? 0 : -t * nz
  const ty: f64 = isX ? t * nz : 0
  const tz: f64 = isX ? -t * ny : t * nx
  const vx = ny * tz - nz * ty
  const vy = nz * tx - nx * tz
  const vz = nx * ty - ny * tx
  let l1 = old1 - (tx * ux + ty * uy + tz * uz) / w
  let l2 = old2 - (vx * ux + vy * uy + vz * uz) / w
  const square = l1 * l1 + l2 * l2
  if (square > cone * cone) {
    const share = (load<f64>(r, FRICTION + 8) * load0) / Math.sqrt(square)
    l1 *= share
    l2 *= share
  }
  store<f64>(l, l1, 8)
  store<f64>(l, l2, 16)
  const d1 = w * (l1 - old1)
  const d2 = w * (l2 - old2)
  store<f64>(p, qx + d1 * tx + d2 * vx)
  store<f64>(p, qy + d1 * ty + d2 * vy, 8)
  store<f64>(p, qz + d1 * tz + d2 * vz, 16)
}
