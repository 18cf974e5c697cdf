// How slender what stands on a manifold is (collision: contact/towers.ts).

import { ARM_N, ARM_T, FRAME, G_NORMAL, POSITION, SLENDER } from './manifold-columns'

function along(i: usize, j: usize): f64 {
  return load<f64>(i) * load<f64>(j) + load<f64>(i, 8) * load<f64>(j, 8) + load<f64>(i, 16) * load<f64>(j, 16)
}

export function noteSlenderness(row: usize, p: usize, n: i32, a: usize, b: usize): void {
  store<f64>(SLENDER + (row << 3), 0)
  if (n < 3) return
  let sum: f64 = 0
  let ms: f64 = 0
  let mt: f64 = 0
  for (let i = 0; i < n; i++) {
    const share = 1 / load<f64>(p + (((i * (i + 3)) >> 1) << 3), G_NORMAL)
    sum += share
    ms += share * along(p + ARM_N + 24 * i, p + FRAME + 24)
    mt += share * along(p + ARM_N + 24 * i, p + FRAME + 48)
  }
  ms /= sum
  mt /= sum
  let ss: f64 = 0
  let st: f64 = 0
  let tt: f64 = 0
  for (let i = 0; i < n; i++) {
    const share = 1 / load<f64>(p + (((i * (i + 3)) >> 1) << 3), G_NORMAL)
    const s = along(p + ARM_N + 24 * i, p + FRAME + 24) - ms
    const t = along(p + ARM_N + 24 * i, p + FRAME + 48) - mt
    ss += share * s * s
    st += share * s * t
    tt += share * t * t
  }
  const half = 0.5 * (ss + tt)
  const apart = Math.sqrt(0.25 * (ss - tt) * (ss - tt) + st * st)
  const least = half - apart
  if (!(least > 1e-4 * (half + apart))) return
  const below = along(p + ARM_T, p + FRAME + 48)
  let over: f64 = 0
  for (let k: usize = 0; k < 24; k += 8)
    over += load<f64>(p + FRAME + k) * (load<f64>(POSITION + a + k) - load<f64>(POSITION + b + k))
  const heightA = Math.abs(below)
  const heightB = Math.abs(over + below)
  const height =
    load<f64>(POSITION + a, 24) == 0 ? 2 * heightB : load<f64>(POSITION + b, 24) == 0 ? 2 * heightA : heightA + heightB
  store<f64>(SLENDER + (row << 3), height / (4.0 * 0.8 * 0.8 * least))
}
