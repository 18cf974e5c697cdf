/** How a body moves between constraints: forces into velocities, kinematic targets, and what becomes of a pose that is lost. */

import {
  ANY_ROTATION_LOCK,
  ADVANCED,
  ANY_TRANSLATION_LOCK,
  ARRIVED,
  type BodyColumns,
  DEAD,
  FROZEN,
  HAS_TARGET,
  LOCK_TRANSLATION,
  ROTATES,
} from '../state/body-columns.js'
import { actsAgainst, keptBy } from './damping.js'
import { refreshEffectiveInertia, refreshInertia } from '../state/inertia.js'
import { normalizeQuaternion, rotationBetween, rotate } from '../math/rotation.js'
import type { Gyroscopic, Settings } from '../state/settings.js'
import { predictSpin } from './spin-prediction.js'
import { spinFromPoses } from './spin-velocity.js'
import type { WorldView } from '../define/contract.js'

/** Moves a dynamic body over h as if it were free, and brings its inertia up to date; `fall` is h times gravity [m/s]. */
export function predictBody(bodies: BodyColumns, i: number, h: number, fall: Float64Array, settings: Settings): void {
  const { position, velocity, flags } = bodies
  const p = 4 * i
  const v = 3 * i
  accelerate(bodies, i, h, fall)
  position[p] += h * velocity[v]
  position[p + 1] += h * velocity[v + 1]
  position[p + 2] += h * velocity[v + 2]
  if ((flags[i] & ROTATES) === 0) return
  if ((flags[i] & ANY_ROTATION_LOCK) !== 0) refreshInertia(bodies, i)
  predictSpin(bodies, i, h, settings.gyroscopic)
  if (settings.effectiveInertia) refreshEffectiveInertia(bodies, i, h)
  else refreshInertia(bodies, i)
}

/** |h v̂|² of the body in hand, and that of its shift from there to where it was solved [m²]. */
const squares = /* @__PURE__ */ new Float64Array(2)

/**
 * Velocities of a body from its poses. v and ω are corrected by how far the solve moved the body from its prediction, rather than
 * divided anew from two poses: a free body keeps its momentum to the last bit however far from the origin it is, and however fast
 * it spins.
 */
export function correctVelocity(bodies: BodyColumns, i: number, h: number, gyroscopic: Gyroscopic): void {
  const { position, orientation, velocity, startPosition, flags } = bodies
  const p = 4 * i
  const v = 3 * i
  const wayX = h * velocity[v]
  const wayY = h * velocity[v + 1]
  const wayZ = h * velocity[v + 2]
  const x = position[p] - (startPosition[p] + wayX)
  const y = position[p + 1] - (startPosition[p + 1] + wayY)
  const z = position[p + 2] - (startPosition[p + 2] + wayZ)
  velocity[v] += x / h
  velocity[v + 1] += y / h
  velocity[v + 2] += z / h
  if ((flags[i] & ROTATES) === 0) return
  squares[0] = wayX * wayX + wayY * wayY + wayZ * wayZ
  squares[1] = x * x + y * y + z * z
  normalizeQuaternion(orientation, p)
  spinFromPoses(bodies, i, h, gyroscopic, squares)
}

const CORRECTION = /* @__PURE__ */ new Float64Array(3)

/** v of a dynamic body after h of gravity, force and damping; `fall` is h times gravity [m/s]. */
export function accelerate(bodies: BodyColumns, i: number, h: number, fall: Float64Array): void {
  const { velocity, force, flags } = bodies
  const v = 3 * i
  const damping = h * bodies.linearDamping[i]
  const keep = keptBy(damping)
  const share = actsAgainst(damping)
  const scale = share * bodies.gravityScale[i]
  const m = share * h * bodies.inverseMass[i]
  velocity[v] = keep * velocity[v] + scale * fall[0] + m * force[v]
  velocity[v + 1] = keep * velocity[v + 1] + scale * fall[1] + m * force[v + 1]
  velocity[v + 2] = keep * velocity[v + 2] + scale * fall[2] + m * force[v + 2]
  if ((flags[i] & ANY_TRANSLATION_LOCK) === 0) return
  for (let axis = 0; axis < 3; axis++) if ((flags[i] & (LOCK_TRANSLATION << axis)) !== 0) velocity[v + axis] = 0
}

/**
 * Velocity of a kinematic body: the share of the way to its target that makes the substeps of h [s] even, `left` of which remain;
 * without a target, the one it has.
 */
export function steerKinematic(bodies: BodyColumns, i: number, h: number, left: number): void {
  const { position, orientation, velocity, angularVelocity, targetPosition, targetOrientation, flags } = bodies
  const p = 4 * i
  const v = 3 * i
  if ((flags[i] & HAS_TARGET) !== 0) {
    for (let k = 0; k < 3; k++) velocity[v + k] = (targetPosition[v + k] - position[p + k]) / (left * h)
    rotationBetween(targetOrientation, p, orientation, p, angularVelocity, v)
    for (let k = 0; k < 3; k++) angularVelocity[v + k] /= left * h
    if (left === 1) flags[i] = (flags[i] & ~HAS_TARGET) | ARRIVED
  } else if ((flags[i] & ARRIVED) !== 0) {
    for (let k = v; k < v + 3; k++) velocity[k] = angularVelocity[k] = 0
    flags[i] &= ~ARRIVED
  }
}

