/** What bounces. */

import { sphere } from '@tautline/collision'
import { type ContactOptions, type ContactScene, placed, worldOnFloor } from './scene.js'

/** Height from which a ball falls: of its lowest point [m]. */
export const DROP = 1
const RADIUS = 0.1

/** A ball of 1 kg, its lowest point 1 m above the ground. Made for 20 substeps. */
export function bouncingBall(restitution: number, options: ContactOptions = {}): ContactScene {
  const { world, collisions } = worldOnFloor({ substeps: 20, ...options }, 0)
  const body = collisions.addBody({
    shape: sphere(RADIUS),
    mass: 1,
    position: placed(options, [0, DROP + RADIUS, 0]),
    friction: 0,
    restitution,
  })
  return { world, collisions, bodies: [body] }
}

/** Height of the ball's lowest point [m]. */
export function bounceHeight({ bodies }: ContactScene): number {
  return bodies[0].position[1] - RADIUS
}

/** SimBenchmark's bounce: 7 × 7 balls of 10 kg and 0.1 m radius, centres 5 m up, e = 1, no friction. Made for 20 substeps. */
export function bouncingGrid(options: ContactOptions = {}): ContactScene {
  const { world, collisions } = worldOnFloor({ substeps: 20, ...options }, 0)
  const bodies = Array.from({ length: 49 }, (_, k) =>
    collisions.addBody({
      shape: sphere(RADIUS),
      mass: 10,
      position: placed(options, [(k % 7) - 3, 5, Math.floor(k / 7) - 3]),
      friction: 0,
      restitution: 1,
    }),
  )
  return { world, collisions, bodies }
}
