/**
 * Slider: b moves along an axis of a and does not turn against it.
 *
 *   offset       c = (t₁·δp, t₂·δp) [m], multipliers 0–1;  t ⊥ n, axes of a's frame
 *   orientation  c = φ [rad], 2–4: the rotation vector of (q_a f) q̄_b
 *   limit, drive and friction of s = −n·δp [m], 5, 6 and 7
 *
 * with δp = p_a − p_b, so that s grows as b moves along n. All directions are carried by a: with both levers at b's anchor
 *   ∂(u·δp) = (u, (r_a − δp) × u) on a, −(u, r_b × u) on b
 * is exact for u = −n, t₁, t₂. Not in the paper.
 */

import { type ConstraintType, Constraint } from '@tautline/core'
import {
  type Batch,
  type BodyColumns,
  type Columns,
  type CommonColumn,
  compose,
  frameX,
  frameY,
  frameZ,
  instance,
  type ResolvedDef,
} from '@tautline/core/kernel'
import { type AxisDef, type PointDef, resolveAxes, POINT_FIELDS, AXIS_FIELDS } from './parts/definition.js'
import {
  ANGULAR_COLUMNS,
  type AngularDef,
  frameAlong,
  type ReferenceDef,
  requireInertia,
  resolveAnchorsOrCentre,
  resolveAngular,
  resolveFriction,
  resolveReference,
  writeAngular,
  ANGULAR_FIELDS,
} from './parts/joint-definition.js'
import { isDriven, isLimited } from './parts/angle-rows.js'
import { levers, LEVERS } from './parts/levers.js'
import { displacePair, massMatrix, movedPair, pairInverseMass } from './parts/linear.js'
import { heldOrientationRows, holdOrientation } from './parts/orientation.js'
import { OUTLINE, placeAnchors, POINT_A, POINT_B, X_A } from './parts/outline.js'
import { freely } from './parts/pivot.js'
import { planeDelta } from './parts/plane.js'
import {
  DRIVE,
  type DriveDef,
  driveDelta,
  driveRow,
  frictionDelta,
  frictionRow,
  LIMIT,
  type LimitDef,
  limitDelta,
  limitRow,
  resolveDrive,
  resolveLimit,
  writeDrive,
  writeLimit,
} from './parts/scalar.js'
import { STEP } from './parts/vector.js'
import {
  ERROR,
  POSITION_TARGET,
  RADIUS,
  RAYLEIGH,
  RELAXATION,
  ROW_DAMPING,
  ROW_SOFTNESS,
  ROW_STIFFNESS,
} from './parts/registers.js'
import { keepsRotating } from './parts/momenta.js'

/**
 * Two bodies that move along one axis. Without `point` and anchors the offset is measured from the centre of mass of `a`,
 * or of `b` where `a` is the world. `a` carries the axis: `axisB` only serves to place `axisA`.
 */
export interface SliderDef extends PointDef, AxisDef, AngularDef, ReferenceDef {
  /** Range of the offset [m]; may be open on one side. @defaultValue free */
  limits?: LimitDef
  /** Motor on the offset. @defaultValue off */
  drive?: DriveDef
  /** Dry friction [N]. @defaultValue 0 */
  frictionForce?: number
}

type Column =
  'anchorA' | 'anchorB' | 'frameA' | 'reference' | 'limit' | 'drive' | 'friction' | keyof typeof ANGULAR_COLUMNS

const MULTIPLIERS = 8

const g = /* @__PURE__ */ new Float64Array(LEVERS)
const q = /* @__PURE__ */ new Float64Array(4)
/** [t₁ (3), t₂ (3), −n (3)] */
const T = /* @__PURE__ */ new Float64Array(9)
const K = /* @__PURE__ */ new Float64Array(9)
const m = /* @__PURE__ */ new Float64Array(3)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedSlider = ResolvedDef<SliderDef, 'axisA' | 'anchorA' | 'anchorB' | 'reference' | 'frictionForce'>

