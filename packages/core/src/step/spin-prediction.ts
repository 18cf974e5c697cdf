/**
 * Rotation of a free body over one substep (Waterson 30, 31) with the gyroscopic term.
 *
 * `midpoint` (default): L = I ω + h τ is held fixed; ω_m = I(q_m)⁻¹ L at q_m = exp(h ω_m/2) q, by fixed-point sweeps on
 * the Lie algebra; then q ← exp(h ω_m) q and ω = I(q)⁻¹ L. Energy and L stay. Turns of more than `PART` are made in parts. The
 * printed choice, `explicit`, gains energy, `implicit` (backward Euler, one Newton step in the body frame, after Catto 2015) loses it,
 * `none` keeps ω.
 */

import { ANY_ROTATION_LOCK, type BodyColumns, LOCK_ROTATION } from '../state/body-columns.js'
import type { Gyroscopic } from '../state/settings.js'
import { actsAgainst, keptBy } from './damping.js'
import { addRotations, rotateVector, rotateVectorInverse, rotationBetween, rotateBy } from '../math/rotation.js'
import { precesses, principalFrame, through } from '../state/spin-frame.js'

/** Sweeps of the fixed point: each gains a factor |ω|h/2; six reach round-off for |ω|h up to about 0.05. */
const MIDPOINT_SWEEPS = 6
/** Where |ω|h/2 is above this [rad], a whole step would not make the error smaller, and more sweeps are needed. */
const FAST = 0.5
const FAST_SWEEPS = 60
/** Stop when ω changes by less than this share, squared: round-off. */
const SETTLED = 1e-30
/** Sweeps that leave more than this, squared, are followed by Newton's method: moments that differ much let them diverge. */
const UNSETTLED = 1e-18
const NEWTON_STEPS = 10
/** Largest part of a turn [rad], and most parts of one. */
const PART = 0.25
const MOST_PARTS = 256
/** Turns of more than this [rad] end anywhere: parts would tell nothing of where, and each takes an exact reduction. */
const ANYWHERE = 1000
/** Share of the energy of a free turn up to which it is left as it is. */
const EXACT = 1e-9
/** Turn by which the energy of a free body is put right at most [rad]. */
const MOST_RESTORED = 0.1

const P = /* @__PURE__ */ new Float64Array(4)
const BEFORE = /* @__PURE__ */ new Float64Array(4)
const SUM = /* @__PURE__ */ new Float64Array(3)
const MID = /* @__PURE__ */ new Float64Array(4)
const L = /* @__PURE__ */ new Float64Array(3)
const W = /* @__PURE__ */ new Float64Array(3)
const TURN = /* @__PURE__ */ new Float64Array(3)
/** ω before a solve of the midpoint rule. */
const FREE = /* @__PURE__ */ new Float64Array(3)
/** What goes from one function to another that is not inlined: among arguments it would be boxed. A time [s], and L·ω [J]. */
const SPAN = /* @__PURE__ */ new Float64Array(2)
const TIME = 0
const ENERGY = 1

/**
 * Advances ω and q of a turning body by h [s]: the unconstrained prediction. ω is that at the end of the turn, `predictedRotation` the turn
 * with all its revolutions. With locked axes `inverseInertia` is the start's.
 */
export function predictSpin(c: BodyColumns, row: number, h: number, mode: Gyroscopic): void {
  if (mode === 'midpoint' && precesses(c, row)) {
    turnFreely(c, row, h)
    return
  }
  advanceSpin(c, row, h, mode)
  for (let i = 0; i < 3; i++) TURN[i] = c.predictedRotation[3 * row + i] = h * W[i]
  rotateBy(c.orientation, 4 * row, TURN)
}

