/**
 * Steps of constant length under frames of any: simulated time keeps up with the clock, and what is drawn is a point between the
 * last two steps.
 *
 *   accumulator += timeScale · frame;  while accumulator >= dt: step, accumulator −= dt;  alpha = accumulator/dt
 *
 * The accumulator is the world's own (`world.clock`), as `world.advance` keeps it: snapshots hold it, and any pattern of frames runs
 * through the same states. Poses of the last two steps are the world's own too, so nothing is copied.
 */

import { type LeanWorld } from '@tautline/core'
import { finite } from '@tautline/core/kernel'
import type { Bindings } from './bindings.js'
import { aWorld, integer, knownFields, kindOf, upTo } from './checks.js'

/** What a user writes to make a {@link FixedStep}. Every field may be left out. */
export interface FixedStepOptions {
  /** Most steps a frame; time beyond them is dropped, so that a slow machine slows down rather than stops. @defaultValue the world's */
  maxSteps?: number
  /** Simulated seconds a second. @defaultValue 1 */
  timeScale?: number
  /** Whether it begins paused. @defaultValue false */
  paused?: boolean
  /** Their driven bodies get their targets before each step. @defaultValue none */
  bindings?: Bindings
  /**
   * Called before each step, with its number in the frame, from 0, and how many the frame has. Forces go here.
   * @defaultValue nothing
   */
  beforeStep?: (step: number, steps: number) => void
  /**
   * Called after each step, with the same. Events are read here: those of the last step are gone after the next.
   * @defaultValue nothing
   */
  afterStep?: (step: number, steps: number) => void
}

/** The loop of a page: `draw(stepper.advance(frameTime))`. */
export class FixedStep {
  /** The world. */
  readonly world: LeanWorld
  /** While true, `advance` makes no steps, and `alpha` stays. */
  paused: boolean
  /** Steps of the last `advance` or `stepOnce`. */
  steps = 0
  /** Time that the last `advance` dropped, beyond what `maxSteps` make up for [s]. */
  dropped = 0
  private most: number | undefined
  private scale: number
  private readonly options: FixedStepOptions

  /** Throws `TypeError`/`RangeError` when an option is wrong. */
  constructor(world: LeanWorld, options: FixedStepOptions = {}) {
    const where = 'FixedStep'
    this.world = aWorld(`${where}: world`, world)
    knownFields(where, options, ['maxSteps', 'timeScale', 'paused', 'bindings', 'beforeStep', 'afterStep'])
    for (const name of ['beforeStep', 'afterStep'] as const) {
      const hook: unknown = options[name]
      if (hook !== undefined && typeof hook !== 'function') {
        throw new TypeError(`${where}: ${name} must be a function, got ${kindOf(hook)}`)
      }
    }
    if (options.bindings !== undefined && options.bindings.world !== world) {
      throw new RangeError(`${where}: bindings must be of the same world, got another's`)
    }
    this.options = options
    this.most = options.maxSteps === undefined ? undefined : integer(`${where}: maxSteps`, options.maxSteps, 1)
    this.scale = finite(`${where}: timeScale`, upTo(`${where}: timeScale`, options.timeScale ?? 1))
    this.paused = options.paused ?? false
  }

  /** Simulated seconds a second: 0.1 is slow motion. Setting it throws `TypeError`/`RangeError` for what is no number >= 0. */
  get timeScale(): number {
    return this.scale
  }

  set timeScale(scale: number) {
    this.scale = finite('timeScale', upTo('timeScale', scale))
  }

  /** Most steps a frame. Setting it throws `TypeError`/`RangeError` for what is no integer >= 1. */
  get maxSteps(): number {
    return this.most ?? this.world.settings.maxSteps
  }

  set maxSteps(most: number) {
    this.most = integer('maxSteps', most, 1)
  }

  /** How far the time of frames is past the last step, as a share of a step, in [0, 1]: what `update` of bindings takes. */
  get alpha(): number {
    return Math.min(this.world.alpha, 1)
  }

  /**
   * Takes the time since the last frame [s], makes the steps that are due, and returns `alpha`. A negative time counts as none: the
   * first stamp that a page's frames get is often older than the clock that was read before. Throws `TypeError`/`RangeError`, and
   * does nothing, for a time that is not finite.
   */
  advance(frameTime: number): number {
    const passed = Math.max(finite('advance: frameTime', frameTime), 0)
    this.steps = this.dropped = 0
    if (this.paused) return this.alpha
    const { clock, settings } = this.world
    const { dt } = settings
    clock.accumulator += this.scale * passed
    let due = 0
    let left = clock.accumulator
    // By the same subtractions as world.advance makes: a division may differ by a step.
    for (; left >= dt && due < this.maxSteps; due++) left -= dt
    for (let k = 0; k < due; k++) {
      this.step(k, due)
      clock.accumulator -= dt
    }
    if (clock.accumulator >= dt) {
      this.dropped = clock.accumulator
      clock.accumulator = 0
    }
    return this.alpha
  }

  /** Makes one step, paused or not. `alpha` stays: what is drawn moves on by just a step. Returns it. */
  stepOnce(): number {
    this.steps = this.dropped = 0
    this.step(0, 1)
    return this.alpha
  }

  /** Forgets time not yet simulated: after a pause of the page, or a restored snapshot. */
  reset(): void {
    this.world.clock.accumulator = 0
  }

  private step(k: number, due: number): void {
    const { bindings, beforeStep, afterStep } = this.options
    bindings?.aim(k, due)
    beforeStep?.(k, due)
    this.world.step()
    this.steps++
    afterStep?.(k, due)
  }
}
