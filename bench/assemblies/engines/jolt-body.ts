/**
 * Jolt's soft body of tetrahedra: WebAssembly from C++, f32, its build for one thread. It has no elements: edges and volumes of tetrahedra hold it
 * together, with the compliances that our springs have, of the same material: k = 6 E V/ℓ² [N/m], V a sixth of the tetrahedra at an edge, and of
 * six times a volume 36 V/κ, κ = E/3(1 − 2ν) [Pa]. Nothing damps them.
 */

import initJolt from 'jolt-physics/wasm-compat'
import {
  type BodyEngine,
  type BodyMesh,
  FRICTION,
  POISSON_RATIO,
  RADIUS,
  tetraVolume,
  YOUNGS_MODULUS,
} from '../body.js'
import { addFaces, addVertices, type Jolt, joltScene, readVertices } from '../../lib/jolt-soft.js'

let jolt: Jolt
let world: InstanceType<Jolt['JoltInterface']>
let body: InstanceType<Jolt['SoftBodyMotionProperties']>

export const engine: BodyEngine = {
  name: 'jolt',
  note: 'WebAssembly, f32; iterations of its soft body; edges and volumes with compliance',

  async load() {
    jolt = await initJolt()
  },

  setup({ mesh, work }) {
    const scene = joltScene(jolt)
    world = scene.world
    scene.addStatic(new jolt.BoxShape(new jolt.Vec3(100, 1, 100), 0.05), -1, FRICTION)
    const shared = new jolt.SoftBodySharedSettings()
    addVertices(jolt, shared, mesh.positions, (v) => mesh.masses[v])
    addFaces(jolt, shared, mesh.surface)
    const rows = addEdges(shared, mesh) + addVolumes(shared, mesh)
    shared.CalculateEdgeLengths()
    shared.CalculateVolumeConstraintVolumes()
    shared.Optimize()
    body = scene.addSoftBody({ shared, iterations: work, vertexRadius: RADIUS, friction: FRICTION, linearDamping: 0 })
    return rows
  },

  step(dt) {
    world.Step(dt, 1)
  },

  positions(out) {
    readVertices(body, out)
  },
}

function addEdges(shared: InstanceType<Jolt['SoftBodySharedSettings']>, mesh: BodyMesh): number {
  const volumes = volumesOf(mesh)
  const count = mesh.positions.length / 3
  const atEdge = new Map<number, number>()
  volumes.forEach((volume, t) => {
    const corners = mesh.tetrahedra.slice(4 * t, 4 * t + 4).sort()
    for (let i = 0; i < 4; i++) {
      for (let j = i + 1; j < 4; j++) {
        const key = corners[i] * count + corners[j]
        atEdge.set(key, (atEdge.get(key) ?? 0) + volume / 6)
      }
    }
  })
  for (const [key, volume] of atEdge) {
    const [v, w] = [Math.floor(key / count), key % count]
    const stiffness = (6 * YOUNGS_MODULUS * volume) / apart(mesh.positions, v, w) ** 2
    shared.mEdgeConstraints.push_back(new jolt.SoftBodySharedSettingsEdge(v, w, 1 / stiffness))
  }
  return atEdge.size
}

function addVolumes(shared: InstanceType<Jolt['SoftBodySharedSettings']>, mesh: BodyMesh): number {
  const bulk = YOUNGS_MODULUS / (3 * (1 - 2 * POISSON_RATIO))
  const volumes = volumesOf(mesh)
  volumes.forEach((volume, t) => {
    const [a, b, c, d] = mesh.tetrahedra.subarray(4 * t, 4 * t + 4)
    shared.mVolumeConstraints.push_back(new jolt.SoftBodySharedSettingsVolume(a, b, c, d, (36 * volume) / bulk))
  })
  return volumes.length
}

/** Of each tetrahedron [m³]. */
function volumesOf({ positions, tetrahedra }: BodyMesh): number[] {
  return Array.from({ length: tetrahedra.length / 4 }, (_, t) => tetraVolume(positions, tetrahedra, 4 * t))
}

function apart(x: Float64Array, v: number, w: number): number {
  return Math.hypot(x[3 * v] - x[3 * w], x[3 * v + 1] - x[3 * w + 1], x[3 * v + 2] - x[3 * w + 2])
}
