/**
 * From what `evaluate` says of each constraint to rows on velocities: linearised once a substep of h at its start.
 *
 *   position  c + h J V = 0 softened by compliance C and damping R C:  J V + C/(h (h + R)) λ = −c/(h + R)
 *             rigid (C = R = 0): J V = 0, and a push that repairs c (`Stabilization`)
 *             one-sided and open: J V ≥ −c/h: it may close, and no more
 *   force     λ = −h (k c' + d (ċ − rate)), c' = c + h J V:  J V + λ/(h (h k + d)) = −(k c − d rate)/(h k + d)
 *   rate      J V = rate
 *   friction  J V = 0
 *   law       λ = h F(X), linearised at the predicted pose:  h² K V + λ = h F + h² K V₀
 *
 * C and k are those of the definition. A soft row has a frequency ω and a damping ratio ζ instead (Catto 2011):
 *   push −ω/a₁ c,  softness w/(h ω a₁),  a₁ = 2ζ + h ω,  w = J M⁻¹ Jᵀ.
 */

import { type LeanWorld } from '@tautline/core'
import {
  ANY_TRANSLATION_LOCK,
  type Batch,
  type BodyColumns,
  type Group,
  KINEMATIC,
  LOCK_TRANSLATION,
  type Rows,
  RUNAWAY,
} from '@tautline/core/kernel'
import type { ImpulseSettings } from './options.js'
import { BALL, BLOCK, FRICTION, type RowSystem, ENTRY } from './row-system.js'
import type { Space } from './space.js'

/** What rows are gathered at: two poses and two velocities, six numbers a body. */
export interface State {
  /** The start of the substep, and where it leads without constraints. */
  readonly bodies: BodyColumns
  readonly predicted: BodyColumns
  /** Speeds by velocities before forces, V₁, and after, V₀. */
  readonly before: Space
  readonly after: Space
}

/** A quarter of the substeps' rate is the highest frequency that a soft row resolves. */
const RESOLVED = 0.25
/** Impacts slower than this many substeps of falling do not bounce, or what rests would never. */
const RESTING = 2

/** Fills `system` with the rows of all batches that act, in the world's sweep order. */
export function gather(world: LeanWorld, system: RowSystem, state: State, settings: ImpulseSettings, h: number): void {
  system.clear()
  const { substepLength } = world.clock
  const share = substepLength > 0 ? (settings.warmStart * h) / (substepLength * substepLength) : 0
  for (let index = 0; index < world.batches.length; index++) {
    const batch = world.batches[index]
    const { type, rows, active } = batch
    const bodies = type.traits?.hasTangent === true ? state.predicted : state.bodies
    rows.substep = h
    for (let row = 0; row < active; row++) {
      rows.clear()
      type.evaluate(bodies, batch, row, rows)
      const base = system.rows
      for (let g = 0; g < rows.groupCount; g++) {
        addGroup(world, system, state, settings, index, row, rows.groups[g], base, share, h)
      }
      if (settings.contacts === 'manifold' && type.traits?.transient === true) addBlock(system, base)
    }
  }
}

function addGroup(
  world: LeanWorld,
  system: RowSystem,
  state: State,
  settings: ImpulseSettings,
  index: number,
  row: number,
  group: Group,
  base: number,
  share: number,
  h: number,
): void {
  const batch = world.batches[index]
  const { rows, type } = batch
  const { lambda, regularization } = batch.common
  const first = system.rows
  const g = system.openGroup()
  for (let k = group.start; k < group.start + group.size; k++) {
    const r = system.openRow()
    system.batch[r] = index
    system.multiplier[r] = type.multipliers * row + rows.multiplier[k]
    system.error[r] = rows.c[k]
    system.softness[r] = regularization[row]
    addEntries(state.bodies, system, batch, row, k, group, h)
    if (group.kind === 'scalar') {
      system.lower[r] = h * group.lower
      system.upper[r] = h * group.upper
    }
  }
  if (group.kind === 'disc') addFriction(world, system, state.bodies, g, group, rows, base, h)
  else if (group.radius < Infinity) {
    system.groupKind[g] = BALL
    system.radius[g] = h * group.radius
    system.slip[g] = h * Math.min(group.slip, group.radius)
  }
  const scale = group.accelerationMode && system.diagonal[first] > 0 ? 1 / system.diagonal[first] : 1
  for (let k = 0; k < group.size; k++) {
    const r = first + k
    if (group.law === 'position' && group.kind !== 'disc') askPosition(system, r, group, settings, h)
    else if (group.law === 'force') askForce(system, r, group, scale, rows.rate[group.start + k], h)
    else if (group.law === 'rate') system.target[r] = rows.rate[group.start + k]
    else if (group.law === 'implicitForce') askLaw(system, r, state.after, h)
    if (group.restitution > 0) askBounce(world, system, r, group, state.before, settings, h)
    const last = lambda[system.multiplier[r]]
    // Of a body that ran away, perhaps not a number: as a first guess it would never leave the system again.
    const kept = Math.abs(last) < RUNAWAY ? share * last : 0
    system.impulse[r] = Math.min(Math.max(kept, system.lower[r]), system.upper[r])
  }
}

