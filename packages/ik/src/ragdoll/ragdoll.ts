/**
 * A skeleton handed over to the dynamics: a body a bone, and the dynamic joint of the same kind with the same limits.
 *
 * A body's frame is its bone's, with the origin at the bone's centre of mass. A joint's frames are f on the bone and rest f on its
 * parent, so what the dynamic joint measures is f̄ rest̄ q f, which is what the rig's joint is limited by (coordinates.ts).
 * Bones hang on at their joints: read back, lengths are as they were, and only roots and sliders take their positions from the bodies.
 */

import {
  fixed,
  type FixedDef,
  hinge,
  type HingeDef,
  type LimitDef,
  slider,
  type SliderDef,
  swingTwist,
  type SwingTwistDef,
  universal,
  type UniversalDef,
} from '@tautline/constraints'
import { Body, type BodyDef, Constraint, LeanWorld } from '@tautline/core'
import {
  compose,
  frameX,
  frameZ,
  nonNegative,
  normalizeQuaternion,
  positive,
  rotateVector,
  rotationBetween,
  shown,
  array,
  instance,
  knownFields,
} from '@tautline/core/kernel'
import { BALL, HINGE, LOCKED, SLIDER } from '../joints.js'
import { checkPose, type Pose, WorldPose } from '../pose.js'
import { Rig } from '../rig.js'
import { seenFrom } from '../rotations.js'

type Triple = [number, number, number]
type Quadruple = [number, number, number, number]

/** A dynamic joint: of a ball, a hinge, a universal joint, a slider or a locked joint. */
export type RagdollJoint =
  | Constraint<SwingTwistDef>
  | Constraint<HingeDef>
  | Constraint<UniversalDef>
  | Constraint<SliderDef>
  | Constraint<FixedDef>

/** What {@link toRagdoll} is asked for. */
export interface RagdollOptions {
  /** Whether roots hang on the world by their joint or fall. @defaultValue `pinned` where the rig's root is */
  root?: 'pinned' | 'free'
  /** The pose `dt` before: bodies start with the speed of the motion between. @defaultValue at rest */
  previous?: Pose
  /** Time since `previous` [s]. @defaultValue 1/60 */
  dt?: number
  /** Dry friction of balls, hinges and universal joints [N m]. @defaultValue 0 */
  frictionTorque?: number
  /** Rate at which velocities decay [1/s]. @defaultValue 0 */
  linearDamping?: number
  /** Rate at which angular velocities decay [1/s]. @defaultValue 0 */
  angularDamping?: number
}

/** A rig in the dynamics. */
export interface Ragdoll {
  /** By bone. */
  readonly bodies: readonly Body[]
  /** By bone; none for a root that falls. */
  readonly joints: readonly (RagdollJoint | undefined)[]
}

const OPTIONS: readonly (keyof RagdollOptions)[] = [
  'root',
  'previous',
  'dt',
  'frictionTorque',
  'linearDamping',
  'angularDamping',
]

const q = /* @__PURE__ */ new Float64Array(4)
const r = /* @__PURE__ */ new Float64Array(4)
const v = /* @__PURE__ */ new Float64Array(3)

/**
 * Makes bodies and joints of a rig in a pose. Throws when an option is wrong, or what the world throws; nothing is added then.
 *
 * A small bone that carries several heavy ones at long levers needs a world of `iterations: 4, order: 'alternating'`: with one
 * sweep a substep such a tree gains speed.
 */