/** Lets two bodies move along an axis only: `world.add(slider, { a, b, axis })`. */
export const slider: ConstraintType<SliderDef, Column, ResolvedSlider> = {
  name: 'slider',
  order: 0,
  arity: 2,
  multipliers: MULTIPLIERS,
  joint: true,
  fields: [...POINT_FIELDS, ...AXIS_FIELDS, ...ANGULAR_FIELDS, 'limits', 'drive', 'frictionForce'],
  columns: {
    anchorA: 3,
    anchorB: 3,
    frameA: 4,
    reference: 4,
    limit: LIMIT,
    drive: DRIVE,
    friction: 1,
    ...ANGULAR_COLUMNS,
  },

  resolve(def, { bodies, exists }) {
    const { point: _point, axis: _axis, limits, drive, ...rest } = def
    if (exists !== true) requireInertia('slider', def)
    const range = resolveLimit('slider: limits', limits)
    const motor = resolveDrive('slider: drive', drive)
    return {
      ...rest,
      ...resolveAnchorsOrCentre('slider', def, bodies),
      ...resolveAxes('slider', def, bodies),
      ...resolveAngular('slider', def),
      reference: resolveReference('slider', def, bodies),
      ...(range && { limits: range }),
      ...(motor && { drive: motor }),
      frictionForce: resolveFriction('slider: frictionForce', def.frictionForce),
    }
  },

  write({ columns }, row, def) {
    columns.anchorA.set(def.anchorA, 3 * row)
    columns.anchorB.set(def.anchorB, 3 * row)
    columns.frameA.set(frameAlong(def.axisA), 4 * row)
    columns.reference.set(def.reference, 4 * row)
    writeAngular(columns, row, def)
    writeLimit(columns.limit, LIMIT * row, def.limits)
    writeDrive(columns.drive, DRIVE * row, def.drive)
    columns.friction[row] = def.frictionForce
  },

  evaluate(bodies, batch, row, out) {
    const { columns, ids } = batch
    const { limit, drive, friction } = columns
    const s = measure(bodies, ids[2 * row], ids[2 * row + 1], columns, row)
    const group = out.group('block', 'position', 'm')
    group.compliance = columns.compliance[row]
    group.rayleigh = columns.rayleigh[row]
    for (let k = 0; k < 2; k++) {
      m[k] = along(3 * k)
      out.rowAt(k, m, k)
      out.parts(g, T, 3 * k)
    }
    heldOrientationRows(bodies, ids[2 * row], ids[2 * row + 1], columns, row, out, 2, false)
    if (frictionRow(out, 'm', friction[row], s, 7)) out.parts(g, T, 6)
    if (driveRow(out, 'm', drive, DRIVE * row, s - drive[DRIVE * row + 3], 6)) out.parts(g, T, 6)
    if (limitRow(out, 'm', limit, LIMIT * row, s, 5)) out.parts(g, T, 6)
  },

  curvature(_bodies, batch, row, out) {
    const { lambda } = batch.columns
    const l = MULTIPLIERS * row
    for (let k = 0; k < 2; k++) out.ray(lambda, l + k, T, 3 * k, g)
    out.couple(lambda, l + 2)
  },

  keepsMomenta: keepsRotating,
  outline(bodies, batch, row, out) {
    const { ids, columns } = batch
    placeAnchors(bodies, batch, row)
    compose(bodies.orientation, 4 * ids[2 * row], columns.frameA, 4 * row, q, 0)
    frameX(q, 0, OUTLINE, X_A)
    out.slide(OUTLINE, POINT_A, POINT_B, X_A, columns.limit, LIMIT * row)
  },

  sweep(bodies, batch, from, to, h) {
    const { ids, columns } = batch
    const { limit, drive, friction, lambda, relaxation, regularization } = columns
    for (let row = from; row < to; row++) {
      const a = ids[2 * row]
      const b = ids[2 * row + 1]
      const l = MULTIPLIERS * row
      const p = LIMIT * row
      const o = DRIVE * row
      const xi = relaxation[row]
      const alpha = regularization[row]
      measure(bodies, a, b, columns, row)
      solveOffset(bodies, a, b, columns, row, l)
      holdOrientation(bodies, a, b, freely(bodies, a, b), columns, row, l + 2, h)
      if (friction[row] > 0) {
        measure(bodies, a, b, columns, row)
        const w = pairInverseMass(bodies, a, b, g, T, 6)
        slide(bodies, a, b, frictionDelta(friction[row], moved(bodies, a, b), w, lambda, l + 7, xi, alpha, h))
      }
      if (isDriven(drive, o)) {
        const s = measure(bodies, a, b, columns, row)
        const w = pairInverseMass(bodies, a, b, g, T, 6)
        slide(
          bodies,
          a,
          b,
          driveDelta(drive, o, s - drive[o + POSITION_TARGET], moved(bodies, a, b), w, lambda, l + 6, xi, h),
        )
      }
      if (isLimited(limit, p)) {
        const s = measure(bodies, a, b, columns, row)
        const w = pairInverseMass(bodies, a, b, g, T, 6)
        const ds = limit[p + RAYLEIGH] > 0 ? moved(bodies, a, b) : 0
        slide(bodies, a, b, limitDelta(limit, p, s, ds, w, lambda, l + 5, xi, alpha, h))
      }
    }
  },
}

