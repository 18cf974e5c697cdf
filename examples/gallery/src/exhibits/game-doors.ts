import { angleOf, type HingeDef } from '@tautline/constraints'
import type { Constraint } from '@tautline/core'
import { makeDoors } from '../../../scenes/games/doors.js'
import type { Exhibit } from '../exhibit.js'
import { collidersOf } from '../collider-parts.js'
import { beyond, heroPart, playable } from '../playable.js'
import { numberOf } from '../settings.js'
import { standard, worldOptions } from '../standard.js'

/** Doors, and who goes through them. */
export const gameDoors: Exhibit = {
  id: 'doors',
  title: 'Doors',
  blurb: 'Walk through: one that closes, one that swings, one that is locked, a gate with a motor.',
  tries: [
    'Walk against the doors: arrow keys, WASD, or the stick.',
    'Throw balls at the locked door (Space), until its latch breaks.',
    'Lift the gate at the end (E); jump (J).',
  ],
  text: [
    'Until you touch a key or the stick the hero walks by himself.',
    'The first door opens one way and closes by itself, the second swings both ways. The third is locked: lean on it, or throw a ball, and the latch breaks at 400 N.',
    'Each door is a hinge with limits; its closer is the drive of the hinge, a spring and a damper. The latch is a fixed joint with a breakForce, the gate a slider with a motor that pulls 1500 N at most.',
  ],
  group: 'Games',
  settings: [
    { kind: 'number', name: 'closer', label: 'Closers', unit: 'N m/rad', min: 5, max: 300, step: 5, value: 60 },
    ...standard({ solver: null, compliance: null }),
  ],
  view: { centre: [0, 0.9, -4], radius: 6, turn: 0.85, tilt: 0.5, floor: 0 },
  pose: 34,
  build(values) {
    const game = makeDoors(worldOptions(values), numberOf(values, 'closer'))
    const { world, hero, hinges, latch } = game
    const tones = ['second', 'third'] as const
    const parts = collidersOf(world, (body) => (body.mass === 6 ? 'heavy' : body.mass === 25 ? tones[0] : tones[1]))
    return playable(game, values, [...parts, heroPart(hero)], {
      follows: beyond(game.player, [0, -4], 7),
      figures: () => ({
        'First door': { value: (180 / Math.PI) * angleOf(hinges[0] as Constraint<HingeDef>), unit: '°' },
        'Load of the latch': { value: latch.broken ? 0 : latch.force, unit: 'N' },
      }),
    })
  },
}
