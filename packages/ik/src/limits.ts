/**
 * Limits of joints: poses are put back inside, and which directions of a joint are blocked because it is at a bound.
 *
 * Bounds are taken in by `INSIDE`, so that a pose that was put inside is inside however it is measured.
 */

import {
  ANGLE,
  compose,
  ellipseAngle,
  rotationVectorFromQuaternion,
  swingAngles,
  twistAngle,
} from '@tautline/core/kernel'
import { intoOwnRange, rotationAbout, rotatedFromRest, rotationFromRest, writeCoordinates } from './coordinates.js'
import { BALL, FREE, FREEDOMS, HINGE, SLIDER, UNIVERSAL } from './joints.js'
import type { Kinematics } from './kinematics.js'
import type { Pose, WorldPose } from './pose.js'
import type { Rig } from './rig.js'
import { rotationOf } from './rotations.js'

/** [rad or m] */
const INSIDE = 1e-10

const turn = /* @__PURE__ */ new Float64Array(4)
const swing = /* @__PURE__ */ new Float64Array(4)
const twist = /* @__PURE__ */ new Float64Array(4)
const angles = /* @__PURE__ */ new Float64Array(3)
const held = /* @__PURE__ */ new Float64Array(3)
const y = /* @__PURE__ */ new Float64Array(ANGLE)
const z = /* @__PURE__ */ new Float64Array(ANGLE)
const t = /* @__PURE__ */ new Float64Array(ANGLE)
const F = /* @__PURE__ */ new Float64Array(8)

/** Puts values[k] within limits[o] and limits[o + 1], both taken in a little where there is room. */
export function clampInside(values: Float64Array, k: number, limits: Float64Array, o: number): void {
  const min = limits[o]
  const max = limits[o + 1]
  const room = Math.min(INSIDE, 0.5 * (max - min))
  values[k] = Math.min(Math.max(values[k], min + room), max - room)
}

/** Splits a turn into twist φ and swing (θ_y, θ_z), into `angles`: turn = exp(swing) exp(twist x̂). */
function split(q: Float64Array): void {
  rotationAbout(q, 0, angles, 0)
  const size = Math.sqrt(q[0] * q[0] + q[3] * q[3])
  // Half a turn of swing has no twist.
  const s = size > 0 ? (q[3] < 0 ? -1 : 1) / size : 0
  twist[0] = -s * q[0]
  twist[1] = twist[2] = 0
  twist[3] = size > 0 ? s * q[3] : 1
  compose(q, 0, twist, 0, swing, 0)
  const phi = angles[0]
  rotationVectorFromQuaternion(swing, 0, angles, 0)
  angles[0] = phi
}

/** Puts a ball's rotation inside its limits; whether it was outside. */
export function holdBall(rig: Rig, i: number, rotations: Float64Array): boolean {
  const { limits, isCone } = rig.joints[i]
  rotationFromRest(rig, i, rotations, turn)
  split(turn)
  intoOwnRange(angles, 0, limits, 4)
  for (let k = 0; k < 3; k++) held[k] = angles[k]
  clampInside(held, 0, limits, 4)
  if (isCone) holdCone(limits)
  else {
    clampInside(held, 1, limits, 0)
    clampInside(held, 2, limits, 2)
  }
  if (held[0] === angles[0] && held[1] === angles[1] && held[2] === angles[2]) return false
  angles[0] = 0
  angles[1] = held[1]
  angles[2] = held[2]
  rotationOf(angles, swing)
  angles[0] = held[0]
  angles[1] = angles[2] = 0
  rotationOf(angles, twist)
  compose(swing, 0, twist, 0, turn, 0)
  rotatedFromRest(rig, i, turn, rotations)
  return true
}

