/**
 * A chain of equal links: time of a step by how many there are. Beside other engines it is the bench's `chain-R`.
 *
 *   chain.ts [--links N] [--steps N]      one measurement, JSON
 *
 * Run with `node --import tsx --conditions=@tautline/source`. Links of 0.5 m and 1 kg on ball joints, let go from the horizontal; dt 1/60 s, nothing sleeps,
 * no shapes; 60 steps of warm-up, then the median of the rest.
 */

import { parseArgs } from 'node:util'
import { type Body, solidBox, World } from '@tautline/core'
import { ballSocket } from '@tautline/constraints'

export interface ChainResult {
  /** Of a step [µs]. */
  readonly median: number
  /** Newton's solves a step, in the mean of the measured ones. */
  readonly solves: number
}

const DT = 1 / 60
const WARM_UP = 60
const LENGTH = 0.5
const SIZE = [LENGTH, 0.1, 0.1] as const

const { values } = parseArgs({
  options: { links: { type: 'string', default: '20' }, steps: { type: 'string', default: '600' } },
})
console.log(JSON.stringify(measure(Number(values.links), Number(values.steps))))

function measure(links: number, steps: number): ChainResult {
  const world = chain(links)
  const times: number[] = []
  let solves = 0
  for (let step = 0; step < WARM_UP + steps; step++) {
    const before = performance.now()
    world.step(DT)
    const took = performance.now() - before
    if (step < WARM_UP) continue
    times.push(took)
    solves += world.report.direct.solves
  }
  times.sort((r, s) => r - s)
  return { median: 1e3 * times[times.length >> 1], solves: solves / steps }
}

function chain(links: number): World {
  const world = new World({ dt: DT, substeps: 1 })
  let a: Body | null = null
  for (let k = 0; k < links; k++) {
    const b: Body = world.addBody({ position: [(k + 0.5) * LENGTH, 0, 0], mass: 1, inertia: solidBox(1, SIZE) })
    world.add(ballSocket, { a, b, point: [k * LENGTH, 0, 0] })
    a = b
  }
  return world
}
