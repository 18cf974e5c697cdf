/** ω at the end of a substep, from the poses that the solve has left (Waterson 43–46), and angular momentum carried over a turn. */

import type { BodyColumns } from '../state/body-columns.js'
import type { Gyroscopic } from '../state/settings.js'
import { addRotations, rotationBetween, rotateBy } from '../math/rotation.js'
import { frameOf, precesses, principalFrame, through } from '../state/spin-frame.js'

/**
 * A solve that tilts the axis of spin by more than this [rad], or whose correction is a larger share of the motion, was not guided by
 * its prediction. Ten times the first lets bodies on off-centre joints gain without bound at |ω|h > 1.
 */
const TILT = 0.05
/**
 * Predicted turn [rad] from which on a body nutates through a large angle in a substep, so that its axis is predicted short of h times the
 * velocity of tilting, and the correction leaves more of that velocity than there was: of a disc on a hinge through its centre by
 * |e^(iθ) − sin θ/θ| a substep, above 1 for tan θ > 2θ. A tilt beyond {@link ROUND_OFF} [rad] is then read from the poses.
 */
const SWIFT = 1
const ROUND_OFF = 1e-9
/** Square of a predicted turn [rad²] up to which the two ways to ω agree to a millionth of the correction, and the shorter is taken. */
const QUIET = 1e-12
const SMALL = 0.1

const P = /* @__PURE__ */ new Float64Array(4)
const MID = /* @__PURE__ */ new Float64Array(4)
const L = /* @__PURE__ */ new Float64Array(3)
const W = /* @__PURE__ */ new Float64Array(3)
const TURN = /* @__PURE__ */ new Float64Array(3)
const PREDICTED = /* @__PURE__ */ new Float64Array(4)
const DELTA = /* @__PURE__ */ new Float64Array(3)

/**
 * Makes it look as if a body had come to its orientation and ω by a free turn of h: `startOrientation` becomes where that began. From
 * what {@link predictSpin} would have left {@link spinFromPoses} makes the present ω again.
 */
export function rewindSpin(c: BodyColumns, row: number, h: number): void {
  const { orientation, startOrientation, angularVelocity, predictedRotation } = c
  const o = 4 * row
  for (let i = 0; i < 4; i++) startOrientation[o + i] = orientation[o + i]
  for (let i = 0; i < 3; i++) {
    predictedRotation[3 * row + i] = h * angularVelocity[3 * row + i]
    TURN[i] = -predictedRotation[3 * row + i]
  }
  rotateBy(startOrientation, o, TURN)
}

/**
 * ω at the end of a substep. Where the prediction guided the solve, it is the prediction's, corrected as v is by the rotation δ
 * from the predicted to the solved orientation: ω = ω̂ + δ/h, so that no spin is too fast. With `midpoint` the correction is one of
 * angular momentum, L = I(q̂) (ω̂ + δ/h) in the world frame, and ω = I(q)⁻¹ L. Elsewhere ω is the rotation of the substep, the
 * short way round (43–46), which is bounded by π/h. `squares` are |h v̂|² of the body, and that of its shift from there to the solved position [m²].
 */
export function spinFromPoses(c: BodyColumns, row: number, h: number, mode: Gyroscopic, squares: Float64Array): void {
  const { orientation, startOrientation, angularVelocity, predictedRotation } = c
  const o = 4 * row
  const w = 3 * row
  const carries = mode === 'midpoint' && precesses(c, row)
  const isQuiet = turnOf(predictedRotation, w) <= QUIET
  const isGuided = !isQuiet && compareTurns(c, row, h, squares)
  if (isGuided && !isTilted()) {
    if (carries) correctMomentum(c, row, h)
    else for (let i = 0; i < 3; i++) W[i] += DELTA[i] / h
  } else {
    rotationBetween(orientation, o, startOrientation, o, W, 0)
    if (isGuided && isSlight()) addRotations(W, TURN)
    for (let i = 0; i < 3; i++) W[i] /= h
    if (carries) carryMean(c, row, h)
  }
  for (let i = 0; i < 3; i++) angularVelocity[w + i] = W[i]
}

/** Square of the turn at o [rad²]. */
function turnOf(turns: Float64Array, o: number): number {
  return turns[o] * turns[o] + turns[o + 1] * turns[o + 1] + turns[o + 2] * turns[o + 2]
}

/** `W`, `TURN`, `PREDICTED` and `DELTA` of a body; whether δ is small beside its motion. */
function compareTurns(c: BodyColumns, row: number, h: number, squares: Float64Array): boolean {
  const { orientation, startOrientation, angularVelocity, predictedRotation } = c
  for (let i = 0; i < 4; i++) PREDICTED[i] = startOrientation[4 * row + i]
  for (let i = 0; i < 3; i++) {
    W[i] = angularVelocity[3 * row + i]
    TURN[i] = predictedRotation[3 * row + i]
  }
  rotateBy(PREDICTED, 0, TURN)
  rotationBetween(orientation, 4 * row, PREDICTED, 0, DELTA, 0)
  return isSmall(c, row, squares, h)
}

