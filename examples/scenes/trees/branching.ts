/** A mobile: bars that hang from the ends of bars. */

import { type Body, type Constraint, solidBox, World, type WorldOptions } from '@tautline/core'
import { ballSocket } from '@tautline/constraints'
import { randomNumbers } from '../../lib/random.js'
import type { JointScene } from '../impulse/index.js'
import { ONE_SUBSTEP } from './chains.js'

/** Half a bar of the top level [m], by how much the bars of each level are shorter, and how far below its joint a bar is [m]. */
const HALF = 2
const SHORTER = 0.5
const DROP = 0.3
const THICK = 0.05

/**
 * A mobile of `levels` levels: each bar hangs from a ball joint above its middle, and carries one at each of its ends. Seven
 * levels have 127 joints. Masses of the lowest differ by up to half, so that it swings.
 */
export function mobile(levels: number = 7, options: WorldOptions = {}, seed: number = 5): JointScene {
  const world = new World({ ...ONE_SUBSTEP, ...options })
  const random = randomNumbers(seed)
  const bodies: Body[] = []
  const joints: Constraint[] = []
  const hang = (above: Body | null, x: number, y: number, level: number): void => {
    const half = HALF * SHORTER ** level
    const mass = level === levels - 1 ? 1 + 0.5 * random() : 1
    const bar = world.addBody({
      position: [x, y - DROP, 0],
      mass,
      inertia: solidBox(mass, [2 * half, THICK, THICK]),
    })
    bodies.push(bar)
    joints.push(world.add(ballSocket, { a: above, b: bar, point: [x, y, 0] }) as Constraint)
    if (level + 1 === levels) return
    hang(bar, x - half, y - DROP, level + 1)
    hang(bar, x + half, y - DROP, level + 1)
  }
  hang(null, 0, 0, 0)
  return { world, bodies, joints }
}
