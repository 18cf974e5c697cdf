/**
 * Contact and friction between two given points (Waterson 91–101, corrected in docs/method.md).
 *
 *   normal    c = δp·n̂ ≥ 0 [m],  δp = p_a − p_b, n̂ from b to a and carried by b;  λ_n ≥ 0 accumulated, `max` not (95)'s `min`
 *   friction  c = (t̂₁, t̂₂)·δp − s [m],  s where sticking began;  ‖λ_t‖ ≤ ν_s λ_n, or ν_d λ_n once it slides
 *
 * n̂ and t̂ turn with b, so ±κ at a's point is the exact gradient and keeps angular momentum. Old penetration is repaired
 * at `maxPushOut` at most: the row drives c to min(0, c_start + v h). The velocity pass then sets the normal velocity of a
 * blow to −e times the approach speed, and takes from other contacts what push-out put in; its impulse is part of λ. The slip distance s stays while the
 * point sticks, over steps, so that nothing creeps; when it slides, s follows.
 */

import type { Batch, BodyColumns, ConstraintType, PairDef } from '@tautline/core'
import { DISC, finiteVector, nonNegative, rotateVector, solveDisc, unitVector } from '@tautline/core'
import type { ReadonlyVec3 } from 'gl-matrix'
import { directionInBody, pairRows, pointInBody, triple } from './parts/definition.js'
import { LEVERS, levers, meetAtA, type Pose } from './parts/levers.js'
import { displacePair, movedPair, pairInverseMass } from './parts/linear.js'
import { OUTLINE, placeAnchors, POINT_A, POINT_B, X_B } from './parts/outline.js'
import { pushVelocities, relativeSpeed } from './parts/velocity.js'
import { IMMOVABLE } from './parts/vector.js'
import { isAtRest } from './parts/length-mode.js'

/** Two points that must not pass each other along a normal. */
export interface ContactDef extends PairDef {
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

type Column =
  | 'anchorA'
  | 'anchorB'
  | 'normal'
  | 'tangent'
  | 'friction'
  | 'restitution'
  | 'maxPushOut'
  | 'goal'
  | 'overlap'
  | 'approach'
  | 'stick'
  | 'sliding'

const DEFAULT_PUSH_OUT = 2
/** ‖λ_t‖ within this share of ν_d λ_n lies on the cone: it slides. */
const ON_CONE = 1e-9
/**
 * Speeds below this share of `maxPushOut` are neither repair nor blow: what friction and other rows leave of overlap in a
 * substep took as much speed as its repair gives. Taken out, it would be a force that stays as h → 0.
 */
const SLIGHT = 0.02
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
  columns: {
    anchorA: 3,
    anchorB: 3,
    normal: 3,
    tangent: 3,
    friction: 2,
    restitution: 1,
    maxPushOut: 1,
    goal: 1,
    overlap: 1,
    approach: 1,
    stick: 2,
    sliding: 1,
  },

  resolve(def, { bodies }) {
    const { pointA, pointB, normal, ...rest } = def
    const [a, b] = pairRows(def)
    const at = (name: string, i: number, point: unknown, anchor: unknown): [number, number, number] => {
      const own = anchor === undefined ? undefined : triple(finiteVector(`contact: anchor${name}`, anchor, 3))
      if (point !== undefined) return pointInBody(bodies, i, finiteVector(`contact: point${name}`, point, 3))
      if (own !== undefined) return own
      throw new TypeError(`contact: point${name} or anchor${name} must be given, got neither`)
    }
    const normalB = def.normalB === undefined ? undefined : unitVector('contact: normalB', def.normalB)
    if (normal === undefined && normalB === undefined) {
      throw new TypeError('contact: normal or normalB must be given, got neither')
    }
    const sliding = nonNegative('contact: dynamicFriction', def.dynamicFriction ?? 0)
    const staticFriction = nonNegative('contact: staticFriction', def.staticFriction ?? sliding)
    const dynamicFriction = def.dynamicFriction === undefined ? staticFriction : sliding
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
          ? (normalB as [number, number, number])
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
    const { friction, sliding, stick, goal, compliance, rayleigh, restitution } = batch.columns
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

  prepare(bodies, batch, from, to, h) {
    const { anchorA, anchorB, maxPushOut, goal, overlap, approach, stick } = batch.columns
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
      overlap[row] = -before
    }
  },

