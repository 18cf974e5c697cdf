/** Nothing stretches: joint trees solved directly, cloth solved by lines. */

import { badInput } from './joint-trees/bad-input.js'
import { chains } from './joint-trees/chains.js'
import { cloth } from './joint-trees/cloth.js'
import { loops } from './joint-trees/loops.js'
import { pendulum } from './joint-trees/pendulum.js'
import { ragdolls } from './joint-trees/ragdolls.js'
import { random } from './joint-trees/random.js'
import { speed } from './joint-trees/speed.js'
import type { Report } from './report.js'

export const jointTrees: Report = {
  name: 'joint-trees',
  title: 'Joint trees, ropes and cloth lines: what stretches, and at what price',
  rows: [...chains, ...speed, ...loops, ...pendulum, ...random, ...ragdolls, ...cloth, ...badInput].sort(
    (r, s) => Number(r.id) - Number(s.id),
  ),
}
