/** Jolt: WebAssembly from C++, f32, its build for one thread. */

import initJolt from 'jolt-physics/wasm-compat'
import type { Triple } from '../../../examples/scenes/contacts/layouts.js'
import type { JointData, SceneData, ShapeData } from '../data.js'
import type { RigidEngine } from '../contract.js'
import { symmetric } from '../joints.js'
import { turned } from '../pose.js'

type Jolt = Awaited<ReturnType<typeof initJolt>>

let jolt: Jolt
let world: InstanceType<Jolt['JoltInterface']>
let bodies: InstanceType<Jolt['Body']>[] = []

const MOVING = 0
const STILL = 1

function vector([x, y, z]: Triple): InstanceType<Jolt['Vec3']> {
  return new jolt.Vec3(x, y, z)
}

/** Half the smallest side, at most the 0.05 m that Jolt rounds its edges by. */
function roundingOf(...sides: number[]): number {
  return Math.min(0.05, 0.5 * Math.min(...sides))
}

function settingsOf(data: ShapeData): InstanceType<Jolt['ConvexShapeSettings']> {
  switch (data.kind) {
    case 'sphere':
      return new jolt.SphereShapeSettings(data.radius)
    case 'capsule':
      return new jolt.CapsuleShapeSettings(data.halfHeight, data.radius)
    case 'box':
      return new jolt.BoxShapeSettings(vector(data.halfExtents), roundingOf(...data.halfExtents))
    case 'cylinder':
      return new jolt.CylinderShapeSettings(data.halfHeight, data.radius, roundingOf(data.radius, data.halfHeight))
    case 'hull': {
      const settings = new jolt.ConvexHullShapeSettings()
      for (const point of data.points) settings.mPoints.push_back(vector(point))
      return settings
    }
  }
}

function shapeOf(data: ShapeData): InstanceType<Jolt['Shape']> {
  const result = settingsOf(data).Create()
  if (result.HasError()) throw new Error(`jolt: ${data.kind}: ${result.GetError().c_str()}`)
  return result.Get()
}

function layers(settings: InstanceType<Jolt['JoltSettings']>, touches: boolean): void {
  const pairs = new jolt.ObjectLayerPairFilterTable(2)
  if (touches) {
    pairs.EnableCollision(MOVING, MOVING)
    pairs.EnableCollision(MOVING, STILL)
  }
  const broad = new jolt.BroadPhaseLayerInterfaceTable(2, 2)
  broad.MapObjectToBroadPhaseLayer(MOVING, new jolt.BroadPhaseLayer(0))
  broad.MapObjectToBroadPhaseLayer(STILL, new jolt.BroadPhaseLayer(1))
  settings.mObjectLayerPairFilter = pairs
  settings.mBroadPhaseLayerInterface = broad
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, 2)
}

let steps = 1

export const engine: RigidEngine = {
  name: 'jolt',
  note: (work) =>
    `WebAssembly, f32, one thread; ${work} collision step${work > 1 ? 's' : ''} of 10 velocity and 2 position iterations; limits of joints by swing and twist, made symmetric`,

  async load() {
    jolt = await initJolt()
  },

  setup(scene, work) {
    steps = work
    const settings = new jolt.JoltSettings()
    settings.mMaxWorkerThreads = 0
    settings.mMaxBodies = 4096
    settings.mMaxBodyPairs = 16384
    settings.mMaxContactConstraints = 12288
    layers(settings, scene.touches)
    world = new jolt.JoltInterface(settings)
    world.GetPhysicsSystem().SetGravity(vector(scene.gravity))
    for (const { halfExtents, position } of scene.fixed) {
      addBody(scene, { shape: { kind: 'box', halfExtents }, position, orientation: [0, 0, 0, 1], mass: 0 })
    }
    const filter = filterOf(scene)
    bodies = scene.bodies.map((body) => {
      const made = addBody(scene, body)
      if (filter !== undefined && body.figure !== undefined && body.part !== undefined) {
        const group = new jolt.CollisionGroup(filter, body.figure, body.part)
        world.GetPhysicsSystem().GetBodyInterface().SetCollisionGroup(made.GetID(), group)
      }
      return made
    })
    if (scene.joints.length > 0) addJoints(scene)
  },

  step(dt) {
    world.Step(dt, steps)
  },

  pose(i, out) {
    const p = bodies[i].GetPosition()
    out.set([p.GetX(), p.GetY(), p.GetZ()])
    const q = bodies[i].GetRotation()
    out.set([q.GetX(), q.GetY(), q.GetZ(), q.GetW()], 3)
  },

  snapshot() {
    const recorder = new jolt.StateRecorderImpl()
    world.GetPhysicsSystem().SaveState(recorder)
    return {
      bytes: () => null,
      restore: () => {
        recorder.Rewind()
        world.GetPhysicsSystem().RestoreState(recorder)
        jolt.destroy(recorder)
      },
    }
  },
}

