/**
 * What a tree's joints lack at the start of a substep is no motion: a pose set by hand, a joint that was made or changed, a change of
 * solver, a pass that was left unsolved. It is repaired before the prediction, as positions alone, by
 *
 *   min ½ ‖dX‖²_M   under c + J dX = 0, and c + J dX >= 0 of limits
 *
 * over the rigid rows of position, linearized anew from where each step ends: the centre of mass of a free tree stays. Springs keep their
 * stretch, c as it was, where that can be: drawn out on the way they would throw what nobody moved (4 % of m g L of a ragdoll). The way there
 * is gone at a bounded speed; what is left of c stays in the rows of the substep as an offset, so that it does not become speed either.
 * (Repaired by the substep itself, a pose 28° out of its limits gains hundreds of joules.)
 */

import type { BodyColumns } from '../state/body-columns.js'
import { DISTURBED } from '../state/body-columns.js'
import { refreshInertia } from '../step/inertia.js'
import { rotationBetween, turnBy } from '../math/rotation.js'
import type { WorldView } from '../define/contract.js'
import { assemble } from './assemble.js'
import { solveLinear } from './linear.js'
import { advanceLimited } from './newton.js'
import { goBack, goBackMultipliers, goBackPoses, note, notePoses } from './poses.js'
import { GAP, MET, RESIDUAL } from './residual.js'
import { prepareTrees, type Trees, yields } from './trees.js'

/** Most solves of a projection. */
const MOST = 40

/** Most projections that take back what a repair has lifted, and the share of it that may stay. */
const MOST_LOWERINGS = 8
const LIFTED = 1e-3

const turned = /* @__PURE__ */ new Float64Array(3)

/** Repairs the start pose of a tree that was disturbed, by at most `far` [m, rad]; what is left of it counts as unsolved. */
export function repairTree(world: WorldView, trees: Trees, h: number, far: number): void {
  const bodies = world.bodies.columns
  trees.hasOffset = false
  if (!isDisturbed(bodies, trees)) return
  const before = weightOf(world, trees)
  trees.holdsSprings = yields(trees)
  if (trees.holdsSprings) noteOffsets(bodies, trees, true)
  const left = projectTree(world, trees, h, far)
  if (left <= MET && weightOf(world, trees) > before) lowerTree(world, trees, h, far, before)
  trees.holdsSprings = false
  if (left <= MET) return
  trees.hasOffset = noteOffsets(bodies, trees, false)
  if (trees.hasOffset) trees.unsolved++
}

/**
 * Takes back what a repair has lifted: the nearest pose on the joints **of no more potential energy** V is that from a start shifted by
 * s g, s the multiplier of V <= V_before, as ½ ‖X − X_0‖²_M − s g·M (X − X_0) is ½ ‖X − X_0 − s g‖²_M but for a constant. s by secants, as
 * far as there is a way down that is no longer than the repair's. (Lifted by 1 to 2 % of m g L, a tree falls with that energy.)
 */
function lowerTree(world: WorldView, trees: Trees, h: number, far: number, before: number): void {
  const bodies = world.bodies.columns
  let lift = weightOf(world, trees) - before
  const most = LIFTED * lift
  const drop = fallOf(world, trees)
  let shift = drop > 0 ? lift / drop : 0
  const longest = 4 * shift
  for (let round = 0; round < MOST_LOWERINGS && lift > most && shift > 0; round++) {
    notePoses(bodies, trees, trees.left)
    shiftDown(world, trees, shift)
    const left = projectTree(world, trees, h, far) > MET ? Infinity : weightOf(world, trees) - before
    if (!(left < lift)) {
      goBackPoses(bodies, trees, trees.left)
      linearize(bodies, trees)
      goBackMultipliers(trees, trees.partMultipliers)
      return
    }
    shift = Math.min((shift * left) / (lift - left), longest)
    lift = left
  }
}

/** −Σ m g·x of the bodies of a tree [J]. */
function weightOf({ bodies: { columns }, settings: { gravity } }: WorldView, { forest: { body } }: Trees): number {
  const { position: x, inverseMass, gravityScale } = columns
  let sum = 0
  for (let n = 0; n < body.length; n++) {
    const i = body[n]
    if (inverseMass[i] === 0) continue
    const along = gravity[0] * x[4 * i] + gravity[1] * x[4 * i + 1] + gravity[2] * x[4 * i + 2]
    sum -= (gravityScale[i] / inverseMass[i]) * along
  }
  return sum
}

/** How much less that is after a shift by g, were they free [J/s²]: Σ m g². */
function fallOf({ bodies: { columns }, settings: { gravity } }: WorldView, { forest: { body } }: Trees): number {
  const squared = gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]
  let sum = 0
  for (let n = 0; n < body.length; n++) {
    const scale = columns.gravityScale[body[n]]
    if (columns.inverseMass[body[n]] > 0) sum += (scale * scale * squared) / columns.inverseMass[body[n]]
  }
  return sum
}

