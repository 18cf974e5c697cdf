/** Rapier: WebAssembly from Rust, f32. The two builds share this file; each has a process of its own. */

import type RapierModule from '@dimforge/rapier3d-compat'
import type { Engine } from '../engine.js'
import type { SceneData, ShapeData } from '../scenes.js'

type Rapier = typeof RapierModule

export function rapierEngine(name: string, note: string, module: () => Promise<Rapier>): Engine {
  let rapier: Rapier
  let world: RapierModule.World
  let bodies: RapierModule.RigidBody[] = []

  const shapeOf = (data: ShapeData): RapierModule.ColliderDesc => {
    switch (data.kind) {
      case 'sphere':
        return rapier.ColliderDesc.ball(data.radius)
      case 'capsule':
        return rapier.ColliderDesc.capsule(data.halfHeight, data.radius)
      case 'box':
        return rapier.ColliderDesc.cuboid(...data.halfExtents)
      case 'cylinder':
        return rapier.ColliderDesc.cylinder(data.halfHeight, data.radius)
      case 'hull': {
        const hull = rapier.ColliderDesc.convexHull(Float32Array.from(data.points.flat()))
        if (hull === null) throw new Error(`${name}: no hull of the points of a body`)
        return hull
      }
    }
  }
  const vector = ([x, y, z]: readonly number[]): RapierModule.Vector3 => new rapier.Vector3(x, y, z)

  return {
    name,
    note: `${note}; 4 iterations`,

    async load() {
      rapier = await module()
      await rapier.init()
    },

    setup(scene: SceneData) {
      world = new rapier.World(vector(scene.gravity))
      world.numSolverIterations = 4
      const { friction } = scene
      for (const { halfExtents, position } of scene.fixed) {
        const body = world.createRigidBody(rapier.RigidBodyDesc.fixed().setTranslation(...position))
        world.createCollider(rapier.ColliderDesc.cuboid(...halfExtents).setFriction(friction), body)
      }
      bodies = scene.bodies.map(({ shape, position, orientation: [x, y, z, w], mass }) => {
        const body = world.createRigidBody(
          rapier.RigidBodyDesc.dynamic()
            .setTranslation(...position)
            .setRotation({ x, y, z, w })
            .setCanSleep(false),
        )
        world.createCollider(shapeOf(shape).setMass(mass).setFriction(friction), body)
        return body
      })
    },

    step(dt) {
      world.timestep = dt
      world.step()
    },

    pose(i, out) {
      const { x, y, z } = bodies[i].translation()
      const q = bodies[i].rotation()
      out.set([x, y, z, q.x, q.y, q.z, q.w])
    },
  }
}
