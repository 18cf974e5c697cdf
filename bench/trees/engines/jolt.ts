/** Jolt's soft body, hung: WebAssembly from C++, f32, its build for one thread. */

import initJolt from 'jolt-physics/wasm-compat'
import { clothOf } from '../../../examples/scenes/trees/cloth.js'
import { addFaces, addVertices, type Jolt, joltScene, readVertices } from '../../lib/jolt-soft.js'
import type { ClothEngine } from '../engine.js'

let jolt: Jolt
let world: InstanceType<Jolt['JoltInterface']> | undefined
let cloth: InstanceType<Jolt['SoftBodyMotionProperties']>

export const engine: ClothEngine = {
  name: 'jolt',
  note: 'WebAssembly, f32; iterations of its soft body, edges without compliance',

  async load() {
    jolt = await initJolt()
  },

  setup(choice, { work, drag }) {
    const { positions, masses, triangles, edges, diagonals, isSlack } = clothOf(choice)
    if (isSlack) throw new Error('jolt: edges must resist both ways, got a slack cloth')
    // Its memory is not that of the collector.
    if (world !== undefined) jolt.destroy(world)
    const scene = joltScene(jolt)
    world = scene.world
    const shared = new jolt.SoftBodySharedSettings()
    addVertices(jolt, shared, positions, (v) => masses[v])
    for (const pairs of [edges, diagonals]) {
      for (let e = 0; e < pairs.length; e += 2) {
        shared.mEdgeConstraints.push_back(new jolt.SoftBodySharedSettingsEdge(pairs[e], pairs[e + 1], 0))
      }
    }
    addFaces(jolt, shared, triangles)
    shared.CalculateEdgeLengths()
    shared.Optimize()
    cloth = scene.addSoftBody({ shared, iterations: work, vertexRadius: 0, friction: 0.2, linearDamping: drag })
  },

  step(dt) {
    world?.Step(dt, 1)
  },

  positions(out) {
    readVertices(cloth, out)
  },
}
