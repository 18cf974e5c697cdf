/**
 * Contact and friction between two given points (Waterson 91–101, corrected in docs/method.md).
 *
 *   normal    c = δp·n̂ ≥ 0 [m],  δp = p_a − p_b, n̂ from b to a and carried by b;  λ_n ≥ 0 accumulated, `max` not (95)'s `min`
 *   friction  c = (t̂₁, t̂₂)·δp − s [m],  s where sticking began;  ‖λ_t‖ ≤ ν_s λ_n, or ν_d λ_n once it slides
 *
 * n̂ and t̂ turn with b, so ±κ at a's point is the exact gradient and keeps angular momentum. Old penetration is repaired
 * at `maxPushOut` at most: the row drives c to min(0, c_start + v h). The velocity pass then sets the normal velocity to
 * −e times the approach speed, which for e = 0 takes away what push-out put in. The slip distance s stays while the
 * point sticks, over steps, so that nothing creeps; when it slides, s follows.
 */

import type { Batch, BodyColumns, ConstraintType, PairDef } from '@tautline/core'
import { DISC, finiteVector, nonNegative, rotateVector, solveDisc, unitVector } from '@tautline/core'
import type { ReadonlyVec3 } from 'gl-matrix'
import { directionInBody, pairRows, pointInBody, triple } from './parts/definition.js'
import { LEVERS, levers, meetAtA, type Pose } from './parts/levers.js'
import { displacePair, movedPair, pairInverseMass } from './parts/linear.js'
import { pushVelocities, relativeSpeed } from './parts/velocity.js'
import { IMMOVABLE } from './parts/vector.js'
import { isAtRest } from './parts/length-mode.js'

/** Two points that must not pass each other along a normal. */
export interface ContactDef extends PairDef {
  /** World point on `a` [m], kept body-fixed. */
  pointA?: ReadonlyVec3
  /** World point on `b` [m], kept body-fixed. */
  pointB?: ReadonlyVec3
  /** World direction from b to a, kept fixed on b. */
  normal?: ReadonlyVec3
  /** Coefficient ν_s up to which it sticks. @defaultValue `dynamicFriction` */
  staticFriction?: number
  /** Coefficient ν_d once it slides, at most ν_s. @defaultValue `staticFriction`, or 0 */
  dynamicFriction?: number
  /** Share e of the approach speed that it bounces back with, in [0, 1]. @defaultValue 0 */
  restitution?: number
  /** Speed at which old penetration is repaired [m/s]; `Infinity` repairs at once and keeps the speed. @defaultValue 2 */
  maxPushOut?: number
  /** In place of the world points: body-space anchors and the normal in b's space. */
  anchorA?: ReadonlyVec3
  anchorB?: ReadonlyVec3
  normalB?: ReadonlyVec3
}

type Column =
  | 'anchorA'
  | 'anchorB'
  | 'normal'
  | 'tangent'
  | 'friction'
  | 'restitution'
  | 'maxPushOut'
  | 'goal'
  | 'approach'
  | 'stick'
  | 'sliding'

const DEFAULT_PUSH_OUT = 2
/** ‖λ_t‖ within this share of ν_d λ_n lies on the cone: it slides. */
const ON_CONE = 1e-9
/** Approach slower than this many gravity steps 2|g|h is resting, not a bounce (Müller et al. 2020). */
const RESTING = 2

const g = /* @__PURE__ */ new Float64Array(LEVERS)
const m = /* @__PURE__ */ new Float64Array(3)
const EMPTY = /* @__PURE__ */ new Float64Array(0)
/** n̂, t̂₁, t̂₂ in world space. */
const frame = /* @__PURE__ */ new Float64Array(9)
/** The pose at the start of the substep, set by each `prepare`. */
const START: Pose = { position: EMPTY, orientation: EMPTY }

