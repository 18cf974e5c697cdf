/** The first pass of a substep, or of a part of one: Newton's method from the prediction. */

import type { BodyColumns } from '../state/body-columns.js'
import { assemble } from './assemble.js'
import { noteJointAcceleration, startFromJointAcceleration } from './guess.js'
import { converge, tighten } from './newton.js'
import { applyLoads } from './loads.js'
import { goBack, note } from './poses.js'
import { mayArticulate, solveArticulated } from './articulated-pass.js'
import { isPassive } from './touch-energy.js'
import { followLoads, guessLoads } from './touch-rows.js'
import type { Trees } from './trees.js'

/** Most solves of a pass: of those that converge, one in a thousand takes more. */
const MOST = 20
/** The same with contacts, as a rope that is drawn tight comes to bear its load. */
const MOST_TOUCHING = 40
/** Change of a load, as a share of the largest, that friction need not follow in the substep. */
const FOLLOWED = 1e-2

/** Solves from the prediction; false, with poses and multipliers lost, where that does not converge. */
export function solveFirst(bodies: BodyColumns, trees: Trees): boolean {
  beginPass(bodies, trees)
  startFromJointAcceleration(bodies, trees)
  if (mayArticulate(trees)) {
    if (solveArticulated(bodies, trees, true)) {
      noteJointAcceleration(bodies, trees)
      return true
    }
    goBack(bodies, trees, trees.start, trees.found)
    if (trees.articulated?.isLoaded === true) {
      applyLoads(bodies, trees)
      beginPass(bodies, trees)
    }
    startFromJointAcceleration(bodies, trees)
  }
  if (trees.touches.acts) {
    if (!solveTouching(bodies, trees)) return false
  } else {
    assemble(bodies, trees, false)
    if (!converge(bodies, trees, MOST)) return false
  }
  if (trees.width > 0 && !tighten(bodies, trees)) return false
  noteJointAcceleration(bodies, trees)
  return true
}

/**
 * With contacts: at the friction that the loads of the last substep give, and once more at that of those that are found. In the first substep of
 * a step loads are guessed from what joints leave.
 */
function solveTouching(bodies: BodyColumns, trees: Trees): boolean {
  const { touches, lastStep } = trees
  if (!touches.recallLoads()) {
    touches.pushes = false
    assemble(bodies, trees, false)
    touches.pushes = true
    guessLoads(trees, lastStep)
  }
  assemble(bodies, trees, false)
  if (!converge(bodies, trees, MOST_TOUCHING)) return false
  if (followLoads(trees) > FOLLOWED) {
    assemble(bodies, trees, false)
    if (!converge(bodies, trees, MOST_TOUCHING)) return false
  }
  return isPassive(bodies, trees)
}

/** Notes where a pass starts: X̂, λ, and λ°. */
export function beginPass(bodies: BodyColumns, trees: Trees): void {
  if (trees.width > 0) trees.redundant.fill(0)
  note(bodies, trees, trees.start, trees.found)
  trees.reference.set(trees.found)
  trees.base.fill(0)
}
