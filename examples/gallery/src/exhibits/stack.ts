import { offsetStack } from '../../../scenes/contacts/stacks.js'
import { contactOptions, liveContacts } from '../contact-live.js'
import type { Exhibit } from '../exhibit.js'
import { standard } from '../standard.js'

/** Fifteen boxes, each a little off the last. */
export const stack: Exhibit = {
  id: 'stack',
  title: 'Stack',
  blurb: 'Fifteen boxes drop onto each other, each a centimetre aside, and stand.',
  text: [
    'The boxes fall ten centimetres each, a centimetre to the left and to the right in turns. What comes to rest falls asleep.',
    'Pull one out with the mouse or a finger. The impulse solver is there to compare.',
  ],
  group: 'Contacts',
  settings: standard({ compliance: null }),
  view: { centre: [0, 7.6, 0], radius: 8.6, turn: 0.5, tilt: 0.1, floor: 0 },
  pose: 30,
  build: (values) =>
    liveContacts(offsetStack(contactOptions(values)), values, { tone: (_, k) => (k % 2 === 0 ? 'body' : 'second') }),
}
