/** Energy of a world, with the sums of its ledger. */

import { ENERGY_LEDGER } from '../define/step-part.js'
import { type Energy, type EnergyLedger, measureEnergy } from '../measure/energy.js'
import type { WorldState } from '../state/world-state.js'

/** Kinetic, gravitational and elastic energy [J] of a world; with the option `energyLedger`, who put it in. */
export function energyOf(world: WorldState): Energy {
  world.refreshOrder()
  const energy = measureEnergy(world)
  const ledger = world.partReport(ENERGY_LEDGER) as EnergyLedger | undefined
  return ledger === undefined ? energy : { ...energy, ledger }
}
