/** The course in Rapier, with its `KinematicCharacterController`. */

import RAPIER from '@dimforge/rapier3d-compat'
import {
  ADULT,
  type Course,
  type CourseEngine,
  type Figure,
  type Placed,
  type Platform,
  type Triple,
} from './engine.js'

function vector([x, y, z]: Triple): RAPIER.Vector3 {
  return new RAPIER.Vector3(x, y, z)
}

function platformOf(body: RAPIER.RigidBody): Platform {
  return {
    setVelocity(linear, spin) {
      body.setLinvel(vector(linear), true)
      body.setAngvel(new RAPIER.Vector3(0, spin, 0), true)
    },
    position() {
      const { x, y, z } = body.translation()
      return [x, y, z]
    },
  }
}

function course(figure: Figure = ADULT): Course {
  const world = new RAPIER.World(new RAPIER.Vector3(0, -9.81, 0))
  const cuboid = ({ half: [x, y, z] }: Placed): RAPIER.ColliderDesc => RAPIER.ColliderDesc.cuboid(x, y, z)
  world.createCollider(RAPIER.ColliderDesc.cuboid(200, 1, 200).setTranslation(0, -1, 0))
  const body = world.createRigidBody(RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(0, 0.92, 0))
  const shape =
    'sides' in figure
      ? RAPIER.ColliderDesc.cuboid(...figure.sides)
      : RAPIER.ColliderDesc.capsule(figure.half, figure.radius)
  const collider = world.createCollider(shape, body)
  const controller = world.createCharacterController(0.02)
  controller.enableAutostep(0.3, 0.05, true)
  controller.setMaxSlopeClimbAngle((50 * Math.PI) / 180)
  controller.setMinSlopeSlideAngle((50 * Math.PI) / 180)
  controller.enableSnapToGround(0.3)
  controller.setApplyImpulsesToDynamicBodies(true)
  controller.setCharacterMass(80)
  let speed = 0
  return {
    moves: 0,
    spent: 0,
    addBox(box) {
      const { tilt = 0 } = box
      const rotation = { x: 0, y: 0, z: Math.sin(tilt / 2), w: Math.cos(tilt / 2) }
      world.createCollider(
        cuboid(box)
          .setTranslation(...box.position)
          .setRotation(rotation),
      )
    },
    addCrate(box, mass) {
      const crate = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(...box.position))
      world.createCollider(cuboid(box).setMass(mass).setFriction(0.5), crate)
      return platformOf(crate)
    },
    addPlatform(box, round = false) {
      const made = world.createRigidBody(RAPIER.RigidBodyDesc.kinematicVelocityBased().setTranslation(...box.position))
      world.createCollider(round ? RAPIER.ColliderDesc.cylinder(box.half[1], box.half[0]) : cuboid(box), made)
      return platformOf(made)
    },
    place(position) {
      body.setTranslation(vector(position), true)
      body.setNextKinematicTranslation(vector(position))
      speed = 0
      world.step()
    },
    position() {
      const { x, y, z } = body.translation()
      return [x, y, z]
    },
    grounded: () => controller.computedGrounded(),
    step(x, z, dt) {
      world.timestep = dt
      world.step()
      const start = performance.now()
      speed = controller.computedGrounded() ? -9.81 * dt : speed - 9.81 * dt
      controller.computeColliderMovement(collider, new RAPIER.Vector3(x * dt, speed * dt, z * dt))
      const way = controller.computedMovement()
      const at = body.translation()
      const next = new RAPIER.Vector3(at.x + way.x, at.y + way.y, at.z + way.z)
      body.setTranslation(next, true)
      this.spent += performance.now() - start
      this.moves++
    },
    end() {
      world.free()
    },
  }
}

export const engine: CourseEngine = { load: () => RAPIER.init(), course }
