/** Both sides on one thread, over a channel: calls, order and bits are those of a worker, and a test sees both worlds. */

import { MessageChannel } from 'node:worker_threads'
import * as constraints from '@tautline/constraints'
import type { World } from '@tautline/core'
import type { AnyType } from '@tautline/core/kernel'
import { connect, type ConnectOptions, type RemoteErrorEvent, type RemoteWorld } from '../../src/index.js'
import { serve, type ServeOptions } from '../../src/host.js'

const exported: readonly unknown[] = Object.values(constraints)

/** Every type of constraints. */
export const TYPES = exported.filter(
  (value): value is AnyType => typeof value === 'object' && value !== null && 'multipliers' in value,
)

export interface Pair {
  remote: RemoteWorld
  /** The world that is served, once `remote.ready` is. */
  world: () => World
  /** Errors of posted calls. */
  errors: RemoteErrorEvent[]
}

/** A served world and its remote one. */
export function pair(options: ConnectOptions = {}, served: ServeOptions = {}): Pair {
  const { port1, port2 } = new MessageChannel()
  let world: World | undefined
  serve({
    types: TYPES,
    ...served,
    setup(hosted) {
      world = hosted.world
      return served.setup?.(hosted)
    },
    port: port2,
  })
  const remote = connect(port1, options)
  const errors: RemoteErrorEvent[] = []
  remote.on('error', (event) => errors.push(event))
  return {
    remote,
    errors,
    world() {
      if (world === undefined) throw new Error('not served yet')
      return world
    },
  }
}
