/**
 * A substep of one tree, repeated in parts where Newton's method does not converge: two halves, each predicted anew from its own
 * start, and so on. The bodies end where and with what velocities the last part leaves them; for the rest of the step the substep
 * seems to have started at x_end − h v, so that their velocities stand. Where parts run out the tree loses the rest of its time, and no
 * speed: joints hold. (Flown on without them, a whip of masses 1 to 10⁵ stood 230 m open.)
 */

import { type BodyColumns, KINEMATIC, ROTATES } from '../state/body-columns.js'
import { rowElastic } from '../measure/energy.js'
import { isUnsound } from '../step/faults.js'
import { refreshInertia } from '../state/inertia.js'
import { correctVelocity, isFinitePose, predictBody } from '../step/motion.js'
import { rotationBetween, rotateBy } from '../math/rotation.js'
import { rewindSpin } from '../step/spin-velocity.js'
import type { WorldView } from '../define/contract.js'
import { solveFirst } from './first-pass.js'
import { FAR } from './newton.js'
import { goBack, note, noteVelocities } from './poses.js'
import { motionOf, slowMotion } from './repair.js'
import { prepareTrees, type Trees, yields } from './trees.js'

/** Shortest part of a substep: a whip of masses 1 to 10⁵ needs 2⁻⁸ (with 2⁻⁶ a joint stood 3 cm open). */
const PARTS = 256
/** Solves after which the rest of a substep is let go: joints that can be met are by then. Those that could not be met before the substep get one attempt. */
const MOST = 600

/** What is left of velocities where joints that give way bar the motion. */
const SLOWER = 0.5

/** h times gravity of a part [m/s]. */
const fall = /* @__PURE__ */ new Float64Array(3)
const turned = /* @__PURE__ */ new Float64Array(3)

/** Repeats the substep in hand; false where even the shortest parts leave something unsolved. */
export function repeatInHalves(world: WorldView, trees: Trees): boolean {
  const bodies = world.bodies.columns
  const h = trees.substep[0]
  if (hasFrozen(bodies, trees) || isHopeless(bodies, trees)) {
    goBack(bodies, trees, trees.start, trees.found)
    return false
  }
  trees.halved++
  trees.inParts = true
  trees.partMean.fill(0)
  noteGround(bodies, trees)
  noteStart(bodies, trees)
  goBack(bodies, trees, trees.substepPose, trees.found)
  takeVelocities(bodies, trees, trees.startVelocity)
  note(bodies, trees, trees.partPose, trees.partMultipliers)
  noteVelocities(bodies, trees, trees.partVelocity)
  const enough = trees.solves + (trees.hasOffset ? 0 : MOST)
  const mayStop = !hasMovingGround(bodies, trees)
  let isSolved = true
  let done = 0
  let part = PARTS >> 1
  let last = h
  while (done < PARTS) {
    const isEnough = trees.solves > enough
    if (isEnough) part = PARTS - done
    const length = (h * part) / PARTS
    if (!isEnough && solvePart(world, trees, done, part, length, last)) {
      last = length
      done += part
      note(bodies, trees, trees.partPose, trees.partMultipliers)
      addToMean(trees, h / length)
      noteVelocities(bodies, trees, trees.partVelocity)
      // As the halves of halves do: a part is as long as what it is aligned to.
      while (part < PARTS >> 1 && done % (2 * part) === 0) part *= 2
    } else if (part > 1 && !isEnough) {
      part >>= 1
      goBackToPart(bodies, trees)
    } else {
      isSolved = false
      goBackToPart(bodies, trees)
      if (mayStop && done > 0) {
        // Inertias are those of the prediction that failed, which may be none.
        for (const i of trees.forest.body) refreshInertia(bodies, i)
        break
      }
      // Parted, what gives way would store what nobody gave it, and no projection takes that out.
      if (yields(trees)) driftAgainst(world, trees, done, part, length)
      else drift(world, trees, done, part, length)
      last = length
      done += part
      note(bodies, trees, trees.partPose, trees.partMultipliers)
      noteVelocities(bodies, trees, trees.partVelocity)
    }
  }
  endParts(world, trees, h, last)
  return isSolved
}

/** Whether the prediction has frozen one of the bodies: the next substep has trees without it. */
function hasFrozen({ position }: BodyColumns, { forest }: Trees): boolean {
  for (let n = 0; n < forest.body.length; n++) if (position[4 * forest.body[n] + 3] === 0) return true
  return false
}

/** Whether something that moves by itself holds the tree. */
function hasMovingGround({ kind }: BodyColumns, { forest: { ground } }: Trees): boolean {
  for (let n = 0; n < ground.length; n++) if (kind[ground[n]] === KINEMATIC) return true
  return false
}

