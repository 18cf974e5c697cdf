/**
 * Hinge: two bodies joined at a point, free to turn about one axis.
 *
 *   point      c = δp [m], multipliers 0–2 (Waterson 60–73)
 *   alignment  c = −φ ŵ [rad] on two directions ⊥ the axis, 3–4 (80–87)
 *   limit, drive and friction of the angle, 5, 6 and 7 (88–90, 128–132)
 *
 * The angle is that of b turned against a about the axis, 0 at the reference; it counts whole turns (parts/turns.ts):
 *   φ = 2 atan2(x, w) + 2π n of q̄_A q_B,  ∂φ/∂θ_b = (n_a + n_b)/(1 + n_a·n_b) = −∂φ/∂θ_a
 * where q_A and q_B are frames whose x axes n_a and n_b are the hinge's. The paper has point and axle only.
 */

import { type ConstraintType, Constraint } from '@tautline/core'
import { addTwistTurn, ANGLE, type BodyColumns, instance, type ResolvedDef, twistAngle } from '@tautline/core/kernel'
import { ALIGNMENT, alignmentCurvature, alignmentRows, measureAlignment, solveAlignment } from './parts/alignment.js'
import {
  articulateAlignment,
  articulateDrive,
  articulateFriction,
  articulateLimit,
  articulatePoint,
} from './parts/articulate.js'
import {
  angleDriveRow,
  angleFrictionRow,
  angleLimitRow,
  driveAngle,
  isDriven,
  isLimited,
  limitAngle,
  solveAngleFriction,
} from './parts/angle-rows.js'
import {
  type AxisDef,
  type PointDef,
  resolveAnchors,
  resolveAxes,
  POINT_FIELDS,
  AXIS_FIELDS,
} from './parts/definition.js'
import { FRAMES, jointFrames } from './parts/frames.js'
import {
  ANGULAR_COLUMNS,
  type AngularDef,
  frameAlong,
  frameInB,
  frameOnto,
  type ReferenceDef,
  requireInertia,
  resolveAngular,
  resolveFriction,
  resolveReference,
  writeAngular,
  ANGULAR_FIELDS,
} from './parts/joint-definition.js'
import { LEVERS } from './parts/levers.js'
import { AT_REST } from './parts/orientation.js'
import { OUTLINE, outlinePivot, POINT_A, X_A, Y_B } from './parts/outline.js'
import { PIVOT, pivotAt } from './parts/pivot.js'
import { pointCurvature, pointRows, solvePoint } from './parts/point.js'
import {
  DRIVE,
  type DriveDef,
  LIMIT,
  type LimitDef,
  resolveDrive,
  resolveLimit,
  writeDrive,
  writeLimit,
} from './parts/scalar.js'
import { STEP } from './parts/vector.js'
import { RADIUS, RELAXATION, ROW_DAMPING, ROW_SOFTNESS, ROW_STIFFNESS } from './parts/registers.js'
import { keepsRotating } from './parts/momenta.js'
import { addTurns, isTwistKnown, keepTurns, readTurns, renewTurns, TURN } from './parts/turns.js'

/** Two bodies that turn about one axis. `point` or an anchor, and `axis` or a body axis, must be given. */
export interface HingeDef extends PointDef, AxisDef, AngularDef, ReferenceDef {
  /** Range of the angle [rad], of any number of turns: `{ min: -4 * Math.PI, max: 4 * Math.PI }`. @defaultValue free */
  limits?: LimitDef
  /** Motor on the angle. @defaultValue off */
  drive?: DriveDef
  /** Dry friction [N m]. @defaultValue 0 */
  frictionTorque?: number
}

type Column =
  'anchorA' | 'anchorB' | 'frameA' | 'frameB' | 'limit' | 'drive' | 'friction' | 'turn' | keyof typeof ANGULAR_COLUMNS

const MULTIPLIERS = 8

const g = /* @__PURE__ */ new Float64Array(LEVERS)
const pivot = /* @__PURE__ */ new Float64Array(PIVOT)
const F = /* @__PURE__ */ new Float64Array(FRAMES)
const A = /* @__PURE__ */ new Float64Array(ALIGNMENT)
const t = /* @__PURE__ */ new Float64Array(ANGLE)
/** λ of limit and drive together; λ n and λ N of their angle, for geometric stiffness. */
const turning = /* @__PURE__ */ new Float64Array(1)
const angles = /* @__PURE__ */ new Float64Array(12)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedHinge = ResolvedDef<HingeDef, 'axisA' | 'reference' | 'anchorA' | 'anchorB' | 'axisB' | 'frictionTorque'>