/** The same by the midpoint rule, in parts with one angular momentum; what energy they have gained or lost is made up for at the end. */
function turnFreely(c: BodyColumns, row: number, h: number): void {
  const { angularVelocity: w, predictedRotation, orientation, torque } = c
  const o = 3 * row
  const q = 4 * row
  const damping = h * c.angularDamping[row]
  const angle = h * Math.sqrt(w[o] * w[o] + w[o + 1] * w[o + 1] + w[o + 2] * w[o + 2])
  const count = angle > PART && angle < ANYWHERE ? Math.min(Math.ceil(angle / PART), MOST_PARTS) : 1
  W[0] = w[o]
  W[1] = w[o + 1]
  W[2] = w[o + 2]
  for (let i = 0; i < 4; i++) BEFORE[i] = orientation[q + i]
  principalFrame(orientation, c, row, P)
  through(P, c, row, false, W, L)
  SUM[0] = SUM[1] = SUM[2] = 0
  // Without a torque I⁻¹ L is ω but for round-off.
  if (damping !== 0 || torque[o] !== 0 || torque[o + 1] !== 0 || torque[o + 2] !== 0) {
    const keep = keptBy(damping)
    const time = h * actsAgainst(damping)
    for (let i = 0; i < 3; i++) L[i] = keep * L[i] + time * torque[o + i]
    through(P, c, row, true, L, W)
  }
  SPAN[ENERGY] = L[0] * W[0] + L[1] * W[1] + L[2] * W[2]
  const length = h / count
  SPAN[TIME] = length
  for (let part = 0; part < count; part++) {
    solveMidpoint(c, row)
    TURN[0] = length * W[0]
    TURN[1] = length * W[1]
    TURN[2] = length * W[2]
    SUM[0] += TURN[0]
    SUM[1] += TURN[1]
    SUM[2] += TURN[2]
    rotateBy(orientation, q, TURN)
    principalFrame(orientation, c, row, P)
    through(P, c, row, true, L, W)
  }
  const isExact = restoreEnergy(c, row)
  w[o] = W[0]
  w[o + 1] = W[1]
  w[o + 2] = W[2]
  if (count === 1 && isExact) {
    predictedRotation[o] = SUM[0]
    predictedRotation[o + 1] = SUM[1]
    predictedRotation[o + 2] = SUM[2]
    return
  }
  rotationBetween(orientation, q, BEFORE, 0, W, 0)
  addRotations(W, SUM)
  for (let i = 0; i < 3; i++) predictedRotation[o + i] = W[i]
}

/**
 * Turns the body a little so that L·ω is again what it was while L stays: about L × t, t = ω − (ω·L/L²) L, along which the energy
 * changes fastest; two steps of Newton's method. Where that is not little, or not enough, ω is scaled instead. True where nothing was to be done.
 */
function restoreEnergy(c: BodyColumns, row: number): boolean {
  const energy = SPAN[ENERGY]
  for (let step = 0; step < 2; step++) {
    const now = L[0] * W[0] + L[1] * W[1] + L[2] * W[2]
    const excess = now - energy
    if (!(Math.abs(excess) > EXACT * energy)) return step === 0
    // With φ = s L × ω the momentum seen from the body changes by −φ × L, and L·ω by −2 ω·(φ × L) = −2 φ·(L × ω).
    TURN[0] = L[1] * W[2] - L[2] * W[1]
    TURN[1] = L[2] * W[0] - L[0] * W[2]
    TURN[2] = L[0] * W[1] - L[1] * W[0]
    const slope = TURN[0] * TURN[0] + TURN[1] * TURN[1] + TURN[2] * TURN[2]
    const s = excess / (2 * slope)
    if (!(s * s * slope < MOST_RESTORED * MOST_RESTORED)) break
    for (let i = 0; i < 3; i++) TURN[i] *= s
    rotateBy(c.orientation, 4 * row, TURN)
    principalFrame(c.orientation, c, row, P)
    through(P, c, row, true, L, W)
  }
  const now = L[0] * W[0] + L[1] * W[1] + L[2] * W[2]
  const scale = now > energy ? Math.sqrt(energy / now) : 1
  for (let i = 0; i < 3; i++) W[i] *= scale
  return false
}

/**
 * Advances ω of a turning body by h [s] and leaves q: to what turns it over the step, which with `midpoint` is the mean
 * velocity ω_m. See {@link carrySpin} for the velocity after the turn.
 */
