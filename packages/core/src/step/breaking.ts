/** Constraints that break: what bears more than it can is switched off. */

import { measureReaction } from './reaction.js'
import type { WorldState } from '../state/world-state.js'

/** Force [N] and couple [N m]. */
const WRENCH = /* @__PURE__ */ new Float64Array(6)

/** Disables every constraint whose force or couple exceeds what it can bear. */
export function breakOverloaded(world: WorldState): void {
  for (const batch of world.batches) {
    if (!batch.breakable) continue
    const { breakForce, breakTorque, enabled, broken } = batch.common
    for (let row = 0; row < batch.active; row++) {
      if (enabled[row] === 0 || (breakForce[row] === Infinity && breakTorque[row] === Infinity)) continue
      measureReaction(world, batch, row, 0, WRENCH)
      if (size(0) <= breakForce[row] && size(3) <= breakTorque[row]) continue
      enabled[row] = 0
      broken[row] = 1
      const slot = batch.common.slot[row]
      world.overloaded.push({ batch, slot, generation: batch.slotGeneration[slot] })
      world.markOrderStale(batch)
    }
  }
}

function size(o: number): number {
  return Math.sqrt(WRENCH[o] * WRENCH[o] + WRENCH[o + 1] * WRENCH[o + 1] + WRENCH[o + 2] * WRENCH[o + 2])
}
