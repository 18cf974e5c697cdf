/** What kernels give: time beside other engines, bits, copies and sizes. */

import { ownRows } from './kernels/own.js'
import { timeRows } from './kernels/times.js'
import type { Report } from './report.js'

export const kernels: Report = {
  name: 'kernels',
  title: 'Kernels: what compiled loops give, at default settings',
  rows: [...timeRows, ...ownRows],
}
