import { clothScene } from '../../../scenes/cloth.js'
import { sheet } from '../../../scenes/trees/cloth.js'
import type { Exhibit } from '../exhibit.js'
import { meshFigures } from '../measures.js'
import { partsOfScene } from '../scene-parts.js'
import { choiceOf, numberOf } from '../settings.js'
import { liveWorld, standard } from '../standard.js'

/** A sheet that falls on a ball. */
export const fallingCloth: Exhibit = {
  id: 'drape',
  title: 'Falling cloth',
  blurb: 'A table cloth drops on a ball, folds and stays by friction.',
  tries: ['Pull the cloth off its ball.', 'Set friction to 0: it slides off.', 'Give it stiffer folds.'],
  text: ['Edges resist lengthening, folds resist bending, and friction keeps the cloth on its ball.'],
  group: 'Cloth and rope',
  settings: [
    {
      kind: 'choice',
      name: 'bend',
      label: 'Bending',
      options: [
        ['isometric', 'Isometric'],
        ['dihedral', 'Dihedral'],
        ['none', 'None'],
      ],
      value: 'isometric',
    },
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
    { kind: 'number', name: 'friction', label: 'Friction', min: 0, max: 1, step: 0.05, value: 0.5 },
    ...standard({ substeps: 14, solver: null }),
  ],
  view: { centre: [0, 0.4, 0], radius: 0.85, turn: 0.6, tilt: 0.35, floor: 0 },
  pose: 60,
  build(values) {
    const { positions, triangles } = sheet(26)
    const scene = clothScene({
      mesh: { positions, triangles },
      cut: 0,
      size: 1.1,
      ballRadius: 0.22,
      bendModel: choiceOf(values, 'bend') as 'isometric' | 'dihedral' | 'none',
      bendStiffness: numberOf(values, 'stiffness'),
      friction: numberOf(values, 'friction'),
    })
    return liveWorld({ world: scene.world, values, parts: partsOfScene(scene), figures: () => meshFigures(scene) })
  },
}
