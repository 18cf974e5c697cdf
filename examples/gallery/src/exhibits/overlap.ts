import { gaps, overlappingCubes, overlappingPyramid, type OverlapScene } from '../../../scenes/contacts/overlap.js'
import { contactOptions, liveContacts, nudge } from '../contact-live.js'
import type { Exhibit } from '../exhibit.js'
import { choiceOf, numberOf } from '../settings.js'
import { CHANCE, standard } from '../standard.js'

/** How far a seed puts a box aside [m]. */
const ASIDE = 0.12

/** What starts inside each other. */
export const overlap: Exhibit = {
  id: 'overlap',
  title: 'Overlap stack',
  blurb: 'Boxes that start inside each other part gently, without an explosion.',
  tries: ['Choose the impulse solver on the same start.', 'Choose another seed.'],
  text: [
    'Five cubes of 2.4 m stand 2 m apart: each starts 0.4 m inside the next, the lowest half in the floor. They have to part without being thrown.',
  ],
  group: 'Stacks and contacts',
  settings: [
    {
      kind: 'choice',
      name: 'scene',
      label: 'Start',
      options: [
        ['cubes', 'Five cubes'],
        ['pyramid', 'A pyramid drawn together'],
      ],
      value: 'cubes',
    },
    CHANCE,
    ...standard({ gravity: 10, compliance: null }),
  ],
  view: { centre: [0, 5.5, 0], radius: 7.6, half: [4, 8.7], turn: 0.6, tilt: 0.15, floor: 0 },
  pose: 18,
  build(values) {
    const options = contactOptions(values)
    const scene: OverlapScene =
      choiceOf(values, 'scene') === 'cubes' ? overlappingCubes(options) : overlappingPyramid(options)
    nudge(scene.bodies, numberOf(values, 'seed'), ASIDE)
    return liveContacts(scene, values, {
      tone: (_, k) => (k % 2 === 0 ? 'body' : 'second'),
      figures() {
        const { gap, overlap } = gaps(scene)
        return {
          'Largest gap': { value: 1000 * gap, unit: 'mm' },
          'Deepest overlap': { value: 1000 * overlap, unit: 'mm' },
        }
      },
    })
  },
}
