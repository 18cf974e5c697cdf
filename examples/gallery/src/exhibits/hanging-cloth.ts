import { hangingClothScene } from '../../../scenes/trees/cloth.js'
import type { Exhibit } from '../exhibit.js'
import { meshFigures } from '../measures.js'
import { partsOfScene } from '../scene-parts.js'
import { choiceOf, numberOf } from '../settings.js'
import { liveWorld, standard } from '../standard.js'

/** A square sheet by two corners. */
export const hangingCloth: Exhibit = {
  id: 'cloth',
  title: 'Hanging cloth',
  blurb: 'A sheet by two corners that does not stretch: every thread is solved in one go.',
  tries: ['Pull at the cloth.', 'Change “Threads” to one row after another, and watch it sag.'],
  text: [
    'Warp and weft are paths of distance rows. Solved along each thread at once, they keep their length within a fraction of a per cent at a few substeps.',
  ],
  group: 'Cloth and rope',
  settings: [
    {
      kind: 'choice',
      name: 'threads',
      label: 'Threads',
      options: [
        ['lines', 'Solved whole'],
        ['auto', 'Row after row'],
      ],
      value: 'lines',
    },
    { kind: 'number', name: 'n', label: 'Vertices a side', min: 8, max: 48, step: 1, value: 28 },
    ...standard({ substeps: 4, solver: null }),
  ],
  view: { centre: [1, -0.75, 0.5], radius: 1.75, turn: 0.5, tilt: 0.12 },
  pose: 130,
  build(values) {
    const scene = hangingClothScene({
      cloth: { kind: 'sheet', n: numberOf(values, 'n') },
      solver: choiceOf(values, 'threads') as 'lines' | 'auto',
    })
    return liveWorld({
      world: scene.world,
      values,
      parts: partsOfScene(scene),
      figures: () => meshFigures(scene),
    })
  },
}
