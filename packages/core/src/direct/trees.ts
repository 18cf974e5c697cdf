/**
 * Direct solution of joint trees: Newton's method on (X, λ) of one substep (Waterson 47, 48; docs/method.md).
 *
 *   g = M (X ⊖ X̂) − Jᵀλ + b = 0                 X̂: where the visit found the bodies
 *   r = (s c + d δ + a λ)/(s + d) = 0           gains by law, as in row-solver.ts
 *   (M + K) dX − Jᵀ dλ = −g,  J dX + a dλ = −r   K: geometric stiffness
 *
 * λ goes on from the last substep. In the first visit of a substep b = 0; later ones find bodies that others have pushed since,
 * and b = Jᵀλ makes g = 0 there. Rows at a bound leave the system with what they push. The Newton step is scaled so that no
 * body turns more than TURN; where the merit does not fall the tree is put back and left to the sweep.
 */

import type { Batch } from '../batch.js'
import { type BodyColumns, LOCK_ROTATION, LOCK_TRANSLATION } from '../body-columns.js'
import { normalizeQuaternion, rotationBetween, turnBy } from '../math/rotation.js'
import { loadGradient, moved, rowMass, sweepRows } from '../row-solver.js'
import type { Group } from '../rows.js'
import type { World } from '../world.js'
import { Curvature } from './curvature.js'
import { clip, isDefinite } from './definite.js'
import { eliminate, SIX, substitute, type System } from './factor.js'
import type { Forest } from './forest.js'

const BLOCK = 36
/** Most that a body turns in one solve [rad]: rows are linear that far. */
const TURN = 0.5
/** Rows that are this near [m, rad] are solved … */
const MET = 1e-9
/** … and bodies that are this near to where their forces put them [m, rad], and this share of how far those push them. */
const BALANCED = 1e-9
const BALANCED_SHARE = 1e-6
/** Share of its inertia that a body's geometric stiffness may take away; where it takes more, its negative part is left out. */
const HEADROOM = 0.9
/** Share of a body's diagonal that takes the place of what is not positive even then. */
const FLOOR = 1e-3
/** Most solves a visit, and most halvings of a step. */
const MOST = 40
const HALVINGS = 5
/** Multipliers this large [kg m] are no guess. */
const RUNAWAY = 1e50

/** Trees of a world with the scratch of their solution. */
export class Trees implements System {
  readonly forest: Forest
  H: Float64Array
  C: Float64Array
  g: Float64Array
  dX: Float64Array
  Ji: Float64Array
  Jp: Float64Array
  r: Float64Array
  a: Float64Array
  dl: Float64Array
  S: Float64Array
  rows: Int32Array
  coupled: Uint8Array
  singular: Uint8Array
  floor = 0
  /** Gradients are those kept by the batches: without curvature, and linear in λ. */
  kept = false
  /** Geometric stiffness of a node's body, before it is added to M. */
  K: Float64Array
  /** First number of a node's S. */
  readonly firstPair: Int32Array
  /** M of a node at the predicted pose: mass [kg], inertia (9) [kg m²]; 1 where a coordinate is locked. */
  readonly mass: Float64Array
  readonly inertia: Float64Array
  /** Which coordinates move, a bit each. */
  readonly free: Uint8Array
  /** X̂ of a node, and b. */
  readonly start: Float64Array
  readonly base: Float64Array
  /** Of an active row: its multiplier's column and place, bounds on it (times h²), or its group's size and radius. */
  readonly column: Float64Array[]
  readonly place: Int32Array
  readonly origin: Int32Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly size: Int32Array
  readonly radius: Float64Array
  /** λ of all members as a visit found them; poses and λ before the step in hand. */
  readonly found: Float64Array
  readonly iterate: Float64Array
  readonly multipliers: Float64Array
  readonly firstMultiplier: Int32Array
  /** Of all members' multipliers: 1 where the last step came to a bound. */
  readonly released: Uint8Array
  /** Of the last step: visits of a tree, Newton's solves in them, and those that ended unsolved or in a sweep. */
  solves = 0
  visits = 0
  fallbacks = 0
  unsolved = 0

