/**
 * Swing–twist joint: two bodies joined at a point, with limits of their own for swing and twist; the ragdoll's joint.
 *
 *   point   c = δp [m], multipliers 0–2 (Waterson 60–73)
 *   swing   (θ_y, θ_z) [rad]: the rotation vector of the turn n_a → n_b, in a's frame; 3 and 4
 *             pyramid  a row a component: min <= θ <= max
 *             cone     one row: the distance to four quarters of ellipses (core/src/math/swing-ellipse.ts)
 *   twist   φ = 2 atan2(x, w) of q̄_A q_B, 5
 *   drive to an orientation of b's frame seen from a's, 6–8 (128–132); friction torque, 9–11
 *
 * n_a, n_b: x axes of the frames q_A and q_B. Gradients: core/src/math/joint-angles.ts. The paper has the round cone (88), by asin.
 */

import { Constraint, type ConstraintType } from '@tautline/core'
import {
  addSwingTurn,
  addTwistTurn,
  ANGLE,
  type Batch,
  type BodyColumns,
  compose,
  type Curvature,
  ellipseAngle,
  instance,
  knownFields,
  oneOf,
  type ResolvedDef,
  rotateVector,
  swingAngles,
  twistAngle,
  unitVector,
} from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import {
  articulateFrictionTorque,
  articulateLimit,
  articulateOrientationDrive,
  articulatePoint,
} from './parts/articulate.js'
import { angleLimitRow, isLimited, limitAngle } from './parts/angle-rows.js'
import {
  directionInBody,
  multiply,
  pairRows,
  type PointDef,
  relativeOrientation,
  resolveAnchors,
  resolveFrame,
  POINT_FIELDS,
} from './parts/definition.js'
import { FRAMES, jointFrames } from './parts/frames.js'
import { frictionTorqueRows, solveJointFriction } from './parts/friction-torque.js'
import { frameAlong, frameInB, normalised, requireInertia, resolveFriction } from './parts/joint-definition.js'
import { LEVERS, levers, meetHalfway, SOFT } from './parts/levers.js'
import {
  driveOrientation,
  isAccelerationMode,
  ORIENTATION_DRIVE,
  type OrientationDriveDef,
  orientationDriveRows,
  resolveOrientationDrive,
  writeGains,
} from './parts/orientation-drive.js'
import { meanInertia } from './parts/orientation.js'
import { OUTLINE, outlinePivot, POINT_A, X_B, Y_B } from './parts/outline.js'
import { PIVOT, pivotAt } from './parts/pivot.js'
import { pointCurvature, pointRows, solvePoint } from './parts/point.js'
import { fromMiddle, LIMIT, type LimitDef, resolveLimit, writeLimit } from './parts/scalar.js'
import { COMPLIANCE, DAMPING, MAX, MIN, RAYLEIGH, SPIN_TARGET, STIFFNESS } from './parts/registers.js'
import { keepsRotating } from './parts/momenta.js'
import { addTurns, isTwistKnown, keepTurns, readTurns, renewTurns, TURN } from './parts/turns.js'

/** Ranges of the two components of a swing [rad], within [−π, π]; a missing one is free. */
export interface SwingDef {
  /** Range of the swing about the y axis of a's frame [rad], within [−π, π]. @defaultValue free */
  y?: LimitDef
  /** Range of the swing about the z axis of a's frame [rad], within [−π, π]. @defaultValue free */
  z?: LimitDef
}

/** Two bodies joined at a point, with limits, drive and friction of their orientations. */
export interface SwingTwistDef extends PointDef {
  /** World direction of the twist axis, at the present pose; wins over the frames. @defaultValue none */
  axis?: ReadonlyVec3
  /** Body-space rotation of the joint's frame on `a`; its x axis is the twist axis. @defaultValue b's, else none */
  frameA?: ReadonlyQuat
  /** Body-space rotation of the joint's frame on `b`. @defaultValue a's, at the present pose */
  frameB?: ReadonlyQuat
  /** Ranges of the swing about the y and z axes of a's frame. @defaultValue free */
  swing?: SwingDef
  /** Range of the twist [rad], of any number of turns; they are counted while the swing is below a quarter turn. @defaultValue free */
  twist?: LimitDef
  /**
   * `cone`: an ellipse through the four limits, which must be finite and include 0; one below 0.005 rad counts as that (to lock a
   * direction, take the pyramid). @defaultValue 'pyramid'
   */
  swingShape?: 'pyramid' | 'cone'
  /** Motor on the orientation of b's frame seen from a's. @defaultValue off */
  drive?: OrientationDriveDef
  /** Dry friction, by magnitude [N m]. @defaultValue 0 */
  frictionTorque?: number
}

