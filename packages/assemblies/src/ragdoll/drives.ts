/**
 * Muscles: joints driven to a pose, as springs with dampers.
 *
 *   stiffness  k = m I ω²,  damping  d = m 2 ζ I ω,   ω = 2π · strength
 *
 * with the muscle's weight m, and I the inertia that the joint moves: one strength [Hz] is as quick for a wrist as for a hip. Rates of the target are driven
 * to as well, so that a moving target is not run after. Gravity is borne by a couple beside the spring, through the rate: d · Δrate = couple.
 */

import type { Body } from '@tautline/core'
import {
  compose,
  frameX,
  normalizeQuaternion,
  quaternionFromRotationVector,
  rotateVector,
  rotateVectorInverse,
} from '@tautline/core/kernel'
import type { RagdollAsset } from './data.js'
import { type DriveGoal, isSprung, setDrive } from './dynamics.js'
import { nearTarget } from './lead.js'
import { GOAL, type Motion } from './motion.js'
import { type PartJoint, readAngles } from './part-joint.js'
import { isOff, type RagdollState } from './state.js'

const TURN: number = 2 * Math.PI
/** Least share of its strength that a hit leaves a muscle. */
const LEAST = 1e-3

const F = /* @__PURE__ */ new Float64Array(8)
const q = /* @__PURE__ */ new Float64Array(4)
const frame = /* @__PURE__ */ new Float64Array(4)
const v = /* @__PURE__ */ new Float64Array(3)
const w = /* @__PURE__ */ new Float64Array(3)
const goal: DriveGoal = {
  stiffness: 0,
  damping: 0,
  maxTorque: 0,
  target: /* @__PURE__ */ new Float64Array(4),
  rate: /* @__PURE__ */ new Float64Array(3),
}

/** Stiffness, damping and largest couple of a part's joint into the goal. */
function writeGains(motion: Motion, joint: PartJoint, part: number, passive: number, isDriven: boolean): void {
  const { muscle, strength, damping, maxTorque } = motion.weights
  const omega = TURN * strength[part]
  const left = isDriven ? muscle[part] * Math.max(1 - motion.weakness[part], LEAST) : 0
  goal.stiffness = left * joint.inertia * omega * omega
  goal.damping = 2 * left * damping[part] * joint.inertia * omega
  const most = Number.isNaN(maxTorque[part]) ? joint.strength : maxTorque[part]
  goal.maxTorque = most === Infinity ? most : left * most
  // What tissue damps is there without a muscle.
  const least = passive * joint.inertia
  if (goal.damping >= least) return
  goal.damping = least
  if (left === 0) goal.maxTorque = Infinity
}

/** Where to, and how fast: of b's frame seen from a's, or the joint's coordinates. */
function writeTarget(
  { rotations, spins, positions, velocities }: Motion,
  joint: PartJoint,
  parent: number,
  part: number,
): void {
  const { kind, frameA, frameB } = joint
  frame.set(frameA)
  compose(rotations, 4 * parent, frame, 0, F, 0)
  frame.set(frameB)
  compose(rotations, 4 * part, frame, 0, F, 4)
  for (let k = 0; k < 3; k++) v[k] = spins[3 * part + k] - spins[3 * parent + k]
  rotateVectorInverse(F, 0, v[0], v[1], v[2], goal.rate, 0)
  if (kind === 'swingTwist') {
    q[0] = -F[0]
    q[1] = -F[1]
    q[2] = -F[2]
    q[3] = F[3]
    compose(q, 0, F, 4, goal.target, 0)
    // To the last bit, as it is read back from JSON.
    normalizeQuaternion(goal.target, 0)
    return
  }
  readAngles(kind, F, goal.target)
  if (kind === 'universal') {
    // About the parent's x and the part's own z.
    rotateVectorInverse(F, 4, v[0], v[1], v[2], w, 0)
    goal.rate[1] = w[2]
  } else if (kind === 'slider') {
    frameX(F, 0, v, 0)
    const along = (list: Float64Array): number =>
      v[0] * (list[3 * part] - list[3 * parent]) +
      v[1] * (list[3 * part + 1] - list[3 * parent + 1]) +
      v[2] * (list[3 * part + 2] - list[3 * parent + 2])
    const { anchor } = joint
    rotateVector(rotations, 4 * parent, anchor[0], anchor[1], anchor[2], w, 0)
    goal.target[0] = along(positions) - (v[0] * w[0] + v[1] * w[1] + v[2] * w[2])
    goal.rate[0] = along(velocities)
  }
}

/** What drives besides the motion. */
export interface Drives {
  readonly gravity: ArrayLike<number>
  /** Damping of a joint without a muscle, by the inertia that it moves [1/s]. */
  readonly passive: number
}

