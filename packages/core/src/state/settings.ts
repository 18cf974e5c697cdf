/** The options of a world, and its clock. */

import type { ReadonlyVec3 } from 'gl-matrix'
import { count, finiteVector, flag, nonNegative, object, oneOf, positive } from '../define/assert.js'
import type { Solver } from '../define/common.js'

/** How the gyroscopic term of a tumbling body is integrated. */
export type Gyroscopic = 'midpoint' | 'implicit' | 'explicit' | 'none'

/** In which order rows are swept. */
export type SweepOrder = 'outward' | 'given' | 'alternating'

/** What a user writes to make a world. Every field may be left out. */
export interface WorldOptions {
  /** Acceleration of free fall [m/s²]. @defaultValue [0, -9.81, 0] */
  gravity?: ReadonlyVec3
  /** Length of a step of `advance` and of `step()` without argument [s]. @defaultValue 1/60 */
  dt?: number
  /**
   * Longest step that is accepted [s]: a longer `dt` is a `RangeError`, as it is most often a time in milliseconds. `advance` takes frames of any length.
   * @defaultValue 1
   */
  maxDt?: number
  /** Substeps a step: the quality knob. @defaultValue 8 */
  substeps?: number
  /** Sweeps a substep. @defaultValue 1 */
  iterations?: number
  /** When above 0, sweep until the worst residual [m or rad] is below it, at least `iterations` times. @defaultValue 0 */
  tolerance?: number
  /** Most sweeps a substep when there is a tolerance. @defaultValue 100 */
  maxIterations?: number
  /**
   * Where gradients are taken: `fresh` at every update, `frozen` once a substep at the predicted pose (4.1), `start` at
   * the start of the substep (SHAKE), which keeps angular momentum to round-off. @defaultValue 'fresh'
   */
  jacobians?: 'fresh' | 'frozen' | 'start'
  /**
   * Gyroscopic term of tumbling bodies: `midpoint` keeps energy, `implicit` loses it, `explicit` gains it, `none` leaves
   * it out. @defaultValue 'midpoint'
   */
  gyroscopic?: Gyroscopic
  /** Use the velocity-dependent inertia M̃ of (36, 65) where it is definite. @defaultValue false */
  effectiveInertia?: boolean
  /**
   * Share of the last substep's multipliers that starts the next one, in [0, ½]; more is refused, as it would drive what it is to hold. None is taken along
   * kept gradients (`jacobians`), of rows whose gradients change their length, and of rows with a relaxation above 1. @defaultValue 0
   */
  warmStart?: number
  /**
   * Relaxation ξ of constraints that name none, in (0, 2). Above 1 (ξ − 1)^iterations must be at most ¼, and `jacobians` be fresh; at most 1 counts where
   * bodies rotate or errors are bent. @defaultValue 1
   */
  relaxation?: number
  /** Regularisation α of constraints that name none [1/kg]. @defaultValue 0 */
  regularization?: number
  /**
   * Sweep order: `outward` from static bodies, `given` as added, `alternating` outward and back within a substep.
   * @defaultValue 'outward'
   */
  order?: SweepOrder
  /**
   * How constraints are solved that leave it to the world: `sweep`, one after another (Gauss–Seidel); `direct`, joints together
   * with those that they hang together with; `auto`, directly where a body turns, not of particles alone
   * and with at most 24 rows that close loops, as long as `jacobians` is `fresh`. @defaultValue 'auto'
   */
  solver?: Solver
  /**
   * How fast bodies of joints that are solved directly are moved to where their joints and limits want them, when a pose that was set,
   * a joint that was made or changed, or a change of solver left them elsewhere [m/s, rad/s]. They get no speed from it.
   * @defaultValue 1000, which is at once
   */
  repairSpeed?: number
  /**
   * How far bodies of a joint tree may be from where their joints hold them after a substep [m, rad]; 1e-9 is about round-off. What is left is solved in the
   * next substep. Trees with loops, particles or soft joints are always solved to 1e-9. @defaultValue 1e-5
   */
  jointTolerance?: number
  /** Most steps one `advance` makes; time beyond them is dropped. @defaultValue 8 */
  maxSteps?: number
  /**
   * The last guard: what has more kinetic energy after a step than there was for it has its velocities scaled back, and
   * `report.guard` says so. @defaultValue true
   */
  energyGuard?: boolean
  /** Whether `energy()` tells who put energy in: for tests, as it takes longer than the step itself. @defaultValue false */
  energyLedger?: boolean
}

/** Options as the step reads them. */
export interface Settings extends Required<Omit<WorldOptions, 'gravity'>> {
  gravity: Float64Array
}

const DEFAULTS: Required<WorldOptions> = {
  gravity: [0, -9.81, 0],
  dt: 1 / 60,
  maxDt: 1,
  substeps: 8,
  iterations: 1,
  tolerance: 0,
  maxIterations: 100,
  jacobians: 'fresh',
  gyroscopic: 'midpoint',
  effectiveInertia: false,
  warmStart: 0,
  relaxation: 1,
  regularization: 0,
  order: 'outward',
  solver: 'auto',
  repairSpeed: 1000,
  jointTolerance: 1e-5,
  maxSteps: 8,
  energyGuard: true,
  energyLedger: false,
}

