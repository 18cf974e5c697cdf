/** Doors in walls: one that closes, one that swings both ways, one whose latch gives way, and a lift gate on a button. */

import { type Body, type Constraint, World, type WorldOptions } from '@tautline/core'
import { ballSocket, hinge, slider } from '@tautline/constraints'
import { box, Collisions, plane, sphere } from '@tautline/collision'
import { lengthOf } from '../../lib/length.js'
import { Pad } from '../../lib/pad.js'
import { addHero, type Game, type Hero, type Place, Tour } from './game.js'

export interface DoorGame extends Game {
  readonly hero: Hero
  readonly latch: Constraint
  /** Each on its hinge. */
  readonly hinges: readonly Constraint[]
  throwBall(): Body
}

const [LEAF, HIGH, THICK] = [0.55, 1.05, 0.04]
/** Walls are on a layer of their own: leaves turn past the jambs that they hang in. */
const WALL = 2
/** Where the walls stand: near each other, so that one picture shows them all. */
const WALLS = [-1, -3.6, -6.2, -8.8] as const

export function makeDoors(options: WorldOptions = {}, closer = 60): DoorGame {
  const world = new World(options)
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  for (const z of WALLS) wallWithGap(collisions, z)
  const leaf = (x: number, z: number): Body =>
    collisions.addBody({
      shape: box([LEAF - 0.02, HIGH - 0.03, THICK]),
      mass: 25,
      position: [x, HIGH, z],
      friction: 0.2,
      mask: ~WALL,
    })
  const hang = (body: Body, edge: number, z: number, more: object): Constraint =>
    world.add(hinge, { b: body, point: [edge, HIGH, z], axis: [0, 1, 0], frictionTorque: 1, ...more })

  // A closer: a spring that pulls it shut, a damper that keeps it from slamming.
  const close = { stiffness: closer, damping: 0.7 * closer }
  const shut = hang(leaf(0, WALLS[0]), -LEAF, WALLS[0], { limits: { min: 0, max: 1.9 }, drive: close })
  // Two leaves that swing both ways.
  const wide = wideLeaves(collisions, WALLS[1])
  const swing = wide.map((body, k) =>
    hang(body, k === 0 ? -LEAF : LEAF, WALLS[1], {
      limits: { min: -1.9, max: 1.9 },
      drive: { stiffness: closer, damping: 0.1 * closer },
    }),
  )
  // A latch: what holds it breaks at 400 N.
  const locked = leaf(0, WALLS[2])
  const last = hang(locked, -LEAF, WALLS[2], { limits: { min: -1.9, max: 1.9 } })
  const latch = world.add(ballSocket, { b: locked, point: [LEAF, HIGH, WALLS[2]], breakForce: 400, compliance: 1e-8 })
  const gate = addGate(world, collisions)

  const hero = addHero(world, collisions, [0, 0.92, 1.5])
  const pad = new Pad('walk', [
    { label: 'Throw', key: ' ' },
    { label: 'Gate', key: 'e' },
    { label: 'Jump', key: 'j' },
  ])
  const tour = new Tour([
    [0, 1.5],
    [0, -10.6],
    [3.2, -10.6],
    [3.2, 1.5],
  ])
  const heading = [0, -1]
  const balls = Array.from({ length: BALLS }, (_, k) =>
    collisions.addBody({
      shape: sphere(0.15),
      mass: 6,
      position: [-1.3 - 0.4 * (k % 4), 0.15, k < 4 ? 0.5 : 0.9],
      friction: 0.6,
      rollingFriction: 0.01,
    }),
  )
  let thrown = 0
  const throwBall = (): Body => {
    const [x, y, z] = hero.character.position
    const ball = balls[thrown++ % BALLS]
    ball.setPosition([x + 0.6 * heading[0], y + 0.4, z + 0.6 * heading[1]])
    ball.setVelocity([14 * heading[0], 1.5, 14 * heading[1]])
    return ball
  }
  let isOpen = false
  return {
    world,
    collisions,
    pad,
    hero,
    latch,
    hinges: [shut, ...swing, last],
    throwBall,
    player: () => [...hero.character.position] as unknown as Place,
    before() {
      if (pad.wasPressed('Throw')) throwBall()
      if (pad.wasPressed('Gate') || (!pad.isUsed && !isOpen)) {
        isOpen = !isOpen
        gate.set({ drive: { positionTarget: isOpen ? 2 : 0 } })
      }
    },
    after() {
      const [px, , pz] = hero.character.position
      const [x, z] = pad.isUsed ? pad.way : tour.way(px, pz)
      const far = lengthOf(x, z)
      if (far > 0.2) [heading[0], heading[1]] = [x / far, z / far]
      hero.move(x, z, pad.wasPressed('Jump'))
    },
  }
}

/** Thrown in turn, so that there are never more. */
const BALLS = 8

function wideLeaves(collisions: Collisions, z: number): Body[] {
  const half = LEAF / 2
  return [-half, half].map((x) =>
    collisions.addBody({
      shape: box([half - 0.02, HIGH - 0.03, THICK]),
      mass: 14,
      position: [x, HIGH, z],
      friction: 0.2,
      mask: ~WALL,
    }),
  )
}

/** A gate that a motor lifts between posts, and that falls shut no faster than its motor lets it. */
function addGate(world: World, collisions: Collisions): Constraint {
  const body = collisions.addBody({
    shape: box([LEAF - 0.02, HIGH - 0.03, THICK]),
    mass: 40,
    position: [0, HIGH, WALLS[3]],
    mask: ~WALL,
  })
  const drive = { stiffness: 4000, damping: 4000, positionTarget: 0, maxForce: 1500 }
  return world.add(slider, { b: body, axis: [0, 1, 0], limits: { min: 0, max: 2 }, drive })
}

function wallWithGap(collisions: Collisions, z: number): void {
  for (const side of [-1, 1]) {
    collisions.addCollider(null, { shape: box([1, 1.3, 0.1]), position: [side * (LEAF + 1), 1.3, z], layer: WALL })
  }
}
