/** The small games, by themselves for some seconds at three rates: no energy from nothing, joints hold, players get somewhere. */

import type { WorldOptions } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import { makeCar, standUp } from '../scenes/games/car.js'
import { makeDoors } from '../scenes/games/doors.js'
import type { Game } from '../scenes/games/game.js'
import { makeGrapple } from '../scenes/games/grapple.js'
import { makeTriggers } from '../scenes/games/triggers.js'
import { makeWalk } from '../scenes/games/walk.js'
import { Pad } from '../lib/pad.js'
import { sample } from '../lib/thorough.js'

const SECONDS = 10
const RATES = [30, 60, 144]

/** Of joints at impacts and at full motor [m]; what is faster than this came from nothing [m/s]. */
const GAP = 0.1
const TOP = 40

interface Outcome {
  gap: number
  top: number
  reached: number
}

function play(game: Game, seconds = SECONDS): Outcome {
  const { world } = game
  const start = game.player()
  const out = { gap: 0, top: 0, reached: 0 }
  for (let k = 0; k < seconds / world.settings.dt; k++) {
    game.before()
    world.step()
    game.after()
    for (const [type, { linear }] of Object.entries(world.residual())) {
      if (type !== 'manifold') out.gap = Math.max(out.gap, linear?.max ?? 0)
    }
    // Light nodes of a rope that is drawn taut whip; what they hold does not.
    for (const body of world.bodies.all())
      if (!body.isParticle) out.top = Math.max(out.top, Math.hypot(...body.velocity))
    const at = game.player()
    out.reached = Math.max(out.reached, Math.hypot(at[0] - start[0], at[2] - start[2]))
  }
  return out
}

const GAMES: readonly (readonly [string, (options: WorldOptions) => Game, number])[] = [
  ['car', makeCar, 20],
  ['doors', makeDoors, 10],
  ['triggers', makeTriggers, 10],
  ['walk', makeWalk, 6],
  ['grapple', makeGrapple, 15],
]

describe.each(GAMES)('%s', (_, make, far) => {
  it.each(sample(RATES, 3))('plays by itself at %i Hz', (rate) => {
    const { gap, top, reached } = play(make({ dt: 1 / rate }))
    expect(gap).toBeLessThan(GAP)
    expect(top).toBeLessThan(TOP)
    expect(reached).toBeGreaterThan(far)
  })
})

describe('played', () => {
  it('the car goes where the stick says, and stands up again', () => {
    const game = makeCar()
    const { car, pad, world } = game
    pad.push(0, 1)
    play(game, 1)
    expect(car.speed).toBeGreaterThan(2)
    car.teleport({ rotation: [0, 0, 1, 0], about: car.chassis.position, translation: [0, 1, 0], velocities: 'zero' })
    pad.push(0, 0)
    play(game, 1.5)
    expect(car.chassis.position[1]).toBeLessThan(0.8)
    standUp(car)
    play(game, 2)
    expect(Math.abs(car.chassis.position[1] - 0.78)).toBeLessThan(0.05)
    expect(world.report.nonFinite).toEqual([])
  })

  it('a ball breaks the latch, and the gate opens on a button', () => {
    const game = makeDoors()
    const { hero, latch, pad } = game
    pad.push(0, 0.001)
    pad.push(0, 0)
    hero.character.position = [0, 0.92, -4.7]
    play(game, 0.2)
    expect(latch.broken).toBe(false)
    game.throwBall()
    play(game, 0.6)
    expect(latch.broken).toBe(true)
  })

  it('the gate is up as long as something is on the plate', () => {
    const game = makeTriggers()
    const { pad, hero, gate } = game
    pad.press('Jump')
    hero.character.position = [2.2, 0.92, -3]
    play(game, 1)
    expect(game.weights()).toBeGreaterThan(0)
    expect((gate.def as { drive: { positionTarget: number } }).drive.positionTarget).toBe(2)
    hero.character.position = [0, 0.92, 2]
    play(game, 1)
    expect((gate.def as { drive: { positionTarget: number } }).drive.positionTarget).toBe(0)
  })

  it('the hero hooks on, reels in, and lets go', () => {
    const game = makeGrapple()
    const { pad } = game
    pad.push(1, 0)
    pad.press('Rope')
    play(game, 0.1)
    const { length } = game.line()!
    pad.press('Reel in')
    pad.push(0, 0)
    play(game, 0.5)
    expect(game.line()!.length).toBeLessThan(length - 1)
    pad.release('Rope')
    pad.press('Rope')
    play(game, 0.1)
    expect(game.line()).toBeUndefined()
  })
})

describe('pad', () => {
  it('points as the picture is seen, no longer than one', () => {
    const pad = new Pad('walk')
    pad.push(1, 1)
    expect(Math.hypot(...pad.way)).toBeCloseTo(1)
    pad.push(0, 1)
    expect(pad.way[1]).toBeCloseTo(-1)
    pad.turn = Math.PI / 2
    expect(pad.way[0]).toBeCloseTo(-1)
  })
})
