/** The course in Tautline. */

import { type Body, World } from '@tautline/core'
import { box, capsule, Collisions, createCharacter, cylinder, moveCharacter, plane } from '@tautline/collision'
import { ADULT, type Course, type CourseEngine, type Figure, type Placed, type Platform } from './engine.js'

function turned(tilt = 0): [number, number, number, number] {
  return [0, 0, Math.sin(tilt / 2), Math.cos(tilt / 2)]
}

function platformOf(body: Body): Platform {
  return {
    setVelocity(linear, spin) {
      body.setVelocity(linear)
      body.setAngularVelocity([0, spin, 0])
    },
    position: () => [body.position[0], body.position[1], body.position[2]],
  }
}

function course(figure: Figure = ADULT): Course {
  const shape = 'sides' in figure ? box(figure.sides) : capsule(figure.radius, figure.half)
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  const character = createCharacter({ position: [0, 0.92, 0] })
  return {
    moves: 0,
    spent: 0,
    addBox({ half, position, tilt }: Placed) {
      collisions.addCollider(null, { shape: box(half), position, orientation: turned(tilt) })
    },
    addCrate({ half, position }, mass) {
      return platformOf(collisions.addBody({ shape: box(half), position, mass, friction: 0.5 }))
    },
    addPlatform({ half, position }, round = false) {
      const body = world.addBody({ type: 'kinematic', position })
      collisions.addCollider(body, { shape: round ? cylinder(half[0], half[1]) : box(half) })
      return platformOf(body)
    },
    place(position) {
      Object.assign(character, createCharacter({ position }))
    },
    position: () => [character.position[0], character.position[1], character.position[2]],
    grounded: () => character.grounded,
    step(x, z, dt) {
      world.step(dt)
      const start = performance.now()
      const y = character.grounded ? 0 : character.velocity[1] - 9.81 * dt
      moveCharacter(collisions, character, [x, y, z], dt, { shape })
      this.spent += performance.now() - start
      this.moves++
    },
    end() {
      // Nothing to free.
    },
  }
}

export const engine: CourseEngine = { load: () => Promise.resolve(), course }