type Column = 'anchorA' | 'anchorB' | 'frameA' | 'frameB' | 'limits' | 'target' | 'drive' | 'friction' | 'turn'

const MULTIPLIERS = 12
/** Limits of swing y, swing z and twist. */
const LIMITS = 3 * LIMIT

const PYRAMID = 0
const CONE = 1

const g = /* @__PURE__ */ new Float64Array(LEVERS)
const pivot = /* @__PURE__ */ new Float64Array(PIVOT)
const pivotNow = /* @__PURE__ */ new Float64Array(PIVOT)
const F = /* @__PURE__ */ new Float64Array(FRAMES)
const G = /* @__PURE__ */ new Float64Array(FRAMES)
const y = /* @__PURE__ */ new Float64Array(ANGLE)
const z = /* @__PURE__ */ new Float64Array(ANGLE)
const t = /* @__PURE__ */ new Float64Array(ANGLE)
/** The cone's c >= 0, as a limit. */
const C = /* @__PURE__ */ Float64Array.of(0, Infinity, 0, 0)
const s = /* @__PURE__ */ new Float64Array(ANGLE)
const velocity = /* @__PURE__ */ new Float64Array(3)
/** Multipliers of the swing's limits; Σ λ n and Σ λ N of all three, for geometric stiffness. */
const swung = /* @__PURE__ */ new Float64Array(2)
const angles = /* @__PURE__ */ new Float64Array(12)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedSwingTwist = ResolvedDef<SwingTwistDef, 'anchorA' | 'anchorB' | 'frameA' | 'frameB' | 'frictionTorque'>

