/** What does not stretch: joint trees, chains, cloth lines. */

import { cloth } from './joint-trees/cloth.js'
import type { Report } from './report.js'

export const jointTrees: Report = {
  name: 'joint-trees',
  title: 'Joint trees, ropes and cloth lines: what stretches, and at what price',
  rows: [...cloth],
}
