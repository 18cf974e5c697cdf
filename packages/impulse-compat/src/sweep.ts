/**
 * Sequential impulses (Catto 2005; Tamis & Maggiore 2015, 7): one pass over all groups, each impulse from the present
 * velocities and clamped as a sum,
 *
 *   λ' = clamp(λ − ω (J V + D λ − goal)/(J M⁻¹ Jᵀ + D)),   V += M⁻¹ Jᵀ (λ' − λ)
 *
 * Friction takes its bound from the normal impulse of the present iterate. Its two rows are solved together on a disc (cone),
 * opposed to the motion, or on their own in a square (pyramid).
 */

import { B_S, B_T, IMMOVABLE, K_SS, K_ST, K_TT, SLIP_RADIUS, solveDisc, STICK_RADIUS } from '@tautline/core/kernel'
import { BALL, BLOCK, FREE_ROWS, FRICTION, type RowSystem } from './row-system.js'
import { CHANGE, type Space } from './space.js'

const DISC = /* @__PURE__ */ new Float64Array(9)

/** How a pass goes about it. */
export interface Pass {
  /** ω of an update. */
  relaxation: number
  /** Whether bounds hold. */
  projects: boolean
  /** Whether the normals of a manifold are solved at once. */
  blocks: boolean
  /** Whether friction takes part. */
  hasFriction: boolean
  cone: boolean
  /** Whether friction is bounded by ν m g in place of the normal impulse. */
  byWeight: boolean
}

/** A disc whose determinant is below this share of its entries' product has one direction only. */
const FLAT = 1e-12

/** One pass over all groups. Returns the largest change that an impulse made to its own row's speed [m/s or rad/s]. */
export function sweep(system: RowSystem, impulse: Float64Array, space: Space, pass: Pass): number {
  const { groups, groupStart, groupSize, groupKind } = system
  let largest = 0
  for (let g = 0; g < groups; g++) {
    const from = groupStart[g]
    const to = from + groupSize[g]
    if (groupKind[g] === FRICTION) {
      if (pass.hasFriction) largest = Math.max(largest, solveFriction(system, impulse, space, g, pass))
      continue
    }
    const size = pass.blocks ? system.block[from] : 0
    if (size > 0) {
      const change = solveBlock(system, impulse, space, from, size, pass.relaxation)
      if (change >= 0) {
        largest = Math.max(largest, change)
        // The others are groups of one row each.
        g += size - 1
        continue
      }
    }
    largest = Math.max(largest, solveRows(system, impulse, space, from, to, pass))
    if (groupKind[g] === BALL && pass.projects) shrink(system, impulse, space, g)
  }
  return largest
}

/** Share of the diagonal that is added: four points of a face have three degrees of freedom, and share their load evenly so. */
const TRACE = 1e-3

const factor = /* @__PURE__ */ new Float64Array(BLOCK * BLOCK)
const step = /* @__PURE__ */ new Float64Array(BLOCK)

/**
 * `size` rows from `from` on at once, by LDLᵀ; returns the largest change of a speed, or −1 where one would be beyond its bound
 * and nothing was done.
 */
function solveBlock(
  system: RowSystem,
  impulse: Float64Array,
  space: Space,
  from: number,
  size: number,
  relaxation: number,
): number {
  const { blockMatrix, goal, passSoftness, diagonal, lower, upper } = system
  const o = BLOCK * BLOCK * from
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) {
      let sum = blockMatrix[o + BLOCK * i + j]
      for (let m = 0; m < j; m++) sum -= factor[BLOCK * i + m] * factor[BLOCK * j + m] * factor[(BLOCK + 1) * m]
      factor[BLOCK * i + j] = sum / factor[(BLOCK + 1) * j]
    }
    let d = (1 + TRACE) * blockMatrix[o + (BLOCK + 1) * i] + passSoftness[from + i]
    for (let m = 0; m < i; m++) d -= factor[BLOCK * i + m] * factor[BLOCK * i + m] * factor[(BLOCK + 1) * m]
    if (!(d > IMMOVABLE)) return -1
    factor[(BLOCK + 1) * i] = d
    let r = goal[from + i] - space.speed(from + i) - passSoftness[from + i] * impulse[from + i]
    for (let m = 0; m < i; m++) r -= factor[BLOCK * i + m] * step[m]
    step[i] = r
  }
  for (let i = size - 1; i >= 0; i--) {
    let x = step[i] / factor[(BLOCK + 1) * i]
    for (let m = i + 1; m < size; m++) x -= factor[BLOCK * m + i] * step[m]
    step[i] = x
    const fresh = impulse[from + i] + relaxation * x
    if (!(fresh >= lower[from + i] && fresh <= upper[from + i])) return -1
  }
  let largest = 0
  for (let i = 0; i < size; i++) {
    const change = relaxation * step[i]
    impulse[from + i] += change
    largest = Math.max(largest, Math.abs(change) * (diagonal[from + i] + passSoftness[from + i]))
    CHANGE[0] = change
    space.push(from + i)
  }
  return largest
}

function solveRows(
  system: RowSystem,
  impulse: Float64Array,
  space: Space,
  from: number,
  to: number,
  { relaxation, projects }: Pass,
): number {
  const { goal, passSoftness, diagonal, lower, upper } = system
  let largest = 0
  for (let k = from; k < to; k++) {
    const a = diagonal[k] + passSoftness[k]
    if (a <= IMMOVABLE) continue
    const old = impulse[k]
    let fresh = old - (relaxation * (space.speed(k) + passSoftness[k] * old - goal[k])) / a
    if (projects) fresh = Math.min(Math.max(fresh, lower[k]), upper[k])
    const change = fresh - old
    if (change === 0) continue
    impulse[k] = fresh
    largest = Math.max(largest, Math.abs(change) * a)
    CHANGE[0] = change
    space.push(k)
  }
  return largest
}

