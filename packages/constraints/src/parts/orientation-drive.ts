/**
 * A drive of one orientation to another (Waterson 128–132): couple stiffness c + damping (dc/dt − rate) in all three
 * directions, held inside the ball of maxTorque by magnitude, where (132) prints the minimum of a vector and a number.
 */

import {
  type BodyColumns,
  finiteVector,
  nonNegative,
  oneOf,
  type Rows,
  unitQuaternion,
  knownFields,
} from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { alignmentRows, solveAlignment } from './alignment.js'
import { triple } from './definition.js'
import { orientationRows, solveOrientation } from './orientation.js'
import { needDamping } from './scalar.js'
import { STEP } from './vector.js'
import {
  DAMPING,
  MAX_FORCE,
  RADIUS,
  RELAXATION,
  ROW_DAMPING,
  ROW_SOFTNESS,
  ROW_STIFFNESS,
  SPIN_ACCELERATION_MODE,
  SPIN_TARGET,
  STIFFNESS,
} from './registers.js'

/** A motor on an orientation; 0 is off. */
export interface OrientationDriveDef {
  /** Wanted orientation `[x, y, z, w]` of b's frame seen from a's. @defaultValue no rotation */
  target?: ReadonlyQuat
  /** Stiffness [N m/rad]; 0 is off. @defaultValue 0 */
  stiffness?: number
  /** Damping [N m s/rad]; 0 is off. @defaultValue 0 */
  damping?: number
  /** Largest couple, by magnitude [N m]. @defaultValue Infinity */
  maxTorque?: number
  /** Wanted angular velocity of b against a [rad/s], in a's frame. @defaultValue [0, 0, 0] */
  velocityTarget?: ReadonlyVec3
  /** `acceleration`: stiffness and damping are per unit of mean effective inertia. @defaultValue 'force' */
  mode?: 'force' | 'acceleration'
}

/** Stride of a drive's column: stiffness, damping, largest couple, velocity target (3), 1 for `acceleration`. */
export const ORIENTATION_DRIVE = 7

const rate = /* @__PURE__ */ new Float64Array(3)

/** Everything of a drive but its target. */
type DriveGains = Omit<OrientationDriveDef, 'target'>

export function resolveGains(where: string, def: DriveGains): Required<DriveGains> {
  const maxTorque = def.maxTorque ?? Infinity
  const damping = nonNegative(`${where}damping`, def.damping ?? 0)
  const velocityTarget = triple(finiteVector(`${where}velocityTarget`, def.velocityTarget ?? [0, 0, 0], 3))
  if (velocityTarget.some((v) => v !== 0)) needDamping(where, damping, velocityTarget)
  return {
    stiffness: nonNegative(`${where}stiffness`, def.stiffness ?? 0),
    damping,
    maxTorque: maxTorque === Infinity ? maxTorque : nonNegative(`${where}maxTorque`, maxTorque),
    velocityTarget,
    mode: oneOf(`${where}mode`, def.mode ?? 'force', ['force', 'acceleration']),
  }
}

export function resolveOrientationDrive(
  where: string,
  def: OrientationDriveDef | undefined,
): Required<OrientationDriveDef> | undefined {
  if (def === undefined) return undefined
  knownFields(where, def, ['target', 'stiffness', 'damping', 'maxTorque', 'velocityTarget', 'mode'])
  return { target: unitQuaternion(`${where}.target`, def.target ?? [0, 0, 0, 1]), ...resolveGains(`${where}.`, def) }
}

export function writeGains(column: Float64Array, o: number, def: DriveGains | undefined): void {
  column[o + STIFFNESS] = def?.stiffness ?? 0
  column[o + DAMPING] = def?.damping ?? 0
  column[o + MAX_FORCE] = def?.maxTorque ?? Infinity
  for (let k = 0; k < 3; k++) column[o + SPIN_TARGET + k] = def?.velocityTarget?.[k] ?? 0
  column[o + SPIN_ACCELERATION_MODE] = def?.mode === 'acceleration' ? 1 : 0
}

/** Whether the gains at `o` are per unit of mean effective inertia (`meanInertia`). */
export function isAccelerationMode(drive: Float64Array, o: number): boolean {
  return drive[o + SPIN_ACCELERATION_MODE] === 1
}

/**
 * Opens the drive's group for `evaluate` and writes its rows: three from the frames in `G`, or two from the alignment in
 * `G` when `isAxis`. `velocity` is the wanted angular velocity of b against a, in the world frame; gains are
 * multiplied by `scale`.
 */
export function orientationDriveRows(
  drive: Float64Array,
  o: number,
  scale: number,
  pivoted: boolean,
  G: Float64Array,
  velocity: Float64Array,
  isAxis: boolean,
  multiplier: number,
  out: Rows,
): void {
  if (drive[o + STIFFNESS] === 0 && drive[o + DAMPING] === 0) return
  const wanted = [-velocity[0], -velocity[1], -velocity[2]]
  const group = (isAxis ? alignmentRows : orientationRows)(out, G, multiplier, 'force', wanted, false)
  group.stiffness = scale * drive[o + STIFFNESS]
  group.damping = scale * drive[o + DAMPING]
  group.pivotCompensated = pivoted
  group.radius = drive[o + MAX_FORCE]
}

/** Its update about the pivot `p`; κ at `l`. */
export function driveOrientation(
  bodies: BodyColumns,
  a: number,
  b: number,
  p: Float64Array,
  drive: Float64Array,
  o: number,
  scale: number,
  G: Float64Array,
  velocity: Float64Array,
  isAxis: boolean,
  lambda: Float64Array,
  l: number,
  relaxation: Float64Array,
  row: number,
  h: number,
): void {
  STEP[ROW_STIFFNESS] = scale * drive[o + STIFFNESS] * h * h
  STEP[ROW_DAMPING] = scale * drive[o + DAMPING] * h
  STEP[ROW_SOFTNESS] = 1
  STEP[RELAXATION] = relaxation[row]
  STEP[RADIUS] = drive[o + MAX_FORCE] * h * h
  rate[0] = -velocity[0]
  rate[1] = -velocity[1]
  rate[2] = -velocity[2]
  if (isAxis) solveAlignment(bodies, a, b, p, G, lambda, l, rate, h)
  else solveOrientation(bodies, a, b, p, G, lambda, l, rate, h)
}
