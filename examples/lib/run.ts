/** Runs a scene and gathers its figures. */

import type { CommonDef, Energy } from '@tautline/core'
import type { Figure, Scene } from '../scenes/scene.js'

/** What a run found. */
export interface RunResult {
  readonly scene: string
  readonly bodies: number
  readonly constraints: number
  readonly steps: number
  readonly substeps: number
  /** Median over the run, of `world.step` alone [ms]. */
  readonly msPerStep: number
  /** Largest error of rows without softness over the run, at the steps that were sampled [m], [rad]. */
  readonly worstError: { readonly linear: number; readonly angular: number }
  /** Largest error at the end [m], [rad]. */
  readonly finalError: { readonly linear: number; readonly angular: number }
  /** Over the run, largest. */
  readonly stretch: number
  /** Change of the total energy from start to end, share of the energy that moved. Below 0: lost. */
  readonly energyDrift: number
  /** Most that the total energy ever was above its start, share of the energy that moved. */
  readonly energyGain: number
  /** The scene's own, at the end. */
  readonly figures: Readonly<Record<string, Figure>>
  /** Names of bodies that became non-finite. */
  readonly nonFinite: readonly string[]
  /** Of the state at the end. */
  readonly hash: string
}

export interface RunOptions {
  /** @defaultValue the scene's */
  readonly steps?: number
  /** Steps from one look at errors and energy to the next. @defaultValue 1 */
  readonly sampleEvery?: number
  /** Called after each step with the number of steps made. */
  readonly onStep?: (made: number, steps: number) => void
}

interface Errors {
  linear: number
  angular: number
}

/** Energy from `start` on. */
class Balance {
  private readonly start: Energy
  private change = 0
  private highest = 0
  /** Largest kinetic energy, or change of potential energy: what the change of the total is measured by. */
  private moved = 0

  constructor(start: Energy) {
    this.start = start
  }

  take(now: Energy): void {
    this.change = now.total - this.start.total
    this.highest = larger(this.highest, this.change)
    this.moved = larger(this.moved, Math.max(now.kinetic, Math.abs(now.potential - this.start.potential)))
  }

  get drift(): number {
    return this.moved === 0 ? 0 : this.change / this.moved
  }

  get gain(): number {
    return this.moved === 0 ? 0 : this.highest / this.moved
  }
}

/** Runs the scene from where it is. */
export function runScene(scene: Scene, options: RunOptions = {}): RunResult {
  const { world, dt } = scene
  const steps = options.steps ?? scene.steps
  const sampleEvery = options.sampleEvery ?? 1
  const freeFrom = scene.freeFrom ?? 0
  const worst: Errors = { linear: 0, angular: 0 }
  let last: Errors = worst
  const milliseconds: number[] = []
  let stretch = 0
  let balance = new Balance(world.energy())
  const soft = softTypes(scene)

  for (let step = 0; step < steps; step++) {
    scene.beforeStep?.(step)
    if (step === freeFrom) balance = new Balance(world.energy())
    const before = performance.now()
    world.step(dt)
    milliseconds.push(performance.now() - before)
    stretch = larger(stretch, scene.measure().stretch)
    if ((step + 1) % sampleEvery === 0 || step === steps - 1) {
      last = errorsNow(scene, soft)
      worst.linear = larger(worst.linear, last.linear)
      worst.angular = larger(worst.angular, last.angular)
      balance.take(world.energy())
    }
    options.onStep?.(step + 1, steps)
  }

  return {
    scene: scene.name,
    bodies: world.bodies.all().length,
    constraints: world.constraints().length,
    steps,
    substeps: world.settings.substeps,
    msPerStep: milliseconds.sort((r, s) => r - s)[Math.floor(milliseconds.length / 2)],
    worstError: worst,
    finalError: last,
    stretch,
    energyDrift: balance.drift,
    energyGain: balance.gain,
    figures: scene.measure().figures,
    nonFinite: world.report.nonFinite.map((body) => body.label),
    hash: world.hash(),
  }
}

/** `Math.max` keeps NaN too; this says so. */
function larger(a: number, b: number): number {
  return Number.isNaN(b) ? b : Math.max(a, b)
}

function errorsNow({ world }: Scene, soft: ReadonlySet<string>): Errors {
  const errors: Errors = { linear: 0, angular: 0 }
  for (const [type, { linear, angular }] of Object.entries(world.residual())) {
    if (soft.has(type)) continue
    errors.linear = larger(errors.linear, linear?.max ?? 0)
    errors.angular = larger(errors.angular, angular?.max ?? 0)
  }
  return errors
}

/** Types with soft rows: what they give way by is not an error. */
function softTypes({ world }: Scene): Set<string> {
  const soft = world.constraints().filter(({ def }) => ((def as CommonDef).compliance ?? 0) > 0)
  return new Set(soft.map(({ typeName }) => typeName))
}

/** Whether every number of a result is one. */
export function isFinite(result: RunResult): boolean {
  const { worstError, finalError, stretch, energyDrift, energyGain } = result
  const numbers = [worstError.linear, worstError.angular, finalError.linear, finalError.angular, stretch]
  const figures = Object.values(result.figures).map(({ value }) => value)
  return result.nonFinite.length === 0 && [...numbers, energyDrift, energyGain, ...figures].every(Number.isFinite)
}
