/** Havok: WebAssembly from C++, f32 with SIMD. */

import { readFile } from 'node:fs/promises'
import HavokPhysics, {
  type HavokPhysicsWithBindings,
  type HP_BodyId,
  type HP_ConstraintId,
  type HP_ShapeId,
  type HP_WorldId,
} from '@babylonjs/havok'
import type { Quadruple, Triple } from '../../../examples/scenes/contacts/layouts.js'
import type { JointData, SceneData, ShapeData } from '../data.js'
import type { RigidEngine } from '../contract.js'
import { framesOf, passingUnjoined } from '../joints.js'
import { turned } from '../pose.js'

let havok: HavokPhysicsWithBindings
let world: HP_WorldId
let bodies: HP_BodyId[] = []

const ORIGIN: Triple = [0, 0, 0]
const UPRIGHT: Quadruple = [0, 0, 0, 1]

/** Points in Havok's memory while it makes a hull of them. */
function hullOf(points: readonly Triple[]): HP_ShapeId {
  const flat = points.flat()
  const address = havok._malloc(4 * flat.length)
  new Float32Array(havok.HEAPU8.buffer, address, flat.length).set(flat)
  const shape = havok.HP_Shape_CreateConvexHull(address, points.length)[1]
  havok._free(address)
  return shape
}

function shapeOf(data: ShapeData): HP_ShapeId {
  switch (data.kind) {
    case 'sphere':
      return havok.HP_Shape_CreateSphere(ORIGIN, data.radius)[1]
    case 'capsule':
      return havok.HP_Shape_CreateCapsule([0, data.halfHeight, 0], [0, -data.halfHeight, 0], data.radius)[1]
    case 'box':
      return havok.HP_Shape_CreateBox(ORIGIN, UPRIGHT, data.halfExtents.map((half) => 2 * half) as Triple)[1]
    case 'cylinder':
      return havok.HP_Shape_CreateCylinder([0, data.halfHeight, 0], [0, -data.halfHeight, 0], data.radius)[1]
    case 'hull':
      return hullOf(data.points)
  }
}

let substeps = 1

export const engine: RigidEngine = {
  name: 'havok',
  note: (work) => `WebAssembly, f32 SIMD; ${work} call${work > 1 ? 's' : ''} a step, its only setting`,

  async load() {
    const file = new URL(import.meta.resolve('@babylonjs/havok/lib/esm/HavokPhysics.wasm'))
    havok = await HavokPhysics({ wasmBinary: (await readFile(file)).buffer as ArrayBuffer })
  },

  setup(scene, work) {
    substeps = work
    world = havok.HP_World_Create()[1]
    havok.HP_World_SetGravity(world, scene.gravity)
    havok.HP_World_SetIdealStepTime(world, 1 / 60 / work)
    for (const { halfExtents, position } of scene.fixed) {
      addBody(scene, { kind: 'box', halfExtents }, position, UPRIGHT, 0)
    }
    bodies = scene.bodies.map(({ shape, position, orientation, mass }) =>
      addBody(scene, shape, position, orientation, mass),
    )
    addJoints(scene)
  },

  step(dt) {
    for (let substep = 0; substep < substeps; substep++) havok.HP_World_Step(world, dt / substeps)
  },

  pose(i, out) {
    const [position, orientation] = havok.HP_Body_GetQTransform(bodies[i])[1]
    out.set(position)
    out.set(orientation, 3)
  },
}

function addBody(
  { friction, linearDamping, angularDamping, touches }: SceneData,
  data: ShapeData,
  position: Triple,
  orientation: Quadruple,
  mass: number,
): HP_BodyId {
  const { MULTIPLY, GEOMETRIC_MEAN } = havok.MaterialCombine
  const shape = shapeOf(data)
  havok.HP_Shape_SetMaterial(shape, [friction, friction, 0, GEOMETRIC_MEAN, MULTIPLY])
  if (!touches) havok.HP_Shape_SetFilterInfo(shape, [0, 0])
  const body = havok.HP_Body_Create()[1]
  havok.HP_Body_SetShape(body, shape)
  havok.HP_Body_SetMotionType(body, mass > 0 ? havok.MotionType.DYNAMIC : havok.MotionType.STATIC)
  havok.HP_Body_SetQTransform(body, [position, orientation])
  if (mass > 0) {
    // Inertia is per unit of mass.
    const [centre, , inertia, axes] = havok.HP_Shape_BuildMassProperties(shape)[1]
    havok.HP_Body_SetMassProperties(body, [centre, mass, inertia, axes])
    havok.HP_Body_SetLinearDamping(body, linearDamping)
    havok.HP_Body_SetAngularDamping(body, angularDamping)
    havok.HP_Body_SetActivationControl(body, havok.ActivationControl.ALWAYS_ACTIVE)
  }
  havok.HP_World_AddBody(world, body, false)
  return body
}

function addJoints(scene: SceneData): void {
  const hook = havok.HP_Body_Create()[1]
  havok.HP_Body_SetMotionType(hook, havok.MotionType.STATIC)
  havok.HP_World_AddBody(world, hook, false)
  for (const joint of scene.joints) addJoint(joint, joint.a === null ? hook : bodies[joint.a], bodies[joint.b])
  // It has no filter for pairs: a joint that locks nothing is one.
  for (const [a, b] of passingUnjoined(scene)) enable(constraintOf(bodies[a], bodies[b]))
}

function constraintOf(a: HP_BodyId, b: HP_BodyId): HP_ConstraintId {
  const constraint = havok.HP_Constraint_Create()[1]
  havok.HP_Constraint_SetParentBody(constraint, a)
  havok.HP_Constraint_SetChildBody(constraint, b)
  return constraint
}

function enable(constraint: HP_ConstraintId): void {
  havok.HP_Constraint_SetCollisionsEnabled(constraint, 0)
  havok.HP_Constraint_SetEnabled(constraint, 1)
}

function addJoint({ anchorA, anchorB, limits }: JointData, a: HP_BodyId, b: HP_BodyId): void {
  const { LINEAR_X, LINEAR_Y, LINEAR_Z, ANGULAR_X, ANGULAR_Y, ANGULAR_Z } = havok.ConstraintAxis
  const { LOCKED, LIMITED } = havok.ConstraintAxisLimitMode
  const constraint = constraintOf(a, b)
  const [frameA, frameB] = framesOf(limits)
  havok.HP_Constraint_SetAnchorInParent(constraint, anchorA, turned(frameA, [1, 0, 0]), turned(frameA, [0, 1, 0]))
  havok.HP_Constraint_SetAnchorInChild(constraint, anchorB, turned(frameB, [1, 0, 0]), turned(frameB, [0, 1, 0]))
  for (const axis of [LINEAR_X, LINEAR_Y, LINEAR_Z]) havok.HP_Constraint_SetAxisMode(constraint, axis, LOCKED)
  if (limits !== undefined) {
    const { twist, swingY, swingZ } = limits
    for (const [axis, [min, max]] of [
      [ANGULAR_X, twist],
      [ANGULAR_Y, swingY],
      [ANGULAR_Z, swingZ],
    ] as const) {
      havok.HP_Constraint_SetAxisMode(constraint, axis, LIMITED)
      havok.HP_Constraint_SetAxisMinLimit(constraint, axis, min)
      havok.HP_Constraint_SetAxisMaxLimit(constraint, axis, max)
    }
  }
  enable(constraint)
}
