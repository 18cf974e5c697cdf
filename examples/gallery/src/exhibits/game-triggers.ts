import { cos, sin } from '@tautline/core/kernel'
import { makeTriggers } from '../../../scenes/games/triggers.js'
import type { Exhibit } from '../exhibit.js'
import { collidersOf } from '../collider-parts.js'
import { boxForm, type Part, standing } from '../parts.js'
import { beyond, heroPart, playable } from '../playable.js'
import { standard, worldOptions } from '../standard.js'

/** Sensors that do something. */
export const gameTriggers: Exhibit = {
  id: 'triggers',
  title: 'Triggers',
  blurb: 'Step on the plate to open the gate, on the pad to fly; take the coins.',
  tries: [
    'Walk: arrow keys, WASD, or the stick; Space jumps.',
    'Push the crate on to the plate: the gate stays open.',
    'Drag a ball out of the wind and back.',
  ],
  text: [
    'The pad behind the gate throws you up to a coin. Until you touch a key or the stick the hero goes by himself.',
    'Plate, pad, wind and coins are colliders with sensor: true, which push nothing. onTrigger(collisions, sensor, { enter, stay, leave }) says who came and who went, once a step.',
  ],
  group: 'Games',
  settings: standard({ solver: null, compliance: null }),
  view: { centre: [-0.3, 0.8, -4], radius: 6.4, turn: 0.35, tilt: 0.55, floor: 0 },
  pose: 118,
  build(values) {
    const game = makeTriggers(worldOptions(values))
    const { world, hero, coins } = game
    let time = 0
    const spin = (): readonly number[] => [
      Math.SQRT1_2 * cos(time),
      Math.SQRT1_2 * sin(time),
      Math.SQRT1_2 * sin(time),
      Math.SQRT1_2 * cos(time),
    ]
    const discs = coins.map((coin): Part => ({
      kind: 'solid',
      form: { kind: 'cylinder', radius: 0.25, half: 0.04 },
      tone: 'goal',
      place(out) {
        out.set(coin.at)
        // What is taken is out of sight.
        if (coin.taken) out[1] = -50
        out.set(spin(), 3)
      },
    }))
    const flat = (x: number, z: number, size: number): Part => ({
      kind: 'solid',
      form: boxForm([size, 0.04, size]),
      tone: 'goal',
      place: standing([x, 0.02, z]),
    })
    const wind: Part = {
      kind: 'solid',
      form: boxForm([1.6, 0.03, 1.6]),
      tone: 'ghost',
      place: standing([-4, 0.015, -4]),
    }
    const solids = collidersOf(world, (body) => (body.mass === 30 ? 'second' : body.mass === 1 ? 'third' : 'body'))
    return playable(game, values, [...solids, heroPart(hero), ...discs, flat(2.2, -3, 1.2), flat(3.5, -9.5, 1), wind], {
      follows: beyond(game.player, [-0.3, -4], 7),
      afterStep() {
        game.after()
        time += 0.5 * world.settings.dt
      },
      figures: () => ({
        Coins: { value: game.score(), unit: '' },
        'On the plate': { value: game.weights(), unit: '' },
      }),
    })
  },
}