export function advanceSpin(c: BodyColumns, row: number, h: number, mode: Gyroscopic): void {
  const w = 3 * row
  const { angularVelocity, torque, orientation, inverseInertia } = c
  const flags = c.flags[row]
  const damping = h * c.angularDamping[row]
  const keep = keptBy(damping)
  const time = h * actsAgainst(damping)
  W[0] = keep * angularVelocity[w]
  W[1] = keep * angularVelocity[w + 1]
  W[2] = keep * angularVelocity[w + 2]
  principalFrame(orientation, c, row, P)
  if (mode === 'explicit' && precesses(c, row)) explicitTorque(c, row, h)
  if ((flags & ANY_ROTATION_LOCK) !== 0) {
    // What is locked takes its share of the torque: only the inertia about the free axes is left.
    const e = 9 * row
    for (let i = 0; i < 3; i++) {
      const k = e + 3 * i
      W[i] +=
        time *
        (inverseInertia[k] * torque[w] + inverseInertia[k + 1] * torque[w + 1] + inverseInertia[k + 2] * torque[w + 2])
    }
  } else {
    through(P, c, row, false, W, L)
    // Without a torque I⁻¹ L is ω but for round-off.
    if (torque[w] !== 0 || torque[w + 1] !== 0 || torque[w + 2] !== 0) {
      L[0] += time * torque[w]
      L[1] += time * torque[w + 1]
      L[2] += time * torque[w + 2]
      through(P, c, row, true, L, W)
    }
  }
  if (mode === 'midpoint' && precesses(c, row)) {
    SPAN[TIME] = h
    solveMidpoint(c, row)
  } else {
    if (mode === 'implicit' && precesses(c, row)) solveImplicit(c, row, h)
    for (let i = 0; i < 3; i++) W[i] = (flags & (LOCK_ROTATION << i)) !== 0 ? 0 : W[i]
  }
  for (let i = 0; i < 3; i++) angularVelocity[w + i] = W[i]
}

/** ω += h I⁻¹ (I ω × ω), everything at the start (30 with superscript t). */
function explicitTorque(c: BodyColumns, row: number, h: number): void {
  through(P, c, row, false, W, L)
  MID[0] = h * (L[1] * W[2] - L[2] * W[1])
  MID[1] = h * (L[2] * W[0] - L[0] * W[2])
  MID[2] = h * (L[0] * W[1] - L[1] * W[0])
  through(P, c, row, true, MID, MID)
  W[0] += MID[0]
  W[1] += MID[1]
  W[2] += MID[2]
}

/** ω at half the turn over the time in `SPAN`. */
function solveMidpoint(c: BodyColumns, row: number): void {
  const h = SPAN[TIME]
  const half = 0.25 * h * h * (W[0] * W[0] + W[1] * W[1] + W[2] * W[2])
  const isFast = half > FAST * FAST
  // Errors turn by right angles from sweep to sweep, so that this share of a step always makes them smaller.
  const share = isFast ? 1 / (1 + half) : 1
  const sweeps = isFast ? FAST_SWEEPS : MIDPOINT_SWEEPS
  for (let i = 0; i < 3; i++) FREE[i] = W[i]
  let left = 0
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const x = W[0]
    const y = W[1]
    const z = W[2]
    MID[0] = P[0]
    MID[1] = P[1]
    MID[2] = P[2]
    MID[3] = P[3]
    TURN[0] = 0.5 * h * x
    TURN[1] = 0.5 * h * y
    TURN[2] = 0.5 * h * z
    rotateBy(MID, 0, TURN)
    through(MID, c, row, true, L, W)
    if (isFast) {
      W[0] = x + share * (W[0] - x)
      W[1] = y + share * (W[1] - y)
      W[2] = z + share * (W[2] - z)
    }
    const dx = W[0] - x
    const dy = W[1] - y
    const dz = W[2] - z
    left = dx * dx + dy * dy + dz * dz
    if (left <= SETTLED * (x * x + y * y + z * z)) return
    left -= UNSETTLED * (x * x + y * y + z * z)
  }
  if (left <= 0) return
  for (let i = 0; i < 3; i++) W[i] = FREE[i]
  for (let step = 0; step < NEWTON_STEPS; step++) if (newtonStep(c, row)) return
}

