/** Change: whether the library can be changed without fear. */

import { gate } from './change/gate.js'
import type { Report } from './report.js'

export const change: Report = {
  name: 'change',
  title: 'Change: the acceptance gate, tests, connectivity, sizes, layers and set-up',
  rows: [...gate],
}
