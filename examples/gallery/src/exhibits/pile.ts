import { mixedPile } from '../../../scenes/contacts/piles.js'
import { contactOptions, liveContacts } from '../contact-live.js'
import type { Exhibit } from '../exhibit.js'
import type { Tone } from '../parts.js'
import { numberOf } from '../settings.js'
import { SEED, standard } from '../standard.js'

const TONES: readonly Tone[] = ['body', 'second', 'third']

/** Every shape in one heap. */
export const pile: Exhibit = {
  id: 'pile',
  title: 'Pile',
  blurb: 'Balls, capsules, boxes, cylinders and hulls fall into a pit and come to rest.',
  tries: ['Take one out of the heap and throw it back.', 'Pour more in.'],
  text: [
    'Every convex shape of the collision package, with friction against sliding, rolling and twisting, so that round ones come to rest too.',
  ],
  group: 'Stacks and contacts',
  settings: [
    { kind: 'number', name: 'count', label: 'Bodies', min: 4, max: 96, step: 1, value: 40 },
    { ...SEED, value: 5 },
    ...standard({ substeps: 5, compliance: null }),
  ],
  view: { centre: [0, 1, 0], radius: 3.4, turn: 0.6, tilt: 0.5, floor: 0 },
  pose: 70,
  build: (values) =>
    liveContacts(mixedPile(numberOf(values, 'count'), contactOptions(values), numberOf(values, 'seed')), values, {
      tone: (_, k) => TONES[k % 3],
    }),
}
