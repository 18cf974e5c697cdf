/** An exhibit that runs: steps under the clock, single steps, and what it says of itself. No DOM, no picture. */

import type { Figure } from '../../scenes/scene.js'
import type { Exhibit, Live } from './exhibit.js'
import type { Values } from './settings.js'

/** Of how many steps the median is taken. */
const WINDOW = 240
/** Most steps a frame: beyond, time is dropped, so that a slow machine slows down rather than stops. */
const MOST_STEPS = 3
/** A frame that is within this share of a step counts as one step: displays are never quite 60 Hz. */
const NEARLY = 0.12

/** What the panel shows. */
export interface Statistics {
  readonly msPerStep: number
  /** Largest error of rows of the worlds [m]; `undefined` where there is none. */
  readonly residual: number | undefined
  /** [J] */
  readonly energy: number | undefined
  readonly bodies: number
  /** Multipliers of active rows, contacts included. */
  readonly rows: number
  readonly figures: Readonly<Record<string, Figure>>
}

export class Run {
  readonly exhibit: Exhibit
  readonly live: Live
  values: Values
  /** Steps made. */
  steps = 0
  /** Share of a step that the clock is past the last one. */
  alpha = 1
  private accumulator = 0
  private readonly times = new Float64Array(WINDOW)
  private timed = 0

  /** Builds the exhibit. Throws what its building throws. */
  constructor(exhibit: Exhibit, values: Values) {
    this.exhibit = exhibit
    this.values = values
    this.live = exhibit.build(values)
  }

  /** Takes values over that act while it runs. */
  configure(values: Values): void {
    this.values = values
    this.live.configure?.(values)
  }

  /** Takes the time since the last frame [s]; returns the steps made. */
  advance(frameTime: number): number {
    const { dt } = this.live
    this.accumulator += Math.abs(frameTime / dt - 1) < NEARLY ? dt : frameTime
    let made = 0
    while (this.accumulator >= dt && made < MOST_STEPS) {
      this.step()
      this.accumulator -= dt
      made++
    }
    if (this.accumulator >= dt) this.accumulator = 0
    this.alpha = this.steps === 0 ? 1 : this.accumulator / dt
    // Steps that keep pace with frames are drawn as they are.
    if (this.alpha < 1e-6) this.alpha = 1
    return made
  }

  /** One step. */
  step(): void {
    const before = performance.now()
    this.live.step()
    this.times[this.timed++ % WINDOW] = performance.now() - before
    this.steps++
    this.alpha = 1
  }

  /** Median of the last steps [ms]. */
  get msPerStep(): number {
    const count = Math.min(this.timed, WINDOW)
    if (count === 0) return 0
    return this.times.slice(0, count).sort()[count >> 1]
  }

  /** Simulated time [s]. */
  get time(): number {
    return this.steps * this.live.dt
  }

  hash(): string {
    if (this.live.hash !== undefined) return this.live.hash()
    const { worlds } = this.live
    return worlds.length === 1 ? worlds[0].hash() : worlds.map((world) => world.hash()).join('-')
  }

  isFinite(): boolean {
    const { live } = this
    return live.isFinite?.() ?? live.worlds.every(({ report }) => report.nonFinite.length === 0)
  }

  statistics(): Statistics {
    const { worlds } = this.live
    let residual: number | undefined
    let energy: number | undefined
    let [bodies, rows] = [0, 0]
    for (const world of worlds) {
      for (const { linear } of Object.values(world.residual())) {
        if (linear !== undefined) residual = Math.max(residual ?? 0, linear.max)
      }
      energy = (energy ?? 0) + world.energy().total
      bodies += world.bodies.all().length
      for (const { active, type } of world.batches) rows += active * type.multipliers
    }
    return { msPerStep: this.msPerStep, residual, energy, bodies, rows, figures: this.live.figures?.() ?? {} }
  }
}
