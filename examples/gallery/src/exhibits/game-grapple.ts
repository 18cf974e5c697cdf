import { makeGrapple } from '../../../scenes/games/grapple.js'
import type { Exhibit } from '../exhibit.js'
import { collidersOf } from '../collider-parts.js'
import type { Part } from '../parts.js'
import { playable } from '../playable.js'
import { standard, worldOptions } from '../standard.js'

/** Points of the rope that are drawn. */
const POINTS = 13

/** A hero with a rope and a winch. */
export const gameGrapple: Exhibit = {
  id: 'grapple',
  title: 'Grappling hero',
  blurb: 'Shoot a rope at a box overhead, swing, reel in, let go.',
  tries: [
    'Run: arrow keys, WASD, or the stick. Press Space below a box: the rope hooks on.',
    'Hold E to reel in, Q to pay out; Space lets go.',
    'Reel in at the lowest point of a swing, and you fly higher.',
  ],
  text: [
    'Until you touch a key or the stick the hero goes by himself.',
    'The rope is rope(world, { start: hero, end: box }) with its winch at the hero: eight pieces, a kilogram in all, that carry 75 kg without stretching.',
  ],
  group: 'Games',
  settings: standard({ solver: null, compliance: null }),
  view: { centre: [-3, 3, 0], radius: 5, turn: 0.35, tilt: 0.12, floor: 0 },
  pose: 75,
  build(values) {
    const game = makeGrapple(worldOptions(values))
    const { world, hero } = game
    const thread: Part = {
      kind: 'tube',
      count: POINTS,
      radius: 0.025,
      tone: 'rope',
      write(out) {
        const nodes = game.line()?.nodes ?? [hero]
        for (let k = 0; k < POINTS; k++) {
          const { position } = nodes[Math.round((k * (nodes.length - 1)) / (POINTS - 1))]
          out.set(position, 3 * k)
          // Without a rope it is rolled up within the hero.
          if (nodes.length === 1) out[3 * k + 1] += 0.01 * k
        }
      },
    }
    const parts = collidersOf(world, (body) => (body === hero ? 'second' : 'body'))
    return playable(game, values, [...parts, thread], {
      grabbed: (body) => game.hold(body === hero),
      released: () => game.hold(false),
      figures: () => ({
        Speed: { value: Math.hypot(...hero.velocity), unit: 'm/s' },
        'Pull of the rope': { value: game.line()?.tensionAt(0) ?? 0, unit: 'N' },
      }),
    })
  },
}
