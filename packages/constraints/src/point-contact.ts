/**
 * Contact and friction between two points that you give and that stay on their bodies; what collision detection finds between shapes are
 * the manifolds of `@tautline/collision`, of up to four points that come and go (Waterson 91–101, corrected in docs/method.md).
 *
 *   normal    c = δp·n̂ ≥ 0 [m],  δp = p_a − p_b, n̂ from b to a and carried by b;  λ_n ≥ 0 accumulated, `max` not (95)'s `min`
 *   friction  c = (t̂₁, t̂₂)·δp − s [m],  s where sticking began;  ‖λ_t‖ ≤ ν_s λ_n, or ν_d λ_n once it slides
 *
 * n̂ and t̂ turn with b, so ±κ at a's point is the exact gradient and keeps angular momentum. Old penetration is repaired
 * at `maxPushOut` at most: the row drives c to min(0, c_start + v h). The velocity pass then sets the normal velocity of an
 * impact to −e times the approach speed, and takes from other contacts what push-out put in; its impulse is part of λ. The slip distance s stays while the
 * point sticks, over steps, so that nothing creeps; when it slides, s follows.
 */

import type { ConstraintType, PairDef } from '@tautline/core'
import {
  type Batch,
  type ResolvedDef,
  finiteVector,
  nonNegative,
  rotateVector,
  unitVector,
} from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { loadFrame, POINT_CONTACT_COLUMNS, type PointContactColumn, sweepPointContact } from './parts/contact-sweep.js'
import { directionInBody, pairRows, anchorAt, triple } from './parts/definition.js'
import { LEVERS, levers, meetAtA, type Pose } from './parts/levers.js'
import { pairInverseMass } from './parts/linear.js'
import { OUTLINE, placeAnchors, POINT_A, POINT_B, X_B } from './parts/outline.js'
import { pushVelocities, relativeSpeed } from './parts/velocity.js'
import { IMMOVABLE } from './parts/vector.js'
import { perpendicular } from './parts/frames.js'

/** Two points that must not pass each other along a normal. */
export interface PointContactDef extends PairDef {
  /** World point on `a` [m], kept body-fixed. @defaultValue none: `anchorA` */
  pointA?: ReadonlyVec3
  /** World point on `b` [m], kept body-fixed. @defaultValue none: `anchorB` */
  pointB?: ReadonlyVec3
  /** World direction from b to a, kept fixed on b. @defaultValue none: `normalB` */
  normal?: ReadonlyVec3
  /** Coefficient ν_s up to which it sticks. @defaultValue `dynamicFriction` */
  staticFriction?: number
  /** Coefficient ν_d once it slides, at most ν_s. @defaultValue `staticFriction`, or 0 */
  dynamicFriction?: number
  /** Share e of the approach speed that it bounces back with, in [0, 1]. @defaultValue 0 */
  restitution?: number
  /** Speed at which old penetration is repaired [m/s]; `Infinity` repairs at once and keeps the speed. @defaultValue 2 */
  maxPushOut?: number
  /** In place of `pointA`: in body space of `a` [m]. @defaultValue by `pointA` */
  anchorA?: ReadonlyVec3
  /** In place of `pointB`: in body space of `b` [m]. @defaultValue by `pointB` */
  anchorB?: ReadonlyVec3
  /** In place of `normal`: in b's space. @defaultValue by `normal` */
  normalB?: ReadonlyVec3
}

const DEFAULT_PUSH_OUT = 2
/** ‖λ_t‖ within this share of ν_d λ_n lies on the cone: it slides. */
const ON_CONE = 1e-9
/**
 * Speeds below this share of `maxPushOut` are neither repair nor impact: what friction and other rows leave of overlap in a
 * substep took as much speed as its repair gives. Taken out, it would be a force that stays as h → 0.
 */
const SLIGHT = 0.02
/** Approach slower than this many gravity steps 2|g|h is resting, not a bounce (Müller et al. 2020). */
const RESTING = 2

const g = /* @__PURE__ */ new Float64Array(LEVERS)
const EMPTY = /* @__PURE__ */ new Float64Array(0)
/** n̂, t̂₁, t̂₂ in world space. */
const frame = /* @__PURE__ */ new Float64Array(9)
/** The pose at the start of the substep, set by each `prepare`. */
const START: Pose = { position: EMPTY, orientation: EMPTY }

/** What `resolve` gives: what `write` reads is there. */
type ResolvedPointContact = ResolvedDef<
  PointContactDef,
  'normalB' | 'anchorA' | 'anchorB' | 'staticFriction' | 'dynamicFriction' | 'restitution' | 'maxPushOut'
>

