/** Generators of random joint trees for fast-check. */

import fc from 'fast-check'
import { JOINT_TYPES, type LinkPlan, type TreePlan, type Triple } from '../scenes/trees/random.js'

export interface PlanOptions {
  /** Most bodies. @defaultValue 64 */
  bodies?: number
  /** Masses span so many powers of ten. @defaultValue 6 */
  decades?: number
  /** Whether joints start violated, by up to the largest size of a body [m] and by any angle. @defaultValue true */
  violated?: boolean
  /** Least that a limit is away from the present value on either side [rad, m]. @defaultValue 0 */
  room?: number
  /** Most speed [m/s] and spin [rad/s] at the start. @defaultValue 1 */
  speed?: number
}

/** Sides of a body [m]. */
const LEAST_SIZE = 0.2
const MOST_SIZE = 1.2
/** Anchors are within the largest body [m]; limits are up to half a radian or metre away. */
const LEVER = 0.5
const RANGE = 0.5

function number(min: number, max: number): fc.Arbitrary<number> {
  return fc.double({ min, max, noNaN: true, noDefaultInfinity: true })
}

function triple(min: number, max: number): fc.Arbitrary<Triple> {
  return fc.tuple(number(min, max), number(min, max), number(min, max))
}

function link({ decades = 6, violated = true, room = 0, speed = 1 }: PlanOptions): fc.Arbitrary<LinkPlan> {
  const share = triple(0, 1)
  const shift = violated ? MOST_SIZE : 0
  return fc
    .record({
      kind: fc.constantFrom(...JOINT_TYPES),
      parent: number(0, 1),
      mass: number(-0.5 * decades, 0.5 * decades).map((exponent) => 10 ** exponent),
      size: triple(LEAST_SIZE, MOST_SIZE),
      turn: share,
      wanted: violated ? fc.option(share, { nil: undefined }) : fc.constant(undefined),
      anchorA: triple(-LEVER, LEVER),
      anchorB: triple(-LEVER, LEVER),
      shift: triple(-shift, shift),
      axis: fc.tuple(number(0, 1), number(0, 1)),
      range: fc.option(fc.tuple(number(room, RANGE), number(room, RANGE)), { nil: undefined }),
      mode: fc.constantFrom('rigid', 'rope', 'strut'),
      length: number(LEAST_SIZE, MOST_SIZE),
      velocity: triple(-speed, speed),
      spin: triple(-speed, speed),
    })
    .map(({ wanted, range, ...rest }) => ({
      ...rest,
      ...(wanted !== undefined && { wanted }),
      ...(range !== undefined && { range }),
    }))
}

/** Plans of trees of three bodies and more. */
export function treePlans(options: PlanOptions = {}): fc.Arbitrary<TreePlan> {
  const { bodies = 64 } = options
  return fc.record({
    hangs: fc.boolean(),
    links: fc.array(link(options), { minLength: 3, maxLength: bodies, size: 'max' }),
  })
}
