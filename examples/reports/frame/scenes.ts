/** Scenes of rows 1 to 3, with their engines: what rows on precision read again. */

import type { Compared } from './measured.js'

const ENGINES = ['tautline', 'crashcat', 'jolt', 'rapier']
const CRASHCAT = ['crashcat', 10] as const
const RAPIER = ['rapier', 4] as const

const limited = [
  [1, 1],
  [10, 1],
  [40, 1.3],
  [100, 1.3],
].map(([count, most], k): Compared => ({
  id: `1.${k + 1}`,
  claim: `${count} figure${count > 1 ? 's' : ''} of 15 parts`,
  scene: `figures-${count}-15`,
  engines: ENGINES,
  other: CRASHCAT,
  most,
  slow: count > 10,
}))

/** Figures of 15 parts. */
export const FIGURES: readonly Compared[] = [
  ...limited,
  {
    id: '1.5',
    claim: '10 figures of 15 parts beside Rapier without SIMD',
    scene: 'figures-10-15',
    engines: ENGINES,
    other: RAPIER,
    most: 2,
    works: [8],
  },
  {
    id: '1.6',
    claim: '20 touching figures of 15 parts beside Rapier without SIMD',
    scene: 'heap-20-15',
    engines: ['tautline', 'rapier'],
    other: RAPIER,
    most: 2,
    works: [8],
  },
]

/** Figures of 11 boxes. */
export const BOXES: readonly Compared[] = [10, 40, 100].map((count, k) => ({
  id: `2.${k + 1}`,
  claim: `${count} figures of 11 boxes`,
  scene: `ragdolls-${count}`,
  engines: ENGINES,
  other: CRASHCAT,
  most: 1,
  slow: count > 10,
}))

/** Piles of loose bodies. */
export const PILES: readonly Compared[] = [
  {
    id: '3.1.1',
    claim: 'Mixed pile of 1000, falling',
    scene: 'mixed',
    engines: ENGINES,
    other: CRASHCAT,
    most: 1,
    slow: true,
  },
  {
    id: '3.1.2',
    claim: 'Mixed pile of 1000, settled',
    scene: 'settled-mixed',
    engines: ENGINES,
    other: CRASHCAT,
    most: 1,
    slow: true,
  },
  {
    id: '3.2',
    claim: 'Pyramid of 210',
    scene: 'pyramid',
    engines: ENGINES,
    other: CRASHCAT,
    most: 0.9,
  },
]
