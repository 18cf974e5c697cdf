// The solve of a line whose bodies are pressed on what is heavy (constraints: parts/line-backed.ts), one line at a time: blocks of three by three, rows of
// four numbers [bytes 32] whose last one counts for nothing.

import { LEAST_PIVOT, STIFF } from './constants'

/** Bytes of a record of a row in the scratch of TypeScript, and what is where in it (constraints: parts/line-record.ts). */
const RECORD: usize = 128
const DISTANCE: usize = 24
const ERROR: usize = 32
const SOFT: usize = 40
const PART: usize = 48
const STEP: usize = 72
const FORCE: usize = 80
/** Of a row that takes part. */
const SOLVED: f64 = 2

/** Bytes of what a body is pressed on: its share, and n̂. */
const PRESSED: usize = 32

/** What is where in the blocks [bytes]: W of the next body, that of those before it, their sum with the row, its inverse, W C; then Q and s by row. */
const NEXT: usize = 0
const BEFORE: usize = 96
const SUM: usize = 192
const C: usize = 288
const PRODUCT: usize = 384
const TURNINGS: usize = 480
const TURNING: usize = 72

/** Both ways. `nodes`, `reference`, `rows` and `pressed` are those of the line, which has `count` rows. */
export function solveBackedLine(
  position: usize,
  nodes: usize,
  reference: usize,
  rows: usize,
  pressed: usize,
  blocks: usize,
  count: usize,
): void {
  goForth(position, nodes, reference, rows, pressed, blocks, count)
  goBack(position, nodes, rows, pressed, blocks, count)
}

/** The inverse mass of body k. */
function weightAt(position: usize, nodes: usize, k: usize): f64 {
  return load<f64>(position + ((<usize>load<u32>(nodes + (k << 2))) << 3), 24)
}

/** W of a body: w less its share of what is behind it. */
function mobility(w: f64, pressed: usize, out: usize): void {
  const share = w * load<f64>(pressed)
  const xy = v128.load(pressed, 8)
  const z = v128.load64_zero(pressed, 24)
  for (let i: usize = 0; i < 3; i++) {
    const row = out + (i << 5)
    const m = f64x2.splat(share * load<f64>(pressed + (i << 3), 8))
    const first = i == 0 ? f64x2.replace_lane(f64x2.splat(0), 0, w) : f64x2.splat(0)
    const low = i == 1 ? f64x2.replace_lane(first, 1, w) : first
    const high = i == 2 ? f64x2.splat(w) : f64x2.splat(0)
    v128.store(row, f64x2.sub(low, f64x2.mul(m, xy)))
    v128.store(row, f64x2.sub(high, f64x2.mul(m, z)), 16)
  }
}

/** out = A B. */
function multiply(a: usize, b: usize, out: usize): void {
  const b0 = v128.load(b)
  const b1 = v128.load(b, 16)
  const b2 = v128.load(b, 32)
  const b3 = v128.load(b, 48)
  const b4 = v128.load(b, 64)
  const b5 = v128.load(b, 80)
  for (let i: usize = 0; i < 96; i += 32) {
    const x = v128.load64_splat(a + i)
    const y = v128.load64_splat(a + i, 8)
    const z = v128.load64_splat(a + i, 16)
    v128.store(out + i, f64x2.add(f64x2.add(f64x2.mul(x, b0), f64x2.mul(y, b2)), f64x2.mul(z, b4)))
    v128.store(out + i, f64x2.add(f64x2.add(f64x2.mul(x, b1), f64x2.mul(y, b3)), f64x2.mul(z, b5)), 16)
  }
}

/** Row i [bytes] of A times (x, y, z). */
function times(a: usize, i: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(a + i) * x + load<f64>(a + i, 8) * y + load<f64>(a + i, 16) * z
}

/** out = a + b, or a − b. */
function addAll(a: usize, b: usize, out: usize): void {
  for (let k: usize = 0; k < 96; k += 16) v128.store(out + k, f64x2.add(v128.load(a + k), v128.load(b + k)))
}

function subtractAll(a: usize, b: usize, out: usize): void {
  for (let k: usize = 0; k < 96; k += 16) v128.store(out + k, f64x2.sub(v128.load(a + k), v128.load(b + k)))
}

/** The inverse of a symmetric matrix. */
function invert(b: usize, out: usize): void {
  const b0 = load<f64>(b)
  const b1 = load<f64>(b, 8)
  const b2 = load<f64>(b, 16)
  const b4 = load<f64>(b, 40)
  const b5 = load<f64>(b, 48)
  const b8 = load<f64>(b, 80)
  const c00 = b4 * b8 - b5 * b5
  const c01 = b2 * b5 - b1 * b8
  const c02 = b1 * b5 - b2 * b4
  const scale = 1 / (b0 * c00 + b1 * c01 + b2 * c02)
  const o1 = scale * c01
  const o2 = scale * c02
  const o5 = scale * (b1 * b2 - b0 * b5)
  store<f64>(out, scale * c00)
  store<f64>(out, o1, 8)
  store<f64>(out, o2, 16)
  store<f64>(out, o1, 32)
  store<f64>(out, scale * (b0 * b8 - b2 * b2), 40)
  store<f64>(out, o5, 48)
  store<f64>(out, o2, 64)
  store<f64>(out, o5, 72)
  store<f64>(out, scale * (b0 * b4 - b1 * b1), 80)
}

