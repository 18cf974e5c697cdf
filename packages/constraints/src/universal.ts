/**
 * Universal joint: two bodies joined at a point by a cross, so that they turn about an axis of a and an axis of b.
 *
 *   point          c = δp [m], multipliers 0–2 (Waterson 60–73)
 *   perpendicular  c = atan2(d, ‖n_a × n_b‖) [rad], 3;  d = n_a·n_b, ∂c/∂θ_a = ŵ, ∂c/∂θ_b = −ŵ, ŵ = n_a × n_b/‖n_a × n_b‖
 *   limit of the angle α about n_a and of β about n_b, 4 and 5; their drives 6 and 7, their friction 8 and 9
 *
 * α and β are those of q̄_A q_B = Rx(α) Rz(β), x̂_A = n_a, ẑ_B = n_b, both 0 at the reference (core/src/math/joint-angles.ts). They are
 * read from n_a and n_b, which has no singularity but n_a ∥ n_b; 2 atan2(x, w) has one more at half a turn of the other
 * angle. Both count whole turns (parts/turns.ts). Not in the paper.
 */

import { type ConstraintType } from '@tautline/core'
import {
  ANGLE,
  ANGLE_ERROR,
  angleAboutA,
  angleAboutB,
  atan2,
  type BodyColumns,
  type Columns,
  type CommonColumn,
  frameX,
  frameZ,
  type ResolvedDef,
  unitVector,
} from '@tautline/core/kernel'
import { pairRotation } from './parts/angular.js'
import { articulateDrive, articulateFriction, articulateLimit, articulatePoint } from './parts/articulate.js'
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
import { conjugate, type PointDef, resolveAnchors, POINT_FIELDS } from './parts/definition.js'
import { FRAMES, jointFrames, PARALLEL } from './parts/frames.js'
import {
  ANGULAR_COLUMNS,
  type AngularDef,
  frameAlong,
  axisOf,
  frameInB,
  frameOnto,
  type ReferenceDef,
  requireInertia,
  resolveAngular,
  resolveFriction,
  resolveReference,
  rotated,
  writeAngular,
  ANGULAR_FIELDS,
} from './parts/joint-definition.js'
import { LEVERS } from './parts/levers.js'
import { OUTLINE, outlinePivot, POINT_A, X_A, X_B, Z_B } from './parts/outline.js'
import { inverseInertiaAbout, PIVOT, pivotAt, rotateAbout } from './parts/pivot.js'
import { pointCurvature, pointRows, solvePoint } from './parts/point.js'
import {
  DRIVE,
  type DriveDef,
  LIMIT,
  type LimitDef,
  resolveLimit,
  resolveDrive,
  writeDrive,
  writeLimit,
} from './parts/scalar.js'
import { IMMOVABLE } from './parts/vector.js'
import type { ReadonlyVec3 } from 'gl-matrix'
import { keepsRotating } from './parts/momenta.js'
import { addTurns, keepTurns, renewTurns, TURN } from './parts/turns.js'

/** Two bodies joined by a cross. `point` or an anchor, and one of the axes, must be given. */
export interface UniversalDef extends PointDef, AngularDef, ReferenceDef {
  /** Body-space axis of the cross on `a`. @defaultValue some axis ⊥ `axisB`, at the reference */
  axisA?: ReadonlyVec3
  /** Body-space axis of the cross on `b`, ⊥ `axisA` at the reference. @defaultValue some axis ⊥ `axisA` */
  axisB?: ReadonlyVec3
  /** Range of the angle about `axisA` [rad], of any number of turns. @defaultValue free */
  limitsA?: LimitDef
  /** Range of the angle about `axisB` [rad], of any number of turns. @defaultValue free */
  limitsB?: LimitDef
  /** Motor on the angle about `axisA`. @defaultValue off */
  driveA?: DriveDef
  /** Motor on the angle about `axisB`. @defaultValue off */
  driveB?: DriveDef
  /** Dry friction about each axis [N m]. @defaultValue 0 */
  frictionTorque?: number
}

type Column =
  | 'anchorA'
  | 'anchorB'
  | 'frameA'
  | 'frameB'
  | 'limits'
  | 'drives'
  | 'friction'
  | 'turns'
  | keyof typeof ANGULAR_COLUMNS

const MULTIPLIERS = 10

/** Cosine above which two axes are too close to parallel to span the joint's frames. Anything less is an error to solve. */
const SKEW = 0.99