/** Joins two bodies at a point: `world.add(swingTwist, { a, b, point, axis, swing: { y, z }, twist })`. */
export const swingTwist: ConstraintType<SwingTwistDef, Column, ResolvedSwingTwist> = {
  name: 'swingTwist',
  order: 0,
  arity: 2,
  multipliers: MULTIPLIERS,
  joint: {
    curvature(_bodies, batch, row, out) {
      pointCurvature(batch.columns.lambda, MULTIPLIERS * row, out)
      if (batch.variant === PYRAMID) addLimitCurvature(batch, row, out)
    },
    articulate(bodies, batch, row, out) {
      if (!articulatePoint(bodies, batch, row, out)) return false
      const { frameA, frameB, limits, drive, friction, turn, lambda } = batch.columns
      const [a, b] = [batch.ids[2 * row], batch.ids[2 * row + 1]]
      const o = ORIENTATION_DRIVE * row
      const l = MULTIPLIERS * row
      const p = LIMITS * row
      const isTwistLimited = isLimited(limits, p + 2 * LIMIT)
      const isSwingLimited = batch.variant === CONE || isLimited(limits, p) || isLimited(limits, p + LIMIT)
      const isDriving = drive[o + STIFFNESS] !== 0 || drive[o + DAMPING] !== 0
      articulateFrictionTorque(out, friction[row], 9)
      if (!isTwistLimited && !isSwingLimited && !isDriving) return true
      jointFrames(bodies, a, b, frameA, frameB, row, F)
      if (isDriving) {
        aim(batch, row)
        articulateOrientationDrive(out, drive, o, driveScale(bodies, batch, row, a, b), G, velocity, 6)
      }
      if (isTwistLimited) {
        twistAngle(F, t)
        addTurns(bodies, a, b, t, turn, TURN * row, limits, p + 2 * LIMIT)
        articulateLimit(out, limits, p + 2 * LIMIT, t, 5, lambda, l)
      }
      if (!isSwingLimited) return true
      swingAngles(F, y, z)
      if (batch.variant === CONE) {
        measureCone(limits, p)
        articulateLimit(out, C, 0, t, 3, lambda, l)
      } else {
        articulateLimit(out, limits, p, aroundMiddle(y, limits, p), 3, lambda, l)
        articulateLimit(out, limits, p + LIMIT, aroundMiddle(z, limits, p + LIMIT), 4, lambda, l)
      }
      return true
    },
  },
  fields: [...POINT_FIELDS, 'axis', 'frameA', 'frameB', 'swing', 'twist', 'swingShape', 'drive', 'frictionTorque'],
  saved: { hints: ['turn'] },
  columns: {
    anchorA: 3,
    anchorB: 3,
    frameA: 4,
    frameB: 4,
    limits: LIMITS,
    target: 4,
    drive: ORIENTATION_DRIVE,
    friction: 1,
    turn: TURN,
  },

  resolve(def, { bodies, exists }) {
    const { point: _point, axis: _axis, swing, twist, drive, ...rest } = def
    if (exists !== true) requireInertia('swingTwist', def)
    const swingShape = oneOf('swingTwist: swingShape', def.swingShape ?? 'pyramid', ['pyramid', 'cone'])
    const ranges = resolveSwing(swing, swingShape)
    const range = resolveLimit('swingTwist: twist', twist)
    const motor = resolveOrientationDrive('swingTwist: drive', drive)
    return {
      ...rest,
      ...resolveAnchors('swingTwist', def, bodies),
      ...resolveFrames(def, bodies),
      ...(ranges && { swing: ranges }),
      ...(range && { twist: range }),
      swingShape,
      ...(motor && { drive: motor }),
      frictionTorque: resolveFriction('swingTwist: frictionTorque', def.frictionTorque),
    }
  },

  variant({ swingShape, swing }) {
    return swingShape === 'cone' && swing !== undefined ? CONE : PYRAMID
  },

  write({ columns }, row, def) {
    columns.anchorA.set(def.anchorA, 3 * row)
    columns.anchorB.set(def.anchorB, 3 * row)
    columns.frameA.set(def.frameA, 4 * row)
    columns.frameB.set(def.frameB, 4 * row)
    renewTurns(columns.turn, TURN * row, columns.limits, LIMITS * row + 2 * LIMIT, def.twist, columns.live[row] === 1)
    writeLimit(columns.limits, LIMITS * row, def.swing?.y)
    writeLimit(columns.limits, LIMITS * row + LIMIT, def.swing?.z)
    writeLimit(columns.limits, LIMITS * row + 2 * LIMIT, def.twist)
    columns.target.set(def.drive?.target ?? [0, 0, 0, 1], 4 * row)
    writeGains(columns.drive, ORIENTATION_DRIVE * row, def.drive)
    columns.friction[row] = def.frictionTorque
  },

  evaluate(bodies, batch, row, out) {
    const { frameA, frameB, limits, drive, friction, turn } = batch.columns
    const [a, b] = [batch.ids[2 * row], batch.ids[2 * row + 1]]
    jointFrames(bodies, a, b, frameA, frameB, row, F)
    pointRows(bodies, batch, row, out, true)
    frictionTorqueRows(out, friction[row], 9)
    aim(batch, row)
    const o = ORIENTATION_DRIVE * row
    orientationDriveRows(drive, o, driveScale(bodies, batch, row, a, b), true, G, velocity, false, 6, out)
    twistAngle(F, t)
    addTurns(bodies, a, b, t, turn, TURN * row, limits, LIMITS * row + 2 * LIMIT)
    angleLimitRow(out, limits, LIMITS * row + 2 * LIMIT, t, 5, true)
    swingAngles(F, y, z)
    if (batch.variant === CONE) {
      measureCone(limits, LIMITS * row)
      angleLimitRow(out, C, 0, t, 3, true)
    } else {
      angleLimitRow(out, limits, LIMITS * row, aroundMiddle(y, limits, LIMITS * row), 3, true)
      angleLimitRow(out, limits, LIMITS * row + LIMIT, aroundMiddle(z, limits, LIMITS * row + LIMIT), 4, true)
    }
  },

  keepsMomenta: keepsRotating,
  outline(bodies, batch, row, out) {
    const { limits } = batch.columns
    const o = LIMITS * row
    const frames = outlinePivot(bodies, batch, row, out)
    twistAngle(frames, t)
    out.axis(OUTLINE, POINT_A, X_B)
    out.swing(OUTLINE, POINT_A, X_B, frames, 0, limits, o, o + LIMIT, batch.variant === CONE)
    out.arc(OUTLINE, POINT_A, X_B, Y_B, limits, o + 2 * LIMIT, t, 0)
  },
  loop: {
    sweep(bodies, batch, from, to, h) {
      const { ids, columns } = batch
      const { frameA, frameB, limits, drive, friction, turn, lambda, relaxation, regularization } = columns
      for (let row = from; row < to; row++) {
        const a = ids[2 * row]
        const b = ids[2 * row + 1]
        const l = MULTIPLIERS * row
        const p = LIMITS * row
        const o = ORIENTATION_DRIVE * row
        const xi = relaxation[row]
        const alpha = regularization[row]
        solvePoint(bodies, a, b, columns, row, l, g)
        const P = pivotAt(bodies, a, b, g, l, pivot)
        if (friction[row] > 0) solveJointFriction(bodies, a, b, P, columns, row, l + 9, h)
        if (drive[o + STIFFNESS] !== 0 || drive[o + DAMPING] !== 0) {
          jointFrames(bodies, a, b, frameA, frameB, row, F)
          aim(batch, row)
          const scale = driveScale(bodies, batch, row, a, b)
          driveOrientation(bodies, a, b, P, drive, o, scale, G, velocity, false, lambda, l + 6, relaxation, row, h)
        }
        if (isLimited(limits, p + 2 * LIMIT)) {
          jointFrames(bodies, a, b, frameA, frameB, row, F)
          twistAngle(F, t)
          addTurns(bodies, a, b, t, turn, TURN * row, limits, p + 2 * LIMIT)
          limitAngle(bodies, a, b, P, t, limits, p + 2 * LIMIT, lambda, l + 5, xi, alpha, h)
        }
        if (batch.variant === CONE) {
          jointFrames(bodies, a, b, frameA, frameB, row, F)
          swingAngles(F, y, z)
          measureCone(limits, p)
          limitAngle(bodies, a, b, P, t, C, 0, lambda, l + 3, xi, alpha, h)
        } else {
          if (isLimited(limits, p)) {
            jointFrames(bodies, a, b, frameA, frameB, row, F)
            swingAngles(F, y, z)
            limitAngle(bodies, a, b, P, aroundMiddle(y, limits, p), limits, p, lambda, l + 3, xi, alpha, h)
          }
          if (isLimited(limits, p + LIMIT)) {
            jointFrames(bodies, a, b, frameA, frameB, row, F)
            swingAngles(F, y, z)
            limitAngle(
              bodies,
              a,
              b,
              P,
              aroundMiddle(z, limits, p + LIMIT),
              limits,
              p + LIMIT,
              lambda,
              l + 4,
              xi,
              alpha,
              h,
            )
          }
        }
      }
    },
    track(bodies, batch, from, to) {
      const { frameA, frameB, limits, turn } = batch.columns
      for (let row = from; row < to; row++) {
        const a = batch.ids[2 * row]
        const b = batch.ids[2 * row + 1]
        jointFrames(bodies, a, b, frameA, frameB, row, F)
        twistAngle(F, t)
        addTurns(bodies, a, b, t, turn, TURN * row, limits, LIMITS * row + 2 * LIMIT)
        keepTurns(t, turn, TURN * row, isTwistKnown(F))
      }
    },
  },
}

