/** Ragdolls for games. */

import { moverRows } from './ragdolls/mover.js'
import type { Report } from './report.js'

export const ragdolls: Report = {
  name: 'ragdolls',
  title: 'Ragdolls for games',
  rows: [...moverRows],
}
