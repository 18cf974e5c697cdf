/** Times of samples: by the clock, and of the processor, which a busy machine does not lengthen as much. */

/** Processor times of what was timed since they were last asked for [ms]. */
let busy: number[] = []

/** Runs something and says how long it took by the clock [ms]; the processor time of all threads is kept. Both are of one of `turns` that it takes. */
export function timed(act: () => void, turns: number = 1): number {
  const start = process.cpuUsage()
  const before = performance.now()
  act()
  const took = performance.now() - before
  const { user, system } = process.cpuUsage(start)
  busy.push((user + system) / 1000 / turns)
  return took / turns
}

/** Processor times since the last call [ms]. */
export function takeBusy(): readonly number[] {
  const taken = busy
  busy = []
  return taken
}
