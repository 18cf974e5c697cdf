/**
 * An adult, driven from a T-pose to a seated pose, and then let fall.
 *
 * While the pelvis is held, the drives of all joints follow a target that moves from the T-pose to the seated pose, with the
 * couples that they have at most. Then the pelvis is let go, the drives keep a share of their strength, and the person
 * falls on the ground. Every part touches it at points on its surface, kept body-fixed; parts do not touch each other.
 */

import { type Body, type Constraint, World } from '@tautline/core'
import { acos, cos, quaternionFromRotationVector, sin } from '@tautline/core/kernel'
import { pointContact, fixed, swingTwist, type SwingTwistDef } from '@tautline/constraints'
import { mat3, quat, vec3 } from 'gl-matrix'
import { type Adult, adult, type Angles, type Joint, type Part, type Vector } from '../data/adult.js'
import type { Range } from '../data/joint-ranges.js'
import { type Scene, type Shape, stepsIn, type Timing, withDefaults } from './scene.js'

export interface RagdollParameters extends Timing {
  /** [m] */
  stature: number
  /** [kg] */
  mass: number
  /** How far the feet are above the ground in the T-pose [m] */
  clearance: number
  /** Time that the target takes from the T-pose to the seated pose [s] */
  moveTime: number
  /** When the pelvis is let go [s] */
  releaseTime: number
  /** Share of the drives' stiffness and couple that is left then. */
  limp: number
  /** Share of their damping that is left. */
  limpDamping: number
  friction: number
}

export const RAGDOLL: RagdollParameters = {
  stature: 1.75,
  mass: 75,
  clearance: 0.05,
  moveTime: 1.5,
  releaseTime: 2,
  limp: 0.02,
  limpDamping: 0.1,
  friction: 0.7,
  dt: 1 / 60,
  substeps: 16,
  iterations: 1,
  seconds: 5,
}

const RADIANS = Math.PI / 180

/** A joint with what its drive needs. */
interface Jointed {
  readonly joint: Joint
  readonly constraint: Constraint<SwingTwistDef>
}

/** The person above the ground at y = 0. */
export function ragdollScene(given: Partial<RagdollParameters> = {}): Scene<RagdollParameters> {
  const parameters = withDefaults('ragdollScene', RAGDOLL, given, ['stature', 'mass', 'moveTime', 'seconds'])
  const { dt, substeps, iterations, clearance } = parameters
  const person = adult(parameters.stature, parameters.mass)
  const world = new World({ dt, substeps, iterations })
  const bodies = new Map(person.parts.map((part) => [part.name, addPart(world, part, clearance)]))
  const joints = person.joints.map((joint) => ({ joint, constraint: addJoint(world, joint, bodies, clearance) }))
  const hold = world.add(fixed, { a: body(bodies, 'pelvis'), b: null })
  const soles = addGround(world, person, bodies, parameters.friction)

  const moveSteps = Math.max(1, Math.round(parameters.moveTime / dt))
  const releaseStep = Math.round(parameters.releaseTime / dt)
  let poseError = NaN
  return {
    name: 'ragdoll',
    parameters,
    world,
    dt,
    steps: stepsIn(parameters),
    freeFrom: releaseStep,
    picture: {
      shapes: [...person.parts.map((part) => capsule(part, bodies)), { kind: 'ground', height: 0 }],
      lines: [],
    },
    beforeStep(step) {
      if (step < Math.min(moveSteps, releaseStep)) {
        const share = smooth((step + 1) / moveSteps)
        for (const { joint, constraint } of joints) {
          constraint.set({ drive: { ...joint.drive, target: orientation(joint.seated, share) } })
        }
      }
      if (step !== releaseStep) return
      poseError = Math.max(...joints.map(angleFromTarget))
      hold.remove()
      const { limp, limpDamping } = parameters
      for (const { joint, constraint } of joints) {
        const { stiffness, damping, maxTorque } = joint.drive
        constraint.set({
          drive: {
            target: orientation(joint.seated, 1),
            stiffness: limp * stiffness,
            damping: limpDamping * damping,
            maxTorque: Math.max(limp, limpDamping) * maxTorque,
          },
        })
      }
    },
    measure() {
      let [stretch, gap, lowest] = [0, 0, Infinity]
      for (const { joint, constraint } of joints) {
        const { anchorA, anchorB } = constraint.def
        const [a, b] = [body(bodies, joint.a), body(bodies, joint.b)]
        const apart = vec3.distance(a.toWorld(anchorA as Vector), b.toWorld(anchorB as Vector))
        gap = Math.max(gap, apart)
        stretch = Math.max(stretch, apart / Math.min(lengthOf(person, joint.a), lengthOf(person, joint.b)))
      }
      for (const { of, point } of soles) lowest = Math.min(lowest, of.toWorld(point)[1])
      return {
        stretch,
        figures: {
          'pose error at release': { value: Number.isNaN(poseError) ? 0 : poseError / RADIANS, unit: '°' },
          'joint gap': { value: 1000 * gap, unit: 'mm' },
          'into the ground': { value: 1000 * Math.max(0, -lowest), unit: 'mm' },
          'height of the pelvis': { value: body(bodies, 'pelvis').position[1], unit: 'm' },
          'kinetic energy': { value: world.energy().kinetic, unit: 'J' },
        },
      }
    },
  }
}

