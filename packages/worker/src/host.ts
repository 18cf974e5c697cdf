/** Tautline in a worker, the worker's side: `serve` has it make what the page calls. */

import { array, knownFields } from '@tautline/core/kernel'
import { HostedWorld } from './host/hosted-world.js'
import type { ServeOptions } from './host/serve-options.js'
import { errorToData } from './wire/errors.js'
import type { OpenRequest, ToHost, ToPage } from './wire/messages.js'
import { openPort, parentOf } from './wire/port.js'

export type { Hosted, OwnCalls, ServeOptions, SetUp } from './host/serve-options.js'
export type { PortLike } from './wire/port.js'

/** A worker that serves. */
export interface Server {
  /** Ends it: the world steps no more, and the port is heard no more. */
  close(): void
}

/**
 * Serves one world to the page that connects: to be called by the worker's module, once it knows its types. Throws a `TypeError` for options
 * that are wrong, and an `Error` outside of a worker where no port is given.
 */
export function serve(options: ServeOptions = {}): Server {
  const where = 'serve'
  knownFields(where, options, ['types', 'setup', 'stages', 'kernels', 'port'])
  array(`${where}: types`, options.types ?? [])
  const { port: given = parentOf(where) } = options
  let hosted: Promise<HostedWorld | undefined> | undefined
  let session = 0
  // One after the other: a set-up, or a call of the user's own, may take its time.
  let last: Promise<void> = Promise.resolve()
  const then = (task: (host: HostedWorld) => void | Promise<void>): void => {
    last = last.then(async () => {
      const host = await hosted
      if (host !== undefined) await task(host)
    })
  }
  const post = (message: ToPage): void => port.post(message)

  const open = async (request: OpenRequest): Promise<HostedWorld | undefined> => {
    try {
      const host = new HostedWorld(port, request, options)
      await host.setUp(options)
      post(['opened', request.session])
      host.deliver(true)
      return host
    } catch (error) {
      post(['refused', request.session, errorToData(error)])
      return undefined
    }
  }
  const close = (): void => {
    port.release()
    void hosted?.then((host) => host?.close())
  }
  const port = openPort(`${where}: port`, given, {
    message(message) {
      const [kind, ...rest] = message as ToHost
      if (kind === 'open') {
        const [request] = rest as [OpenRequest]
        if (hosted === undefined) {
          session = request.session
          hosted = open(request)
        } else if (request.session !== session) {
          const error = new RangeError('connect: worker must serve one world, got a second connection')
          post(['refused', request.session, errorToData(error)])
        }
      } else if (kind === 'calls') {
        const [batch, calls] = rest as unknown as Parameters<HostedWorld['make']>
        then((host) => host.make(batch, calls))
      } else if (kind === 'return') {
        void hosted?.then((host) => host?.takeBack((rest as [ArrayBuffer])[0]))
      } else if (kind === 'close') close()
    },
    failure: close,
  })
  post(['hello'])
  return { close }
}
