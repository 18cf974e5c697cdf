/** Two sessions over a network in simulated time: clocks that start apart and go unevenly, links that delay, reorder and lose. */

import { LossyLink, type LinkOptions } from '../lossy-link.js'
import type { Player } from '../packet.js'
import { type RollbackGame, RollbackSession, type SessionOptions } from '../session.js'

export interface DuelOptions<State> {
  readonly makeGame: () => RollbackGame<State>
  readonly inputOf: (player: Player, tick: number) => number
  readonly session?: Omit<SessionOptions, 'player'>
  readonly link: LinkOptions
  /** In [0, 1). */
  readonly random: () => number
  /** Ticks that each makes. */
  readonly ticks: number
  /** By how much the second one starts later [ms]. */
  readonly late?: number
  /** From and to which time nothing comes through [ms]. */
  readonly cut?: readonly [number, number]
  /** By how much the second one's clock goes wrong, as a share. @defaultValue 0 */
  readonly drift?: number
}

export interface Side<State> {
  readonly session: RollbackSession<State>
  readonly game: RollbackGame<State>
  /** Inputs by the tick that they count in. */
  readonly inputs: number[]
  /** Hashes of states that stand, by tick. */
  readonly hashes: string[]
  /** Deepest rollback [ticks]. */
  deepest: number
  /** How far it was ahead, at each of its ticks. */
  readonly ahead: number[]
}

const TICK = 1000 / 60
/** How late a frame may be [ticks]. */
const UNEVEN = 1.5

/** A queue of calls by time. */
class Clock {
  now = 0
  private readonly calls: { at: number; order: number; call: () => void }[] = []
  private order = 0

  readonly later = (call: () => void, milliseconds: number): void => {
    this.calls.push({ at: this.now + milliseconds, order: this.order++, call })
  }

  /** Makes the next call; false where there is none. */
  next(): boolean {
    let first = 0
    this.calls.forEach(({ at, order }, k) => {
      const best = this.calls[first]
      if (at < best.at || (at === best.at && order < best.order)) first = k
    })
    const [due] = this.calls.splice(first, 1)
    if (due === undefined) return false
    this.now = due.at
    due.call()
    return true
  }
}

/** Plays until both have made their ticks, and all that was under way has come. */
export function playDuel<State>(options: DuelOptions<State>): [Side<State>, Side<State>] {
  const { makeGame, inputOf, link, random, ticks, late = 0, cut = [0, 0], drift = 0 } = options
  const clock = new Clock()
  const inputDelay = options.session?.inputDelay ?? 2
  const makeSide = (player: Player): Side<State> => {
    const game = makeGame()
    const session = new RollbackSession(game, {
      hashEvery: 1,
      ...options.session,
      player,
      onRollback: ({ depth }) => (side.deepest = Math.max(side.deepest, depth)),
    })
    const inputs = Array.from({ length: inputDelay }, () => 0)
    const side: Side<State> = { session, game, inputs, hashes: [], deepest: 0, ahead: [] }
    return side
  }
  const sides: [Side<State>, Side<State>] = [makeSide(0), makeSide(1)]
  const links = sides.map((_, player) => {
    const other = sides[1 - player].session
    return new LossyLink<Uint8Array>(link, (bytes) => other.receive(bytes), random, clock.later)
  })
  const isDone = (): boolean => sides.every(({ session, hashes }) => session.tick >= ticks && hashes.length >= ticks)

  const due = [0, late]
  const frame = (player: Player): void => {
    const { session, inputs, hashes, ahead } = sides[player]
    if (session.tick < ticks + 1) {
      const input = inputOf(player, session.tick)
      if (session.advance(input)) inputs.push(input)
      ahead.push(session.ahead)
    } else session.settle()
    for (let hash = session.hashAt(hashes.length); hash !== undefined; hash = session.hashAt(hashes.length)) {
      hashes.push(hash)
    }
    if (clock.now < cut[0] || clock.now >= cut[1]) links[player].send(session.packet())
    if (isDone()) return
    // Frames come late by something; the clock does not.
    due[player] += (TICK * (player === 1 ? 1 + drift : 1)) / session.pace
    clock.later(() => frame(player), Math.max(0, due[player] + UNEVEN * TICK * random() - clock.now))
  }
  clock.later(() => frame(0), 0)
  clock.later(() => frame(1), late)
  while (clock.next());
  return sides
}

/** Hashes of a game that has both players' inputs at once, by tick. */
export function playAlone<State>(
  game: RollbackGame<State>,
  inputs: readonly [readonly number[], readonly number[]],
  ticks: number,
): string[] {
  const hashes: string[] = []
  for (let tick = 0; tick < ticks; tick++) {
    hashes.push(game.hash())
    game.step([inputs[0][tick], inputs[1][tick]])
  }
  return hashes
}

/** A game of two numbers in which every input changes all that comes after. */
export class Mixer implements RollbackGame<Uint32Array> {
  private readonly words = Uint32Array.of(1, 2)

  step([a, b]: readonly [number, number]): void {
    const { words } = this
    words[0] = Math.imul(words[0] ^ (a + 1), 0x9e3779b1) ^ (words[1] >>> 7)
    words[1] = Math.imul(words[1] ^ (b + 1), 0x85ebca6b) ^ (words[0] >>> 11)
  }

  save(): Uint32Array {
    return this.words.slice()
  }

  load(state: Uint32Array): void {
    this.words.set(state)
  }

  hash(): string {
    return Array.from(this.words, (word) => word.toString(16).padStart(8, '0')).join('')
  }
}

/** Mulberry32: numbers in [0, 1) of a seed. */
export function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
