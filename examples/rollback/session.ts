/**
 * A match of two over a network that delays, reorders and loses packets. No state is sent, inputs alone: both machines make the same ticks of the
 * same game from them.
 *
 *   - A local input counts `inputDelay` ticks after it was given, on both machines: short delays then need no guess.
 *   - The other's input is guessed to stay what it was last. When it comes in and was another, the game goes back to
 *     the start of that tick, and forward again: a rollback, at most `maxPrediction` ticks deep.
 *   - Every packet has all inputs that the other is not known to have: a lost one is made up for by the next.
 *   - Who is ahead runs slower, who is behind faster (`pace`), so that both guess alike.
 *   - Every `hashEvery` ticks both compare a hash of a state that no input can change any more.
 *
 * No clock, no network, no game in here: the caller calls `advance` for each tick that is due, sends `packet()`, and passes on to `receive` what comes in.
 * Source: Cannon, "GGPO" (2006).
 */

import { callable, integer, knownFields, shown } from '@tautline/core/kernel'
import { decodePacket, encodePacket, MOST_INPUTS, type Packet, type Player } from './packet.js'

/** What a session plays. The same calls must give the same bits on every machine. */
export interface RollbackGame<State> {
  /** Makes one tick with the inputs of both players: integers in [0, 65535], 0 for none. */
  step(inputs: readonly [number, number]): void
  /** Copies the state; `former` is one that is done with, whose memory may be used. */
  save(former?: State): State
  /** Goes back to a state that `save` gave, any number of times. */
  load(state: State): void
  /** 16 hexadecimal digits of everything in the state. */
  hash(): string
  /** Whether it is an input that a player can give; packets with others are refused. @defaultValue all are */
  isInput?(input: number): boolean
}

/** A rollback that was made. */
export interface RollbackEvent {
  /** How far back it went [ticks]. */
  readonly depth: number
  /** Of going back and forward again [ms]. */
  readonly milliseconds: number
}

/** Hashes of both machines, compared. */
export interface HashEvent {
  /** Whose start both states are. */
  readonly tick: number
  readonly own: string
  readonly other: string
  readonly isEqual: boolean
}

/** How a session is set up: but for `player`, the same on both machines. */
export interface SessionOptions {
  /** Who plays on this machine. */
  player: Player
  /** Number of the match, an integer in [0, 65535]: packets of another are refused. @defaultValue 0 */
  match?: number
  /** Ticks from a local input to its effect, an integer in [0, 16]. @defaultValue 2 */
  inputDelay?: number
  /** Ticks that are made on guesses at most, an integer in [1, 32]; then the session waits. @defaultValue 12 */
  maxPrediction?: number
  /** Ticks from one comparison of hashes to the next, an integer >= 1. @defaultValue 60 */
  hashEvery?: number
  /** Called after each rollback, when the game is at the present tick again. */
  onRollback?: (event: RollbackEvent) => void
  /** Called for each pair of hashes. */
  onHash?: (event: HashEvent) => void
}

/** What a session has counted. */
export interface SessionStatistics {
  /** Ticks that were not made because the other's inputs lay too far back. */
  waited: number
  rollbacks: number
  /** Ticks that were made again. */
  remade: number
  /** Pairs of hashes that were compared, and those that differed. */
  hashes: number
  mismatches: number
  /** Packets taken, and packets refused. */
  packets: number
  refused: number
}

const FIELDS = ['player', 'match', 'inputDelay', 'maxPrediction', 'hashEvery', 'onRollback', 'onHash']
/** Inputs of each player that are kept [ticks]: a packet's, and those that it may repeat. */
const RING = 2 * MOST_INPUTS
/** How long hashes wait for their counterpart: so many comparisons, and no less than a ring [ticks]. */
const KEPT_HASHES = 8
/** Share of a new measurement in the mean of leads. */
const LEAD_SHARE = 0.1
/** Change of pace a tick of being ahead, the most of it, and how far apart nobody minds [ticks]. */
const [PACE_GAIN, MOST_PACE, APART] = [0.02, 0.05, 0.25]

