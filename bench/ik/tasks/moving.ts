/**
 * B4: a target that moves smoothly, and twice beyond the reach and back, followed with few iterations a frame.
 *
 *   ρ = 0.8 + 0.25 sin(2π t/7.5), azimuth 0.9 sin(2π t/7), elevation 0.6 sin(2π t/4 + 0.5)   [reach], [rad], t [s]
 */

import { cos, sin } from '@tautline/core/kernel'
import { equalLinks, LENGTH, nearlyStraight } from './chain.js'
import { Random } from './random.js'
import { BALL } from './reach.js'

export interface MovingTask {
  readonly name: string
  readonly text: string
  readonly links: readonly number[]
  readonly start: Float64Array
  /** Three numbers a frame [m]. */
  readonly path: Float64Array
  readonly frames: number
  /** Frames of the way from the start to the path, not measured. */
  readonly warmUp: number
  readonly iterations: number
  /** Given to the solver [m]: below what the row asks. */
  readonly tolerance: number
}

export const MOVING_LINKS = [7, 20] as const
const FRAMES = 900
const WARM_UP = 60
const RATE = 60
const SEED = 37

export function movingTask(n: number): MovingTask {
  const path = new Float64Array(3 * FRAMES)
  for (let frame = 0; frame < FRAMES; frame++) {
    const turn = (2 * Math.PI * frame) / RATE
    const radius = LENGTH * (0.8 + 0.25 * sin(turn / 7.5))
    const azimuth = 0.9 * sin(turn / 7)
    const elevation = 0.6 * sin(turn / 4 + 0.5)
    const level = radius * cos(elevation)
    path.set([level * cos(azimuth), level * sin(azimuth), radius * sin(elevation)], 3 * frame)
  }
  return {
    name: `moving-${n}`,
    text: `${n} ball links, ${FRAMES} frames of a target that leaves the reach, 4 iterations a frame`,
    links: equalLinks(n),
    start: nearlyStraight(n, new Random(SEED + n)),
    path,
    frames: FRAMES,
    warmUp: WARM_UP,
    iterations: 4,
    tolerance: 1e-6 * LENGTH,
  }
}

/** Where a target is: a solver that eases near the reach has an error between the two. */
export function zone(path: Float64Array, frame: number): 'inside' | 'near' | 'outside' {
  const [x, y, z] = path.subarray(3 * frame, 3 * frame + 3)
  const radius = Math.sqrt(x * x + y * y + z * z)
  if (radius <= BALL * LENGTH) return 'inside'
  return radius <= LENGTH ? 'near' : 'outside'
}
