/**
 * Scales the velocities of a component back to a kinetic energy.
 *
 * What is held by something that does not move, or by locked axes: all velocities by one factor, which leaves J v = 0 as it was. What is free keeps its
 * momenta: of its velocities only those against its own rigid motion are scaled, v = v_c + Ω × r + s v', T = T_rigid + s² T',
 * with Ω = I⁻¹ L about the centre of mass. Where T_rigid alone is too much, the momenta have come from nothing, and are scaled too.
 */

import { ANY_ROTATION_LOCK, ANY_TRANSLATION_LOCK, type BodyColumns, ROTATES } from '../state/body-columns.js'
import { worldInertia } from '../step/inertia.js'
import type { WorldView } from '../define/contract.js'
import type { Components } from './components.js'

/** Scaling by less than this share is none. */
const NOTHING = 1e-9

/** Whether anything was scaled, from a kinetic energy `T` to `allowed` [J]. */
export function scaleBack(
  world: WorldView,
  guard: Components,
  root: number,
  allowed: number,
  T: number,
  isUnheld: boolean,
): boolean {
  MOTION.fill(0)
  let rigid = 0
  const isFree = isUnheld && !isLocked(world, guard, root)
  if (isFree) rigid = measureRigid(world, guard, root)
  const rest = T - rigid
  // A lone body is its own rigid motion.
  if (isFree && isLone(world, guard, root)) return false
  // Where there is but the rigid motion, it alone is too much.
  const share = rest > NOTHING * T ? Math.sqrt(Math.max(0, allowed - rigid) / rest) : 0
  if (!(share < 1 - NOTHING)) return false
  if (rigid > allowed) scaleRigid(allowed, rigid)
  const { position, velocity, angularVelocity } = world.bodies.columns
  for (let i = 1; i < world.bodies.count; i++) {
    if (!guard.isIn(world, i, root)) continue
    const v = 3 * i
    const x = position[4 * i] - MOTION[CENTRE]
    const y = position[4 * i + 1] - MOTION[CENTRE + 1]
    const z = position[4 * i + 2] - MOTION[CENTRE + 2]
    const p = MOTION[SPIN]
    const q = MOTION[SPIN + 1]
    const r = MOTION[SPIN + 2]
    const vx = MOTION[DRIFT] + q * z - r * y
    const vy = MOTION[DRIFT + 1] + r * x - p * z
    const vz = MOTION[DRIFT + 2] + p * y - q * x
    velocity[v] = vx + share * (velocity[v] - vx)
    velocity[v + 1] = vy + share * (velocity[v + 1] - vy)
    velocity[v + 2] = vz + share * (velocity[v + 2] - vz)
    angularVelocity[v] = p + share * (angularVelocity[v] - p)
    angularVelocity[v + 1] = q + share * (angularVelocity[v + 1] - q)
    angularVelocity[v + 2] = r + share * (angularVelocity[v + 2] - r)
  }
  return true
}

/** Whether a component has a body with locked axes: they hold it as well, and no motion of the whole may move them. */
function isLocked(world: WorldView, guard: Components, root: number): boolean {
  const { flags } = world.bodies.columns
  for (let i = 1; i < world.bodies.count; i++) {
    if ((flags[i] & (ANY_TRANSLATION_LOCK | ANY_ROTATION_LOCK)) !== 0 && guard.isIn(world, i, root)) return true
  }
  return false
}

function isLone(world: WorldView, guard: Components, root: number): boolean {
  for (let i = 1; i < world.bodies.count; i++) if (i !== root && guard.isIn(world, i, root)) return false
  return true
}

/** The rigid motion alone has too much: its spin has come from nothing, and its momentum too where that is too much by itself. */
function scaleRigid(allowed: number, rigid: number): void {
  const spinning =
    0.5 *
    (MOTION[SPIN] * MOTION[MOMENT] + MOTION[SPIN + 1] * MOTION[MOMENT + 1] + MOTION[SPIN + 2] * MOTION[MOMENT + 2])
  const drifting = rigid - spinning
  const spin = spinning > 0 ? Math.sqrt(Math.max(0, allowed - drifting) / spinning) : 0
  const drift = drifting > allowed ? Math.sqrt(allowed / drifting) : 1
  for (let k = 0; k < 3; k++) {
    MOTION[SPIN + k] *= spin
    MOTION[DRIFT + k] *= drift
  }
}

/** Centre of mass, its velocity, angular velocity and angular momentum of the rigid motion. */
const MOTION = /* @__PURE__ */ new Float64Array(12)
const CENTRE = 0
const DRIFT = 3
const SPIN = 6
const MOMENT = 9

const TENSOR = /* @__PURE__ */ new Float64Array(9)
const WHOLE = /* @__PURE__ */ new Float64Array(9)