  constructor(forest: Forest) {
    this.forest = forest
    const n = forest.nodeCount
    const rows = forest.firstRow[n]
    this.H = new Float64Array(BLOCK * n)
    this.K = new Float64Array(BLOCK * (n + 1))
    this.C = new Float64Array(BLOCK * n)
    this.g = new Float64Array(SIX * (n + 1))
    this.dX = new Float64Array(SIX * n)
    this.Ji = new Float64Array(SIX * rows)
    this.Jp = new Float64Array(SIX * rows)
    this.r = new Float64Array(rows)
    this.a = new Float64Array(rows)
    this.dl = new Float64Array(rows)
    this.rows = new Int32Array(n)
    this.coupled = new Uint8Array(n)
    this.singular = new Uint8Array(n)
    this.firstPair = new Int32Array(n + 1)
    for (let i = 0; i < n; i++) {
      const width = forest.firstRow[i + 1] - forest.firstRow[i]
      this.firstPair[i + 1] = this.firstPair[i] + width * width
    }
    this.S = new Float64Array(this.firstPair[n])
    this.mass = new Float64Array(n)
    this.inertia = new Float64Array(9 * n)
    this.free = new Uint8Array(n)
    this.start = new Float64Array(7 * n)
    this.base = new Float64Array(SIX * n)
    this.column = new Array<Float64Array>(rows)
    this.place = new Int32Array(rows)
    this.origin = new Int32Array(rows)
    this.lower = new Float64Array(rows)
    this.upper = new Float64Array(rows)
    this.size = new Int32Array(rows)
    this.radius = new Float64Array(rows)
    const members = forest.batch.length
    this.firstMultiplier = new Int32Array(members + 1)
    for (let k = 0; k < members; k++) {
      this.firstMultiplier[k + 1] = this.firstMultiplier[k] + forest.batch[k].type.multipliers
    }
    this.found = new Float64Array(this.firstMultiplier[members])
    this.multipliers = new Float64Array(this.firstMultiplier[members])
    this.released = new Uint8Array(this.firstMultiplier[members])
    this.iterate = new Float64Array(7 * n)
  }
}

const curvature = /* @__PURE__ */ new Curvature()
const turned = /* @__PURE__ */ new Float64Array(3)
/** Of the last assembly: worst |r|, worst |M⁻¹ g|, farthest push of a row, objective, Σ |r|. */
const LEFT = /* @__PURE__ */ new Float64Array(5)

/** M of every node at the predicted pose. */
export function prepareTrees(world: World, trees: Trees): void {
  const bodies = world.bodies.columns
  trees.kept = world.settings.jacobians !== 'fresh'
  const { forest, mass, inertia, free } = trees
  for (let n = 0; n < forest.nodeCount; n++) {
    const i = forest.body[n]
    mass[n] = 1 / bodies.position[4 * i + 3]
    free[n] = freeOf(bodies, i)
    invertSymmetric(bodies.inverseInertia, 9 * i, free[n] >> 3, inertia, 9 * n)
  }
}

/** Bits of the coordinates that are not locked. */
function freeOf(bodies: BodyColumns, i: number): number {
  const flags = bodies.flags[i]
  let free = 0
  for (let axis = 0; axis < 3; axis++) {
    if ((flags & (LOCK_TRANSLATION << axis)) === 0) free |= 1 << axis
    const turns = bodies.inverseInertia[9 * i + 4 * axis] > 0
    if (turns && (flags & (LOCK_ROTATION << axis)) === 0) free |= 8 << axis
  }
  return free
}

/** Inverse on the axes that are free; 1 on the diagonal of the others. */
function invertSymmetric(I: Float64Array, o: number, free: number, out: Float64Array, u: number): void {
  const fx = free & 1
  const fy = (free >> 1) & 1
  const fz = (free >> 2) & 1
  const a = fx !== 0 ? I[o] : 1
  const e = fy !== 0 ? I[o + 4] : 1
  const i = fz !== 0 ? I[o + 8] : 1
  const b = fx & fy ? 0.5 * (I[o + 1] + I[o + 3]) : 0
  const c = fx & fz ? 0.5 * (I[o + 2] + I[o + 6]) : 0
  const f = fy & fz ? 0.5 * (I[o + 5] + I[o + 7]) : 0
  const A = e * i - f * f
  const B = c * f - b * i
  const C = b * f - c * e
  const s = 1 / (a * A + b * B + c * C)
  out[u] = s * A
  out[u + 1] = out[u + 3] = s * B
  out[u + 2] = out[u + 6] = s * C
  out[u + 4] = s * (a * i - c * c)
  out[u + 5] = out[u + 7] = s * (b * c - a * f)
  out[u + 8] = s * (a * e - b * b)
}

