import { cardHouse } from '../../../scenes/contacts/stacks.js'
import { contactOptions, liveContacts, thrownBall } from '../contact-live.js'
import type { Exhibit } from '../exhibit.js'
import { numberOf } from '../settings.js'
import { standard } from '../standard.js'

/** When the marble is thrown. */
const THROW = 120

/** Thin cards that lean on each other. */
export const cards: Exhibit = {
  id: 'cards',
  title: 'House of cards',
  blurb: 'Cards two millimetres thick lean on each other by friction alone.',
  tries: ['Lift a card.', 'Throw a marble.', 'Build more storeys.'],
  text: ['Nothing but friction keeps them. Switched on, a marble comes after two seconds.'],
  group: 'Stacks and contacts',
  settings: [
    { kind: 'number', name: 'levels', label: 'Storeys', min: 2, max: 6, step: 1, value: 4 },
    { kind: 'switch', name: 'ball', label: 'Throw a marble', value: false },
    ...standard({ substeps: 8, compliance: null }),
  ],
  view: { centre: [0, 0.72, 0], radius: 1.06, turn: 0.6, tilt: 0.18, floor: 0 },
  pose: 10,
  build(values) {
    const scene = cardHouse(numberOf(values, 'levels'), contactOptions(values))
    const cardsCount = scene.bodies.length
    const ball =
      values.ball === true
        ? thrownBall(scene, { from: [0.2, 0.5, 1.6], velocity: [-0.2, 1, -4], radius: 0.06, mass: 0.5 })
        : undefined
    return liveContacts(scene, values, {
      tone: (_, k) => (k === cardsCount ? 'heavy' : k % 3 === 0 ? 'body' : 'second'),
      ...(ball && { beforeStep: ball.throwAt(THROW) }),
    })
  },
}