/** Keeps two points from passing each other: `world.add(contact, { a, b, pointA, pointB, normal })`. */
export const contact: ConstraintType<ContactDef, Column> = {
  name: 'contact',
  order: 4,
  arity: 2,
  multipliers: 3,
  warmStart: false,
  state: ['stick', 'sliding'],
  columns: {
    anchorA: 3,
    anchorB: 3,
    normal: 3,
    tangent: 3,
    friction: 2,
    restitution: 1,
    maxPushOut: 1,
    goal: 1,
    approach: 1,
    stick: 2,
    sliding: 1,
  },

  resolve(def, { bodies }) {
    const { pointA, pointB, normal, ...rest } = def
    const [a, b] = pairRows(def)
    const at = (name: string, i: number, point: unknown, anchor: unknown): [number, number, number] => {
      if (point !== undefined) return pointInBody(bodies, i, finiteVector(`contact: point${name}`, point, 3))
      if (anchor !== undefined) return triple(finiteVector(`contact: anchor${name}`, anchor, 3))
      throw new TypeError(`contact: point${name} or anchor${name} must be given, got neither`)
    }
    if (normal === undefined && def.normalB === undefined) {
      throw new TypeError('contact: normal or normalB must be given, got neither')
    }
    const dynamicFriction = nonNegative('contact: dynamicFriction', def.dynamicFriction ?? def.staticFriction ?? 0)
    const staticFriction = nonNegative('contact: staticFriction', def.staticFriction ?? dynamicFriction)
    if (dynamicFriction > staticFriction) {
      throw new RangeError(
        `contact: dynamicFriction must be <= staticFriction ${staticFriction}, got ${dynamicFriction}`,
      )
    }
    const restitution = nonNegative('contact: restitution', def.restitution ?? 0)
    if (restitution > 1) throw new RangeError(`contact: restitution must be <= 1, got ${restitution}`)
    const maxPushOut = def.maxPushOut ?? DEFAULT_PUSH_OUT
    return {
      ...rest,
      anchorA: at('A', a, pointA, def.anchorA),
      anchorB: at('B', b, pointB, def.anchorB),
      normalB:
        normal === undefined
          ? unitVector('contact: normalB', def.normalB)
          : directionInBody(bodies, b, unitVector('contact: normal', normal)),
      staticFriction,
      dynamicFriction,
      restitution,
      maxPushOut: maxPushOut === Infinity ? maxPushOut : nonNegative('contact: maxPushOut', maxPushOut),
    }
  },

  write({ columns }, row, def) {
    const normal = def.normalB as [number, number, number]
    columns.anchorA.set(def.anchorA as number[], 3 * row)
    columns.anchorB.set(def.anchorB as number[], 3 * row)
    columns.normal.set(normal, 3 * row)
    columns.tangent.set(perpendicular(normal), 3 * row)
    columns.friction[2 * row] = def.staticFriction as number
    columns.friction[2 * row + 1] = def.dynamicFriction as number
    columns.restitution[row] = def.restitution as number
    columns.maxPushOut[row] = def.maxPushOut as number
  },

  evaluate(bodies, batch, row, out) {
    const { friction, sliding, stick, goal, compliance, rayleigh } = batch.columns
    const b = batch.ids[2 * row + 1]
    levers(bodies, batch.ids[2 * row], b, batch.columns.anchorA, batch.columns.anchorB, row, g)
    meetAtA(g)
    loadFrame(bodies, batch, row, b)
    const along = (k: number): number => frame[3 * k] * g[6] + frame[3 * k + 1] * g[7] + frame[3 * k + 2] * g[8]
    const push = (k: number): void => {
      const [x, y, z] = [frame[3 * k], frame[3 * k + 1], frame[3 * k + 2]]
      out.point(0, 1, g[0], g[1], g[2], x, y, z)
      out.point(1, -1, g[3], g[4], g[5], x, y, z)
    }
    const normal = out.group('scalar', 'position', 'm')
    normal.lower = 0
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

  prepare(bodies, batch, from, to, h) {
    const { anchorA, anchorB, maxPushOut, goal, approach, stick } = batch.columns
    START.position = bodies.startPosition
    START.orientation = bodies.startOrientation
    for (let row = from; row < to; row++) {
      const a = batch.ids[2 * row]
      const b = batch.ids[2 * row + 1]
      levers(START, a, b, anchorA, anchorB, row, g)
      loadFrame(START, batch, row, b)
      const before = frame[0] * g[6] + frame[1] * g[7] + frame[2] * g[8]
      if (before > 0) {
        // Apart when the substep began: friction counts from here.
        stick[2 * row] = frame[3] * g[6] + frame[4] * g[7] + frame[5] * g[8]
        stick[2 * row + 1] = frame[6] * g[6] + frame[7] * g[7] + frame[8] * g[8]
      }
      levers(bodies, a, b, anchorA, anchorB, row, g)
      loadFrame(bodies, batch, row, b)
      const predicted = frame[0] * g[6] + frame[1] * g[7] + frame[2] * g[8]
      approach[row] = (predicted - before) / h
      goal[row] = Math.min(0, before + maxPushOut[row] * h)
    }
  },

  sweep(bodies, batch, from, to) {
    const { ids } = batch
    const { anchorA, anchorB, friction, goal, lambda, softness, gamma, relaxation } = batch.columns
    for (let row = from; row < to; row++) {
      const a = ids[2 * row]
      const b = ids[2 * row + 1]
      const l = 3 * row
      levers(bodies, a, b, anchorA, anchorB, row, g)
      meetAtA(g)
      loadFrame(bodies, batch, row, b)
      const nx = frame[0]
      const ny = frame[1]
      const nz = frame[2]
      const old = lambda[l]
      const c = nx * g[6] + ny * g[7] + nz * g[8] - goal[row]
      // Apart and never pushed: nothing to do, for friction neither.
      if (isAtRest(c, old, 0, Infinity)) continue
      let error = c + softness[row] * old
      let w = pairInverseMass(bodies, a, b, g, nx, ny, nz)
      if (gamma[row] > 0) {
        movedPair(bodies, a, b, g, m)
        error += gamma[row] * (nx * m[0] + ny * m[1] + nz * m[2])
        w *= 1 + gamma[row]
      }
      if (w + softness[row] > IMMOVABLE) {
        const fresh = Math.max(old - (relaxation[row] * error) / (w + softness[row]), 0)
        lambda[l] = fresh
        const s = fresh - old
        if (s !== 0) displacePair(bodies, a, b, g, s * nx, s * ny, s * nz)
      }
      if (friction[2 * row] > 0) solveFriction(bodies, batch, row, a, b)
    }
  },

  velocities(bodies, batch, from, to, h, gravity) {
    const { ids } = batch
    const { anchorA, anchorB, lambda, restitution, maxPushOut, approach, goal } = batch.columns
    for (let row = from; row < to; row++) {
      const a = ids[2 * row]
      const b = ids[2 * row + 1]
      levers(bodies, a, b, anchorA, anchorB, row, g)
      loadFrame(bodies, batch, row, b)
      followSlip(batch, row)
      goal[row] = 0
      const bounces = approach[row] < -RESTING * gravity * h && restitution[row] > 0
      if (lambda[3 * row] === 0 || (maxPushOut[row] === Infinity && !bounces)) continue
      meetAtA(g)
      const w = pairInverseMass(bodies, a, b, g, frame[0], frame[1], frame[2])
      if (w <= IMMOVABLE) continue
      const wanted = bounces ? -restitution[row] * approach[row] : 0
      const speed = relativeSpeed(bodies, a, b, g, frame[0], frame[1], frame[2])
      // Never more pull than the push of this substep.
      const impulse = Math.max((wanted - speed) / w, -lambda[3 * row] / h)
      pushVelocities(bodies, a, b, g, impulse * frame[0], impulse * frame[1], impulse * frame[2])
    }
  },
}

/** Friction at the levers in `g` and the frame in `frame`, with the present λ_n: exact for this point (`solveDisc`). */
function solveFriction(bodies: BodyColumns, batch: Batch<Column>, row: number, a: number, b: number): void {
  const { anchorA, anchorB, friction, sliding, stick, lambda, regularization, relaxation } = batch.columns
  const l = 3 * row
  levers(bodies, a, b, anchorA, anchorB, row, g)
  meetAtA(g)
  loadFrame(bodies, batch, row, b)
  const alpha = regularization[row]
  const sx = frame[3]
  const sy = frame[4]
  const sz = frame[5]
  const tx = frame[6]
  const ty = frame[7]
  const tz = frame[8]
  const es = sx * g[6] + sy * g[7] + sz * g[8] - stick[2 * row] + alpha * lambda[l + 1]
  const et = tx * g[6] + ty * g[7] + tz * g[8] - stick[2 * row + 1] + alpha * lambda[l + 2]
  const kss = pairInverseMass(bodies, a, b, g, sx, sy, sz) + alpha
  const ktt = pairInverseMass(bodies, a, b, g, tx, ty, tz) + alpha
  // ŝᵀKt̂ and t̂ᵀKŝ differ with the unsymmetric M̃: the disc takes their mean.
  const kst = 0.5 * (coupling(bodies, a, b, sx, sy, sz, tx, ty, tz) + coupling(bodies, a, b, tx, ty, tz, sx, sy, sz))
  if (kss * ktt - kst * kst <= IMMOVABLE) return
  const fs = lambda[l + 1]
  const ft = lambda[l + 2]
  const slip = friction[2 * row + 1] * lambda[l]
  const stickTo = sliding[row] === 1 ? slip : friction[2 * row] * lambda[l]
  solveDisc(kss, kst, ktt, es - kss * fs - kst * ft, et - kst * fs - ktt * ft, stickTo, slip)
  const ds = relaxation[row] * (DISC[0] - fs)
  const dt = relaxation[row] * (DISC[1] - ft)
  lambda[l + 1] += ds
  lambda[l + 2] += dt
  displacePair(bodies, a, b, g, ds * sx + dt * tx, ds * sy + dt * ty, ds * sz + dt * tz)
}

/** uᵀ K v of the pair at the levers in `g`, for perpendicular u and v. */
function coupling(
  bodies: BodyColumns,
  a: number,
  b: number,
  ux: number,
  uy: number,
  uz: number,
  vx: number,
  vy: number,
  vz: number,
): number {
  return angularCoupling(bodies, a, 0, ux, uy, uz, vx, vy, vz) + angularCoupling(bodies, b, 3, ux, uy, uz, vx, vy, vz)
}

function angularCoupling(
  bodies: BodyColumns,
  i: number,
  k: number,
  ux: number,
  uy: number,
  uz: number,
  vx: number,
  vy: number,
  vz: number,
): number {
  const I = bodies.inverseInertia
  const e = 9 * i
  const rx = g[k]
  const ry = g[k + 1]
  const rz = g[k + 2]
  const px = ry * uz - rz * uy
  const py = rz * ux - rx * uz
  const pz = rx * uy - ry * ux
  const qx = ry * vz - rz * vy
  const qy = rz * vx - rx * vz
  const qz = rx * vy - ry * vx
  return (
    px * (I[e] * qx + I[e + 1] * qy + I[e + 2] * qz) +
    py * (I[e + 3] * qx + I[e + 4] * qy + I[e + 5] * qz) +
    pz * (I[e + 6] * qx + I[e + 7] * qy + I[e + 8] * qz)
  )
}

/** Where the point slides, or is free, sticking begins anew at its present place. `g` and `frame` are the present ones. */
function followSlip(batch: Batch<Column>, row: number): void {
  const { friction, lambda, stick, sliding } = batch.columns
  const l = 3 * row
  const push = Math.sqrt(lambda[l + 1] * lambda[l + 1] + lambda[l + 2] * lambda[l + 2])
  const cone = friction[2 * row + 1] * lambda[l]
  sliding[row] = lambda[l] > 0 && Math.abs(push - cone) <= ON_CONE * cone ? 1 : 0
  if (sliding[row] === 0 && lambda[l] > 0) return
  stick[2 * row] = frame[3] * g[6] + frame[4] * g[7] + frame[5] * g[8]
  stick[2 * row + 1] = frame[6] * g[6] + frame[7] * g[7] + frame[8] * g[8]
}

/** n̂, t̂₁ and t̂₂ = n̂ × t̂₁ in world space, into `frame`. */
function loadFrame(bodies: Pose, batch: Batch<Column>, row: number, b: number): void {
  const { normal, tangent } = batch.columns
  const k = 3 * row
  rotateVector(bodies.orientation, 4 * b, normal[k], normal[k + 1], normal[k + 2], frame, 0)
  rotateVector(bodies.orientation, 4 * b, tangent[k], tangent[k + 1], tangent[k + 2], frame, 3)
  frame[6] = frame[1] * frame[5] - frame[2] * frame[4]
  frame[7] = frame[2] * frame[3] - frame[0] * frame[5]
  frame[8] = frame[0] * frame[4] - frame[1] * frame[3]
}

/** A unit vector perpendicular to n, from the coordinate axis that n leans to least. */
function perpendicular(n: readonly [number, number, number]): [number, number, number] {
  const [x, y, z] = n.map(Math.abs)
  const e = x <= y && x <= z ? [1, 0, 0] : y <= z ? [0, 1, 0] : [0, 0, 1]
  return unitVector('contact: tangent', [
    n[1] * e[2] - n[2] * e[1],
    n[2] * e[0] - n[0] * e[2],
    n[0] * e[1] - n[1] * e[0],
  ])
}
