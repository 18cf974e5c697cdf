/** What a thread of the pool does: serves a room's world over its port until the room is closed. */

import * as constraints from '@tautline/constraints'
import type { AnyType } from '@tautline/core/kernel'
import { serve } from '@tautline/worker/host'
import type { MessagePort } from 'node:worker_threads'

const exported: readonly unknown[] = Object.values(constraints)
const types = exported.filter(
  (value): value is AnyType => typeof value === 'object' && value !== null && 'multipliers' in value,
)

/** Resolved when the room is closed, or its port is. */
export default function room({ port }: { port: MessagePort }): Promise<void> {
  const closed = new Promise<void>((resolve) => port.once('close', resolve))
  serve({ types, port })
  return closed
}
