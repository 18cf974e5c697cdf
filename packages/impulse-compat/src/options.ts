/** What the solver of velocities can be told, and its checks. */

import { count, nonNegative, object, oneOf, positive, shown } from '@tautline/core/kernel'

/**
 * How J V + b = 0 with bounds is solved.
 * - `sequential`: projected Gauss–Seidel without a matrix, impulse by impulse on the velocities (Catto 2005).
 * - `assembled`: the same iterates from A = J M⁻¹ Jᵀ.
 * - `jacobi`: all rows from the velocities of the last iteration; diverges where rows are many and strongly coupled.
 * - `gaussSeidel`: without projection: for joints alone; contacts glue.
 * - `lemke`: exactly, by pivoting, for small systems; friction and torque limits of vectors as boxes.
 */
export type ImpulseMethod = 'sequential' | 'assembled' | 'jacobi' | 'gaussSeidel' | 'lemke'

/**
 * What is done about errors of position.
 * - `none`: nothing.
 * - `baumgarte`: they become a velocity, β c/h (Tamis & Maggiore 2015, 5.2.3).
 * - `singleFrame`: two solves, one with that velocity that moves the bodies, one without that they keep (8.1).
 * - `split`: the push is solved beside, from rest, and moves the bodies alone (Beočanin 2021).
 * - `soft`: rows are springs of a frequency and damping ratio; a relaxing pass takes the push out (Catto 2023).
 */
export type Stabilization = 'none' | 'baumgarte' | 'singleFrame' | 'split' | 'soft'

/** What a user writes to make an {@link ImpulseSolver}. Every field may be left out. */
export interface ImpulseOptions {
  /**
   * `sequential`: projected Gauss–Seidel on the velocities; `assembled`: the same iterates from A = J M⁻¹ Jᵀ; `jacobi`;
   * `gaussSeidel`: without projection, for joints alone; `lemke`: exact, for small systems. @defaultValue 'sequential'
   */
  method?: ImpulseMethod
  /** Iterations a substep; the most where there is a `tolerance`. @defaultValue 10 */
  iterations?: number
  /** When above 0, stop once no impulse changes a velocity by more than this [m/s or rad/s]. @defaultValue 0 */
  tolerance?: number
  /** Over- or underrelaxation of an update, in (0, 2). @defaultValue 1 */
  relaxation?: number
  /** Parts a step is divided in; rows are linearised once in each. @defaultValue 1 */
  substeps?: number
  /** How what is violated is repaired: see {@link Stabilization}. @defaultValue 'split', or 'baumgarte' with `rungeKutta4` */
  stabilization?: Stabilization
  /** Push factor β: share of an error that a step repairs, in [0, 1]. @defaultValue 0.2 */
  beta?: number
  /** Overlap that is left alone, so that contacts stay alive [m]. @defaultValue 0.005 */
  slop?: number
  /** Fastest push of one-sided rows [m/s]. @defaultValue Infinity */
  maxPush?: number
  /** Of contacts and limits under `soft` [Hz], at most a quarter of the substep's rate. @defaultValue 30 */
  contactFrequency?: number
  /** Share of critical damping of contacts and limits under `soft`. @defaultValue 10 */
  contactDampingRatio?: number
  /** Of joints under `soft` [Hz], at most a quarter of the substep's rate. @defaultValue 60 */
  jointFrequency?: number
  /** Share of critical damping of joints under `soft`. @defaultValue 2 */
  jointDampingRatio?: number
  /** Iterations of the relaxing pass under `soft`. @defaultValue 1 */
  relaxIterations?: number
  /** Share of the last impulses that the next solve starts from, in [0, 1]. @defaultValue 1 */
  warmStart?: number
  /** `cone`: isotropic, opposed to the motion; `pyramid`: two rows on their own. @defaultValue 'cone' */
  friction?: 'cone' | 'pyramid'
  /**
   * `manifold`: the normals of a manifold at once, so that a face shares its load evenly; `point`: one after another, which tilts it.
   * Manifolds are taken apart by the methods `jacobi`, `gaussSeidel` and `lemke`. @defaultValue 'manifold'
   */
  contacts?: 'manifold' | 'point'
  /**
   * What bounds friction: `normal`, the normal impulse of the present iterate; `weight`, Tamis's ν m g (5.4), right for a
   * body that rests on a static one and wrong in a stack. @defaultValue 'normal'
   */
  bound?: 'normal' | 'weight'
  /**
   * `simultaneous`: −e J v₁ is a target of the common solve (Tamis 8.2); `sequential`: impacts one at a time, the fastest
   * first, until none approaches. They differ where more than two touch. @defaultValue 'simultaneous'
   */
  restitution?: 'simultaneous' | 'sequential'
  /** Slower approach does not bounce [m/s]. @defaultValue twice the fall of a substep, 2 g h */
  restitutionThreshold?: number
  /** `rungeKutta4`: impulses are solved at each of four stages (Wedekind 2019). @defaultValue 'semiImplicit' */
  integrator?: 'semiImplicit' | 'rungeKutta4'
  /** q by `exponential` (Tamis 12.4.1) or by the normalised `increment` (3.2.4). @defaultValue 'exponential' */
  rotation?: 'exponential' | 'increment'
  /** What a body keeps: its velocities, or momenta p and ℓ, from which ω follows anew after it has turned. @defaultValue 'velocity' */
  state?: 'velocity' | 'momentum'
  /** Record the residual after each iteration of the last substep, in `report.trace`. @defaultValue false */
  trace?: boolean
}

