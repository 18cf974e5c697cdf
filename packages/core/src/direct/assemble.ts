/**
 * The Newton system of a tree at its present (X, λ): blocks, rows and right sides, and how much is left to solve.
 *
 *   g = M (X ⊖ X̂) − Jᵀλ + b,  Ĥ = M + K
 *   r = (s c + d δ + a λ)/(s + d), its softness a/(s + d); gains by law, as in row-solver.ts
 *
 * Scalar rows with bounds stand apart (bounded.ts); those of vectors whose multiplier stays in a ball are rows of the system
 * inside it, and rows across it on its rim (balls.ts). Rows that close a loop have a small softness ε about λ° of the pass before,
 * r += ε (λ − λ°): a loop that is pulled straight has no other finite λ. What was violated at the start of the substep and is
 * not repaired yet is an offset of c: it must not become speed (projection.ts).
 */

import type { BodyColumns } from '../state/body-columns.js'
import { rotationBetween } from '../math/rotation.js'
import { LARGEST_GROUP } from '../step/limits.js'
import { loadGradient, movedRows, rowMass } from '../step/row-solver.js'
import type { Group } from '../define/rows.js'
import { addAngleCurvature, hasLoadedAngle } from './angle-curvature.js'
import { addBall } from './balls.js'
import { BLOCK, SIX } from './body-block.js'
import { faceLoadedEnd, gapOf, guessState } from './bounded.js'
import { Curvature } from '../define/curvature.js'
import { clip, isDefinite } from './definite.js'
import { addForce, copyGradients, inverseMassBoundOf, placeRows } from './place.js'
import { wayOf } from './held.js'
import { GAP, noteResidual, PUSH, RESIDUAL, UNBALANCE, ALL_FREE, type Trees } from './trees.js'
import { addTouches } from './touch-rows.js'

/** Share of its inertia that a body's stiffness may take away where it is held against it: beyond, its negative part is left out. */
const HEADROOM = 0.9
/** How far rows with a largest force yield to it in a substep [m, rad]. */
const YIELD = 1e-8
/** ε of rows that close loops, share of their bodies' larger inverse mass. */
const SOFTNESS = 1e-8

const curvature = /* @__PURE__ */ new Curvature()
const turned = /* @__PURE__ */ new Float64Array(3)
const errors = /* @__PURE__ */ new Float64Array(LARGEST_GROUP)
/** How far its rows have moved in this substep. */
const ways = /* @__PURE__ */ new Float64Array(LARGEST_GROUP)

/** Assembles the whole system. `safe` leaves out of the stiffness what may be indefinite. */
export function assemble(bodies: BodyColumns, trees: Trees, safe: boolean): void {
  const { forest, H, g, K } = trees
  curvature.safe = safe
  H.fill(0)
  if (safe) K.fill(0)
  g.fill(0)
  trees.coupled.fill(0)
  RESIDUAL.fill(0)
  trees.bounded.count = 0
  trees.balls.count = 0
  for (let n = 0; n < forest.edgeCount; n++) {
    trees.rows[n] = 0
    for (let e = forest.firstMember[n]; e < forest.firstMember[n + 1]; e++) addJoint(bodies, trees, n, e)
    trees.plain[n] = trees.rows[n]
  }
  if (trees.touches.acts && !trees.isProjecting) addTouches(bodies, trees, safe)
  for (let n = 0; n < forest.nodeCount; n++) addBody(bodies, trees, n)
}

/** Rows, forces and geometric stiffness of joint e of edge n. */
function addJoint(bodies: BodyColumns, trees: Trees, n: number, e: number): void {
  const { forest } = trees
  const batch = forest.batch[e]
  const row = forest.row[e]
  const { rows, type } = batch
  rows.clear()
  rows.substep = trees.substep[0]
  // Newton's method needs the true gradient of what stays open.
  rows.exact = trees.isProjecting || trees.hasOffset
  rows.exactSprings = true
  type.evaluate(bodies, batch, row, rows)
  rows.exact = rows.exactSprings = false
  // Those that are kept are of the last substep while poses are repaired before the next.
  if (trees.kept && !trees.isProjecting) loadGradient(bodies, batch, row)
  for (let q = 0; q < rows.groupCount; q++) {
    if (trees.isProjecting && !isProjected(trees, rows.groups[q])) continue
    addGroup(bodies, trees, n, e, rows.groups[q])
  }
  if (trees.kept) return
  const hasAngle = forest.stride[e] !== SIX && hasLoadedAngle(batch, row)
  if (type.joint?.curvature === undefined && !hasAngle) return
  curvature.clear()
  type.joint?.curvature?.(bodies, batch, row, curvature)
  if (hasAngle && !curvature.hasAngles) addAngleCurvature(bodies, batch, row, curvature)
  const isA = forest.side[e] === 0
  const i = forest.child[n]
  const up = forest.parent[n]
  const into = curvature.safe ? trees.K : trees.H
  addStiffness(into, BLOCK * i, isA ? curvature.turnA : curvature.turnB, isA ? curvature.a : curvature.b)
  if (up < 0 || forest.alone[e] !== 0) return
  addStiffness(into, BLOCK * up, isA ? curvature.turnB : curvature.turnA, isA ? curvature.b : curvature.a)
  // The coupling of two bodies that only the border joins has no block: rows stay exact, Newton takes a step more.
  if (curvature.coupled && n < forest.nodeCount) addCoupling(trees, n, isA)
}

