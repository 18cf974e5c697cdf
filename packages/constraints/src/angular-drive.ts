/**
 * Angular drive: the muscle of section 9 (Waterson 128–132), a damped spring on the orientation of b against a.
 *
 *   orientation  c = φ [rad], the rotation vector of (q_a target) q̄_b: three rows, ∂c/∂θ = 1 on a, −1 on b
 *   axis (129)   c = −φ ŵ on two directions ⊥ n_a, as an axle; nothing acts about the axis
 *   couple on a  −(stiffness c + damping (dc/dt + velocity)), held inside the ball of maxTorque by magnitude
 *
 * The update (130) as a block, with its increment applied and not κ as a whole; (132) prints the minimum of a vector and a
 * number. Rate: the angular velocity of b against a is to be `velocityTarget`, so dc/dt is to be its negative.
 */

import type { ConstraintType } from '@tautline/core'
import type { BodyColumns, Columns, CommonColumn, ResolvedDef } from '@tautline/core/kernel'
import { unitQuaternion } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { ALIGNMENT, measureAlignment } from './parts/alignment.js'
import { type AxisDef, pairRows, relativeOrientation, resolveAxes, AXIS_FIELDS } from './parts/definition.js'
import { FRAMES, jointFrames } from './parts/frames.js'
import { frameAlong, requireInertia } from './parts/joint-definition.js'
import {
  driveOrientation,
  isAccelerationMode,
  ORIENTATION_DRIVE,
  type OrientationDriveDef,
  orientationDriveRows,
  resolveGains,
  writeGains,
} from './parts/orientation-drive.js'
import { meanInertia } from './parts/orientation.js'
import { outlineAlignment } from './parts/outline.js'
import { freely } from './parts/pivot.js'
import { DAMPING, SPIN_TARGET, STIFFNESS } from './parts/registers.js'
import { keepsRotating } from './parts/momenta.js'

/** A drive to an orientation, or, when an axis is given, one that brings two axes together. */
export interface AngularDriveDef extends AxisDef, Omit<OrientationDriveDef, 'velocityTarget'> {
  /** Wanted orientation `[x, y, z, w]` of `b` seen from `a`. @defaultValue the present one */
  target?: NonNullable<OrientationDriveDef['target']>
  /** Stiffness [N m/rad]; 0 is off. @defaultValue 0 */
  stiffness?: number
  /** Damping [N m s/rad]; 0 is off. @defaultValue 0 */
  damping?: number
  /** Wanted angular velocity of `b` against `a` [rad/s], world frame. @defaultValue [0, 0, 0] */
  velocityTarget?: ReadonlyVec3
}

type Column = 'frameA' | 'frameB' | 'drive'

const ORIENTATION = 0
const AXIS = 1

const F = /* @__PURE__ */ new Float64Array(FRAMES)
const A = /* @__PURE__ */ new Float64Array(ALIGNMENT)
const velocity = /* @__PURE__ */ new Float64Array(3)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedAngularDrive =
  | (ResolvedDef<AngularDriveDef, 'axisA' | 'axisB'> & { readonly target?: undefined })
  | ResolvedDef<AngularDriveDef, 'target'>

/** Turns b towards an orientation: `world.add(angularDrive, { a, b, target, stiffness, damping, maxTorque })`. */
export const angularDrive: ConstraintType<AngularDriveDef, Column, ResolvedAngularDrive> = {
  name: 'angularDrive',
  order: 1,
  joint: true,
  arity: 2,
  multipliers: 3,
  ownsSoftness: true,
  neverRigid: true,
  fields: [...AXIS_FIELDS, 'target', 'maxTorque', 'velocityTarget', 'mode'],
  columns: { frameA: 4, frameB: 4, drive: ORIENTATION_DRIVE },

  resolve(def, { bodies, exists }) {
    const { axis, target, ...rest } = def
    if (exists !== true) requireInertia('angularDrive', def)
    const gains = resolveGains('angularDrive: ', def)
    const hasAxis = axis !== undefined || def.axisA !== undefined || def.axisB !== undefined
    if (hasAxis) {
      if (target !== undefined) throw new TypeError('angularDrive: give target or an axis, got both')
      return { ...rest, ...resolveAxes('angularDrive', def, bodies), ...gains }
    }
    const [a, b] = pairRows(def)
    const wanted =
      target === undefined ? relativeOrientation(bodies, a, b) : unitQuaternion('angularDrive: target', target)
    return { ...rest, ...gains, target: wanted }
  },

  variant({ target }) {
    return target === undefined ? AXIS : ORIENTATION
  },

  write({ columns }, row, def) {
    columns.frameA.set(def.target === undefined ? frameAlong(def.axisA) : def.target, 4 * row)
    columns.frameB.set(def.target === undefined ? frameAlong(def.axisB) : [0, 0, 0, 1], 4 * row)
    writeGains(columns.drive, ORIENTATION_DRIVE * row, def)
  },

  evaluate(bodies, batch, row, out) {
    const [a, b] = [batch.ids[2 * row], batch.ids[2 * row + 1]]
    const isAxis = batch.variant === AXIS
    const G = measure(bodies, a, b, batch.columns, row, isAxis)
    const { drive } = batch.columns
    const o = ORIENTATION_DRIVE * row
    const scale = isAccelerationMode(drive, o) ? meanInertia(freely(bodies, a, b)) : 1
    orientationDriveRows(drive, o, scale, false, G, velocity, isAxis, 0, out)
  },

  keepsMomenta: keepsRotating,
  outline: outlineAlignment,

  sweep(bodies, batch, from, to, h) {
    const { ids, columns } = batch
    const { drive, lambda, relaxation } = columns
    const isAxis = batch.variant === AXIS
    for (let row = from; row < to; row++) {
      const a = ids[2 * row]
      const b = ids[2 * row + 1]
      const o = ORIENTATION_DRIVE * row
      if (drive[o + STIFFNESS] === 0 && drive[o + DAMPING] === 0) continue
      const G = measure(bodies, a, b, columns, row, isAxis)
      const scale = isAccelerationMode(drive, o) ? meanInertia(freely(bodies, a, b)) : 1
      const p = freely(bodies, a, b)
      driveOrientation(bodies, a, b, p, drive, o, scale, G, velocity, isAxis, lambda, 3 * row, relaxation, row, h)
    }
  },
}

/** Fills the scratch that the drive's rows read, which it returns, and `velocity`. */
function measure(
  bodies: BodyColumns,
  a: number,
  b: number,
  columns: Columns<Column | CommonColumn>,
  row: number,
  isAxis: boolean,
): Float64Array {
  const o = ORIENTATION_DRIVE * row
  velocity[0] = columns.drive[o + SPIN_TARGET]
  velocity[1] = columns.drive[o + SPIN_TARGET + 1]
  velocity[2] = columns.drive[o + SPIN_TARGET + 2]
  jointFrames(bodies, a, b, columns.frameA, columns.frameB, row, F)
  if (!isAxis) return F
  measureAlignment(F, A)
  return A
}
