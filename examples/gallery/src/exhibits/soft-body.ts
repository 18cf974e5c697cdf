import type { Body } from '@tautline/core'
import { randomNumbers } from '../../../lib/random.js'
import { SOFT_BODY, softBodyScene } from '../../../scenes/soft-body.js'
import type { Exhibit } from '../exhibit.js'
import { meshFigures } from '../measures.js'
import { partsOfScene } from '../scene-parts.js'
import { choiceOf, numberOf, type NumberSetting } from '../settings.js'
import { CHANCE, liveWorld, standard } from '../standard.js'

/** Softness of the edges [m/N]. */
export const SOFTNESS: NumberSetting = {
  kind: 'number',
  name: 'softness',
  label: 'Softness of edges',
  unit: 'm/N',
  min: 1e-5,
  max: 1e-2,
  scale: 'log',
  value: SOFT_BODY.edgeCompliance,
}

/** The bunny, filled with tetrahedra. */
export const softBody: Exhibit = {
  id: 'soft',
  title: 'Soft body',
  blurb: 'A jelly bunny: every tetrahedron keeps its volume, every edge gives way.',
  tries: ['Pull an ear and let go.', 'Start it flattened, or even inside out: it comes back.'],
  text: ['The mesh is filled with tetrahedra that keep their volume; the surface rides along.'],
  group: 'Soft bodies',
  settings: [
    {
      kind: 'choice',
      name: 'start',
      label: 'Start',
      options: [
        ['1', 'As it is'],
        ['0.2', 'Flattened'],
        ['-1', 'Inside out'],
      ],
      value: '1',
    },
    SOFTNESS,
    CHANCE,
    { kind: 'number', name: 'cells', label: 'Cubes along it', min: 5, max: 14, step: 1, value: 10 },
    ...standard({ substeps: 10, solver: null, compliance: null }),
  ],
  view: { centre: [0, 0.17, 0], radius: 0.33, turn: 0.4, tilt: 0.2, floor: 0 },
  pose: 24,
  build(values) {
    const scene = softBodyScene({
      cells: numberOf(values, 'cells'),
      flatten: Number(choiceOf(values, 'start')),
      edgeCompliance: numberOf(values, 'softness'),
      // From higher up it falls on its face, out of the picture.
      dropHeight: 0.15,
    })
    toss(scene.picture.surface?.nodes ?? [], numberOf(values, 'seed'))
    return liveWorld({ world: scene.world, values, parts: partsOfScene(scene), figures: () => meshFigures(scene) })
  },
}

/** Spin that a seed gives it [rad/s]. */
const SPIN = 9

/** Sets the nodes turning about their middle, by a seed; 0 leaves them as they are. */
function toss(nodes: readonly Body[], seed: number): void {
  if (seed === 0) return
  const random = randomNumbers(seed)
  for (let k = 0; k < 8; k++) random()
  const [wx, wy, wz] = [SPIN * random(), SPIN * random(), SPIN * random()]
  const middle = [0, 1, 2].map((k) => nodes.reduce((sum, { position }) => sum + position[k], 0) / nodes.length)
  for (const node of nodes) {
    const [x, y, z] = [0, 1, 2].map((k) => node.position[k] - middle[k])
    node.setVelocity([wy * z - wz * y, 1.2 + wz * x - wx * z, wx * y - wy * x])
  }
}
