/** Random piles of bodies that turn, on floors and carriers of every kind. */

import { box, capsule, type ColliderDef, Collisions, plane, type Shape, sphere } from '@tautline/collision'
import { ballSocket } from '@tautline/constraints'
import { type Body, type Kernels, World } from '@tautline/core'
import type { Random } from '../../../core/test/support/random.js'
import { sometimes } from './sheet.js'

const SHAPES: readonly (() => Shape)[] = [() => sphere(0.3), () => box([0.3, 0.2, 0.25]), () => capsule(0.15, 0.25)]

type Surface = Omit<ColliderDef, 'shape'>

/** How a surface rubs, rolls and bounces. */
function surface(random: Random, bounces: boolean): Surface {
  const friction = random.chance(0.1) ? 0 : random.next()
  return {
    friction,
    ...sometimes(random, 0.4, () => ({ dynamicFriction: friction * random.next() })),
    ...sometimes(random, 0.4, () => ({ rollingFriction: random.between(0, 0.05) })),
    ...sometimes(random, 0.4, () => ({ torsionalFriction: random.between(0, 0.05) })),
    ...sometimes(random, 0.3, () => ({ maxPushOut: random.between(0, 5) })),
    ...(bounces && sometimes(random, 0.4, () => ({ restitution: random.next() }))),
  }
}

/** A chain of boxes on ball sockets, as a limb is. */
function addChain(world: World, collisions: Collisions, random: Random, bounces: boolean): void {
  const [x, y, z] = [random.between(-1, 1), random.between(0, 1), random.between(-1, 1)]
  let last: Body | undefined
  for (let k = 0; k < 3; k++) {
    const body = collisions.addBody({
      shape: box([0.15, 0.06, 0.06]),
      position: [x + 0.34 * k, y, z],
      ...surface(random, bounces),
    })
    if (last !== undefined) world.add(ballSocket, { a: last, b: body, point: [x + 0.34 * k - 0.17, y, z] })
    last = body
  }
}

/** A floor, and at times something static, moved or turning on it. */
function addGround(world: World, collisions: Collisions, random: Random, bounces: boolean): void {
  collisions.addCollider(null, { shape: plane([0, 1, 0]), ...surface(random, bounces) })
  for (const type of ['static', 'kinematic'] as const) {
    if (random.chance(0.5)) continue
    const carrier = world.addBody({
      type,
      position: [random.between(-1, 1), 0.1, random.between(-1, 1)],
      inertia: 1,
      ...(type === 'kinematic' && { velocity: [0.5, 0, 0.1], angularVelocity: [0, random.between(-3, 3), 0] }),
    })
    collisions.addCollider(carrier, { shape: box([0.7, 0.1, 0.7]), ...surface(random, bounces) })
  }
}

/**
 * A world with a pile. Half of them bounce nowhere, as the kernel wants it; some begin deep in each other; in some, what is heavy lies on what
 * is light.
 */
export function pileWorld(random: Random, kernels?: Kernels): World {
  const world = new World({
    substeps: 1 + random.below(8),
    iterations: 1 + random.below(2),
    ...(kernels !== undefined && { kernels }),
  })
  const collisions = new Collisions(world, { sleeping: random.chance(0.5) && { speed: 0.3, time: 0.05 } })
  const bounces = random.chance(0.5)
  const isDeep = random.chance(0.4)
  const decades = random.chance(0.3) ? 3 : 0.5
  addGround(world, collisions, random, bounces)
  const count = 3 + random.below(10)
  for (let k = 0; k < count; k++) {
    const size = isDeep ? 0.5 : 1
    collisions.addBody({
      shape: SHAPES[random.below(SHAPES.length)](),
      position: [size * random.between(-0.5, 0.5), size * (0.2 + 0.45 * k), size * random.between(-0.5, 0.5)],
      orientation: random.chance(0.5) ? [0, 0, 0, 1] : random.rotation(),
      mass: 10 ** random.between(-decades, decades),
      ...sometimes(random, 0.3, () => ({ velocity: random.vector(5), angularVelocity: random.vector(10) })),
      ...surface(random, bounces),
    })
  }
  if (random.chance(0.5)) addChain(world, collisions, random, bounces)
  return world
}
