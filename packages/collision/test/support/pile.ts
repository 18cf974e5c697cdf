/** A pile of one of everything, to be saved and read again. */

import { type Body, fromJSON, type World } from '@tautline/core'
import { Random } from '../../../core/test/support/random.js'
import { ballSocket, distance } from '../../../constraints/src/index.js'
import {
  addParticles,
  box,
  capsule,
  collisionsFromJSON,
  compound,
  convexHull,
  cylinder,
  plane,
  type Shape,
  sphere,
  taperedCapsule,
} from '../../src/index.js'
import { grid, scene, type Scene } from './scene.js'

export const TYPES = [distance, ballSocket]
const READERS = { collisions: collisionsFromJSON }

export const SHAPES: (() => Shape)[] = [
  () => sphere(0.3),
  () => box([0.3, 0.2, 0.25]),
  () => capsule(0.15, 0.25),
  () => taperedCapsule(0.2, 0.1, 0.25),
  () => cylinder(0.25, 0.2),
  () => convexHull([0.3, 0, 0, -0.2, 0.3, 0, -0.2, -0.3, 0.1, 0, 0.1, 0.4, 0.1, -0.1, -0.3]),
  () =>
    compound([
      { shape: box([0.3, 0.1, 0.1]) },
      { shape: sphere(0.15), position: [0.3, 0.1, 0] },
      { shape: box([0.1, 0.3, 0.1]), position: [-0.2, 0.1, 0], orientation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] },
    ]),
]

/** A pile of one body of each shape on a mesh, particles, a joint, a sensor and a platform; some sleeps early. */
export function pile(seed = 1, sleeping = true): Scene & { bodies: Body[] } {
  const random = new Random(seed)
  const s = scene({ substeps: 4 }, { sleeping: sleeping && { time: 0.2, speed: 0.1 } })
  const { world, collisions } = s
  collisions.addCollider(null, { shape: grid(6, 1), friction: 0.7 })
  collisions.addCollider(null, { shape: plane([0, 1, 0], -3) })
  collisions.addCollider(null, { shape: box([1, 1, 1]), sensor: true, position: [0, 1, 0] })
  const bodies = SHAPES.map((shape, k) =>
    collisions.addBody({
      shape: shape(),
      density: 500,
      position: [random.between(-0.4, 0.4), 0.5 + 0.5 * k, random.between(-0.4, 0.4)],
      orientation: random.rotation(),
      restitution: 0.1 * (k % 3),
      rollingFriction: 0.01 * (k % 2),
      torsionalFriction: 0.01,
      name: `body ${k}`,
    }),
  )
  bodies.push(collisions.addBody({ shape: box([0.2, 0.2, 0.2]), position: [2, 0.2, 2] }))
  bodies.push(
    collisions.addBody({
      shape: box([0.5, 0.1, 0.5]),
      type: 'kinematic',
      position: [-1.5, 0.3, 0],
      velocity: [0.2, 0, 0],
    }),
  )
  const rope = [0, 1, 2, 3].map((k) => world.addParticle({ position: [1 + 0.25 * k, 0.6, 0], mass: 0.3 }))
  addParticles(collisions, rope, { radius: 0.1, friction: 0.4 })
  rope.slice(1).forEach((b, k) => world.add(distance, { a: rope[k], b }))
  world.add(ballSocket, { a: bodies[0], b: bodies[1], point: [0, 0.75, 0] })
  return { ...s, bodies: [...bodies, ...rope] }
}

/** The same world, read from text. */
export function again(world: World): World {
  return fromJSON(JSON.stringify(world), TYPES as never, READERS)
}
