// G = J M⁻¹ Jᵀ of a contact manifold (collision: contact/effective-mass.ts).

import {
  ANGULAR_A,
  ANGULAR_B,
  ARM_N,
  ARM_T,
  FRAME,
  FRESH,
  G_CROSS,
  G_NORMAL,
  G_PLANE,
  G_ROLL,
  INVERSE_INERTIA,
  MOVED_A,
  MOVED_B,
  ORIGIN,
  ROLLING,
} from './manifold-columns'

function moved(e: usize, v: usize, out: usize): void {
  const x = load<f64>(v)
  const y = load<f64>(v, 8)
  const z = load<f64>(v, 16)
  store<f64>(out, load<f64>(e) * x + load<f64>(e, 8) * y + load<f64>(e, 16) * z)
  store<f64>(out, load<f64>(e, 24) * x + load<f64>(e, 32) * y + load<f64>(e, 40) * z, 8)
  store<f64>(out, load<f64>(e, 48) * x + load<f64>(e, 56) * y + load<f64>(e, 64) * z, 16)
}

function coupled(i: usize, j: usize): f64 {
  const p = 24 * i
  const s = 24 * j
  return (
    load<f64>(ANGULAR_A + p) * load<f64>(MOVED_A + s) +
    load<f64>(ANGULAR_A + p, 8) * load<f64>(MOVED_A + s, 8) +
    load<f64>(ANGULAR_A + p, 16) * load<f64>(MOVED_A + s, 16) +
    (load<f64>(ANGULAR_B + p) * load<f64>(MOVED_B + s) +
      load<f64>(ANGULAR_B + p, 8) * load<f64>(MOVED_B + s, 8) +
      load<f64>(ANGULAR_B + p, 16) * load<f64>(MOVED_B + s, 16))
  )
}

/** Angular parts and what the inertia makes of them, of all rows. */
function angular(x: usize, p: usize, n: i32, a: usize, b: usize, last: i32): void {
  const dx = load<f64>(p, ORIGIN) - load<f64>(x + b)
  const dy = load<f64>(p, ORIGIN + 8) - load<f64>(x + b, 8)
  const dz = load<f64>(p, ORIGIN + 16) - load<f64>(x + b, 16)
  const ea = INVERSE_INERTIA + (a >> 2) * 9
  const eb = INVERSE_INERTIA + (b >> 2) * 9
  for (let i = 0; i < last; i++) {
    if (i >= n && i < 4) continue
    const d = p + (i < 4 ? 0 : i == 4 ? 24 : 48)
    const from = p + (i < 4 ? ARM_N + 24 * i : i < 6 ? ARM_T + 24 * (i - 4) : i == 6 ? FRAME : FRAME + 24 * (i - 6))
    const lever: f64 = i < 6 ? 1 : 0
    const ax = load<f64>(from)
    const ay = load<f64>(from, 8)
    const az = load<f64>(from, 16)
    const bx = ax + lever * (dy * load<f64>(d, 16) - dz * load<f64>(d, 8))
    const by = ay + lever * (dz * load<f64>(d) - dx * load<f64>(d, 16))
    const bz = az + lever * (dx * load<f64>(d, 8) - dy * load<f64>(d))
    const o: usize = 24 * i
    store<f64>(ANGULAR_A + o, ax)
    store<f64>(ANGULAR_A + o, ay, 8)
    store<f64>(ANGULAR_A + o, az, 16)
    store<f64>(ANGULAR_B + o, bx)
    store<f64>(ANGULAR_B + o, by, 8)
    store<f64>(ANGULAR_B + o, bz, 16)
    moved(ea, ANGULAR_A + o, MOVED_A + o)
    moved(eb, ANGULAR_B + o, MOVED_B + o)
  }
}

export function buildMatrix(x: usize, row: usize, p: usize, n: i32, a: usize, b: usize): void {
  store<f64>(FRESH + (row << 3), 0)
  const last = load<f64>(ROLLING + (row << 3)) > 0 ? 9 : 7
  angular(x, p, n, a, b, last)
  const w = load<f64>(x + a, 24) + load<f64>(x + b, 24)
  let at = p + G_NORMAL
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      store<f64>(at, coupled(i, j) + w)
      at += 8
    }
    const c = p + 24 * i
    store<f64>(c, coupled(i, 4), G_CROSS)
    store<f64>(c, coupled(i, 5), G_CROSS + 8)
    store<f64>(c, coupled(i, 6), G_CROSS + 16)
  }
  store<f64>(p, coupled(4, 4) + w, G_PLANE)
  store<f64>(p, coupled(4, 5), G_PLANE + 8)
  store<f64>(p, coupled(5, 5) + w, G_PLANE + 16)
  store<f64>(p, coupled(6, 4), G_PLANE + 24)
  store<f64>(p, coupled(6, 5), G_PLANE + 32)
  store<f64>(p, coupled(6, 6), G_PLANE + 40)
  if (last == 7) return
  store<f64>(p, coupled(7, 7), G_ROLL)
  store<f64>(p, coupled(7, 8), G_ROLL + 8)
  store<f64>(p, coupled(8, 8), G_ROLL + 16)
}
