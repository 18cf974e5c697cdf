/** Joints between parts, as data: frames on both, ranges, and the angles that they limit. */

import { ANGLE, angleAboutA, angleAboutB, swingAngles, twistAngle } from '@tautline/core/kernel'
import type { Quat, Vec3 } from './algebra.js'

/** Types of constraints that join parts. */
export type PartJointKind = 'swingTwist' | 'hinge' | 'universal' | 'slider' | 'fixed'

/** A joint between a part and the one that it hangs on, in the rigid frames of their bones. */
export interface PartJoint {
  readonly kind: PartJointKind
  /** Where it is on the parent, from its bone's origin [m]; on the part itself it is the origin. */
  readonly anchor: Vec3
  /** Its frames on the parent and on the part: equal in the world where all angles are 0. */
  readonly frameA: Quat
  readonly frameB: Quat
  /** Least and largest of each coordinate [rad or m], two numbers each: see {@link COORDINATES}. */
  readonly limits: readonly number[]
  readonly cone: boolean
  /** Largest couple of its drive [N m], or force [N], unless a drive says otherwise. */
  readonly strength: number
  /** Moment of inertia [kg m²] that the drive moves; of a slider, mass [kg]. */
  readonly inertia: number
}

/** Coordinates of each kind. */
export const COORDINATES: Readonly<Record<PartJointKind, readonly string[]>> = {
  swingTwist: ['swing y', 'swing z', 'twist'],
  hinge: ['angle'],
  universal: ['angle A', 'angle B'],
  slider: ['offset'],
  fixed: [],
}

const y = /* @__PURE__ */ new Float64Array(ANGLE)
const z = /* @__PURE__ */ new Float64Array(ANGLE)

/** Angles of a joint from its frames in the world, q_A at 0 and q_B at 4 of `frames`: as many as its kind has, into `out`. A slider's is left 0. */
export function readAngles(kind: PartJointKind, frames: Float64Array, out: Float64Array): void {
  if (kind === 'swingTwist') {
    swingAngles(frames, y, z)
    out[0] = y[0]
    out[1] = z[0]
    twistAngle(frames, y)
    out[2] = y[0]
  } else if (kind === 'hinge') {
    twistAngle(frames, y)
    out[0] = y[0]
  } else if (kind === 'universal') {
    angleAboutA(frames, y)
    angleAboutB(frames, z)
    out[0] = y[0]
    out[1] = z[0]
  } else out[0] = 0
}
