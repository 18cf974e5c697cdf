/** Processor time of steps beside that of the reference loop. */

import { referenceLoop } from './reference.js'

/** Blocks of steps of a run, a reference loop after each: enough for a median. */
const BLOCKS = 24
/** Blocks at the start that do not count: there the engine still compiles. */
const WARM_UP = 2

/** Processor time of all threads of this process since `start` [µs]. */
function busySince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** Times the steps of one run. */
export class Stopwatch {
  private readonly length: number
  private readonly ratios: number[] = []
  private made = 0
  private spent = 0
  private blocks = 0

  constructor(steps: number) {
    this.length = Math.max(1, Math.floor(steps / BLOCKS))
    for (let k = 0; k < WARM_UP; k++) referenceLoop()
  }

  /** Runs a step, and after each block the reference loop. */
  time(step: () => void): void {
    const start = process.cpuUsage()
    step()
    this.spent += busySince(start)
    if (++this.made < this.length) return
    const before = process.cpuUsage()
    referenceLoop()
    const loop = busySince(before)
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
