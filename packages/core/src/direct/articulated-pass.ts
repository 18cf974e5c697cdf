/** Newton's method on a tree whose joints share points (articulated.ts). What it does not solve is left to the general solution (newton.ts). */

import type { BodyColumns } from '../state/body-columns.js'
import { rotateBy } from '../math/rotation.js'
import { eliminateArticulated } from './articulated.js'
import type { Articulated } from './articulated-columns.js'
import { advanceArticulated, substituteArticulated } from './articulated-solve.js'
import { ALL_FREE, type Trees } from './trees.js'

/** Most solves: of those that end, one in a thousand takes more. */
const MOST = 8
/** Most that a body turns in one solve [rad]. */
const TURN = 0.5

const turned = /* @__PURE__ */ new Float64Array(3)
const SHARE = /* @__PURE__ */ new Float64Array(1)
/** Square of the largest turn [rad²], and of the largest displacement [m²]. */
const LARGEST = /* @__PURE__ */ new Float64Array(2)

/** Whether the substep in hand may be solved here. */
export function mayArticulate(trees: Trees): boolean {
  const { articulated, free, nodeCount } = trees
  if (articulated === undefined || trees.kept || trees.hasOffset || trees.touches.acts) return false
  for (let n = 0; n < nodeCount; n++) if (free[n] !== ALL_FREE) return false
  return true
}

/**
 * Solves from the present pose and multipliers, X̂ being in `start`; `isFirst` where that is the prediction, else bodies are balanced at it by the multipliers
 * that were found. False where it does not end, with poses and multipliers lost.
 */
export function solveArticulated(bodies: BodyColumns, trees: Trees, isFirst: boolean): boolean {
  const t = trees.articulated as Articulated
  t.isFirst = isFirst
  t.isReady = false
  if (isFirst) t.base.fill(0)
  else t.base.set(trees.found)
  for (let solve = 0; solve < MOST; solve++) {
    if (!eliminateArticulated(bodies, trees, t)) return false
    trees.solves++
    substituteArticulated(trees, t)
    measure(trees)
    if (!(LARGEST[0] + LARGEST[1] < Infinity)) return false
    SHARE[0] = LARGEST[0] > TURN * TURN ? TURN / Math.sqrt(LARGEST[0]) : 1
    displace(bodies, trees)
    advanceArticulated(trees, t, SHARE)
    // What a whole step leaves is of its second order: ½ θ² r of a lever r, ½ θ² of an angle. It may be half of the tolerance.
    if (t.isSettled && LARGEST[0] * (1 + Math.sqrt(t.reach[0])) <= trees.tolerance[0]) {
      t.isReady = true
      return true
    }
  }
  return false
}

function measure({ dX }: Trees): void {
  let turn = 0
  let shift = 0
  for (let o = 0; o < dX.length; o += 6) {
    const s = dX[o] * dX[o] + dX[o + 1] * dX[o + 1] + dX[o + 2] * dX[o + 2]
    const a = dX[o + 3] * dX[o + 3] + dX[o + 4] * dX[o + 4] + dX[o + 5] * dX[o + 5]
    // Not a number stays.
    if (s > shift || s !== s) shift = s
    if (a > turn || a !== a) turn = a
  }
  LARGEST[0] = turn
  LARGEST[1] = shift
}

function displace({ position, orientation }: BodyColumns, { forest: { body }, dX, nodeCount }: Trees): void {
  const s = SHARE[0]
  for (let n = 0; n < nodeCount; n++) {
    const i = 4 * body[n]
    const o = 6 * n
    position[i] += s * dX[o]
    position[i + 1] += s * dX[o + 1]
    position[i + 2] += s * dX[o + 2]
    turned[0] = s * dX[o + 3]
    turned[1] = s * dX[o + 4]
    turned[2] = s * dX[o + 5]
    rotateBy(orientation, i, turned)
  }
}