/** One player's side of a match. */
export class RollbackSession<State> {
  readonly player: Player
  readonly statistics: SessionStatistics = {
    waited: 0,
    rollbacks: 0,
    remade: 0,
    hashes: 0,
    mismatches: 0,
    packets: 0,
    refused: 0,
  }
  /** The tick that is made next. */
  tick = 0
  /** Why the last packet was refused that was. */
  refusal = ''
  private readonly game: RollbackGame<State>
  private readonly match: number
  private readonly inputDelay: number
  private readonly maxPrediction: number
  private readonly hashEvery: number
  private readonly onRollback: ((event: RollbackEvent) => void) | undefined
  private readonly onHash: ((event: HashEvent) => void) | undefined
  /** By tick, in rings: inputs given here, inputs that came in, and what was taken for them. */
  private readonly local = new Uint16Array(RING)
  private readonly remote = new Uint16Array(RING)
  private readonly taken = new Uint16Array(RING)
  /** The states at the start of the last ticks, in a ring. */
  private readonly states: State[] = []
  /** First ticks without an input: local, remote; and the first local one that the other may lack. */
  private localEnd: number
  private remoteEnd: number
  private unacknowledged: number
  /** Earliest tick that was made with a wrong guess. */
  private wrongFrom = Infinity
  /** Of the newest packet. */
  private otherTick = -1
  private otherLead = 0
  private lead = 0
  private readonly ownHashes = new Map<number, string>()
  private readonly otherHashes = new Map<number, string>()
  /** The last tick whose hashes were compared. */
  private comparedTo = -1

  /** A match from the game's present state on, which is to be the same on both machines. */
  constructor(game: RollbackGame<State>, options: SessionOptions) {
    const where = 'RollbackSession'
    knownFields(`${where}: options`, options, FIELDS)
    const { player, match = 0, inputDelay = 2, maxPrediction = 12, hashEvery = 60, onRollback, onHash } = options
    this.player = integer(`${where}: player`, player, 0, 1) as Player
    this.match = integer(`${where}: match`, match, 0, 0xffff)
    this.inputDelay = integer(`${where}: inputDelay`, inputDelay, 0, 16)
    this.maxPrediction = integer(`${where}: maxPrediction`, maxPrediction, 1, 32)
    this.hashEvery = integer(`${where}: hashEvery`, hashEvery, 1)
    for (const [name, call] of Object.entries({ onRollback, onHash })) {
      if (call !== undefined) callable(`${where}: ${name}`, call)
    }
    this.game = game
    this.onRollback = onRollback
    this.onHash = onHash
    // Nobody's input counts in the first ticks.
    this.localEnd = this.remoteEnd = this.unacknowledged = this.inputDelay
  }

  /** Ticks whose inputs are all known, and whose outcome stands. */
  get confirmed(): number {
    return Math.min(this.remoteEnd, this.tick)
  }

  /** Whether the next tick has to wait for the other's inputs. */
  get isWaiting(): boolean {
    return this.tick - this.remoteEnd >= this.maxPrediction
  }

  /** How far this machine is ahead of the other [ticks]; below 0 it is behind. Ways there and back are taken to be as long. */
  get ahead(): number {
    return this.otherTick < 0 ? 0 : 0.5 * (this.lead - this.otherLead)
  }

  /** A packet's way there and back [ticks]. */
  get roundTrip(): number {
    return this.otherTick < 0 ? 0 : Math.max(0, this.lead + this.otherLead)
  }

  /** What to multiply the time of a frame by, in [0.95, 1.05], so that both come to the same tick. */
  get pace(): number {
    const { ahead } = this
    if (Math.abs(ahead) < APART) return 1
    return 1 - Math.max(-MOST_PACE, Math.min(MOST_PACE, PACE_GAIN * ahead))
  }

  /** The hash of the state at the start of a tick, a multiple of `hashEvery`, once no input can change it; those of long ago are forgotten. */
  hashAt(tick: number): string | undefined {
    return tick <= this.lastHashTick() ? this.ownHashes.get(tick) : undefined
  }

  /** Makes one tick with an input of the player here; false, and nothing made, where it has to wait for the other. */
  advance(input: number): boolean {
    integer('advance: input', input, 0, 0xffff)
    if (this.game.isInput?.(input) === false)
      throw new RangeError(`advance: input must be one of the game's, got ${input}`)
    this.settle()
    if (this.isWaiting) {
      this.statistics.waited++
      return false
    }
    this.local[this.localEnd++ % RING] = input
    this.make()
    return true
  }

  /** Goes back to where a guess was wrong, if one was, and forward again. `advance` does it by itself. */
  settle(): void {
    if (this.wrongFrom < this.tick) {
      const began = performance.now()
      const now = this.tick
      const depth = now - this.wrongFrom
      this.tick = this.wrongFrom
      this.game.load(this.states[this.tick % (this.maxPrediction + 1)])
      while (this.tick < now) this.make()
      this.statistics.rollbacks++
      this.statistics.remade += depth
      this.onRollback?.({ depth, milliseconds: performance.now() - began })
    }
    this.wrongFrom = Infinity
    this.compareHashes()
  }

  /** What to send now: a packet a tick, also while the session waits. */
  packet(): Uint8Array<ArrayBuffer> {
    const hashTick = this.lastHashTick()
    const inputs: number[] = []
    for (let tick = this.unacknowledged; tick < this.localEnd; tick++) inputs.push(this.local[tick % RING])
    return encodePacket({
      player: this.player,
      match: this.match,
      tick: this.tick,
      wanted: this.remoteEnd,
      lead: this.lead,
      hashTick,
      hash: this.ownHashes.get(hashTick) ?? '',
      first: this.unacknowledged,
      inputs,
    })
  }

