/** The gap of joints, measured from anchors and poses and not from what the solver says of itself. */

import type { Body, World } from '@tautline/core'
import { type Measure, worstOf } from './measure.js'

/** Types whose two anchors have to stay together. */
const HOLDING = ['ballSocket', 'fixed', 'hinge', 'universal', 'swingTwist']

type Point = [number, number, number]

/** Largest distance between the two anchors of a rigid joint [m]. */
export function jointGap(world: World): number {
  let gap = 0
  for (const { def, bodies, typeName, broken } of world.constraints()) {
    const { anchorA, anchorB, compliance = 0 } = def as { anchorA?: Point; anchorB?: Point; compliance?: number }
    if (broken || compliance > 0 || !HOLDING.includes(typeName) || anchorA === undefined || anchorB === undefined)
      continue
    const [a, b] = bodies as (Body | null)[]
    const [p, q] = [a?.toWorld(anchorA) ?? anchorA, b?.toWorld(anchorB) ?? anchorB]
    gap = Math.max(gap, Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]))
  }
  return gap
}

/** What issue 44 asks of default accuracy [m]: a hundredth of a millimetre. */
const GAP = 1e-5

/** Worst gap of the joints of a world over the run. */
export function worstGap(world: World, bound: number = GAP, tolerance = {}): Measure {
  return worstOf('gap', 'joint gap', bound, () => jointGap(world), tolerance)
}
