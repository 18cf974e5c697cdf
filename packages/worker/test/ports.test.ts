/** What is a port: to the compiler as to `connect`. */

import {
  MessageChannel,
  type MessagePort as NodePort,
  parentPort,
  type Worker as NodeWorker,
} from 'node:worker_threads'
import { expect, test } from 'vitest'
import { connect, type PortLike } from '../src/index.js'
import { serve } from '../src/host.js'

test('workers and ports of browsers and of Node are ports', async () => {
  const ports = (
    worker: Worker,
    port: MessagePort,
    nodeWorker: NodeWorker,
    nodePort: NodePort,
  ): readonly PortLike[] => [worker, port, nodeWorker, nodePort]
  expect(ports).toBeTypeOf('function')
  expect(parentPort === null || parentPort !== undefined).toBe(true)
  // Those of the global scope, which Node has as browsers do.
  const { port1, port2 } = new globalThis.MessageChannel()
  serve({ port: port2 })
  const remote = connect(port1)
  remote.addBody({})
  expect(await remote.bodies()).toHaveLength(1)
  remote.dispose()
  const nodes = new MessageChannel()
  serve({ port: nodes.port2 })
  const other = connect(nodes.port1)
  expect(await other.bodies()).toHaveLength(0)
  other.dispose()
})

test('what listens as a browser does is heard as a browser is', async () => {
  const listeners = new Map<string, (event: { data?: unknown; error?: unknown; message?: string }) => void>()
  const posted: unknown[] = []
  const port = {
    postMessage: (message: unknown) => void posted.push(message),
    addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener as never),
    removeEventListener: (type: string) => void listeners.delete(type),
    terminate: () => void posted.push('terminated'),
  }
  const remote = connect(port)
  const { session } = (posted[0] as [string, { session: number }])[1]
  listeners.get('message')?.({ data: ['opened', session] })
  await remote.ready
  const errors: string[] = []
  remote.on('error', ({ call, error }) => errors.push(`${call}: ${error.message}`))
  remote.step()
  await Promise.resolve()
  expect((posted.at(-1) as unknown[])[0]).toBe('calls')
  listeners.get('error')?.({ message: 'Uncaught SyntaxError' })
  expect(errors).toEqual(['worker: Uncaught SyntaxError'])
  expect(remote.alive).toBe(false)
  const second = connect(port)
  second.dispose()
  expect(posted.at(-1)).toBe('terminated')
  expect(listeners.size).toBe(0)
})
