/** A course for the character mover: stairs, slopes, a lift, a turntable, crates, a ferry. */

import { type Body, World, type WorldOptions } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { box, Collisions, cylinder, plane } from '@tautline/collision'
import { Pad } from '../../lib/pad.js'
import { addHero, type Game, type Hero, type Place, Tour } from './game.js'

export interface WalkGame extends Game {
  readonly hero: Hero
  readonly crates: readonly Body[]
}

/** How high lift and stairs lead [m]. */
const DECK = 2

export function makeWalk(options: WorldOptions = {}): WalkGame {
  const world = new World(options)
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  const block = (half: Place, position: Place, tilt = 0): void => {
    const orientation = [sin(tilt / 2), 0, 0, cos(tilt / 2)] as const
    collisions.addCollider(null, { shape: box([...half]), position, orientation })
  }
  // Stairs up to a deck, a slope down, and one that is too steep.
  for (let k = 0; k < 8; k++) block([1, (k + 1) / 8, 0.16], [-3, (k + 1) / 8, -1 - 0.32 * k])
  block([4, DECK / 2, 1.5], [0, DECK / 2, -5])
  block([0.9, 0.1, 2.2], [3, DECK / 2 - 0.1, -1.74], 0.475)
  block([0.9, 0.1, 1.4], [0.6, DECK / 2 - 0.16, -2.86], 1)
  // A lift, a turntable, a ferry.
  const lift = world.addBody({ type: 'kinematic', position: [-1.2, -0.05, -2.7] })
  collisions.addCollider(lift, { shape: box([0.7, 0.1, 0.7]) })
  const table = world.addBody({ type: 'kinematic', position: [0, 0.05, 4], angularVelocity: [0, 0.8, 0] })
  collisions.addCollider(table, { shape: cylinder(1.8, 0.1) })
  const ferry = world.addBody({ type: 'kinematic', position: [5, 0.1, 3] })
  collisions.addCollider(ferry, { shape: box([0.8, 0.1, 0.8]) })
  const crates = [0, 1, 2].map((k) =>
    collisions.addBody({ shape: box([0.35, 0.35, 0.35]), mass: 15 + 25 * k, position: [-5 + 0.9 * k, 0.35, 3.5] }),
  )
  const hero = addHero(world, collisions, [-3, 0.92, 2])
  const pad = new Pad('walk', [{ label: 'Jump', key: ' ' }])
  const tour = new Tour([
    [-3, 0],
    [-3, -5],
    [3, -5],
    [3, 2],
    [1, 4],
    [-1, 4.2],
    [-5, 2.4],
    [-5, 5],
    [-3, 2],
  ])
  let time = 0
  return {
    world,
    collisions,
    pad,
    hero,
    crates,
    player: () => [...hero.character.position] as unknown as Place,
    before() {
      const { dt } = world.settings
      // Platforms go where they are sent in the step, so that they have a velocity.
      time += dt
      lift.setTarget([-1.2, 0.5 * DECK - 0.05 - (0.5 * DECK + 0.05) * cos(0.7 * time), -2.7])
      ferry.setTarget([5, 0.1, 3 * cos(0.5 * time)])
    },
    after() {
      const [px, , pz] = hero.character.position
      const [x, z] = pad.isUsed ? pad.way : tour.way(px, pz)
      hero.move(x, z, pad.wasPressed('Jump'))
    },
  }
}
