/** cannon-es: plain JavaScript, f64. A capsule is a cylinder of 12 sides and two spheres. */

import { Body, Box, ConvexPolyhedron, Cylinder, Quaternion, SAPBroadphase, Sphere, Vec3, World } from 'cannon-es'
import { convexFaces } from '../convex-faces.js'
import type { Engine } from '../engine.js'
import type { SceneData, ShapeData } from '../scenes.js'

const SIDES = 12
let world: World
let bodies: Body[] = []

function addShape(body: Body, data: ShapeData): void {
  switch (data.kind) {
    case 'sphere':
      body.addShape(new Sphere(data.radius))
      break
    case 'capsule':
      body.addShape(new Cylinder(data.radius, data.radius, 2 * data.halfHeight, SIDES))
      body.addShape(new Sphere(data.radius), new Vec3(0, data.halfHeight, 0))
      body.addShape(new Sphere(data.radius), new Vec3(0, -data.halfHeight, 0))
      break
    case 'box':
      body.addShape(new Box(new Vec3(...data.halfExtents)))
      break
    case 'cylinder':
      body.addShape(new Cylinder(data.radius, data.radius, 2 * data.halfHeight, SIDES))
      break
    case 'hull':
      body.addShape(
        new ConvexPolyhedron({
          vertices: data.points.map((point) => new Vec3(...point)),
          faces: convexFaces(data.points),
        }),
      )
      break
  }
}

export const engine: Engine = {
  name: 'cannon-es',
  note: `JavaScript, f64; 10 iterations, sweep and prune; cylinders have ${SIDES} sides, capsules are three shapes`,

  async load() {},

  setup(scene: SceneData) {
    world = new World({ gravity: new Vec3(...scene.gravity), allowSleep: false })
    world.broadphase = new SAPBroadphase(world)
    world.defaultContactMaterial.friction = scene.friction
    world.defaultContactMaterial.restitution = 0
    for (const { halfExtents, position } of scene.fixed) {
      const body = new Body({ mass: 0, position: new Vec3(...position) })
      body.addShape(new Box(new Vec3(...halfExtents)))
      world.addBody(body)
    }
    bodies = scene.bodies.map(({ shape, position, orientation, mass }) => {
      const body = new Body({ mass, position: new Vec3(...position), quaternion: new Quaternion(...orientation) })
      body.linearDamping = body.angularDamping = 0
      addShape(body, shape)
      world.addBody(body)
      return body
    })
  },

  step(dt) {
    world.step(dt)
  },

  pose(i, out) {
    const { position, quaternion } = bodies[i]
    out.set(position.toArray(), 0)
    out.set(quaternion.toArray(), 3)
  },
}
