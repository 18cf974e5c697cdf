/** Sensors: a plate that opens a gate, a jump pad, a wind, coins. */

import { type Body, type Constraint, World, type WorldOptions } from '@tautline/core'
import { slider } from '@tautline/constraints'
import { box, type Collider, Collisions, cylinder, onTrigger, overlapping, plane, sphere } from '@tautline/collision'
import { Pad } from '../../lib/pad.js'
import { addHero, type Game, type Hero, type Place, Tour } from './game.js'

export interface TriggerGame extends Game {
  readonly hero: Hero
  readonly gate: Constraint
  readonly coins: readonly Coin[]
  /** What is on the plate now. */
  readonly weights: () => number
  readonly score: () => number
}

export interface Coin {
  readonly at: Place
  taken: boolean
}

const COINS: readonly Place[] = [
  [0, 0.9, -1.5],
  [0, 0.9, -8],
  [3.5, 3, -9.5],
  [-4, 2.4, -4],
  [-4, 0.9, -8],
]
/** Of the jump pad [m/s], and of the wind at its foot, as a share of weight. */
const THROW = 8
const LIFT = 1.5

export function makeTriggers(options: WorldOptions = {}): TriggerGame {
  const world = new World(options)
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  const hero = addHero(world, collisions, [0, 0.92, 2])
  const heroCollider = collisions.collidersOf(hero.body)[0]
  const sensor = (half: Place, position: Place): Collider =>
    collisions.addCollider(null, { shape: box([...half]), position, sensor: true })

  // A plate: as long as anything is on it, the gate is up.
  for (const side of [-1, 1])
    collisions.addCollider(null, { shape: box([2, 1.2, 0.1]), position: [2.7 * side, 1.2, -6] })
  const leaf = collisions.addBody({ shape: box([0.66, 1.1, 0.08]), mass: 30, position: [0, 1.1, -6] })
  const drive = { stiffness: 3000, damping: 1500, maxForce: 1200 }
  const gate = world.add(slider, { b: leaf, axis: [0, 1, 0], limits: { min: 0, max: 2 }, drive })
  const plate = sensor([0.6, 0.2, 0.6], [2.2, 0.2, -3])
  const isWeight = (other: Collider): boolean => other.body !== null && other.body !== leaf
  const weights = (): number => overlapping(collisions, plate).filter(isWeight).length
  const openOrShut = (): void => gate.set({ drive: { positionTarget: weights() > 0 ? 2 : 0 } })
  onTrigger(collisions, plate, { enter: openOrShut, leave: openOrShut })
  const crate = collisions.addBody({
    shape: box([0.35, 0.35, 0.35]),
    mass: 20,
    position: [2.2, 0.35, -0.6],
    friction: 0.4,
  })

  // A jump pad throws who lands on it.
  const jump = sensor([0.5, 0.1, 0.5], [3.5, 0.1, -9.5])
  let thrown = false
  onTrigger(collisions, jump, {
    enter(other) {
      if (other === heroCollider) thrown = true
      else if (other.body?.type === 'dynamic') other.body.setVelocity([0, THROW, 0])
    },
  })
  // A wind bears what is light.
  const wind = sensor([0.8, 2, 0.8], [-4, 2, -4])
  for (let k = 0; k < 3; k++) {
    collisions.addBody({ shape: sphere(0.2), mass: 1, position: [0.3 * k - 4.3, 0.5 + k, -4], linearDamping: 0.8 })
  }
  const inWind = new Set<Body>()
  onTrigger(collisions, wind, {
    enter: ({ body }) => body?.type === 'dynamic' && inWind.add(body),
    leave: ({ body }) => body !== null && inWind.delete(body),
  })
  const coins = COINS.map((at): Coin => ({ at, taken: false }))
  for (const coin of coins) {
    const found = collisions.addCollider(null, { shape: cylinder(0.35, 0.35), position: coin.at, sensor: true })
    onTrigger(collisions, found, {
      enter(other, own) {
        if (other !== heroCollider) return
        coin.taken = true
        own.remove()
      },
    })
  }

  const pad = new Pad('walk', [{ label: 'Jump', key: ' ' }])
  const tour = new Tour([
    [0, -1.5],
    [2.2, 1],
    [2.2, -2],
    [2.2, -1.2],
    [0, -4.6],
    [0, -8],
    [3.5, -9.5],
    [-4, -8],
    [0, -8],
    [0, -4.6],
    [0, 2],
  ])
  return {
    world,
    collisions,
    pad,
    hero,
    gate,
    coins,
    weights,
    score: () => coins.filter(({ taken }) => taken).length,
    player: () => [...hero.character.position] as unknown as Place,
    before() {
      for (const ball of inWind) {
        // Weaker the higher it is: they hover where it bears their weight.
        if (ball.alive) ball.applyForce([0, 9.81 * ball.mass * Math.max(0, LIFT - 0.25 * ball.position[1]), 0])
      }
      if (crate.position[1] < -1) crate.setPosition([2.2, 0.35, -0.6])
    },
    after() {
      const [px, , pz] = hero.character.position
      const [x, z] = pad.isUsed ? pad.way : tour.way(px, pz)
      if (thrown) hero.launch(THROW)
      thrown = false
      hero.move(x, z, pad.wasPressed('Jump'))
    },
  }
}