/** Checks options over `base`, or over the defaults; changes nothing. */
export function resolveSettings(where: string, options: WorldOptions, base?: Settings): Settings {
  object(`${where}: options`, options)
  const known = Object.keys(DEFAULTS)
  for (const name of Object.keys(options)) {
    if (name === 'kernels' && base !== undefined) {
      throw new TypeError(`${where}: kernels must be given when a world is made, got them afterwards`)
    }
    if (!known.includes(name)) {
      throw new TypeError(`${where}: options must be known ones (${known.join(', ')}), got ${name}`)
    }
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const o: Required<WorldOptions> = { ...DEFAULTS, ...base, ...given }
  const maxDt = positive(`${where}: maxDt`, o.maxDt)
  const settings: Settings = {
    gravity: Float64Array.from(finiteVector(`${where}: gravity`, o.gravity, 3)),
    dt: stepLength(`${where}: dt`, o.dt, maxDt),
    maxDt,
    substeps: count(`${where}: substeps`, o.substeps),
    iterations: count(`${where}: iterations`, o.iterations),
    tolerance: nonNegative(`${where}: tolerance`, o.tolerance),
    maxIterations: count(`${where}: maxIterations`, o.maxIterations),
    jacobians: oneOf(`${where}: jacobians`, o.jacobians, ['fresh', 'frozen', 'start']),
    gyroscopic: oneOf(`${where}: gyroscopic`, o.gyroscopic, ['midpoint', 'implicit', 'explicit', 'none']),
    effectiveInertia: flag(`${where}: effectiveInertia`, o.effectiveInertia),
    warmStart: nonNegative(`${where}: warmStart`, o.warmStart),
    relaxation: relaxationOf(`${where}: relaxation`, o.relaxation, o.iterations),
    regularization: nonNegative(`${where}: regularization`, o.regularization),
    order: oneOf(`${where}: order`, o.order, ['outward', 'given', 'alternating']),
    solver: oneOf(`${where}: solver`, o.solver, ['auto', 'direct', 'sweep']),
    repairSpeed: positive(`${where}: repairSpeed`, o.repairSpeed),
    jointTolerance: positive(`${where}: jointTolerance`, o.jointTolerance),
    maxSteps: count(`${where}: maxSteps`, o.maxSteps),
    energyGuard: flag(`${where}: energyGuard`, o.energyGuard),
    energyLedger: flag(`${where}: energyLedger`, o.energyLedger),
  }
  if (settings.warmStart > MOST_WARM_START) {
    throw new RangeError(
      `${where}: warmStart must be <= ${MOST_WARM_START} (above, it drives what sweeps leave over), got ${settings.warmStart}`,
    )
  }
  if (settings.relaxation > 1 && settings.jacobians !== 'fresh') {
    throw new RangeError(`${where}: relaxation must be <= 1 with gradients that are kept, got ${settings.relaxation}`)
  }
  if (base !== undefined && (base.jacobians === 'fresh') !== (settings.jacobians === 'fresh')) {
    throw new RangeError(
      `${where}: jacobians must stay ${base.jacobians} once the world is made, got ${settings.jacobians}`,
    )
  }
  return settings
}

/** The length of a step [s], at most `maxDt`. */
export function stepLength(where: string, dt: number, maxDt: number): number {
  if (positive(where, dt) > maxDt) {
    throw new RangeError(`${where} must be in seconds and at most ${maxDt} s (option maxDt of World), got ${dt}`)
  }
  return dt
}

/**
 * The largest share of a warm start that gives nothing away, however little sweeps solve. A mode of stiffness ω² of which they leave the share p goes
 * by x⁺ = x̂ − λ⁺ and λ⁺ = p s λ + (1 − p) ω² h²/(1 + ω² h²) x̂: its roots stay within the unit circle for all ω h where p s <= ½, and leave it beyond.
 */
const MOST_WARM_START = 0.5

/**
 * Most of an error that ξ above 1 may leave behind the last sweep, turned over: a row by itself leaves (1 − ξ)^sweeps of its own. In rings of rigid rows
 * more of it comes back as motion: at 1.9 and two sweeps a lattice gained 57 times its m g L, at 1.5 nothing.
 */
const MOST_LEFT = 0.25

/** ξ in (0, 2); above 1 as far as the sweeps of a substep can take it: with one it diverges to NaN at every mass ratio tried. */
export function relaxationOf(where: string, xi: number, sweeps: number): number {
  positive(where, xi)
  if (xi >= 2) throw new RangeError(`${where} must be < 2, got ${xi}`)
  if (xi <= 1) return xi
  if (sweeps < 2) {
    throw new RangeError(`${where} must be <= 1 with one iteration a substep (above, it diverges), got ${xi}`)
  }
  let left = 1
  for (let sweep = 0; sweep < sweeps && left > MOST_LEFT; sweep++) left *= xi - 1
  if (left > MOST_LEFT) {
    throw new RangeError(
      `${where} must be lower with ${sweeps} iterations a substep ((relaxation - 1)^iterations <= ${MOST_LEFT}; what goes further comes back as motion), got ${xi}`,
    )
  }
  return xi
}

/** Time, and what the last substep was. */
export interface Clock {
  /** [s] */
  time: number
  /** Steps made. */
  steps: number
  /** Time not yet simulated by `advance` [s]. */
  accumulator: number
  /** Length of the last substep [s]; 0 before the first. */
  substepLength: number
  /** Sweeps of the last substep. */
  iterations: number
  /** Constraints made. */
  sequence: number
}

/** What the clock holds, in the order of snapshots. */
export const CLOCK_FIELDS: readonly (keyof Clock)[] = [
  'time',
  'steps',
  'accumulator',
  'substepLength',
  'iterations',
  'sequence',
]

/** A clock before the first step. */
export function newClock(): Clock {
  return { time: 0, steps: 0, accumulator: 0, substepLength: 0, iterations: 0, sequence: 0 }
}
