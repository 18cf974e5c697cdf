/** Never explodes: no motion, setting or start makes energy out of nothing. */

import { cloth } from './passive/cloth.js'
import { elsewhere } from './passive/elsewhere.js'
import { friction } from './passive/friction.js'
import { impacts } from './passive/impacts.js'
import { posing } from './passive/posing.js'
import { project } from './passive/project.js'
import { scenes } from './passive/scenes.js'
import { soft } from './passive/soft.js'
import { spin } from './passive/spin.js'
import { stacks } from './passive/stacks.js'
import { trees } from './passive/trees.js'
import type { Report } from './report.js'

export const passive: Report = {
  name: 'passive',
  title: 'Passive in motion: what gains energy that nothing put in, and how far joints part',
  rows: [
    ...trees,
    ...scenes,
    ...soft,
    ...impacts,
    ...spin,
    ...cloth,
    ...friction,
    ...stacks,
    ...posing,
    ...project,
    ...elsewhere,
  ].sort((r, s) => r.id.localeCompare(s.id, 'en', { numeric: true })),
}
