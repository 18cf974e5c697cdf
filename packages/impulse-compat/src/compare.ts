/**
 * The two schools on the same scene: each contender steps a fresh copy at each budget of substeps and iterations, and what
 * comes of it is the error against the cost (work and precision), and what became of energy and momentum.
 *
 * Cost is counted twice: in row updates, which is what the methods themselves ask for, and in time, where the loops that the
 * types bring for displacement race against rows gathered through `evaluate`. Equal iterations are never equal cost.
 */

import { type World, type WorldOptions } from '@tautline/core'
import {
  array,
  type Batch,
  callable,
  integer,
  knownFields,
  nonNegative,
  object,
  positive,
  shown,
} from '@tautline/core/kernel'
import { ImpulseSolver } from './impulse-solver.js'
import { type ImpulseOptions, resolveImpulseOptions } from './options.js'

/** A world that is ready to be stepped, and its error. */
export interface ComparedWorld {
  readonly world: World
  /** At the present pose, in the scene's unit. */
  error(): number
  /** To be called before each step. */
  beforeStep?(): void
}

/** A scene to compare on. */
export interface ComparisonScene {
  readonly name: string
  /** Unit of the error. */
  readonly unit: string
  /** How long it is run [s]. */
  readonly seconds: number
  /** What the error is. */
  readonly about: string
  /** When it is read: the worst of the whole run, or what is left at its end. */
  readonly read: 'worst' | 'last'
  /** Nothing from outside acts on it, so that momentum is to stay. @defaultValue false */
  readonly isolated?: boolean
  build(options: WorldOptions): ComparedWorld
}

/** What a contender may spend on a step. */
export interface Budget {
  readonly substeps: number
  readonly iterations: number
}

/** Something that steps a world. */
export interface Stepper {
  step(dt: number): void
  /** Row updates of the last step. */
  updates(): number
}

/** A way to step a world at any budget. */
export interface Contender {
  readonly name: string
  stepper(world: World, budget: Budget): Stepper
}

/** How long a contender took, and how right it was. */
export interface ComparisonRow {
  readonly contender: string
  readonly budget: Budget
  /** Row updates a step, in the mean. */
  readonly updates: number
  /** Median time of a step [µs], when there was a clock. */
  readonly microseconds: number | undefined
  /** By the scene's `read`, in its unit; Infinity where something ran away. */
  readonly error: number
  /** Largest and root-mean-square error over the run. */
  readonly worst: number
  readonly rms: number
  /** Most energy above that of the start, and change at the end [J]. */
  readonly energyGain: number
  readonly energyChange: number
  /** Change of linear [kg m/s] and angular momentum [kg m²/s] over an isolated run; undefined for others. */
  readonly momentumChange: number | undefined
  readonly angularChange: number | undefined
}

/** What {@link compare} returns. */
export interface Comparison {
  readonly scene: string
  readonly unit: string
  readonly about: string
  readonly rows: readonly ComparisonRow[]
}

/** What {@link compare} can be told. */
export interface CompareOptions {
  /** Length of a step [s]. @defaultValue 1/60 */
  dt?: number
  /** Seconds to run. @defaultValue the scene's */
  seconds?: number
  /** A clock [ms], such as `() => performance.now()`; without one nothing is timed. @defaultValue none */
  clock?: () => number
}

/** Steps by displacement, row by row: `world.step()`. */
export const displacement: Contender = {
  name: 'displacement',
  stepper(world, { substeps, iterations }) {
    world.configure({ substeps, iterations, solver: 'sweep' })
    return {
      step: (dt) => world.step(dt),
      updates: () => substeps * (iterations * countRows(world) + countPassed(world)),
    }
  },
}