/** Shifts the bodies of a tree by s g. */
function shiftDown({ bodies, settings: { gravity } }: WorldView, { forest: { body } }: Trees, s: number): void {
  const { position, inverseMass, gravityScale } = bodies.columns
  for (let n = 0; n < body.length; n++) {
    const i = body[n]
    if (inverseMass[i] === 0) continue
    for (let k = 0; k < 3; k++) position[4 * i + k] += s * gravityScale[i] * gravity[k]
  }
}

/**
 * Moves the bodies of a tree onto its rigid rows, by at most `far` [m, rad] each, or leaves them where that is not found. Multipliers
 * stay. Returns the violation that is left [m, rad].
 */
export function projectTree(world: WorldView, trees: Trees, h: number, far: number): number {
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
    // What has no solution may lead anywhere.
    if (!(RESIDUAL[GAP] < before)) goBack(bodies, trees, trees.partPose, trees.partMultipliers)
    else limitMove(bodies, trees, far)
    linearize(bodies, trees)
  }
  goBackMultipliers(trees, trees.partMultipliers)
  trees.isProjecting = false
  return RESIDUAL[GAP]
}

/** Goes on until rows are met, or there is no way on. */
function approach(bodies: BodyColumns, trees: Trees): void {
  for (let solve = 0; solve < MOST && RESIDUAL[GAP] > MET && solveLinear(trees); solve++) {
    trees.solves++
    advanceLimited(bodies, trees)
    linearize(bodies, trees)
  }
}

/** The system of the nearest pose that satisfies the rows as they are linear here: without multipliers there is no stiffness. */
function linearize(bodies: BodyColumns, trees: Trees): void {
  clearMultipliers(trees)
  notePoses(bodies, trees, trees.start)
  assemble(bodies, trees, false)
}

/** Moves bodies back on the way from where they were noted, where one has gone farther than `far` [m, rad]. */
function limitMove({ position, orientation }: BodyColumns, { forest, partPose }: Trees, far: number): void {
  const { body } = forest
  let farthest = 0
  for (let n = 0; n < body.length; n++) {
    let squared = 0
    for (let k = 0; k < 3; k++) {
      const d = position[4 * body[n] + k] - partPose[7 * n + k]
      squared += d * d
    }
    rotationBetween(orientation, 4 * body[n], partPose, 7 * n + 3, turned, 0)
    const turn = turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]
    farthest = Math.max(farthest, squared, turn)
  }
  if (farthest <= far * far) return
  const share = far / Math.sqrt(farthest)
  for (let n = 0; n < body.length; n++) {
    const i = 4 * body[n]
    rotationBetween(orientation, i, partPose, 7 * n + 3, turned, 0)
    for (let k = 0; k < 3; k++) {
      position[i + k] = partPose[7 * n + k] + share * (position[i + k] - partPose[7 * n + k])
      turned[k] *= share
    }
    for (let k = 0; k < 4; k++) orientation[i + k] = partPose[7 * n + 3 + k]
    turnBy(orientation, i, turned)
  }
}

/**
 * Notes c of the rigid rows of position, or of those that give way, as it is now: what the substep, or a repair, is to leave as it is. Returns
 * whether there is some.
 */
function noteOffsets(bodies: BodyColumns, trees: Trees, ofSprings: boolean): boolean {
  const { forest, offset, firstMultiplier } = trees
  let isAny = false
  offset.fill(0)
  for (let e = 0; e < forest.batch.length; e++) {
    const { rows, type } = forest.batch[e]
    rows.clear()
    type.evaluate(bodies, forest.batch[e], forest.row[e], rows)
    for (let q = 0; q < rows.groupCount; q++) {
      const { law, compliance, lower, upper, start, size } = rows.groups[q]
      if (law !== 'position' || compliance > 0 !== ofSprings) continue
      for (let k = start; k < start + size; k++) {
        // Of what has bounds only a violation is kept: the way to a limit is free.
        const c = lower === 0 ? Math.min(rows.c[k], 0) : upper === 0 ? Math.max(rows.c[k], 0) : rows.c[k]
        offset[firstMultiplier[e] + rows.multiplier[k]] = c
        if (Math.abs(c) > MET) isAny = true
      }
    }
  }
  return isAny
}

function clearMultipliers({ lambda, place, firstMultiplier }: Trees): void {
  for (let e = 0; e < place.length; e++) {
    lambda[e].fill(0, place[e], place[e] + firstMultiplier[e + 1] - firstMultiplier[e])
  }
}

function isDisturbed({ flags }: BodyColumns, { forest }: Trees): boolean {
  const { body, ground } = forest
  for (let n = 0; n < body.length; n++) if ((flags[body[n]] & DISTURBED) !== 0) return true
  for (let n = 0; n < ground.length; n++) if ((flags[ground[n]] & DISTURBED) !== 0) return true
  return false
}

/** Marks the bodies of a tree for repair before the next substep. */
export function disturb({ flags }: BodyColumns, { forest }: Trees): void {
  const { body } = forest
  for (let n = 0; n < body.length; n++) flags[body[n]] |= DISTURBED
}