function addStiffness(into: Float64Array, k: number, turn: Float64Array, rest: Float64Array): void {
  into[k + 21] += turn[0]
  into[k + 27] += turn[1]
  into[k + 28] += turn[2]
  into[k + 33] += turn[3]
  into[k + 34] += turn[4]
  into[k + 35] += turn[5]
  if (curvature.moves) for (let c = 0; c < BLOCK; c++) into[k + c] += rest[c]
}

/** C of a node, which is that of (child, parent). */
function addCoupling(trees: Trees, n: number, isA: boolean): void {
  const { C } = trees
  const { ba } = curvature
  const c = BLOCK * n
  if (trees.coupled[n] === 0) C.fill(0, c, c + BLOCK)
  trees.coupled[n] = 1
  for (let i = 0; i < SIX; i++) {
    for (let j = 0; j < SIX; j++) C[c + SIX * i + j] += isA ? ba[SIX * j + i] : ba[SIX * i + j]
  }
}

/** Whether a projection keeps to a group: those of position, springs among them where their stretch is held. */
function isProjected({ holdsSprings }: Trees, { law, compliance }: Group): boolean {
  return law === 'position' && (compliance === 0 || holdsSprings)
}

/** s + d and a of the group in hand. */
const gains = /* @__PURE__ */ new Float64Array(2)

/** Residuals of a group's rows, their forces on both bodies, and their place in the system or among the bounded rows. */
function addGroup(bodies: BodyColumns, trees: Trees, n: number, e: number, group: Group): void {
  const { law, rayleigh, size, lower, upper, radius } = group
  if (law === 'position' && rayleigh === 0) measureErrors(trees, e, group)
  else measureDamped(bodies, trees, e, group)
  if (radius < Infinity) {
    for (let k = group.start; k < group.start + size; k++) addForce(trees, n, e, k)
    addBall(trees, n, e, group, errors, gains)
  } else if (size === 1 && (lower > -Infinity || upper < Infinity)) addBoundedRow(trees, n, e, group)
  else addPlainRows(trees, n, e, group)
}

/** Errors and gains of a group that holds a position without damping, as most of a joint's do. */
function measureErrors(trees: Trees, e: number, group: Group): void {
  const { batch, row } = trees.forest
  const { start, size, compliance } = group
  const { c, multiplier } = batch[e].rows
  const h = trees.substep[0]
  // What a row of position keeps: of its error at the start of the substep, or its stretch while a repair holds it; the rest is solved.
  const hasOffset = compliance > 0 ? trees.holdsSprings : trees.hasOffset
  const m = trees.firstMultiplier[e]
  for (let k = 0; k < size; k++) {
    errors[k] = hasOffset ? c[start + k] - trees.offset[m + multiplier[start + k]] : c[start + k]
  }
  const soft = trees.isProjecting ? 0 : compliance / (h * h)
  gains[0] = 1
  gains[1] = soft + batch[e].common.regularization[row[e]] + yieldOf(group, h)
}

/** The same, s c + d δ, of all other groups. */
function measureDamped(bodies: BodyColumns, trees: Trees, e: number, group: Group): void {
  const batch = trees.forest.batch[e]
  const row = trees.forest.row[e]
  const { rows } = batch
  const { start, size, law } = group
  const h = trees.substep[0]
  measureErrors(trees, e, group)
  const scale = group.accelerationMode ? rowMass(bodies, batch, row, group) : 1
  const isHeld = trees.isProjecting
  const s = law === 'position' ? 1 : law === 'force' ? group.stiffness * scale * h * h : 0
  const d = isHeld ? 0 : law === 'position' ? group.rayleigh / h : law === 'force' ? group.damping * scale * h : 1
  gains[0] = s + d
  if (law !== 'position') gains[1] = (law === 'rate' ? batch.common.regularization[row] : 1) + yieldOf(group, h)
  if (d > 0) movedRows(bodies, batch, row, start, size, ways)
  for (let k = 0; k < size; k++) {
    errors[k] *= s
    if (d > 0) errors[k] += d * (ways[k] - h * rows.rate[start + k])
  }
}

