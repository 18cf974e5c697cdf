/** Jolt's soft body: WebAssembly from C++, f32, its build for one thread. It does not touch itself. */

import initJolt from 'jolt-physics/wasm-compat'
import { DENSITY, FRICTION, type SheetEngine, sheetOf, SPACING, sphereRadius, THICKNESS } from '../sheet.js'
import { addFaces, addVertices, type Jolt, joltScene, readVertices } from '../../lib/jolt-soft.js'

let jolt: Jolt
let world: InstanceType<Jolt['JoltInterface']>
let cloth: InstanceType<Jolt['SoftBodyMotionProperties']>

/** Compliance of diagonals and of bends [m/N]: without any, 100 × 100 vertices blow up on the sphere. */
const SHEAR = 0.02
const BEND = 0.1
/** Its default [1/s]. */
const DAMPING = 0.1

export const engine: SheetEngine = {
  name: 'jolt',
  note: 'WebAssembly, f32; iterations of its soft body; edges without, diagonals and bends with compliance',

  async load() {
    jolt = await initJolt()
  },

  setup({ n, work, on, self }) {
    if (self) throw new Error('jolt: its soft bodies do not touch themselves')
    const scene = joltScene(jolt)
    world = scene.world
    const radius = sphereRadius(n)
    if (on !== 'nothing') scene.addStatic(new jolt.SphereShape(radius), radius, FRICTION)
    if (on === 'sphere and floor') {
      scene.addStatic(new jolt.BoxShape(new jolt.Vec3(100, 1, 100), 0.05), -1, FRICTION)
    }
    const { positions, triangles, edges, diagonals, bends } = sheetOf(n)
    const shared = new jolt.SoftBodySharedSettings()
    // All alike: the hems are as heavy as the middle, which makes no difference to the time.
    const mass = (DENSITY * (SPACING * (n - 1)) ** 2) / (n * n)
    addVertices(jolt, shared, positions, () => mass)
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
    addFaces(jolt, shared, triangles)
    shared.CalculateEdgeLengths()
    shared.Optimize()
    cloth = scene.addSoftBody({
      shared,
      iterations: work,
      vertexRadius: THICKNESS,
      friction: FRICTION,
      linearDamping: DAMPING,
    })
    return rows
  },

  step(dt) {
    world.Step(dt, 1)
  },

  positions(out) {
    readVertices(cloth, out)
  },
}