/** Forgets what the last step counted. */
export function beginCount(trees: Trees): void {
  trees.solves = trees.visits = trees.fallbacks = trees.unsolved = 0
  trees.singular.fill(0)
}

/** One visit of the sweep: solves every tree to the end. */
export function solveTrees(world: World, trees: Trees, h: number, first: boolean): void {
  const { forest } = trees
  for (let t = 0; t < forest.treeCount; t++) {
    trees.visits++
    if (solveTree(world, trees, t, h, first)) continue
    trees.fallbacks++
    sweepTree(world, trees, t, h)
  }
}

function solveTree(world: World, trees: Trees, t: number, h: number, first: boolean): boolean {
  const bodies = world.bodies.columns
  const { forest } = trees
  const from = forest.start[t]
  const to = forest.start[t + 1]
  note(bodies, trees, from, to, trees.start, trees.found)
  trees.base.fill(0, SIX * from, SIX * to)
  if (first) startFromPull(bodies, trees, from, to, h * h)
  assemble(bodies, trees, from, to, h)
  if (!first) {
    for (let k = SIX * from; k < SIX * to; k++) trees.base[k] = -trees.g[k]
    assemble(bodies, trees, from, to, h)
  }
  const found = LEFT[4]
  for (let solve = 0; solve < MOST && !isSolved(); solve++) {
    trees.solves++
    if (!newton(bodies, trees, from, to, h)) break
  }
  if (isSolved()) {
    if (first) notePull(bodies, trees, from, to, h * h)
    return true
  }
  if (LEFT[4] < 0.5 * found) {
    trees.unsolved++
    return true
  }
  goBack(bodies, trees, from, to, trees.start, trees.found)
  return false
}

function isSolved(): boolean {
  return LEFT[0] <= MET && LEFT[1] <= BALANCED + BALANCED_SHARE * LEFT[2]
}

/**
 * One Newton step, and the residuals after it. Where the whole stiffness is not definite, with what is safe of it. The step is
 * halved until either the residuals or the exact penalty ½‖X ⊖ X̂‖²_M + ½ aλ² + ν Σ|r| has fallen; false when it does not.
 */
function newton(bodies: BodyColumns, trees: Trees, from: number, to: number, h: number): boolean {
  const { forest } = trees
  if (!factor(trees, from, to)) {
    curvature.safe = true
    trees.floor = FLOOR
    assemble(bodies, trees, from, to, h)
    const isDefinite = factor(trees, from, to)
    curvature.safe = false
    trees.floor = 0
    if (!isDefinite) return false
  }
  for (let n = to - 1; n >= from; n--) {
    substitute(trees, n, forest.parent[n], forest.firstRow[n], trees.firstPair[n])
  }
  let share = limitTurn(trees, from, to)
  const penalty = worstForce(trees, from, to)
  const before = LEFT[3] + penalty * LEFT[4]
  const gap = LEFT[0]
  const unbalance = LEFT[1]
  note(bodies, trees, from, to, trees.iterate, trees.multipliers)
  for (let halvings = 0; ; halvings++) {
    advance(bodies, trees, from, to, share)
    assemble(bodies, trees, from, to, h)
    if ((LEFT[0] <= gap && LEFT[1] <= unbalance) || LEFT[3] + penalty * LEFT[4] < before) return true
    if (halvings === HALVINGS) return false
    goBack(bodies, trees, from, to, trees.iterate, trees.multipliers)
    assemble(bodies, trees, from, to, h)
    share *= 0.5
  }
}

/** Largest multiplier after a whole step. */
function worstForce(trees: Trees, from: number, to: number): number {
  const { forest, dl } = trees
  let worst = 0
  for (let n = from; n < to; n++) {
    const first = forest.firstRow[n]
    for (let k = first; k < first + trees.rows[n]; k++) {
      worst = Math.max(worst, Math.abs(trees.column[k][trees.place[k]] + dl[k]))
    }
  }
  return worst
}

/** The share of a step with which no body turns more than TURN. */
function limitTurn(trees: Trees, from: number, to: number): number {
  const { dX } = trees
  let most = 0
  for (let n = from; n < to; n++) {
    const o = SIX * n + 3
    most = Math.max(most, dX[o] * dX[o] + dX[o + 1] * dX[o + 1] + dX[o + 2] * dX[o + 2])
  }
  return most > TURN * TURN ? TURN / Math.sqrt(most) : 1
}

