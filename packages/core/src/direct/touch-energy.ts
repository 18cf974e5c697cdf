/** Whether a solution with contacts is one: Newton's method also finds roots that no motion leads to. */

import type { BodyColumns } from '../state/body-columns.js'
import type { Touches } from './touches.js'
import type { Trees } from './trees.js'

/** What kinetic energy may grow by against the prediction, as joints turn in the substep. */
const TOUCH_GROWTH = 1.01
/** Speeds that a substep adds to a body at rest by this acceleration [m/s²] are ignored: repairs of poses are no motion. */
export const TREMOR = 20
/** Ways [m] that are none. */
const STILL = 1e-9

/**
 * Whether bodies do not move more than they were predicted to. Joints and contacts that stand still do no work, so that Σ m |x − x₀|² is at most that of x̂;
 * where something drives them, there is no such bound.
 */
export function isPassive(bodies: BodyColumns, trees: Trees): boolean {
  if (isDriven(bodies, trees)) return true
  const { forest, mass, start, substep } = trees
  const tremor = TREMOR * substep[0] * substep[0]
  const { position: x, startPosition: x0 } = bodies
  let solved = 0
  let predicted = 0
  let spare = 0
  for (let n = 0; n < forest.nodeCount; n++) {
    spare += mass[n] * tremor * tremor
    for (let c = 0; c < 3; c++) {
      const i = 4 * forest.body[n] + c
      solved += mass[n] * (x[i] - x0[i]) * (x[i] - x0[i])
      predicted += mass[n] * (start[7 * n + c] - x0[i]) * (start[7 * n + c] - x0[i])
    }
  }
  return solved <= TOUCH_GROWTH * predicted + spare
}

/** Whether the ground of joints or what contacts stand on moves. */
function isDriven({ position: x, startPosition: x0 }: BodyColumns, { forest, touches }: Trees): boolean {
  const { ground } = forest
  for (let n = 0; n < ground.length; n++) {
    for (let i = 4 * ground[n]; i < 4 * ground[n] + 3; i++) if (Math.abs(x[i] - x0[i]) > STILL) return true
  }
  for (let k = 0; k < touches.count; k++) if (isCarried(x0, touches, k)) return true
  return false
}

function isCarried(x0: Float64Array, t: Touches, k: number): boolean {
  for (let c = 0; c < 3; c++) {
    let p = -t.origin[3 * k + c]
    for (let e = 2 * k; e < 2 * k + 2; e++) if (t.body[e] >= 0) p += t.share[e] * x0[4 * t.body[e] + c]
    if (Math.abs(p) > STILL) return true
  }
  return false
}
