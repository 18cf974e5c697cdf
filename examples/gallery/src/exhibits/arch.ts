import { arch as archScene } from '../../../scenes/contacts/stacks.js'
import { contactOptions, heavier, liveContacts } from '../contact-live.js'
import type { Exhibit } from '../exhibit.js'
import { numberOf } from '../settings.js'
import { massRatio, standard } from '../standard.js'

/** How many of the bodies are boxes, not stones. */
const BOXES = 4

/** Stones without mortar. */
export const arch: Exhibit = {
  id: 'arch',
  title: 'Arch',
  blurb: 'Seventeen stones without mortar carry themselves, and four boxes dropped on them.',
  tries: ['Draw a stone out.', 'Drop the boxes from higher.'],
  text: [
    'The stones follow a catenary, along which an arch carries itself by compression alone: friction does the rest.',
  ],
  group: 'Stacks and contacts',
  settings: [
    { kind: 'number', name: 'drop', label: 'Boxes fall from', unit: 'm', min: 0, max: 6, step: 0.1, value: 1 },
    { ...massRatio(1, 10), label: 'Mass ratio of the boxes' },
    ...standard({ compliance: null }),
  ],
  view: { centre: [0, 8.2, 0], radius: 10, half: [9.5, 10], turn: 0.45, tilt: 0.1, floor: 0 },
  pose: 20,
  build(values) {
    const scene = archScene(contactOptions(values))
    const first = scene.bodies.length - BOXES
    const drop = numberOf(values, 'drop')
    scene.bodies.slice(first).forEach((box, k) => {
      const [x, y, z] = box.position
      heavier(box, numberOf(values, 'ratio'))
      box.setPosition([x, y + drop * (1 + 0.25 * k), z])
    })
    return liveContacts(scene, values, { tone: (_, k) => (k >= first ? 'heavy' : k % 2 === 0 ? 'body' : 'second') })
  },
}