/** Eliminates a tree, leaves first. */
function factor(trees: Trees, from: number, to: number): boolean {
  const { forest } = trees
  for (let n = from; n < to; n++) {
    if (!eliminate(trees, n, forest.parent[n], forest.firstRow[n], trees.firstPair[n])) return false
  }
  return true
}

/** Notes poses and multipliers; a multiplier beyond all measure counts as none. */
function note(
  bodies: BodyColumns,
  trees: Trees,
  from: number,
  to: number,
  poses: Float64Array,
  multipliers: Float64Array,
): void {
  const { forest, firstMultiplier } = trees
  const { position, orientation } = bodies
  for (let n = from; n < to; n++) {
    const i = 4 * forest.body[n]
    for (let k = 0; k < 3; k++) poses[7 * n + k] = position[i + k]
    for (let k = 0; k < 4; k++) poses[7 * n + 3 + k] = orientation[i + k]
    for (let e = forest.firstMember[n]; e < forest.firstMember[n + 1]; e++) {
      const { lambda } = forest.batch[e].common
      const width = forest.batch[e].type.multipliers
      const o = width * forest.row[e]
      for (let k = 0; k < width; k++) {
        if (!(Math.abs(lambda[o + k]) < RUNAWAY)) lambda[o + k] = 0
        multipliers[firstMultiplier[e] + k] = lambda[o + k]
      }
    }
  }
}

/** Goes back to what was noted. */
function goBack(
  bodies: BodyColumns,
  trees: Trees,
  from: number,
  to: number,
  poses: Float64Array,
  multipliers: Float64Array,
): void {
  const { forest, firstMultiplier } = trees
  const { position, orientation } = bodies
  for (let n = from; n < to; n++) {
    const i = 4 * forest.body[n]
    for (let k = 0; k < 3; k++) position[i + k] = poses[7 * n + k]
    for (let k = 0; k < 4; k++) orientation[i + k] = poses[7 * n + 3 + k]
    for (let e = forest.firstMember[n]; e < forest.firstMember[n + 1]; e++) {
      const { lambda } = forest.batch[e].common
      const width = forest.batch[e].type.multipliers
      for (let k = 0; k < width; k++) lambda[width * forest.row[e] + k] = multipliers[firstMultiplier[e] + k]
    }
  }
}

/** A first guess: bodies as they would be if their joints did to them what they did last. */
function startFromPull(bodies: BodyColumns, trees: Trees, from: number, to: number, s: number): void {
  const { forest } = trees
  const { position, orientation, pull } = bodies
  for (let n = from; n < to; n++) {
    const i = forest.body[n]
    for (let c = 0; c < 3; c++) {
      position[4 * i + c] += s * pull[6 * i + c]
      turned[c] = s * pull[6 * i + 3 + c]
    }
    turnBy(orientation, 4 * i, turned)
  }
}

function notePull(bodies: BodyColumns, trees: Trees, from: number, to: number, s: number): void {
  const { forest, start } = trees
  const { position, orientation, pull } = bodies
  for (let n = from; n < to; n++) {
    const i = forest.body[n]
    rotationBetween(orientation, 4 * i, start, 7 * n + 3, turned, 0)
    for (let c = 0; c < 3; c++) {
      pull[6 * i + c] = (position[4 * i + c] - start[7 * n + c]) / s
      pull[6 * i + 3 + c] = turned[c] / s
    }
  }
}

/** The joints of a tree one after another, from the root. */
function sweepTree(world: World, trees: Trees, t: number, h: number): void {
  const bodies = world.bodies.columns
  const { forest } = trees
  for (let n = forest.start[t + 1] - 1; n >= forest.start[t]; n--) {
    for (let e = forest.firstMember[n]; e < forest.firstMember[n + 1]; e++) {
      const batch = forest.batch[e]
      const row = forest.row[e]
      if (trees.kept || batch.type.sweep === undefined) sweepRows(bodies, batch, row, row + 1, h, trees.kept)
      else batch.type.sweep(bodies, batch, row, row + 1, h)
    }
  }
}

