/** Worlds for the tests of the impulse solver, and what they ask of them. */

import { type Body, World, type WorldOptions } from '@tautline/core'
import { box, Collisions, type CollisionOptions, type MaterialDef, plane } from '../../../collision/src/index.js'
import { ballSocket, distance, hinge, ropeLength, tetraVolume } from '../../../constraints/src/index.js'
import { rod } from '../../../core/test/support/link.js'
import { Random } from '../../../core/test/support/random.js'
import type { Entry } from '../../../constraints/test/support/table.js'
import { TABLE } from '../../../constraints/test/support/table.js'
import { type ImpulseOptions, ImpulseSolver } from '../../src/index.js'

export const G = 9.81
export const DT = 1 / 60

/** Every type of the constraints' own conformance suite, and one that a user wrote, its gradient by differences. */
export const ENTRIES: readonly Entry[] = [
  ...TABLE,
  {
    name: 'custom',
    type: rod as unknown as Entry['type'],
    places: [
      [0, 0, 0],
      [1, 0.5, 0.3],
    ],
    many: true,
    def: (random) => ({ params: { p: random.vector(0.5), q: random.vector(0.5), length: random.between(0.5, 2) } }),
    rigid: (def) => def,
  },
]

export function solverOf(world: World, options: ImpulseOptions = {}): ImpulseSolver {
  return new ImpulseSolver(world, options)
}

export function steps(solver: { step(): void }, count: number): void {
  for (let k = 0; k < count; k++) solver.step()
}

export function length(v: ArrayLike<number>): number {
  return Math.hypot(v[0], v[1], v[2])
}

/** Velocities at random, where a body can have them. */
export function stir(world: World, seed: number, speed = 2): void {
  const random = new Random(seed)
  for (const body of world.bodies.all()) {
    const [v, w] = [random.vector(speed), random.vector(speed)]
    if (body.type !== 'dynamic') continue
    body.setVelocity(v)
    if (!body.isParticle) body.setAngularVelocity(w)
  }
}

/** Velocities of all bodies, six numbers each. */
export function velocities(world: World): number[] {
  return world.bodies.all().flatMap((body) => [...body.velocity, ...body.angularVelocity])
}

/** Whether poses, velocities and multipliers are all numbers. */
export function isNumber(world: World): boolean {
  const poses = world.bodies.all().flatMap((body) => [...body.position, ...body.orientation])
  const lambda = world.batches.flatMap(({ common, type, active }) => [
    ...common.lambda.subarray(0, type.multipliers * active),
  ])
  return [...poses, ...velocities(world), ...lambda].every(Number.isFinite)
}

/** The same, and no body was stopped. */
export function isFinite(world: World): boolean {
  return world.report.nonFinite.length === 0 && isNumber(world)
}

/** Largest difference of two lists as a share of the largest entry, or of `floor` where all are smaller than that. */
export function share(a: readonly number[], b: readonly number[], floor = 0): number {
  if (a.length !== b.length) return Infinity
  const size = Math.max(floor, ...a.map(Math.abs), ...b.map(Math.abs))
  return size === 0 ? 0 : Math.max(0, ...a.map((x, k) => Math.abs(x - b[k]))) / size
}

export interface Ground {
  world: World
  collisions: Collisions
}

/** A world with a floor at y = 0; nothing sleeps unless it is said. */
export function ground(
  material: MaterialDef = {},
  options: WorldOptions = {},
  collisionOptions: CollisionOptions = {},
): Ground {
  const world = new World(options)
  const collisions = new Collisions(world, { sleeping: false, ...collisionOptions })
  collisions.addCollider(null, { shape: plane([0, 1, 0]), ...material })
  return { world, collisions }
}

/** Cubes of side 2a one upon the other, touching. */
export function stack({ collisions }: Ground, count: number, a = 0.25, material: MaterialDef = {}): Body[] {
  return Array.from({ length: count }, (_, k) =>
    collisions.addBody({ shape: box([a, a, a]), position: [0, a + 2 * a * k, 0], density: 500, ...material }),
  )
}

/** A rope of `count` particles from a static body at the origin, along x. */
export function rope(world: World, count: number, link = 0.2): { bodies: Body[]; links: { force: number }[] } {
  const bodies = [world.addBody({ type: 'static' })]
  const links = []
  for (let k = 1; k <= count; k++) {
    bodies.push(world.addParticle({ position: [k * link, 0, 0], mass: 0.5 }))
    links.push(world.add(distance, { a: bodies[k - 1], b: bodies[k] }))
  }
  return { bodies, links }
}

/** A limb of `count` rods joined by balls and hinges in turn, from the world at the origin along x. */
export function limb(world: World, count: number): Body[] {
  const bodies: Body[] = []
  for (let k = 0; k < count; k++) {
    bodies.push(world.addBody({ position: [0.5 * k + 0.25, 0, 0], mass: 1, inertia: [0.01, 0.03, 0.03] }))
    const pair = { a: k === 0 ? null : bodies[k - 1], b: bodies[k], point: [0.5 * k, 0, 0] as const }
    if (k % 2 === 0) world.add(ballSocket, pair)
    else world.add(hinge, { ...pair, axis: [0, 0, 1], limits: { min: -1, max: 1 } })
  }
  return bodies
}

/** Something of everything: a limb, a rope with its whole length, a tetrahedron, a stack, and what hangs on a motor. */
export function mixed(
  options: WorldOptions = {},
  collisionOptions: CollisionOptions = {},
): Ground & { bodies: Body[] } {
  const scene = ground({ friction: 0.6 }, options, collisionOptions)
  const { world } = scene
  const limbs = limb(world, 4)
  for (const body of limbs) body.setPosition([body.position[0] - 4, 3, 0])
  // The anchor of the first joint is in the world: what was moved swings in from there.
  const { bodies } = rope(world, 6)
  world.add(ropeLength, { bodies, compliance: 1e-6 })
  const corners = [
    [5, 1, 0],
    [6, 1, 0],
    [5.5, 1, 0.9],
    [5.5, 1.8, 0.3],
  ] as const
  const tetra = corners.map((position) => world.addParticle({ position, mass: 0.3, velocity: [0, 0, position[0] - 5] }))
  for (let k = 0; k < 4; k++) for (let l = 0; l < k; l++) world.add(distance, { a: tetra[l], b: tetra[k] })
  world.add(tetraVolume, { bodies: tetra })
  const wheel = world.addBody({ position: [-8, 2, 0], mass: 2, inertia: [0.2, 0.2, 0.3], angularVelocity: [0, 0, 1] })
  world.add(hinge, { b: wheel, point: [-8, 2, 0], axis: [0, 0, 1], drive: { damping: 5, velocityTarget: 3 } })
  const boxes = stack(scene, 3)
  boxes.forEach((cube, k) => cube.setPosition([9 + 0.03 * k, 0.25 + 0.52 * k, 0]))
  return { ...scene, bodies: [...limbs, ...bodies, ...tetra, wheel, ...boxes] }
}