/** Softness of what has a largest force: by that it gives way to a limit, and gets there, where both would hold the same angle. */
function yieldOf({ lower, upper, radius }: Group, h: number): number {
  const most = Math.min(radius, upper, -lower) * h * h
  return most > 0 && most < Infinity ? YIELD / most : 0
}

/** The rows of a group without bounds, errors and gains being known. */
function addPlainRows(trees: Trees, n: number, e: number, group: Group): void {
  const { forest, r, a, joint, origin, across, reference, redundant, error } = trees
  const { multiplier } = forest.batch[e].rows
  const lambda = trees.lambda[e]
  const base = trees.place[e]
  const m = trees.firstMultiplier[e]
  const scale = gains[0]
  const soft = gains[1] / scale
  const inverseMass = inverseMassBoundOf(trees, n, group)
  const softness = n >= trees.nodeCount ? SOFTNESS * inverseMass : 0
  const first = forest.firstRow[n] + trees.rows[n]
  let worst = RESIDUAL[GAP]
  let push = RESIDUAL[PUSH]
  for (let k = 0; k < group.size; k++) {
    const at = first + k
    const l = multiplier[group.start + k]
    const f = lambda[base + l]
    error[at] = redundant[m + l] !== 0 ? 0 : errors[k] / scale
    r[at] = error[at] + soft * f + softness * (f - reference[m + l])
    a[at] = soft + softness
    joint[at] = e
    origin[at] = m + l
    across[at] = 0
    const left = Math.abs(r[at])
    const way = inverseMass * Math.abs(f)
    if (!(left <= worst)) worst = left
    if (way > push) push = way
  }
  const side = forest.side[e]
  placeRows(trees, e, group, forest.child[n], side, trees.Ji, SIX * first)
  if (forest.parent[n] >= 0) placeRows(trees, e, group, forest.parent[n], 1 - side, trees.Jp, SIX * first)
  trees.rows[n] += group.size
  RESIDUAL[GAP] = worst
  RESIDUAL[PUSH] = push
}

/** A scalar with bounds. */
function addBoundedRow(trees: Trees, n: number, e: number, group: Group): void {
  const { bounded: b, forest } = trees
  const { rows } = forest.batch[e]
  const { start } = group
  const h = trees.substep[0]
  const m = trees.firstMultiplier[e] + rows.multiplier[start]
  const k = b.count++
  addForce(trees, n, e, start)
  b.edge[k] = n
  b.joint[k] = e
  b.origin[k] = m
  b.lambda[k] = trees.lambda[e][trees.place[e] + rows.multiplier[start]]
  b.a[k] = gains[1] / gains[0]
  b.r[k] = errors[0] / gains[0] + b.a[k] * b.lambda[k]
  // A bound of 0 stays 0, whatever its sign.
  b.lower[k] = group.lower === 0 ? 0 : group.lower * h * h
  b.upper[k] = group.upper === 0 ? 0 : group.upper * h * h
  b.inverseMassBound[k] = inverseMassBoundOf(trees, n, group)
  b.range[k] = rangeOf(trees, group, m)
  copyGradients(trees, n, e, start, b.Ji, b.Jp, SIX * k)
  faceLoadedEnd(b, k)
  guessState(b, k)
  noteResidual(gapOf(b, k), b.inverseMassBound[k] * Math.abs(b.lambda[k]))
}

/** By how much a limit's residual at this end exceeds that at the other; 0 where there is one end. */
function rangeOf(trees: Trees, { lower, upper, width }: Group, m: number): number {
  if (width === Infinity) return 0
  // What is violated at the start is so at the nearer end, whose residual has lost its offset.
  const range = (width + (trees.hasOffset || trees.holdsSprings ? Math.abs(trees.offset[m]) : 0)) / gains[0]
  return lower === 0 ? range : upper === 0 ? -range : 0
}