/** Blocks, rows and right sides of a tree at the present (X, λ); what is left to solve, into `LEFT`. */
function assemble(bodies: BodyColumns, trees: Trees, from: number, to: number, h: number): void {
  const { forest, H, g, K } = trees
  H.fill(0, BLOCK * from, BLOCK * to)
  K.fill(0, BLOCK * from, BLOCK * to)
  g.fill(0, SIX * from, SIX * to)
  LEFT.fill(0)
  for (let n = from; n < to; n++) {
    trees.coupled[n] = 0
    trees.rows[n] = 0
    for (let e = forest.firstMember[n]; e < forest.firstMember[n + 1]; e++) addJoint(bodies, trees, n, e, h)
  }
  for (let n = from; n < to; n++) addBody(bodies, trees, n)
}

/** M (X ⊖ X̂) + b into g, M + K into Ĥ. */
function addBody(bodies: BodyColumns, trees: Trees, n: number): void {
  const { forest, H, K, g, mass, inertia, free, start, base } = trees
  const i = 4 * forest.body[n]
  const { position, orientation } = bodies
  const o = SIX * n
  const u = 9 * n
  const k = BLOCK * n
  const m = mass[n]
  const moves = free[n]
  let work = 0
  for (let c = 0; c < 3; c++) {
    const d = position[i + c] - start[7 * n + c]
    work += d * (0.5 * m * d + base[o + c])
    g[o + c] += m * d + base[o + c]
    if ((moves & (1 << c)) === 0) g[o + c] = 0
  }
  rotationBetween(orientation, i, start, 7 * n + 3, turned, 0)
  for (let c = 0; c < 3; c++) {
    const l = inertia[u + 3 * c] * turned[0] + inertia[u + 3 * c + 1] * turned[1] + inertia[u + 3 * c + 2] * turned[2]
    work += turned[c] * (0.5 * l + base[o + 3 + c])
    g[o + 3 + c] += l + base[o + 3 + c]
    if ((moves & (8 << c)) === 0) g[o + 3 + c] = 0
  }
  LEFT[3] += work
  if (curvature.safe && !isDefinite(HEADROOM, inertia, u, K, k + 21, SIX)) clip(K, k + 21, SIX)
  for (let c = 0; c < BLOCK; c++) H[k + c] = K[k + c]
  H[k] += m
  H[k + 7] += m
  H[k + 14] += m
  H[k + 21] += inertia[u]
  H[k + 27] += inertia[u + 3]
  H[k + 28] += inertia[u + 4]
  H[k + 33] += inertia[u + 6]
  H[k + 34] += inertia[u + 7]
  H[k + 35] += inertia[u + 8]
  if (moves !== 63) lock(H, k, moves)
  const w = bodies.position[i + 3]
  const e = (9 * i) / 4
  const I = bodies.inverseInertia
  let worst = w * Math.max(Math.abs(g[o]), Math.abs(g[o + 1]), Math.abs(g[o + 2]))
  for (let c = 0; c < 3; c++) {
    const back = I[e + 3 * c] * g[o + 3] + I[e + 3 * c + 1] * g[o + 4] + I[e + 3 * c + 2] * g[o + 5]
    worst = Math.max(worst, Math.abs(back))
  }
  LEFT[1] = Math.max(LEFT[1], worst)
}

/** Locked coordinates stand alone, on 1. */
function lock(H: Float64Array, k: number, free: number): void {
  for (let c = 0; c < SIX; c++) {
    if ((free & (1 << c)) !== 0) continue
    for (let j = 0; j < SIX; j++) H[k + SIX * c + j] = H[k + SIX * j + c] = 0
    H[k + 7 * c] = 1
  }
}

/** Rows, forces and geometric stiffness of joint e of node n. */
function addJoint(bodies: BodyColumns, trees: Trees, n: number, e: number, h: number): void {
  const { forest } = trees
  const batch = forest.batch[e]
  const row = forest.row[e]
  const { rows, type } = batch
  rows.clear()
  rows.substep = h
  type.evaluate(bodies, batch, row, rows)
  if (trees.kept) loadGradient(batch, row)
  for (let q = 0; q < rows.groupCount; q++) addGroup(bodies, trees, n, e, rows.groups[q], h)
  if (type.curvature === undefined || trees.kept) return
  curvature.clear()
  type.curvature(bodies, batch, row, curvature)
  const isA = forest.side[e] === 0
  const up = forest.parent[n]
  addStiffness(trees.K, BLOCK * n, isA ? curvature.a : curvature.b, curvature.moves)
  if (up < 0) return
  addStiffness(trees.K, BLOCK * up, isA ? curvature.b : curvature.a, curvature.moves)
  if (!curvature.coupled) return
  const { C } = trees
  const c = BLOCK * n
  if (trees.coupled[n] === 0) C.fill(0, c, c + BLOCK)
  trees.coupled[n] = 1
  for (let i = 0; i < SIX; i++) {
    for (let j = 0; j < SIX; j++) C[c + SIX * i + j] += isA ? curvature.ba[SIX * j + i] : curvature.ba[SIX * i + j]
  }
}