/** Joins two bodies at a point and an axis: `world.add(hinge, { a, b, point, axis })`. */
export const hinge: ConstraintType<HingeDef, Column, ResolvedHinge> = {
  name: 'hinge',
  order: 0,
  arity: 2,
  multipliers: MULTIPLIERS,
  joint: {
    curvature(_bodies, batch, row, out) {
      const { lambda } = batch.columns
      pointCurvature(lambda, MULTIPLIERS * row, out)
      alignmentCurvature(A, lambda, MULTIPLIERS * row + 3, out)
      const { limit, drive } = batch.columns
      turning[0] = isLimited(limit, LIMIT * row) ? lambda[MULTIPLIERS * row + 5] : 0
      if (isDriven(drive, DRIVE * row)) turning[0] += lambda[MULTIPLIERS * row + 6]
      if (turning[0] === 0) return
      angles.fill(0)
      addTwistTurn(F, t, turning, 0, angles)
      out.angles(angles)
    },
    articulate(bodies, batch, row, out) {
      const { frameA, frameB, limit, drive, friction, turn, angularCompliance, lambda } = batch.columns
      if (angularCompliance[row] !== 0 || !articulatePoint(bodies, batch, row, out)) return false
      const [a, b] = [batch.ids[2 * row], batch.ids[2 * row + 1]]
      jointFrames(bodies, a, b, frameA, frameB, row, F)
      measureAlignment(F, A)
      articulateAlignment(out, A, 3)
      const isDriving = isDriven(drive, DRIVE * row)
      if (!isDriving && !isLimited(limit, LIMIT * row) && friction[row] === 0) return true
      twistAngle(F, t)
      addTurns(bodies, a, b, t, turn, TURN * row, limit, LIMIT * row)
      articulateFriction(out, friction[row], t, 7)
      articulateLimit(out, limit, LIMIT * row, t, 5, lambda, MULTIPLIERS * row)
      return articulateDrive(out, drive, DRIVE * row, limit, LIMIT * row, t, 6)
    },
  },
  fields: [...POINT_FIELDS, ...AXIS_FIELDS, ...ANGULAR_FIELDS, 'limits', 'drive', 'frictionTorque'],
  saved: { hints: ['turn'] },
  columns: {
    anchorA: 3,
    anchorB: 3,
    frameA: 4,
    frameB: 4,
    limit: LIMIT,
    drive: DRIVE,
    friction: 1,
    turn: TURN,
    ...ANGULAR_COLUMNS,
  },

  resolve(def, { bodies, exists }) {
    const { point: _point, axis: _axis, limits, drive, ...rest } = def
    if (exists !== true) requireInertia('hinge', def)
    const range = resolveLimit('hinge: limits', limits)
    const motor = resolveDrive('hinge: drive', drive)
    return {
      ...rest,
      ...resolveAnchors('hinge', def, bodies),
      ...resolveAxes('hinge', def, bodies),
      ...resolveAngular('hinge', def),
      reference: resolveReference('hinge', def, bodies),
      ...(range && { limits: range }),
      ...(motor && { drive: motor }),
      frictionTorque: resolveFriction('hinge: frictionTorque', def.frictionTorque),
    }
  },

  write({ columns }, row, def) {
    const frame = frameAlong(def.axisA)
    columns.anchorA.set(def.anchorA, 3 * row)
    columns.anchorB.set(def.anchorB, 3 * row)
    columns.frameA.set(frame, 4 * row)
    columns.frameB.set(frameOnto(frameInB(def.reference, frame), 0, def.axisB), 4 * row)
    writeAngular(columns, row, def)
    renewTurns(columns.turn, TURN * row, columns.limit, LIMIT * row, def.limits, columns.live[row] === 1)
    writeLimit(columns.limit, LIMIT * row, def.limits)
    writeDrive(columns.drive, DRIVE * row, def.drive)
    columns.friction[row] = def.frictionTorque
  },

  evaluate(bodies, batch, row, out) {
    const { frameA, frameB, limit, drive, friction, turn, angularCompliance, angularRayleigh } = batch.columns
    const [a, b] = [batch.ids[2 * row], batch.ids[2 * row + 1]]
    jointFrames(bodies, a, b, frameA, frameB, row, F)
    twistAngle(F, t)
    addTurns(bodies, a, b, t, turn, TURN * row, limit, LIMIT * row)
    measureAlignment(F, A)
    pointRows(bodies, batch, row, out, true)
    const isExact = out.isExact(angularCompliance, angularRayleigh, row)
    const group = alignmentRows(out, A, 3, 'position', AT_REST, isExact)
    group.compliance = angularCompliance[row]
    group.rayleigh = angularRayleigh[row]
    group.pivotCompensated = true
    angleFrictionRow(out, friction[row], t, 7, true)
    angleDriveRow(out, drive, DRIVE * row, limit, LIMIT * row, t, 6, true)
    angleLimitRow(out, limit, LIMIT * row, t, 5, true)
  },

  keepsMomenta: keepsRotating,
  outline(bodies, batch, row, out) {
    twistAngle(outlinePivot(bodies, batch, row, out), t)
    out.axis(OUTLINE, POINT_A, X_A)
    out.arc(OUTLINE, POINT_A, X_A, Y_B, batch.columns.limit, LIMIT * row, t, 0)
  },
  loop: {
    sweep(bodies, batch, from, to, h) {
      const { ids, columns } = batch
      const { frameA, frameB, limit, drive, friction, turn, angularCompliance, angularRayleigh } = columns
      const { lambda, relaxation, regularization } = columns
      for (let row = from; row < to; row++) {
        const a = ids[2 * row]
        const b = ids[2 * row + 1]
        const l = MULTIPLIERS * row
        const p = LIMIT * row
        const o = DRIVE * row
        const xi = relaxation[row]
        const alpha = regularization[row]
        solvePoint(bodies, a, b, columns, row, l, g)
        const P = pivotAt(bodies, a, b, g, l, pivot)
        jointFrames(bodies, a, b, frameA, frameB, row, F)
        measureAlignment(F, A)
        STEP[ROW_STIFFNESS] = 1
        STEP[ROW_DAMPING] = angularRayleigh[row] / h
        STEP[ROW_SOFTNESS] = angularCompliance[row] / (h * h) + alpha
        STEP[RELAXATION] = xi
        STEP[RADIUS] = Infinity
        solveAlignment(bodies, a, b, P, A, lambda, l + 3, AT_REST, h)
        if (friction[row] > 0) {
          jointFrames(bodies, a, b, frameA, frameB, row, F)
          twistAngle(F, t)
          solveAngleFriction(bodies, a, b, P, t, friction[row], lambda, l + 7, xi, alpha, h)
        }
        if (isDriven(drive, o)) {
          jointFrames(bodies, a, b, frameA, frameB, row, F)
          twistAngle(F, t)
          addTurns(bodies, a, b, t, turn, TURN * row, limit, p)
          driveAngle(bodies, a, b, P, t, drive, o, limit, p, lambda, l + 6, xi, h)
        }
        if (isLimited(limit, p)) {
          jointFrames(bodies, a, b, frameA, frameB, row, F)
          twistAngle(F, t)
          addTurns(bodies, a, b, t, turn, TURN * row, limit, p)
          limitAngle(bodies, a, b, P, t, limit, p, lambda, l + 5, xi, alpha, h)
        }
      }
    },
    track(bodies, batch, from, to) {
      const { frameA, frameB, limit, turn } = batch.columns
      for (let row = from; row < to; row++) {
        const a = batch.ids[2 * row]
        const b = batch.ids[2 * row + 1]
        jointFrames(bodies, a, b, frameA, frameB, row, F)
        twistAngle(F, t)
        addTurns(bodies, a, b, t, turn, TURN * row, limit, LIMIT * row)
        keepTurns(t, turn, TURN * row, isTwistKnown(F))
      }
    },
  },
}

/** The angle of a hinge [rad], whole turns included: 4π after two turns from the reference. `angleOf(joint) / (2 * Math.PI)` is how many. */
export function angleOf(constraint: Constraint<HingeDef>): number {
  const { world, batch } = instance('angleOf: constraint', constraint, Constraint, 'a constraint')
  const row = constraint.row()
  if (constraint.typeName !== 'hinge') {
    throw new TypeError(`angleOf: constraint must be a hinge, got ${constraint.typeName}`)
  }
  const columns = batch.columns as unknown as Record<Column, Float64Array>
  const bodies: BodyColumns = world.bodies.columns
  const [a, b] = [batch.ids[2 * row], batch.ids[2 * row + 1]]
  jointFrames(bodies, a, b, columns.frameA, columns.frameB, row, F)
  twistAngle(F, t)
  readTurns(bodies, a, b, t, columns.turn, TURN * row, columns.limit, LIMIT * row)
  return t[0]
}
