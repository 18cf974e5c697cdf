/** Scenes to project: bodies knocked off their joints, rings and linkages, heaps of shapes pushed into each other. */

import { box, capsule, Collisions, plane, sphere } from '@tautline/collision'
import { type Body, type Constraint, solidBox, World, type WorldOptions } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { ballSocket, hinge } from '@tautline/constraints'
import { quat, vec3 } from 'gl-matrix'
import { randomNumbers } from '../../lib/random.js'
import type { JointScene } from '../impulse/index.js'

/** Numbers in [−1, 1), of which those of seeds in a row are not alike from the first on. */
export function seeded(seed: number): () => number {
  const random = randomNumbers(7919 * seed)
  for (let k = 0; k < 5; k++) random()
  return random
}

/** A vector no longer than `most`. */
function within(random: () => number, most: number): vec3 {
  const direction = vec3.normalize(vec3.create(), [random(), random(), random()])
  return vec3.scale(direction, direction, most * random())
}

/** Moves every body by up to `far` [m] and turns it by up to `angle` [rad], in any direction. */
export function knock(bodies: readonly Body[], far: number, angle: number, random: () => number): void {
  for (const body of bodies) {
    body.setPosition(vec3.add(vec3.create(), body.position, within(random, far)))
    const v = within(random, angle)
    const a = vec3.length(v)
    const s = a > 0 ? sin(0.5 * a) / a : 0
    body.setOrientation(quat.multiply(quat.create(), [s * v[0], s * v[1], s * v[2], cos(0.5 * a)], body.orientation))
  }
}

type Point = readonly [number, number, number]

/** A bar of the x-y plane between two points, 0.1 m thick. */
function bar(world: World, [x, y]: Point, [z, w]: Point, mass: number): Body {
  const length = Math.hypot(z - x, w - y)
  // Half the angle of the bar, by its cosine.
  const c = Math.sqrt(Math.max(0, 0.5 + (0.5 * (z - x)) / length))
  const s = Math.sqrt(Math.max(0, 0.5 - (0.5 * (z - x)) / length))
  return world.addBody({
    position: [0.5 * (x + z), 0.5 * (y + w), 0],
    orientation: [0, 0, w < y ? -s : s, c],
    mass,
    inertia: solidBox(mass, [length, 0.1, 0.1]),
  })
}

/** Closed polygon of bars on ball joints that floats freely, with masses of 1 to 10^decades kg. */
export function freeRing(links: number, decades: number, random: () => number, options: WorldOptions = {}): JointScene {
  const world = new World(options)
  const radius = 0.25 / sin(Math.PI / links)
  const at = (k: number): Point => {
    const angle = (2 * Math.PI * k) / links
    return [radius * cos(angle), radius * sin(angle), 0]
  }
  const bodies = Array.from({ length: links }, (_, k) =>
    bar(world, at(k), at(k + 1), 10 ** (decades * (0.5 + 0.5 * random()))),
  )
  const joints = bodies.map(
    (b, k) => world.add(ballSocket, { a: bodies[(k + links - 1) % links], b, point: at(k) }) as Constraint,
  )
  return { world, bodies, joints }
}

/** Four-bar linkage on hinges, one bar of which is the world, the others of random length. */
export function fourBarLinkage(random: () => number, options: WorldOptions = {}): JointScene {
  const world = new World(options)
  const corners: Point[] = [
    [0, 0, 0],
    [0.2 * random(), 1 + 0.2 * random(), 0],
    [2 + 0.2 * random(), 1.5 + 0.2 * random(), 0],
    [2, 0, 0],
  ]
  const bodies = [0, 1, 2].map((k) => bar(world, corners[k], corners[k + 1], 1))
  const joints = corners.map(
    (point, k) =>
      world.add(hinge, { a: bodies[k - 1] ?? null, b: bodies[k] ?? null, point, axis: [0, 0, 1] }) as Constraint,
  )
  return { world, bodies, joints }
}

/** A chain of bars of 0.5 m in an arch between two points of the world, on ball joints. */
export function hungArch(links: number, options: WorldOptions = {}): JointScene {
  const world = new World(options)
  const radius = 0.25 / sin((0.5 * Math.PI) / links)
  const at = (k: number): Point => [radius * cos((Math.PI * k) / links), radius * sin((Math.PI * k) / links), 0]
  const bodies = Array.from({ length: links }, (_, k) => bar(world, at(k), at(k + 1), 1))
  const joints = Array.from(
    { length: links + 1 },
    (_, k) => world.add(ballSocket, { a: bodies[k - 1] ?? null, b: bodies[k] ?? null, point: at(k) }) as Constraint,
  )
  return { world, bodies, joints }
}

export type PileShape = 'box' | 'sphere' | 'capsule'

/**
 * Shapes of 0.5 m across and 1 kg in random places of a cube, drawn from the kinds given: each has `room` times its diameter along
 * each side, so that below 1 they overlap. With a floor through the middle of the lowest, or floating freely.
 */
export function deepPile(
  count: number,
  room: number,
  kinds: readonly PileShape[],
  hasFloor: boolean,
  random: () => number,
  options: WorldOptions = {},
): { world: World; bodies: readonly Body[] } {
  const world = new World(options)
  const collisions = new Collisions(world)
  const side = 0.5 * room * Math.cbrt(count)
  const shapes = { box: box([0.25, 0.25, 0.25]), sphere: sphere(0.25), capsule: capsule(0.15, 0.25) }
  if (hasFloor) collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  const bodies = Array.from({ length: count }, (_, k) =>
    collisions.addBody({
      shape: shapes[kinds[k % kinds.length]],
      mass: 1,
      position: [0.5 * side * random(), 0.5 * side * (1 + random()), 0.5 * side * random()],
      orientation: quat.normalize(quat.create(), [random(), random(), random(), random()]),
    }),
  )
  return { world, bodies }
}
