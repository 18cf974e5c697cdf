/** Tautline: plain JavaScript, f64. */

import { type Body, World } from '@tautline/core'
import { box, capsule, Collisions, convexHull, cylinder, type Shape, sphere } from '@tautline/collision'
import type { Engine, Settings } from '../engine.js'
import type { SceneData, ShapeData } from '../scenes.js'

let settings: Settings
let world: World
let bodies: readonly Body[] = []

function shapeOf(data: ShapeData): Shape {
  switch (data.kind) {
    case 'sphere':
      return sphere(data.radius)
    case 'capsule':
      return capsule(data.radius, data.halfHeight)
    case 'box':
      return box(data.halfExtents)
    case 'cylinder':
      return cylinder(data.radius, data.halfHeight)
    case 'hull':
      return convexHull(data.points)
  }
}

export const engine: Engine = {
  name: 'tautline',

  get note() {
    return `JavaScript, f64; ${settings.substeps} substeps, ${settings.iterations} sweep${settings.iterations > 1 ? 's' : ''} each`
  },

  async load(given) {
    settings = given
  },

  setup(scene: SceneData) {
    world = new World({ gravity: scene.gravity, ...settings })
    const collisions = new Collisions(world, { sleeping: false })
    const { friction } = scene
    for (const { halfExtents, position } of scene.fixed) {
      collisions.addCollider(null, { shape: box(halfExtents), position, friction })
    }
    bodies = scene.bodies.map(({ shape, ...body }) => collisions.addBody({ shape: shapeOf(shape), friction, ...body }))
  },

  step(dt) {
    world.step(dt)
  },

  pose(i, out) {
    out.set(bodies[i].position, 0)
    out.set(bodies[i].orientation, 3)
  },
}
