/** What pulleys consist of at present. */

import type { Constraint } from '@tautline/core'
import type { AssemblyState } from '../assembly.js'
import type { Winch } from '../parts/winch.js'

/** What pulleys consist of. */
export interface PulleysState extends AssemblyState {
  readonly rope: Constraint
  readonly winch: Winch
  /** Tension at which it breaks [N]. */
  readonly breakForce: number
}