const g = /* @__PURE__ */ new Float64Array(LEVERS)
const pivot = /* @__PURE__ */ new Float64Array(PIVOT)
const F = /* @__PURE__ */ new Float64Array(FRAMES)
const N = /* @__PURE__ */ new Float64Array(6)
const m = /* @__PURE__ */ new Float64Array(3)
const t = /* @__PURE__ */ new Float64Array(ANGLE)
/** [c, ŵ (3)] */
const P = /* @__PURE__ */ new Float64Array(4)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedUniversal = ResolvedDef<
  UniversalDef,
  'axisA' | 'axisB' | 'reference' | 'anchorA' | 'anchorB' | 'frictionTorque'
>

/** Joins two bodies by a cross: `world.add(universal, { a, b, point, axisA, axisB })`. */
export const universal: ConstraintType<UniversalDef, Column, ResolvedUniversal> = {
  name: 'universal',
  order: 0,
  arity: 2,
  multipliers: MULTIPLIERS,
  joint: {
    curvature(_bodies, batch, row, out) {
      const { lambda } = batch.columns
      pointCurvature(lambda, MULTIPLIERS * row, out)
      out.pair(lambda, MULTIPLIERS * row + 3, 1, N, 0, N, 3)
    },
    articulate(bodies, batch, row, out) {
      const { frameA, frameB, limits, drives, friction, turns, angularCompliance, lambda } = batch.columns
      if (angularCompliance[row] !== 0 || !articulatePoint(bodies, batch, row, out)) return false
      const [a, b] = [batch.ids[2 * row], batch.ids[2 * row + 1]]
      jointFrames(bodies, a, b, frameA, frameB, row, F)
      measureSkew()
      const at = out.angle(3, P, 1)
      // ŵ is the gradient on a.
      for (let i = at; i < at + 3; i++) out.angles[i] = -out.angles[i]
      out.angles[at + ANGLE_ERROR] = P[0]
      for (let k = 0; k < 2; k++) {
        const limit = LIMIT * (2 * row + k)
        const drive = DRIVE * (2 * row + k)
        if (!isLimited(limits, limit) && !isDriven(drives, drive) && friction[row] === 0) continue
        measureAngle(k)
        addTurns(bodies, a, b, t, turns, TURN * (2 * row + k), limits, limit)
        articulateFriction(out, friction[row], t, 8 + k)
        if (!articulateDrive(out, drives, drive, limits, limit, t, 6 + k)) return false
        articulateLimit(out, limits, limit, t, 4 + k, lambda, MULTIPLIERS * row)
      }
      return true
    },
  },
  fields: [
    ...POINT_FIELDS,
    ...ANGULAR_FIELDS,
    'axisA',
    'axisB',
    'limitsA',
    'limitsB',
    'driveA',
    'driveB',
    'frictionTorque',
  ],
  saved: { hints: ['turns'] },
  columns: {
    anchorA: 3,
    anchorB: 3,
    frameA: 4,
    frameB: 4,
    limits: 2 * LIMIT,
    drives: 2 * DRIVE,
    friction: 1,
    turns: 2 * TURN,
    ...ANGULAR_COLUMNS,
  },

  resolve(def, { bodies, exists }) {
    const { point: _point, limitsA, limitsB, driveA, driveB, ...rest } = def
    if (exists !== true) requireInertia('universal', def)
    const reference = resolveReference('universal', def, bodies)
    const [rangeA, rangeB] = [resolveLimit('universal: limitsA', limitsA), resolveLimit('universal: limitsB', limitsB)]
    const [motorA, motorB] = [resolveDrive('universal: driveA', driveA), resolveDrive('universal: driveB', driveB)]
    return {
      ...rest,
      ...resolveAnchors('universal', def, bodies),
      ...resolveCross(def, reference),
      ...resolveAngular('universal', def),
      reference,
      ...(rangeA && { limitsA: rangeA }),
      ...(rangeB && { limitsB: rangeB }),
      ...(motorA && { driveA: motorA }),
      ...(motorB && { driveB: motorB }),
      frictionTorque: resolveFriction('universal: frictionTorque', def.frictionTorque),
    }
  },

  write({ columns }, row, def) {
    const { axisA, axisB, reference } = def
    const frame = frameOnto(frameAlong(axisA), 2, rotated(reference, axisB))
    columns.anchorA.set(def.anchorA, 3 * row)
    columns.anchorB.set(def.anchorB, 3 * row)
    columns.frameA.set(frameOnto(frame, 0, axisA), 4 * row)
    columns.frameB.set(frameOnto(frameInB(reference, frame), 2, axisB), 4 * row)
    writeAngular(columns, row, def)
    for (let k = 0; k < 2; k++) {
      const [o, p] = [TURN * (2 * row + k), LIMIT * (2 * row + k)]
      const range = k === 0 ? def.limitsA : def.limitsB
      renewTurns(columns.turns, o, columns.limits, p, range, columns.live[row] === 1)
    }
    writeLimit(columns.limits, 2 * LIMIT * row, def.limitsA)
    writeLimit(columns.limits, 2 * LIMIT * row + LIMIT, def.limitsB)
    writeDrive(columns.drives, 2 * DRIVE * row, def.driveA)
    writeDrive(columns.drives, 2 * DRIVE * row + DRIVE, def.driveB)
    columns.friction[row] = def.frictionTorque
  },

  evaluate(bodies, batch, row, out) {
    const { limits, drives, friction, turns, frameA, frameB, angularCompliance, angularRayleigh } = batch.columns
    const [a, b] = [batch.ids[2 * row], batch.ids[2 * row + 1]]
    jointFrames(bodies, a, b, frameA, frameB, row, F)
    pointRows(bodies, batch, row, out, true)
    measureSkew()
    const group = out.group('scalar', 'position', 'rad')
    group.compliance = angularCompliance[row]
    group.rayleigh = angularRayleigh[row]
    group.pivotCompensated = true
    out.rowAt(3, P, 0)
    out.rotations(1, P, 1)
    for (let k = 0; k < 2; k++) {
      measureAngle(k)
      angleFrictionRow(out, friction[row], t, 8 + k, true)
    }
    for (let k = 0; k < 2; k++) {
      measureAngle(k)
      addTurns(bodies, a, b, t, turns, TURN * (2 * row + k), limits, LIMIT * (2 * row + k))
      angleDriveRow(out, drives, DRIVE * (2 * row + k), limits, LIMIT * (2 * row + k), t, 6 + k, true)
    }
    for (let k = 0; k < 2; k++) {
      measureAngle(k)
      addTurns(bodies, a, b, t, turns, TURN * (2 * row + k), limits, LIMIT * (2 * row + k))
      angleLimitRow(out, limits, LIMIT * (2 * row + k), t, 4 + k, true)
    }
  },

  keepsMomenta: keepsRotating,
  outline(bodies, batch, row, out) {
    const { limits } = batch.columns
    const frames = outlinePivot(bodies, batch, row, out)
    out.axis(OUTLINE, POINT_A, X_A)
    out.axis(OUTLINE, POINT_A, Z_B)
    angleAboutA(frames, t)
    out.arc(OUTLINE, POINT_A, X_A, Z_B, limits, 2 * LIMIT * row, t, 0)
    angleAboutB(frames, t)
    out.arc(OUTLINE, POINT_A, Z_B, X_B, limits, 2 * LIMIT * row + LIMIT, t, 0)
  },
  loop: {
    sweep(bodies, batch, from, to, h) {
      const { ids, columns } = batch
      const { frameA, frameB, limits, drives, friction, turns, lambda, relaxation, regularization } = columns
      for (let row = from; row < to; row++) {
        const a = ids[2 * row]
        const b = ids[2 * row + 1]
        const l = MULTIPLIERS * row
        const p = 2 * LIMIT * row
        const o = 2 * DRIVE * row
        const xi = relaxation[row]
        const alpha = regularization[row]
        solvePoint(bodies, a, b, columns, row, l, g)
        const R = pivotAt(bodies, a, b, g, l, pivot)
        jointFrames(bodies, a, b, frameA, frameB, row, F)
        measureSkew()
        solveSkew(bodies, a, b, R, columns, row, l + 3, h)
        if (friction[row] > 0) {
          for (let k = 0; k < 2; k++) {
            jointFrames(bodies, a, b, frameA, frameB, row, F)
            measureAngle(k)
            solveAngleFriction(bodies, a, b, R, t, friction[row], lambda, l + 8 + k, xi, alpha, h)
          }
        }
        for (let k = 0; k < 2; k++) {
          if (!isDriven(drives, o + DRIVE * k)) continue
          jointFrames(bodies, a, b, frameA, frameB, row, F)
          measureAngle(k)
          addTurns(bodies, a, b, t, turns, TURN * (2 * row + k), limits, p + LIMIT * k)
          driveAngle(bodies, a, b, R, t, drives, o + DRIVE * k, limits, p + LIMIT * k, lambda, l + 6 + k, xi, h)
        }
        for (let k = 0; k < 2; k++) {
          if (!isLimited(limits, p + LIMIT * k)) continue
          jointFrames(bodies, a, b, frameA, frameB, row, F)
          measureAngle(k)
          addTurns(bodies, a, b, t, turns, TURN * (2 * row + k), limits, p + LIMIT * k)
          limitAngle(bodies, a, b, R, t, limits, p + LIMIT * k, lambda, l + 4 + k, xi, alpha, h)
        }
      }
    },
    track(bodies, batch, from, to) {
      const { frameA, frameB, limits, turns } = batch.columns
      for (let row = from; row < to; row++) {
        const a = batch.ids[2 * row]
        const b = batch.ids[2 * row + 1]
        jointFrames(bodies, a, b, frameA, frameB, row, F)
        for (let k = 0; k < 2; k++) {
          measureAngle(k)
          addTurns(bodies, a, b, t, turns, TURN * (2 * row + k), limits, LIMIT * (2 * row + k))
          keepTurns(t, turns, TURN * (2 * row + k), true)
        }
      }
    },
  },
}