function addStiffness(K: Float64Array, k: number, from: Float64Array, moves: boolean): void {
  if (moves) {
    for (let c = 0; c < BLOCK; c++) K[k + c] += from[c]
    return
  }
  K[k + 21] += from[21]
  K[k + 27] += from[27]
  K[k + 28] += from[28]
  K[k + 33] += from[33]
  K[k + 34] += from[34]
  K[k + 35] += from[35]
}

const error = /* @__PURE__ */ new Float64Array(24)

/** Residuals of a group's rows, their forces on both bodies, and, where they act, their place in the system. */
function addGroup(bodies: BodyColumns, trees: Trees, n: number, e: number, group: Group, h: number): void {
  const { forest } = trees
  const batch = forest.batch[e]
  const row = forest.row[e]
  const { rows, type } = batch
  const { lambda, regularization } = batch.common
  const { start, size, law } = group
  const base = type.multipliers * row
  const scale = group.byMass ? rowMass(bodies, batch, row, group) : 1
  const s = law === 'position' ? 1 : law === 'force' ? group.stiffness * scale * h * h : 0
  const d = law === 'position' ? group.rayleigh / h : law === 'force' ? group.damping * scale * h : 1
  const a =
    law === 'position' ? group.compliance / (h * h) + regularization[row] : law === 'rate' ? regularization[row] : 1
  for (let k = 0; k < size; k++) {
    const along = d > 0 ? moved(bodies, batch, row, start + k) - h * rows.rate[start + k] : 0
    error[k] = s * rows.c[start + k] + d * along + a * lambda[base + rows.multiplier[start + k]]
  }
  const acts = group.radius < Infinity ? bounded(trees, batch, row, group, h) : true
  for (let k = 0; k < size; k++) {
    const l = base + rows.multiplier[start + k]
    push(trees, n, e, start + k, lambda[l])
    if (!acts) continue
    const low = size === 1 ? group.lower * h * h : -Infinity
    const high = size === 1 ? group.upper * h * h : Infinity
    const m = trees.firstMultiplier[e] + rows.multiplier[start + k]
    // A row that has just come to its bound stays there for one solve: what curvature left of its error would bring it back.
    const slack = trees.released[m] !== 0 ? -Infinity : -MET
    if ((lambda[l] <= low && error[k] >= slack) || (lambda[l] >= high && error[k] <= -slack)) {
      LEFT[3] -= lambda[l] * rows.c[start + k]
      // One that waits and is violated is not solved yet.
      if (trees.released[m] !== 0) LEFT[0] = Math.max(LEFT[0], (lambda[l] <= low ? -error[k] : error[k]) / (s + d))
      continue
    }
    const at = forest.firstRow[n] + trees.rows[n]++
    trees.column[at] = lambda
    trees.place[at] = l
    trees.origin[at] = m
    trees.lower[at] = low
    trees.upper[at] = high
    trees.size[at] = group.radius < Infinity ? (k === 0 ? size : 0) : 1
    trees.radius[at] = group.radius * h * h
    trees.r[at] = error[k] / (s + d)
    trees.a[at] = a / (s + d)
    place(trees, n, e, start + k, at)
    const left = Math.abs(trees.r[at])
    LEFT[0] = Math.max(LEFT[0], left)
    const w = inverseMassAlong(bodies, trees, n, at)
    LEFT[2] = Math.max(LEFT[2], w * Math.abs(lambda[l]))
    LEFT[3] += 0.5 * trees.a[at] * lambda[l] * lambda[l]
    LEFT[4] += left
  }
}

/** J M⁻¹ Jᵀ + a of a row by itself. */
function inverseMassAlong(bodies: BodyColumns, trees: Trees, n: number, at: number): number {
  const { forest, Ji, Jp } = trees
  const up = forest.parent[n]
  let w = trees.a[at] + across(bodies, forest.body[n], Ji, SIX * at)
  if (up >= 0) w += across(bodies, forest.body[up], Jp, SIX * at)
  return w
}

