/** A hero with a rope: shoots it at a box overhead, swings, reels in, lets go. */

import { type Rope, rope } from '@tautline/assemblies'
import { box, capsule, Collisions, overlapping, plane, rayCast } from '@tautline/collision'
import { type Body, World, type WorldOptions } from '@tautline/core'
import { Pad } from '../../lib/pad.js'
import { lengthOf } from '../../lib/length.js'
import type { Game, Place } from './game.js'

export interface GrappleGame extends Game {
  readonly hero: Body
  /** The rope that is out, if one is. */
  readonly line: () => Rope | undefined
  /** Says whether a hand holds him: he lets go of the rope, and goes nowhere by himself meanwhile. */
  readonly hold: (isHeld: boolean) => void
}

/** How far the rope is shot [m], how fast it is reeled [m/s], and how short it gets [m]. */
const [REACH, REEL, SHORTEST] = [11, 4, 1.2]
/** Of walking and of steering in the air [m/s²], and the speed of walking [m/s]. */
const [RUN, AIR, WALK] = [25, 2, 5]
const JUMP = 5.5
const MASS = 75
/** Of the boxes overhead: at every fourth metre, some to the side. */
const BOXES: readonly Place[] = [0, 1, 2, 3, 4, 5].map((k) => [5 * k, 6 + (k % 2), 1.2 * ((k % 3) - 1)])

export function makeGrapple(options: WorldOptions = {}): GrappleGame {
  const world = new World(options)
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  for (const position of BOXES) collisions.addCollider(null, { shape: box([0.5, 0.5, 0.5]), position })
  collisions.addCollider(null, { shape: box([2, 2, 2]), position: [30, 2, 0] })
  const hero = collisions.addBody({
    shape: capsule(0.3, 0.6),
    mass: MASS,
    position: [-4, 0.9, 0],
    friction: 0.1,
    lockRotation: [true, true, true],
    name: 'hero',
  })
  const [own] = collisions.collidersOf(hero)
  const pad = new Pad('walk and swing', [
    { label: 'Rope', key: ' ' },
    { label: 'Reel in', key: 'e' },
    { label: 'Pay out', key: 'q' },
    { label: 'Jump', key: 'j' },
  ])
  let line: Rope | undefined
  let isHeld = false
  let ahead: readonly [number, number] = [1, 0]

  /** The box overhead that is best to swing on from here: in reach, in sight, most ahead. */
  const aim = (): { point: Place; body: Body | null } | undefined => {
    const from = hero.position
    let best: { point: Place; body: Body | null } | undefined
    let most = -Infinity
    for (const to of BOXES) {
      const way = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const
      const along = way[0] * ahead[0] + way[2] * ahead[1]
      if (way[1] < 1 || lengthOf(...way) > REACH || along <= most) continue
      const hit = rayCast(collisions, from, way, { maxDistance: REACH, filter: { exclude: hero } })
      if (hit === null) continue
      most = along
      best = { point: hit.point as unknown as Place, body: hit.collider.body }
    }
    return best
  }
  const shoot = (): void => {
    const hit = aim()
    if (hit === undefined) return
    line = rope(world, {
      from: hero.position,
      to: hit.point,
      segments: 8,
      mass: 1,
      start: hero,
      end: hit.body === null ? 'world' : { body: hit.body, point: hit.point },
      collides: false,
      growthRate: REEL,
      velocity: hero.velocity,
      linearDamping: 0.1,
    })
  }
  const letGo = (): void => {
    line?.remove()
    line = undefined
  }
  const grounded = (): boolean => overlapping(collisions, own).length > 0
  const steer = ([x, z]: readonly [number, number]): void => {
    const v = hero.velocity
    const stands = grounded() && line === undefined
    // On the ground towards a speed, in the air a push.
    const [fx, fz] = stands ? [WALK * x - v[0], WALK * z - v[2]].map((f) => 8 * f) : [AIR * x, AIR * z]
    const size = Math.max(1, lengthOf(fx, fz) / RUN)
    hero.applyForce([(MASS * fx) / size, 0, (MASS * fz) / size])
    const far = lengthOf(x, z)
    if (far > 0.2) ahead = [x / far, z / far]
  }
  /** By itself: from box to box, there and back. */
  const demo = (): void => {
    const { position, velocity } = hero
    if (position[0] > 22) ahead = [-1, 0]
    if (position[0] < -3) ahead = [1, 0]
    steer(ahead)
    const along = velocity[0] * ahead[0]
    if (line === undefined) {
      if (along > 3 && (grounded() || velocity[1] < 0)) shoot()
      return
    }
    const pivot = line.nodes[line.nodes.length - 1].position
    line.reel(line.length > 3.6 ? -REEL : 0)
    if ((position[0] - pivot[0]) * ahead[0] > 1.5 && velocity[1] > 0.5) letGo()
  }
  return {
    world,
    collisions,
    pad,
    hero,
    line: () => line,
    hold(now) {
      isHeld = now
      if (isHeld) letGo()
    },
    player: () => [hero.position[0], hero.position[1], hero.position[2]],
    before() {
      if (!pad.isUsed) {
        if (!isHeld) demo()
        return
      }
      steer(pad.way)
      if (pad.wasPressed('Rope')) (line === undefined ? shoot : letGo)()
      if (pad.wasPressed('Jump') && grounded()) hero.applyImpulse([0, MASS * JUMP, 0])
      const rate = pad.isHeld('Reel in') ? -REEL : pad.isHeld('Pay out') ? REEL : 0
      line?.reel(rate < 0 && line.length < SHORTEST ? 0 : rate)
    },
    after() {
      // He is a body.
    },
  }
}