/** Brings a vector of impulses back onto its ball. */
function shrink(system: RowSystem, impulse: Float64Array, space: Space, g: number): void {
  const from = system.groupStart[g]
  const to = from + system.groupSize[g]
  let squared = 0
  for (let k = from; k < to; k++) squared += impulse[k] * impulse[k]
  if (squared <= system.radius[g] * system.radius[g]) return
  const scale = system.slip[g] / Math.sqrt(squared)
  for (let k = from; k < to; k++) {
    const change = (scale - 1) * impulse[k]
    impulse[k] += change
    CHANGE[0] = change
    space.push(k)
  }
}

/** What multiplies a friction coefficient [N s]. */
export function loadOn(system: RowSystem, impulse: Float64Array, g: number, byWeight: boolean): number {
  if (byWeight) return system.weight[g]
  let load = 0
  const from = system.normal[g]
  for (let k = from; k < from + system.normals[g]; k++) load += impulse[k]
  return Math.max(load, 0)
}

/** Friction of one contact. */
function solveFriction(system: RowSystem, impulse: Float64Array, space: Space, g: number, pass: Pass): number {
  const { diagonal, passSoftness, goal, cross, radius, slip } = system
  const s = system.groupStart[g]
  const t = s + 1
  const kss = diagonal[s] + passSoftness[s]
  const ktt = diagonal[t] + passSoftness[t]
  if (kss <= IMMOVABLE || ktt <= IMMOVABLE) return 0
  const load = pass.projects ? loadOn(system, impulse, g, pass.byWeight) : Infinity
  const kst = cross[g]
  const isFlat = kss * ktt - kst * kst <= FLAT * kss * ktt
  if (!pass.cone || !pass.projects || isFlat) {
    const change = rubAlong(system, impulse, space, s, radius[g] * load, pass.relaxation)
    return Math.max(change, rubAlong(system, impulse, space, t, radius[g] * load, pass.relaxation))
  }
  const p = impulse[s]
  const q = impulse[t]
  const u = space.speed(s) + passSoftness[s] * p - goal[s]
  const v = space.speed(t) + passSoftness[t] * q - goal[t]
  DISC[K_SS] = kss
  DISC[K_ST] = kst
  DISC[K_TT] = ktt
  DISC[B_S] = u - kss * p - kst * q
  DISC[B_T] = v - kst * p - ktt * q
  DISC[STICK_RADIUS] = radius[g] * load
  DISC[SLIP_RADIUS] = slip[g] * load
  solveDisc(DISC)
  let freshS = p + pass.relaxation * (DISC[0] - p)
  let freshT = q + pass.relaxation * (DISC[1] - q)
  // A step beyond the disc's solution, or short of it after the load fell, ends outside.
  const reach = radius[g] * load
  const size = Math.sqrt(freshS * freshS + freshT * freshT)
  if (size > reach) {
    freshS *= reach / size
    freshT *= reach / size
  }
  const changeS = freshS - p
  const changeT = freshT - q
  impulse[s] += changeS
  impulse[t] += changeT
  CHANGE[0] = changeS
  space.push(s)
  CHANGE[0] = changeT
  space.push(t)
  return Math.max(Math.abs(changeS) * kss, Math.abs(changeT) * ktt)
}

/** One row of a pyramid; returns the change of its speed. */
function rubAlong(
  system: RowSystem,
  impulse: Float64Array,
  space: Space,
  k: number,
  bound: number,
  relaxation: number,
): number {
  const a = system.diagonal[k] + system.passSoftness[k]
  const old = impulse[k]
  const fresh = old - (relaxation * (space.speed(k) + system.passSoftness[k] * old - system.goal[k])) / a
  const change = Math.min(Math.max(fresh, -bound), bound) - old
  impulse[k] += change
  CHANGE[0] = change
  space.push(k)
  return Math.abs(change) * a
}

/**
 * How far the speeds are from what the rows ask [m/s or rad/s]: the change that a full, clamped update would make to each
 * row on its own; the largest. Rows of a vector on its bound, as friction that slides, ask nothing.
 */
export function residualOf(system: RowSystem, impulse: Float64Array, space: Space, pass: Pass): number {
  const { groups, groupStart, groupSize, groupKind, diagonal, passSoftness, goal, lower, upper } = system
  let largest = 0
  for (let g = 0; g < groups; g++) {
    const from = groupStart[g]
    const to = from + groupSize[g]
    if (groupKind[g] === FRICTION && !pass.hasFriction) continue
    if (groupKind[g] !== FREE_ROWS && isOnBound(system, impulse, g, pass.byWeight)) continue
    for (let k = from; k < to; k++) {
      const a = diagonal[k] + passSoftness[k]
      if (a <= IMMOVABLE) continue
      const fresh = impulse[k] - (space.speed(k) + passSoftness[k] * impulse[k] - goal[k]) / a
      const held = Math.min(Math.max(fresh, lower[k]), upper[k])
      largest = Math.max(largest, Math.abs(held - impulse[k]) * a)
    }
  }
  return largest
}

/** A vector within this share of its bound is on it. */
const ON_BOUND = 1e-9

function isOnBound(system: RowSystem, impulse: Float64Array, g: number, byWeight: boolean): boolean {
  const unit = system.groupKind[g] === FRICTION ? loadOn(system, impulse, g, byWeight) : 1
  const bound = (1 - ON_BOUND) * Math.min(system.radius[g], system.slip[g]) * unit
  const from = system.groupStart[g]
  let squared = 0
  for (let k = from; k < from + system.groupSize[g]; k++) squared += impulse[k] * impulse[k]
  return squared >= bound * bound
}