/** The twist of a `swingTwist` [rad], whole turns included while its swing is below a quarter turn. */
export function twistOf(constraint: Constraint<SwingTwistDef>): number {
  const { world, batch } = instance('twistOf: constraint', constraint, Constraint, 'a constraint')
  const row = constraint.row()
  if (constraint.typeName !== 'swingTwist') {
    throw new TypeError(`twistOf: constraint must be a swingTwist, got ${constraint.typeName}`)
  }
  const { frameA, frameB, turn, limits } = batch.columns as unknown as Record<Column, Float64Array>
  const bodies: BodyColumns = world.bodies.columns
  const [a, b] = [batch.ids[2 * row], batch.ids[2 * row + 1]]
  jointFrames(bodies, a, b, frameA, frameB, row, F)
  twistAngle(F, t)
  readTurns(bodies, a, b, t, turn, TURN * row, limits, LIMITS * row + 2 * LIMIT)
  return t[0]
}

/** A component of the swing, half a turn from the middle of its range at most. */
function aroundMiddle(angle: Float64Array, limits: Float64Array, o: number): Float64Array {
  for (let k = 1; k < ANGLE; k++) s[k] = angle[k]
  s[0] = fromMiddle(angle[0], limits[o + MIN], limits[o + MAX])
  return s
}

/** The orientation that the drive compares, into `G`, and its velocity target in the world frame; frames in `F`. */
function aim(batch: Batch<Column>, row: number): void {
  const { target, drive } = batch.columns
  const o = ORIENTATION_DRIVE * row
  compose(F, 0, target, 4 * row, G, 0)
  for (let k = 4; k < 8; k++) G[k] = F[k]
  rotateVector(F, 0, drive[o + SPIN_TARGET], drive[o + SPIN_TARGET + 1], drive[o + SPIN_TARGET + 2], velocity, 0)
}

