/** Rows 1 to 4: figures, piles, cloth and soft bodies with kernels, beside other engines. */

import { errorOf, millimetres, type Timed } from '../bench.js'
import type { ReportRow } from '../report.js'
import { besideRow, percent } from './beside.js'

/** Default substeps of a world, and those of the bench. */
const WORKS = [8, 4]
const SIMD = 'rapier-simd'

const figures = [1, 10, 100].map((count, k) =>
  besideRow({
    id: `1.${k + 1}`,
    claim: `${count} figure${count > 1 ? 's' : ''} of 15 parts`,
    scene: `figures-${count}-15`,
    works: WORKS,
    asked: [
      [SIMD, 4, count > 10 ? 2.5 : 2],
      ['jolt', 1, count > 10 ? 1.5 : 1],
    ],
    slow: count > 10,
    error: millimetres('gap', 'gap'),
  }),
)

const boxes = [10, 40, 100].map((count, k) =>
  besideRow({
    id: `1.4.${k + 1}`,
    claim: `${count} figures of 11 boxes`,
    scene: `ragdolls-${count}`,
    works: WORKS,
    asked: [[SIMD, 4, 2]],
    slow: count > 10,
    error: millimetres('gap', 'gap'),
  }),
)

const mixed = besideRow({
  id: '2.1',
  claim: 'Mixed pile of 1000, falling',
  scene: 'mixed',
  works: [4],
  asked: [['jolt', 1, 1.5]],
  slow: true,
  error: millimetres('penetration', 'overlap'),
})

const pyramid = besideRow({
  id: '2.2',
  claim: 'Pyramid of 210',
  scene: 'pyramid',
  works: [4],
  asked: [[SIMD, 4, 2]],
  error: millimetres('penetration', 'overlap'),
})

/** Share of Jolt's stretch. */
const STRETCH = 0.2

function stretchesLess(own: Timed, others: readonly Timed[]): boolean {
  return others.every((other) => errorOf(own, 'stretch') <= STRETCH * errorOf(other, 'stretch'))
}

const drape = besideRow({
  id: '3.1',
  claim: 'Cloth of 100 × 100 on a sphere',
  scene: 'drape-100',
  works: [5],
  asked: [['jolt', 5, 3]],
  also: [`≤ ${STRETCH} of its stretch`, stretchesLess],
  error: percent('stretch'),
})

const self = besideRow({
  id: '3.2',
  claim: 'Cloth of 6084 that touches itself',
  scene: 'self-78',
  works: [10],
  asked: [['plain', 10, 0.4]],
  slow: true,
  error: percent('stretch'),
})

function losesLess(own: Timed, others: readonly Timed[]): boolean {
  return others.every((other) => errorOf(own, 'volumeError') <= errorOf(other, 'volumeError'))
}

const cube = besideRow({
  id: '4.1',
  claim: 'Cube of 960 tetrahedra, `softBody()` at its defaults',
  scene: 'soft-cube',
  works: [8],
  asked: [['rapier', 5, 0.5]],
  also: ['no more loss of volume', losesLess],
  error: percent('volumeError'),
})

const springs = besideRow({
  id: '4.2',
  claim: 'The same by springs',
  scene: 'soft-cube',
  works: [8],
  own: ['tautline-springs-simd', 'tautline-springs'],
  asked: [['jolt', 5, 3]],
  error: percent('volumeError'),
})

export const timeRows: readonly ReportRow[] = [...figures, ...boxes, mixed, pyramid, drape, self, cube, springs]
