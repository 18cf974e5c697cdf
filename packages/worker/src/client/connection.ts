/** The page's end: gathers the calls of a task into one message, keeps the promises of replies, and hands on what happened. */

import { platform } from '../platform.js'
import { errorFromData } from '../wire/errors.js'
import type { Call, OpenRequest, Result, ToHost, ToPage } from '../wire/messages.js'
import { type OpenPort, openPort, type PortLike } from '../wire/port.js'

interface Promised {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** What a connection calls. */
export interface ConnectionHandlers {
  /** A value of a reply, with handles in place of numbers. */
  decode(value: unknown): unknown
  event(kind: string, data: unknown): void
  /** A call without a reply threw. */
  error(call: string, on: number, error: Error): void
  /** The worker is no more. */
  failure(error: Error): void
  room(buffer: SharedArrayBuffer): void
  frame(buffer: ArrayBuffer): void
}

let sessions = 0

/** A connection to a worker that serves, or will. */
export class Connection {
  /** Resolved when the worker has made the world and run its set-up; rejected with what that threw. */
  readonly ready: Promise<void>
  /** The number of the message of calls that is being gathered. */
  batch = 1
  private readonly port: OpenPort
  private readonly handlers: ConnectionHandlers
  private readonly request: OpenRequest
  private readonly promised = new Map<number, Promised>()
  private opening: Promised | undefined
  private replies = 0
  private calls: Call[] = []
  private isDue = false
  private state: 'opening' | 'open' | 'closed' = 'opening'
  private reason: Error | undefined

  constructor(port: PortLike, request: Omit<OpenRequest, 'session'>, handlers: ConnectionHandlers) {
    this.handlers = handlers
    // Two pages may share a worker by mistake: their numbers must differ.
    this.request = { ...request, session: platform.performance.timeOrigin + ++sessions / 1024 }
    this.ready = new Promise((resolve, reject) => (this.opening = { resolve: resolve as () => void, reject }))
    this.port = openPort('connect: port', port, {
      message: (message) => this.receive(message as ToPage),
      failure: (error) => this.fail(error),
    })
    this.send(['open', this.request])
  }

  /** Whether calls can be made. */
  get isOpen(): boolean {
    return this.state !== 'closed'
  }

  /** Posts a call that has no reply. */
  post(name: string, on: number, makes: number, args: readonly unknown[]): void {
    this.gather([name, on, makes, 0, args])
  }

  /** Posts a call and promises its reply. */
  ask(name: string, on: number, makes: number, args: readonly unknown[]): Promise<unknown> {
    const reply = ++this.replies
    this.gather([name, on, makes, reply, args])
    return new Promise((resolve, reject) => this.promised.set(reply, { resolve, reject }))
  }

  /** Posts something that is no call of the user's, if there is anyone to hear it. */
  tell(name: string, on: number, args: readonly unknown[]): void {
    if (this.isOpen) this.gather([name, on, 0, 0, args])
  }

  /** Gives the memory of a frame back. */
  giveBack(buffer: ArrayBuffer): void {
    if (this.isOpen) this.send(['return', buffer], [buffer])
  }

  /** Ends it, and the worker or port; what waits for a reply is rejected with `reason`. */
  close(reason: Error): void {
    if (!this.isOpen) return
    // To end it early is no failure.
    this.ready.catch(() => undefined)
    this.send(['close'])
    this.port.end()
    this.drop(reason)
  }

  private gather(call: Call): void {
    if (this.reason !== undefined) throw this.reason
    this.calls.push(call)
    if (this.isDue) return
    this.isDue = true
    platform.queueMicrotask(() => {
      this.isDue = false
      this.sendCalls()
    })
  }

  private sendCalls(): void {
    if (this.state !== 'open' || this.calls.length === 0) return
    const { calls } = this
    this.calls = []
    this.send(['calls', this.batch++, calls])
  }

  private send(message: ToHost, transfer?: ArrayBuffer[]): void {
    this.port.post(message, transfer)
  }

  private receive(message: ToPage): void {
    switch (message[0]) {
      case 'hello':
        // It may have begun to listen after the first request.
        if (this.state === 'opening') this.send(['open', this.request])
        return
      case 'opened':
        if (this.state !== 'opening' || message[1] !== this.request.session) return
        this.state = 'open'
        this.opening?.resolve(undefined)
        this.sendCalls()
        return
      case 'refused':
        if (message[1] === this.request.session) this.fail(errorFromData(message[2]))
        return
      case 'results':
        for (const result of message[1]) this.take(result)
        return
      case 'room':
        this.handlers.room(message[1])
        return
      case 'frame':
        this.handlers.frame(message[1])
    }
  }

  private take(result: Result): void {
    switch (result[0]) {
      case 'reply':
        this.settle(result[1])?.resolve(this.handlers.decode(result[2]))
        return
      case 'reject':
        this.settle(result[1])?.reject(errorFromData(result[2]))
        return
      case 'error':
        this.handlers.error(result[1], result[2], errorFromData(result[3]))
        return
      case 'event':
        this.handlers.event(result[1], this.handlers.decode(result[2]))
    }
  }

  private settle(reply: number): Promised | undefined {
    const promised = this.promised.get(reply)
    this.promised.delete(reply)
    return promised
  }

  private fail(error: Error): void {
    if (!this.isOpen) return
    const wasOpen = this.state === 'open'
    this.port.release()
    this.drop(error)
    // Before that, `ready` says it.
    if (wasOpen) this.handlers.failure(error)
  }

  private drop(reason: Error): void {
    this.state = 'closed'
    this.reason = reason
    this.calls = []
    this.opening?.reject(reason)
    for (const { reject } of this.promised.values()) reject(reason)
    this.promised.clear()
  }
}
