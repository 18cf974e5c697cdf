/** Processor time of steps beside that of the reference loop. */

import { referenceLoop } from './reference.js'

/** Blocks of steps of a run, a reference loop after each: enough for a median. */
const BLOCKS = 24
/** Blocks at the start that do not count: there the engine still compiles. */
const WARM_UP = 2

/** Runs of the reference loop until the engine has compiled it. */
const COMPILES = 5

/** Processor time of all threads of this process [µs]. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Times the steps of one run. */
export class Stopwatch {
  private readonly length: number
  private readonly ratios: number[] = []
  private made = 0
  private spent = 0
  private blocks = 0
  /** Processor time of all steps that were awake [µs]. */
  total = 0
  private readonly now: () => number

  /** `now` is the clock [µs]: another one for tests. */
  constructor(steps: number, now: () => number = processorTime) {
    this.now = now
    this.length = Math.max(1, Math.floor(steps / BLOCKS))
    for (let k = 0; k < COMPILES; k++) referenceLoop()
  }

  /** Runs a step, and after each block the reference loop. A step after which nothing is awake does not count. */
  time(step: () => void, isAwake: () => boolean): void {
    const start = this.now()
    step()
    const busy = this.now() - start
    if (!isAwake() && this.ratios.length > 0) return
    this.spent += busy
    this.total += busy
    if (++this.made < this.length) return
    const before = this.now()
    referenceLoop()
    const loop = this.now() - before
    if (this.blocks++ >= WARM_UP) this.ratios.push(this.spent / this.made / loop)
    this.made = this.spent = 0
  }

  /** Median over the blocks of a step's time as a multiple of the loop's. */
  get ratio(): number {
    const sorted = [...this.ratios].sort((r, s) => r - s)
    const middle = sorted.length >> 1
    return sorted.length % 2 === 1 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle])
  }
}
