/** Piles and clouds of mixed shapes. */

import type { Body } from '@tautline/core'
import { box, capsule, convexHull, cylinder, plane, type Shape, sphere, taperedCapsule } from '@tautline/collision'
import { randomNumbers } from '../../lib/random.js'
import { anyRotation, lattice, lengthOf, type Triple } from './layouts.js'
import { type ContactOptions, type ContactScene, emptyWorld, placed, worldOnFloor } from './scene.js'

/** How many kinds `someShape` knows. */
const KINDS = 6

/** A shape of a kind, no point of it farther than `size` from its origin. */
function someShape(kind: number, size: number, random: () => number): Shape {
  const share = (): number => 0.75 + 0.25 * random()
  switch (kind % KINDS) {
    case 0:
      return sphere(size)
    case 1: {
      const radius = 0.5 * size * share()
      return capsule(radius, size - radius)
    }
    case 2: {
      const sides = [share(), share(), share()]
      const length = lengthOf(sides)
      return box(sides.map((side) => (size * side) / length) as Triple)
    }
    case 3: {
      const radius = 0.8 * size * share()
      return cylinder(radius, Math.sqrt(size * size - radius * radius))
    }
    case 4: {
      const points = Array.from({ length: 12 }, () => anyRotation(random).slice(0, 3) as Triple)
      return convexHull(points.map((point) => point.map((x) => (size * x) / lengthOf(point)) as Triple))
    }
    default:
      return taperedCapsule(0.3 * size, 0.5 * size, 0.4 * size)
  }
}

/** Mixed shapes dropped into a pit of 4 m. Friction against rolling and twist, of 5 and 1 cm, lets round ones come to rest. */
export function mixedPile(
  count: number,
  options: ContactOptions = {},
  seed: number = 5,
  restitution: number = 0,
): ContactScene {
  const surface = { friction: 0.5, rollingFriction: 0.05, torsionalFriction: 0.01, restitution }
  const { world, collisions } = worldOnFloor(options, surface.friction)
  const inward: readonly Triple[] = [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 0, 1],
    [0, 0, -1],
  ]
  for (const normal of inward) {
    const position = placed(options, normal.map((x) => -2 * x) as Triple)
    collisions.addCollider(null, { shape: plane(normal), position, friction: surface.friction })
  }
  const random = randomNumbers(seed)
  const bodies = lattice([4, Math.ceil(count / 16), 4], 0.9, 0.5)
    .slice(0, count)
    .map((centre, k) =>
      collisions.addBody({
        shape: someShape(k, 0.35 + 0.1 * random(), random),
        density: 1000,
        position: placed(options, centre),
        orientation: anyRotation(random),
        ...surface,
      }),
    )
  return { world, collisions, bodies }
}

/** Two to ten bodies of any kind with any friction and restitution, falling and turning, on a floor. Nothing overlaps at first. */
export function randomPile(seed: number, options: ContactOptions = {}): ContactScene {
  const random = randomNumbers(seed)
  // The first numbers of neighbouring seeds are alike.
  for (let k = 0; k < 8; k++) random()
  const share = (): number => 0.5 * (1 + random())
  const friction = share()
  const { world, collisions } = worldOnFloor(options, friction)
  const count = 2 + Math.floor(9 * share())
  const bodies: Body[] = []
  for (let k = 0; k < count; k++) {
    // Columns of two: some fall on the floor, some on each other.
    const centre: Triple = [0.2 * random() + 1.2 * (k % 2), 0.6 + 1.05 * Math.floor(k / 2), 0.2 * random()]
    bodies.push(
      collisions.addBody({
        shape: someShape(Math.floor(KINDS * share()), 0.3 + 0.1 * random(), random),
        density: 1000,
        position: placed(options, centre),
        orientation: anyRotation(random),
        velocity: [random(), random(), random()],
        angularVelocity: [3 * random(), 3 * random(), 3 * random()],
        friction,
        restitution: share(),
      }),
    )
  }
  return { world, collisions, bodies }
}

/** A cloud of mixed shapes without weight, all flying towards its centre and turning: they meet, rub, bounce and part. */
export function collidingCloud(count: number, options: ContactOptions = {}): ContactScene {
  const random = randomNumbers(17)
  const { world, collisions } = emptyWorld({ gravity: [0, 0, 0], ...options })
  let side = 1
  while (side * side * side < count) side++
  const bodies = lattice([side, side, side], 1.3, -0.65 * (side - 1))
    .slice(0, count)
    .map((centre, k) =>
      collisions.addBody({
        shape: someShape(k, 0.4 + 0.1 * random(), random),
        density: 1000,
        position: placed(options, centre),
        orientation: anyRotation(random),
        velocity: centre.map((x) => -2 * x + random()) as Triple,
        angularVelocity: [3 * random(), 3 * random(), 3 * random()],
        friction: 0.5,
        restitution: 0.5 * (1 + random()),
      }),
    )
  return { world, collisions, bodies }
}

/** Σ m |v| [kg m/s]: what a change of momentum is measured by. */
export function momentumScale({ bodies }: ContactScene): number {
  return bodies.reduce((sum, { mass, velocity }) => sum + mass * Math.hypot(velocity[0], velocity[1], velocity[2]), 0)
}
