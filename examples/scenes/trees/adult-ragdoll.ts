/** The examples' adult as a ragdoll that collides, with a walk made of sines; and what all ragdolls here are made of. */

import { type Body, type Constraint, World, type WorldOptions } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { capsule, Collisions, compound, type Shape } from '@tautline/collision'
import { swingTwist, type SwingTwistDef } from '@tautline/constraints'
import { mat3, quat, vec3 } from 'gl-matrix'
import { adult, type Angles, type Joint, type Vector } from '../../data/adult.js'
import { lengthOf } from '../../lib/length.js'
import { ONE_SUBSTEP } from './chains.js'

/** A joint with the strength of its drive [N m]. */
export interface DrivenJoint {
  readonly name: string
  readonly constraint: Constraint<SwingTwistDef>
  readonly maxTorque: number
}

/** A clip at a time [s]: where the root is, and what b's frame is to be seen from a's of each joint. */
export interface ClipPose {
  readonly position: vec3
  readonly orientation: quat
  readonly targets: readonly quat[]
}

export interface Ragdoll {
  readonly world: World
  readonly collisions: Collisions
  readonly bodies: readonly Body[]
  readonly root: Body
  readonly joints: readonly DrivenJoint[]
  /** Length of the clip [s]. */
  readonly seconds: number
  clip(time: number): ClipPose
}

export interface RagdollOptions extends WorldOptions {
  /** Whether the root is moved from outside. @defaultValue false */
  led?: boolean
  /** Whether it may fall asleep. @defaultValue false */
  sleeps?: boolean
}

/** Parts of one ragdoll do not meet each other. */
export const GROUP = -1
const RADIANS = Math.PI / 180

export function emptyWorld({ led: _led, sleeps = false, ...options }: RagdollOptions): {
  world: World
  collisions: Collisions
} {
  const world = new World({ ...ONE_SUBSTEP, ...options })
  return { world, collisions: new Collisions(world, sleeps ? {} : { sleeping: false }) }
}

/** A body's or the world's quaternion seen from another: q̄ p. */
export function seenFrom(q: quat, p: quat): quat {
  return quat.multiply(quat.create(), quat.conjugate(quat.create(), q), p)
}

/** The rotation whose x and y axes are these. */
export function frameOf(x: vec3, y: vec3): quat {
  const z = vec3.cross(vec3.create(), x, y)
  const matrix = mat3.fromValues(x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2])
  return quat.normalize(quat.create(), quat.fromMat3(quat.create(), matrix))
}

/** A swing about y and z, then a twist about x [°]. */
function ofAngles({ y, z, x }: Angles): quat {
  const half = 0.5 * RADIANS
  const length = lengthOf(y, z)
  const s = length > 0 ? sin(half * length) / length : 0
  const swing: quat = [0, s * y, s * z, cos(half * length)]
  return quat.multiply(quat.create(), swing, [sin(half * x), 0, 0, cos(half * x)])
}

/** The examples' adult of 1.75 m and 75 kg in the T-pose, and a synthetic walk. */
export function adultRagdoll(options: RagdollOptions = {}): Ragdoll {
  const { world, collisions } = emptyWorld(options)
  const person = adult(1.75, 75)
  const bodies = new Map<string, Body>()
  for (const { name, mass, inertia, position, quarters, from, to, radius } of person.parts) {
    const isLed = options.led === true && name === 'pelvis'
    const half = 0.25 * Math.PI * quarters
    const body = world.addBody({
      name,
      position,
      orientation: [0, 0, sin(half), cos(half)],
      ...(isLed ? { type: 'kinematic', inertia: 1 } : { mass, inertia }),
    })
    bodies.set(name, body)
    const shape = compound([{ shape: capsuleBetween(from, to, radius), ...between(from, to) }])
    collisions.addCollider(body, { shape, group: GROUP })
  }
  const joints = person.joints.map((joint) => adultJoint(world, joint, bodies))
  const root = bodies.get('pelvis') as Body
  const rest = vec3.clone(root.position)
  return {
    world,
    collisions,
    bodies: [...bodies.values()],
    root,
    joints,
    seconds: 2 * PERIOD,
    clip: (time) => ({
      position: [rest[0], rest[1] + BOB * cos((4 * Math.PI * time) / PERIOD), rest[2]],
      orientation: [0, 0, 0, 1],
      targets: person.joints.map((joint) => ofAngles(gait(joint.name, time))),
    }),
  }
}

function capsuleBetween(from: Vector, to: Vector, radius: number): Shape {
  const length = vec3.distance(from, to)
  return capsule(radius, Math.max(0.5 * length - radius, 0.01))
}

/** Middle and direction of a part, from y. */
function between(from: Vector, to: Vector): { position: vec3; orientation: quat } {
  const axis = vec3.normalize(vec3.create(), vec3.subtract(vec3.create(), from, to))
  return {
    position: vec3.lerp(vec3.create(), from, to, 0.5),
    orientation: quat.rotationTo(quat.create(), [0, 1, 0], axis),
  }
}

function adultJoint(world: World, joint: Joint, bodies: ReadonlyMap<string, Body>): DrivenJoint {
  const [a, b] = [bodies.get(joint.a) as Body, bodies.get(joint.b) as Body]
  const frame = frameOf([...joint.twistAxis], [...joint.yAxis])
  const inTPose = a.orientation[2] === 0 && b.orientation[2] !== 0
  const { y, z, x } = joint.ranges
  const constraint = world.add(swingTwist, {
    a,
    b,
    point: joint.point,
    frameA: frame,
    frameB: inTPose ? seenFrom(quat.clone(b.orientation), frame) : frame,
    swing: { y: radians(y), z: radians(z) },
    twist: radians(x),
  })
  return { name: joint.name, constraint, maxTorque: joint.drive.maxTorque }
}

function radians({ min, max }: { min: number; max: number }): { min: number; max: number } {
  return { min: min * RADIANS, max: max * RADIANS }
}

/** Period of two strides' worth of one leg [s], and how much the pelvis goes up and down [m]. */
const PERIOD = 1.1
const BOB = 0.02

/**
 * A walk made of sines, in degrees: hips 10 ± 25, knees 32 ± 27 (bent most in the swing), ankles ± 8, arms opposite to the legs.
 * The arms come down from the T-pose in the first stride.
 */
function gait(name: string, time: number): Angles {
  const left = name.startsWith('left')
  const phase = (2 * Math.PI * time) / PERIOD + (left ? 0 : Math.PI)
  const down = Math.min(1, time / PERIOD)
  const swing = sin(phase)
  if (name.endsWith('hip')) return { y: 10 + 25 * swing, z: 0, x: 0 }
  if (name.endsWith('knee')) return { y: 32 + 27 * cos(phase), z: 0, x: 0 }
  if (name.endsWith('ankle')) return { y: 8 * cos(phase), z: 0, x: 0 }
  if (name.endsWith('shoulder')) return { y: -15 * swing, z: 70 * down, x: 0 }
  if (name.endsWith('elbow')) return { y: 25 - 10 * swing, z: 0, x: (left ? 1 : -1) * 80 * down }
  return { y: 0, z: 0, x: 0 }
}