export function toRagdoll(rig: Rig, pose: Pose, world: LeanWorld, options: RagdollOptions = {}): Ragdoll {
  instance('toRagdoll: rig', rig, Rig, 'a Rig')
  instance('toRagdoll: world', world, LeanWorld, 'a World')
  knownFields('toRagdoll: options', options, OPTIONS)
  const root = options.root ?? (rig.rootMode === 'pinned' ? 'pinned' : 'free')
  if (root !== 'pinned' && root !== 'free') {
    throw new RangeError(`toRagdoll: root must be pinned or free, got ${shown(root)}`)
  }
  const dt = positive('toRagdoll: dt', options.dt ?? 1 / 60)
  const frictionTorque = nonNegative('toRagdoll: frictionTorque', options.frictionTorque ?? 0)
  const now = new WorldPose(rig).update(rig, pose)
  const { previous } = options
  if (previous !== undefined) checkPose('toRagdoll: previous', previous, rig.count)
  const before = previous && new WorldPose(rig).update(rig, previous)
  const bodies: Body[] = []
  const joints: (RagdollJoint | undefined)[] = []
  try {
    for (let i = 0; i < rig.count; i++) {
      const def = bodyOf(rig, i, now)
      if (options.linearDamping !== undefined) def.linearDamping = options.linearDamping
      if (options.angularDamping !== undefined) def.angularDamping = options.angularDamping
      if (before !== undefined) {
        const [x, y] = [def.position as Triple, centreOf(rig, i, before)]
        def.velocity = [0, 1, 2].map((k) => (x[k] - y[k]) / dt) as Triple
        rotationBetween(now.rotations, 4 * i, before.rotations, 4 * i, v, 0)
        def.angularVelocity = [v[0] / dt, v[1] / dt, v[2] / dt]
      }
      bodies.push(world.addBody(def))
    }
    for (let i = 0; i < rig.count; i++) {
      const isFree = rig.parent[i] < 0 && root === 'free'
      joints.push(isFree ? undefined : addJoint(rig, i, pose, world, bodies, frictionTorque))
    }
  } catch (error) {
    // Nothing half-added: a body takes its joints along.
    for (const body of bodies) body.remove()
    throw error
  }
  return { bodies, joints }
}

/** Writes what the bodies of {@link toRagdoll} have come to to `pose`, and returns it. Throws `RangeError` when it is of another rig. */
export function poseFromRagdoll(rig: Rig, ragdoll: Ragdoll, pose: Pose): Pose {
  checkPose('poseFromRagdoll: pose', pose, instance('poseFromRagdoll: rig', rig, Rig, 'a Rig').count)
  const { bodies, joints } = knownFields('poseFromRagdoll: ragdoll', ragdoll, [
    'bodies',
    'joints',
  ]) as unknown as Ragdoll
  array('poseFromRagdoll: bodies', bodies).forEach((body, i) =>
    instance(`poseFromRagdoll: bodies[${i}]`, body, Body, 'a body'),
  )
  array('poseFromRagdoll: joints', joints).forEach((joint, i) => {
    if (joint !== undefined) instance(`poseFromRagdoll: joints[${i}]`, joint, Constraint, 'a constraint')
  })
  if (bodies.length !== rig.count || joints.length !== rig.count) {
    throw new RangeError(
      `poseFromRagdoll: ragdoll must have a body and a joint for each of ${rig.count} bones, got ${bodies.length} and ${joints.length}`,
    )
  }
  for (let i = 0; i < rig.count; i++) {
    const p = rig.parent[i]
    q.set(bodies[i].orientation)
    if (p < 0) pose.rotations.set(q, 4 * i)
    else {
      r.set(bodies[p].orientation)
      seenFrom(r, 0, q, 0, pose.rotations, 4 * i)
    }
    normalizeQuaternion(pose.rotations, 4 * i)
    const joint = jointOf(rig, i, bodies[i])
    if (p < 0) pose.positions.set(joint, 3 * i)
    else {
      const centre = centreOfBone(rig, p)
      const anchor = joints[i]?.def.anchorA as Triple
      for (let k = 0; k < 3; k++) pose.positions[3 * i + k] = anchor[k] + centre[k]
      if (rig.joints[i].kind !== SLIDER) continue
      // Along the axis alone: across it, a dynamic joint is only as rigid as it has converged.
      const [x, y, z] = bodies[p].toBody(joint)
      const off = [x - anchor[0], y - anchor[1], z - anchor[2]]
      const axis = axisOnParent(rig, i)
      const s = off[0] * axis[0] + off[1] * axis[1] + off[2] * axis[2]
      for (let k = 0; k < 3; k++) pose.positions[3 * i + k] += s * axis[k]
    }
  }
  return pose
}

function bodyOf(rig: Rig, i: number, world: WorldPose): BodyDef {
  return {
    name: rig.names[i],
    position: centreOf(rig, i, world),
    orientation: four(world.rotations, i),
    mass: rig.mass[i],
    inertia: { moments: three(rig.moments, i), orientation: four(rig.inertiaFrame, i) },
  }
}

