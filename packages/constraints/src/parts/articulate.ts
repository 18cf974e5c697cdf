/**
 * Rows of joints for the fast solution of trees (core, define/joint-rows.ts): the same laws as those of point.ts, angle-rows.ts, orientation-drive.ts and
 * friction-torque.ts.
 */

import {
  ANGLE_DAMPING,
  ANGLE_ERROR,
  ANGLE_RATE,
  ANGLE_SCALE,
  ANGLE_SOFTNESS,
  type Batch,
  type BodyColumns,
  COUPLE_DAMPING,
  COUPLE_RADIUS,
  COUPLE_RATE,
  COUPLE_SCALE,
  COUPLE_SOFTNESS,
  type JointRows,
  rotationBetween,
} from '@tautline/core/kernel'
import { driveError, isDriven, isLimited, isUndefined } from './angle-rows.js'
import { levers, meetHalfway } from './levers.js'
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

const c = /* @__PURE__ */ new Float64Array(3)

/** The point of two anchors; false where it is soft. */
export function articulatePoint(
  bodies: BodyColumns,
  batch: Batch<'anchorA' | 'anchorB'>,
  row: number,
  out: JointRows,
): boolean {
  const { anchorA, anchorB, compliance, regularization } = batch.columns
  if (compliance[row] !== 0 || regularization[row] !== 0) return false
  levers(bodies, batch.ids[2 * row], batch.ids[2 * row + 1], anchorA, anchorB, row, out.point)
  meetHalfway(out.point)
  return true
}

/** The limit at `o` of the angle `t`, whose λ is at `l` in `lambda`: its end that bears λ, or else the nearer one. */
export function articulateLimit(
  out: JointRows,
  limits: Float64Array,
  o: number,
  t: Float64Array,
  multiplier: number,
  lambda: Float64Array,
  l: number,
): void {
  if (!isLimited(limits, o) || isUndefined(t)) return
  const h = out.substep[0]
  const min = limits[o + MIN]
  const max = limits[o + MAX]
  const phi = t[0]
  const load = lambda[l + multiplier]
  const low = load !== 0 ? load > 0 : phi - min < max - phi
  const at = out.angle(multiplier, t, 1)
  const k = out.angleCount - 1
  out.angles[at + ANGLE_ERROR] = low ? phi - min : phi - max
  out.angles[at + ANGLE_SOFTNESS] = limits[o + COMPLIANCE] / (h * h)
  out.angles[at + ANGLE_DAMPING] = limits[o + RAYLEIGH] / h
  // A range without width holds both ways.
  if (max > min && low) out.lower[k] = 0
  else if (max > min) out.upper[k] = 0
}

/** The two rows that hold axes parallel, of the alignment `A`. */
export function articulateAlignment(out: JointRows, A: Float64Array, multiplier: number): void {
  for (let k = 0; k < 2; k++) {
    const at = out.angle(multiplier + k, A, 3 * k)
    // Its axes are gradients on a.
    for (let i = at; i < at + 3; i++) out.angles[i] = -out.angles[i]
    out.angles[at + ANGLE_ERROR] = A[6 + k]
  }
}

/** The drive at `o` of the angle `t`, whose range is at `p`; false where its gains are per unit of inertia. */
export function articulateDrive(
  out: JointRows,
  drive: Float64Array,
  o: number,
  limits: Float64Array,
  p: number,
  t: Float64Array,
  multiplier: number,
): boolean {
  if (!isDriven(drive, o) || isUndefined(t)) return true
  if (drive[o + ACCELERATION_MODE] === 1) return false
  const h = out.substep[0]
  const at = out.angle(multiplier, t, 1)
  const k = out.angleCount - 1
  out.angles[at + ANGLE_ERROR] = driveError(t[0], drive[o + POSITION_TARGET], limits, p)
  out.angles[at + ANGLE_SCALE] = drive[o + STIFFNESS] * h * h
  out.angles[at + ANGLE_DAMPING] = drive[o + DAMPING] * h
  out.angles[at + ANGLE_SOFTNESS] = 1
  out.angles[at + ANGLE_RATE] = h * drive[o + VELOCITY_TARGET]
  out.lower[k] = -drive[o + MAX_FORCE] * h * h
  out.upper[k] = drive[o + MAX_FORCE] * h * h
  return true
}

/** Friction of the angle `t`, at most `max` [N m]. */
export function articulateFriction(out: JointRows, max: number, t: Float64Array, multiplier: number): void {
  if (max === 0 || isUndefined(t)) return
  const bound = max * out.substep[0] * out.substep[0]
  const at = out.angle(multiplier, t, 1)
  const k = out.angleCount - 1
  out.angles[at + ANGLE_ERROR] = out.angles[at + ANGLE_SCALE] = 0
  out.angles[at + ANGLE_DAMPING] = 1
  out.lower[k] = -bound
  out.upper[k] = bound
}

/** Friction of all rotations, at most `max` by magnitude [N m]. */
export function articulateFrictionTorque(out: JointRows, max: number, multiplier: number): void {
  if (max === 0) return
  const at = out.couple(multiplier)
  out.couples[at + COUPLE_SCALE] = 0
  out.couples[at + COUPLE_DAMPING] = 1
  out.couples[at + COUPLE_RADIUS] = max * out.substep[0] * out.substep[0]
}

/** The rows that hold the orientations in `G` together. */
export function articulateOrientation(out: JointRows, G: Float64Array, multiplier: number): void {
  const at = out.couple(multiplier)
  rotationBetween(G, 0, G, 4, c, 0)
  for (let k = 0; k < 3; k++) out.couples[at + k] = c[k]
}

/** The drive at `o` of the orientations in `G`, to `velocity` of b against a in the world frame, gains times `scale`. */
export function articulateOrientationDrive(
  out: JointRows,
  drive: Float64Array,
  o: number,
  scale: number,
  G: Float64Array,
  velocity: Float64Array,
  multiplier: number,
): void {
  const h = out.substep[0]
  const at = out.couple(multiplier)
  const { couples } = out
  if (drive[o + STIFFNESS] !== 0) {
    rotationBetween(G, 0, G, 4, c, 0)
    for (let k = 0; k < 3; k++) couples[at + k] = c[k]
  }
  couples[at + COUPLE_SCALE] = scale * drive[o + STIFFNESS] * h * h
  couples[at + COUPLE_DAMPING] = scale * drive[o + DAMPING] * h
  couples[at + COUPLE_SOFTNESS] = 1
  couples[at + COUPLE_RADIUS] = drive[o + MAX_FORCE] * h * h
  for (let k = 0; k < 3; k++) couples[at + COUPLE_RATE + k] = -h * velocity[k]
}