/** What the drive's gains are multiplied by: 1, or the mean effective inertia about the pivot as it is now. */
function driveScale(bodies: BodyColumns, batch: Batch<Column>, row: number, a: number, b: number): number {
  const { drive, anchorA, anchorB } = batch.columns
  if (!isAccelerationMode(drive, ORIENTATION_DRIVE * row)) return 1
  levers(bodies, a, b, anchorA, anchorB, row, g)
  meetHalfway(g)
  g[SOFT] = 0
  return meanInertia(pivotAt(bodies, a, b, g, 0, pivotNow))
}

/** The cone's angle into `t` and its softness into `C`; swing in `y` and `z`. */
function measureCone(limits: Float64Array, o: number): void {
  ellipseAngle(limits, o, LIMIT, y, z, t)
  C[COMPLIANCE] = limits[o + COMPLIANCE]
  C[RAYLEIGH] = limits[o + RAYLEIGH]
}

/** Geometric stiffness of the pyramid's limits, by the angles of the last `evaluate`. */
function addLimitCurvature({ columns: { lambda, limits } }: Batch<Column>, row: number, out: Curvature): void {
  const l = MULTIPLIERS * row + 3
  const o = LIMITS * row
  const isTwisted = lambda[l + 2] !== 0 && isLimited(limits, o + 2 * LIMIT)
  swung[0] = isLimited(limits, o) ? lambda[l] : 0
  swung[1] = isLimited(limits, o + LIMIT) ? lambda[l + 1] : 0
  const isSwung = swung[0] !== 0 || swung[1] !== 0
  if (!isTwisted && !isSwung) return
  angles.fill(0)
  if (isTwisted) addTwistTurn(F, t, lambda, l + 2, angles)
  if (isSwung) addSwingTurn(F, y, z, swung, angles)
  out.angles(angles)
}

function resolveSwing(swing: SwingDef | undefined, shape: 'pyramid' | 'cone'): SwingDef | undefined {
  if (swing === undefined) return undefined
  knownFields('swingTwist: swing', swing, ['y', 'z'])
  const range: SwingDef = {}
  for (const axis of ['y', 'z'] as const) {
    const where = `swingTwist: swing.${axis}`
    const limit = resolveLimit(where, swing[axis])
    if (limit !== undefined) {
      const { min, max } = limit
      if (min < -Math.PI || max > Math.PI) {
        throw new RangeError(`${where}: min and max must be within [-π, π], got min ${min} and max ${max}`)
      }
      if (shape === 'cone' && (min > 0 || max < 0)) {
        throw new RangeError(`${where}: min must be <= 0 <= max for a cone, got min ${min} and max ${max}`)
      }
      range[axis] = limit
    } else if (shape === 'cone') {
      throw new TypeError(`${where} must be given for a cone, got none`)
    }
  }
  const { y, z } = range
  if (shape === 'cone' && (y?.compliance !== z?.compliance || y?.damping !== z?.damping)) {
    throw new RangeError(
      `swingTwist: swing.y and swing.z must be equally soft for a cone, got compliance ${y?.compliance} and ${z?.compliance}, damping ${y?.damping} and ${z?.damping}`,
    )
  }
  return range
}

type Quadruple = [number, number, number, number]

/** Both frames; one that is missing is placed on the other at the present pose. */
function resolveFrames(def: SwingTwistDef, bodies: BodyColumns): { frameA: Quadruple; frameB: Quadruple } {
  const [a, b] = pairRows(def)
  const relative = relativeOrientation(bodies, a, b)
  const frameA = def.frameA === undefined ? undefined : resolveFrame('swingTwist: frameA', def.frameA)
  const frameB = def.frameB === undefined ? undefined : resolveFrame('swingTwist: frameB', def.frameB)
  if (def.axis !== undefined) {
    const frame = frameAlong(directionInBody(bodies, a, unitVector('swingTwist: axis', def.axis)))
    return { frameA: frame, frameB: frameInB(relative, frame) }
  }
  if (frameA !== undefined) return { frameA, frameB: frameB ?? frameInB(relative, frameA) }
  if (frameB !== undefined) return { frameA: normalised(multiply(relative, frameB)), frameB }
  return { frameA: [0, 0, 0, 1], frameB: frameInB(relative, [0, 0, 0, 1]) }
}
