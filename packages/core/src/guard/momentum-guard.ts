/** The momentum guard: both corrections of the finite rotations of a substep, in the order in which they must run. */

import type { WorldView } from '../define/contract.js'
import type { StepPart, WorldParts } from '../define/step-part.js'
import { FreeMomenta } from './free-momenta.js'
import { SpinBound } from './spin-bound.js'

class MomentumGuard implements StepPart {
  readonly name = 'momentumGuard'
  private readonly spinBound = new SpinBound()
  private readonly freeMomenta = new FreeMomenta()
  private isBounded = false
  private isFree = false

  beginVelocities(world: WorldView, h: number): void {
    this.isBounded = this.spinBound.begin(world, h)
    this.isFree = this.freeMomenta.begin(world)
  }

  /** Momenta are restored first, so that the energy bound also covers what they add. */
  endVelocities(world: WorldView, h: number): void {
    if (this.isFree) this.freeMomenta.end(world, h)
    if (this.isBounded) this.spinBound.end(world)
  }
}

/** Part of a world: free components keep their momenta, and fast rotation gains no energy. */
export function momentumGuard(world: WorldParts): void {
  world.addPart(new MomentumGuard())
}
