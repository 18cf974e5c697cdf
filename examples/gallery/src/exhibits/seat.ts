import { RAGDOLL, ragdollScene } from '../../../scenes/ragdoll.js'
import type { Exhibit } from '../exhibit.js'
import { capitals } from '../measures.js'
import { partsOfScene } from '../scene-parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard } from '../standard.js'

/** An adult whose joints are driven. */
export const seat: Exhibit = {
  id: 'seat',
  title: 'Driven ragdoll',
  blurb: 'Motors in every joint seat a figure; then the pelvis is let go, and it falls.',
  tries: ['Pull it off its seat after a second and a half.', 'Leave the drives less of their strength.'],
  text: [
    'For a second and a half the drives follow a target from a T-pose to a seat. Then the pelvis is let go, and the drives keep a share of their strength.',
  ],
  group: 'Ragdolls',
  settings: [
    { kind: 'number', name: 'limp', label: 'Strength that is left', min: 0, max: 1, step: 0.01, value: RAGDOLL.limp },
    { kind: 'number', name: 'release', label: 'Let go after', unit: 's', min: 0.5, max: 5, step: 0.1, value: 2 },
    ...standard({ substeps: 10, solver: null }),
  ],
  view: { centre: [0, 0.9, 0.1], radius: 1.15, turn: 0.6, tilt: 0.12, floor: 0 },
  pose: 100,
  build(values) {
    const scene = ragdollScene({ limp: numberOf(values, 'limp'), releaseTime: numberOf(values, 'release') })
    return liveWorld({
      world: scene.world,
      values,
      parts: partsOfScene(scene),
      beforeStep: (step) => scene.beforeStep?.(step),
      figures: () => capitals(scene.measure().figures),
    })
  },
}