/** Whether a joint of the tree has no finite solution or is open so far that no solve begins, whatever the length of the substep. */
function isHopeless(bodies: BodyColumns, { forest }: Trees): boolean {
  for (let e = 0; e < forest.batch.length; e++) {
    if (isUnsound(bodies, forest.batch[e], forest.row[e])) return true
    const { c, count } = forest.batch[e].rows
    for (let k = 0; k < count; k++) if (Math.abs(c[k]) >= FAR) return true
  }
  return false
}

/** Marks such joints (faults.ts): the next substep has trees without them. */
export function markUnsound(bodies: BodyColumns, { forest, lambda, place }: Trees): void {
  for (let e = 0; e < forest.batch.length; e++) {
    if (isUnsound(bodies, forest.batch[e], forest.row[e])) lambda[e][place[e]] = NaN
  }
}

function goBackToPart(bodies: BodyColumns, trees: Trees): void {
  goBack(bodies, trees, trees.partPose, trees.partMultipliers)
  takeVelocities(bodies, trees, trees.partVelocity)
}

/** One part of `length` [s]: `part` after `done` of the substep. Its predecessor, whose multipliers it goes on from, was `last` long. */
function solvePart(world: WorldView, trees: Trees, done: number, part: number, length: number, last: number): boolean {
  const bodies = world.bodies.columns
  predictPart(world, trees, done, part, length)
  scaleMultipliers(trees, (length * length) / (last * last))
  if (!solveFirst(bodies, trees)) return false
  return endPart(world, trees, length)
}

/** A part without joints: bodies fly on. What that leaves open is repaired before the next substep, and gives no speed. */
function drift(world: WorldView, trees: Trees, done: number, part: number, length: number): void {
  predictPart(world, trees, done, part, length)
  endPart(world, trees, length)
}

/**
 * A part without joints where some give way. What they store meanwhile is taken from the motion; where there is not so much of it,
 * nothing moves, and what moved is slower.
 */
function driftAgainst(world: WorldView, trees: Trees, done: number, part: number, length: number): void {
  const bodies = world.bodies.columns
  const before = storedIn(bodies, trees)
  drift(world, trees, done, part, length)
  const more = storedIn(bodies, trees) - before
  if (more <= 0) return
  const left = 1 - more / motionOf(bodies, trees)
  if (!(left > 0)) {
    goBackToPart(bodies, trees)
    motionOf(bodies, trees)
  }
  slowMotion(bodies, trees, left > 0 ? Math.sqrt(left) : SLOWER)
}

/** What joints of the tree store [J]. */
function storedIn(bodies: BodyColumns, { forest }: Trees): number {
  let sum = 0
  for (let e = 0; e < forest.batch.length; e++) sum += rowElastic(bodies, forest.batch[e], forest.row[e])
  return sum
}

/** Predicts the bodies of the tree over a part, and prepares its system for that length. */
function predictPart(world: WorldView, trees: Trees, done: number, part: number, length: number): void {
  const bodies = world.bodies.columns
  const { body } = trees.forest
  const { startPosition, startOrientation, position, orientation } = bodies
  for (let k = 0; k < 3; k++) fall[k] = length * world.settings.gravity[k]
  moveGround(bodies, trees, done / PARTS, (done + part) / PARTS, length)
  for (let n = 0; n < body.length; n++) {
    const p = 4 * body[n]
    for (let k = p; k < p + 4; k++) {
      startPosition[k] = position[k]
      startOrientation[k] = orientation[k]
    }
    predictBody(bodies, body[n], length, fall, world.settings)
  }
  prepareTrees(world, trees, length)
  if (trees.articulated !== undefined) {
    const share = part / PARTS
    trees.articulated.loadShare[0] = share * share
  }
}

/** Velocities at the end of a part; false where something is not finite. */
function endPart(world: WorldView, trees: Trees, length: number): boolean {
  const bodies = world.bodies.columns
  const { body } = trees.forest
  for (let n = 0; n < body.length; n++) {
    if (!isFinitePose(bodies, body[n])) return false
    correctVelocity(bodies, body[n], length, world.settings.gyroscopic)
  }
  return true
}

/** Makes it look as if the substep of h had started where its end velocities come from. */
function endParts(world: WorldView, trees: Trees, h: number, last: number): void {
  const bodies = world.bodies.columns
  const { body } = trees.forest
  const { position, velocity, startPosition, startOrientation } = bodies
  moveGround(bodies, trees, 0, 1, h)
  for (let n = 0; n < body.length; n++) {
    const i = body[n]
    if (!isFinitePose(bodies, i)) {
      // It is about to be frozen where the substep began.
      for (let k = 0; k < 3; k++) startPosition[4 * i + k] = trees.substepPose[7 * n + k]
      for (let k = 0; k < 4; k++) startOrientation[4 * i + k] = trees.substepPose[7 * n + 3 + k]
      continue
    }
    for (let k = 0; k < 3; k++) startPosition[4 * i + k] = position[4 * i + k] - h * velocity[3 * i + k]
    if ((bodies.flags[i] & ROTATES) !== 0) rewindSpin(bodies, i, h)
  }
  scaleMultipliers(trees, (h * h) / (last * last))
  if (trees.articulated !== undefined) trees.articulated.loadShare[0] = 1
  addToMean(trees, -1)
  prepareTrees(world, trees, h)
}

