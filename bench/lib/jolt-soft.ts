/** A world of Jolt's, for one thread, with what is needed to put a soft body into it. */

import type initJolt from 'jolt-physics/wasm-compat'
import { joltLayers } from './jolt.js'

export type Jolt = Awaited<ReturnType<typeof initJolt>>

type SharedSettings = InstanceType<Jolt['SoftBodySharedSettings']>

const LAYER = 0

/** What a soft body is made with. */
export interface JoltSoftBody {
  readonly shared: SharedSettings
  readonly iterations: number
  /** [m] */
  readonly vertexRadius: number
  readonly friction: number
  /** Rate at which velocities decay [1/s]. */
  readonly linearDamping: number
}

export interface JoltScene {
  readonly world: InstanceType<Jolt['JoltInterface']>
  /** Adds a static body, its centre at a height [m]. */
  addStatic(shape: InstanceType<Jolt['Shape']>, height: number, friction: number): void
  /** Adds a soft body, awake for ever; its vertices stay in the world's frame. */
  addSoftBody(body: JoltSoftBody): InstanceType<Jolt['SoftBodyMotionProperties']>
}

export function joltScene(jolt: Jolt): JoltScene {
  const settings = new jolt.JoltSettings()
  settings.mMaxWorkerThreads = 0
  joltLayers(jolt, settings)
  const world = new jolt.JoltInterface(settings)
  const system = world.GetPhysicsSystem()
  system.SetGravity(new jolt.Vec3(0, -9.81, 0))
  const make = system.GetBodyInterface()
  const upright = new jolt.Quat(0, 0, 0, 1)
  return {
    world,

    addStatic(shape, height, friction) {
      const place = new jolt.RVec3(0, height, 0)
      const creation = new jolt.BodyCreationSettings(shape, place, upright, jolt.EMotionType_Static, LAYER)
      creation.mFriction = friction
      make.AddBody(make.CreateBody(creation).GetID(), jolt.EActivation_DontActivate)
    },

    addSoftBody({ shared, iterations, vertexRadius, friction, linearDamping }) {
      const creation = new jolt.SoftBodyCreationSettings(shared, new jolt.RVec3(0, 0, 0), upright, LAYER)
      creation.mNumIterations = iterations
      creation.mAllowSleeping = false
      creation.mVertexRadius = vertexRadius
      creation.mFriction = friction
      creation.mLinearDamping = linearDamping
      creation.mUpdatePosition = false
      const body = make.CreateSoftBody(creation)
      make.AddBody(body.GetID(), jolt.EActivation_Activate)
      return jolt.castObject(body.GetMotionProperties(), jolt.SoftBodyMotionProperties)
    },
  }
}

/** Adds vertices, of each the mass [kg]. */
export function addVertices(
  jolt: Jolt,
  shared: SharedSettings,
  positions: Float64Array,
  massOf: (v: number) => number,
): void {
  const vertex = new jolt.SoftBodySharedSettingsVertex()
  for (let v = 0; v < positions.length / 3; v++) {
    vertex.mPosition = new jolt.Float3(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2])
    vertex.mVelocity = new jolt.Float3(0, 0, 0)
    vertex.mInvMass = 1 / massOf(v)
    shared.mVertices.push_back(vertex)
  }
}

/** Adds triangles, three vertices each. */
export function addFaces(jolt: Jolt, shared: SharedSettings, triangles: Uint32Array): void {
  for (let t = 0; t < triangles.length; t += 3) {
    shared.AddFace(new jolt.SoftBodySharedSettingsFace(triangles[t], triangles[t + 1], triangles[t + 2], 0))
  }
}

/** x, y, z of each vertex. */
export function readVertices(body: InstanceType<Jolt['SoftBodyMotionProperties']>, out: Float64Array): void {
  for (let v = 0; v < out.length / 3; v++) {
    const p = body.GetVertex(v).mPosition
    out.set([p.GetX(), p.GetY(), p.GetZ()], 3 * v)
  }
}
