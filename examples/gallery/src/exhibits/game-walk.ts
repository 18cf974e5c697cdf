import { makeWalk } from '../../../scenes/games/walk.js'
import type { Exhibit } from '../exhibit.js'
import { collidersOf } from '../collider-parts.js'
import { beyond, heroPart, playable } from '../playable.js'
import { standard, worldOptions } from '../standard.js'

/** The character mover on stairs, slopes, a lift, a turntable, a ferry, among crates. */
export const gameWalk: Exhibit = {
  id: 'walk',
  title: 'Walking hero',
  blurb: 'Stairs, slopes, a lift, a turntable, a ferry, crates to push.',
  tries: [
    'Walk: arrow keys, WASD, or the stick; Space jumps.',
    'Step on to the lift as it passes.',
    'Stand on the turntable or the ferry.',
    'Push the crates: they weigh 15, 40 and 65 kg.',
  ],
  text: [
    'The steeper slope is too steep: you slide. Until you touch a key or the stick the hero goes by himself.',
    'moveCharacter(collisions, character, velocity, dt) does it: a capsule that is cast through the world, no body of it.',
  ],
  group: 'Games',
  settings: standard({ solver: null, compliance: null }),
  view: { centre: [0, 0.9, 0], radius: 6.6, turn: 0.6, tilt: 0.5, floor: 0 },
  pose: 100,
  build(values) {
    const game = makeWalk(worldOptions(values))
    const { hero } = game
    const parts = collidersOf(game.world, () => 'second')
    return playable(game, values, [...parts, heroPart(hero)], {
      follows: beyond(game.player, [0, 0], 7),
      figures: () => ({
        Speed: { value: Math.hypot(...hero.character.velocity), unit: 'm/s' },
        Stands: { value: hero.character.grounded ? 1 : 0, unit: '' },
      }),
    })
  },
}
