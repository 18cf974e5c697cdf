/** B1: equal ball links from nearly straight to targets uniform in a ball of 0.95 of the reach. */

import { type ChainTask, equalLinks, LENGTH, nearlyStraight } from './chain.js'
import { Random } from './random.js'

/** Links of the chains. */
export const REACH_LINKS = [3, 7, 20, 100] as const
/** Radius of the ball of targets, as a share of the reach. */
export const BALL = 0.95
const SEED = 11
export const ITERATIONS = 200

export function reachTask(n: number, targets: number): ChainTask {
  const random = new Random(SEED + n)
  const start = nearlyStraight(n, random)
  return {
    name: `reach-${n}`,
    text: `${n} ball links, ${targets} targets uniform in ${BALL} of the reach, ${ITERATIONS} iterations`,
    links: equalLinks(n),
    start,
    targets: Float64Array.from(Array.from({ length: targets }, () => random.inBall(BALL * LENGTH)).flat()),
    iterations: ITERATIONS,
  }
}
