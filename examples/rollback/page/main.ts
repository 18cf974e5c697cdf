/**
 * The page: a clock that calls the session for each tick, a picture, a connection. In the address: `player` (1 or 2), `room`, `bot=1`
 * (plays by itself), `ratio` (pixels a CSS pixel; below 1 with coarse shadows).
 */

import { encodeInput } from '../input.js'
import { Match, type MatchState } from '../match.js'
import type { Notice } from '../notice.js'
import type { Player } from '../packet.js'
import { type HashEvent, RollbackSession } from '../session.js'
import { botInput } from './bot.js'
import { Connection } from './connection.js'
import { Controls } from './controls.js'
import type { PageState, Standing } from './handle.js'
import { Hud } from './hud.js'
import { RinkView } from './rink-view.js'
import { ShownPoses } from './shown-poses.js'

const TICK = 1 / 60
/** Ticks that a frame makes at most; and time that is made up for at all [s]: more was spent in the background. */
const [MOST_TICKS, MOST_LAG] = [8, 0.25]
/** Figures of rollbacks and frames that are kept. */
const KEPT = 20_000

const query = new URLSearchParams(location.search)
const isBot = query.get('bot') === '1'

class Page {
  private readonly hud = new Hud()
  private readonly controls = new Controls(document.body)
  private readonly canvas = document.getElementById('rink') as HTMLCanvasElement
  private readonly connection: Connection
  private match = new Match()
  private readonly start: MatchState = this.match.save()
  private readonly shown = new ShownPoses(this.match.parts.map(({ body }) => body))
  private readonly view: RinkView
  private session: RollbackSession<MatchState> | undefined
  private standing: Standing = 'connecting'
  private player: Player = 0
  private last = NaN
  private lag = 0
  private hashes: HashEvent[] = []
  private depths: number[] = []
  private times: number[] = []
  private frames: number[] = []

  constructor() {
    const ratio = query.get('ratio')
    this.view = new RinkView(this.canvas, this.match, ratio === null ? {} : { ratio: Number(ratio) })
    this.view.lookFor(0)
    this.connection = new Connection(query, {
      onNotice: (notice) => this.hear(notice),
      onPacket: (bytes) => void this.session?.receive(bytes),
      onLost: () => (this.standing = 'connecting'),
    })
    requestAnimationFrame((now) => this.frame(now))
    window.rollback = { state: () => this.state(), drop: () => this.connection.drop() }
  }

  private hear(notice: Notice): void {
    switch (notice.type) {
      case 'joined':
        this.player = notice.player
        this.session = undefined
        this.standing = 'alone'
        this.hud.own(notice.player)
        this.view.lookFor(notice.player)
        break
      case 'start':
        this.begin(notice.match)
        break
      case 'resumed':
      case 'back':
        this.standing = this.session === undefined ? 'alone' : 'playing'
        break
      case 'away':
      case 'left':
        this.standing = notice.type
        break
      case 'full':
        this.standing = 'full'
        break
    }
  }

  /** Begins a match from the start. */
  private begin(number: number): void {
    this.match.load(this.start)
    this.shown.stepped()
    this.lag = 0
    this.hashes = []
    this.depths = []
    this.times = []
    this.frames = []
    this.session = new RollbackSession(this.match, {
      player: this.player,
      match: number,
      onRollback: ({ depth, milliseconds }) => {
        this.shown.rolledBack()
        keep(this.depths, depth)
        keep(this.times, milliseconds)
      },
      onHash: (event) => {
        keep(this.hashes, event)
        if (!event.isEqual) console.error(`tick ${event.tick}: hash ${event.own} here, ${event.other} there`)
      },
    })
    this.standing = 'playing'
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next))
    const passed = Number.isNaN(this.last) ? 0 : (now - this.last) / 1000
    this.last = now
    if (this.session !== undefined) {
      keep(this.frames, 1000 * passed)
      this.run(this.session, passed)
    }
    this.shown.fade(passed)
    this.view.draw(this.shown, Math.min(1, this.lag / TICK))
    this.hud.showScore(this.match)
    this.hud.sayStanding(this.standing, this.match, this.player)
    this.hud.showNetwork(this.session, this.depths.at(-1) ?? 0, now)
  }

  /** Makes the ticks that are due. While the other one is away the clock stands. */
  private run(session: RollbackSession<MatchState>, passed: number): void {
    this.lag = Math.min(MOST_LAG, this.lag + passed * session.pace)
    for (let made = 0; this.lag >= TICK && made < MOST_TICKS; made++) {
      this.lag -= TICK
      if (session.advance(this.input(session.tick))) this.shown.stepped()
      this.connection.send(session.packet())
    }
  }

  private input(tick: number): number {
    if (isBot) return encodeInput(botInput(this.match, this.player, tick))
    const { right, up, jump, reel } = this.controls.read()
    const [fx, fz] = this.view.forward
    return encodeInput({ x: up * fx - right * fz, z: up * fz + right * fx, jump, reel })
  }

  private state(): PageState {
    const { standing, player, session, match, hashes, depths, times, frames } = this
    return {
      standing,
      player,
      tick: session?.tick ?? 0,
      confirmed: session?.confirmed ?? 0,
      ahead: session?.ahead ?? 0,
      roundTrip: session?.roundTrip ?? 0,
      score: match.tally.score,
      places: match.heroes.map(({ body }) => Array.from(body.position)),
      statistics: session?.statistics ?? NONE,
      hashes,
      depths,
      times,
      frames,
      refusal: session?.refusal ?? '',
    }
  }
}

const NONE = { waited: 0, rollbacks: 0, remade: 0, hashes: 0, mismatches: 0, packets: 0, refused: 0 }

function keep<T>(list: T[], value: T): void {
  list.push(value)
  if (list.length > KEPT) list.shift()
}

try {
  new Page()
} catch (error) {
  new Hud().sayStanding('failed', new Match(), 0)
  throw error
}
