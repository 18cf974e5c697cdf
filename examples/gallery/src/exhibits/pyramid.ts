import { pyramid as pyramidScene } from '../../../scenes/contacts/stacks.js'
import { contactOptions, liveContacts, nudge, thrownBall } from '../contact-live.js'
import type { Exhibit } from '../exhibit.js'
import { numberOf } from '../settings.js'
import { CHANCE, massRatio, standard } from '../standard.js'

/** When the ball is thrown. */
const THROW = 75
/** How far a seed puts a box aside [m]: boxes of a row may not meet. */
const ASIDE = 0.004

/** Boxes on boxes, and a ball. */
export const pyramid: Exhibit = {
  id: 'pyramid',
  title: 'Pyramid',
  blurb: 'A wall of boxes stands still, until a heavy ball comes.',
  tries: [
    'Pull a box out.',
    'Make the topmost a hundred times as heavy: the wall still stands.',
    'Switch the ball off.',
  ],
  text: ['Every box rests on two others.', 'The ball comes after a second, unless it is switched off.'],
  group: 'Stacks and contacts',
  settings: [
    { kind: 'number', name: 'base', label: 'Boxes in the lowest row', min: 2, max: 16, step: 1, value: 9 },
    { ...massRatio(1, 300), label: 'Mass ratio of the top' },
    { kind: 'switch', name: 'ball', label: 'Throw a ball', value: true },
    CHANCE,
    ...standard({ substeps: 6, compliance: null }),
  ],
  view: { centre: [0.3, 4, 0], radius: 7.4, turn: 0.3, tilt: 0.2, floor: 0 },
  pose: 112,
  build(values) {
    const scene = pyramidScene(numberOf(values, 'base'), contactOptions(values), numberOf(values, 'ratio'))
    const boxes = scene.bodies.length
    nudge(scene.bodies, numberOf(values, 'seed'), ASIDE)
    const ball =
      values.ball === true
        ? thrownBall(scene, { from: [1.2, 3.2, 9], velocity: [-1, 1.5, -22], radius: 0.7, mass: 900 })
        : undefined
    return liveContacts(scene, values, {
      tone: (_, k) => (k === boxes - 1 || k === boxes ? 'heavy' : k % 2 === 0 ? 'body' : 'second'),
      ...(ball && { beforeStep: ball.throwAt(THROW) }),
    })
  },
}