/** Keeps two points from passing each other: `world.add(pointContact, { a, b, pointA, pointB, normal })`. */
export const pointContact: ConstraintType<PointContactDef, PointContactColumn, ResolvedPointContact> = {
  name: 'pointContact',
  order: 4,
  arity: 2,
  multipliers: 3,
  traits: {
    warmStart: false,
  },
  saved: {
    state: ['stick', 'sliding'],
  },
  fields: [
    'a',
    'b',
    'pointA',
    'pointB',
    'normal',
    'staticFriction',
    'dynamicFriction',
    'restitution',
    'maxPushOut',
    'anchorA',
    'anchorB',
    'normalB',
  ],
  columns: POINT_CONTACT_COLUMNS,

  resolve(def, { bodies }) {
    const { pointA, pointB, normal, ...rest } = def
    const [a, b] = pairRows(def)
    const at = (name: string, i: number, point: unknown, anchor: unknown): [number, number, number] => {
      const own = anchor === undefined ? undefined : triple(finiteVector(`pointContact: anchor${name}`, anchor, 3))
      if (point !== undefined) return anchorAt(`pointContact: point${name}`, bodies, i, point)
      if (own !== undefined) return own
      throw new TypeError(`pointContact: point${name} or anchor${name} must be given, got neither`)
    }
    const normalB = def.normalB === undefined ? undefined : unitVector('pointContact: normalB', def.normalB)
    if (normal === undefined && normalB === undefined) {
      throw new TypeError('pointContact: normal or normalB must be given, got neither')
    }
    const sliding = nonNegative('pointContact: dynamicFriction', def.dynamicFriction ?? 0)
    const staticFriction = nonNegative('pointContact: staticFriction', def.staticFriction ?? sliding)
    const dynamicFriction = def.dynamicFriction === undefined ? staticFriction : sliding
    if (dynamicFriction > staticFriction) {
      throw new RangeError(
        `pointContact: dynamicFriction must be <= staticFriction ${staticFriction}, got ${dynamicFriction}`,
      )
    }
    const restitution = nonNegative('pointContact: restitution', def.restitution ?? 0)
    if (restitution > 1) throw new RangeError(`pointContact: restitution must be <= 1, got ${restitution}`)
    const maxPushOut = def.maxPushOut ?? DEFAULT_PUSH_OUT
    return {
      ...rest,
      anchorA: at('A', a, pointA, def.anchorA),
      anchorB: at('B', b, pointB, def.anchorB),
      normalB:
        normal === undefined
          ? (normalB as [number, number, number])
          : directionInBody(bodies, b, unitVector('pointContact: normal', normal)),
      staticFriction,
      dynamicFriction,
      restitution,
      maxPushOut: maxPushOut === Infinity ? maxPushOut : nonNegative('pointContact: maxPushOut', maxPushOut),
    }
  },

  write({ columns }, row, def) {
    const normal = def.normalB
    columns.anchorA.set(def.anchorA, 3 * row)
    columns.anchorB.set(def.anchorB, 3 * row)
    columns.normal.set(normal, 3 * row)
    perpendicular(normal, 0, columns.tangent, 3 * row)
    columns.friction[2 * row] = def.staticFriction
    columns.friction[2 * row + 1] = def.dynamicFriction
    columns.restitution[row] = def.restitution
    columns.maxPushOut[row] = def.maxPushOut
  },

  evaluate(bodies, batch, row, out) {
    const { friction, sliding, stick, goal, compliance, rayleigh, restitution } = batch.columns
    const b = batch.ids[2 * row + 1]
    levers(bodies, batch.ids[2 * row], b, batch.columns.anchorA, batch.columns.anchorB, row, g)
    meetAtA(g)
    loadFrame(bodies, batch, row, b, frame)
    const along = (k: number): number => frame[3 * k] * g[6] + frame[3 * k + 1] * g[7] + frame[3 * k + 2] * g[8]
    const push = (k: number): void => {
      const [x, y, z] = [frame[3 * k], frame[3 * k + 1], frame[3 * k + 2]]
      out.point(0, 1, g[0], g[1], g[2], x, y, z)
      out.point(1, -1, g[3], g[4], g[5], x, y, z)
    }
    const normal = out.group('scalar', 'position', 'm')
    normal.lower = 0
    normal.restitution = restitution[row]
    normal.compliance = compliance[row]
    normal.rayleigh = rayleigh[row]
    out.row(0, along(0) - goal[row])
    push(0)
    if (friction[2 * row] === 0) return
    const tangential = out.group('disc', 'position', 'm')
    tangential.normal = 0
    tangential.slip = friction[2 * row + 1]
    tangential.radius = sliding[row] === 1 ? tangential.slip : friction[2 * row]
    for (let k = 1; k < 3; k++) {
      out.row(k, along(k) - stick[2 * row + k - 1])
      push(k)
    }
  },

  outline(bodies, batch, row, out) {
    const { ids, columns } = batch
    const { normal } = columns
    const k = 3 * row
    placeAnchors(bodies, batch, row)
    rotateVector(bodies.orientation, 4 * ids[2 * row + 1], normal[k], normal[k + 1], normal[k + 2], OUTLINE, X_B)
    out.contact(OUTLINE, POINT_A, POINT_B, X_B)
  },
  loop: {
    prepare(bodies, batch, from, to, h) {
      const { anchorA, anchorB, maxPushOut, goal, overlap, approach, stick } = batch.columns
      START.position = bodies.startPosition
      START.orientation = bodies.startOrientation
      for (let row = from; row < to; row++) {
        const a = batch.ids[2 * row]
        const b = batch.ids[2 * row + 1]
        levers(START, a, b, anchorA, anchorB, row, g)
        loadFrame(START, batch, row, b, frame)
        const before = frame[0] * g[6] + frame[1] * g[7] + frame[2] * g[8]
        if (before > 0) {
          // Apart when the substep began: friction counts from here.
          stick[2 * row] = frame[3] * g[6] + frame[4] * g[7] + frame[5] * g[8]
          stick[2 * row + 1] = frame[6] * g[6] + frame[7] * g[7] + frame[8] * g[8]
        }
        levers(bodies, a, b, anchorA, anchorB, row, g)
        loadFrame(bodies, batch, row, b, frame)
        const predicted = frame[0] * g[6] + frame[1] * g[7] + frame[2] * g[8]
        approach[row] = (predicted - before) / h
        goal[row] = Math.min(0, before + maxPushOut[row] * h)
        overlap[row] = -before
      }
    },
    sweep: sweepPointContact,
    adopt(bodies, batch, from, to) {
      const { anchorA, anchorB } = batch.columns
      for (let row = from; row < to; row++) {
        const b = batch.ids[2 * row + 1]
        levers(bodies, batch.ids[2 * row], b, anchorA, anchorB, row, g)
        loadFrame(bodies, batch, row, b, frame)
        // Friction between velocities knows no place to go back to.
        followSlip(batch, row, false)
      }
    },
    velocities(bodies, batch, from, to, h, gravity) {
      const { ids } = batch
      const { anchorA, anchorB, lambda, restitution, maxPushOut, approach, overlap, goal } = batch.columns
      for (let row = from; row < to; row++) {
        const a = ids[2 * row]
        const b = ids[2 * row + 1]
        levers(bodies, a, b, anchorA, anchorB, row, g)
        loadFrame(bodies, batch, row, b, frame)
        followSlip(batch, row, true)
        goal[row] = 0
        const keepsPush = maxPushOut[row] === Infinity
        const slight = keepsPush ? 0 : SLIGHT * maxPushOut[row]
        const strikes = approach[row] < -Math.max(RESTING * gravity * h, slight)
        if (lambda[3 * row] === 0 || (keepsPush && !(strikes && restitution[row] > 0))) continue
        meetAtA(g)
        const w = pairInverseMass(bodies, a, b, g, frame, 0)
        if (w <= IMMOVABLE) continue
        const speed = relativeSpeed(bodies, a, b, g, frame[0], frame[1], frame[2])
        let change = -restitution[row] * approach[row] - speed
        if (!strikes) {
          // A contact that lasts keeps its speed but for the repair: along a path that bends, speed along n̂ is no error.
          const repair = Math.min(overlap[row] / h, maxPushOut[row])
          if (repair <= slight) continue
          change = -Math.min(Math.max(speed, 0), repair)
        }
        // Never more pull than the push of this substep.
        const impulse = Math.max(change / w, -lambda[3 * row] / h)
        lambda[3 * row] += h * impulse
        pushVelocities(bodies, a, b, g, impulse * frame[0], impulse * frame[1], impulse * frame[2])
      }
    },
  },
}

/**
 * Where the point slides, or is free, sticking begins anew at its present place; where it sticks too unless it `remembers`.
 * `g` and `frame` are the present ones.
 */
function followSlip(batch: Batch<PointContactColumn>, row: number, remembers: boolean): void {
  const { friction, lambda, stick, sliding } = batch.columns
  const l = 3 * row
  const push = Math.sqrt(lambda[l + 1] * lambda[l + 1] + lambda[l + 2] * lambda[l + 2])
  const cone = friction[2 * row + 1] * lambda[l]
  sliding[row] = lambda[l] > 0 && Math.abs(push - cone) <= ON_CONE * cone ? 1 : 0
  if (remembers && sliding[row] === 0 && lambda[l] > 0) return
  stick[2 * row] = frame[3] * g[6] + frame[4] * g[7] + frame[5] * g[8]
  stick[2 * row + 1] = frame[6] * g[6] + frame[7] * g[7] + frame[8] * g[8]
  // So far off that it overflows, there is nothing to stick to.
  const sum = stick[2 * row] + stick[2 * row + 1]
  if (sum - sum !== 0) stick[2 * row] = stick[2 * row + 1] = 0
}
