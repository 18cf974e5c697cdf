// A whole scene: make a world, fill it, export it. Change anything and press Run.
import { rope } from '@tautline/assemblies'
import { box, Collisions, plane, sphere } from '@tautline/collision'
import { solidSphere, World } from '@tautline/core'

export const world = new World()
const collisions = new Collisions(world)
collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })

// A wall of boxes, each resting on two others.
for (let row = 0; row < 6; row++) {
  for (let k = 0; k < 6 - row; k++) {
    const position: [number, number, number] = [k + 0.5 * row - 2.5, 0.45 + 0.9 * row, 0]
    collisions.addBody({ shape: box([0.48, 0.45, 0.4]), density: 200, position })
  }
}

// A ball of a tonne on a rope, drawn back: it will hit the wall.
const ball = world.addBody({ position: [0, 4, 6], mass: 1000, inertia: solidSphere(1000, 0.5) })
collisions.addCollider(ball, { shape: sphere(0.5) })
rope(world, { from: [0, 9, 0], to: [0, 4, 6], start: 'world', end: ball })