function addJoint(
  rig: Rig,
  i: number,
  pose: Pose,
  world: LeanWorld,
  bodies: readonly Body[],
  frictionTorque: number,
): RagdollJoint {
  const p = rig.parent[i]
  // Where the pose has it, stretched or not; what a slider does is measured from rest.
  const rest = three(rig.joints[i].kind === SLIDER ? rig.restPosition : pose.positions, i)
  const centre = centreOfBone(rig, i)
  const parentCentre = p < 0 ? [0, 0, 0] : centreOfBone(rig, p)
  const base = {
    a: p < 0 ? null : bodies[p],
    b: bodies[i],
    anchorA: [rest[0] - parentCentre[0], rest[1] - parentCentre[1], rest[2] - parentCentre[2]],
    anchorB: [-centre[0], -centre[1], -centre[2]],
  }
  const { kind, frame, limits, isCone } = rig.joints[i]
  const reference = four(rig.restRotation, i)
  if (kind === LOCKED) return world.add(fixed, { ...base, reference })
  if (kind === BALL) {
    const [swingY, swingZ] = [range(limits, 0, true), range(limits, 2, true)]
    const twist = range(limits, 4)
    compose(rig.restRotation, 4 * i, frame, 0, q, 0)
    return world.add(swingTwist, {
      ...base,
      frameA: four(q, 0),
      frameB: four(frame, 0),
      ...((swingY || swingZ) && { swing: { ...(swingY && { y: swingY }), ...(swingZ && { z: swingZ }) } }),
      ...(twist && { twist }),
      swingShape: isCone ? 'cone' : 'pyramid',
      frictionTorque,
    })
  }
  const axisA = axisOnParent(rig, i)
  const along = range(limits, 0, false, kind === SLIDER)
  if (kind === SLIDER) return world.add(slider, { ...base, axisA, reference, ...(along && { limits: along }) })
  if (kind === HINGE) {
    frameX(frame, 0, v, 0)
    const axisB: Triple = [v[0], v[1], v[2]]
    return world.add(hinge, { ...base, axisA, axisB, reference, frictionTorque, ...(along && { limits: along }) })
  }
  frameZ(frame, 0, v, 0)
  const axisB: Triple = [v[0], v[1], v[2]]
  const limitsB = range(limits, 2)
  return world.add(universal, {
    ...base,
    axisA,
    axisB,
    reference,
    frictionTorque,
    ...(along && { limitsA: along }),
    ...(limitsB && { limitsB }),
  })
}

/** Bounds at `o`; nothing where there are none, or where an angle's are a whole turn apart. A swing's end at half a turn. */
function range(limits: Float64Array, o: number, isSwing = false, isLength = false): LimitDef | undefined {
  const [min, max] = isSwing
    ? [Math.max(limits[o], -Math.PI), Math.min(limits[o + 1], Math.PI)]
    : [limits[o], limits[o + 1]]
  if (min === -Infinity && max === Infinity) return undefined
  if (!isLength && max - min >= 2 * Math.PI && max - min < Infinity) return undefined
  return { min, max }
}

/** The first axis of a joint in its parent's space. */
function axisOnParent(rig: Rig, i: number): Triple {
  compose(rig.restRotation, 4 * i, rig.joints[i].frame, 0, q, 0)
  frameX(q, 0, v, 0)
  return [v[0], v[1], v[2]]
}

/** World place of a bone's joint, from its body. */
function jointOf(rig: Rig, i: number, body: Body): Triple {
  const [x, y, z] = centreOfBone(rig, i)
  const at: Triple = [0, 0, 0]
  body.toWorld([-x, -y, -z], at)
  return at
}

function centreOf(rig: Rig, i: number, { positions, rotations }: WorldPose): Triple {
  const [x, y, z] = centreOfBone(rig, i)
  rotateVector(rotations, 4 * i, x, y, z, v, 0)
  return [positions[3 * i] + v[0], positions[3 * i + 1] + v[1], positions[3 * i + 2] + v[2]]
}

function centreOfBone(rig: Rig, i: number): Triple {
  return three(rig.centre, i)
}

function three(v: Float64Array, i: number): Triple {
  return [v[3 * i], v[3 * i + 1], v[3 * i + 2]]
}

function four(v: Float64Array, i: number): Quadruple {
  return [v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]]
}
