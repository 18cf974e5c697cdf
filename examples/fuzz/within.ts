/** A bound on the time of what may not come back: the engine's own watchdog ends it, and the process goes on. */

import { Script } from 'node:vm'

const KEY = Symbol.for('tautline.fuzz')
const CALL = new Script("globalThis[Symbol.for('tautline.fuzz')]()")

/** What did not come back within its time. */
export class Hang extends Error {
  constructor(limit: number) {
    super(`not back after ${limit / 1000} s`)
  }
}

/** What `act` returns or throws; {@link Hang} when it takes longer than `limit` [ms]. */
export function within<T>(limit: number, act: () => T): T {
  ;(globalThis as unknown as Record<symbol, unknown>)[KEY] = act
  try {
    return CALL.runInThisContext({ timeout: limit }) as T
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new Hang(limit)
    throw error
  }
}

/** Time that the process has used [ms]: that of a clock also counts what else the machine does. */
export function used(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
