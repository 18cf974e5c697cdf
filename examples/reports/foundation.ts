/** The foundation's claims: the paper's figures, closed forms, conservation, clamping, speed, size, replays. */

import { conservation } from './foundation/conservation.js'
import { dynamics } from './foundation/dynamics.js'
import { engineering } from './foundation/engineering.js'
import { statics } from './foundation/statics.js'
import type { Report } from './report.js'

export const foundation: Report = {
  name: 'foundation',
  title: 'Foundation: the displacement loop and every constraint of the paper',
  rows: [...statics, ...dynamics, ...conservation, ...engineering].sort((r, s) => Number(r.id) - Number(s.id)),
}
