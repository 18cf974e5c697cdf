/** Boxes that ought to stand: a pyramid and a tower. */

import { PYRAMID_GAP, pyramidCentres, type Triple } from '../../examples/scenes/contacts/layouts.js'
import { FLOOR, PLAIN, type SceneData, UPRIGHT } from '../rigid/data.js'
import { rigidScene } from '../rigid/task.js'
import { others } from './contenders.js'

const BASE = 20
const HIGH = 20
const HALF = 0.5

function data(centres: readonly Triple[]): SceneData {
  return {
    ...PLAIN,
    fixed: [FLOOR],
    bodies: centres.map((position) => ({
      shape: { kind: 'box', halfExtents: [HALF, HALF, HALF] },
      position,
      orientation: UPRIGHT,
      mass: 100,
    })),
  }
}

const SCENE = {
  family: 'Contacts',
  stands: true,
  contenders: [{ engine: 'tautline', usual: [4, 8] }, { engine: 'tautline-simd', usual: [4] }, ...others()],
} as const

export const pyramid = rigidScene({
  ...SCENE,
  name: 'pyramid',
  text: `pyramid of ${(BASE * (BASE + 1)) / 2} boxes of 1 m and 100 kg, base ${BASE}, rows touching, gaps of ${PYRAMID_GAP} m beside`,
  samples: 300,
  quick: 180,
  data: () => data(pyramidCentres(BASE, HALF, PYRAMID_GAP)),
})

export const stack = rigidScene({
  ...SCENE,
  name: 'stack',
  text: `tower of ${HIGH} boxes of 1 m and 100 kg`,
  samples: 600,
  quick: 240,
  data: () => data(Array.from({ length: HIGH }, (_, k): Triple => [0, HALF * (2 * k + 1), 0])),
})
