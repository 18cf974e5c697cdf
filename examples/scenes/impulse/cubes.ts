/** Five cubes (Tamis and Maggiore, "Constraint based physics solver", 10.1 and 10.2). */

import { box } from '@tautline/collision'
import { type ContactOptions, placed, topSpeed, worldOnFloor } from '../contacts/scene.js'
import { gaps, overlappingCubes, type OverlapScene } from '../contacts/overlap.js'

/** Side [m], mass [kg] and number of the cubes; where their centres start: of the lowest, and from one to the next [m]. */
const CUBES = { side: 2.4, mass: 1.2, count: 5, lowest: 2, pitch: 3 } as const

/**
 * The stack that falls after about 85 s: centres 3 m apart, the lowest 2 m up, g = 10 m/s². To be stepped with 60 Hz, 25
 * iterations, a push of 0.2 and no cache. The source gives no friction.
 */
export function tamisStack(options: ContactOptions = {}, friction: number = 0.5): OverlapScene {
  const { world, collisions } = worldOnFloor({ gravity: [0, -10, 0], ...options }, friction)
  const { side, mass, count, lowest, pitch } = CUBES
  const half = 0.5 * side
  const bodies = Array.from({ length: count }, (_, k) =>
    collisions.addBody({
      shape: box([half, half, half]),
      mass,
      position: placed(options, [0, lowest + pitch * k, 0]),
      friction,
    }),
  )
  return { world, collisions, bodies, side, below: bodies.map((_, k) => (k === 0 ? [] : [k - 1])) }
}

/**
 * Whether a stack has fallen: the centre of the highest cube is below the height of all the others, half a cube lower than
 * when it stands, or some cube's centre is off the one below it, in x or z, by more than half a side: beyond its edge. What is
 * not a number has fallen. A stack that drifts as a whole stands.
 */
export function hasFallen({ bodies, side }: OverlapScene): boolean {
  const standing = bodies.every((body, k) => {
    if (k === 0) return true
    const [x, , z] = body.position
    const [px, , pz] = bodies[k - 1].position
    return Math.abs(x - px) <= 0.5 * side && Math.abs(z - pz) <= 0.5 * side
  })
  const top = bodies[bodies.length - 1].position[1]
  return !(standing && top >= side * (bodies.length - 1))
}

/** The same cubes 2 m apart, 0.4 m into each other, the lowest with its centre on the floor: 1.2 m into it. ν = 0.5. */
export function intersectingStack(options: ContactOptions = {}): OverlapScene {
  return overlappingCubes(options)
}

/** How cubes part: the fastest centre [m/s], and the largest gap and deepest overlap of neighbours, the floor included [m]. */
export function parting(scene: OverlapScene): { speed: number; gap: number; overlap: number } {
  return { speed: topSpeed(scene.bodies), ...gaps(scene) }
}
