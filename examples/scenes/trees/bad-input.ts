/** What the direct solution is not made for, and has to say so. */

import { type Body, type Constraint, solidBox, type Solver, World, type WorldOptions } from '@tautline/core'
import { ballSocket, fixed } from '@tautline/constraints'
import type { JointScene } from '../impulse/index.js'
import { ONE_SUBSTEP } from './chains.js'

const SIZE = [0.5, 0.1, 0.1] as const

function link(world: World, position: readonly [number, number, number]): Body {
  return world.addBody({ position, mass: 1, inertia: solidBox(1, SIZE) })
}

/** A ring of `count` links, every joint of which asks to be solved directly, hung from the world at the first. */
export function directRing(count: number = 6, options: WorldOptions = {}): JointScene {
  const world = new World({ ...ONE_SUBSTEP, ...options })
  const bodies = Array.from({ length: count }, (_, k) => link(world, [0.5 * k, 0, 0]))
  const joints: Constraint[] = [world.add(ballSocket, { a: null, b: bodies[0], point: [0, 0, 0], solver: 'direct' })]
  bodies.forEach((a, k) => {
    const b = bodies[(k + 1) % count]
    joints.push(world.add(ballSocket, { a, b, anchorA: [0, 0.25, 0], anchorB: [0, -0.25, 0], solver: 'direct' }))
  })
  return { world, bodies, joints }
}

/** Three links of which the last two are held together by a ball joint and a fixed one at the same point. */
export function heldTwice(options: WorldOptions = {}): JointScene {
  const world = new World({ ...ONE_SUBSTEP, solver: 'direct', ...options })
  const bodies = [0, 1, 2].map((k) => link(world, [0.5 * k + 0.25, 0, 0]))
  const joints = bodies.map(
    (b, k) => world.add(ballSocket, { a: bodies[k - 1] ?? null, b, point: [0.5 * k, 0, 0] }) as Constraint,
  )
  joints.push(world.add(fixed, { a: bodies[1], b: bodies[2], point: [1, 0, 0] }) as Constraint)
  return { world, bodies, joints }
}

/** Messages of the errors that wrong values of `solver` throw: of the world's, and of a joint's. */
export function wrongSolver(value: unknown): string[] {
  const world = new World()
  const b = link(world, [0, 0, 0])
  const solver = value as Solver
  return [() => new World({ solver }), () => world.add(ballSocket, { a: null, b, point: [0, 0, 0], solver })].map(
    (make) => {
      try {
        make()
        return 'nothing was thrown'
      } catch (error) {
        return `${(error as Error).name}: ${(error as Error).message}`
      }
    },
  )
}