/** The offset of a slider [m]: how far b's anchor is from a's along the axis. */
export function offsetOf(constraint: Constraint<SliderDef>): number {
  const { world, batch } = instance('offsetOf: constraint', constraint, Constraint, 'a constraint')
  const row = constraint.row()
  if (constraint.typeName !== 'slider') {
    throw new TypeError(`offsetOf: constraint must be a slider, got ${constraint.typeName}`)
  }
  const { columns, ids } = batch as unknown as Batch<Column>
  return measure(world.bodies.columns, ids[2 * row], ids[2 * row + 1], columns, row)
}

/** Fills levers, both at b's anchor, and directions; returns s. */
function measure(
  bodies: BodyColumns,
  a: number,
  b: number,
  columns: Columns<Column | CommonColumn>,
  row: number,
): number {
  levers(bodies, a, b, columns.anchorA, columns.anchorB, row, g)
  for (let k = 0; k < 3; k++) g[k] -= g[6 + k]
  compose(bodies.orientation, 4 * a, columns.frameA, 4 * row, q, 0)
  frameY(q, 0, T, 0)
  frameZ(q, 0, T, 3)
  frameX(q, 0, T, 6)
  for (let k = 6; k < 9; k++) T[k] = -T[k]
  return along(6)
}

/** δp along the direction at `o` of `T`. */
function along(o: number): number {
  return T[o] * g[6] + T[o + 1] * g[7] + T[o + 2] * g[8]
}

/** How far s has moved in this substep. */
function moved(bodies: BodyColumns, a: number, b: number): number {
  movedPair(bodies, a, b, g, m)
  return T[6] * m[0] + T[7] * m[1] + T[8] * m[2]
}

function slide(bodies: BodyColumns, a: number, b: number, s: number): void {
  if (s === 0) return
  m[0] = s * T[6]
  m[1] = s * T[7]
  m[2] = s * T[8]
  displacePair(bodies, a, b, g, m)
}

/** One update of the two rows across the axis. */
function solveOffset(
  bodies: BodyColumns,
  a: number,
  b: number,
  columns: Columns<Column | CommonColumn>,
  row: number,
  l: number,
): void {
  const { lambda, softness, gamma, relaxation } = columns
  const soft = softness[row]
  let e1 = along(0) + soft * lambda[l]
  let e2 = along(3) + soft * lambda[l + 1]
  if (gamma[row] > 0) {
    movedPair(bodies, a, b, g, m)
    e1 += gamma[row] * (T[0] * m[0] + T[1] * m[1] + T[2] * m[2])
    e2 += gamma[row] * (T[3] * m[0] + T[4] * m[1] + T[5] * m[2])
  }
  massMatrix(bodies, a, b, g, K)
  STEP[ROW_STIFFNESS] = 1
  STEP[ROW_DAMPING] = gamma[row]
  STEP[ROW_SOFTNESS] = soft
  STEP[RELAXATION] = relaxation[row]
  STEP[RADIUS] = Infinity
  STEP[ERROR] = e1
  STEP[ERROR + 1] = e2
  if (planeDelta(K, 0, T, lambda, l, m)) displacePair(bodies, a, b, g, m)
}
