/** What hangs together, and what is found out about one that looks as if it had gained energy. */

import type { WorldView } from '../define/contract.js'

/** Knows which bodies belong to the component of a root. */
export interface Components {
  isIn(world: WorldView, i: number, root: number): boolean
}

/** What the guard finds out about one component that looks as if it had gained. */
export interface Suspect {
  root: number
  /** U₀ − U₁ where that is positive [J]. */
  released: number
  /** T_led of all that leads [J]. */
  led: number
  /** The same without drives that have a damping, and the most that those can have put in [J]. */
  ledOtherwise: number
  driven: number
  /** Something acts on it whose energy nobody knows. */
  unknown: boolean
}

/** What kinematic bodies do to components, by root: one of them, or 0, and how fast the fastest moves [m/s] and turns [rad/s]. */
export interface Leading {
  readonly leader: Int32Array
  readonly speed: Float64Array
  readonly spin: Float64Array
}