/** Joins the normals that a manifold starts with, from row `base` on. */
function addBlock(system: RowSystem, base: number): void {
  let size = 0
  while (base + size < system.rows && size < BLOCK && system.side[base + size] !== 0) size++
  if (size < 2) return
  system.block[base] = size
  for (let k = 0; k < size; k++) {
    for (let l = 0; l < size; l++) {
      system.blockMatrix[BLOCK * BLOCK * base + BLOCK * k + l] = coupling(system, base + k, base + l)
    }
  }
}

/** One entry for each body that has a velocity and a gradient in row `k` of the constraint. */
function addEntries(
  bodies: BodyColumns,
  system: RowSystem,
  batch: Batch,
  row: number,
  k: number,
  group: Group,
  h: number,
): void {
  const { arity, rows, ids } = batch
  const { position, inverseInertia: I, kind, flags } = bodies
  const r = system.rows - 1
  const isLaw = group.law === 'implicitForce'
  let w = 0
  for (let b = 0; b < arity; b++) {
    const i = ids[arity * row + b]
    const m = position[4 * i + 3]
    // What is static, frozen or asleep neither moves nor is moved.
    if (m === 0 && kind[i] !== KINEMATIC) continue
    const o = ENTRY * (arity * k + b)
    const t = group.size * (k - group.start) + ENTRY * b
    if (isZero(rows.J, o) && (!isLaw || isZero(rows.tangent, t))) continue
    const s = ENTRY * system.openEntry(i)
    const { measure, direction, response } = system
    for (let l = 0; l < ENTRY; l++) {
      direction[s + l] = rows.J[o + l]
      measure[s + l] = isLaw ? h * h * rows.tangent[t + l] : rows.J[o + l]
    }
    const q = 9 * i
    const x = direction[s + 3]
    const y = direction[s + 4]
    const z = direction[s + 5]
    response[s] = m * direction[s]
    response[s + 1] = m * direction[s + 1]
    response[s + 2] = m * direction[s + 2]
    response[s + 3] = I[q] * x + I[q + 1] * y + I[q + 2] * z
    response[s + 4] = I[q + 3] * x + I[q + 4] * y + I[q + 5] * z
    response[s + 5] = I[q + 6] * x + I[q + 7] * y + I[q + 8] * z
    if ((flags[i] & ANY_TRANSLATION_LOCK) !== 0) {
      for (let l = 0; l < 3; l++) if ((flags[i] & (LOCK_TRANSLATION << l)) !== 0) response[s + l] = 0
    }
    w +=
      measure[s] * response[s] +
      measure[s + 1] * response[s + 1] +
      measure[s + 2] * response[s + 2] +
      (measure[s + 3] * response[s + 3] + measure[s + 4] * response[s + 4] + measure[s + 5] * response[s + 5])
  }
  system.diagonal[r] = w
}

function isZero(v: Float64Array, o: number): boolean {
  for (let l = o; l < o + ENTRY; l++) if (v[l] !== 0) return false
  return true
}

/** Springs of a definition, rigid rows, and rows that are open. */
function askPosition(system: RowSystem, r: number, group: Group, settings: ImpulseSettings, h: number): void {
  const c = system.error[r]
  const side = group.lower === 0 ? 1 : group.upper === 0 ? -1 : 0
  system.side[r] = side
  // Held between two forces, and not to a place: friction.
  if (side === 0 && group.lower > -Infinity && group.upper < Infinity) return
  if (side * c > 0) {
    system.target[r] = -c / h
    return
  }
  const { compliance, rayleigh } = group
  if (compliance > 0 || rayleigh > 0) {
    system.target[r] = -c / (h + rayleigh)
    system.softness[r] += compliance / (h * (h + rayleigh))
    return
  }
  if (settings.stabilization === 'none') return
  const slop = side !== 0 && group.unit === 'm' ? settings.slop : 0
  const excess = side === 0 ? c : side * Math.min(side * c + slop, 0)
  let rate = settings.beta / h
  if (settings.stabilization === 'soft') rate = soften(system, r, side, settings, h)
  const speed = -rate * excess
  const most = side === 0 ? Infinity : settings.maxPush
  system.push[r] = Math.min(Math.max(speed, -most), most)
}

