/** Jolt's soft body: WebAssembly from C++, f32, its build for one thread. It does not touch itself. */

import initJolt from 'jolt-physics/wasm-compat'
import { joltLayers } from '../../lib/jolt.js'
import { DENSITY, FRICTION, type SheetEngine, sheetOf, SPACING, sphereRadius, THICKNESS } from '../sheet.js'

type Jolt = Awaited<ReturnType<typeof initJolt>>

let jolt: Jolt
let world: InstanceType<Jolt['JoltInterface']>
let cloth: InstanceType<Jolt['SoftBodyMotionProperties']>

const LAYER = 0
/** Compliance of diagonals and of bends [m/N]: without any, 100 × 100 vertices blow up on the sphere. */
const SHEAR = 0.02
const BEND = 0.1

export const engine: SheetEngine = {
  name: 'jolt',
  note: 'WebAssembly, f32; iterations of its soft body; edges without, diagonals and bends with compliance',

  async load() {
    jolt = await initJolt()
  },

  setup({ n, work, on, self }) {
    if (self) throw new Error('jolt: its soft bodies do not touch themselves')
    const settings = new jolt.JoltSettings()
    settings.mMaxWorkerThreads = 0
    joltLayers(jolt, settings)
    world = new jolt.JoltInterface(settings)
    const system = world.GetPhysicsSystem()
    system.SetGravity(new jolt.Vec3(0, -9.81, 0))
    const make = system.GetBodyInterface()
    const still = (shape: InstanceType<Jolt['Shape']>, y: number): void => {
      const place = new jolt.RVec3(0, y, 0)
      const creation = new jolt.BodyCreationSettings(
        shape,
        place,
        new jolt.Quat(0, 0, 0, 1),
        jolt.EMotionType_Static,
        LAYER,
      )
      creation.mFriction = FRICTION
      make.AddBody(make.CreateBody(creation).GetID(), jolt.EActivation_DontActivate)
    }
    const radius = sphereRadius(n)
    if (on !== 'nothing') still(new jolt.SphereShape(radius), radius)
    if (on === 'sphere and floor') still(new jolt.BoxShape(new jolt.Vec3(100, 1, 100), 0.05), -1)
    const { positions, triangles, edges, diagonals, bends } = sheetOf(n)
    const shared = new jolt.SoftBodySharedSettings()
    const vertex = new jolt.SoftBodySharedSettingsVertex()
    // All alike: the hems are as heavy as the middle, which makes no difference to the time.
    const mass = (DENSITY * (SPACING * (n - 1)) ** 2) / (n * n)
    for (let v = 0; v < n * n; v++) {
      vertex.mPosition = new jolt.Float3(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2])
      vertex.mVelocity = new jolt.Float3(0, 0, 0)
      vertex.mInvMass = 1 / mass
      shared.mVertices.push_back(vertex)
    }
    let rows = 0
    for (const [pairs, compliance] of [
      [edges, 0],
      [diagonals, SHEAR],
      [bends, BEND],
    ] as const) {
      for (let e = 0; e < pairs.length; e += 2) {
        shared.mEdgeConstraints.push_back(new jolt.SoftBodySharedSettingsEdge(pairs[e], pairs[e + 1], compliance))
        rows++
      }
    }
    for (let t = 0; t < triangles.length; t += 3) {
      shared.AddFace(new jolt.SoftBodySharedSettingsFace(triangles[t], triangles[t + 1], triangles[t + 2], 0))
    }
    shared.CalculateEdgeLengths()
    shared.Optimize()
    const creation = new jolt.SoftBodyCreationSettings(
      shared,
      new jolt.RVec3(0, 0, 0),
      new jolt.Quat(0, 0, 0, 1),
      LAYER,
    )
    creation.mNumIterations = work
    creation.mAllowSleeping = false
    creation.mVertexRadius = THICKNESS
    creation.mFriction = FRICTION
    // Its vertices stay in the world's frame.
    creation.mUpdatePosition = false
    const body = make.CreateSoftBody(creation)
    make.AddBody(body.GetID(), jolt.EActivation_Activate)
    cloth = jolt.castObject(body.GetMotionProperties(), jolt.SoftBodyMotionProperties)
    return rows
  },

  step(dt) {
    world.Step(dt, 1)
  },

  positions(out) {
    for (let v = 0; v < out.length / 3; v++) {
      const p = cloth.GetVertex(v).mPosition
      out.set([p.GetX(), p.GetY(), p.GetZ()], 3 * v)
    }
  },
}
