/**
 * Projection of a tree's pose onto its joints, as positions alone:
 *
 *   min ½ ‖dX‖²_M   under c + J dX = 0, and c + J dX >= 0 of limits
 *
 * over the rigid rows of position, linearized anew from where each step ends: the centre of mass of a free tree stays.
 */

import type { BodyColumns } from '../state/body-columns.js'
import { refreshInertia } from '../state/inertia.js'
import type { WorldView } from '../define/contract.js'
import { assemble } from './assemble.js'
import { solveLinear } from './linear.js'
import { advanceLimited } from './newton.js'
import { goBack, goBackMultipliers, note, notePoses } from './poses.js'
import { GAP, MET, RESIDUAL, prepareTrees, type Trees } from './trees.js'

/** Most solves of a projection, and most that may pass until the violation has halved: joints that cannot be met take no more. */
const MOST = 40
const MOST_TO_HALVE = 8

/**
 * Moves the bodies of a tree onto its rigid rows, or leaves them where that is not found. Multipliers stay. Returns the violation that is left
 * [m, rad].
 */
export function projectTree(world: WorldView, trees: Trees, h: number): number {
  const bodies = world.bodies.columns
  const { body } = trees.forest
  for (let n = 0; n < body.length; n++) refreshInertia(bodies, body[n])
  prepareTrees(world, trees, h)
  note(bodies, trees, trees.partPose, trees.partMultipliers)
  trees.reference.fill(0)
  trees.redundant.fill(0)
  trees.base.fill(0)
  trees.isProjecting = true
  linearize(bodies, trees)
  const before = RESIDUAL[GAP]
  if (before > MET) {
    approach(bodies, trees)
    if (trees.holdsSprings && !(RESIDUAL[GAP] <= MET)) {
      // They stand in the way, as those that close a loop of rigid joints may.
      trees.holdsSprings = false
      goBack(bodies, trees, trees.partPose, trees.partMultipliers)
      linearize(bodies, trees)
      approach(bodies, trees)
    }
    // What has no solution may lead anywhere: a violation that has not even halved is left as it is.
    if (!(RESIDUAL[GAP] <= 0.5 * before)) {
      goBack(bodies, trees, trees.partPose, trees.partMultipliers)
      linearize(bodies, trees)
    }
  }
  goBackMultipliers(trees, trees.partMultipliers)
  trees.isProjecting = false
  return RESIDUAL[GAP]
}

/** Goes on until rows are met, or there is no way on. */
function approach(bodies: BodyColumns, trees: Trees): void {
  let halved = RESIDUAL[GAP]
  let since = 0
  for (let solve = 0; solve < MOST && RESIDUAL[GAP] > MET && since < MOST_TO_HALVE && solveLinear(trees); solve++) {
    trees.solves++
    advanceLimited(bodies, trees)
    linearize(bodies, trees)
    since++
    if (RESIDUAL[GAP] > 0.5 * halved) continue
    halved = RESIDUAL[GAP]
    since = 0
  }
}

/** The system of the nearest pose that satisfies the rows as they are linear here: without multipliers there is no stiffness. */
export function linearize(bodies: BodyColumns, trees: Trees): void {
  clearMultipliers(trees)
  notePoses(bodies, trees, trees.start)
  assemble(bodies, trees, false)
}

function clearMultipliers({ lambda, place, firstMultiplier }: Trees): void {
  for (let e = 0; e < place.length; e++) {
    lambda[e].fill(0, place[e], place[e] + firstMultiplier[e + 1] - firstMultiplier[e])
  }
}
