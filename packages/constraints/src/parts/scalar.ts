/**
 * Limits, drives and friction along one coordinate φ of a joint: an angle [rad] or an offset [m]. Each function takes the
 * coordinate, its effective inverse mass w, and returns by how much the multiplier grew; the caller displaces.
 */

import type { Rows, Unit } from '@tautline/core/kernel'
import { finite, nonNegative, resolveSoftness, knownFields, shown } from '@tautline/core/kernel'
import { isAtRest } from './length-mode.js'
import { IMMOVABLE } from './vector.js'
import {
  ACCELERATION_MODE,
  COMPLIANCE,
  DAMPING,
  MAX,
  MAX_FORCE,
  MIN,
  POSITION_TARGET,
  RAYLEIGH,
  STIFFNESS,
  VELOCITY_TARGET,
} from './registers.js'

/** A range of a coordinate; soft when it has compliance or stiffness. */
export interface LimitDef {
  /** Least angle or offset [rad] or [m]; `-Infinity` is open. */
  min: number
  /** Largest angle or offset [rad] or [m], not below `min`; `Infinity` is open. */
  max: number
  /** Softness [rad/(N m)] or [m/N]; 0 is a hard stop. @defaultValue 0 */
  compliance?: number
  /** In place of `compliance`, above 0 [N m/rad] or [N/m]. @defaultValue 1/compliance */
  stiffness?: number
  /** Acts where there is compliance [N m s/rad] or [N s/m]. @defaultValue 0 */
  damping?: number
}

/** A motor on a coordinate: stiffness (target − φ) + damping (velocity − dφ/dt), at most `maxForce`. */
export interface DriveDef {
  /** Stiffness [N m/rad] or [N/m]; 0 is off. @defaultValue 0 */
  stiffness?: number
  /** Damping [N m s/rad] or [N s/m]; 0 is off. @defaultValue 0 */
  damping?: number
  /** Largest torque or force, either way [N m] or [N]. @defaultValue Infinity */
  maxForce?: number
  /**
   * Wanted angle or offset [rad] or [m]. An angle with limits goes there over all its turns, never through a limit; one without goes the short way round.
   * @defaultValue 0
   */
  positionTarget?: number
  /** Wanted speed [rad/s] or [m/s]; wants `damping`. @defaultValue 0 */
  velocityTarget?: number
  /** `acceleration`: stiffness and damping are per unit of effective mass, in 1/s² and 1/s. @defaultValue 'force' */
  mode?: 'force' | 'acceleration'
}

/** Strides of what the functions below read for one coordinate. */
export const LIMIT = 4
export const DRIVE = 6

/** min, max, compliance, damping·compliance. Without a definition the range is everything. */
export function writeLimit(column: Float64Array, o: number, def: LimitDef | undefined): void {
  column[o + MIN] = def?.min ?? -Infinity
  column[o + MAX] = def?.max ?? Infinity
  column[o + COMPLIANCE] = def?.compliance ?? 0
  column[o + RAYLEIGH] = (def?.damping ?? 0) * (def?.compliance ?? 0)
}

/** Stiffness, damping, largest force, position and velocity target, 1 for `acceleration`. */
export function writeDrive(column: Float64Array, o: number, def: DriveDef | undefined): void {
  column[o + STIFFNESS] = def?.stiffness ?? 0
  column[o + DAMPING] = def?.damping ?? 0
  column[o + MAX_FORCE] = def?.maxForce ?? Infinity
  column[o + POSITION_TARGET] = def?.positionTarget ?? 0
  column[o + VELOCITY_TARGET] = def?.velocityTarget ?? 0
  column[o + ACCELERATION_MODE] = def?.mode === 'acceleration' ? 1 : 0
}

const LIMIT_FIELDS: readonly string[] = ['min', 'max', 'compliance', 'stiffness', 'damping']
const DRIVE_FIELDS: readonly string[] = ['stiffness', 'damping', 'maxForce', 'positionTarget', 'velocityTarget', 'mode']

export function resolveLimit(where: string, def: LimitDef | undefined): LimitDef | undefined {
  if (def === undefined) return undefined
  knownFields(where, def, LIMIT_FIELDS)
  if (def.min !== -Infinity) finite(`${where}.min`, def.min)
  if (def.max !== Infinity) finite(`${where}.max`, def.max)
  if (def.min > def.max) throw new RangeError(`${where}: min must be <= max, got min ${def.min} and max ${def.max}`)
  return { min: def.min, max: def.max, ...resolveSoftness(where, def) }
}

export function resolveDrive(where: string, def: DriveDef | undefined): DriveDef | undefined {
  if (def === undefined) return undefined
  knownFields(where, def, DRIVE_FIELDS)
  const mode = def.mode ?? 'force'
  if (mode !== 'force' && mode !== 'acceleration') {
    throw new TypeError(`${where}.mode must be force or acceleration, got ${shown(mode)}`)
  }
  const maxForce = def.maxForce ?? Infinity
  const damping = nonNegative(`${where}.damping`, def.damping ?? 0)
  const velocityTarget = finite(`${where}.velocityTarget`, def.velocityTarget ?? 0)
  if (velocityTarget !== 0) needDamping(`${where}.`, damping, velocityTarget)
  return {
    stiffness: nonNegative(`${where}.stiffness`, def.stiffness ?? 0),
    damping,
    maxForce: maxForce === Infinity ? maxForce : nonNegative(`${where}.maxForce`, maxForce),
    positionTarget: finite(`${where}.positionTarget`, def.positionTarget ?? 0),
    velocityTarget,
    mode,
  }
}

