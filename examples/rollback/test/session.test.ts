/** Two sessions over a bad network stay the same, to the bit, and take nothing that is not theirs. */

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { encodeInput } from '../input.js'
import { Match } from '../match.js'
import { decodePacket, encodePacket, type Packet, type Player } from '../packet.js'
import { RollbackSession } from '../session.js'
import { Mixer, playAlone, playDuel, randomOf, type Side } from './duel.js'
import { IS_THOROUGH } from '../../lib/thorough.js'

/** Ticks of a run: half a minute, and a minute. */
const [SHORT, LONG] = [1800, 3600]
/** What the clocks of both may be apart when they have settled [ticks]. */
const APART = 1.5
const SETTLED = 600

/** Buttons that are held for a while, as players do. */
function heldInput(player: Player, tick: number): number {
  return Math.imul(((tick / 7) | 0) + 1, 2654435761 + player) >>> 16
}

function expectSame<State>(sides: readonly [Side<State>, Side<State>], alone: readonly string[]): void {
  for (const { hashes, session } of sides) {
    expect(hashes.slice(0, alone.length)).toEqual(alone)
    expect(session.statistics.mismatches).toBe(0)
    expect(session.statistics.refused).toBe(0)
    expect(session.statistics.hashes).toBeGreaterThan(0)
  }
}

const network = fc.record({
  delay: fc.double({ min: 0, max: 180, noNaN: true }),
  jitter: fc.double({ min: 0, max: 80, noNaN: true }),
  loss: fc.double({ min: 0, max: 0.3, noNaN: true }),
})
const settings = fc.record({
  inputDelay: fc.integer({ min: 0, max: 6 }),
  maxPrediction: fc.integer({ min: 1, max: 20 }),
})

describe('two sessions', () => {
  test('have the state of a game that knows all inputs at once, at every tick, over any network', () => {
    const late = fc.integer({ min: 0, max: 400 })
    const drift = fc.double({ min: -0.02, max: 0.02, noNaN: true })
    const property = fc.property(network, settings, late, drift, fc.integer(), (link, session, wait, wrong, seed) => {
      const sides = playDuel({
        makeGame: () => new Mixer(),
        inputOf: heldInput,
        session,
        link,
        random: randomOf(seed),
        ticks: SHORT,
        late: wait,
        drift: wrong,
      })
      expectSame(sides, playAlone(new Mixer(), [sides[0].inputs, sides[1].inputs], SHORT))
      for (const { deepest } of sides) expect(deepest).toBeLessThanOrEqual(session.maxPrediction)
    })
    fc.assert(property, { numRuns: 15 })
  })

  test('play a match of bodies, contacts and joints over 100 ms and 2 % of loss', () => {
    const inputOf = (player: Player, tick: number): number => {
      const held = heldInput(player, tick)
      // Towards the ball most of the time, or nothing would meet.
      const toward = player === 0 ? 0.8 : -0.8
      return encodeInput({
        x: toward * (((held & 7) - 2) / 5),
        z: (((held >> 3) & 7) - 3.5) / 4,
        jump: (held & 0x140) === 0x140,
        reel: (held & 0x200) !== 0,
      })
    }
    const link = { delay: 100, jitter: 20, loss: 0.02 }
    const ticks = IS_THOROUGH ? 900 : 180
    const sides = playDuel({ makeGame: () => new Match(), inputOf, link, random: randomOf(3), ticks })
    expectSame(sides, playAlone(new Match(), [sides[0].inputs, sides[1].inputs], ticks))
    expect(sides[0].session.statistics.rollbacks).toBeGreaterThan(ticks / 9)
  })

  it.each([
    ['start half a second apart', { late: 500 }],
    ['have clocks that differ by a hundredth', { drift: 0.01 }],
  ])('come to the same tick when they %s', (_, options) => {
    const sides = playDuel({
      makeGame: () => new Mixer(),
      inputOf: heldInput,
      link: { delay: 60, jitter: 10, loss: 0.02 },
      random: randomOf(7),
      ticks: LONG,
      ...options,
    })
    for (const { ahead } of sides) {
      for (const ticks of ahead.slice(SETTLED)) expect(Math.abs(ticks)).toBeLessThan(APART)
    }
  })

  test('wait while nothing comes through, and go on from there', () => {
    const sides = playDuel({
      makeGame: () => new Mixer(),
      inputOf: heldInput,
      link: { delay: 50, loss: 0.02 },
      random: randomOf(11),
      ticks: SHORT,
      cut: [5000, 9000],
    })
    expectSame(sides, playAlone(new Mixer(), [sides[0].inputs, sides[1].inputs], SHORT))
    // Four seconds, less the ticks that are made on guesses.
    for (const { session } of sides) expect(session.statistics.waited).toBeGreaterThan(200)
  })

  test('notice at once when one of them plays another game', () => {
    const sides: RollbackSession<Uint32Array>[] = []
    const differing = { tick: -1 }
    for (const player of [0, 1] as const) {
      const game = new Mixer()
      if (player === 1) game.step([1, 0])
      const onHash = ({ tick, isEqual }: { tick: number; isEqual: boolean }): void => {
        if (!isEqual && differing.tick < 0) differing.tick = tick
      }
      sides.push(new RollbackSession(game, { player, hashEvery: 10, onHash }))
    }
    for (let k = 0; k < 40; k++) {
      for (const side of sides) side.advance(k)
      sides[0].receive(sides[1].packet())
      sides[1].receive(sides[0].packet())
    }
    expect(differing.tick).toBe(0)
    expect(sides[0].statistics.mismatches).toBeGreaterThan(0)
  })
})

