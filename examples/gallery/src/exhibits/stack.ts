import { offsetStack } from '../../../scenes/contacts/stacks.js'
import { contactOptions, heavier, liveContacts, nudge } from '../contact-live.js'
import type { Exhibit } from '../exhibit.js'
import { numberOf } from '../settings.js'
import { CHANCE, massRatio, standard } from '../standard.js'

/** How far a seed puts a box aside [m]. */
const ASIDE = 0.06

/** Fifteen boxes, each a little off the last. */
export const stack: Exhibit = {
  id: 'stack',
  title: 'Stack',
  blurb: 'Fifteen boxes drop onto each other, each a centimetre aside, and stand.',
  tries: ['Pull a box out.', 'Make the top a hundred times as heavy.', 'Choose the impulse solver to compare.'],
  text: [
    'The boxes fall ten centimetres each, a centimetre to the left and to the right in turns. What comes to rest falls asleep.',
  ],
  group: 'Stacks and contacts',
  settings: [{ ...massRatio(1, 300), label: 'Mass ratio of the top' }, CHANCE, ...standard({ compliance: null })],
  view: { centre: [0, 7.7, 0], radius: 9, half: [4.5, 10], turn: 0.5, tilt: 0.1, floor: 0 },
  pose: 30,
  build(values) {
    const scene = offsetStack(contactOptions(values))
    const last = scene.bodies.length - 1
    const ratio = numberOf(values, 'ratio')
    heavier(scene.bodies[last], ratio)
    nudge(scene.bodies, numberOf(values, 'seed'), ASIDE)
    return liveContacts(scene, values, {
      tone: (_, k) => (k === last && ratio > 1 ? 'heavy' : k % 2 === 0 ? 'body' : 'second'),
    })
  },
}
