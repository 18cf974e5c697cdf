/** Rows 1 to 5: piles of ragdolls, the mixed pile, the pyramid, the heavy chain, one figure. */

import { contend, errorOf, loadText, millimetres, timedOf, timedText } from '../bench.js'
import type { ReportRow } from '../report.js'
import { besideRow } from './beside.js'

/** [m] */
const MOST_GAP = 2e-3
const P95 = 1.6

const piles = [10, 40, 100].map((count, k) =>
  besideRow({
    id: `1.${k + 1}`,
    claim: `Pile of ${count} ragdolls in plain TypeScript`,
    asked: `≤ 1.0 × Jolt, p95 ≤ ${P95} × own median, gap ≤ 2 mm`,
    scene: `ragdolls-${count}`,
    text: 'figures of 11 boxes on ball joints, 4 substeps',
    own: ['tautline', 4],
    other: ['jolt', 1],
    more: ['crashcat', 'rapier-simd', 'havok'],
    slow: count > 10,
    error: millimetres('gap', 'gap'),
    holds: (ratio, own) => ratio <= 1 && own.p95 <= P95 * own.median && errorOf(own, 'gap') <= MOST_GAP,
  }),
)

const mixed = besideRow({
  id: '2',
  claim: 'Mixed pile of 1000 in plain TypeScript',
  asked: '≤ 1.0 × Jolt, at no more overlap than it has',
  scene: 'mixed',
  text: 'five kinds of shapes in a pit, 4 substeps',
  own: ['tautline', 4],
  other: ['jolt', 1],
  more: ['crashcat', 'rapier-simd', 'havok'],
  slow: true,
  error: millimetres('penetration', 'overlap'),
  holds: (ratio, own, other) =>
    ratio <= 1 && errorOf(own, 'lost') === 0 && errorOf(own, 'penetration') <= errorOf(other, 'penetration'),
})

const pyramid = besideRow({
  id: '3',
  claim: 'Pyramid of 210 in plain TypeScript',
  asked: '≤ 0.8 × crashcat, at no more overlap than it has',
  scene: 'pyramid',
  text: 'boxes of 1 m, 4 substeps',
  own: ['tautline', 4],
  other: ['crashcat', 10],
  more: ['jolt', 'rapier-simd', 'havok'],
  error: millimetres('penetration', 'overlap'),
  holds: (ratio, own, other) => ratio <= 0.8 && errorOf(own, 'penetration') <= errorOf(other, 'penetration'),
})

const chain = besideRow({
  id: '4',
  claim: 'Heavy chain, R = 1000, in plain TypeScript',
  asked: '≤ 0.7 × Rapier SIMD at its 4 iterations',
  scene: 'chain-1000',
  text: '20 links, the last of 1000 kg, one substep, solved directly',
  own: ['tautline', 1],
  other: ['rapier-simd', 4],
  more: ['jolt', 'crashcat', 'havok'],
  error: millimetres('gap', 'gap'),
  holds: (ratio, own) => ratio <= 0.7 && errorOf(own, 'gap') <= MOST_GAP,
})

/** [ms] */
const ONE_FIGURE = 0.3

const figure: ReportRow = {
  id: '5',
  claim: 'One figure on the ground in plain TypeScript',
  asked: `≤ ${ONE_FIGURE} ms a step`,
  scene:
    'ragdoll() of 15 parts with limits, 4 substeps, dropped flat on a floor; bench scene `figures-1-15`, median step',
  async measure() {
    const outcomes = await contend('figures-1-15')
    const own = timedOf(outcomes, 'tautline')
    const times = outcomes.map((one) => timedText(one, millimetres('gap', 'gap')))
    return {
      figures: `${times.join('; ')}; ${loadText()}`,
      holds: !('failed' in own) && own.median <= ONE_FIGURE,
    }
  },
}

export const rigidRows: readonly ReportRow[] = [...piles, mixed, pyramid, chain, figure]