describe('packets', () => {
  const bits16 = fc.integer({ min: 0, max: 0xffff })
  const tick = fc.integer({ min: 0, max: 0xfffffffe })
  const packets: fc.Arbitrary<Packet> = fc.record({
    player: fc.constantFrom(0 as const, 1 as const),
    match: bits16,
    tick,
    wanted: tick,
    lead: fc.integer({ min: -32768, max: 32767 }).map((units) => units / 16),
    hashTick: tick,
    hash: fc.stringMatching(/^[0-9a-f]{16}$/),
    first: tick,
    inputs: fc.array(bits16, { maxLength: 128 }),
  })

  test('are read as they were written', () => {
    const property = fc.property(packets, (packet) => void expect(decodePacket(encodePacket(packet))).toEqual(packet))
    fc.assert(property)
    const none = {
      player: 0,
      match: 0,
      tick: 1,
      wanted: 0,
      lead: 0,
      hashTick: 0,
      hash: '',
      first: 0,
      inputs: [],
    } as const
    expect(decodePacket(encodePacket(none))).toEqual(none)
  })

  test('of any bytes are refused, and change nothing', () => {
    const session = begun()
    const before = session.packet()
    const changed = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))
    const property = fc.property(fc.uint8Array({ maxLength: 80 }), changed, (bytes, [at, by]) => {
      expect(session.receive(bytes)).toBe(false)
      // A packet of its own with a byte that is another is its own still, or none.
      const own = session.packet()
      own[at % own.length] ^= by
      if (own[1] !== 0) return
      expect(session.receive(own)).toBe(false)
    })
    fc.assert(property)
    expect(session.packet()).toEqual(before)
  })

  const good: Packet = {
    player: 1,
    match: 5,
    tick: 9,
    wanted: 6,
    lead: 0,
    hashTick: 0,
    hash: '',
    first: 2,
    inputs: [7, 8],
  }
  it.each<[string, Partial<Packet>, RegExp]>([
    ['of another match', { match: 4 }, /match must be 5, got 4/],
    ['of oneself', { player: 0 }, /player must be 1, got 0/],
    ['of a tick that cannot be yet', { tick: 1000 }, /tick must be <= \d+, got 1000/],
    ['that want what was not given yet', { wanted: 500 }, /wanted must be <= 12, got 500/],
    ['with a gap before their inputs', { first: 5 }, /first must be <= 4, .* got 5/],
    [
      'with inputs of the far future',
      { inputs: Array.from({ length: 60 }, () => 1) },
      /end of inputs must be <= \d+, got 62/,
    ],
    ['that take an input back', { inputs: [7, 9] }, /input of tick 3 must be what it was before, got 9/],
    [
      'with an input that the game has not',
      { first: 4, inputs: [0xffff] },
      /input of tick 4 must be one of the game's, got 65535/,
    ],
    ['with a hash of no such tick', { hashTick: 7, hash: '00000000ffffffff' }, /hash must be a multiple of 60, got 7/],
    ['with a hash of the future', { hashTick: 60, hash: '00000000ffffffff' }, /hash must be <= 9, got 60/],
  ])('%s are refused', (_, change, why) => {
    const session = begun()
    expect(session.receive(encodePacket(good))).toBe(true)
    expect(session.receive(encodePacket({ ...good, ...change }))).toBe(false)
    expect(session.refusal).toMatch(why)
    expect(session.statistics).toMatchObject({ packets: 1, refused: 1 })
    expect(session.receive(encodePacket(good))).toBe(true)
  })

  /** A session that has made ten ticks, of a game with inputs below 1000. */
  function begun(): RollbackSession<Uint32Array> {
    const game = Object.assign(new Mixer(), { isInput: (input: number) => input < 1000 })
    const session = new RollbackSession(game, { player: 0, match: 5 })
    for (let k = 0; k < 10; k++) session.advance(k)
    return session
  }
})

describe('a session', () => {
  it.each<[string, object, RegExp]>([
    ['a player that is none', { player: 2 }, /player must be <= 1, got 2/],
    ['a misspelt option', { player: 0, inputDely: 1 }, /inputDely/],
    ['a delay below 0', { player: 0, inputDelay: -1 }, /inputDelay must be an integer >= 0, got -1/],
    ['no prediction at all', { player: 0, maxPrediction: 0 }, /maxPrediction must be an integer >= 1, got 0/],
    ['a handler that is no function', { player: 0, onHash: 1 }, /onHash must be a function, got 1/],
  ])('refuses %s', (_, options, why) => {
    expect(() => new RollbackSession(new Mixer(), options as { player: 0 })).toThrow(why)
  })

  it('refuses an input that the game has not', () => {
    const session = new RollbackSession(new Match(), { player: 0 })
    expect(() => session.advance(8)).toThrow(/input must be one of the game's, got 8/)
    expect(() => session.advance(1.5)).toThrow(/input must be an integer/)
    expect(session.tick).toBe(0)
  })
})
