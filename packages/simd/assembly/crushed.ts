// Elements that are pressed flat or turned inside out (constraints: neo-hookean.ts, crush): one at a time, as they are few.

import { OWN } from './quads'
import { fitRotation } from '../../constraints/src/parts/rotation-fit'
import { Column } from './numbers'

/** J below which an element is pressed flat. */
export const CRUSHED: f64 = 0.2

/** What is where in the scratch memory [bytes]: F and P of both rows, side by side; F of one, the rotation nearest to it, and room to find that. */
export const STRETCHES: usize = OWN
export const PULLS: usize = OWN + 144
const F: usize = OWN + 288
const R: usize = OWN + 360
const WORK: usize = OWN + 432

/** Goes over to the distance from the nearest rotation in lanes where J is small: P is written anew, c² is returned. */
export function crushBoth(s: usize, j: v128, squared: v128): v128 {
  const first = crush(s, 0, f64x2.extract_lane(j, 0), f64x2.extract_lane(squared, 0))
  const second = crush(s, 8, f64x2.extract_lane(j, 1), f64x2.extract_lane(squared, 1))
  return f64x2.replace_lane(f64x2.splat(first), 1, second)
}

/** The same of the lane at `lane` [bytes]. */
function crush(s: usize, lane: usize, j: f64, squared: f64): f64 {
  if (!(j < CRUSHED)) return squared
  const f = s + F
  for (let k: usize = 0; k < 9; k++) store<f64>(f + (k << 3), load<f64>(s + lane + (k << 4), STRETCHES))
  fitRotation(changetype<Column>(f), changetype<Column>(s + R), changetype<Column>(s + WORK))
  let away: f64 = 0
  for (let k: usize = 0; k < 9; k++) away += 2 * off(s, k) * off(s, k)
  const more = away - squared
  if (!(more > 0)) return squared
  // φ = 3 t² − 2 t³ of t = 1 − J/0.2.
  const t = j > 0 ? 1 - j / CRUSHED : 1
  const share = t * t * (3 - 2 * t)
  const slope = j > 0 ? (-6 * t * (1 - t)) / CRUSHED : 0
  const along = 0.5 * slope * more
  for (let k: usize = 0; k < 9; k++) {
    const p = s + lane + (k << 4)
    const old = load<f64>(p, PULLS)
    store<f64>(p, old + share * (2 * off(s, k) - old), PULLS)
  }
  add(s, lane, 0, along, 4, 8, 5, 7)
  add(s, lane, 1, along, 5, 6, 3, 8)
  add(s, lane, 2, along, 3, 7, 4, 6)
  add(s, lane, 3, along, 2, 7, 1, 8)
  add(s, lane, 4, along, 0, 8, 2, 6)
  add(s, lane, 5, along, 1, 6, 0, 7)
  add(s, lane, 6, along, 1, 5, 2, 4)
  add(s, lane, 7, along, 2, 3, 0, 5)
  add(s, lane, 8, along, 0, 4, 1, 3)
  return squared + share * more
}

/** Entry k of F − R. */
function off(s: usize, k: usize): f64 {
  return load<f64>(s + (k << 3), F) - load<f64>(s + (k << 3), R)
}

/** P_k += along (F_a F_b − F_c F_d). */
function add(s: usize, lane: usize, k: usize, along: f64, a: usize, b: usize, c: usize, d: usize): void {
  const f = s + F
  const p = s + lane + (k << 4)
  const minor = load<f64>(f + (a << 3)) * load<f64>(f + (b << 3)) - load<f64>(f + (c << 3)) * load<f64>(f + (d << 3))
  store<f64>(p, load<f64>(p, PULLS) + along * minor, PULLS)
}
