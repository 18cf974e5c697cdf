/**
 * Scales the velocities of a component back to a kinetic energy.
 *
 * What is held by something that does not move, or by locked axes: all velocities by one factor, which leaves J v = 0 as it was. What is free keeps its
 * momenta: of its velocities only those against its own rigid motion are scaled, v = v_c + Ω × r + s v', T = T_rigid + s² T',
 * with Ω = I⁻¹ L about the centre of mass. Where T_rigid alone is too much, Ω has come from nothing, and is scaled too; v_c only beside soft bodies that are solved as a whole.
 *
 * Energies are those of u = v + a, as the guard measures them: T(s) = s² T + s B + A, B = Σ m v·a, A = Σ ½ m a².
 */

import { ANY_ROTATION_LOCK, ANY_TRANSLATION_LOCK, type BodyColumns, ROTATES } from '../state/body-columns.js'
import { solveSpin } from '../math/rigid-spin.js'
import { worldInertia } from '../state/inertia.js'
import type { WorldView } from '../define/contract.js'
import type { Components } from './sources.js'

/** Scaling by less than this share is none. */
const NOTHING = 1e-9

/** What `scaleBack` returns where nothing was scaled. */
export const UNSCALED = -1

/** From which kinetic energy to which a component is scaled. */
export interface Scaling {
  /** Kinetic energy of u [J]. */
  kinetic: number
  /** What it may be [J], and what that of its rigid motion may be where nothing holds it, if that is more. */
  allowed: number
  allowedRigid: number
  /** Whether nothing holds it but, perhaps, locked axes. */
  isUnheld: boolean
  /** Whether a soft body in it is solved as a whole. */
  lendsMasses: boolean
  /** a of a body whose gravity is scaled by 1 [m/s]. */
  readonly fall: Float64Array
}

/** Scales a component back. Returns the kinetic energy that is left, or `UNSCALED`. */
export function scaleBack(world: WorldView, guard: Components, root: number, scaling: Scaling): number {
  MOTION.fill(0)
  measureFall(world, guard, root, scaling.fall)
  const { kinetic, allowed } = scaling
  const isFree = scaling.isUnheld && !isLocked(world, guard, root)
  // A lone body is its own rigid motion.
  if (isFree && isLone(world, guard, root)) return UNSCALED
  let share: number
  let most = allowed
  if (isFree) {
    const rigid = measureRigid(world, guard, root) + FALL[LINEAR] + FALL[CONSTANT]
    const rest = kinetic - rigid
    most = Math.max(allowed, Math.min(rigid, scaling.allowedRigid))
    // Where there is but the rigid motion, it alone is too much.
    share = rest > NOTHING * kinetic ? Math.sqrt(Math.max(0, most - rigid) / rest) : 0
    if (share < 1 - NOTHING && rigid > most) scaleRigid(most, rigid, scaling.lendsMasses)
  } else share = shareFor(kinetic - FALL[LINEAR] - FALL[CONSTANT], allowed)
  if (!(share < 1 - NOTHING)) return UNSCALED
  const { position, velocity, angularVelocity } = world.bodies.columns
  const { rows, count } = world.bodies.awake
  for (let n = 1; n < count; n++) {
    const i = rows[n]
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
  return most
}

/** Whether a component has a body with locked axes: they hold it as well, and no motion of the whole may move them. */
function isLocked(world: WorldView, guard: Components, root: number): boolean {
  const { flags } = world.bodies.columns
  const { rows, count } = world.bodies.awake
  for (let n = 1; n < count; n++) {
    const i = rows[n]
    if ((flags[i] & (ANY_TRANSLATION_LOCK | ANY_ROTATION_LOCK)) !== 0 && guard.isIn(world, i, root)) return true
  }
  return false
}

function isLone(world: WorldView, guard: Components, root: number): boolean {
  const { rows, count } = world.bodies.awake
  for (let n = 1; n < count; n++) if (rows[n] !== root && guard.isIn(world, rows[n], root)) return false
  return true
}

/** B and A of the component [J]. */
const FALL = /* @__PURE__ */ new Float64Array(2)
const LINEAR = 0
const CONSTANT = 1

function measureFall(world: WorldView, guard: Components, root: number, fall: Float64Array): void {
  const { velocity, inverseMass, gravityScale } = world.bodies.columns
  FALL[LINEAR] = FALL[CONSTANT] = 0
  if (fall[0] === 0 && fall[1] === 0 && fall[2] === 0) return
  const { rows, count } = world.bodies.awake
  for (let n = 1; n < count; n++) {
    const i = rows[n]
    if (!guard.isIn(world, i, root)) continue
    const scale = gravityScale[i]
    for (let k = 0; k < 3; k++) {
      const a = scale * fall[k]
      FALL[LINEAR] += (a * velocity[3 * i + k]) / inverseMass[i]
      FALL[CONSTANT] += (0.5 * a * a) / inverseMass[i]
    }
  }
}

/** s >= 0 of T s² + B s + A = `allowed`; 0 where there is none. */
function shareFor(T: number, allowed: number): number {
  const linear = FALL[LINEAR]
  const under = linear * linear + 4 * T * (allowed - FALL[CONSTANT])
  return T > 0 && under > 0 ? Math.max(0, (Math.sqrt(under) - linear) / (2 * T)) : 0
}

/**
 * The rigid motion alone has too much: its spin has come from nothing. Its momentum has not, as no row gives any, but where a soft body that is solved as a whole lends its nodes
 * other masses.
 */
function scaleRigid(allowed: number, rigid: number, lendsMasses: boolean): void {
  const spinning =
    0.5 *
    (MOTION[SPIN] * MOTION[MOMENT] + MOTION[SPIN + 1] * MOTION[MOMENT + 1] + MOTION[SPIN + 2] * MOTION[MOMENT + 2])
  const drifting = rigid - spinning
  const spin = spinning > 0 ? Math.sqrt(Math.max(0, allowed - drifting) / spinning) : 0
  const drift = lendsMasses && drifting > allowed ? shareFor(drifting - FALL[LINEAR] - FALL[CONSTANT], allowed) : 1
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
  const { rows, count } = world.bodies.awake
  let mass = 0
  for (let n = 1; n < count; n++) {
    const i = rows[n]
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
  for (let n = 1; n < count; n++) if (guard.isIn(world, rows[n], root)) addMoments(bodies, rows[n])
  solveSpin(WHOLE, MOTION, MOMENT, MOTION, SPIN)
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