/** Whether the correction turns the axis of spin far. `TURN` is the predicted turn. */
function isTilted(): boolean {
  const squared = TURN[0] * TURN[0] + TURN[1] * TURN[1] + TURN[2] * TURN[2]
  const most = squared > SWIFT * SWIFT ? ROUND_OFF : TILT
  if (DELTA[0] * DELTA[0] + DELTA[1] * DELTA[1] + DELTA[2] * DELTA[2] <= most * most) return false
  const along = squared > 0 ? (DELTA[0] * TURN[0] + DELTA[1] * TURN[1] + DELTA[2] * TURN[2]) / squared : 0
  const x = DELTA[0] - along * TURN[0]
  const y = DELTA[1] - along * TURN[1]
  const z = DELTA[2] - along * TURN[2]
  return x * x + y * y + z * z > most * most
}

/** Whether the correction is of the size of a tilt, so that whole turns are those of the prediction. */
function isSlight(): boolean {
  return DELTA[0] * DELTA[0] + DELTA[1] * DELTA[1] + DELTA[2] * DELTA[2] < 4 * TILT * TILT
}

/**
 * Whether the correction is small beside the motion, in the metric of kinetic energy. A body swung about a point off its centre by a
 * large angle has its centre predicted on the tangent; the correction is of the size of the motion, and adding it up substep after
 * substep gains energy without bound. `W` is ω̂, and `PREDICTED` the predicted orientation. Bounds by the least and the greatest
 * moment tell most bodies apart.
 */
function isSmall(c: BodyColumns, row: number, squares: Float64Array, h: number): boolean {
  const { principalInertia: moments } = c
  const m = 1 / c.inverseMass[row]
  const straight = m * squares[0]
  const shift = m * squares[1]
  const spin = h * h * (W[0] * W[0] + W[1] * W[1] + W[2] * W[2])
  const turn = DELTA[0] * DELTA[0] + DELTA[1] * DELTA[1] + DELTA[2] * DELTA[2]
  const least = Math.min(moments[3 * row], moments[3 * row + 1], moments[3 * row + 2])
  const most = Math.max(moments[3 * row], moments[3 * row + 1], moments[3 * row + 2])
  if (most * turn + shift <= SMALL * SMALL * (least * spin + straight)) return true
  if (least * turn + shift > SMALL * SMALL * (most * spin + straight)) return false
  frameOf(PREDICTED, c, row, MID)
  through(MID, c, row, false, W, L)
  const motion = h * h * (W[0] * L[0] + W[1] * L[1] + W[2] * L[2]) + straight
  through(MID, c, row, false, DELTA, L)
  const correction = DELTA[0] * L[0] + DELTA[1] * L[1] + DELTA[2] * L[2] + shift
  return correction <= SMALL * SMALL * motion
}

/** W ← I(q)⁻¹ I(q̂) (W + δ/h). */
function correctMomentum(c: BodyColumns, row: number, h: number): void {
  for (let i = 0; i < 3; i++) W[i] += DELTA[i] / h
  frameOf(PREDICTED, c, row, MID)
  through(MID, c, row, false, W, L)
  principalFrame(c.orientation, c, row, P)
  through(P, c, row, true, L, W)
}

/**
 * W, the mean velocity of the substep, to the velocity at its end: with its angular momentum, but no more energy. A large turn with
 * momentum kept would multiply it by up to the ratio of the principal moments.
 */
function carryMean(c: BodyColumns, row: number, h: number): void {
  for (let i = 0; i < 3; i++) DELTA[i] = W[i]
  carry(c, row, 0.5 * h)
  const mean = L[0] * DELTA[0] + L[1] * DELTA[1] + L[2] * DELTA[2]
  const end = L[0] * W[0] + L[1] * W[1] + L[2] * W[2]
  if (end <= mean) return
  const s = Math.sqrt(mean / end)
  for (let i = 0; i < 3; i++) W[i] *= s
}

/** ω = I(q)⁻¹ I(q_s) ω, q_s = exp(s ω) q_start: what W carried as angular momentum over the turn, seen from its end. */
function carry(c: BodyColumns, row: number, s: number): void {
  principalFrame(c.startOrientation, c, row, MID)
  for (let i = 0; i < 3; i++) TURN[i] = s * W[i]
  rotateBy(MID, 0, TURN)
  through(MID, c, row, false, W, L)
  principalFrame(c.orientation, c, row, P)
  through(P, c, row, true, L, W)
}

/**
 * Carries angular momentum over a turn from `startOrientation` to `orientation` of a step of h [s]: ω, as it turned the body,
 * becomes the velocity after the turn. `from` says where on the way ω belongs to: 0 at the start (semi-implicit Euler with
 * momentum as the state), 0.5 half way (what `midpoint` needs).
 */
export function carrySpin(c: BodyColumns, row: number, h: number, from: number): void {
  if (!precesses(c, row)) return
  for (let i = 0; i < 3; i++) W[i] = c.angularVelocity[3 * row + i]
  carry(c, row, from * h)
  for (let i = 0; i < 3; i++) c.angularVelocity[3 * row + i] = W[i]
}
