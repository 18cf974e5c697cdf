/** The game itself: inputs, goals, states to go back to; and the network that is made bad. */

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { decodeInput, encodeInput, isInput } from '../input.js'
import { LossyLink } from '../lossy-link.js'
import { Match, POINTS, RINK } from '../match.js'
import { botInput } from '../page/bot.js'
import { randomOf } from './duel.js'
import { IS_THOROUGH } from '../../lib/thorough.js'

/** Ticks from a goal to the next kick-off, and more. */
const PAUSE = 300
/** Of ropes and hinges at impacts [m], and what is faster than this came from nothing [m/s]. */
const [GAP, TOP] = [0.03, 40]

describe('an input', () => {
  test('has a stick and two buttons', () => {
    const stick = fc.integer({ min: -7, max: 7 }).map((place) => place / 7)
    const controls = fc.record({ x: stick, z: stick, jump: fc.boolean(), reel: fc.boolean() })
    const property = fc.property(controls, (given) => {
      const { x, z, ...buttons } = decodeInput(encodeInput(given))
      expect(buttons).toEqual({ jump: given.jump, reel: given.reel })
      expect([x, z]).toEqual([given.x + 0, given.z + 0])
      expect(isInput(encodeInput(given))).toBe(true)
    })
    fc.assert(property)
  })

  test('is nothing at 0, stays in range, and is one that can be given', () => {
    expect(decodeInput(0)).toEqual({ x: 0, z: 0, jump: false, reel: false })
    expect(decodeInput(encodeInput({ x: 9, z: -9, jump: false, reel: false }))).toMatchObject({ x: 1, z: -1 })
    for (const input of [8, 0x80, 0x400, 0xffff]) expect(isInput(input)).toBe(false)
  })
})

describe('a match', () => {
  /** Plays with programs. */
  function play(match: Match, ticks: number, each: () => void = () => undefined): void {
    for (let tick = 0; tick < ticks; tick++) {
      match.step([encodeInput(botInput(match, 0, tick)), encodeInput(botInput(match, 1, tick))])
      each()
    }
  }

  it('gets no energy from nothing, holds its joints, and keeps all in the rink', () => {
    const match = new Match()
    let [gap, top, far] = [0, 0, -Infinity]
    play(match, IS_THOROUGH ? 1200 : 200, () => {
      for (const [type, { linear }] of Object.entries(match.world.residual())) {
        if (type !== 'manifold') gap = Math.max(gap, linear?.max ?? 0)
      }
      for (const { velocity, position } of match.world.bodies.all()) {
        top = Math.max(top, Math.hypot(...velocity))
        far = Math.max(far, Math.abs(position[0]) - RINK.x - RINK.depth, Math.abs(position[2]) - RINK.z)
      }
    })
    expect(gap).toBeLessThan(GAP)
    expect(top).toBeLessThan(TOP)
    expect(far).toBeLessThan(0)
  })

  it.each([
    [1, 0],
    [-1, 1],
  ])('counts a goal at end %i for player %i, kicks off anew, and ends at five', (end, scorer) => {
    const match = new Match()
    const start = match.ball.position
    for (let goal = 1; goal <= POINTS; goal++) {
      match.ball.setPosition([end * (RINK.x - 0.5), 0.4, 0])
      match.ball.setVelocity([8 * end, 0, 0])
      let ticks = 0
      while (match.tally.pause === 0 && ticks++ < PAUSE) match.step([0, 0])
      expect(match.tally.score[scorer]).toBe(goal)
      expect(match.winner).toBe(goal === POINTS ? scorer : undefined)
      while (match.tally.pause > 0) match.step([0, 0])
      expect(match.ball.position[0]).toBeCloseTo(start[0], 6)
    }
    expect(match.tally.score).toEqual([0, 0])
  })

  it('goes on from a state that was saved, to the bit, and its hash has the score as well', () => {
    const match = new Match()
    play(match, 200)
    const state = match.save()
    const hash = match.hash()
    play(match, 100)
    const later = match.hash()
    match.load(state)
    expect(match.hash()).toBe(hash)
    play(match, 100)
    expect(match.hash()).toBe(later)
    match.tally.score[0]++
    expect(match.hash()).not.toBe(later)
    expect(match.hash()).toMatch(/^[0-9a-f]{16}$/)
  })
})

describe('a lossy link', () => {
  test('delays, reorders and loses as it is told', () => {
    const came: [number, number][] = []
    const link = new LossyLink<number>(
      { delay: 100, jitter: 30, loss: 0.2 },
      (k) => came.push([k, 0]),
      randomOf(1),
      (call, time) => {
        call()
        came[came.length - 1][1] = time
      },
    )
    for (let k = 0; k < 1000; k++) link.send(k)
    expect(came.length / 1000).toBeCloseTo(0.8, 1)
    const times = came.map(([, time]) => time)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(100)
    expect(Math.max(...times)).toBeLessThan(130)
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(25)
  })

  it.each<[object, RegExp]>([
    [{ loss: 2 }, /loss must be in \[0, 1\], got 2/],
    [{ delay: -1 }, /delay must be/],
    [{ dely: 1 }, /dely/],
  ])('refuses %o', (options, why) => {
    expect(() => new LossyLink(options, () => undefined)).toThrow(why)
  })
})
