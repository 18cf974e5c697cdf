/** Words on the page: the score, what is going on, and how the network does. */

import type { Match } from '../match.js'
import type { Player } from '../packet.js'
import type { RollbackSession } from '../session.js'
import type { Standing } from './handle.js'

const TICK = 1000 / 60
/** How often numbers change [ms]: faster is not read. */
const EVERY = 250
const NAMES = ['Blue', 'Orange']

function element(selector: string): HTMLElement {
  return document.querySelector(selector) as HTMLElement
}

export class Hud {
  private readonly scores = ['.first', '.second'].map((name) => element(`#score ${name}`))
  private readonly network = element('#network')
  private readonly text = element('#network span')
  private readonly message = element('#message')
  private shown = 0

  /** Whose page it is. */
  own(player: Player): void {
    this.scores.forEach((score, k) => score.classList.toggle('own', k === player))
  }

  showScore({ tally }: Match): void {
    this.scores.forEach((score, k) => {
      const text = String(tally.score[k])
      if (score.textContent !== text) score.textContent = text
    })
  }

  /** What there is to say; '' is nothing. */
  say(text: string, isShort = false): void {
    this.message.hidden = text === ''
    this.message.classList.toggle('short', isShort)
    if (this.message.textContent !== text) this.message.textContent = text
  }

  /** What a standing means for the player. */
  sayStanding(standing: Standing, match: Match, player: Player): void {
    if (standing !== 'playing') return this.say(wordsOf(standing, player))
    const { winner, tally } = match
    if (winner !== undefined) this.say(`${NAMES[winner]} wins!`, true)
    else this.say(tally.pause > 0 ? 'Goal!' : '', true)
  }

  /** How the network does: the hashes' state, in a colour, and figures. */
  showNetwork<State>(session: RollbackSession<State> | undefined, lastDepth: number, now: number): void {
    if (now - this.shown < EVERY) return
    this.shown = now
    const { network, text } = this
    if (session === undefined) {
      network.className = ''
      text.textContent = 'no match yet'
      return
    }
    const { hashes, mismatches } = session.statistics
    network.className = mismatches > 0 ? 'wrong' : hashes > 0 ? 'good' : ''
    const state =
      mismatches > 0
        ? `out of step, ${mismatches} of ${hashes} hashes differ`
        : `in step, ${hashes} ${hashes === 1 ? 'hash' : 'hashes'} equal`
    text.textContent = `${state} · ${Math.round(TICK * session.roundTrip)} ms · rollback ${lastDepth}`
    network.title = 'Hashes of both machines; way of a packet there and back; ticks that the last rollback went back'
  }
}

function wordsOf(standing: Exclude<Standing, 'playing'>, player: Player): string {
  const invitation = new URL(location.href)
  invitation.searchParams.set('player', String(2 - player))
  for (const own of ['bot', 'ratio']) invitation.searchParams.delete(own)
  switch (standing) {
    case 'connecting':
      return 'Connecting …'
    case 'alone':
      return `You are ${NAMES[player]}.\nThe other one opens\n${invitation.href}`
    case 'away':
      return 'The other one’s connection is lost. The match goes on when it is back.'
    case 'left':
      return `The other one has left.\nA new match begins when somebody opens\n${invitation.href}`
    case 'full':
      return 'Two are playing here. Another rink: add ?room=name to the address, for both.'
    case 'failed':
      return 'There is no WebGL 2 in this browser.'
  }
}
