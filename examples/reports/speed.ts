/** Speed beside engines in WebAssembly and JavaScript. */

import type { Report } from './report.js'
import { clothRows } from './speed/cloth.js'
import { kernelRows } from './speed/kernels.js'
import { rigidRows } from './speed/rigid.js'
import { rollbackRows } from './speed/rollback.js'
import { sizeRows } from './speed/sizes.js'
import { threadRows } from './speed/threads.js'
import { twoBrowserRows } from './speed/two-browsers.js'

export const speed: Report = {
  name: 'speed',
  title: 'Speed: beside other engines, by size, rolled back',
  rows: [...rigidRows, ...clothRows, ...rollbackRows, ...twoBrowserRows, ...sizeRows, ...kernelRows, ...threadRows],
}
