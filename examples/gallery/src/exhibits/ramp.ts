import { frictionRamp, STICKING } from '../../../scenes/impulse/friction-ramp.js'
import { TILT } from '../../../scenes/contacts/friction.js'
import { farthest } from '../../../scenes/impulse/comparison.js'
import { contactOptions, liveContacts } from '../contact-live.js'
import type { Exhibit } from '../exhibit.js'
import { standing } from '../parts.js'
import { standard } from '../standard.js'

/** Of the board that is drawn for the plane: half its length, thickness and width [m], and where its middle is along x. */
const BOARD = [6, 0.1, 5.6] as const

/** Friction with a closed form. */
export const ramp: Exhibit = {
  id: 'ramp',
  title: 'Ramp',
  blurb: 'Boxes that must stand, and boxes that must stop where Coulomb says.',
  tries: ['Push a box up its ramp.', 'Choose the impulse solver to compare.'],
  text: [
    `Three coefficients of friction (${STICKING.join(', ')}), two boxes each on a ramp of ${TILT} rad: one has to stay, the other starts with 3 m/s and has to stop at its mark.`,
    'The figure says how far the worst of them is from where it belongs.',
  ],
  group: 'Stacks and contacts',
  settings: standard({ compliance: null }),
  view: { centre: [2, 0, 5], radius: 8.2, turn: 0.75, tilt: 0.4, floor: -2.2 },
  pose: 40,
  build(values) {
    const scene = frictionRamp(contactOptions(values))
    const live = liveContacts(scene, values, {
      tone: (_, k) => (k % 2 === 0 ? 'body' : 'second'),
      figures: () => ({ 'Farthest from its mark': { value: 1000 * farthest(scene.bodies, scene.ends), unit: 'mm' } }),
    })
    const [s, c] = [Math.sin(TILT), Math.cos(TILT)]
    const turned = [0, 0, -Math.sin(0.5 * TILT), Math.cos(0.5 * TILT)] as const
    const along = 2
    const board = standing([along * c - BOARD[1] * s, -along * s - BOARD[1] * c, 5], turned)
    return {
      ...live,
      parts: [
        ...live.parts,
        { kind: 'solid', form: { kind: 'box', half: BOARD }, tone: 'fixed', place: board },
        ...scene.ends.map(([x, y, z]) => ({
          kind: 'solid' as const,
          form: { kind: 'box' as const, half: [0.5, 0.5, 0.5] as const },
          tone: 'ghost' as const,
          place: standing([x, y, z], turned),
        })),
      ],
    }
  },
}
