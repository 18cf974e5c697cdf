/** Stacks as they are built by hand: a little off, or turned; and touching balls in a row. */

import { cos, sin } from '@tautline/core/kernel'
import { box, sphere } from '@tautline/collision'
import type { Triple } from './layouts.js'
import { type ContactOptions, type ContactScene, emptyWorld, placed, worldOnFloor } from './scene.js'

/** How a tower is built. */
export interface TowerParameters {
  count: number
  /** Half edges of a box [m]. @defaultValue a box of 1 m */
  half?: Readonly<Triple>
  /** How far a box may be off the axis in x and in z [m], and turned about it [rad]. @defaultValue 0 */
  offset?: number
  yaw?: number
  /** Uniform in [0, 1). */
  random: () => number
}

/** Boxes on one another, each at random within `offset` and `yaw`; 100 kg/m³, ν = 0.6. */
export function towerOf(
  { count, half = [0.5, 0.5, 0.5], offset = 0, yaw = 0, random }: TowerParameters,
  options: ContactOptions = {},
): ContactScene {
  const friction = 0.6
  const { world, collisions } = worldOnFloor(options, friction)
  const within = (range: number): number => range * (2 * random() - 1)
  const bodies = Array.from({ length: count }, (_, k) => {
    const angle = within(yaw)
    return collisions.addBody({
      shape: box([...half]),
      density: 100,
      position: placed(options, [within(offset), half[1] * (2 * k + 1), within(offset)]),
      orientation: [0, sin(0.5 * angle), 0, cos(0.5 * angle)],
      friction,
    })
  })
  return { world, collisions, bodies }
}

/** Balls of 0.1 m and 1 kg in a row along x, without gravity; those that move start 5 cm off the row. */
export function ballRow(
  speeds: readonly number[],
  gap: number,
  restitution: number,
  options: ContactOptions = {},
): ContactScene {
  const { world, collisions } = emptyWorld({ gravity: [0, 0, 0], ...options })
  const bodies = speeds.map((speed, k) =>
    collisions.addBody({
      shape: sphere(0.1),
      mass: 1,
      position: placed(options, [(0.2 + gap) * k - 0.05 * Math.sign(speed), 0, 0]),
      velocity: [speed, 0, 0],
      friction: 0,
      restitution,
    }),
  )
  return { world, collisions, bodies }
}