/** Puts every joint of the pose at hand inside its limits. */
export function holdAll(kinematics: Kinematics, limited: Uint8Array, stretches: boolean): void {
  const { rig, kinds, pose, coordinates } = kinematics
  holdBalls(kinematics, limited)
  for (let i = 0; i < rig.count; i++) {
    const kind = kinds[i]
    const { limits } = rig.joints[i]
    for (let c = 0; c < FREEDOMS[kind] && kind !== BALL && kind !== FREE; c++) {
      clampInside(coordinates, 2 * i + c, limits, 2 * c)
    }
    writeCoordinates(rig, i, kind, pose, coordinates, kinematics.stretch, stretches)
  }
}

/** Puts the balls inside theirs that have any, as `limited` says by bone. */
export function holdBalls({ rig, kinds, pose }: Kinematics, limited: Uint8Array): void {
  for (let i = 0; i < rig.count; i++) if (kinds[i] === BALL && limited[i] === 1) holdBall(rig, i, pose.rotations)
}

/** Puts the swing of `held` into its ellipse. */
function holdCone(limits: Float64Array): void {
  // The nearest point on it is exact; a second time takes round-off and `INSIDE` along.
  for (let pass = 0; pass < 2; pass++) {
    distanceInside(limits, held)
    if (t[0] >= INSIDE) break
    const short = t[0] - 2 * INSIDE
    held[1] -= short * t[1]
    held[2] -= short * t[2]
  }
}

/** Distance of a swing, the last two of three angles, to its ellipse, positive inside, and the gradient by the two, into `t`. */
function distanceInside(limits: Float64Array, swung: Float64Array): void {
  y[0] = swung[1]
  z[0] = swung[2]
  y[1] = z[2] = 1
  y[2] = y[3] = z[1] = z[3] = 0
  ellipseAngle(limits, 0, 2, y, z, t)
}

/** How far a joint of a pose is outside its limits [rad or m]; 0 inside. For tests, and for poses that were given. */
export function violation(rig: Rig, i: number, kind: number, pose: Pose, coordinates: Float64Array): number {
  const { limits, isCone } = rig.joints[i]
  const beyond = (value: number, o: number): number => Math.max(limits[o] - value, value - limits[o + 1], 0)
  if (kind === HINGE || kind === SLIDER) return beyond(coordinates[2 * i], 0)
  if (kind === UNIVERSAL) return Math.max(beyond(coordinates[2 * i], 0), beyond(coordinates[2 * i + 1], 2))
  if (kind !== BALL) return 0
  rotationFromRest(rig, i, pose.rotations, turn)
  split(turn)
  intoOwnRange(angles, 0, limits, 4)
  const twisted = beyond(angles[0], 4)
  if (!isCone) return Math.max(twisted, beyond(angles[1], 0), beyond(angles[2], 2))
  distanceInside(limits, angles)
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
export function findBounds(rig: Rig, i: number, world: WorldPose, out: Bounds): void {
  const { limits, isCone, frame } = rig.joints[i]
  const p = rig.parent[i]
  out.count = 0
  compose(rig.restRotation, 4 * i, frame, 0, F, 0)
  if (p >= 0) compose(world.rotations, 4 * p, F, 0, F, 0)
  compose(world.rotations, 4 * i, frame, 0, F, 4)
  twistAngle(F, t)
  addNearer(limits, 4, t, out)
  swingAngles(F, y, z)
  if (isCone) {
    ellipseAngle(limits, 0, 2, y, z, t)
    out.room[out.count] = t[0]
    addBound(t, -1, out)
    return
  }
  addNearer(limits, 0, y, out)
  addNearer(limits, 2, z, out)
}

function addNearer(limits: Float64Array, o: number, angle: Float64Array, out: Bounds): void {
  const below = angle[0] - limits[o]
  const above = limits[o + 1] - angle[0]
  const room = Math.min(below, above)
  if (room === Infinity) return
  out.room[out.count] = room
  addBound(angle, below < above ? -1 : 1, out)
}

/** Closes the bound whose room is written. */
function addBound(angle: Float64Array, sign: number, out: Bounds): void {
  const k = out.count++
  out.room[k] = Math.max(out.room[k] - INSIDE, 0)
  for (let c = 0; c < 3; c++) out.outward[3 * k + c] = sign * angle[1 + c]
}