/** out = m n nᵀ, or out += m n nᵀ; n is at `row`. */
function square(m: f64, row: usize, out: usize, adds: bool): void {
  const xy = v128.load(row)
  const z = v128.load64_zero(row, 16)
  for (let i: usize = 0; i < 3; i++) {
    const o = out + (i << 5)
    const mi = f64x2.splat(m * load<f64>(row + (i << 3)))
    const low = f64x2.mul(mi, xy)
    const high = f64x2.mul(mi, z)
    v128.store(o, adds ? f64x2.add(v128.load(o), low) : low)
    v128.store(o, adds ? f64x2.add(v128.load(o, 16), high) : high, 16)
  }
}

/** The way forth: Q and s of each row. */
function goForth(
  position: usize,
  nodes: usize,
  reference: usize,
  rows: usize,
  pressed: usize,
  m: usize,
  count: usize,
): void {
  let wp = weightAt(position, nodes, 0)
  mobility(wp, pressed, m + BEFORE)
  let u0: f64 = 0
  let u1: f64 = 0
  let u2: f64 = 0
  for (let k: usize = 0; k < count; k++) {
    const row = rows + RECORD * k
    const w = weightAt(position, nodes, k + 1)
    mobility(w, pressed + PRESSED * (k + 1), m + NEXT)
    if (load<f64>(row, PART) != SOLVED) {
      memory.copy(m + BEFORE, m + NEXT, 96)
      u0 = u1 = u2 = 0
      wp = w
      continue
    }
    const nx = load<f64>(row)
    const ny = load<f64>(row, 8)
    const nz = load<f64>(row, 16)
    // Between bodies that do not move nothing may give way at all.
    const soft = w > 0 ? load<f64>(row, SOFT) : load<f64>(row, SOFT) + LEAST_PIVOT * wp
    const error = load<f64>(row, ERROR)
    const t0 = u0 + nx * error
    const t1 = u1 + ny * error
    const t2 = u2 + nz * error
    addAll(m + BEFORE, m + NEXT, m + SUM)
    const tension = -load<f64>(reference + (k << 3))
    const distance = load<f64>(row, DISTANCE)
    if (tension * (wp + w) > STIFF * distance) {
      const across = distance / tension
      for (let d: usize = 0; d < 120; d += 40) store<f64>(m + d, load<f64>(m + d, SUM) + across, SUM)
      square(soft - across, row, m + SUM, true)
      invert(m + SUM, m + C)
    } else {
      u0 = times(m + SUM, 0, nx, ny, nz)
      u1 = times(m + SUM, 32, nx, ny, nz)
      u2 = times(m + SUM, 64, nx, ny, nz)
      square(1 / (nx * u0 + ny * u1 + nz * u2 + soft), row, m + C, false)
    }
    const q = m + TURNINGS + TURNING * k
    store<f64>(q, load<f64>(m, C))
    store<f64>(q, load<f64>(m, C + 8), 8)
    store<f64>(q, load<f64>(m, C + 16), 16)
    store<f64>(q, load<f64>(m, C + 40), 24)
    store<f64>(q, load<f64>(m, C + 48), 32)
    store<f64>(q, load<f64>(m, C + 80), 40)
    store<f64>(q, t0, 48)
    store<f64>(q, t1, 56)
    store<f64>(q, t2, 64)
    multiply(m + NEXT, m + C, m + PRODUCT)
    u0 = times(m + PRODUCT, 0, t0, t1, t2)
    u1 = times(m + PRODUCT, 32, t0, t1, t2)
    u2 = times(m + PRODUCT, 64, t0, t1, t2)
    multiply(m + PRODUCT, m + NEXT, m + BEFORE)
    subtractAll(m + NEXT, m + BEFORE, m + BEFORE)
    wp = w
  }
}

/** The way back: F and Δλ. */
function goBack(position: usize, nodes: usize, rows: usize, pressed: usize, m: usize, count: usize): void {
  let u0: f64 = 0
  let u1: f64 = 0
  let u2: f64 = 0
  const end = rows + RECORD * count
  store<f64>(end, 0, FORCE)
  store<f64>(end, 0, FORCE + 8)
  store<f64>(end, 0, FORCE + 16)
  for (let k = count; k > 0; k--) {
    const row = rows + RECORD * (k - 1)
    if (load<f64>(row, PART) != SOLVED) u0 = u1 = u2 = 0
    else {
      const q = m + TURNINGS + TURNING * (k - 1)
      mobility(weightAt(position, nodes, k), pressed + PRESSED * k, m + NEXT)
      const t0 = times(m + NEXT, 0, u0, u1, u2) - load<f64>(q, 48)
      const t1 = times(m + NEXT, 32, u0, u1, u2) - load<f64>(q, 56)
      const t2 = times(m + NEXT, 64, u0, u1, u2) - load<f64>(q, 64)
      u0 = load<f64>(q) * t0 + load<f64>(q, 8) * t1 + load<f64>(q, 16) * t2
      u1 = load<f64>(q, 8) * t0 + load<f64>(q, 24) * t1 + load<f64>(q, 32) * t2
      u2 = load<f64>(q, 16) * t0 + load<f64>(q, 32) * t1 + load<f64>(q, 40) * t2
    }
    store<f64>(row, u0, FORCE)
    store<f64>(row, u1, FORCE + 8)
    store<f64>(row, u2, FORCE + 16)
    store<f64>(row, u0 * load<f64>(row) + u1 * load<f64>(row, 8) + u2 * load<f64>(row, 16), STEP)
  }
}
