/**
 * The coordinates of a rig's joints: an angle [rad] of a hinge, two of a universal joint, a way [m] of a slider. Balls and free
 * roots keep their rotation in the pose itself. What a joint does not allow is taken out of a pose when it is read.
 *
 *   hinge      q = rest f Rx(φ) f̄          universal  q = rest f Rx(α) Rz(β) f̄          slider  x = x_rest + s R(rest f) x̂
 */

import { atan2At, compose, frameX, normalizeQuaternion, sinCos, wrapAngle } from '@tautline/core/kernel'
import { BALL, FREE, HINGE, type Joint, SLIDER, UNIVERSAL } from './joints.js'
import type { Pose } from './pose.js'
import type { Rig } from './rig.js'

const q = /* @__PURE__ */ new Float64Array(4)
const r = /* @__PURE__ */ new Float64Array(4)
const s = /* @__PURE__ */ new Float64Array(4)
const axis = /* @__PURE__ */ new Float64Array(3)
const half = /* @__PURE__ */ new Float64Array(2)

/** Conjugate of the quaternion at `o` into `out`. */
function conjugate(v: Float64Array, o: number, out: Float64Array): void {
  out[0] = -v[o]
  out[1] = -v[o + 1]
  out[2] = -v[o + 2]
  out[3] = v[o + 3]
}

/** f̄ rest̄ q f: a bone's turn from rest, in its joint's frame, into `out`. */
export function rotationFromRest(rig: Rig, i: number, rotations: Float64Array, out: Float64Array): void {
  const { frame } = rig.joints[i]
  conjugate(rig.restRotation, 4 * i, r)
  compose(r, 0, rotations, 4 * i, s, 0)
  conjugate(frame, 0, r)
  compose(r, 0, s, 0, q, 0)
  compose(q, 0, frame, 0, out, 0)
}

/** q = rest f turn f̄, normalised. */
export function rotatedFromRest(rig: Rig, i: number, turn: Float64Array, rotations: Float64Array): void {
  const { frame } = rig.joints[i]
  compose(rig.restRotation, 4 * i, frame, 0, r, 0)
  compose(r, 0, turn, 0, s, 0)
  conjugate(frame, 0, r)
  compose(s, 0, r, 0, rotations, 4 * i)
  normalizeQuaternion(rotations, 4 * i)
}

/** Twice the angle of component c of a quaternion against its w, in (−π, π], into out[k]. */
export function rotationAbout(quaternion: Float64Array, c: number, out: Float64Array, k: number): void {
  const w = quaternion[3]
  half[0] = w < 0 ? -quaternion[c] : quaternion[c]
  half[1] = w < 0 ? -w : w
  atan2At(half, 0)
  out[k] = 2 * half[0]
}

/** Takes angles[k] into the turn around the middle of its limits, as the dynamic joints measure it. */
export function intoOwnRange(angles: Float64Array, k: number, limits: Float64Array, o: number): void {
  const middle = 0.5 * (limits[o] + limits[o + 1])
  if (middle - middle !== 0) return
  const off = angles[k] - middle
  angles[k] = middle + (Math.abs(off) <= Math.PI ? off : wrapAngle(off))
}

const turn = /* @__PURE__ */ new Float64Array(4)

/** Coordinates of the joints that have any of their own, from a pose; `kinds` are those in force, two numbers a bone. */
export function readCoordinates(rig: Rig, kinds: Int8Array, pose: Pose, coordinates: Float64Array): void {
  for (let i = 0; i < rig.count; i++) {
    const kind = kinds[i]
    if (kind === HINGE || kind === UNIVERSAL) {
      rotationFromRest(rig, i, pose.rotations, turn)
      const { limits } = rig.joints[i]
      rotationAbout(turn, 0, coordinates, 2 * i)
      intoOwnRange(coordinates, 2 * i, limits, 0)
      if (kind === HINGE) continue
      rotationAbout(turn, 2, coordinates, 2 * i + 1)
      intoOwnRange(coordinates, 2 * i + 1, limits, 2)
    } else if (kind === SLIDER) {
      slideAxis(rig, i)
      coordinates[2 * i] = 0
      for (let k = 0; k < 3; k++) {
        coordinates[2 * i] += axis[k] * (pose.positions[3 * i + k] - rig.restPosition[3 * i + k])
      }
    }
  }
}

/** A slider's axis in its parent's space, into `axis`. */
function slideAxis(rig: Rig, i: number): void {
  compose(rig.restRotation, 4 * i, rig.joints[i].frame, 0, r, 0)
  frameX(r, 0, axis, 0)
}

/**
 * Writes the coordinates of one joint into a pose, and takes every other turn out of it. A bone's place against its parent stays
 * as the pose has it, unless it slides, or with `stretches`: then it is that of rest, `stretch` times as far. Roots stay where
 * they are.
 */
export function writeCoordinates(
  rig: Rig,
  i: number,
  kind: number,
  pose: Pose,
  coordinates: Float64Array,
  stretch: Float64Array,
  stretches: boolean,
): void {
  if (kind === FREE) return
  if (kind === HINGE || kind === UNIVERSAL) {
    // Of x̂ and ẑ in the bone's space: f Rx(α) f̄ turns about f x̂.
    const { axes } = rig.joints[i]
    half[0] = 0.5 * coordinates[2 * i]
    sinCos(half, 0, half, 0)
    for (let k = 0; k < 3; k++) turn[k] = half[0] * axes[k]
    turn[3] = half[1]
    compose(rig.restRotation, 4 * i, turn, 0, pose.rotations, 4 * i)
    if (kind === UNIVERSAL) {
      half[0] = 0.5 * coordinates[2 * i + 1]
      sinCos(half, 0, half, 0)
      for (let k = 0; k < 3; k++) turn[k] = half[0] * axes[3 + k]
      turn[3] = half[1]
      compose(pose.rotations, 4 * i, turn, 0, pose.rotations, 4 * i)
    }
  } else if (kind !== BALL) for (let k = 4 * i; k < 4 * i + 4; k++) pose.rotations[k] = rig.restRotation[k]
  if (kind !== SLIDER && (!stretches || rig.parent[i] < 0)) return
  const slides = kind === SLIDER ? coordinates[2 * i] : 0
  if (kind === SLIDER) slideAxis(rig, i)
  for (let k = 0; k < 3; k++) pose.positions[3 * i + k] = stretch[i] * rig.restPosition[3 * i + k] + slides * axis[k]
}

/** Whether the joint's own coordinates are bounded. */
export function isLimited({ limits }: Joint): boolean {
  return limits.some((bound) => Number.isFinite(bound))
}
