/**
 * Targets of joints, no farther ahead than their muscles are to be wound.
 *
 * A drive whose joint something holds is wound by as much as its target goes on, and let go of flings the limb: a spring of ω, damped by ζ, that is e ahead turns it by
 * up to e ω/2ζ. Brought to within `maxLead` of where the joint is, the target draws it with the couple of that angle, most often all that the muscle has, and no faster
 * than that. How fast the target moves is left as it is.
 */

import { compose, normalizeQuaternion, rotate, rotationBetween } from '@tautline/core/kernel'
import type { DriveGoal } from './dynamics.js'
import { COORDINATES, type PartJoint, readAngles } from './part-joint.js'
import type { RagdollState } from './state.js'

const F = /* @__PURE__ */ new Float64Array(8)
const frame = /* @__PURE__ */ new Float64Array(4)
const q = /* @__PURE__ */ new Float64Array(4)
const seen = /* @__PURE__ */ new Float64Array(4)
const v = /* @__PURE__ */ new Float64Array(3)

/** Brings the target of a goal to within `most` [rad] of where the joint is. A slider's stays as it is. */
export function nearTarget(
  goal: DriveGoal,
  { bodies }: RagdollState,
  joint: PartJoint,
  parent: number,
  part: number,
  most: number,
): void {
  if (joint.kind === 'slider') return
  const { orientation } = bodies[part].bodies.columns
  frame.set(joint.frameA)
  compose(orientation, 4 * bodies[parent].index, frame, 0, F, 0)
  frame.set(joint.frameB)
  compose(orientation, 4 * bodies[part].index, frame, 0, F, 4)
  if (joint.kind !== 'swingTwist') {
    nearAngles(goal.target, joint, most)
    return
  }
  for (let k = 0; k < 3; k++) frame[k] = -F[k]
  frame[3] = F[3]
  compose(frame, 0, F, 4, seen, 0)
  normalizeQuaternion(seen, 0)
  nearOrientation(goal.target, seen, 0, most)
}

/** Brings an orientation to within `most` [rad] of that at `now[o…]`. */
export function nearOrientation(target: Float64Array, now: Float64Array, o: number, most: number): void {
  for (let k = 0; k < 4; k++) q[k] = now[o + k]
  rotationBetween(target, 0, q, 0, v, 0)
  const angle = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  if (angle <= most) return
  const share = most / angle
  rotate(q, 0, share * v[0], share * v[1], share * v[2])
  normalizeQuaternion(q, 0)
  target.set(q)
}

function nearAngles(target: Float64Array, { kind }: PartJoint, most: number): void {
  readAngles(kind, F, v)
  for (let k = 0; k < COORDINATES[kind].length; k++) {
    target[k] = Math.min(Math.max(target[k], v[k] - most), v[k] + most)
  }
}