/** Rigid motion with the momenta of a component, into `MOTION`; returns its kinetic energy [J]. */
function measureRigid(world: WorldView, guard: Components, root: number): number {
  const bodies = world.bodies.columns
  const { position, velocity, inverseMass } = bodies
  const { count } = world.bodies
  let mass = 0
  for (let i = 1; i < count; i++) {
    if (!guard.isIn(world, i, root)) continue
    const m = 1 / inverseMass[i]
    mass += m
    for (let k = 0; k < 3; k++) {
      MOTION[CENTRE + k] += m * position[4 * i + k]
      MOTION[DRIFT + k] += m * velocity[3 * i + k]
    }
  }
  for (let k = 0; k < 6; k++) MOTION[k] /= mass
  WHOLE.fill(0)
  for (let i = 1; i < count; i++) if (guard.isIn(world, i, root)) addMoments(bodies, i)
  solveSpin()
  let twice = 0
  for (let k = 0; k < 3; k++) {
    twice += mass * MOTION[DRIFT + k] * MOTION[DRIFT + k] + MOTION[SPIN + k] * MOTION[MOMENT + k]
  }
  return 0.5 * twice
}

/** Adds a body's inertia and angular momentum about the centre of mass. */
function addMoments(bodies: BodyColumns, i: number): void {
  const { position, velocity, angularVelocity, inverseMass, flags } = bodies
  const m = 1 / inverseMass[i]
  const v = 3 * i
  const x = position[4 * i] - MOTION[CENTRE]
  const y = position[4 * i + 1] - MOTION[CENTRE + 1]
  const z = position[4 * i + 2] - MOTION[CENTRE + 2]
  const vx = m * (velocity[v] - MOTION[DRIFT])
  const vy = m * (velocity[v + 1] - MOTION[DRIFT + 1])
  const vz = m * (velocity[v + 2] - MOTION[DRIFT + 2])
  MOTION[MOMENT] += y * vz - z * vy
  MOTION[MOMENT + 1] += z * vx - x * vz
  MOTION[MOMENT + 2] += x * vy - y * vx
  WHOLE[0] += m * (y * y + z * z)
  WHOLE[4] += m * (x * x + z * z)
  WHOLE[8] += m * (x * x + y * y)
  WHOLE[1] -= m * x * y
  WHOLE[2] -= m * x * z
  WHOLE[5] -= m * y * z
  if ((flags[i] & ROTATES) === 0) return
  worldInertia(bodies, i, TENSOR)
  WHOLE[0] += TENSOR[0]
  WHOLE[1] += TENSOR[1]
  WHOLE[2] += TENSOR[2]
  WHOLE[4] += TENSOR[4]
  WHOLE[5] += TENSOR[5]
  WHOLE[8] += TENSOR[8]
  for (let k = 0; k < 3; k++) {
    MOTION[MOMENT + k] +=
      TENSOR[3 * k] * angularVelocity[v] +
      TENSOR[3 * k + 1] * angularVelocity[v + 1] +
      TENSOR[3 * k + 2] * angularVelocity[v + 2]
  }
}

/** Below this share of the trace a determinant belongs to bodies in a line: Ω along it is nothing. */
const FLAT = 1e-12

/** Ω = I⁻¹ L by cofactors. */
function solveSpin(): void {
  const [a, b, c, , e, f, , , i] = WHOLE
  const A = e * i - f * f
  const B = c * f - b * i
  const C = b * f - c * e
  const determinant = a * A + b * B + c * C
  const trace = a + e + i
  const ridge = FLAT * trace
  if (!(determinant > ridge * trace * trace)) {
    MOTION.fill(0, SPIN, SPIN + 3)
    solveRidged(ridge)
    return
  }
  solveWith(a, b, c, e, f, i)
}

/** Bodies in a line, or one point: a trace on the diagonal picks the least Ω. */
function solveRidged(ridge: number): void {
  if (ridge === 0) return
  const share = 1e3 * ridge
  solveWith(WHOLE[0] + share, WHOLE[1], WHOLE[2], WHOLE[4] + share, WHOLE[5], WHOLE[8] + share)
}

function solveWith(a: number, b: number, c: number, e: number, f: number, i: number): void {
  const A = e * i - f * f
  const B = c * f - b * i
  const C = b * f - c * e
  const s = 1 / (a * A + b * B + c * C)
  const [x, y, z] = [MOTION[MOMENT], MOTION[MOMENT + 1], MOTION[MOMENT + 2]]
  MOTION[SPIN] = s * (A * x + B * y + C * z)
  MOTION[SPIN + 1] = s * (B * x + (a * i - c * c) * y + (b * c - a * f) * z)
  MOTION[SPIN + 2] = s * (C * x + (b * c - a * f) * y + (a * e - b * b) * z)
}