  sweep(bodies, batch, from, to) {
    const { ids } = batch
    const { friction, goal, lambda, softness, gamma, relaxation } = batch.columns
    for (let row = from; row < to; row++) {
      const a = ids[2 * row]
      const b = ids[2 * row + 1]
      const l = 3 * row
      measure(bodies, batch, row, a, b)
      const nx = frame[0]
      const ny = frame[1]
      const nz = frame[2]
      const old = lambda[l]
      const c = nx * g[6] + ny * g[7] + nz * g[8] - goal[row]
      // Apart and never pushed: nothing to do, for friction neither.
      if (isAtRest(c, old, 0, Infinity)) continue
      let error = c + softness[row] * old
      let w = pairInverseMass(bodies, a, b, g, frame, 0)
      if (gamma[row] > 0) {
        movedPair(bodies, a, b, g, m)
        error += gamma[row] * (nx * m[0] + ny * m[1] + nz * m[2])
        w *= 1 + gamma[row]
      }
      if (w + softness[row] > IMMOVABLE) {
        const fresh = Math.max(old - (relaxation[row] * error) / (w + softness[row]), 0)
        lambda[l] = fresh
        const s = fresh - old
        if (s !== 0) {
          m[0] = s * nx
          m[1] = s * ny
          m[2] = s * nz
          displacePair(bodies, a, b, g, m)
        }
      }
      if (friction[2 * row] > 0) solveFriction(bodies, batch, row, a, b)
    }
  },

