/** What pulleys consist of at present. */

import type { Constraint } from '@tautline/core'
import type { AssemblyState } from '../assembly.js'
import type { Winch } from '../parts/winch.js'

/** What pulleys consist of. */
export interface PulleysState extends AssemblyState {
  /** Its row; none where a body that it ran over was gone when it was saved. */
  readonly rope: Constraint | undefined
  readonly winch: Winch
  /** Tension at which it breaks [N]. */
  readonly breakForce: number
}
