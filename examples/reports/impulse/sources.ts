/** Rows 2: the results of the velocity-level sources, with numbers. */

import type { ReportRow } from '../report.js'
import { impacts } from './impacts.js'
import { integrators } from './integrators.js'
import { joints } from './joints.js'
import { pendulums } from './pendulums.js'
import { stacks } from './stacks.js'
import { warmStart } from './warm-start.js'
import { waterson } from './waterson.js'

export const sources: readonly ReportRow[] = [
  ...stacks,
  ...pendulums,
  ...warmStart,
  ...integrators,
  ...joints,
  ...impacts,
  ...waterson,
]