function addBody(
  { friction, linearDamping, angularDamping }: SceneData,
  {
    shape,
    position,
    orientation,
    mass,
  }: Pick<SceneData['bodies'][number], 'shape' | 'position' | 'orientation' | 'mass'>,
): InstanceType<Jolt['Body']> {
  const [x, y, z, w] = orientation
  const creation = new jolt.BodyCreationSettings(
    shapeOf(shape),
    new jolt.RVec3(...position),
    new jolt.Quat(x, y, z, w),
    mass > 0 ? jolt.EMotionType_Dynamic : jolt.EMotionType_Static,
    mass > 0 ? MOVING : STILL,
  )
  creation.mFriction = friction
  creation.mRestitution = 0
  creation.mLinearDamping = linearDamping
  creation.mAngularDamping = angularDamping
  creation.mAllowSleeping = false
  if (mass > 0) {
    creation.mOverrideMassProperties = jolt.EOverrideMassProperties_CalculateInertia
    creation.mMassPropertiesOverride.mMass = mass
  }
  const make = world.GetPhysicsSystem().GetBodyInterface()
  const body = make.CreateBody(creation)
  make.AddBody(body.GetID(), jolt.EActivation_Activate)
  return body
}

/** Which parts of a figure pass through each other. */
function filterOf({ bodies: data, apart }: SceneData): InstanceType<Jolt['GroupFilterTable']> | undefined {
  const count = 1 + Math.max(-1, ...data.map(({ part }) => part ?? -1))
  if (count === 0) return undefined
  const filter = new jolt.GroupFilterTable(count)
  for (const [p, q] of apart) filter.DisableCollision(p, q)
  return filter
}

function addJoints(scene: SceneData): void {
  const hook = addBody(
    { ...scene, friction: 0 },
    { shape: { kind: 'sphere', radius: 0.01 }, position: [0, -100, 0], orientation: [0, 0, 0, 1], mass: 0 },
  )
  for (const joint of scene.joints) {
    const settings = joint.limits === undefined ? pointSettings(joint) : swingTwistSettings(joint, joint.limits)
    const first = joint.a === null ? hook : bodies[joint.a]
    world.GetPhysicsSystem().AddConstraint(settings.Create(first, bodies[joint.b]))
  }
}

/** In the frame of the first body; the hook's origin is below the world's. */
function onFirst({ a, anchorA: [x, y, z] }: JointData): InstanceType<Jolt['RVec3']> {
  return new jolt.RVec3(x, a === null ? y + 100 : y, z)
}

function pointSettings(joint: JointData): InstanceType<Jolt['PointConstraintSettings']> {
  const settings = new jolt.PointConstraintSettings()
  settings.mSpace = jolt.EConstraintSpace_LocalToBodyCOM
  settings.mPoint1 = onFirst(joint)
  settings.mPoint2 = new jolt.RVec3(...joint.anchorB)
  return settings
}

function swingTwistSettings(
  joint: JointData,
  limits: NonNullable<JointData['limits']>,
): InstanceType<Jolt['SwingTwistConstraintSettings']> {
  const { frameA, frameB, halfY, halfZ, twist } = symmetric(limits)
  const settings = new jolt.SwingTwistConstraintSettings()
  settings.mSpace = jolt.EConstraintSpace_LocalToBodyCOM
  settings.mPosition1 = onFirst(joint)
  settings.mPosition2 = new jolt.RVec3(...joint.anchorB)
  settings.mTwistAxis1 = vector(turned(frameA, [1, 0, 0]))
  settings.mPlaneAxis1 = vector(turned(frameA, [0, 0, 1]))
  settings.mTwistAxis2 = vector(turned(frameB, [1, 0, 0]))
  settings.mPlaneAxis2 = vector(turned(frameB, [0, 0, 1]))
  settings.mNormalHalfConeAngle = halfZ
  settings.mPlaneHalfConeAngle = halfY
  settings.mTwistMinAngle = twist[0]
  settings.mTwistMaxAngle = twist[1]
  return settings
}
