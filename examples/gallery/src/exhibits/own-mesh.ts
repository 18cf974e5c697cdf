import { bunnyMesh } from '../../../lib/bunny.js'
import type { Mesh } from '../../../lib/mesh.js'
import { clothScene } from '../../../scenes/cloth.js'
import { softBodyScene } from '../../../scenes/soft-body.js'
import type { Exhibit } from '../exhibit.js'
import { meshFigures } from '../measures.js'
import { partsOfScene } from '../scene-parts.js'
import { choiceOf, numberOf } from '../settings.js'
import { liveWorld, standard } from '../standard.js'
import { SOFTNESS } from './soft-body.js'

/** Vertices of a mesh that a page can keep up with. */
export const MOST_VERTICES = 6000

/** What was dropped on the page, if anything was. */
let dropped: Mesh | undefined

/** Takes a mesh over; the exhibit is to be built anew. Throws `RangeError` when it is too large. */
export function setMesh(mesh: Mesh): void {
  const count = mesh.positions.length / 3
  if (count > MOST_VERTICES * 4) {
    throw new RangeError(`mesh: vertices must be at most ${4 * MOST_VERTICES}, got ${count}`)
  }
  dropped = mesh
}

/** A visitor's own mesh. */
export const ownMesh: Exhibit = {
  id: 'mesh',
  title: 'Your own mesh',
  blurb: 'Drop an .obj or .glb anywhere: it becomes cloth, or a soft body.',
  tries: ['Drop an .obj or .glb on the page, or choose one below.', 'Make it a soft body, or cloth.'],
  text: [
    'It stays on your machine. As cloth, its edges resist lengthening; as a soft body, it is filled with tetrahedra, for which it has to be closed.',
    'Until then there is the bunny.',
  ],
  group: 'Method',
  extra: 'mesh',
  settings: [
    {
      kind: 'choice',
      name: 'as',
      label: 'Becomes',
      options: [
        ['cloth', 'Cloth'],
        ['soft', 'A soft body'],
      ],
      value: 'soft',
    },
    { kind: 'number', name: 'cut', label: 'Cloth: cut away below', min: 0, max: 0.6, step: 0.05, value: 0 },
    SOFTNESS,
    ...standard({ substeps: 5, solver: null, compliance: null }),
  ],
  view: { centre: [0, 0.45, 0], radius: 0.75, turn: 0.4, tilt: 0.25, floor: 0 },
  pose: 40,
  build(values) {
    const mesh = dropped ?? bunnyMesh()
    const scene =
      choiceOf(values, 'as') === 'cloth'
        ? clothScene({ mesh, cut: numberOf(values, 'cut') })
        : softBodyScene({ mesh, size: 0.8, cells: 9, dropHeight: 0.3, edgeCompliance: numberOf(values, 'softness') })
    const world = scene.world
    return liveWorld({ world, values, parts: partsOfScene(scene), figures: () => meshFigures(scene) })
  },
}