function body(bodies: ReadonlyMap<string, Body>, name: string): Body {
  const found = bodies.get(name)
  if (found === undefined) throw new RangeError(`ragdollScene: parts must include ${name}, got none of that name`)
  return found
}

function addPart(world: World, { name, mass, inertia, position, quarters }: Part, clearance: number): Body {
  const half = 0.25 * Math.PI * quarters
  return world.addBody({
    name,
    mass,
    inertia,
    position: [position[0], position[1] + clearance, position[2]],
    orientation: [0, 0, sin(half), cos(half)],
  })
}

/**
 * The frame on a is the joint's, turned into a's space; on b the same for b in the zero pose. That is the anatomical one,
 * where all bodies are unturned, and for the shoulder the T-pose, where b is turned as it is now.
 */
function addJoint(
  world: World,
  joint: Joint,
  bodies: ReadonlyMap<string, Body>,
  clearance: number,
): Constraint<SwingTwistDef> {
  const [a, b] = [body(bodies, joint.a), body(bodies, joint.b)]
  const frame = frameOf(joint.twistAxis, joint.yAxis)
  const inTPose = a.orientation[2] === 0 && b.orientation[2] !== 0
  const frameB = inTPose ? quat.multiply(quat.create(), quat.conjugate(quat.create(), b.orientation), frame) : frame
  const { y, z, x } = joint.ranges
  return world.add(swingTwist, {
    a,
    b,
    point: [joint.point[0], joint.point[1] + clearance, joint.point[2]],
    frameA: frame,
    frameB,
    swing: { y: radians(y), z: radians(z) },
    twist: radians(x),
    drive: { ...joint.drive, target: orientation(joint.seated, 0) },
  })
}

function radians({ min, max }: Range): { min: number; max: number } {
  return { min: min * RADIANS, max: max * RADIANS }
}

/** The rotation whose x and y axes are these. */
function frameOf(x: Vector, y: Vector): quat {
  const z = vec3.cross(vec3.create(), x, y)
  return quat.normalize(quat.create(), quat.fromMat3(quat.create(), mat3.fromValues(...x, ...y, z[0], z[1], z[2])))
}

/** Twist, then swing, of a share of the angles. */
function orientation({ y, z, x }: Angles, share: number): quat {
  const swing = new Float64Array(4)
  const twist = new Float64Array(4)
  quaternionFromRotationVector(swing, 0, 0, share * y * RADIANS, share * z * RADIANS)
  quaternionFromRotationVector(twist, 0, share * x * RADIANS, 0, 0)
  return quat.multiply([0, 0, 0, 1], swing as unknown as quat, twist as unknown as quat)
}

/** From 0 to 1 without a jump of the speed. */
function smooth(t: number): number {
  return t >= 1 ? 1 : t * t * (3 - 2 * t)
}

/** How far a joint is from where its drive wants it [rad]. */
function angleFromTarget({ constraint }: Jointed): number {
  const { frameA, frameB, drive } = constraint.def
  const [a, b] = constraint.bodies as [Body, Body]
  const wanted = quat.multiply(quat.create(), a.orientation, frameA as quat)
  quat.multiply(wanted, wanted, drive?.target as quat)
  const present = quat.multiply(quat.create(), b.orientation, frameB as quat)
  return 2 * acos(Math.min(1, Math.abs(quat.dot(wanted, present))))
}

function lengthOf({ parts }: Adult, name: string): number {
  const { from, to } = parts.find((part) => part.name === name) as Part
  return vec3.distance(from, to)
}

/** Directions across a part's axis: contact is at both ends, and at the middle, each way. */
const ACROSS: readonly Vector[] = [
  [1, 0, 0],
  [0, 0, 1],
  [0, 1, 0],
]

/** Contact points of every part with the ground. */
function addGround(
  world: World,
  { parts }: Adult,
  bodies: ReadonlyMap<string, Body>,
  friction: number,
): { of: Body; point: Vector }[] {
  const soles: { of: Body; point: Vector }[] = []
  for (const part of parts) {
    const of = body(bodies, part.name)
    const axis = vec3.normalize(vec3.create(), vec3.subtract(vec3.create(), part.to, part.from))
    const across = ACROSS.filter((direction) => Math.abs(vec3.dot(direction, axis)) < 0.5)
    const add = (end: Vector, direction: Vector, sign: number): void => {
      const point = vec3.scaleAndAdd(vec3.create(), end, direction, sign * part.radius)
      soles.push({ of, point: [point[0], point[1], point[2]] })
    }
    for (const end of [part.from, part.to]) {
      for (const direction of across) {
        add(end, direction, 1)
        add(end, direction, -1)
      }
    }
    // The ends themselves: top of the head, finger tips, toes.
    soles.push({ of, point: part.from }, { of, point: part.to })
  }
  for (const { of, point } of soles) {
    const [x, , z] = of.toWorld(point)
    world.add(pointContact, {
      a: of,
      b: null,
      anchorA: point,
      anchorB: [x, 0, z],
      normalB: [0, 1, 0],
      staticFriction: friction,
    })
  }
  return soles
}

function capsule({ name, from, to, radius }: Part, bodies: ReadonlyMap<string, Body>): Shape {
  return { kind: 'capsule', body: body(bodies, name), from, to, radius }
}