/** Adds a share of the multipliers in hand to the mean: of a part, λ/length² for so long of h, times h². */
function addToMean({ lambda, place, firstMultiplier, partMean }: Trees, share: number): void {
  for (let e = 0; e < place.length; e++) {
    const m = firstMultiplier[e]
    for (let k = m; k < firstMultiplier[e + 1]; k++) partMean[k] += share * lambda[e][place[e] + k - m]
  }
}

/**
 * Sets the multipliers of a substep that was repeated in parts from those of its last part to their mean: λ/h² is the force that moved
 * the bodies, and breaks a joint. The passes that follow the parts want those of the last one, which belong to the pose.
 */
export function spreadMultipliers({ lambda, place, firstMultiplier, partMean, redundant }: Trees): void {
  for (let e = 0; e < place.length; e++) {
    const m = firstMultiplier[e]
    for (let k = m; k < firstMultiplier[e + 1]; k++) if (redundant[k] === 0) lambda[e][place[e] + k - m] += partMean[k]
  }
}

/** Multipliers are force times the square of the part's length. */
function scaleMultipliers({ lambda, place, firstMultiplier }: Trees, factor: number): void {
  for (let e = 0; e < place.length; e++) {
    const end = place[e] + firstMultiplier[e + 1] - firstMultiplier[e]
    for (let k = place[e]; k < end; k++) lambda[e][k] *= factor
  }
}

function takeVelocities({ velocity, angularVelocity }: BodyColumns, { forest }: Trees, from: Float64Array): void {
  const { body } = forest
  for (let n = 0; n < body.length; n++) {
    for (let k = 0; k < 3; k++) {
      velocity[3 * body[n] + k] = from[6 * n + k]
      angularVelocity[3 * body[n] + k] = from[6 * n + 3 + k]
    }
  }
}

/** Notes the poses of the bodies that hold the tree and do not belong to it: at the start of the substep, and at its end. */
function noteGround(bodies: BodyColumns, { forest, groundStart, groundEnd }: Trees): void {
  for (let n = 0; n < forest.ground.length; n++) {
    copyPose(bodies.startPosition, bodies.startOrientation, 4 * forest.ground[n], groundStart, 7 * n)
    copyPose(bodies.position, bodies.orientation, 4 * forest.ground[n], groundEnd, 7 * n)
  }
}

/** Notes where the prediction found the tree's bodies. */
function noteStart({ startPosition, startOrientation }: BodyColumns, { forest, substepPose }: Trees): void {
  for (let n = 0; n < forest.body.length; n++) {
    copyPose(startPosition, startOrientation, 4 * forest.body[n], substepPose, 7 * n)
  }
}

function copyPose(x: Float64Array, q: Float64Array, i: number, out: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) out[o + k] = x[i + k]
  for (let k = 0; k < 4; k++) out[o + 3 + k] = q[i + k]
}

/** Moves those that move over the part of `length` [s] from one share of the substep to another. */
function moveGround(
  bodies: BodyColumns,
  { forest, groundStart, groundEnd }: Trees,
  from: number,
  to: number,
  length: number,
): void {
  const { ground } = forest
  for (let n = 0; n < ground.length; n++) {
    if (bodies.kind[ground[n]] !== KINEMATIC) continue
    between(groundStart, groundEnd, 7 * n, from, bodies.startPosition, bodies.startOrientation, 4 * ground[n])
    between(groundStart, groundEnd, 7 * n, to, bodies.position, bodies.orientation, 4 * ground[n])
    for (let k = 3 * ground[n]; k < 3 * ground[n] + 3; k++) {
      bodies.predictedRotation[k] = length * bodies.angularVelocity[k]
    }
  }
}

/** A pose between two, exactly either at shares 0 and 1. */
function between(
  start: Float64Array,
  end: Float64Array,
  o: number,
  share: number,
  x: Float64Array,
  q: Float64Array,
  i: number,
): void {
  const near = share === 1 ? end : start
  for (let k = 0; k < 3; k++) x[i + k] = share === 1 ? end[o + k] : start[o + k] + share * (end[o + k] - start[o + k])
  for (let k = 0; k < 4; k++) q[i + k] = near[o + 3 + k]
  if (share === 0 || share === 1) return
  rotationBetween(end, o + 3, start, o + 3, turned, 0)
  for (let k = 0; k < 3; k++) turned[k] *= share
  rotateBy(q, i, turned)
}