/** Both axes; a missing one is the z, or x, axis of the shortest turn's frame of the other. */
function resolveCross(
  def: UniversalDef,
  reference: ArrayLike<number>,
): { axisA: [number, number, number]; axisB: [number, number, number] } {
  const axisA = def.axisA === undefined ? undefined : unitVector('universal: axisA', def.axisA)
  const axisB = def.axisB === undefined ? undefined : unitVector('universal: axisB', def.axisB)
  if (axisA === undefined) {
    if (axisB === undefined) throw new TypeError('universal: axisA or axisB must be given, got neither')
    return { axisA: unitVector('universal: axisA', rotated(reference, axisOf(frameAlong(axisB), 2))), axisB }
  }
  if (axisB === undefined) {
    return { axisA, axisB: unitVector('universal: axisB', rotated(conjugate(reference), axisOf(frameAlong(axisA), 2))) }
  }
  const [x, y, z] = rotated(reference, axisB)
  const d = x * axisA[0] + y * axisA[1] + z * axisA[2]
  if (!(Math.abs(d) <= SKEW)) {
    throw new RangeError(`universal: axisA and axisB must not be parallel, got axes whose cosine is ${d}`)
  }
  return { axisA, axisB }
}

/** α or β from the frames in `F`, into `t`. */
function measureAngle(k: number): void {
  if (k === 0) angleAboutA(F, t)
  else angleAboutB(F, t)
}

