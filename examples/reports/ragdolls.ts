/** Ragdolls of any skeleton in one call. */

import { balanceRows } from './ragdolls/balance.js'
import { buildRows } from './ragdolls/build.js'
import { fallRows } from './ragdolls/falls.js'
import { motionRows } from './ragdolls/motion.js'
import { moverRows } from './ragdolls/mover.js'
import type { Report } from './report.js'

export const ragdolls: Report = {
  name: 'ragdolls',
  title: 'Ragdolls: made of any skeleton, tracked, handed over, falling',
  rows: [...buildRows, ...motionRows, ...fallRows, ...balanceRows, ...moverRows],
}
