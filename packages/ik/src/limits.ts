/**
 * Limits of joints: poses are put back inside, and which directions of a joint are blocked because it is at a bound.
 *
 * Bounds are taken in by `INSIDE`, so that a pose that was put inside is inside however it is measured.
 */

import {
  ANGLE,
  ellipseAngle,
  cos,
  quaternionFromRotationVector,
  rotationVectorFromQuaternion,
  sin,
  atan2,
  compose,
  swingAngles,
  twistAngle,
} from '@tautline/core'
import { inOwnTurn, turnedFromRest, turnFromRest } from './coordinates.js'
import { BALL, HINGE, SLIDER, UNIVERSAL } from './joints.js'
import type { Pose, WorldPose } from './pose.js'
import type { Rig } from './rig.js'

/** [rad or m] */
const INSIDE = 1e-10

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
  angles[0] = inOwnTurn(angles[0], limits, 4)
  const phi = angles[0]
  const ty = angles[1]
  const tz = angles[2]
  let heldY = ty
  let heldZ = tz
  if (isCone) {
    // Outside an ellipse the nearest point on it is exact; a second time takes round-off and `INSIDE` along.
    for (let pass = 0; pass < 2; pass++) {
      y[0] = heldY
      z[0] = heldZ
      y[1] = z[2] = 1
      y[2] = y[3] = z[1] = z[3] = 0
      ellipseAngle(limits, 0, 2, y, z, t)
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
  angles[0] = inOwnTurn(angles[0], limits, 4)
  const twisted = beyond(angles[0], 4)
  if (!isCone) return Math.max(twisted, beyond(angles[1], 0), beyond(angles[2], 2))
  y[0] = angles[1]
  z[0] = angles[2]
  y[1] = z[2] = 1
  y[2] = y[3] = z[1] = z[3] = 0
  ellipseAngle(limits, 0, 2, y, z, t)
  return Math.max(twisted, -t[0], 0)
}

/** The nearest bounds of a ball: how far they are, and the world direction of turning that leads out. */
export interface Bounds {
  /** How many, at most 3. */
  count: number
  /** Room to each [rad]; 0 at it. */
  readonly room: Float64Array
  /** Outward directions, three numbers each: the angle beyond grows by this per rad turned. */
  readonly outward: Float64Array
}

/** The nearest bounds of a ball's twist and swing, with `world` up to date. */
export function findBounds(rig: Rig, i: number, world: WorldPose, parents: Float64Array, out: Bounds): void {
  const { limits, isCone, frame } = rig.joints[i]
  out.count = 0
  compose(parents, 4 * i, rig.restRotation, 4 * i, turn, 0)
  compose(turn, 0, frame, 0, F, 0)
  compose(world.rotations, 4 * i, frame, 0, F, 4)
  twistAngle(F, t)
  addNearer(limits, 4, t, out)
  swingAngles(F, y, z)
  if (isCone) {
    ellipseAngle(limits, 0, 2, y, z, t)
    addBound(t, t[0], -1, out)
    return
  }
  addNearer(limits, 0, y, out)
  addNearer(limits, 2, z, out)
}

function addNearer(limits: Float64Array, o: number, angle: Float64Array, out: Bounds): void {
  const below = angle[0] - limits[o]
  const above = limits[o + 1] - angle[0]
  if (below < above) addBound(angle, below, -1, out)
  else if (above < Infinity) addBound(angle, above, 1, out)
}

function addBound(angle: Float64Array, room: number, sign: number, out: Bounds): void {
  const k = out.count++
  out.room[k] = Math.max(room - INSIDE, 0)
  for (let c = 0; c < 3; c++) out.outward[3 * k + c] = sign * angle[1 + c]
}
