/** Balls in a funnel (Tamis and Maggiore, 10.3, figure 8). */

import { plane, sphere } from '@tautline/collision'
import { randomNumbers } from '../../lib/random.js'
import { lattice, type Triple } from '../contacts/layouts.js'
import type { SphereScene } from '../contacts/packing.js'
import { type ContactOptions, emptyWorld, placed, sphereOverlap } from '../contacts/scene.js'

/** Radius [m], mass [kg] and friction of the balls, slope of the walls [rad], and how far the balls are shaken [m]. */
const FUNNEL = { radius: 0.5, mass: 1, friction: 0.5, slope: 0.25 * Math.PI, shaken: 0.01 } as const

/** A funnel, with the inward normals of its four walls; they meet at its apex. */
export interface FunnelScene extends SphereScene {
  readonly walls: readonly Triple[]
  /** [m] */
  readonly apex: Triple
}

/** Twenty balls, five layers of four shaken by 1 cm, above the apex of a pyramid of four infinite planes that slope by 45°. */
export function funnel(options: ContactOptions = {}): FunnelScene {
  const { radius, mass, friction, slope, shaken } = FUNNEL
  const { world, collisions } = emptyWorld(options)
  const [s, c] = [Math.sin(slope), Math.cos(slope)]
  const apex = placed(options, [0, 0, 0])
  const walls: Triple[] = [
    [s, c, 0],
    [-s, c, 0],
    [0, c, s],
    [0, c, -s],
  ]
  for (const normal of walls) collisions.addCollider(null, { shape: plane(normal), position: apex, friction })
  const random = randomNumbers(20)
  const bodies = lattice([2, 5, 2], 2.2 * radius, 3 * radius).map((centre) =>
    collisions.addBody({
      shape: sphere(radius),
      mass,
      position: placed(options, centre.map((x) => x + shaken * random()) as Triple),
      friction,
    }),
  )
  return { world, collisions, bodies, radius, walls, apex }
}

/** Deepest overlap of a ball with another or with a wall [m]; below 0 when all are apart from the walls. */
export function funnelOverlap({ bodies, radius, walls, apex }: FunnelScene): number {
  return bodies.reduce(
    (most, { position }) => {
      const deepest = walls.map((n) => radius - n.reduce((sum, x, k) => sum + x * (position[k] - apex[k]), 0))
      return Math.max(most, ...deepest)
    },
    sphereOverlap(bodies, radius),
  )
}
