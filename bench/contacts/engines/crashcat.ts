/** crashcat: plain JavaScript, f64. */

import {
  addBroadphaseLayer,
  addObjectLayer,
  box,
  capsule,
  convexHull,
  createWorld,
  createWorldSettings,
  cylinder,
  enableCollision,
  MotionType,
  registerAll,
  type RigidBody,
  rigidBody,
  sphere,
  updateWorld,
  type World,
} from 'crashcat'
import type { Engine } from '../engine.js'
import type { SceneData, ShapeData } from '../scenes.js'

let world: World
let bodies: RigidBody[] = []

function shapeOf(data: ShapeData): RigidBody['shape'] {
  switch (data.kind) {
    case 'sphere':
      return sphere.create({ radius: data.radius })
    case 'capsule':
      return capsule.create({ radius: data.radius, halfHeightOfCylinder: data.halfHeight })
    case 'box':
      return box.create({ halfExtents: data.halfExtents })
    case 'cylinder':
      return cylinder.create({ radius: data.radius, halfHeight: data.halfHeight })
    case 'hull':
      return convexHull.create({ positions: data.points.flat() })
  }
}

export const engine: Engine = {
  name: 'crashcat',
  note: 'JavaScript, f64; 10 velocity and 2 position iterations',

  async load() {
    registerAll()
  },

  setup(scene: SceneData) {
    const settings = createWorldSettings()
    const moving = addObjectLayer(settings, addBroadphaseLayer(settings))
    const still = addObjectLayer(settings, addBroadphaseLayer(settings))
    enableCollision(settings, moving, moving)
    enableCollision(settings, moving, still)
    settings.gravity = [...scene.gravity]
    settings.sleeping.allowSleeping = false
    world = createWorld(settings)
    const { friction } = scene
    for (const { halfExtents, position } of scene.fixed) {
      const shape = box.create({ halfExtents })
      rigidBody.create(world, { shape, position, friction, objectLayer: still, motionType: MotionType.STATIC })
    }
    bodies = scene.bodies.map(({ shape, position, orientation, mass }) =>
      rigidBody.create(world, {
        shape: shapeOf(shape),
        position,
        quaternion: orientation,
        mass,
        friction,
        objectLayer: moving,
        motionType: MotionType.DYNAMIC,
        linearDamping: 0,
        angularDamping: 0,
        allowSleeping: false,
      }),
    )
  },

  step(dt) {
    updateWorld(world, undefined, dt)
  },

  pose(i, out) {
    out.set(bodies[i].position, 0)
    out.set(bodies[i].quaternion, 3)
  },
}
