/** Arms and legs of a figure: a pole on the side to which the limb is bent at rest, a hinge about it, and a seed by two-bone.ts. */

import { atan2, rotateVector } from '@tautline/core/kernel'
import type { BodyGoals } from './body-goals.js'
import { PoleGoal } from './goals/pole.js'
import { BALL, HINGE } from './joints.js'
import type { WorldPose } from './pose.js'
import type { Rig } from './rig.js'
import { cross, dot, normalise, seenFrom } from './rotations.js'
import { TwoBone } from './two-bone.js'

/** Of elbows and knees, from straight [rad]. */
const MOST_BEND = 2.6
/** Of the poles: what the seed has met already, and a limit may not allow. */
const POLE_COMPLIANCE = 0.5
/** Bends of less than this share of a limb's length have no side. */
const STRAIGHT = 0.02

const q = /* @__PURE__ */ new Float64Array(4)
const a = /* @__PURE__ */ new Float64Array(3)
const b = /* @__PURE__ */ new Float64Array(3)
const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1)

/** An arm or a leg. */
export interface Limb {
  readonly pole: PoleGoal
  readonly goals: BodyGoals
  /** None where the limb's joints are others than two-bone.ts knows. */
  seed: TwoBone | undefined
  /** The bone on which it hangs; −1 for the world. */
  readonly carrier: number
  /** Towards the pole at rest, in the carrier's space. */
  readonly side: Float64Array
  readonly length: number
}

/** A bone of a limb as named, or the nearest above another that has a length. */
export function limbBone(rig: Rig, named: string | number | undefined, below: number, what: string): number {
  if (named !== undefined) return rig.indexOf(named, `fullBody: ${what}`)
  let i = below
  for (; i >= 0; i = rig.parent[i]) {
    const [x, y, z] = rig.restPosition.subarray(3 * i, 3 * i + 3)
    if (rig.parent[i] >= 0 && x * x + y * y + z * z > 0) return rig.parent[i]
  }
  throw new RangeError(`fullBody: ${what} must be above "${rig.names[below]}", got a root`)
}

/** Makes a limb from `start` over `middle` to the bone of `goals`; one that is straight at rest bends `otherwise`. */
export function limbOf(
  rig: Rig,
  rest: WorldPose,
  start: number,
  middle: number,
  goals: BodyGoals,
  otherwise: Float64Array,
  weight: number,
): Limb {
  const end = goals.position.bone
  const x = rest.positions
  for (let k = 0; k < 3; k++) {
    a[k] = x[3 * end + k] - x[3 * start + k]
    b[k] = x[3 * middle + k] - x[3 * start + k]
  }
  const length = normalise(a)
  const along = dot(a, b)
  for (let k = 0; k < 3; k++) b[k] -= along * a[k]
  const squared = dot(b, b)
  if (!(squared > STRAIGHT * STRAIGHT * length * length)) {
    b.set(otherwise)
    const off = dot(a, b)
    for (let k = 0; k < 3; k++) b[k] -= off * a[k]
  }
  normalise(b)
  const carrier = rig.parent[start]
  const side = new Float64Array(3)
  if (carrier < 0) side.set(b)
  else {
    seenFrom(rest.rotations, 4 * carrier, IDENTITY, 0, q, 0)
    rotateVector(q, 0, b[0], b[1], b[2], side, 0)
  }
  const options = { weight, priority: 1, compliance: POLE_COMPLIANCE }
  const pole = new PoleGoal(rig, { start, middle, end }, [0, 0, 0], options)
  return { pole, carrier, side, length, goals, seed: undefined }
}

/** Makes the hinge of a limb where asked, and its seed, which knows the joint that it has then. */
export function finishLimb(rig: Rig, rest: WorldPose, limb: Limb, asHinge: boolean): void {
  const { pole, carrier, side } = limb
  if (asHinge) makeHinge(rig, rest, pole, carrier, side)
  const [first, second] = [rig.joints[pole.start].kind, rig.joints[pole.middle].kind]
  if (first !== BALL || (second !== BALL && second !== HINGE)) return
  limb.seed = new TwoBone(rig, { start: pole.start, middle: pole.middle, end: pole.end, point: [0, 0, 0] })
  limb.seed.hasPole = true
}

/** Makes the middle of a limb a hinge that bends it towards its pole. */
function makeHinge(
  rig: Rig,
  rest: WorldPose,
  { start, middle, end }: PoleGoal,
  carrier: number,
  side: Float64Array,
): void {
  const x = rest.positions
  if (carrier >= 0) rotateVector(rest.rotations, 4 * carrier, side[0], side[1], side[2], a, 0)
  else a.set(side)
  const u = [0, 1, 2].map((k) => x[3 * middle + k] - x[3 * start + k])
  const v = [0, 1, 2].map((k) => x[3 * end + k] - x[3 * middle + k])
  cross(u, v, b)
  const bent = atan2(Math.sqrt(dot(b, b)), dot(u, v))
  // Bending about side × u moves the middle along side.
  cross(a, u, b)
  normalise(b)
  seenFrom(rest.rotations, 4 * middle, IDENTITY, 0, q, 0)
  rotateVector(q, 0, b[0], b[1], b[2], a, 0)
  const max = Math.max(MOST_BEND - bent, 0)
  rig.joint(middle, { kind: 'hinge', axis: [a[0], a[1], a[2]], limits: { min: -bent, max } })
}