  /** Takes a packet; false where it is none of this match's, or says what cannot be: nothing of it is used then, and `refusal` has why. */
  receive(bytes: Uint8Array): boolean {
    try {
      const packet = decodePacket(bytes)
      this.check(packet)
      this.take(packet)
      this.statistics.packets++
      return true
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.refusal = error.message
      this.statistics.refused++
      return false
    }
  }

  /** Makes the next tick, with a guess where the other's input is not there. */
  private make(): void {
    const { tick, game, player } = this
    if (tick % this.hashEvery === 0) this.ownHashes.set(tick, game.hash())
    const place = tick % (this.maxPrediction + 1)
    this.states[place] = game.save(this.states[place])
    const own = this.local[tick % RING]
    const other = tick < this.remoteEnd ? this.remote[tick % RING] : this.remote[(this.remoteEnd - 1 + RING) % RING]
    this.taken[tick % RING] = other
    game.step(player === 0 ? [own, other] : [other, own])
    this.tick++
  }

  /** Throws where a packet cannot be the other's. */
  private check({ player, match, tick, wanted, first, inputs, hash, hashTick }: Packet): void {
    // The other makes guesses too, but not beyond what it may.
    const furthest = this.localEnd + this.maxPrediction
    must('match', match === this.match, this.match, match)
    must('player', player !== this.player, 1 - this.player, player)
    must('tick', tick <= furthest, `<= ${furthest}`, tick)
    must('wanted', wanted <= this.localEnd, `<= ${this.localEnd}`, wanted)
    must('first', first <= this.remoteEnd, `<= ${this.remoteEnd}, behind which there would be a gap`, first)
    const last = furthest + this.inputDelay
    must('end of inputs', first + inputs.length <= last, `<= ${last}`, first + inputs.length)
    if (hash !== '') {
      must('tick of the hash', hashTick % this.hashEvery === 0, `a multiple of ${this.hashEvery}`, hashTick)
      must('tick of the hash', hashTick <= tick, `<= ${tick}`, hashTick)
    }
    inputs.forEach((input, k) => {
      const at = first + k
      if (this.game.isInput?.(input) === false) must(`input of tick ${at}`, false, "one of the game's", input)
      const isKnown = at < this.remoteEnd && at >= this.remoteEnd - MOST_INPUTS
      if (isKnown) must(`input of tick ${at}`, input === this.remote[at % RING], 'what it was before', input)
    })
  }

  /** Uses what is new in a packet. */
  private take({ tick, wanted, lead, first, inputs, hash, hashTick }: Packet): void {
    for (let at = this.remoteEnd; at < first + inputs.length; at++) {
      const input = inputs[at - first]
      this.remote[at % RING] = input
      this.remoteEnd = at + 1
      if (at < this.tick && this.taken[at % RING] !== input) this.wrongFrom = Math.min(this.wrongFrom, at)
    }
    this.unacknowledged = Math.max(this.unacknowledged, wanted)
    if (tick > this.otherTick) {
      const measured = this.tick - tick
      this.lead = this.otherTick < 0 ? measured : this.lead + LEAD_SHARE * (measured - this.lead)
      this.otherTick = tick
      this.otherLead = lead
    }
    if (hash !== '' && hashTick > this.comparedTo) this.otherHashes.set(hashTick, hash)
  }

  /** The last tick of a hash that stands, or below 0. */
  private lastHashTick(): number {
    const settled = Math.min(this.confirmed, this.wrongFrom, this.tick - 1)
    return settled < 0 ? -1 : settled - (settled % this.hashEvery)
  }

  /** Compares what both sides have of states that stand, oldest first. */
  private compareHashes(): void {
    const last = this.lastHashTick()
    for (const [tick, other] of this.otherHashes) {
      if (tick > last) continue
      this.otherHashes.delete(tick)
      const own = this.ownHashes.get(tick)
      if (own === undefined || tick <= this.comparedTo) continue
      this.comparedTo = tick
      const isEqual = own === other
      this.statistics.hashes++
      if (!isEqual) this.statistics.mismatches++
      this.onHash?.({ tick, own, other, isEqual })
    }
    const oldest = last - Math.max(RING, KEPT_HASHES * this.hashEvery)
    for (const hashes of [this.ownHashes, this.otherHashes]) {
      for (const tick of hashes.keys()) if (tick < oldest) hashes.delete(tick)
    }
  }
}

function must(what: string, holds: boolean, asked: unknown, got: unknown): void {
  if (!holds) throw new RangeError(`packet: ${what} must be ${String(asked)}, got ${shown(got)}`)
}
