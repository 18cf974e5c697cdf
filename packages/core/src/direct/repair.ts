/**
 * What a tree's joints lack at the start of a substep is no motion: a pose set by hand, a joint that was made or changed, a change of
 * solver, a pass that was left unsolved. It is repaired before the prediction, as positions alone: by projection (projection.ts), onto a
 * pose of no more potential energy where there is one near, and by as much as a bounded speed lets it go. What is left of c stays in the
 * rows of the substep as an offset, so that it does not become speed either. Springs keep their stretch, c as it was, where that can be:
 * drawn out on the way they would throw what nobody moved (4 % of m g L of a ragdoll). (Repaired by the substep itself, a pose 28° out of
 * its limits gains hundreds of joules.)
 *
 * A repair that leaves motion slows it against the centre of mass of a free tree, which keeps its momentum, and else against what holds the tree.
 */

import type { WorldView } from '../define/contract.js'
import { rotateBy, rotationBetween } from '../math/rotation.js'
import { kineticOf } from '../measure/energy.js'
import { type BodyColumns, DISTURBED } from '../state/body-columns.js'
import { GAP, MET, RESIDUAL, type Trees, yields } from './trees.js'
import { goBackMultipliers, goBackPoses, note, notePoses } from './poses.js'
import { linearize, projectTree } from './projection.js'

/** Most projections that take back the potential energy that a repair has added: a chain that hangs almost straight takes a few dozen. */
const MOST_LOWERINGS = 64
/** Share of that energy that may stay, and the gain of a projection, as a share of it, below which there is no lower pose near. */
const LIFTED = 1e-3
const LEAST_GAIN = 1e-4
/** Longest shift, as a multiple of the first. */
const LONGEST = 32

const turned = /* @__PURE__ */ new Float64Array(3)
/** Repairs the start pose of a tree that was disturbed, by at most `far` [m, rad]; what is left of it counts as unsolved. */
export function repairTree(world: WorldView, trees: Trees, h: number, far: number): void {
  const bodies = world.bodies.columns
  trees.hasOffset = false
  if (!isDisturbed(bodies, trees)) return
  // Where a substep that is repeated in parts keeps its start, there is none to keep yet.
  const from = trees.substepPose
  notePoses(bodies, trees, from)
  const height = weightOf(world, trees)
  const motion = motionOf(bodies, trees)
  trees.holdsSprings = yields(trees)
  if (trees.holdsSprings) noteOffsets(bodies, trees, true)
  let left = projectTree(world, trees, h)
  // Part of the way to a pose that lies no higher is no higher either.
  if (left <= MET && weightOf(world, trees) > height) lowerTree(world, trees, h, height)
  if (limitMove(bodies, trees, from, far)) left = violationOf(bodies, trees)
  trees.holdsSprings = false
  slowDown(bodies, trees, motion)
  if (left <= MET) return
  trees.hasOffset = noteOffsets(bodies, trees, false)
  if (trees.hasOffset) trees.unsolved++
}

/**
 * Takes back what a repair has lifted: the nearest pose on the joints **of no more potential energy** V is that from a start shifted by
 * s g, s the multiplier of V <= V_before, as ½ ‖X − X_0‖²_M − s g·M (X − X_0) is ½ ‖X − X_0 − s g‖²_M but for a constant. s by secants,
 * halved where the projection finds no lower pose, as far as there is a way down. (Lifted by 1 to 2 % of m g L, a tree falls with that energy.)
 */
function lowerTree(world: WorldView, trees: Trees, h: number, before: number): void {
  const bodies = world.bodies.columns
  let lift = weightOf(world, trees) - before
  const most = LIFTED * lift
  const least = LEAST_GAIN * lift
  const drop = fallOf(world, trees)
  let shift = drop > 0 ? lift / drop : 0
  let longest = LONGEST * shift
  for (let round = 0; round < MOST_LOWERINGS && lift > most && shift > 0; round++) {
    notePoses(bodies, trees, trees.left)
    shiftDown(world, trees, shift)
    const left = projectTree(world, trees, h) > MET ? Infinity : weightOf(world, trees) - before
    if (left < lift) {
      shift = Math.min((shift * left) / (lift - left), longest)
      if (lift - left < least) return
      lift = left
    } else {
      // The projection from so far away found a higher pose, or none.
      goBackPoses(bodies, trees, trees.left)
      shift = longest = 0.5 * shift
    }
  }
}