/** Refuses a speed that nothing drives to: force is damping times what it lacks. */
export function needDamping(where: string, damping: number, velocityTarget: number | readonly number[]): void {
  if (damping > 0) return
  throw new RangeError(`${where}damping must be > 0 with velocityTarget ${velocityTarget.toString()}, got 0`)
}

/** The coordinate as seen from the middle of the range: angles jump half a turn away from it. */
export function fromMiddle(phi: number, min: number, max: number): number {
  if (min === -Infinity || max === Infinity) return phi
  const middle = 0.5 * (min + max)
  if (phi - middle > Math.PI) return phi - 2 * Math.PI
  if (phi - middle < -Math.PI) return phi + 2 * Math.PI
  return phi
}

/** Whether φ is nearer to the lower bound: that side's row is the one that can act. */
function isLow(phi: number, min: number, max: number): boolean {
  return phi - min < max - phi
}

/**
 * Solves the row of the nearer bound; λ ≥ 0 at the lower one, ≤ 0 at the upper. If λ is that of the other bound, as after a
 * correction that overshot the whole range, it solves the row of that bound instead, whose λ differs by `range`.
 */
export function limitDelta(
  column: Float64Array,
  o: number,
  phi: number,
  moved: number,
  w: number,
  lambda: Float64Array,
  l: number,
  xi: number,
  alpha: number,
  h: number,
): number {
  const min = column[o + MIN]
  const max = column[o + MAX]
  const a = column[o + COMPLIANCE] / (h * h) + alpha
  const gamma = column[o + RAYLEIGH] / h
  const low = isLow(phi, min, max)
  const c = low ? phi - min : phi - max
  const old = lambda[l]
  if (isAtRest(c, old, low ? 0 : -Infinity, low ? Infinity : 0)) return 0
  const denominator = (1 + gamma) * w + a
  if (denominator <= IMMOVABLE) return 0
  const wanted = old - (xi * (c + a * old + gamma * moved)) / denominator
  const range = (xi * (max - min)) / denominator
  const isInside = low ? wanted <= 0 : wanted >= 0
  const fresh = !isInside ? wanted : low ? Math.min(wanted + range, 0) : Math.max(wanted - range, 0)
  lambda[l] = fresh
  return fresh - old
}

/** Damped spring to a target with a bounded force (128–132). `error` is φ − target, wrapped where φ is an angle. */
export function driveDelta(
  column: Float64Array,
  o: number,
  error: number,
  moved: number,
  w: number,
  lambda: Float64Array,
  l: number,
  xi: number,
  h: number,
): number {
  if (w <= IMMOVABLE) return 0
  const unit = column[o + ACCELERATION_MODE] === 1 ? 1 / w : 1
  const s = column[o + STIFFNESS] * unit * h * h
  const d = column[o + DAMPING] * unit * h
  const max = column[o + MAX_FORCE] * h * h
  const old = lambda[l]
  const wanted = old - (xi * (s * error + d * (moved - h * column[o + VELOCITY_TARGET]) + old)) / ((s + d) * w + 1)
  const fresh = Math.min(Math.max(wanted, -max), max)
  lambda[l] = fresh
  return fresh - old
}

/** Dry friction: holds the coordinate where the substep began, with at most `max` [N m or N]. */
export function frictionDelta(
  max: number,
  moved: number,
  w: number,
  lambda: Float64Array,
  l: number,
  xi: number,
  alpha: number,
  h: number,
): number {
  const old = lambda[l]
  if (w + alpha <= IMMOVABLE) return 0
  const bound = max * h * h
  const wanted = old - (xi * (moved + alpha * old)) / (w + alpha)
  const fresh = Math.min(Math.max(wanted, -bound), bound)
  lambda[l] = fresh
  return fresh - old
}

/** Opens a limit's group for `evaluate` and writes its row; false when there is no limit. */
export function limitRow(
  out: Rows,
  unit: Unit,
  column: Float64Array,
  o: number,
  phi: number,
  multiplier: number,
): boolean {
  const min = column[o + MIN]
  const max = column[o + MAX]
  if (min === -Infinity && max === Infinity) return false
  const group = out.group('scalar', 'position', unit)
  group.compliance = column[o + COMPLIANCE]
  group.rayleigh = column[o + RAYLEIGH]
  group.width = max - min
  const low = isLow(phi, min, max)
  // A range without width holds both ways.
  if (max > min && low) group.lower = 0
  else if (max > min) group.upper = 0
  out.row(multiplier, low ? phi - min : phi - max)
  return true
}

/** Opens a drive's group for `evaluate` and writes its row; false when it is off. */
export function driveRow(
  out: Rows,
  unit: Unit,
  column: Float64Array,
  o: number,
  error: number,
  multiplier: number,
): boolean {
  if (column[o + STIFFNESS] === 0 && column[o + DAMPING] === 0) return false
  const group = out.group('scalar', 'force', unit)
  group.stiffness = column[o + STIFFNESS]
  group.damping = column[o + DAMPING]
  group.lower = -column[o + MAX_FORCE]
  group.upper = column[o + MAX_FORCE]
  group.accelerationMode = column[o + ACCELERATION_MODE] === 1
  out.row(multiplier, error, column[o + VELOCITY_TARGET])
  return true
}

/** Opens a friction's group for `evaluate` and writes its row; false when there is none. */
export function frictionRow(out: Rows, unit: Unit, max: number, phi: number, multiplier: number): boolean {
  if (max === 0) return false
  const group = out.group('scalar', 'rate', unit)
  group.lower = -max
  group.upper = max
  out.row(multiplier, phi)
  return true
}