/**
 * One step of Newton's method on D a − b = 0 in principal axes at half the turn, a = Rᵀ ω, b = Rᵀ L: its Jacobian is D − [s]ₓ but for
 * terms of second order in the turn, s = h b/2, with inverse (adj D + s sᵀ + [D s]ₓ) / (det D + s·D s). True when it has converged.
 */
function newtonStep(c: BodyColumns, row: number): boolean {
  const h = SPAN[TIME]
  const d0 = c.principalInertia[3 * row]
  const d1 = c.principalInertia[3 * row + 1]
  const d2 = c.principalInertia[3 * row + 2]
  for (let i = 0; i < 4; i++) MID[i] = P[i]
  for (let i = 0; i < 3; i++) TURN[i] = 0.5 * h * W[i]
  rotateBy(MID, 0, TURN)
  rotateVectorInverse(MID, 0, W[0], W[1], W[2], TURN, 0)
  const a0 = TURN[0]
  const a1 = TURN[1]
  const a2 = TURN[2]
  rotateVectorInverse(MID, 0, L[0], L[1], L[2], TURN, 0)
  const s0 = 0.5 * h * TURN[0]
  const s1 = 0.5 * h * TURN[1]
  const s2 = 0.5 * h * TURN[2]
  const y0 = TURN[0] - d0 * a0
  const y1 = TURN[1] - d1 * a1
  const y2 = TURN[2] - d2 * a2
  const e0 = d0 * s0
  const e1 = d1 * s1
  const e2 = d2 * s2
  const scale = 1 / (d0 * d1 * d2 + s0 * e0 + s1 * e1 + s2 * e2)
  const along = s0 * y0 + s1 * y1 + s2 * y2
  const x0 = scale * (d1 * d2 * y0 + s0 * along + e1 * y2 - e2 * y1)
  const x1 = scale * (d0 * d2 * y1 + s1 * along + e2 * y0 - e0 * y2)
  const x2 = scale * (d0 * d1 * y2 + s2 * along + e0 * y1 - e1 * y0)
  rotateVector(MID, 0, a0 + x0, a1 + x1, a2 + x2, W, 0)
  return x0 * x0 + x1 * x1 + x2 * x2 <= SETTLED * (a0 * a0 + a1 * a1 + a2 * a2)
}

/** One Newton step of I (ω − ω₀) + h ω × I ω = 0 in the principal frame, from ω₀. */
function solveImplicit(c: BodyColumns, row: number, h: number): void {
  const m = 3 * row
  const ix = c.principalInertia[m]
  const iy = c.principalInertia[m + 1]
  const iz = c.principalInertia[m + 2]
  rotateVectorInverse(P, 0, W[0], W[1], W[2], W, 0)
  const x = W[0]
  const y = W[1]
  const z = W[2]
  // Residual h ω × I ω and its Jacobian I + h ([ω]ₓ I − [I ω]ₓ).
  const fx = h * y * z * (iz - iy)
  const fy = h * z * x * (ix - iz)
  const fz = h * x * y * (iy - ix)
  const bxy = h * z * (iz - iy)
  const bxz = h * y * (iz - iy)
  const byx = h * z * (ix - iz)
  const byz = h * x * (ix - iz)
  const bzx = h * y * (iy - ix)
  const bzy = h * x * (iy - ix)
  const cx = iy * iz - byz * bzy
  const cy = byz * bzx - byx * iz
  const cz = byx * bzy - iy * bzx
  const s = 1 / (ix * cx + bxy * cy + bxz * cz)
  const dx = s * (cx * fx + (bxz * bzy - bxy * iz) * fy + (bxy * byz - bxz * iy) * fz)
  const dy = s * (cy * fx + (ix * iz - bxz * bzx) * fy + (bxz * byx - ix * byz) * fz)
  const dz = s * (cz * fx + (bxy * bzx - ix * bzy) * fy + (ix * iy - bxy * byx) * fz)
  rotateVector(P, 0, x - dx, y - dy, z - dz, W, 0)
}
