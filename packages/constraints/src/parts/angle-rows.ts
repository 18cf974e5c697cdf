/**
 * Limit, drive and friction of an angle [φ, n] (core's joint-angles.ts): rows for `evaluate`, updates for `sweep`. The laws are
 * those of scalar.ts; here they turn the bodies, about a pivot.
 */

import { type BodyColumns, type Rows, wrapAngle } from '@tautline/core/kernel'
import { pairRotation } from './angular.js'
import { inverseInertiaAbout, rotateAbout } from './pivot.js'
import { driveDelta, driveRow, frictionDelta, frictionRow, limitDelta, limitRow } from './scalar.js'
import { DAMPING, MAX, MIN, POSITION_TARGET, RAYLEIGH, STIFFNESS } from './registers.js'

const m = /* @__PURE__ */ new Float64Array(3)

/** Whether the range at `o` bounds anything. */
export function isLimited(limit: Float64Array, o: number): boolean {
  return limit[o + MIN] > -Infinity || limit[o + MAX] < Infinity
}

/** Whether the drive at `o` is on. */
export function isDriven(drive: Float64Array, o: number): boolean {
  return drive[o + STIFFNESS] !== 0 || drive[o + DAMPING] !== 0
}

/** Whether the angle has no gradient at present: its rows wait. */
export function isUndefined(t: Float64Array): boolean {
  return t[1] === 0 && t[2] === 0 && t[3] === 0
}

/** φ − target: the short way round where there are no limits, else over all turns. */
export function driveError(phi: number, target: number, limit: Float64Array, o: number): number {
  return isLimited(limit, o) ? phi - target : wrapAngle(phi - target)
}

/** The gradient, for the group just opened; `pivoted` groups leave the joint's point alone. */
function gradient(out: Rows, t: Float64Array, pivoted: boolean): void {
  out.groups[out.groupCount - 1].pivotCompensated = pivoted
  out.rotations(-1, t, 1)
}

export function angleLimitRow(
  out: Rows,
  limit: Float64Array,
  o: number,
  t: Float64Array,
  multiplier: number,
  pivoted: boolean,
): void {
  if (isUndefined(t)) return
  if (limitRow(out, 'rad', limit, o, t[0], multiplier)) gradient(out, t, pivoted)
}

/** `limit` at `p` is the range of the same angle. */
export function angleDriveRow(
  out: Rows,
  drive: Float64Array,
  o: number,
  limit: Float64Array,
  p: number,
  t: Float64Array,
  multiplier: number,
  pivoted: boolean,
): void {
  if (isUndefined(t)) return
  if (driveRow(out, 'rad', drive, o, driveError(t[0], drive[o + POSITION_TARGET], limit, p), multiplier))
    gradient(out, t, pivoted)
}

export function angleFrictionRow(out: Rows, max: number, t: Float64Array, multiplier: number, pivoted: boolean): void {
  if (isUndefined(t)) return
  if (frictionRow(out, 'rad', max, t[0], multiplier)) gradient(out, t, pivoted)
}

export function limitAngle(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  t: Float64Array,
  limit: Float64Array,
  o: number,
  lambda: Float64Array,
  l: number,
  xi: number,
  alpha: number,
  h: number,
): void {
  const w = inverseInertiaAbout(p, t, 1)
  const moved = limit[o + RAYLEIGH] > 0 ? turnedAlong(bodies, a, b, t) : 0
  turnAlong(bodies, a, b, p, t, lambda, limitDelta(limit, o, t[0], moved, w, lambda, l, xi, alpha, h))
}

/** `limit` at `at` is the range of the same angle. */
export function driveAngle(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  t: Float64Array,
  drive: Float64Array,
  o: number,
  limit: Float64Array,
  at: number,
  lambda: Float64Array,
  l: number,
  xi: number,
  h: number,
): void {
  const error = driveError(t[0], drive[o + POSITION_TARGET], limit, at)
  const w = inverseInertiaAbout(p, t, 1)
  const moved = drive[o + DAMPING] > 0 ? turnedAlong(bodies, a, b, t) : 0
  turnAlong(bodies, a, b, p, t, lambda, driveDelta(drive, o, error, moved, w, lambda, l, xi, h))
}

export function solveAngleFriction(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  t: Float64Array,
  max: number,
  lambda: Float64Array,
  l: number,
  xi: number,
  alpha: number,
  h: number,
): void {
  const w = inverseInertiaAbout(p, t, 1)
  const moved = turnedAlong(bodies, a, b, t)
  turnAlong(bodies, a, b, p, t, lambda, frictionDelta(max, moved, w, lambda, l, xi, alpha, h))
}

/** How far φ has moved in this substep. */
export function turnedAlong(bodies: BodyColumns, a: number, b: number, t: Float64Array): number {
  pairRotation(bodies, a, b, m)
  return -(t[1] * m[0] + t[2] * m[1] + t[3] * m[2])
}

function turnAlong(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  t: Float64Array,
  lambda: Float64Array,
  s: number,
): void {
  if (s === 0) return
  m[0] = -s * t[1]
  m[1] = -s * t[2]
  m[2] = -s * t[3]
  rotateAbout(bodies, a, b, p, lambda, m)
}