/** A contender by impulses; its budget goes over `options`, which may depend on it. */
export function byImpulses(name: string, options: ImpulseOptions | ((budget: Budget) => ImpulseOptions)): Contender {
  if (typeof name !== 'string') throw new TypeError(`byImpulses: name must be a text, got ${shown(name)}`)
  if (typeof options !== 'function') resolveImpulseOptions('byImpulses', options)
  return {
    name,
    stepper(world, budget) {
      const given = typeof options === 'function' ? options(budget) : options
      const solver = new ImpulseSolver(world, { ...given, ...budget })
      return { step: (dt) => solver.step(dt), updates: () => solver.report.updates }
    },
  }
}

/** Projected Gauss–Seidel with Baumgarte's push in the velocities (Catto 2005). */
export const baumgarte: Contender = byImpulses('baumgarte', { stabilization: 'baumgarte' })
/** The same without a cache: what sweeps leave is not fed back, which a push in the velocities can turn into growth. */
export const coldBaumgarte: Contender = byImpulses('cold baumgarte', { stabilization: 'baumgarte', warmStart: 0 })
/** The push in a solve of its own that velocities do not keep (Tamis & Maggiore 2015, 8.1). */
export const singleFramePush: Contender = byImpulses('single-frame push', { stabilization: 'singleFrame' })
/** Pseudo-velocities for positions (Beočanin 2021). */
export const splitPush: Contender = byImpulses('split push', { stabilization: 'split' })
/**
 * Soft rows, warm start and a relaxing pass (Catto 2023), tuned as a competent user would: at four substeps of a step of
 * 1/60 s contacts have 30 Hz and joints 60 Hz, as they are delivered, and at more substeps proportionally more.
 */
export const softStep: Contender = byImpulses('soft step', ({ substeps }) => ({
  stabilization: 'soft',
  slop: 0,
  maxPush: 3,
  contactFrequency: Math.max(7.5 * substeps, 30),
  jointFrequency: Math.max(15 * substeps, 60),
}))

/** Those of the comparison. */
export const contenders: readonly Contender[] = [
  displacement,
  baumgarte,
  coldBaumgarte,
  singleFramePush,
  splitPush,
  softStep,
]

/** Runs a scene with all contenders at all budgets. */
export function compare(
  scene: ComparisonScene,
  solvers: readonly Contender[],
  budgets: readonly Budget[],
  options: CompareOptions = {},
): Comparison {
  checkScene('compare', scene)
  array('compare: solvers', solvers).forEach((contender) => checkContender('compare: solvers', contender))
  array('compare: budgets', budgets).forEach(checkBudget)
  knownFields('compare: options', options, ['dt', 'seconds', 'clock'])
  if (options.dt !== undefined) positive('compare: dt', options.dt)
  if (options.seconds !== undefined) nonNegative('compare: seconds', options.seconds)
  if (options.clock !== undefined) callable('compare: clock', options.clock)
  const rows = solvers.flatMap((contender) => budgets.map((budget) => measure(scene, contender, budget, options)))
  return { scene: scene.name, unit: scene.unit, about: scene.about, rows }
}

function checkScene(where: string, scene: ComparisonScene): void {
  callable(`${where}: scene.build`, object(`${where}: scene`, scene)['build'])
}

function checkContender(where: string, contender: unknown): void {
  callable(`${where}.stepper`, object(where, contender)['stepper'])
}

function checkBudget(budget: unknown): void {
  const { substeps, iterations } = knownFields('compare: budgets', budget, ['substeps', 'iterations'])
  integer('compare: budgets: substeps', substeps, 1)
  integer('compare: budgets: iterations', iterations, 1)
}

/** Steps after which the rows of a displacement scene are counted again: they hardly change. */
const COUNTED = 16

