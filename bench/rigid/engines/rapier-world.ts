/** Rapier: WebAssembly from Rust, f32. The two builds share this file; each has a process of its own. */

import type RapierModule from '@dimforge/rapier3d-compat'
import { solidBox } from '@tautline/core'
import type { BodyData, SceneData, ShapeData } from '../data.js'
import type { RigidEngine } from '../contract.js'
import { passingUnjoined } from '../joints.js'

type Rapier = typeof RapierModule

export function rapierEngine(name: string, note: string, module: () => Promise<Rapier>): RigidEngine {
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

  /** Without a shape: its mass alone, which is that of a box or a ball. */
  const addMass = (body: RapierModule.RigidBodyDesc, { shape, mass }: BodyData): RapierModule.RigidBodyDesc => {
    if (shape.kind !== 'box' && shape.kind !== 'sphere') throw new Error(`${name}: no inertia of a ${shape.kind}`)
    const ball = shape.kind === 'sphere' ? 0.4 * mass * shape.radius * shape.radius : 0
    const [x, y, z] =
      shape.kind === 'box'
        ? solidBox(mass, shape.halfExtents.map((half) => 2 * half) as [number, number, number])
        : [ball, ball, ball]
    return body.setAdditionalMassProperties(mass, vector([0, 0, 0]), vector([x, y, z]), { x: 0, y: 0, z: 0, w: 1 })
  }

  const addJoints = (scene: SceneData): void => {
    const hook = world.createRigidBody(rapier.RigidBodyDesc.fixed())
    for (const { a, b, anchorA, anchorB } of scene.joints) {
      const data = rapier.JointData.spherical(vector(anchorA), vector(anchorB))
      world.createImpulseJoint(data, a === null ? hook : bodies[a], bodies[b], true).setContactsEnabled(false)
    }
    for (const [a, b] of passingUnjoined(scene)) {
      // It has no filter for pairs: a joint that locks nothing is one.
      const free = rapier.JointData.generic(
        vector([0, 0, 0]),
        vector([0, 0, 0]),
        vector([1, 0, 0]),
        0 as RapierModule.JointAxesMask,
      )
      world.createImpulseJoint(free, bodies[a], bodies[b], true).setContactsEnabled(false)
    }
  }

  return {
    name,
    note: (work) => `${note}; ${work} iterations; joints without limits`,

    async load() {
      rapier = await module()
      await rapier.init()
    },

    setup(scene, work) {
      world = new rapier.World(vector(scene.gravity))
      world.numSolverIterations = work
      const { friction, linearDamping, angularDamping } = scene
      for (const { halfExtents, position } of scene.fixed) {
        const body = world.createRigidBody(rapier.RigidBodyDesc.fixed().setTranslation(...position))
        world.createCollider(rapier.ColliderDesc.cuboid(...halfExtents).setFriction(friction), body)
      }
      bodies = scene.bodies.map((data) => {
        const {
          shape,
          position,
          orientation: [x, y, z, w],
          mass,
        } = data
        const desc = rapier.RigidBodyDesc.dynamic()
          .setTranslation(...position)
          .setRotation({ x, y, z, w })
          .setLinearDamping(linearDamping)
          .setAngularDamping(angularDamping)
          .setCanSleep(false)
        if (!scene.touches) return world.createRigidBody(addMass(desc, data))
        const body = world.createRigidBody(desc)
        world.createCollider(shapeOf(shape).setMass(mass).setFriction(friction), body)
        return body
      })
      addJoints(scene)
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

    snapshot() {
      const bytes = world.takeSnapshot()
      return {
        bytes: () => bytes.byteLength,
        restore: () => {
          // A new world: what held the old one's bodies has to ask for them again.
          world.free()
          world = rapier.World.restoreSnapshot(bytes)
        },
      }
    },
  }
}
