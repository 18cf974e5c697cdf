/** Piles of ragdolls: of boxes on ball joints, the same for all engines; and of figures with limits, at every level of detail. */

import type { BenchScene } from '../harness/scene.js'
import { ballFigures, limitedFigures } from '../rigid/figures.js'
import { rigidScene } from '../rigid/task.js'
import { others } from './contenders.js'

const COUNTS = [10, 40, 100]
const DETAILS = [11, 15, 20] as const
/** Figures whose error is drawn against time: more processes than these take no more memory than is there. */
const PLOTTED = 10
/** cannon-es takes longer than a second for a step of more than so many. */
const CANNON = 10

/** Tautline at other settings: only when asked for by name and `--work`. */
const VARIANTS = ['tautline-sweep', 'tautline-tight', 'tautline-friction']
/** Figures of one heap, and how far apart its columns are [m]. */
const HEAP = 20
const NEAR = 0.5

function balls(count: number): BenchScene {
  const isPlotted = count === PLOTTED
  return rigidScene({
    name: `ragdolls-${count}`,
    family: 'Ragdolls',
    text: `${count} figures of 11 boxes on ball joints, the mannequin, dropped flat from ${count > 10 ? 'up to 7' : '2'} m on a floor; parts of a figure touch unless joined or overlapping at rest`,
    samples: 300,
    ...(count <= 10 && { quick: 90 }),
    ...(isPlotted && { precision: 'gap' }),
    contenders: [
      { engine: 'tautline', usual: [4, 8], ...(isPlotted && { others: [1, 2] }) },
      { engine: 'tautline-tight', usual: [] },
      { engine: 'tautline-simd', usual: [4, 8] },
      ...others({ more: isPlotted, without: count > CANNON ? ['cannon-es'] : [] }),
    ],
    data: () => ballFigures(count),
  })
}

function limited(count: number, detail: (typeof DETAILS)[number]): BenchScene {
  return rigidScene({
    name: `figures-${count}-${detail}`,
    family: 'Ragdolls',
    text: `${count} figure${count > 1 ? 's' : ''} of ${detail} parts with limits of swing and twist, \`ragdoll()\` of the mannequin with its defaults; boxes and capsules, dropped flat on a floor`,
    samples: 300,
    ...(detail === 15 && count <= 10 && { quick: 90 }),
    contenders: [
      { engine: 'tautline', usual: detail === 15 ? [4, 8] : [4] },
      { engine: 'tautline-simd', usual: detail === 15 ? [4, 8] : [] },
      ...VARIANTS.map((engine) => ({ engine, usual: [] })),
      ...others({ without: ['cannon-es'] }),
    ],
    data: () => limitedFigures(count, detail),
  })
}

const heap: BenchScene = rigidScene({
  name: 'heap-20-15',
  family: 'Ragdolls',
  text: `${HEAP} figures of 15 parts with limits in one heap, dropped flat on a floor in columns ${NEAR} m apart`,
  samples: 300,
  contenders: [
    { engine: 'tautline', usual: [8] },
    { engine: 'rapier', usual: [4] },
  ],
  data: () => limitedFigures(HEAP, 15, NEAR),
})

export const ragdolls = [
  ...COUNTS.map(balls),
  ...[1, ...COUNTS].flatMap((count) => DETAILS.map((detail) => limited(count, detail))),
  heap,
]
