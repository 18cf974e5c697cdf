/** The heavy chain: twenty boxes end to end on ball joints, the last of them R times as heavy. */

import type { BenchScene } from '../harness/scene.js'
import { PLAIN, type SceneData, UPRIGHT } from '../rigid/data.js'
import { rigidScene } from '../rigid/task.js'
import { others } from './contenders.js'

const LINKS = 20
const HALF = 0.25
const SIDE = 0.05

function data(ratio: number): SceneData {
  const rows = Array.from({ length: LINKS }, (_, k) => k)
  return {
    ...PLAIN,
    touches: false,
    bodies: rows.map((k) => ({
      shape: { kind: 'box', halfExtents: [HALF, SIDE, SIDE] },
      position: [(2 * k + 1) * HALF, 0, 0],
      orientation: UPRIGHT,
      mass: k === LINKS - 1 ? ratio : 1,
    })),
    joints: rows.map((k) => ({
      a: k === 0 ? null : k - 1,
      b: k,
      anchorA: [k === 0 ? 0 : HALF, 0, 0],
      anchorB: [-HALF, 0, 0],
    })),
  }
}

function chain(ratio: number): BenchScene {
  return rigidScene({
    name: `chain-${ratio}`,
    family: 'Joints',
    text: `${LINKS} boxes of ${2 * HALF} m and 1 kg on ball joints, the last of ${ratio} kg, let go from the horizontal; they touch nothing`,
    samples: 600,
    quick: 240,
    precision: 'gap',
    contenders: [{ engine: 'tautline', usual: [1, 4], others: [2, 8] }, ...others({ more: true })],
    data: () => data(ratio),
  })
}

export const chains = [1, 100, 1000].map(chain)
