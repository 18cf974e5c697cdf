/** Change: whether the library can be changed without fear. */

import { CONSTANT_ROWS } from './change/constants.js'
import { gate } from './change/gate.js'
import { graph } from './change/graph.js'
import { SEED_ROWS } from './change/seeds.js'
import { setUp } from './change/set-up.js'
import { sizes } from './change/sizes.js'
import { structure } from './change/structure.js'
import { testRows } from './change/tests.js'
import type { Report } from './report.js'

export const change: Report = {
  name: 'change',
  title: 'Change: the acceptance gate, tests, connectivity, sizes, layers and set-up',
  rows: [...gate, ...testRows, ...SEED_ROWS, ...graph, ...sizes, ...structure, ...CONSTANT_ROWS, ...setUp],
}
