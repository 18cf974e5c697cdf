/** A game of `examples/scenes/games` as an exhibit at work. No DOM. */

import type { Game, Hero } from '../../scenes/games/game.js'
import type { Live, Triple } from './exhibit.js'
import type { Part } from './parts.js'
import type { Values } from './settings.js'
import { liveWorld, type WorldParts } from './standard.js'

/** A game with what is seen of it. The picture goes along with the player. */
export function playable(game: Game, values: Values, parts: readonly Part[], more: Partial<WorldParts> = {}): Live {
  return liveWorld({
    world: game.world,
    values,
    parts,
    pad: game.pad,
    follows: game.player,
    beforeStep: () => game.before(),
    afterStep: () => game.after(),
    ...more,
  })
}

/**
 * For `follows`, where a picture shows a whole course: it stands still while the player is within so many metres of the middle along x
 * and z, and goes along with what is beyond.
 */
export function beyond(player: () => Triple, [x, z]: readonly [number, number], half: number): () => Triple {
  const past = (way: number): number => way - Math.min(half, Math.max(-half, way))
  return () => {
    const [px, , pz] = player()
    return [past(px - x), 0, past(pz - z)]
  }
}

/** A hero who is no body: where he is, looking where he goes. */
export function heroPart({ character }: Hero): Part {
  return {
    kind: 'solid',
    form: { kind: 'capsule', radius: 0.3, half: 0.6 },
    tone: 'body',
    place(out) {
      out.set(character.position)
      out.set(character.orientation, 3)
    },
  }
}
