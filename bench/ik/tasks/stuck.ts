/** B10: cases in which solvers stand still, spin, or come back with NaN. */

import type { Joint } from '../solver.js'
import { equalLinks, nearlyStraight, planar, straight } from './chain.js'
import { Random } from './random.js'
import { ITERATIONS } from './reach.js'

export interface StuckCase {
  readonly name: string
  readonly links: readonly number[]
  readonly joints?: readonly Joint[]
  readonly start: Float64Array
  readonly target: readonly [number, number, number]
  /** Smallest error that any pose has [m]; NaN when the target is not finite: then the pose must stay. */
  readonly best: number
  /** What a solver that reports how it ended should say; an error by name counts too where the input is bad. */
  readonly status: readonly string[]
  readonly iterations: number
  readonly tolerance: number
}

const COMMON = { iterations: ITERATIONS, tolerance: 1e-4 }
const SEVEN = equalLinks(7)
const bent = (): Float64Array => nearlyStraight(7, new Random(41))

/** Five hinges about z, −6° … 17°, all at the upper bound; pulled further round. */
const LIMIT = 0.3
/** Of the target of that case, by coordinate descent from 40 random poses: all five at the bound [m]. */
const NEAREST_AT_LIMIT = 0.5672634431624499
const HINGES: Joint[] = equalLinks(5).map(() => ({ kind: 'hinge', axis: [0, 0, 1], limits: { min: -0.1, max: LIMIT } }))

export const STUCK: readonly StuckCase[] = [
  {
    name: 'straight, error along it',
    links: SEVEN,
    start: straight(7),
    target: [0.5, 0, 0],
    best: 0,
    status: ['converged'],
    ...COMMON,
  },
  {
    name: 'straight, target behind the root',
    links: SEVEN,
    start: straight(7),
    target: [-0.5, 0, 0],
    best: 0,
    status: ['converged'],
    ...COMMON,
  },
  {
    name: 'target at the root',
    links: SEVEN,
    start: bent(),
    target: [0, 0, 0],
    best: 0,
    status: ['converged'],
    ...COMMON,
  },
  {
    name: 'target at the root, out of reach',
    links: [0.6, 0.2, 0.2],
    start: nearlyStraight(3, new Random(43)),
    target: [0, 0, 0],
    best: 0.2,
    status: ['unreachable', 'stalled'],
    ...COMMON,
  },
  {
    name: 'target beyond the reach',
    links: SEVEN,
    start: bent(),
    target: [1.2, 1.6, 0],
    best: 1,
    status: ['unreachable'],
    ...COMMON,
  },
  {
    name: 'straight, target beyond the reach ahead',
    links: SEVEN,
    start: straight(7),
    target: [2, 0, 0],
    best: 1,
    status: ['unreachable'],
    ...COMMON,
  },
  {
    name: 'all joints at their limit',
    links: equalLinks(5),
    joints: HINGES,
    start: planar(HINGES.map(() => LIMIT)),
    target: [0, 0.7, 0],
    best: NEAREST_AT_LIMIT,
    status: ['limit', 'stalled'],
    ...COMMON,
  },
  {
    name: 'link of length 0',
    links: [0.25, 0, 0.25, 0.5],
    start: nearlyStraight(4, new Random(47)),
    target: [0.3, 0.4, 0.2],
    best: 0,
    status: ['converged', 'RangeError'],
    ...COMMON,
  },
  {
    name: 'target NaN',
    links: SEVEN,
    start: bent(),
    target: [0.3, NaN, 0],
    best: NaN,
    status: ['invalid', 'TypeError', 'RangeError'],
    ...COMMON,
  },
  {
    name: 'target infinite',
    links: SEVEN,
    start: bent(),
    target: [Infinity, 0, 0],
    best: NaN,
    status: ['invalid', 'TypeError', 'RangeError'],
    ...COMMON,
  },
]