/** c and ŵ of the perpendicular row from the frames in `F`, into `P`; ŵ = 0 where the axes are parallel. */
function measureSkew(): void {
  frameX(F, 0, N, 0)
  frameZ(F, 4, N, 3)
  const x = N[1] * N[5] - N[2] * N[4]
  const y = N[2] * N[3] - N[0] * N[5]
  const z = N[0] * N[4] - N[1] * N[3]
  const s = Math.sqrt(x * x + y * y + z * z)
  const u = s > PARALLEL ? 1 / s : 0
  P[0] = atan2(N[0] * N[3] + N[1] * N[4] + N[2] * N[5], s)
  P[1] = u * x
  P[2] = u * y
  P[3] = u * z
}

/** One update of the perpendicular row. */
function solveSkew(
  bodies: BodyColumns,
  a: number,
  b: number,
  R: Float64Array,
  columns: Columns<Column | CommonColumn>,
  row: number,
  l: number,
  h: number,
): void {
  const { lambda, relaxation, regularization, angularCompliance, angularRayleigh } = columns
  const soft = angularCompliance[row] / (h * h) + regularization[row]
  const gamma = angularRayleigh[row] / h
  let error = P[0] + soft * lambda[l]
  if (gamma > 0) {
    pairRotation(bodies, a, b, m)
    error += gamma * (P[1] * m[0] + P[2] * m[1] + P[3] * m[2])
  }
  const denominator = (1 + gamma) * inverseInertiaAbout(R, P, 1) + soft
  if (denominator <= IMMOVABLE) return
  const s = (-relaxation[row] * error) / denominator
  lambda[l] += s
  m[0] = s * P[1]
  m[1] = s * P[2]
  m[2] = s * P[3]
  rotateAbout(bodies, a, b, R, lambda, m)
}
