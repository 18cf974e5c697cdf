/** Engines that are compared, each loaded by itself, at its own defaults. */

import type { Engine } from './engine.js'

export interface Contender {
  readonly title: string
  readonly version: string
  /** What its step is given: iterations, or substeps, as the engine has them by default. */
  readonly work: number
  readonly note: string
  load(): Promise<{ engine: Engine }>
}

/** Versions as `bench/engines/package.json` pins them, of the engines that run here. */
export const CONTENDERS: readonly Contender[] = [
  {
    title: 'Tautline',
    version: __VERSIONS__.tautline,
    work: 8,
    note: '8 substeps',
    load: () => import('../../../../bench/rigid/engines/tautline.js'),
  },
  {
    title: 'Rapier',
    version: __VERSIONS__['@dimforge/rapier3d-compat'],
    work: 4,
    note: '4 iterations',
    load: () => import('../../../../bench/rigid/engines/rapier.js'),
  },
  {
    title: 'Jolt',
    version: __VERSIONS__['jolt-physics'],
    work: 1,
    note: '10 and 2 iterations',
    load: () => import('../../../../bench/rigid/engines/jolt.js'),
  },
  {
    title: 'cannon-es',
    version: __VERSIONS__['cannon-es'],
    work: 10,
    note: '10 iterations',
    load: () => import('../../../../bench/rigid/engines/cannon-es.js'),
  },
  {
    title: 'crashcat',
    version: __VERSIONS__.crashcat,
    work: 10,
    note: '10 and 2 iterations',
    load: () => import('../../../../bench/rigid/engines/crashcat.js'),
  },
]
