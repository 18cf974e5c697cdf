/** Settings of a solver: what a user writes, what stands where nothing is written, and their checks. */

import { count, integer, nonNegative, oneOf, positive, knownFields } from '@tautline/core/kernel'
import type { Metric } from './metric.js'

/** What a user writes to make an {@link IkSolver}. Every field may be left out; a wrong one is an error that names it. */
export interface IkOptions {
  /** What weighs a step: composite inertia (Waterson 151), nothing (143–148), the joint-space mass (150). @defaultValue 'inertia' */
  metric?: Metric
  /** Share of the root's inertia that every joint has besides, >= 0. @defaultValue 0.1 */
  blend?: number
  /** Most iterations of a solve, >= 1, for each start, and as many again where goals are not met. @defaultValue 50 */
  iterations?: number
  /** Error at which a goal is met, as a share of the rig's reach, and in radians. @defaultValue 1e-4 */
  tolerance?: number
  /** Damping, the A of (154), grows with the error: this times (e/reach)², >= 0. @defaultValue 0.05 */
  damping?: number
  /** Most that a joint turns in an iteration [rad]. @defaultValue 0.5 */
  maxAngle?: number
  /** Most of an error that is asked for at once, as a share of the reach. @defaultValue 0.4 */
  errorClamp?: number
  /** Where a solve starts: the pose given, so that the same call gives the same pose, or the one of the last solve. @defaultValue 'input' */
  start?: 'input' | 'previous'
  /**
   * Times to start anew, for the chains whose goals are not met, from random poses inside their limits. For single poses; along
   * a motion it makes poses jump. @defaultValue 0
   */
  restarts?: number
  /** Of the random poses, and of the nudge that frees a straight chain: an integer >= 0. @defaultValue 1 */
  seed?: number
  /** Pull of each joint towards what it prefers, a share an iteration from 0 to 1, where the goals leave it free. @defaultValue 0 */
  posture?: number
  /** How much of a frame's change is left out, 0 none, below 1 nearly all: `solve` moves from the pose given. @defaultValue 0 */
  smoothing?: number
}

export type Settings = Required<IkOptions>

export const DEFAULTS: Settings = {
  metric: 'inertia',
  blend: 0.1,
  iterations: 50,
  tolerance: 1e-4,
  damping: 0.05,
  maxAngle: 0.5,
  errorClamp: 0.4,
  start: 'input',
  restarts: 0,
  seed: 1,
  posture: 0,
  smoothing: 0,
}

/** Checks options over `base`; changes nothing. */
export function resolveOptions(where: string, options: IkOptions, base: Settings): Settings {
  knownFields(`${where}: options`, options, Object.keys(DEFAULTS))
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const o: Settings = { ...base, ...given }
  const settings: Settings = {
    metric: oneOf(`${where}: metric`, o.metric, ['inertia', 'identity', 'fullMass']),
    blend: nonNegative(`${where}: blend`, o.blend),
    iterations: count(`${where}: iterations`, o.iterations, 1),
    tolerance: nonNegative(`${where}: tolerance`, o.tolerance),
    damping: nonNegative(`${where}: damping`, o.damping),
    maxAngle: positive(`${where}: maxAngle`, o.maxAngle),
    errorClamp: positive(`${where}: errorClamp`, o.errorClamp),
    start: oneOf(`${where}: start`, o.start, ['input', 'previous']),
    restarts: count(`${where}: restarts`, o.restarts, 0),
    seed: integer(`${where}: seed`, o.seed, 0),
    posture: nonNegative(`${where}: posture`, o.posture),
    smoothing: nonNegative(`${where}: smoothing`, o.smoothing),
  }
  if (settings.posture > 1) throw new RangeError(`${where}: posture must be <= 1, got ${settings.posture}`)
  if (settings.smoothing >= 1) throw new RangeError(`${where}: smoothing must be < 1, got ${settings.smoothing}`)
  return settings
}
