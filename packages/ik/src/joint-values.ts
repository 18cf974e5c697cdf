/**
 * What the joints of a robot are set to: angles and ways, read off a pose and written into one. They count from the rest pose, as
 * limits do.
 *
 *   hinge  q = rest f Rx(φ) f̄        universal  q = rest f Rx(α) Rz(β) f̄        slider  x = x_rest + s R(rest f) x̂
 */

import { compose, cos, finiteVector, frameX, sin, instance } from '@tautline/core/kernel'
import { intoOwnRange, rotationAbout, rotatedFromRest, rotationFromRest } from './coordinates.js'
import { BALL, HINGE, SLIDER, UNIVERSAL } from './joints.js'
import { checkPose, type Pose } from './pose.js'
import { Rig } from './rig.js'

const q = /* @__PURE__ */ new Float64Array(4)
const axis = /* @__PURE__ */ new Float64Array(3)

/**
 * The values of a bone's joint in a pose: the angle [rad] of a hinge, the two of a universal joint, the way [m] of a slider, nothing
 * of a locked one. Angles are in the turn around the middle of the limits. Throws `RangeError` for a bone that there is not, and for
 * a ball, whose rotation is the pose's own.
 */
export function readJoint(rig: Rig, pose: Pose, bone: string | number): number[] {
  const i = checked(rig, pose, bone, 'readJoint')
  const { kind, limits } = rig.joints[i]
  if (kind === SLIDER) {
    slideAxis(rig, i)
    const [x, y, z] = [0, 1, 2].map((k) => pose.positions[3 * i + k] - rig.restPosition[3 * i + k])
    return [axis[0] * x + axis[1] * y + axis[2] * z]
  }
  if (kind !== HINGE && kind !== UNIVERSAL) return []
  rotationFromRest(rig, i, pose.rotations, q)
  const angles = new Float64Array(kind === HINGE ? 1 : 2)
  for (let k = 0; k < angles.length; k++) {
    rotationAbout(q, 2 * k, angles, k)
    intoOwnRange(angles, k, limits, 2 * k)
  }
  return Array.from(angles)
}

/**
 * Sets a bone's joint in a pose to the values that {@link readJoint} gives, inside the limits or not: a solve puts it inside. Throws
 * `TypeError`/`RangeError`, and changes nothing, for what is no list of as many finite numbers, and as `readJoint` does.
 */
export function writeJoint(rig: Rig, pose: Pose, bone: string | number, values: ArrayLike<number>): void {
  const i = checked(rig, pose, bone, 'writeJoint')
  const { kind } = rig.joints[i]
  const [a, b] = Array.from(finiteVector('writeJoint: values', values, VALUES[kind]))
  if (kind === SLIDER) {
    slideAxis(rig, i)
    for (let k = 0; k < 3; k++) pose.positions[3 * i + k] = rig.restPosition[3 * i + k] + a * axis[k]
  }
  if (kind !== HINGE && kind !== UNIVERSAL) return
  const [sa, ca] = [sin(0.5 * a), cos(0.5 * a)]
  const [sb, cb] = kind === HINGE ? [0, 1] : [sin(0.5 * b), cos(0.5 * b)]
  q.set([sa * cb, -sa * sb, ca * sb, ca * cb])
  rotatedFromRest(rig, i, q, pose.rotations)
}

/** How many values each kind has. */
const VALUES: readonly number[] = [0, 0, 1, 2, 1]

function checked(rig: Rig, pose: Pose, bone: string | number, where: string): number {
  checkPose(`${where}: pose`, pose, instance(`${where}: rig`, rig, Rig, 'a Rig').count)
  const i = rig.indexOf(bone, where)
  if (rig.joints[i].kind === BALL) {
    throw new RangeError(
      `${where}: joint must be a hinge, universal, slider or locked, got the ball of "${rig.names[i]}"`,
    )
  }
  return i
}

/** A slider's axis in its parent's space, into `axis`. */
function slideAxis(rig: Rig, i: number): void {
  compose(rig.restRotation, 4 * i, rig.joints[i].frame, 0, q, 0)
  frameX(q, 0, axis, 0)
}
