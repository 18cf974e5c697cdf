/** The way to the server: comes back by itself, to the same seat. */

import { type Notice, noticeOf } from '../notice.js'

export interface Listener {
  onNotice(notice: Notice): void
  onPacket(bytes: Uint8Array): void
  /** The connection is lost; it is tried again. */
  onLost(): void
}

/** From one try to the next: at first, and at most [ms]. */
const [FIRST_WAIT, MOST_WAIT] = [300, 4000]
/** More than this in the socket's own buffer, and a packet is left out: the next one has what was in it [B]. */
const MOST_BUFFERED = 4096

export class Connection {
  private readonly listener: Listener
  private readonly address: URL
  private socket: WebSocket | undefined
  private wait = FIRST_WAIT
  private isOver = false

  /** `query` has `room` and `player`, where they are given. */
  constructor(query: URLSearchParams, listener: Listener) {
    this.listener = listener
    this.address = new URL('play', location.href)
    this.address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
    for (const name of ['room', 'player']) {
      const value = query.get(name)
      if (value !== null) this.address.searchParams.set(name, value)
    }
    this.open()
  }

  send(packet: Uint8Array<ArrayBuffer>): void {
    const { socket } = this
    if (socket?.readyState === WebSocket.OPEN && socket.bufferedAmount < MOST_BUFFERED) socket.send(packet)
  }

  /** Loses the connection, as a bad network does. */
  drop(): void {
    this.socket?.close()
  }

  private open(): void {
    const socket = new WebSocket(this.address)
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => (this.wait = FIRST_WAIT)
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.listener.onPacket(new Uint8Array(data))
      else this.hear(noticeOf(String(data)))
    }
    socket.onclose = () => this.lose()
    this.socket = socket
  }

  private hear(notice: Notice): void {
    if (notice.type === 'joined') this.address.searchParams.set('token', notice.token)
    if (notice.type === 'full') this.isOver = true
    this.listener.onNotice(notice)
  }

  private lose(): void {
    if (this.isOver) return
    this.listener.onLost()
    setTimeout(() => this.open(), this.wait)
    this.wait = Math.min(MOST_WAIT, 2 * this.wait)
  }
}
