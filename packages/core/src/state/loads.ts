import type { f64, i32 } from '../math/numbers.js'

/** Bodies whose block solver bears the loads of contacts in its first solution of a substep, instead of being displaced by them. */
export interface Loads {
  /** Whether loads on body i are to be told now: between the prediction of a substep and its first solution. */
  takes(i: number): boolean
  /** Adds force and moment about the centre of mass, times h² [kg m, kg m²]. */
  add(i: number, push: Float64Array): void
}

let taker: Loads | undefined
const load = /* @__PURE__ */ new Float64Array(6)

/** Names who takes the loads of the loops to come. */
export function setLoadTaker(loads: Loads | undefined): void {
  taker = loads
}

/** Hands on a force and a moment about the centre of body i; false where nobody takes them, and the body is to be displaced. Compiled loops call back for it. */
export function addLoad(i: i32, fx: f64, fy: f64, fz: f64, gx: f64, gy: f64, gz: f64): boolean {
  if (taker?.takes(i) !== true) return false
  load[0] = fx
  load[1] = fy
  load[2] = fz
  load[3] = gx
  load[4] = gy
  load[5] = gz
  taker.add(i, load)
  return true
}
