/** Row 12: what the kernels of packages/simd give, in speed and to the bit. Of trees of joints there are none yet, and the rows say so. */

import type { AnyType } from '@tautline/core/kernel'
import * as constraints from '@tautline/constraints'
import { collisionsFromJSON } from '@tautline/collision'
import { fromJSON, type Kernels } from '@tautline/core'
import { simd } from '@tautline/simd'
import { engineScenes } from '../../engines/scenes.js'
import { contend, errorOf, loadText, millimetres, timedOf, timedText } from '../bench.js'
import { figure, type ReportRow, skipped } from '../report.js'
import { besideRow } from './beside.js'
import { stretchText } from './cloth.js'

const TREES = 'no kernels of trees of joints yet: the time is that of plain TypeScript'

function missing(id: string, claim: string, asked: string): ReportRow {
  return { id, claim, asked, scene: 'as the row of plain TypeScript', measure: () => skipped(TREES) }
}

const piles = [10, 40, 100].map((count, k) =>
  besideRow({
    id: `12.1.${k + 1}`,
    claim: `Pile of ${count} ragdolls with kernels`,
    asked: '≤ 2.5 × Rapier SIMD',
    scene: `ragdolls-${count}`,
    text: 'as row 1',
    own: ['tautline-simd', 4],
    other: ['rapier-simd', 4],
    more: ['tautline'],
    slow: count > 10,
    error: millimetres('gap', 'gap'),
    holds: (ratio) => ratio <= 2.5,
  }),
)

const mixed = besideRow({
  id: '12.2',
  claim: 'Mixed pile of 1000 with kernels',
  asked: '≤ 2.5 × Rapier SIMD',
  scene: 'mixed',
  text: 'as row 2',
  own: ['tautline-simd', 4],
  other: ['rapier-simd', 4],
  more: ['tautline'],
  slow: true,
  error: millimetres('penetration', 'overlap'),
  holds: (ratio) => ratio <= 2.5,
})

const pyramid = besideRow({
  id: '12.3',
  claim: 'Pyramid of 210 with kernels',
  asked: '≤ 1.5 × Rapier SIMD',
  scene: 'pyramid',
  text: 'as row 3',
  own: ['tautline-simd', 4],
  other: ['rapier-simd', 4],
  more: ['tautline'],
  error: millimetres('penetration', 'overlap'),
  holds: (ratio) => ratio <= 1.5,
})

const rows = besideRow({
  id: '12.5',
  claim: 'Rows of cloth with kernels',
  asked: '≤ 0.4 × Jolt, a row and pass',
  scene: 'cloth-64',
  text: 'hung sheet of 64 × 64 vertices as row 6',
  own: ['tautline-rows-simd', 4],
  other: ['jolt', 4],
  more: ['tautline-rows'],
  error: (timed) => `${figure(1e6 * errorOf(timed, 'perPass'))} ns a row and pass, ${stretchText(timed)}`,
  holds: (ratio) => ratio <= 0.4,
})

const drape = besideRow({
  id: '12.6',
  claim: 'Cloth of 10 000 on a sphere with kernels',
  asked: '≤ 0.7 × Jolt, at no more stretch than it has',
  scene: 'drape-100',
  text: 'cloth() as row 7',
  own: ['tautline-simd', 5],
  other: ['jolt', 5],
  more: ['tautline'],
  slow: true,
  error: stretchText,
  holds: (ratio, own, other) => ratio <= 0.7 && errorOf(own, 'stretch') <= errorOf(other, 'stretch'),
})

/** [ms] */
const SELF = 8

const self: ReportRow = {
  id: '12.7',
  claim: 'Cloth of 6000 that touches itself with kernels',
  asked: `≤ ${SELF} ms a step`,
  scene: 'as row 8; bench scene `self-78`, median step',
  slow: true,
  async measure() {
    const outcomes = await contend('self-78', ['tautline-simd', 'tautline'])
    const own = timedOf(outcomes, 'tautline-simd')
    const overlap = millimetres('overlap', 'overlap')
    const times = outcomes.map((one) => timedText(one, (timed) => `${stretchText(timed)}, ${overlap(timed)}`))
    return { figures: `${times.join('; ')}; ${loadText()}`, holds: !('failed' in own) && own.median <= SELF }
  },
}

const STEPS = 600
const exported: readonly unknown[] = Object.values(constraints)
const types = exported.filter(
  (value): value is AnyType => typeof value === 'object' && value !== null && 'multipliers' in value,
)

/** The hash of a scene after every 60 steps. */
function hashes(json: string, kernels?: Kernels): string[] {
  const world = fromJSON(json, types, { collisions: collisionsFromJSON }, {}, kernels)
  return Array.from({ length: STEPS / 60 }, () => {
    for (let step = 0; step < 60; step++) world.step()
    return world.hash()
  })
}

export const bits: ReportRow = {
  id: '12.9',
  claim: 'Kernels give the bits of TypeScript',
  asked: 'every scene',
  scene: `scenes of many bodies of report \`engines\`, out of JSON, ${STEPS} steps; tests add 912 small random worlds and random sheets`,
  measure() {
    const scenes = engineScenes().filter(({ byImpulses }) => !byImpulses)
    const others = scenes.filter(({ json }) => hashes(json).join() !== hashes(json, simd()).join())
    return Promise.resolve({
      figures: `${scenes.length - others.length} of ${scenes.length} the same${others.length > 0 ? `; others: ${others.map(({ name }) => name).join(', ')}` : ''}`,
      holds: others.length === 0 && scenes.length > 0,
    })
  },
}

export const kernelRows: readonly ReportRow[] = [
  ...piles,
  mixed,
  pyramid,
  missing('12.4', 'Heavy chain with kernels', '≤ 0.4 × Rapier SIMD'),
  rows,
  drape,
  self,
  missing('12.8', 'One figure on the ground with kernels', '≤ 0.15 ms'),
  bits,
]
