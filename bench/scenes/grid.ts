/** Solver2D's joint grid: balls joined to their neighbours, which closes hundreds of loops. */

import { PLAIN, type SceneData, UPRIGHT } from '../rigid/data.js'
import { rigidScene } from '../rigid/task.js'
import { others } from './contenders.js'

const SIDE = 20
const RADIUS = 0.4
const PINNED = [7, 8, 9, 10, 11, 12, 13]

function data(): SceneData {
  const bodies: SceneData['bodies'][number][] = []
  const joints: SceneData['joints'][number][] = []
  for (let i = 0; i < SIDE; i++) {
    for (let k = 0; k < SIDE; k++) {
      const row = bodies.length
      const [x, y] = [k - 0.5 * (SIDE - 1), -i]
      bodies.push({ shape: { kind: 'sphere', radius: RADIUS }, position: [x, y, 0], orientation: UPRIGHT, mass: 1 })
      if (k > 0) joints.push({ a: row - 1, b: row, anchorA: [0.5, 0, 0], anchorB: [-0.5, 0, 0] })
      if (i > 0) joints.push({ a: row - SIDE, b: row, anchorA: [0, -0.5, 0], anchorB: [0, 0.5, 0] })
      else if (PINNED.includes(k)) joints.push({ a: null, b: row, anchorA: [x, y, 0], anchorB: [0, 0, 0] })
    }
  }
  return { ...PLAIN, gravity: [0, -19.62, 0], touches: false, bodies, joints }
}

export const grid = rigidScene({
  name: 'grid',
  family: 'Joints',
  text: `net of ${SIDE} × ${SIDE} balls of ${RADIUS} m and 1 kg, 1 m apart, joined half way between them and hung by ${PINNED.length} in the middle of its top row, under 2 g; they touch nothing`,
  samples: 240,
  quick: 60,
  precision: 'gap',
  contenders: [{ engine: 'tautline', usual: [4], others: [1, 2, 8, 16] }, ...others({ more: true })],
  data,
})