/** The violation of the pose as it is [m, rad]. */
function violationOf(bodies: BodyColumns, trees: Trees): number {
  note(bodies, trees, trees.partPose, trees.partMultipliers)
  trees.isProjecting = true
  linearize(bodies, trees)
  trees.isProjecting = false
  goBackMultipliers(trees, trees.partMultipliers)
  return RESIDUAL[GAP]
}

/**
 * Takes back what turning bodies has added to their energy, as ω stays and ½ ω·I ω does not: one share of all motion about the centre of
 * mass, so that what flies as one body goes on as one. (A thrown chain of 0.5 t that was 30° out of its joints gained 11 % of m g L.)
 */
function slowDown(bodies: BodyColumns, trees: Trees, before: number): void {
  const after = motionOf(bodies, trees)
  // What has run away is stopped where poses are checked.
  if (!(after > before) || !(after < Infinity)) return
  slowMotion(bodies, trees, Math.sqrt(Math.max(before, 0) / after))
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

/** Moves bodies back on the way `from` where they were, where one has gone farther than `far` [m, rad]; whether that was so. */
function limitMove(bodies: BodyColumns, { forest }: Trees, from: Float64Array, far: number): boolean {
  const { position, orientation } = bodies
  const { body } = forest
  let farthest = 0
  for (let n = 0; n < body.length; n++) {
    let squared = 0
    for (let k = 0; k < 3; k++) {
      const d = position[4 * body[n] + k] - from[7 * n + k]
      squared += d * d
    }
    rotationBetween(orientation, 4 * body[n], from, 7 * n + 3, turned, 0)
    const turn = turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]
    farthest = Math.max(farthest, squared, turn)
  }
  if (farthest <= far * far) return false
  const share = far / Math.sqrt(farthest)
  for (let n = 0; n < body.length; n++) {
    const i = 4 * body[n]
    rotationBetween(orientation, i, from, 7 * n + 3, turned, 0)
    for (let k = 0; k < 3; k++) {
      position[i + k] = from[7 * n + k] + share * (position[i + k] - from[7 * n + k])
      turned[k] *= share
    }
    for (let k = 0; k < 4; k++) orientation[i + k] = from[7 * n + 3 + k]
    rotateBy(orientation, i, turned)
  }
  return true
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

/** Velocity of the centre of mass of a free tree, 0 of others [m/s]. */
const mean = /* @__PURE__ */ new Float64Array(3)

/** Kinetic energy of a tree [J]: of a free one, about its centre of mass. */
export function motionOf(bodies: BodyColumns, { forest: { body, ground } }: Trees): number {
  const { velocity, inverseMass } = bodies
  let mass = 0
  let sum = 0
  mean.fill(0)
  for (let n = 0; n < body.length; n++) {
    const i = body[n]
    if (inverseMass[i] === 0) continue
    sum += kineticOf(bodies, i)
    mass += 1 / inverseMass[i]
    for (let k = 0; k < 3; k++) mean[k] += velocity[3 * i + k] / inverseMass[i]
  }
  if (mass === 0 || ground.length > 0) {
    mean.fill(0)
    return sum
  }
  for (let k = 0; k < 3; k++) {
    mean[k] /= mass
    sum -= 0.5 * mass * mean[k] * mean[k]
  }
  return sum
}

/** Leaves a share of the motion that `motionOf` has measured last. */
export function slowMotion(
  { velocity, angularVelocity }: BodyColumns,
  { forest: { body } }: Trees,
  share: number,
): void {
  for (const i of body) {
    for (let k = 0; k < 3; k++) {
      velocity[3 * i + k] = mean[k] + share * (velocity[3 * i + k] - mean[k])
      angularVelocity[3 * i + k] *= share
    }
  }
}
