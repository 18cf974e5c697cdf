/** Two seats, and what goes from one to the other: packets as they are, over a network that may be made bad; and words about who is there. */

import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { type LinkOptions, LossyLink } from './lossy-link.js'
import type { Player } from './packet.js'
import type { Notice } from './notice.js'

/** How long a seat is kept for who lost the connection [ms]. */
const GRACE = 10_000
/** Messages of one socket in a second; more are dropped. */
const MOST_MESSAGES = 300

interface Seat {
  readonly player: Player
  /** Who has it may come back to it. */
  readonly token: string
  socket: WebSocket | undefined
  expiry: ReturnType<typeof setTimeout> | undefined
}

export class Room {
  private readonly link: LinkOptions
  private readonly onEmpty: () => void
  private readonly seats: [Seat | undefined, Seat | undefined] = [undefined, undefined]
  private match = Math.floor(0xffff * Math.random())

  /** `onEmpty` is called when the last seat is given up. */
  constructor(link: LinkOptions, onEmpty: () => void) {
    this.link = link
    this.onEmpty = onEmpty
  }

  /** Gives a socket a seat: the one that its token is for, the one that it wants, or any; or none, and closes it. */
  join(socket: WebSocket, token: string | null, wanted: number): void {
    const kept = this.seats.find((seat) => seat !== undefined && seat.token === token)
    if (kept !== undefined) return this.resume(kept, socket)
    const player = ([wanted, 0, 1] as Player[]).find((place) => this.isFree(place))
    if (player === undefined) {
      tell(socket, { type: 'full' })
      socket.close(4000, 'full')
      return
    }
    clearTimeout(this.seats[player]?.expiry)
    const seat: Seat = { player, token: randomUUID(), socket, expiry: undefined }
    this.seats[player] = seat
    this.listen(seat, socket)
    tell(socket, { type: 'joined', player, token: seat.token })
    if (!this.seats.every((each) => each?.socket !== undefined)) return
    this.match = (this.match + 1) % 0x10000
    for (const each of this.seats) tell(each?.socket, { type: 'start', match: this.match })
  }

  /** Whether nobody sits there, or somebody who is not there just now. */
  private isFree(place: number): boolean {
    return (place === 0 || place === 1) && this.seats[place]?.socket === undefined
  }

  private resume(seat: Seat, socket: WebSocket): void {
    clearTimeout(seat.expiry)
    const before = seat.socket
    seat.socket = socket
    before?.close(4001, 'replaced')
    this.listen(seat, socket)
    tell(socket, { type: 'resumed' })
    if (this.other(seat)?.socket !== undefined) tell(this.other(seat)?.socket, { type: 'back' })
    else tell(socket, { type: this.other(seat) === undefined ? 'left' : 'away' })
  }

  private other({ player }: Seat): Seat | undefined {
    return this.seats[1 - player]
  }

  private listen(seat: Seat, socket: WebSocket): void {
    const link = new LossyLink<Buffer>(this.link, (packet) => {
      const other = this.other(seat)?.socket
      if (other?.readyState === other?.OPEN) other?.send(packet)
    })
    let second = 0
    let messages = 0
    socket.on('message', (data, isBinary) => {
      const now = Math.floor(performance.now() / 1000)
      if (now !== second) [second, messages] = [now, 0]
      if (isBinary && ++messages <= MOST_MESSAGES) link.send(data as Buffer)
    })
    socket.on('close', () => {
      if (seat.socket === socket) this.lose(seat)
    })
    // A close comes after it.
    socket.on('error', () => undefined)
  }

  private lose(seat: Seat): void {
    seat.socket = undefined
    if (this.seats[seat.player] !== seat) return
    tell(this.other(seat)?.socket, { type: 'away' })
    seat.expiry = setTimeout(() => {
      this.seats[seat.player] = undefined
      tell(this.other(seat)?.socket, { type: 'left' })
      if (this.seats.every((each) => each === undefined)) this.onEmpty()
    }, GRACE)
    seat.expiry.unref()
  }
}

function tell(socket: WebSocket | undefined, notice: Notice): void {
  if (socket !== undefined && socket.readyState === socket.OPEN) socket.send(JSON.stringify(notice))
}
