/** Poses and velocities of all bodies: out of the world's columns, forward by a substep, and back. */

import { type LeanWorld } from '@tautline/core'
import {
  accelerate,
  advanceSpin,
  type BodyColumns,
  carrySpin,
  DYNAMIC,
  freeze,
  isFinitePose,
  KINEMATIC,
  normalizeQuaternion,
  refreshInertia,
  RESTS,
  rotate,
  ROTATES,
} from '@tautline/core/kernel'
import type { ImpulseSettings } from './options.js'
import { ENTRY } from './row-system.js'

const fall = /* @__PURE__ */ new Float64Array(3)

/** Whether the solver moves a body by forces and impulses. */
export function isFree(bodies: BodyColumns, i: number): boolean {
  return bodies.kind[i] === DYNAMIC && (bodies.flags[i] & RESTS) === 0
}

/** Whether a body moves at all. */
export function isMoving(bodies: BodyColumns, i: number): boolean {
  return bodies.kind[i] === KINEMATIC || isFree(bodies, i)
}

/** Notes present poses as those the substep starts from. */
export function keepStart(
  { startPosition, startOrientation, predictedRotation, position, orientation }: BodyColumns,
  count: number,
): void {
  for (let k = 0; k < 4 * count; k++) {
    startPosition[k] = position[k]
    startOrientation[k] = orientation[k]
  }
  predictedRotation.fill(0, 0, 3 * count)
}

/** V from the columns, six numbers a body; zeros for what does not move. */
export function readVelocities(bodies: BodyColumns, count: number, V: Float64Array): void {
  const { velocity, angularVelocity } = bodies
  for (let i = 0; i < count; i++) {
    const v = ENTRY * i
    if (!isMoving(bodies, i)) {
      V.fill(0, v, v + ENTRY)
      continue
    }
    for (let l = 0; l < 3; l++) {
      V[v + l] = velocity[3 * i + l]
      V[v + 3 + l] = angularVelocity[3 * i + l]
    }
  }
}

/** The columns from V. */
export function writeVelocities(bodies: BodyColumns, count: number, V: Float64Array): void {
  const { velocity, angularVelocity } = bodies
  for (let i = 0; i < count; i++) {
    if (!isFree(bodies, i)) continue
    const v = ENTRY * i
    for (let l = 0; l < 3; l++) {
      velocity[3 * i + l] = V[v + l]
      angularVelocity[3 * i + l] = V[v + 3 + l]
    }
  }
}

/** V ← V + h M⁻¹ f for gravity, forces, torques and the gyroscopic term of all free bodies, in the columns. */
export function applyForces(world: LeanWorld, h: number, gyroscopic: LeanWorld['settings']['gyroscopic']): void {
  const bodies = world.bodies.columns
  for (let k = 0; k < 3; k++) fall[k] = h * world.settings.gravity[k]
  for (let i = 0; i < world.bodies.count; i++) {
    if (!isFree(bodies, i)) continue
    accelerate(bodies, i, h, fall)
    if ((bodies.flags[i] & ROTATES) !== 0) advanceSpin(bodies, i, h, gyroscopic)
  }
}

/** World inverse inertia of all free bodies at their present orientations. */
export function refreshInertias(world: LeanWorld): void {
  for (let i = 0; i < world.bodies.count; i++) {
    if (isFree(world.bodies.columns, i)) refreshInertia(world.bodies.columns, i)
  }
}

/** Poses of moving bodies after h of V, from `bodies` into `out`, which may be the same. */
export function advance(
  bodies: BodyColumns,
  out: BodyColumns,
  count: number,
  V: Float64Array,
  h: number,
  rotation: ImpulseSettings['rotation'],
): void {
  const { position, orientation } = out
  for (let i = 0; i < count; i++) {
    const p = 4 * i
    const v = ENTRY * i
    for (let k = p; k < p + 4; k++) {
      position[k] = bodies.position[k]
      orientation[k] = bodies.orientation[k]
    }
    if (!isMoving(bodies, i)) continue
    for (let l = 0; l < 3; l++) position[p + l] += h * V[v + l]
    if (rotation === 'exponential') rotate(orientation, p, h * V[v + 3], h * V[v + 4], h * V[v + 5])
    else increment(orientation, p, h * V[v + 3], h * V[v + 4], h * V[v + 5])
    normalizeQuaternion(orientation, p)
  }
}

/** q + ½ [θ, 0] q (Tamis & Maggiore 2015, 3.2.4); the caller normalises. */
function increment(q: Float64Array, o: number, x: number, y: number, z: number): void {
  const a = q[o]
  const b = q[o + 1]
  const c = q[o + 2]
  const w = q[o + 3]
  q[o] += 0.5 * (x * w + y * c - z * b)
  q[o + 1] += 0.5 * (y * w + z * a - x * c)
  q[o + 2] += 0.5 * (z * w + x * b - y * a)
  q[o + 3] -= 0.5 * (x * a + y * b + z * c)
}

/**
 * Angular velocities seen from the new poses, unless the integrator has the gyroscopic term in its stages, and what has
 * become non-finite stopped.
 */
export function finishPoses(world: LeanWorld, h: number, settings: ImpulseSettings): void {
  const bodies = world.bodies.columns
  const keeps =
    settings.integrator !== 'rungeKutta4' && (settings.state === 'momentum' || world.settings.gyroscopic === 'midpoint')
  for (let i = 0; i < world.bodies.count; i++) {
    if (!isMoving(bodies, i)) continue
    if (!isFinitePose(bodies, i)) freeze(world, i)
    else if (keeps && isFree(bodies, i) && (bodies.flags[i] & ROTATES) !== 0)
      carrySpin(bodies, i, h, settings.state === 'momentum' ? 0 : 0.5)
  }
}
