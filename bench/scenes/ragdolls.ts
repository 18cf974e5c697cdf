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
      { engine: 'tautline', usual: [4], ...(isPlotted && { others: [1, 2, 8] }) },
      { engine: 'tautline-simd', usual: [4] },
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
    contenders: [{ engine: 'tautline', usual: [4] }, ...others({ without: ['cannon-es'] })],
    data: () => limitedFigures(count, detail),
  })
}

export const ragdolls = [
  ...COUNTS.map(balls),
  ...[1, ...COUNTS].flatMap((count) => DETAILS.map((detail) => limited(count, detail))),
]
