/** Jolt: WebAssembly from C++, f32, its build for one thread. */

import initJolt from 'jolt-physics/wasm-compat'
import type { Triple } from '../../../examples/scenes/contacts/layouts.js'
import type { Engine } from '../engine.js'
import type { SceneData, ShapeData } from '../scenes.js'

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

function layers(settings: InstanceType<Jolt['JoltSettings']>): void {
  const pairs = new jolt.ObjectLayerPairFilterTable(2)
  pairs.EnableCollision(MOVING, MOVING)
  pairs.EnableCollision(MOVING, STILL)
  const broad = new jolt.BroadPhaseLayerInterfaceTable(2, 2)
  broad.MapObjectToBroadPhaseLayer(MOVING, new jolt.BroadPhaseLayer(0))
  broad.MapObjectToBroadPhaseLayer(STILL, new jolt.BroadPhaseLayer(1))
  settings.mObjectLayerPairFilter = pairs
  settings.mBroadPhaseLayerInterface = broad
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, 2)
}

export const engine: Engine = {
  name: 'jolt',
  note: 'WebAssembly, f32; 1 collision step, 10 velocity and 2 position iterations',

  async load() {
    jolt = await initJolt()
  },

  setup(scene: SceneData) {
    const settings = new jolt.JoltSettings()
    settings.mMaxWorkerThreads = 0
    settings.mMaxBodies = 4096
    settings.mMaxBodyPairs = 16384
    settings.mMaxContactConstraints = 12288
    layers(settings)
    world = new jolt.JoltInterface(settings)
    const system = world.GetPhysicsSystem()
    system.SetGravity(vector(scene.gravity))
    const make = system.GetBodyInterface()
    const add = (
      shape: ShapeData,
      position: Triple,
      orientation: readonly number[],
      mass: number,
    ): InstanceType<Jolt['Body']> => {
      const [x, y, z, w] = orientation
      const creation = new jolt.BodyCreationSettings(
        shapeOf(shape),
        new jolt.RVec3(...position),
        new jolt.Quat(x, y, z, w),
        mass > 0 ? jolt.EMotionType_Dynamic : jolt.EMotionType_Static,
        mass > 0 ? MOVING : STILL,
      )
      creation.mFriction = scene.friction
      creation.mRestitution = 0
      creation.mLinearDamping = creation.mAngularDamping = 0
      creation.mAllowSleeping = false
      if (mass > 0) {
        creation.mOverrideMassProperties = jolt.EOverrideMassProperties_CalculateInertia
        creation.mMassPropertiesOverride.mMass = mass
      }
      const body = make.CreateBody(creation)
      make.AddBody(body.GetID(), jolt.EActivation_Activate)
      return body
    }
    for (const { halfExtents, position } of scene.fixed) add({ kind: 'box', halfExtents }, position, [0, 0, 0, 1], 0)
    bodies = scene.bodies.map(({ shape, position, orientation, mass }) => add(shape, position, orientation, mass))
  },

  step(dt) {
    world.Step(dt, 1)
  },

  pose(i, out) {
    const p = bodies[i].GetPosition()
    out.set([p.GetX(), p.GetY(), p.GetZ()])
    const q = bodies[i].GetRotation()
    out.set([q.GetX(), q.GetY(), q.GetZ(), q.GetW()], 3)
  },
}