/** x += h v, q = exp(h ω/2) q, over h [s]. */
export function drift(bodies: BodyColumns, i: number, h: number): void {
  const { position, orientation, velocity, angularVelocity, predictedRotation } = bodies
  const p = 4 * i
  const v = 3 * i
  for (let k = 0; k < 3; k++) {
    position[p + k] += h * velocity[v + k]
    predictedRotation[v + k] = h * angularVelocity[v + k]
  }
  rotate(orientation, p, predictedRotation[v], predictedRotation[v + 1], predictedRotation[v + 2])
  normalizeQuaternion(orientation, p)
}

/** Adds to the velocities of a body that a stage has advanced what the solve moved it by in h, and ends its exemption. */
export function correctAdvanced(bodies: BodyColumns, i: number, h: number): void {
  const { position, orientation, velocity, angularVelocity, startPosition, startOrientation, flags } = bodies
  const p = 4 * i
  const v = 3 * i
  flags[i] &= ~ADVANCED
  for (let k = 0; k < 3; k++) velocity[v + k] += (position[p + k] - startPosition[p + k]) / h
  if ((flags[i] & ROTATES) === 0) return
  normalizeQuaternion(orientation, p)
  rotationBetween(orientation, p, startOrientation, p, CORRECTION, 0)
  for (let k = 0; k < 3; k++) angularVelocity[v + k] += CORRECTION[k] / h
}

/**
 * Beyond this [m] a body counts as non-finite. Squares of lengths below it do not overflow, so that one body that runs
 * away cannot turn an ∞ − ∞ or 0 · ∞ into a NaN in what it is joined to, static bodies included.
 */
const FARTHEST = 1e50

/** Whether the pose is finite and not beyond all measure; NaN fails every comparison. */
export function isFinitePose(bodies: BodyColumns, i: number): boolean {
  const { position, orientation } = bodies
  const p = 4 * i
  const far = Math.abs(position[p]) + Math.abs(position[p + 1]) + Math.abs(position[p + 2])
  const turned = orientation[p] + orientation[p + 1] + orientation[p + 2] + orientation[p + 3]
  return far < FARTHEST && turned - turned === 0
}

/** Whether both velocities are finite. */
export function isFiniteVelocity({ velocity, angularVelocity }: BodyColumns, i: number): boolean {
  const v = 3 * i
  const sum =
    velocity[v] +
    velocity[v + 1] +
    velocity[v + 2] +
    angularVelocity[v] +
    angularVelocity[v + 1] +
    angularVelocity[v + 2]
  return sum - sum === 0
}

/** Whether all numbers of some rows are finite and far from overflow: others show in one of three sums of squares, of which none waits for another. */
function areFinite(v: Float64Array, rows: Int32Array, count: number): boolean {
  let x = 0
  let y = 0
  let z = 0
  for (let n = 0; n < count; n++) {
    const k = 3 * rows[n]
    x += v[k] * v[k]
    y += v[k + 1] * v[k + 1]
    z += v[k + 2] * v[k + 2]
  }
  const sum = x + y + z
  return sum - sum === 0
}

/** Freezes what a pass over velocities left without a finite velocity. */
export function checkVelocities(world: WorldView): void {
  const bodies = world.bodies.columns
  const { rows, count } = world.bodies.awake
  if (areFinite(bodies.velocity, rows, count) && areFinite(bodies.angularVelocity, rows, count)) return
  for (let n = 0; n < count; n++) {
    const i = rows[n]
    if (bodies.kind[i] !== DEAD && !isFiniteVelocity(bodies, i)) freeze(world, i)
  }
}

/** Puts a body back to where the step began: a stage that moves bodies, or a substep in parts, may have lost its start too. */
function returnToStep(bodies: BodyColumns, i: number): void {
  const { position, orientation, startPosition, startOrientation, previousPosition, previousOrientation } = bodies
  for (let k = 0; k < 3; k++) position[4 * i + k] = startPosition[4 * i + k] = previousPosition[3 * i + k]
  for (let k = 4 * i; k < 4 * i + 4; k++) orientation[k] = startOrientation[k] = previousOrientation[k]
}

/** Puts a body back to its last finite pose, at rest, and takes its mass out of the solve. */
export function freeze(world: WorldView, i: number): void {
  const bodies = world.bodies.columns
  const { position, orientation, velocity, angularVelocity, startPosition, startOrientation, flags } = bodies
  bodies.predictedRotation.fill(0, 3 * i, 3 * i + 3)
  for (let k = 4 * i; k < 4 * i + 4; k++) {
    position[k] = startPosition[k]
    orientation[k] = startOrientation[k]
  }
  if (!isFinitePose(bodies, i)) returnToStep(bodies, i)
  for (let k = 3 * i; k < 3 * i + 3; k++) velocity[k] = angularVelocity[k] = 0
  flags[i] = (flags[i] & ~ADVANCED) | FROZEN
  position[4 * i + 3] = 0
  refreshInertia(bodies, i)
  world.bodies.version++
}
