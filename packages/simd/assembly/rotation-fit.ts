// The rotation nearest to a matrix (constraints: rotation-fit.ts), of one matrix at a time.

/** As in TypeScript. */
const SWEEPS: i32 = 12
const ROUND_OFF: f64 = 1e-34

/** Bytes of a row of N and V. */
const ROW: usize = 32
/** Where the eigenvectors are, after N [bytes]. */
const V: usize = 128

/** Entry k of a matrix of four rows. */
function entry(m: usize, k: usize): f64 {
  return load<f64>(m + (k << 3))
}

function set(m: usize, k: usize, value: f64): void {
  store<f64>(m + (k << 3), value)
}

/** Writes R, row by row, to `out`, from A, row by row. N and V are made at `work`, 256 bytes. */
export function fitRotation(a: usize, out: usize, work: usize): void {
  const a0 = entry(a, 0)
  const a1 = entry(a, 1)
  const a2 = entry(a, 2)
  const a3 = entry(a, 3)
  const a4 = entry(a, 4)
  const a5 = entry(a, 5)
  const a6 = entry(a, 6)
  const a7 = entry(a, 7)
  const a8 = entry(a, 8)
  set(work, 0, a0 - a4 - a8)
  set(work, 5, a4 - a0 - a8)
  set(work, 10, a8 - a0 - a4)
  set(work, 15, a0 + a4 + a8)
  mirror(work, 1, 4, a1 + a3)
  mirror(work, 2, 8, a2 + a6)
  mirror(work, 6, 9, a5 + a7)
  mirror(work, 3, 12, a7 - a5)
  mirror(work, 7, 13, a2 - a6)
  mirror(work, 11, 14, a3 - a1)
  diagonalize(work)
  let most: usize = 3
  for (let k: usize = 0; k < 3; k++) if (entry(work, 5 * k) > entry(work, 5 * most)) most = k
  const v = work + V
  const x = entry(v, most)
  const y = entry(v, 4 + most)
  const z = entry(v, 8 + most)
  const w = entry(v, 12 + most)
  set(out, 0, w * w + x * x - y * y - z * z)
  set(out, 1, 2 * (x * y - w * z))
  set(out, 2, 2 * (x * z + w * y))
  set(out, 3, 2 * (x * y + w * z))
  set(out, 4, w * w - x * x + y * y - z * z)
  set(out, 5, 2 * (y * z - w * x))
  set(out, 6, 2 * (x * z - w * y))
  set(out, 7, 2 * (y * z + w * x))
  set(out, 8, w * w - x * x - y * y + z * z)
}

function mirror(m: usize, k: usize, l: usize, value: f64): void {
  set(m, k, value)
  set(m, l, value)
}

/** The squares of four entries, added in this order. */
function squares(m: usize, a: usize, b: usize, c: usize, d: usize): f64 {
  return entry(m, a) * entry(m, a) + entry(m, b) * entry(m, b) + entry(m, c) * entry(m, c) + entry(m, d) * entry(m, d)
}

/** Makes N diagonal, by cyclic Jacobi rotations that V keeps. */
function diagonalize(n: usize): void {
  const v = n + V
  for (let k: usize = 0; k < 16; k++) set(v, k, k % 5 == 0 ? 1 : 0)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const off = squares(n, 1, 2, 3, 6) + entry(n, 7) * entry(n, 7) + entry(n, 11) * entry(n, 11)
    const on = squares(n, 0, 5, 10, 15)
    if (!(off > ROUND_OFF * on)) return
    for (let p: usize = 0; p < 3; p++) for (let q = p + 1; q < 4; q++) rotate(n, p, q)
  }
}

/** Makes N_pq zero. */
function rotate(n: usize, p: usize, q: usize): void {
  const pq = entry(n, 4 * p + q)
  if (pq == 0) return
  const theta = (entry(n, 5 * q) - entry(n, 5 * p)) / (2 * pq)
  const root = Math.sqrt(theta * theta + 1)
  const t = theta < 0 ? 1 / (theta - root) : 1 / (theta + root)
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  // V lies behind N, and its columns go as those of N do.
  for (let k: usize = 0; k < 8; k++) mix(n + ROW * k + (p << 3), n + ROW * k + (q << 3), c, s)
  for (let k: usize = 0; k < 4; k++) mix(n + ROW * p + (k << 3), n + ROW * q + (k << 3), c, s)
  mirror(n, 4 * p + q, 4 * q + p, 0)
}

/** Rotates two numbers into each other. */
function mix(a: usize, b: usize, c: f64, s: f64): void {
  const x = load<f64>(a)
  const y = load<f64>(b)
  store<f64>(a, c * x - s * y)
  store<f64>(b, s * x + c * y)
}