/** Sets the drives of all joints to what the motion says. */
export function driveJoints(
  asset: RagdollAsset,
  state: RagdollState,
  motion: Motion,
  { gravity, passive }: Drives,
): void {
  const { parts } = asset
  const { bears } = motion
  for (let part = 0; part < parts.length; part++) {
    const { joint, parent } = parts[part]
    const constraint = state.joints[part]
    if (joint === undefined || constraint === undefined || !constraint.alive) continue
    const off = isOff(asset, state, part)
    // What has come off is left alone once it is limp, and may sleep.
    if (off && !isSprung(constraint)) continue
    writeGains(motion, joint, part, passive, motion.driven && !off)
    writeTarget(motion, joint, parent, part)
    const most = motion.weights.maxLead[part]
    if (goal.stiffness === 0) goal.rate.fill(0)
    else if (most < Infinity) nearTarget(goal, state, joint, parent, part, most)
    for (let k = 0; k < 4; k++) motion.goals[GOAL * part + k] = goal.target[k]
    for (let k = 0; k < 3; k++) motion.goals[GOAL * part + 4 + k] = goal.rate[k]
    if (bears > 0 && goal.stiffness > 0 && joint.kind === 'swingTwist') bear(asset, state, joint, part, gravity, bears)
    setDrive(constraint, joint.kind, goal)
  }
}

/** Adds the couple that holds what hangs on a joint up against gravity, as a rate of the damper. */
function bear(
  { parts }: RagdollAsset,
  { bodies, joints }: RagdollState,
  joint: PartJoint,
  part: number,
  gravity: ArrayLike<number>,
  share: number,
): void {
  pivotOf(bodies[part], parts[part].matter.centre, v)
  let [x, y, z] = [0, 0, 0]
  for (let k = part; k < parts.length; k++) {
    if (!hangsOn(parts, joints, k, part) || !bodies[k].alive || bodies[k].type !== 'dynamic') continue
    const { position, gravityScale } = bodies[k].bodies.columns
    const o = 4 * bodies[k].index
    const m = share * gravityScale[bodies[k].index] * bodies[k].mass
    const [rx, ry, rz] = [position[o] - v[0], position[o + 1] - v[1], position[o + 2] - v[2]]
    x -= m * (ry * gravity[2] - rz * gravity[1])
    y -= m * (rz * gravity[0] - rx * gravity[2])
    z -= m * (rx * gravity[1] - ry * gravity[0])
  }
  const { orientation } = bodies[part].bodies.columns
  frame.set(joint.frameA)
  compose(orientation, 4 * bodies[parts[part].parent].index, frame, 0, F, 0)
  rotateVectorInverse(F, 0, x, y, z, w, 0)
  for (let k = 0; k < 3; k++) goal.rate[k] += w[k] / goal.damping
}

/** World place of a body's joint. */
function pivotOf({ bodies, index }: Body, centre: ArrayLike<number>, out: Float64Array): void {
  const { position, orientation } = bodies.columns
  rotateVector(orientation, 4 * index, -centre[0], -centre[1], -centre[2], out, 0)
  for (let k = 0; k < 3; k++) out[k] += position[4 * index + k]
}

/** Whether a part hangs on another, by joints that are whole. */
function hangsOn(parts: RagdollAsset['parts'], joints: RagdollState['joints'], part: number, on: number): boolean {
  let k = part
  while (k > on && joints[k]?.alive === true) k = parts[k].parent
  return k === on
}

/**
 * Moves the targets of joints to where they are due at the end of a substep, `left` before the end of the step [s]: a target that stands at its end from the
 * first substep on would be run ahead to. Writes numbers alone.
 */
export function leadJoints({ parts }: RagdollAsset, { joints }: RagdollState, { goals }: Motion, left: number): void {
  for (let part = 0; part < parts.length; part++) {
    const constraint = joints[part]
    const o = GOAL * part
    if (constraint === undefined || (goals[o + 4] === 0 && goals[o + 5] === 0 && goals[o + 6] === 0)) continue
    const { batch, slot } = constraint
    const row = batch.slotRow[slot]
    if (!constraint.alive) continue
    if (parts[part].joint?.kind === 'swingTwist') {
      quaternionFromRotationVector(q, 0, -left * goals[o + 4], -left * goals[o + 5], -left * goals[o + 6])
      compose(q, 0, goals, o, batch.columns[TARGET as never] as Float64Array, 4 * row)
    }
  }
}

/** Column of a swing–twist joint's target. */
const TARGET = 'target'

/** Whether muscles are still coming back; brings them back for `dt` [s]. */
export function recover({ weakness, recovery }: Motion, dt: number): boolean {
  let changed = false
  for (let part = 0; part < weakness.length; part++) {
    if (weakness[part] <= 0) continue
    weakness[part] = Math.max(0, weakness[part] - recovery[part] * dt)
    changed = true
  }
  return changed
}
