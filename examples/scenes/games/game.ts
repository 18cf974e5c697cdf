/** What the small games have in common: a world, a pad, and a player's hero who walks. */

import { capsule, type Character, type Collisions, createCharacter, moveCharacter } from '@tautline/collision'
import type { Body, World } from '@tautline/core'
import { lengthOf } from '../../lib/length.js'
import type { Pad } from '../../lib/pad.js'

export type Place = readonly [number, number, number]

export interface Game {
  readonly world: World
  readonly collisions: Collisions
  readonly pad: Pad
  /** What the picture follows. */
  readonly player: () => Place
  /** Before each step of the world: reads the pad. */
  before(): void
  /** After it: moves who is no body. */
  after(): void
}

/** A capsule of 1.8 m who walks, jumps and pushes. */
export interface Hero {
  readonly character: Character
  /** What sensors see of him. */
  readonly body: Body
  /** Moves him, after a step of the world. */
  move(x: number, z: number, jump: boolean): void
  /** Throws him up with the next move [m/s]. */
  launch(speed: number): void
}

const SHAPE = /* @__PURE__ */ capsule(0.3, 0.6)
const [WALK, JUMP, GRAVITY] = [4.5, 5, 9.81]
/** Share of the wanted speed that he gets in the air in a second. */
const STEER = 3

/** A hero on the move, and a kinematic body that follows him, for sensors to see. */
export function addHero(world: World, collisions: Collisions, position: Place): Hero {
  const body = world.addBody({ type: 'kinematic', position, name: 'hero' })
  collisions.addCollider(body, { shape: SHAPE, sensor: true })
  const character = createCharacter({ position })
  let up = 0
  return {
    character,
    body,
    launch(speed) {
      up = speed
    },
    move(x, z, jump) {
      const { dt } = world.settings
      const [vx, vy, vz] = character.velocity
      const share = Math.min(1, STEER * dt)
      const velocity = character.grounded
        ? [WALK * x, up > 0 ? up : jump ? JUMP : 0, WALK * z]
        : [vx + share * (WALK * x - vx), vy - GRAVITY * dt, vz + share * (WALK * z - vz)]
      moveCharacter(collisions, character, velocity as [number, number, number], dt, {
        shape: SHAPE,
        filter: { exclude: body },
      })
      body.setPosition(character.position)
      up = 0
    },
  }
}

/** The stick to the next of some places, in turn: how a scene plays by itself. */
export class Tour {
  private readonly places: readonly (readonly [number, number])[]
  private at = 0

  constructor(places: readonly (readonly [number, number])[]) {
    this.places = places
  }

  /** Direction from x, z to the place that is next, of length 1 or less. */
  way(x: number, z: number, near = 0.4): [number, number] {
    let [dx, dz] = [this.places[this.at][0] - x, this.places[this.at][1] - z]
    if (lengthOf(dx, dz) < near) {
      this.at = (this.at + 1) % this.places.length
      ;[dx, dz] = [this.places[this.at][0] - x, this.places[this.at][1] - z]
    }
    const size = Math.max(1, lengthOf(dx, dz))
    return [dx / size, dz / size]
  }
}
