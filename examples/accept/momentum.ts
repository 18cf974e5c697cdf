/** Drift of linear and angular momentum of a world that nothing acts on. */

import type { World } from '@tautline/core'
import { type Measure, worstOf } from './measure.js'

type Vector = readonly [number, number, number]

/** Largest change of both momenta, as shares of their values at the start. */
export function momentumDrift(world: World, bound: number): Measure[] {
  const start = world.momentum()
  const drift = (now: Vector, before: Vector): number =>
    Math.hypot(now[0] - before[0], now[1] - before[1], now[2] - before[2]) / Math.hypot(...before)
  return (['linear', 'angular'] as const).map((name) =>
    worstOf('share', `drift of ${name} momentum`, bound, () => drift(world.momentum()[name], start[name]), {
      absolute: bound,
    }),
  )
}
