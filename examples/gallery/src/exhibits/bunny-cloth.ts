import { clothScene } from '../../../scenes/cloth.js'
import type { Exhibit } from '../exhibit.js'
import { meshFigures } from '../measures.js'
import { partsOfScene } from '../scene-parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard } from '../standard.js'

/** The bunny as a cloth. */
export const bunnyCloth: Exhibit = {
  id: 'bunny',
  title: 'Bunny cloth',
  blurb: 'The Stanford bunny, cut open below and dropped on a ball as a bag of cloth.',
  tries: ['Pull an ear.', 'Make it stiffer.'],
  text: [
    'Any triangle mesh is a cloth: the seams of the file are welded, every edge resists lengthening, every fold resists bending.',
    'More substeps make it stretch less; the default leaves a 60 Hz page time to draw.',
  ],
  group: 'Cloth and rope',
  settings: [
    {
      kind: 'number',
      name: 'stiffness',
      label: 'Bending rigidity',
      unit: 'N m',
      min: 1e-6,
      max: 1e-2,
      scale: 'log',
      value: 1e-4,
    },
    { kind: 'number', name: 'friction', label: 'Friction', min: 0, max: 1, step: 0.05, value: 1 },
    ...standard({ substeps: 8, solver: null }),
  ],
  view: { centre: [0, 0.52, 0], radius: 0.8, turn: 0.4, tilt: 0.25, floor: 0 },
  pose: 45,
  build(values) {
    const scene = clothScene({
      bendStiffness: numberOf(values, 'stiffness'),
      friction: numberOf(values, 'friction'),
      ballRadius: 0.3,
      cut: 0.15,
    })
    return liveWorld({ world: scene.world, values, parts: partsOfScene(scene), figures: () => meshFigures(scene) })
  },
}
