/**
 * Limits of joints: poses are put back inside, and which directions of a joint are blocked because it is at a bound.
 *
 * Bounds are taken in by `INSIDE`, so that a pose that was put inside is inside however it is measured.
 */

import {
  ANGLE,
  coneAngle,
  cos,
  quaternionFromRotationVector,
  rotationVectorFromQuaternion,
  sin,
  atan2,
  compose,
  swingAngles,
  twistAngle,
} from '@tautline/core'
import { turnedFromRest, turnFromRest } from './coordinates.js'
import { BALL, HINGE, type Joint, SLIDER, UNIVERSAL } from './joints.js'
import type { Pose, WorldPose } from './pose.js'
import type { Rig } from './rig.js'

/** [rad or m] */
const INSIDE = 1e-10
/** How near to a bound counts as at it [rad or m]. */
const AT = 1e-7

const turn = /* @__PURE__ */ new Float64Array(4)
const swing = /* @__PURE__ */ new Float64Array(4)
const twist = /* @__PURE__ */ new Float64Array(4)
const angles = /* @__PURE__ */ new Float64Array(3)
const y = /* @__PURE__ */ new Float64Array(ANGLE)
const z = /* @__PURE__ */ new Float64Array(ANGLE)
const t = /* @__PURE__ */ new Float64Array(ANGLE)
const F = /* @__PURE__ */ new Float64Array(8)

/** `value` within [min, max], both taken in a little where there is room. */
export function clampInside(value: number, min: number, max: number): number {
  const room = Math.min(INSIDE, 0.5 * (max - min))
  return Math.min(Math.max(value, min + room), max - room)
}

/** Splits a turn into swing (θ_y, θ_z) and twist φ, into `angles`: turn = exp(swing) exp(twist x̂). */
function split(q: Float64Array): void {
  const flip = q[3] < 0 ? -1 : 1
  const phi = 2 * atan2(flip * q[0], flip * q[3])
  const c = cos(0.5 * phi)
  const s = sin(0.5 * phi)
  twist[0] = -s
  twist[1] = twist[2] = 0
  twist[3] = c
  compose(q, 0, twist, 0, swing, 0)
  rotationVectorFromQuaternion(swing, 0, angles, 0)
  angles[0] = phi
}

/** Puts a ball's rotation inside its limits; whether it was outside. */
export function holdBall(rig: Rig, i: number, rotations: Float64Array): boolean {
  const { limits, isCone } = rig.joints[i]
  turnFromRest(rig, i, rotations, turn)
  split(turn)
  const [phi, ty, tz] = angles
  let [heldY, heldZ] = [ty, tz]
  if (isCone) {
    // Outside an ellipse the nearest point on it is exact; a second time takes round-off and `INSIDE` along.
    for (let pass = 0; pass < 2; pass++) {
      y[0] = heldY
      z[0] = heldZ
      y[1] = z[2] = 1
      y[2] = y[3] = z[1] = z[3] = 0
      coneAngle(limits, 0, 2, y, z, t)
      if (t[0] >= INSIDE) break
      heldY -= (t[0] - 2 * INSIDE) * t[1]
      heldZ -= (t[0] - 2 * INSIDE) * t[2]
    }
  } else {
    heldY = clampInside(ty, limits[0], limits[1])
    heldZ = clampInside(tz, limits[2], limits[3])
  }
  const heldPhi = clampInside(phi, limits[4], limits[5])
  if (heldPhi === phi && heldY === ty && heldZ === tz) return false
  quaternionFromRotationVector(swing, 0, 0, heldY, heldZ)
  quaternionFromRotationVector(twist, 0, heldPhi, 0, 0)
  compose(swing, 0, twist, 0, turn, 0)
  turnedFromRest(rig, i, turn, rotations)
  return true
}

/** How far a joint of a pose is outside its limits [rad or m]; 0 inside. For tests, and for poses that were given. */
export function violation(rig: Rig, i: number, kind: number, pose: Pose, coordinates: Float64Array): number {
  const { limits, isCone } = rig.joints[i]
  const beyond = (value: number, o: number): number => Math.max(limits[o] - value, value - limits[o + 1], 0)
  if (kind === HINGE || kind === SLIDER) return beyond(coordinates[2 * i], 0)
  if (kind === UNIVERSAL) return Math.max(beyond(coordinates[2 * i], 0), beyond(coordinates[2 * i + 1], 2))
  if (kind !== BALL) return 0
  turnFromRest(rig, i, pose.rotations, turn)
  split(turn)
  const twisted = beyond(angles[0], 4)
  if (!isCone) return Math.max(twisted, beyond(angles[1], 0), beyond(angles[2], 2))
  y[0] = angles[1]
  z[0] = angles[2]
  y[1] = z[2] = 1
  y[2] = y[3] = z[1] = z[3] = 0
  coneAngle(limits, 0, 2, y, z, t)
  return Math.max(twisted, -t[0], 0)
}

/** A bound that a ball may be at: measured distance to it, and the world direction of turning that leads out. */
export interface Blocks {
  /** How many, at most 3. */
  count: number
  /** Outward directions, three numbers each. */
  readonly outward: Float64Array
}

/** Bounds that a ball is at, with `world` up to date. */
export function findBlocks(rig: Rig, i: number, world: WorldPose, parentRotation: Float64Array, out: Blocks): void {
  const { limits, isCone, frame } = rig.joints[i]
  out.count = 0
  compose(parentRotation, 0, rig.restRotation, 4 * i, turn, 0)
  compose(turn, 0, frame, 0, F, 0)
  compose(world.rotations, 4 * i, frame, 0, F, 4)
  twistAngle(F, t)
  block(limits, 4, t, out)
  swingAngles(F, y, z)
  if (isCone) {
    coneAngle(limits, 0, 2, y, z, t)
    if (t[0] <= AT) add(t, -1, out)
    return
  }
  block(limits, 0, y, out)
  block(limits, 2, z, out)
}

function block(limits: Float64Array, o: number, angle: Float64Array, out: Blocks): void {
  if (angle[0] <= limits[o] + AT) add(angle, -1, out)
  else if (angle[0] >= limits[o + 1] - AT) add(angle, 1, out)
}

function add(angle: Float64Array, sign: number, out: Blocks): void {
  if (out.count === 3) return
  for (let k = 0; k < 3; k++) out.outward[3 * out.count + k] = sign * angle[1 + k]
  out.count++
}

/** Whether a single coordinate is at a bound: −1 at the lower, 1 at the upper, 0 between, 2 where both are one. */
export function sideOf({ limits }: Joint, o: number, value: number): number {
  const low = value <= limits[o] + AT
  const high = value >= limits[o + 1] - AT
  return low && high ? 2 : low ? -1 : high ? 1 : 0
}
