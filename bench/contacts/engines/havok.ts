/** Havok: WebAssembly from C++, f32 with SIMD. */

import { readFile } from 'node:fs/promises'
import HavokPhysics, {
  type HavokPhysicsWithBindings,
  type HP_BodyId,
  type HP_ShapeId,
  type HP_WorldId,
} from '@babylonjs/havok'
import type { Quadruple, Triple } from '../../../examples/scenes/contacts/layouts.js'
import type { Engine } from '../engine.js'
import type { SceneData, ShapeData } from '../scenes.js'

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

export const engine: Engine = {
  name: 'havok',
  note: 'WebAssembly, f32 SIMD; its only settings',

  async load() {
    const file = new URL(import.meta.resolve('@babylonjs/havok/lib/esm/HavokPhysics.wasm'))
    havok = await HavokPhysics({ wasmBinary: (await readFile(file)).buffer as ArrayBuffer })
  },

  setup(scene: SceneData) {
    world = havok.HP_World_Create()[1]
    havok.HP_World_SetGravity(world, scene.gravity)
    havok.HP_World_SetIdealStepTime(world, 1 / 60)
    const { MULTIPLY, GEOMETRIC_MEAN } = havok.MaterialCombine
    const add = (data: ShapeData, position: Triple, orientation: Quadruple, mass: number): HP_BodyId => {
      const shape = shapeOf(data)
      havok.HP_Shape_SetMaterial(shape, [scene.friction, scene.friction, 0, GEOMETRIC_MEAN, MULTIPLY])
      const body = havok.HP_Body_Create()[1]
      havok.HP_Body_SetShape(body, shape)
      havok.HP_Body_SetMotionType(body, mass > 0 ? havok.MotionType.DYNAMIC : havok.MotionType.STATIC)
      havok.HP_Body_SetQTransform(body, [position, orientation])
      if (mass > 0) {
        // Inertia is per unit of mass.
        const [centre, , inertia, axes] = havok.HP_Shape_BuildMassProperties(shape)[1]
        havok.HP_Body_SetMassProperties(body, [centre, mass, inertia, axes])
        havok.HP_Body_SetLinearDamping(body, 0)
        havok.HP_Body_SetAngularDamping(body, 0)
        havok.HP_Body_SetActivationControl(body, havok.ActivationControl.ALWAYS_ACTIVE)
      }
      havok.HP_World_AddBody(world, body, false)
      return body
    }
    for (const { halfExtents, position } of scene.fixed) add({ kind: 'box', halfExtents }, position, UPRIGHT, 0)
    bodies = scene.bodies.map(({ shape, position, orientation, mass }) => add(shape, position, orientation, mass))
  },

  step(dt) {
    havok.HP_World_Step(world, dt)
  },

  pose(i, out) {
    const [position, orientation] = havok.HP_Body_GetQTransform(bodies[i])[1]
    out.set(position)
    out.set(orientation, 3)
  },
}
