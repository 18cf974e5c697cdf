/** A world that runs by itself: steps of its `dt` as the clock asks for them, one at a time, so that calls are heard between any two. */

import type { World } from '@tautline/core'
import { finite, positive } from '@tautline/core/kernel'
import { clock, platform, runSoon } from '../platform.js'

/** What is stepped. */
export interface Looped {
  readonly world: World
  step(): void
  /** Sends what is to be seen and told. */
  deliver(isDue: boolean): void
  fail(name: string, on: number, error: unknown): void
}

/** Steps by the clock. */
export class Loop {
  /** Simulated seconds a second; 0 while it does not run. */
  timeScale = 0
  private readonly host: Looped
  private last = 0
  private timer: unknown
  /** Counts starts: what was due of a former one is not done. */
  private run = 0

  constructor(host: Looped) {
    this.host = host
  }

  /** Begins, or goes on at another speed. */
  start(timeScale: number): void {
    this.stop()
    this.timeScale = positive('start: timeScale', finite('start: timeScale', timeScale))
    this.last = clock()
    this.wait(++this.run)
  }

  /** Ends; the time of the step that was under way to be due is kept. */
  stop(): void {
    this.timeScale = 0
    this.run++
    if (this.timer !== undefined) platform.clearTimeout(this.timer)
    this.timer = undefined
  }

  /** Waits until the next step is due. */
  private wait(run: number): void {
    const { world } = this.host
    const left = (1e3 * (world.settings.dt - world.clock.accumulator)) / this.timeScale - (clock() - this.last)
    const tick = (): void => {
      if (run === this.run) this.tick(run)
    }
    if (left <= 0) runSoon(tick)
    else this.timer = platform.setTimeout(tick, left)
  }

  /** Makes a step if one is due. Time that more than `maxSteps` would be due for is dropped. */
  private tick(run: number): void {
    const { host } = this
    const { clock: time, settings } = host.world
    const now = clock()
    time.accumulator += (this.timeScale * Math.max(now - this.last, 0)) / 1e3
    this.last = now
    time.accumulator = Math.min(time.accumulator, settings.maxSteps * settings.dt)
    if (time.accumulator >= settings.dt) {
      time.accumulator -= settings.dt
      try {
        host.step()
      } catch (error) {
        // What throws once would throw at every step.
        this.stop()
        host.fail('start', 0, error)
      }
      host.deliver(false)
    }
    if (run === this.run) this.wait(run)
  }
}