/** Options as the solver reads them; a threshold below 0 stands for the default. */
export type ImpulseSettings = Required<ImpulseOptions>

const DEFAULTS: ImpulseSettings = {
  method: 'sequential',
  iterations: 10,
  tolerance: 0,
  relaxation: 1,
  substeps: 1,
  stabilization: 'split',
  beta: 0.2,
  slop: 0.005,
  maxPush: Infinity,
  contactFrequency: 30,
  contactDampingRatio: 10,
  jointFrequency: 60,
  jointDampingRatio: 2,
  relaxIterations: 1,
  warmStart: 1,
  friction: 'cone',
  contacts: 'manifold',
  bound: 'normal',
  restitution: 'simultaneous',
  restitutionThreshold: -1,
  integrator: 'semiImplicit',
  rotation: 'exponential',
  state: 'velocity',
  trace: false,
}

/** Checks options over `base`, or over the defaults; changes nothing. Throws `TypeError`/`RangeError`. */
export function resolveImpulseOptions(where: string, options: ImpulseOptions, base?: ImpulseSettings): ImpulseSettings {
  object(`${where}: options`, options)
  const known = Object.keys(DEFAULTS)
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new TypeError(`${where}: options must be known ones (${known.join(', ')}), got ${name}`)
    }
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const o: ImpulseSettings = { ...DEFAULTS, ...base, ...given }
  if (o.integrator === 'rungeKutta4' && given.stabilization === undefined && !STAGED.includes(o.stabilization)) {
    o.stabilization = 'baumgarte'
  }
  if (typeof o.trace !== 'boolean') throw new TypeError(`${where}: trace must be a boolean, got ${shown(o.trace)}`)
  const at = (name: string): string => `${where}: ${name}`
  const settings: ImpulseSettings = {
    method: oneOf(at('method'), o.method, ['sequential', 'assembled', 'jacobi', 'gaussSeidel', 'lemke']),
    iterations: count(at('iterations'), o.iterations),
    tolerance: nonNegative(at('tolerance'), o.tolerance),
    relaxation: positive(at('relaxation'), o.relaxation),
    substeps: count(at('substeps'), o.substeps),
    stabilization: oneOf(at('stabilization'), o.stabilization, ['none', 'baumgarte', 'singleFrame', 'split', 'soft']),
    beta: share(at('beta'), o.beta),
    slop: nonNegative(at('slop'), o.slop),
    maxPush: o.maxPush === Infinity ? Infinity : nonNegative(at('maxPush'), o.maxPush),
    contactFrequency: positive(at('contactFrequency'), o.contactFrequency),
    contactDampingRatio: nonNegative(at('contactDampingRatio'), o.contactDampingRatio),
    jointFrequency: positive(at('jointFrequency'), o.jointFrequency),
    jointDampingRatio: nonNegative(at('jointDampingRatio'), o.jointDampingRatio),
    relaxIterations: count(at('relaxIterations'), o.relaxIterations),
    warmStart: share(at('warmStart'), o.warmStart),
    friction: oneOf(at('friction'), o.friction, ['cone', 'pyramid']),
    contacts: oneOf(at('contacts'), o.contacts, ['manifold', 'point']),
    bound: oneOf(at('bound'), o.bound, ['normal', 'weight']),
    restitution: oneOf(at('restitution'), o.restitution, ['simultaneous', 'sequential']),
    restitutionThreshold:
      given.restitutionThreshold === undefined
        ? o.restitutionThreshold
        : nonNegative(at('restitutionThreshold'), o.restitutionThreshold),
    integrator: oneOf(at('integrator'), o.integrator, ['semiImplicit', 'rungeKutta4']),
    rotation: oneOf(at('rotation'), o.rotation, ['exponential', 'increment']),
    state: oneOf(at('state'), o.state, ['velocity', 'momentum']),
    trace: o.trace,
  }
  if (settings.relaxation >= 2) throw new RangeError(`${at('relaxation')} must be < 2, got ${settings.relaxation}`)
  if (settings.integrator === 'rungeKutta4' && !STAGED.includes(settings.stabilization)) {
    throw new RangeError(
      `${at('stabilization')} must be none or baumgarte with rungeKutta4, whose stages have one velocity, got ${settings.stabilization}`,
    )
  }
  return settings
}

/** Stabilisations without a velocity of their own for positions. */
const STAGED: readonly Stabilization[] = ['none', 'baumgarte']

function share(where: string, value: number): number {
  nonNegative(where, value)
  if (value > 1) throw new RangeError(`${where} must be <= 1, got ${value}`)
  return value
}
