/** Ragdolls of any skeleton in one call. */

import { balanceRows } from './ragdolls/balance.js'
import { buildRows } from './ragdolls/build.js'
import { fallRows } from './ragdolls/falls.js'
import { getUpRows } from './ragdolls/get-up.js'
import { heapRows } from './ragdolls/heaps.js'
import { loopIkRows } from './ragdolls/loop-ik.js'
import { mappingRows } from './ragdolls/mapping.js'
import { motionRows } from './ragdolls/motion.js'
import { moverRows } from './ragdolls/mover.js'
import { obstacleRows } from './ragdolls/obstacles.js'
import { partialRows } from './ragdolls/partial.js'
import { speedRows } from './ragdolls/speed.js'
import { thrownRows } from './ragdolls/thrown.js'
import type { Report } from './report.js'

export const ragdolls: Report = {
  name: 'ragdolls',
  title: 'Ragdolls: made of any skeleton, tracked, handed over, falling',
  rows: [
    ...buildRows,
    ...mappingRows,
    ...speedRows,
    ...motionRows,
    ...thrownRows,
    ...fallRows,
    ...getUpRows,
    ...heapRows,
    ...balanceRows,
    ...partialRows,
    ...loopIkRows,
    ...obstacleRows,
    ...moverRows,
  ],
}
