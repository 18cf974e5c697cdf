/** Jolt's soft body: WebAssembly from C++, f32, its build for one thread. */

import initJolt from 'jolt-physics/wasm-compat'
import { clothOf } from '../../../examples/scenes/trees/cloth.js'
import { joltLayers } from '../../lib/jolt.js'
import type { ClothEngine } from '../engine.js'

type Jolt = Awaited<ReturnType<typeof initJolt>>

let jolt: Jolt
let world: InstanceType<Jolt['JoltInterface']>
let cloth: InstanceType<Jolt['SoftBodyMotionProperties']>

const LAYER = 0

export const engine: ClothEngine = {
  name: 'jolt',
  note: 'WebAssembly, f32; iterations of its soft body, edges without compliance',

  async load() {
    jolt = await initJolt()
  },

  setup(choice, { work, drag }) {
    const { positions, masses, triangles, edges, diagonals, isSlack } = clothOf(choice)
    if (isSlack) throw new Error('jolt: edges must resist both ways, got a slack cloth')
    const settings = new jolt.JoltSettings()
    settings.mMaxWorkerThreads = 0
    joltLayers(jolt, settings)
    world = new jolt.JoltInterface(settings)
    const system = world.GetPhysicsSystem()
    system.SetGravity(new jolt.Vec3(0, -9.81, 0))
    const shared = new jolt.SoftBodySharedSettings()
    const vertex = new jolt.SoftBodySharedSettingsVertex()
    masses.forEach((mass, v) => {
      vertex.mPosition = new jolt.Float3(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2])
      vertex.mVelocity = new jolt.Float3(0, 0, 0)
      vertex.mInvMass = 1 / mass
      shared.mVertices.push_back(vertex)
    })
    for (const pairs of [edges, diagonals]) {
      for (let e = 0; e < pairs.length; e += 2) {
        shared.mEdgeConstraints.push_back(new jolt.SoftBodySharedSettingsEdge(pairs[e], pairs[e + 1], 0))
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
    creation.mLinearDamping = drag
    creation.mAllowSleeping = false
    // Its vertices stay in the world's frame.
    creation.mUpdatePosition = false
    const make = system.GetBodyInterface()
    const body = make.CreateSoftBody(creation)
    make.AddBody(body.GetID(), jolt.EActivation_Activate)
    cloth = jolt.castObject(body.GetMotionProperties(), jolt.SoftBodyMotionProperties)
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
