/** Boxes on a ramp that stand, and boxes that stop where Coulomb has them. */

import { type Body } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { box, plane } from '@tautline/collision'
import { LAUNCH, RAMP_FRICTION, TILT } from '../contacts/friction.js'
import { turn, type Triple } from '../contacts/layouts.js'
import { type ContactOptions, type ContactScene, emptyWorld, placed } from '../contacts/scene.js'

/** The ramp, and for each box where it has to end. */
export interface RampScene extends ContactScene {
  /** Where the centres end [m]. */
  readonly ends: readonly Triple[]
}

/** Those of Solver2D's coefficients at which a box sticks: above tan TILT = 0.2553. */
export const STICKING: readonly number[] = RAMP_FRICTION.filter((friction) => friction > Math.tan(TILT))

/** How far a box goes down the ramp [m] that starts with `speed`: v²/(2 g (ν cos TILT − sin TILT)). */
export function stopDistance(friction: number, speed: number): number {
  return (speed * speed) / (2 * 9.81 * (friction * cos(TILT) - sin(TILT)))
}

/**
 * For each coefficient at which a box sticks, two boxes of 1 m and 25 kg on a plane that falls towards +x by `TILT`: one at rest,
 * which has to stay, and one that starts down the ramp with 3 m/s, which has to stop after `stopDistance`: 0.96, 1.93 and 5.00 m,
 * the last after 3.3 s. A step h that changes velocities before positions has it stop v h/2 short, whichever solver holds the box:
 * 25 mm at 60 Hz. The plane's coefficient is 1 and a box's ν², so that the pair's is ν.
 */
export function frictionRamp(options: ContactOptions = {}): RampScene {
  const { world, collisions } = emptyWorld(options)
  const [s, c] = [sin(TILT), cos(TILT)]
  collisions.addCollider(null, { shape: plane([s, c, 0]), position: placed(options, [0, 0, 0]), friction: 1 })
  const ends: Triple[] = []
  const bodies: Body[] = []
  for (const friction of STICKING) {
    for (const speed of [0, LAUNCH]) {
      const position = placed(options, [0.5 * s, 0.5 * c, 2 * bodies.length])
      const way = stopDistance(friction, speed)
      ends.push([position[0] + way * c, position[1] - way * s, position[2]])
      bodies.push(
        collisions.addBody({
          shape: box([0.5, 0.5, 0.5]),
          mass: 25,
          position,
          orientation: turn([0, 0, 1], -TILT),
          velocity: [speed * c, -speed * s, 0],
          friction: friction * friction,
        }),
      )
    }
  }
  return { world, collisions, bodies, ends }
}