function measure(scene: ComparisonScene, contender: Contender, budget: Budget, options: CompareOptions): ComparisonRow {
  const { dt = 1 / 60, seconds = scene.seconds, clock } = options
  const { world, error, beforeStep } = scene.build({ dt })
  const stepper = contender.stepper(world, budget)
  const steps = Math.round(seconds / dt)
  const times: number[] = []
  const start = world.energy().total
  const momentum = world.momentum()
  let [worst, squared, last, updates, counted, gain] = [0, 0, 0, 0, 0, 0]
  for (let step = 0; step < steps; step++) {
    beforeStep?.()
    const before = clock?.() ?? 0
    stepper.step(dt)
    if (clock !== undefined) times.push(clock() - before)
    if (step % COUNTED === 0) {
      updates += stepper.updates()
      counted++
    }
    last = finiteOr(error())
    worst = Math.max(worst, last)
    squared += last * last
    gain = Math.max(gain, world.energy().total - start)
  }
  const end = world.momentum()
  return {
    contender: contender.name,
    budget,
    updates: updates / counted,
    microseconds: clock === undefined ? undefined : 1000 * median(times),
    error: scene.read === 'worst' ? worst : last,
    worst,
    rms: Math.sqrt(squared / steps),
    energyGain: finiteOr(gain),
    energyChange: finiteOr(world.energy().total - start),
    momentumChange: scene.isolated === true ? apart(end.linear, momentum.linear) : undefined,
    angularChange: scene.isolated === true ? apart(end.angular, momentum.angular) : undefined,
  }
}

/**
 * How fast sweeps converge: after `settle` seconds of the scene, one step with each number of iterations, and how far its
 * bodies are from where the same step puts them with `CONVERGED` iterations [m].
 */
export function convergence(
  scene: ComparisonScene,
  contender: Contender,
  iterations: readonly number[],
  settle: number = 1,
  dt: number = 1 / 60,
): readonly { readonly iterations: number; readonly distance: number }[] {
  checkScene('convergence', scene)
  checkContender('convergence: contender', contender)
  array('convergence: iterations', iterations).forEach((count) => integer('convergence: iterations', count, 1))
  nonNegative('convergence: settle', settle)
  positive('convergence: dt', dt)
  const positionsAfter = (count: number): number[] => {
    const { world, beforeStep } = scene.build({ dt })
    const usual = contender.stepper(world, SETTLING)
    for (let step = 0; step < Math.round(settle / dt); step++) {
      beforeStep?.()
      usual.step(dt)
    }
    beforeStep?.()
    contender.stepper(world, { substeps: 1, iterations: count }).step(dt)
    return world.bodies.all().flatMap(({ position }) => Array.from(position))
  }
  const end = positionsAfter(CONVERGED)
  return iterations.map((count) => {
    const distance = positionsAfter(count).reduce((most, value, k) => Math.max(most, Math.abs(value - end[k])), 0)
    return { iterations: count, distance: finiteOr(distance) }
  })
}

/** What a scene is brought into motion with before its convergence is looked at. */
const SETTLING: Budget = { substeps: 8, iterations: 4 }
/** Iterations that count as all that there are. */
const CONVERGED = 4096

/** Rows of a world, as its constraints' `evaluate` tells. */
function countRows(world: World): number {
  let rows = 0
  for (const batch of world.batches) for (let row = 0; row < batch.active; row++) rows += rowsOf(world, batch, row)
  return rows
}

/** Rows of types that have a pass over velocities: one pass over them more a substep. */
function countPassed(world: World): number {
  let rows = 0
  for (const batch of world.batches) {
    if (batch.type.loop?.velocities === undefined) continue
    for (let row = 0; row < batch.active; row++) rows += rowsOf(world, batch, row)
  }
  return rows
}

function rowsOf(world: World, batch: Batch, row: number): number {
  batch.rows.clear()
  batch.type.evaluate(world.bodies.columns, batch, row, batch.rows)
  return batch.rows.count
}

function finiteOr(value: number): number {
  return value - value === 0 ? value : Infinity
}

function apart(a: readonly number[], b: readonly number[]): number {
  return Math.sqrt(a.reduce((sum, value, k) => sum + (value - b[k]) * (value - b[k]), 0))
}

function median(values: readonly number[]): number {
  const sorted = values.slice().sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
