/** The columns of a body and the meaning of its two tags. Row 0 is the world itself: static, at the origin. */

import type { Backing } from './backing.js'
import type { Loads } from './loads.js'
import type { Columns } from './table.js'

/** Columns and their strides. */
export const BODY_STRIDES = {
  /** Centre of mass [m] and effective inverse mass [1/kg], which is 0 while static, kinematic or frozen. */
  position: 4,
  /** Unit quaternion `[x, y, z, w]`, body to world. */
  orientation: 4,
  /** [m/s] */
  velocity: 3,
  /** World frame [rad/s]. */
  angularVelocity: 3,
  /** Effective world inverse inertia [1/(kg m²)], full 3×3, row-major: M̃ of (36) is not symmetric. */
  inverseInertia: 9,
  /** Pose at the start of the substep, same strides as `position` and `orientation`. */
  startPosition: 4,
  startOrientation: 4,
  /** Rotation from there to the prediction, h ω̂ [rad]: it may be more than half a turn. Zero for what stands still. */
  predictedRotation: 3,
  /** Pose at the start of the step, for interpolation. */
  previousPosition: 3,
  previousOrientation: 4,
  /** Where a kinematic body is to be at the end of the step. */
  targetPosition: 3,
  targetOrientation: 4,
  /** Force [N] and torque [N m] in every substep of the next step. */
  force: 3,
  torque: 3,
  /** Mass parameters as given: [1/kg], principal moments [kg m²], the rotation from principal axes to body. */
  inverseMass: 1,
  principalInertia: 3,
  inertiaFrame: 4,
  /** Multiplies the world's gravity. */
  gravityScale: 1,
  /** [1/s] */
  linearDamping: 1,
  angularDamping: 1,
  /** What the joints of a tree added to its acceleration in the last substep [m/s², rad/s²]: the next one starts from there. */
  jointAcceleration: 6,
  /** Its share of the energy that its component has lost of late [J]: what the guard lets it have again. */
  lostEnergy: 1,
  /** How long it has hardly moved [s]: what puts it to sleep. Of what is not dynamic, since it was set down. */
  stillTime: 1,
  kind: 1,
  flags: 1,
  generation: 1,
} as const

/** Name of a column. */
export type BodyColumn = keyof typeof BODY_STRIDES

/** The columns that a constraint's loop reads and writes. A row a body. */
export interface BodyColumns extends Columns<BodyColumn> {
  /** What particles are pressed on, while rows are swept; in a world whose particles press on bodies. */
  backing?: Backing | undefined
  /** What takes the loads of contacts on bodies of joint trees; in a world that has some. */
  loads?: Loads | undefined
}

/** The world itself as a body: anchors of a constraint to `null` are world points. */
export const WORLD_BODY = 0

/** What a row is. */
export const DEAD = 0
/** A row that never moves. */
export const STATIC = 1
/** A row that moves as it is told. */
export const KINEMATIC = 2
/** A row that forces and constraints move. */
export const DYNAMIC = 3

/** It has inertia: it turns. Without this flag a dynamic body is a particle. */
export const ROTATES = 1
/** Its three moments are equal: no gyroscopic term. */
export const SPHERICAL = 2
/** It became non-finite and stands still until its pose is set. */
export const FROZEN = 4
/** A kinematic body that has a target for the next step. */
export const HAS_TARGET = 8
/** A kinematic body that reached a target in the last step: its velocity is for reading only. */
export const ARRIVED = 16
/** It sleeps: it stands still, and costs nothing, until something wakes it. */
export const ASLEEP = 2048
/** Its pose was set, or a joint of it was made or changed: what is violated is repaired without speed before the next prediction. */
export const DISTURBED = 8192
/** The same, by the user since the last step, and not by a solution that failed: what its rows bore before says nothing of the pose that it has now. */
export const RESET = 131072
/** A constraint on it was changed since the last step, which may give it energy. */
export const EDITED = 4096
/** The target or the gains of a drive on it were changed since the last step: what the drive's spring stores now is what the user gave. */
export const RETARGETED = 32768
/** A stage has moved it through this substep: it is not predicted, and what the solve adds corrects its velocities. */
export const ADVANCED = 16384
/** Joints that are solved directly tie it to another body that moves. */
export const TIED = 65536
/** Flag: a block solver has lent it another mass, for as long as others have their turn in a substep. */
export const LENT = 262144
/** Either of the two that take a dynamic body out of the step. */
export const RESTS: number = FROZEN | ASLEEP
/** Locked world axes: translation x, y, z, then rotation x, y, z. */
export const LOCK_TRANSLATION = 32
export const LOCK_ROTATION = 256
/** Flags of all three locked axes. */
export const ANY_TRANSLATION_LOCK: number = 7 * LOCK_TRANSLATION
export const ANY_ROTATION_LOCK: number = 7 * LOCK_ROTATION
