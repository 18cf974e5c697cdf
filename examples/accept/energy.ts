/**
 * Energy gain: by how much energy rises above the least that there was before, less the work put in, as a share of what there was at the start plus that work.
 *
 *   E*   = T + V + U + ½ h g·p          without U where only motion counts; the last term is the half substep by which velocities are ahead of poses: without it E falls by ½ m g² h² a substep
 *   rise = max over t of (E* − W)(t) − min over s ≤ t of (E* − W)(s)
 *   gain = rise / (T₀ + U₀ + largest loss of V + Σ W⁺)
 */

import type { Energy, World } from '@tautline/core'
import { TOLERANCES, type Measure } from './measure.js'

/** Below this share of a joule nothing can be told from round-off [J]. */
const LEAST_SCALE = 1e-9

/** The energy gain of a world. With `energyLedger` the work of users, forces, drives and kinematic bodies counts as put in. */
export function energyGain(world: World, bound: number, of: 'all' | 'motion' = 'all'): Measure {
  const start = world.energy()
  let [least, rise, drop, worked, last] = [Infinity, 0, 0, 0, workOf(start)]
  return {
    name: 'energy gain',
    unit: '',
    bound,
    tolerance: TOLERANCES.share,
    sample() {
      const now = world.energy()
      const work = workOf(now)
      worked += Math.max(0, work - last)
      last = work
      const free = now.total - (of === 'motion' ? now.elastic : 0) + aheadOf(world) - work
      least = Math.min(least, free)
      rise = Math.max(rise, free - least)
      drop = Math.max(drop, start.potential - now.potential)
    },
    value: () => rise / Math.max(LEAST_SCALE, start.kinetic + start.elastic + drop + worked),
  }
}

/** What a world loses in which nothing should take energy out, as a share of what was in motion or fell: the damping of the method itself. */
export function energyLost(world: World, bound: number): Measure {
  const start = world.energy()
  const before = start.total + aheadOf(world)
  let [lost, drop] = [0, 0]
  return {
    name: 'energy lost',
    unit: '',
    bound,
    tolerance: TOLERANCES.share,
    sample() {
      const now = world.energy()
      lost = before - now.total - aheadOf(world)
      drop = Math.max(drop, start.potential - now.potential)
    },
    value: () => lost / Math.max(LEAST_SCALE, start.kinetic + start.elastic + drop),
  }
}

/** Work put in so far [J]; 0 without a ledger. */
function workOf({ ledger }: Energy): number {
  return ledger === undefined ? 0 : ledger.user + ledger.forces + ledger.drives + ledger.kinematic
}

/** ½ h g·p [J]. */
export function aheadOf(world: World): number {
  const { dt, substeps, gravity } = world.settings
  const { linear } = world.momentum()
  const power = gravity[0] * linear[0] + gravity[1] * linear[1] + gravity[2] * linear[2]
  return (0.5 * dt * power) / substeps
}