/** Softness of a row by frequency and damping ratio; returns the share of its error that it repairs, a second. */
function soften(system: RowSystem, r: number, side: number, settings: ImpulseSettings, h: number): number {
  const { contactFrequency, contactDampingRatio, jointFrequency, jointDampingRatio } = settings
  // Against what does not move twice as stiff (Catto 2023).
  const isAnchored = system.first[r + 1] - system.first[r] < 2
  const wanted = side === 0 ? jointFrequency : isAnchored ? 2 * contactFrequency : contactFrequency
  const omega = 2 * Math.PI * Math.min(wanted, RESOLVED / h)
  const a1 = 2 * (side === 0 ? jointDampingRatio : contactDampingRatio) + h * omega
  system.pushSoftness[r] = system.diagonal[r] / (h * omega * a1)
  return omega / a1
}

function askForce(system: RowSystem, r: number, group: Group, scale: number, rate: number, h: number): void {
  const k = scale * group.stiffness
  const d = scale * group.damping
  const s = h * k + d
  // Without stiffness and damping there is no force: bounds of nothing.
  if (s === 0) {
    system.lower[r] = system.upper[r] = 0
    return
  }
  system.target[r] = -(k * system.error[r] - d * rate) / s
  system.softness[r] = 1 / (h * s)
}

function askLaw(system: RowSystem, r: number, after: Space, h: number): void {
  system.target[r] = -h * system.error[r] + after.speed(r)
  system.softness[r] = 1
}

/** An impact: what the row approached with before forces, if it touches within the substep, and fast enough. */
function askBounce(
  world: LeanWorld,
  system: RowSystem,
  r: number,
  group: Group,
  before: Space,
  settings: ImpulseSettings,
  h: number,
): void {
  const side = system.side[r]
  const approach = before.speed(r)
  const touches = side * (system.error[r] + h * approach) <= 0
  const isNear = touches || side * system.error[r] <= settings.slop
  if (settings.restitution === 'sequential') {
    // What touches may be struck later, when another impact has moved it.
    system.restitution[r] = isNear ? group.restitution : 0
    return
  }
  if (!touches || -side * approach <= bounceThreshold(world, settings, h)) return
  const leave = -group.restitution * approach
  system.target[r] = side > 0 ? Math.max(system.target[r], leave) : Math.min(system.target[r], leave)
}

/** Slower approach rests [m/s]. */
export function bounceThreshold(world: LeanWorld, settings: ImpulseSettings, h: number): number {
  if (settings.restitutionThreshold >= 0) return settings.restitutionThreshold
  const [x, y, z] = world.settings.gravity
  return RESTING * h * Math.sqrt(x * x + y * y + z * z)
}

function addFriction(
  world: LeanWorld,
  system: RowSystem,
  bodies: BodyColumns,
  g: number,
  group: Group,
  rows: Rows,
  base: number,
  h: number,
): void {
  system.groupKind[g] = FRICTION
  system.radius[g] = group.radius
  system.slip[g] = Math.min(group.slip, group.radius)
  system.normals[g] = group.normals
  for (let k = 0; k < rows.count; k++) if (rows.multiplier[k] === group.normal) system.normal[g] = base + k
  system.cross[g] = coupling(system, system.groupStart[g], system.groupStart[g] + 1)
  system.weight[g] = h * weightOn(world, system, bodies, system.normal[g], group.normals)
}

/** J_k M⁻¹ J_lᵀ of two rows of one constraint. */
function coupling(system: RowSystem, k: number, l: number): number {
  const { first, body, measure, response } = system
  let w = 0
  for (let e = first[k]; e < first[k + 1]; e++) {
    for (let f = first[l]; f < first[l + 1]; f++) {
      if (body[e] !== body[f]) continue
      for (let i = 0; i < ENTRY; i++) w += measure[ENTRY * e + i] * response[ENTRY * f + i]
    }
  }
  return w
}

/** m |g·n̂| of the bodies that a contact joins, where it touches (Tamis & Maggiore 5.4). */
function weightOn(world: LeanWorld, system: RowSystem, bodies: BodyColumns, normal: number, count: number): number {
  const { first, body, direction, error } = system
  let touches = false
  for (let r = normal; r < normal + count; r++) if (error[r] <= 0) touches = true
  if (!touches) return 0
  const { gravity } = world.settings
  let mass = 0
  let along = 0
  for (let e = first[normal]; e < first[normal + 1]; e++) {
    const m = bodies.position[4 * body[e] + 3]
    if (m > 0) mass += 1 / m
    along = 0
    for (let l = 0; l < 3; l++) along += gravity[l] * direction[ENTRY * e + l]
  }
  return mass * Math.abs(along)
}
