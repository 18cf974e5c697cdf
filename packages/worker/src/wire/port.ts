/** The way messages go: whatever posts and receives like a `MessagePort`, in browsers and in Node. */

import { shown } from '@tautline/core/kernel'
import { platform } from '../platform.js'

/** A worker, the inside of one, or a port: of a browser or of `node:worker_threads`. */
export interface PortLike {
  /** Posts a value by structured clone; what is in `transfer` goes over. */
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  /** How browsers are listened to. */
  addEventListener?(type: string, listener: (event: unknown) => void): void
  /** How browsers are listened to no more. */
  removeEventListener?(type: string, listener: (event: unknown) => void): void
  /** How Node's are listened to. */
  on?(type: string, listener: (value: unknown) => void): unknown
  /** How Node's are listened to no more. */
  off?(type: string, listener: (value: unknown) => void): unknown
  /** Begins the delivery of messages, where that is needed. */
  start?(): void
  /** Ends a worker. */
  terminate?(): unknown
  /** Ends a port. */
  close?(): void
}

/** A port that is listened to. */
export interface OpenPort {
  post(message: unknown, transfer?: ArrayBuffer[]): void
  /** Listens no more. */
  release(): void
  /** The same, and ends the worker or the port. */
  end(): void
}

/** What a listened port calls. */
export interface PortHandlers {
  message(message: unknown): void
  /** The worker failed or ended, or a message could not be read. */
  failure(error: Error): void
}

/** Listens to a port. Throws a `TypeError` for what is none. */
export function openPort(where: string, port: PortLike, handlers: PortHandlers): OpenPort {
  const isPort = typeof port?.postMessage === 'function'
  const isNodes = typeof port?.on === 'function' && typeof port.off === 'function'
  if (!isPort || !(isNodes || typeof port.addEventListener === 'function')) {
    throw new TypeError(
      `${where} must be a worker or a port, with postMessage and on or addEventListener, got ${shown(port)}`,
    )
  }
  const listeners: [string, (value: unknown) => void][] = isNodes ? nodeListeners(handlers) : pageListeners(handlers)
  for (const [type, listener] of listeners) {
    if (isNodes) port.on?.(type, listener)
    else port.addEventListener?.(type, listener)
  }
  port.start?.()
  const release = (): void => {
    for (const [type, listener] of listeners) {
      if (isNodes) port.off?.(type, listener)
      else port.removeEventListener?.(type, listener)
    }
  }
  return {
    post: (message, transfer) => port.postMessage(message, transfer ?? []),
    release,
    end() {
      release()
      if (typeof port.terminate === 'function') port.terminate()
      else port.close?.()
    },
  }
}

function nodeListeners({ message, failure }: PortHandlers): [string, (value: unknown) => void][] {
  return [
    ['message', (value) => message(value)],
    ['error', (error) => failure(asError(error))],
    ['messageerror', (error) => failure(asError(error))],
    ['exit', (code) => failure(new Error(`the worker ended with code ${String(code)}`))],
    ['close', () => failure(new Error('the port was closed'))],
  ]
}

function pageListeners({ message, failure }: PortHandlers): [string, (value: unknown) => void][] {
  return [
    ['message', (event) => message((event as { data: unknown }).data)],
    [
      'error',
      (event) => {
        const { error, message: text } = event as { error?: unknown; message?: string }
        failure(asError(error ?? text))
      },
    ],
    ['messageerror', () => failure(new Error('a message could not be read'))],
  ]
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(typeof error === 'string' ? error : 'the worker failed to load')
}

/** The other end of the worker that this runs in. Throws an `Error` outside of one. */
export function parentOf(where: string): PortLike {
  const threads = platform.process?.getBuiltinModule?.('node:worker_threads') as
    { parentPort: PortLike | null } | undefined
  if (threads?.parentPort) return threads.parentPort
  const scope = globalThis as unknown as PortLike & { document?: unknown }
  if (threads === undefined && scope.document === undefined && typeof scope.postMessage === 'function') return scope
  throw new Error(`${where}: must run in a worker, or be given a port`)
}