/** M (X ⊖ X̂) + b into g, M into Ĥ. */
function addBody(bodies: BodyColumns, trees: Trees, n: number): void {
  const { forest, H, K, g, mass, inertia, free, start, base } = trees
  const body = forest.body[n]
  const i = 4 * body
  const { position, orientation, inverseInertia: I } = bodies
  const o = SIX * n
  const u = 9 * n
  const k = BLOCK * n
  const m = mass[n]
  const x = position[i] - start[7 * n]
  const y = position[i + 1] - start[7 * n + 1]
  const z = position[i + 2] - start[7 * n + 2]
  rotationBetween(orientation, i, start, 7 * n + 3, turned, 0)
  const p = turned[0]
  const q = turned[1]
  const r = turned[2]
  const lx = inertia[u] * p + inertia[u + 1] * q + inertia[u + 2] * r
  const ly = inertia[u + 3] * p + inertia[u + 4] * q + inertia[u + 5] * r
  const lz = inertia[u + 6] * p + inertia[u + 7] * q + inertia[u + 8] * r
  g[o] += m * x + base[o]
  g[o + 1] += m * y + base[o + 1]
  g[o + 2] += m * z + base[o + 2]
  g[o + 3] += lx + base[o + 3]
  g[o + 4] += ly + base[o + 4]
  g[o + 5] += lz + base[o + 5]
  if (trees.held.count > 0 && !trees.isProjecting) addHeld(trees, n, x, y, z)
  if (curvature.safe) {
    if (!isDefinite(HEADROOM, inertia, u, K, k + 21, SIX)) clip(K, k + 21, SIX)
    for (let c = 0; c < BLOCK; c++) H[k + c] += K[k + c]
  }
  H[k] += m
  H[k + 7] += m
  H[k + 14] += m
  H[k + 21] += inertia[u]
  H[k + 27] += inertia[u + 3]
  H[k + 28] += inertia[u + 4]
  H[k + 33] += inertia[u + 6]
  H[k + 34] += inertia[u + 7]
  H[k + 35] += inertia[u + 8]
  if (free[n] !== ALL_FREE) lock(H, k, g, o, free[n])
  if (trees.coupled[n] !== 0) lockCoupling(trees.C, k, free[n], free[forest.parent[n]])
  const w = position[i + 3]
  const e = 9 * body
  const gx = g[o + 3]
  const gy = g[o + 4]
  const gz = g[o + 5]
  const worst = Math.max(
    w * Math.max(Math.abs(g[o]), Math.abs(g[o + 1]), Math.abs(g[o + 2])),
    Math.abs(I[e] * gx + I[e + 1] * gy + I[e + 2] * gz),
    Math.abs(I[e + 3] * gx + I[e + 4] * gy + I[e + 5] * gz),
    Math.abs(I[e + 6] * gx + I[e + 7] * gy + I[e + 8] * gz),
  )
  if (worst > RESIDUAL[UNBALANCE] || worst !== worst) RESIDUAL[UNBALANCE] = worst
}

/** κ n (n·ΔX) of what holds node n, and κ n nᵀ; its turn is in `turned`. */
function addHeld({ held, H, g }: Trees, n: number, x: number, y: number, z: number): void {
  const { node, n: N, stiffness } = held
  const kappa = stiffness[0]
  for (let at = 0; at < held.count; at++) {
    if (node[at] !== n) continue
    const s = kappa * wayOf(held, at, x, y, z, turned[0], turned[1], turned[2])
    const f = SIX * at
    for (let k = 0; k < SIX; k++) {
      g[SIX * n + k] += s * N[f + k]
      for (let l = 0; l < SIX; l++) H[BLOCK * n + SIX * k + l] += kappa * N[f + k] * N[f + l]
    }
  }
}

/** What is locked of a child or its parent turns nothing of the other. */
function lockCoupling(C: Float64Array, c: number, child: number, parent: number): void {
  if ((child & parent) === ALL_FREE) return
  for (let i = 0; i < SIX; i++) {
    for (let j = 0; j < SIX; j++) if ((child & (1 << i)) === 0 || (parent & (1 << j)) === 0) C[c + SIX * i + j] = 0
  }
}

/** Locked coordinates stand alone, on 1, and nothing pushes them. */
function lock(H: Float64Array, k: number, g: Float64Array, o: number, free: number): void {
  for (let c = 0; c < SIX; c++) {
    if ((free & (1 << c)) !== 0) continue
    for (let j = 0; j < SIX; j++) H[k + SIX * c + j] = H[k + SIX * j + c] = 0
    H[k + 7 * c] = 1
    g[o + c] = 0
  }
}