  settle(bodies, batch, from, to) {
    const { anchorA, anchorB } = batch.columns
    for (let row = from; row < to; row++) {
      const b = batch.ids[2 * row + 1]
      levers(bodies, batch.ids[2 * row], b, anchorA, anchorB, row, g)
      loadFrame(bodies, batch, row, b)
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
      loadFrame(bodies, batch, row, b)
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
}

/** Friction at the levers in `g` and the frame in `frame`, with the present λ_n: exact for this point (`solveDisc`). */
function solveFriction(bodies: BodyColumns, batch: Batch<Column>, row: number, a: number, b: number): void {
  const { friction, sliding, stick, lambda, regularization, relaxation } = batch.columns
  const { position, inverseInertia: I } = bodies
  measure(bodies, batch, row, a, b)
  const l = 3 * row
  const e = 9 * a
  const f = 9 * b
  const alpha = regularization[row]
  const sx = frame[3]
  const sy = frame[4]
  const sz = frame[5]
  const tx = frame[6]
  const ty = frame[7]
  const tz = frame[8]
  // Both bodies are pushed at one point, seen from their centres.
  const ax = g[0]
  const ay = g[1]
  const az = g[2]
  const bx = g[3]
  const by = g[4]
  const bz = g[5]
  // r × ŝ and r × t̂, and I⁻¹ times them.
  const px = ay * sz - az * sy
  const py = az * sx - ax * sz
  const pz = ax * sy - ay * sx
  const qx = ay * tz - az * ty
  const qy = az * tx - ax * tz
  const qz = ax * ty - ay * tx
  const ux = by * sz - bz * sy
  const uy = bz * sx - bx * sz
  const uz = bx * sy - by * sx
  const vx = by * tz - bz * ty
  const vy = bz * tx - bx * tz
  const vz = bx * ty - by * tx
  const p0 = I[e] * px + I[e + 1] * py + I[e + 2] * pz
  const p1 = I[e + 3] * px + I[e + 4] * py + I[e + 5] * pz
  const p2 = I[e + 6] * px + I[e + 7] * py + I[e + 8] * pz
  const q0 = I[e] * qx + I[e + 1] * qy + I[e + 2] * qz
  const q1 = I[e + 3] * qx + I[e + 4] * qy + I[e + 5] * qz
  const q2 = I[e + 6] * qx + I[e + 7] * qy + I[e + 8] * qz
  const u0 = I[f] * ux + I[f + 1] * uy + I[f + 2] * uz
  const u1 = I[f + 3] * ux + I[f + 4] * uy + I[f + 5] * uz
  const u2 = I[f + 6] * ux + I[f + 7] * uy + I[f + 8] * uz
  const v0 = I[f] * vx + I[f + 1] * vy + I[f + 2] * vz
  const v1 = I[f + 3] * vx + I[f + 4] * vy + I[f + 5] * vz
  const v2 = I[f + 6] * vx + I[f + 7] * vy + I[f + 8] * vz
  const w = position[4 * a + 3] + position[4 * b + 3] + alpha
  const kss = w + px * p0 + py * p1 + pz * p2 + ux * u0 + uy * u1 + uz * u2
  const ktt = w + qx * q0 + qy * q1 + qz * q2 + vx * v0 + vy * v1 + vz * v2
  // ŝᵀKt̂ and t̂ᵀKŝ differ with the unsymmetric M̃: the disc takes their mean.
  const st = px * q0 + py * q1 + pz * q2 + ux * v0 + uy * v1 + uz * v2
  const ts = qx * p0 + qy * p1 + qz * p2 + vx * u0 + vy * u1 + vz * u2
  const kst = 0.5 * (st + ts)
  if (kss * ktt - kst * kst <= IMMOVABLE) return
  const fs = lambda[l + 1]
  const ft = lambda[l + 2]
  const es = sx * g[6] + sy * g[7] + sz * g[8] - stick[2 * row] + alpha * fs
  const et = tx * g[6] + ty * g[7] + tz * g[8] - stick[2 * row + 1] + alpha * ft
  const slip = friction[2 * row + 1] * lambda[l]
  const stickTo = sliding[row] === 1 ? slip : friction[2 * row] * lambda[l]
  solveDisc(kss, kst, ktt, es - kss * fs - kst * ft, et - kst * fs - ktt * ft, stickTo, slip)
  const ds = relaxation[row] * (DISC[0] - fs)
  const dt = relaxation[row] * (DISC[1] - ft)
  lambda[l + 1] += ds
  lambda[l + 2] += dt
  m[0] = ds * sx + dt * tx
  m[1] = ds * sy + dt * ty
  m[2] = ds * sz + dt * tz
  displacePair(bodies, a, b, g, m)
}

/**
 * Where the point slides, or is free, sticking begins anew at its present place; where it sticks too unless it `remembers`.
 * `g` and `frame` are the present ones.
 */
function followSlip(batch: Batch<Column>, row: number, remembers: boolean): void {
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

/** Levers into `g`, both at a's anchor, and the frame of `loadFrame` into `frame`, written out: twice a row of a sweep. */
function measure(bodies: BodyColumns, batch: Batch<Column>, row: number, a: number, b: number): void {
  const { anchorA, anchorB, normal, tangent } = batch.columns
  const { position: x, orientation: q } = bodies
  const o = 4 * a
  const u = 4 * b
  const k = 3 * row
  const ax = q[o]
  const ay = q[o + 1]
  const az = q[o + 2]
  const aw = q[o + 3]
  const bx = q[u]
  const by = q[u + 1]
  const bz = q[u + 2]
  const bw = q[u + 3]
  const rx = anchorA[k]
  const ry = anchorA[k + 1]
  const rz = anchorA[k + 2]
  const RX = 2 * (ay * rz - az * ry)
  const RY = 2 * (az * rx - ax * rz)
  const RZ = 2 * (ax * ry - ay * rx)
  const lx = rx + aw * RX + (ay * RZ - az * RY)
  const ly = ry + aw * RY + (az * RX - ax * RZ)
  const lz = rz + aw * RZ + (ax * RY - ay * RX)
  const sx = anchorB[k]
  const sy = anchorB[k + 1]
  const sz = anchorB[k + 2]
  const SX = 2 * (by * sz - bz * sy)
  const SY = 2 * (bz * sx - bx * sz)
  const SZ = 2 * (bx * sy - by * sx)
  const mx = sx + bw * SX + (by * SZ - bz * SY)
  const my = sy + bw * SY + (bz * SX - bx * SZ)
  const mz = sz + bw * SZ + (bx * SY - by * SX)
  const dx = x[o] + lx - x[u] - mx
  const dy = x[o + 1] + ly - x[u + 1] - my
  const dz = x[o + 2] + lz - x[u + 2] - mz
  g[0] = lx
  g[1] = ly
  g[2] = lz
  g[3] = mx + dx
  g[4] = my + dy
  g[5] = mz + dz
  g[6] = dx
  g[7] = dy
  g[8] = dz
  const nx = normal[k]
  const ny = normal[k + 1]
  const nz = normal[k + 2]
  const NX = 2 * (by * nz - bz * ny)
  const NY = 2 * (bz * nx - bx * nz)
  const NZ = 2 * (bx * ny - by * nx)
  const ex = nx + bw * NX + (by * NZ - bz * NY)
  const ey = ny + bw * NY + (bz * NX - bx * NZ)
  const ez = nz + bw * NZ + (bx * NY - by * NX)
  const tx = tangent[k]
  const ty = tangent[k + 1]
  const tz = tangent[k + 2]
  const TX = 2 * (by * tz - bz * ty)
  const TY = 2 * (bz * tx - bx * tz)
  const TZ = 2 * (bx * ty - by * tx)
  const fx = tx + bw * TX + (by * TZ - bz * TY)
  const fy = ty + bw * TY + (bz * TX - bx * TZ)
  const fz = tz + bw * TZ + (bx * TY - by * TX)
  frame[0] = ex
  frame[1] = ey
  frame[2] = ez
  frame[3] = fx
  frame[4] = fy
  frame[5] = fz
  frame[6] = ey * fz - ez * fy
  frame[7] = ez * fx - ex * fz
  frame[8] = ex * fy - ey * fx
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
