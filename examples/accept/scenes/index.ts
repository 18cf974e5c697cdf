/** All scenes of the gate, by family. */

import type { AcceptScene } from '../scene.js'
import { chains } from './chains.js'
import { cloths } from './cloth.js'
import { flight } from './flight.js'
import { joints } from './joints.js'
import { machines } from './machines.js'
import { piles } from './piles.js'
import { ragdolls } from './ragdolls.js'
import { ropes } from './ropes.js'
import { softBodies } from './soft.js'

export const SCENES: readonly AcceptScene[] = [
  ...ragdolls,
  ...chains,
  ...joints,
  ...flight,
  ...ropes,
  ...cloths,
  ...softBodies,
  ...piles,
  ...machines,
]