function across(bodies: BodyColumns, i: number, J: Float64Array, o: number): number {
  const I = bodies.inverseInertia
  const e = 9 * i
  const x = J[o + 3]
  const y = J[o + 4]
  const z = J[o + 5]
  return (
    bodies.position[4 * i + 3] * (J[o] * J[o] + J[o + 1] * J[o + 1] + J[o + 2] * J[o + 2]) +
    x * (I[e] * x + I[e + 1] * y + I[e + 2] * z) +
    y * (I[e + 3] * x + I[e + 4] * y + I[e + 5] * z) +
    z * (I[e + 6] * x + I[e + 7] * y + I[e + 8] * z)
  )
}

/** Whether a group whose λ stays in a ball acts; on its rim, when it wants out, it pushes along what it wants. */
function bounded(_trees: Trees, batch: Batch, row: number, group: Group, h: number): boolean {
  const { rows, type } = batch
  const { lambda } = batch.common
  const base = type.multipliers * row
  const radius = group.radius * h * h
  let squared = 0
  let outward = 0
  for (let k = 0; k < group.size; k++) {
    const l = lambda[base + rows.multiplier[group.start + k]]
    squared += l * l
    outward -= l * error[k]
  }
  return squared < radius * radius * (1 - 1e-9) || outward <= 0
}

/** g −= Jᵀ l for row k of joint e, on both bodies. */
function push(trees: Trees, n: number, e: number, k: number, l: number): void {
  if (l === 0) return
  const { forest, g } = trees
  const { J } = forest.batch[e].rows
  const side = forest.side[e]
  const up = forest.parent[n]
  const o = 12 * k + SIX * side
  for (let c = 0; c < SIX; c++) g[SIX * n + c] -= l * J[o + c]
  if (up < 0) return
  const u = 12 * k + SIX * (1 - side)
  for (let c = 0; c < SIX; c++) g[SIX * up + c] -= l * J[u + c]
}

/** Gradients of row k of joint e into row `at` of the system. */
function place(trees: Trees, n: number, e: number, k: number, at: number): void {
  const { forest, Ji, Jp, free } = trees
  const { J } = forest.batch[e].rows
  const side = forest.side[e]
  const up = forest.parent[n]
  const o = 12 * k + SIX * side
  const u = 12 * k + SIX * (1 - side)
  for (let c = 0; c < SIX; c++) {
    Ji[SIX * at + c] = (free[n] & (1 << c)) !== 0 ? J[o + c] : 0
    Jp[SIX * at + c] = up >= 0 && (free[up] & (1 << c)) !== 0 ? J[u + c] : 0
  }
}

/** X and λ along a share s of the Newton step, multipliers inside their bounds. */
function advance(bodies: BodyColumns, trees: Trees, from: number, to: number, s: number): void {
  const { forest, dX, dl, firstMultiplier, released } = trees
  released.fill(0, firstMultiplier[forest.firstMember[from]], firstMultiplier[forest.firstMember[to]])
  const { position, orientation } = bodies
  for (let n = from; n < to; n++) {
    const i = 4 * forest.body[n]
    const o = SIX * n
    for (let c = 0; c < 3; c++) {
      position[i + c] += s * dX[o + c]
      turned[c] = s * dX[o + 3 + c]
    }
    turnBy(orientation, i, turned)
    normalizeQuaternion(orientation, i)
    const first = forest.firstRow[n]
    for (let k = first; k < first + trees.rows[n]; k++) {
      const lambda = trees.column[k]
      const l = lambda[trees.place[k]] + s * dl[k]
      const held = Math.min(Math.max(l, trees.lower[k]), trees.upper[k])
      if (held !== l) trees.released[trees.origin[k]] = 1
      lambda[trees.place[k]] = held
    }
    for (let k = first; k < first + trees.rows[n]; k++) if (trees.radius[k] < Infinity) shrink(trees, k)
  }
}

/** Puts the multipliers of a group that starts at row k back into their ball. */
function shrink(trees: Trees, k: number): void {
  let squared = 0
  for (let i = k; i < k + trees.size[k]; i++) {
    const l = trees.column[i][trees.place[i]]
    squared += l * l
  }
  const radius = trees.radius[k]
  if (squared <= radius * radius) return
  const s = radius / Math.sqrt(squared)
  for (let i = k; i < k + trees.size[k]; i++) trees.column[i][trees.place[i]] *= s
}
