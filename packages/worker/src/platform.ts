/** What of the surroundings is used: pages, workers and Node have these, and the sources name no types of either. */

interface Platform {
  /** Clocks of a page and its workers differ in their origins alone. */
  readonly performance: { now(): number; readonly timeOrigin: number }
  setTimeout(run: () => void, delay: number): unknown
  clearTimeout(timer: unknown): void
  queueMicrotask(run: () => void): void
  /** Node's. */
  setImmediate?(run: () => void): unknown
  readonly MessageChannel?: new () => { readonly port1: Wakeable; readonly port2: Wakeable }
  /** Whether a page may share memory; Node has none, and may. */
  readonly crossOriginIsolated?: boolean
  readonly process?: { getBuiltinModule?(name: string): unknown }
  addEventListener?: unknown
}

interface Wakeable {
  onmessage: (() => void) | null
  postMessage(message: unknown): void
}

export const platform: Platform = globalThis as unknown as Platform

/** The time of the wall clock [ms], the same in all threads. */
export function clock(): number {
  return platform.performance.timeOrigin + platform.performance.now()
}

/** Whether memory can be shared with a worker here. */
export function canShare(): boolean {
  return typeof SharedArrayBuffer === 'function' && platform.crossOriginIsolated !== false
}

/** Runs a task after the messages that wait: timers of browsers wait 4 ms once they are nested. */
export function runSoon(task: () => void): void {
  if (platform.setImmediate !== undefined) platform.setImmediate(task)
  else if (platform.MessageChannel === undefined) platform.setTimeout(task, 0)
  else {
    const { port1, port2 } = new platform.MessageChannel()
    port1.onmessage = () => {
      port1.onmessage = null
      task()
    }
    port2.postMessage(null)
  }
}
