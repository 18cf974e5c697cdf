/**
 * The Newton system of a tree at its present (X, λ): blocks, rows and right sides, and how much is left to solve.
 *
 *   g = M (X ⊖ X̂) − Jᵀλ + b,  Ĥ = M + K
 *   r = (s c + d δ + a λ)/(s + d), its softness a/(s + d); gains by law, as in row-solver.ts
 *
 * A row whose multiplier is at a bound, and that would push it further, pushes with what it has and leaves the system. Rows that close
 * a loop give a little about λ° of the visit before, r += ε (λ − λ°): a loop that is pulled straight has no other finite λ.
 */

import type { Batch } from '../batch.js'
import type { BodyColumns } from '../body-columns.js'
import { rotationBetween } from '../math/rotation.js'
import { LARGEST_GROUP, loadGradient, moved, rowMass } from '../row-solver.js'
import type { Group } from '../rows.js'
import { Curvature } from './curvature.js'
import { clip, isDefinite } from './definite.js'
import { SIX } from './factor.js'
import { ALL_FREE, BETWEEN, BLOCK, IN_BALL, type Trees, UNBOUNDED } from './trees.js'

/** Rows that are this near [m, rad] are solved. */
export const MET = 1e-9
/** Share of its inertia that a body's stiffness may take away where it is held against it: beyond, its negative part is left out. */
const HEADROOM = 0.9
/** ε of rows that close loops, share of their bodies' larger inverse mass. */
const GIVE = 1e-8
/** Share of its square by which a multiplier may be inside its ball and still count as on the rim. */
const RIM = 1e-9

/** What is left after an assembly: indices into `LEFT`. */
export const GAP = 0
export const UNBALANCE = 1
export const PUSH = 2
export const OBJECTIVE = 3
export const VIOLATION = 4
export const BOUNDED = 5
/**
 * Worst |r| [m, rad]; worst |M⁻¹ g| [m, rad], and how far single rows push, at most, to compare it with; the objective
 * ½ ‖X ⊖ X̂‖²_M + ½ Σ a λ² [kg m²]; Σ |r|; how many groups have bounds.
 */
export const LEFT: Float64Array = /* @__PURE__ */ new Float64Array(6)

const curvature = /* @__PURE__ */ new Curvature()
const turned = /* @__PURE__ */ new Float64Array(3)
const errors = /* @__PURE__ */ new Float64Array(LARGEST_GROUP)

/** Assembles the whole system. `safe` leaves out of the stiffness what may be indefinite. */
export function assemble(bodies: BodyColumns, trees: Trees, safe: boolean): void {
  const { forest, H, g, K } = trees
  curvature.safe = safe
  H.fill(0)
  if (safe) K.fill(0)
  g.fill(0)
  trees.coupled.fill(0)
  LEFT.fill(0)
  for (let n = 0; n < forest.edgeCount; n++) {
    trees.rows[n] = 0
    for (let e = forest.firstMember[n]; e < forest.firstMember[n + 1]; e++) addJoint(bodies, trees, n, e)
  }
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
  type.evaluate(bodies, batch, row, rows)
  if (trees.kept) loadGradient(batch, row)
  for (let q = 0; q < rows.groupCount; q++) {
    if (isPlain(rows.groups[q])) addPlainGroup(trees, n, e, rows.groups[q])
    else addGroup(bodies, trees, n, e, rows.groups[q])
  }
  if (type.curvature === undefined || trees.kept) return
  curvature.clear()
  type.curvature(bodies, batch, row, curvature)
  const isA = forest.side[e] === 0
  const i = forest.child[n]
  const up = forest.parent[n]
  const into = curvature.safe ? trees.K : trees.H
  addStiffness(into, BLOCK * i, isA ? curvature.turnA : curvature.turnB, isA ? curvature.a : curvature.b)
  if (up < 0) return
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

/** Whether a group holds a position without damping or bounds, as most of a joint's rows do. */
function isPlain({ law, rayleigh, lower, upper, radius }: Group): boolean {
  return law === 'position' && rayleigh === 0 && lower === -Infinity && upper === Infinity && radius === Infinity
}

/** {@link addGroup} for those. */
function addPlainGroup(trees: Trees, n: number, e: number, group: Group): void {
  const { forest, r, a, joint, origin, kind, reference, redundant, error } = trees
  const batch = forest.batch[e]
  const { c, multiplier } = batch.rows
  const h = trees.substep[0]
  const soft = group.compliance / (h * h) + batch.common.regularization[forest.row[e]]
  const lambda = trees.lambda[e]
  const base = trees.place[e]
  const m = trees.firstMultiplier[e]
  const ease = trees.ease[2 * n + (group.unit === 'm' ? 0 : 1)]
  const give = n >= trees.nodeCount ? GIVE * ease : 0
  const first = forest.firstRow[n] + trees.rows[n]
  let at = first
  let worst = LEFT[GAP]
  let push = LEFT[PUSH]
  let sum = 0
  let energy = 0
  for (let k = group.start; k < group.start + group.size; k++, at++) {
    const l = lambda[base + multiplier[k]]
    const change = l - reference[m + multiplier[k]]
    error[at] = redundant[m + multiplier[k]] !== 0 ? 0 : c[k]
    const left = error[at] + soft * l + give * change
    r[at] = left
    a[at] = soft + give
    joint[at] = e
    origin[at] = m + multiplier[k]
    kind[at] = UNBOUNDED
    const size = Math.abs(left)
    const f = ease * Math.abs(l)
    if (!(size <= worst)) worst = size
    if (f > push) push = f
    sum += size
    energy += 0.5 * (soft * l * l + give * change * change)
  }
  const side = forest.side[e]
  placeRows(trees, e, group, forest.child[n], side, trees.Ji, SIX * first)
  if (forest.parent[n] >= 0) placeRows(trees, e, group, forest.parent[n], 1 - side, trees.Jp, SIX * first)
  trees.rows[n] += group.size
  LEFT[GAP] = worst
  LEFT[PUSH] = push
  LEFT[VIOLATION] += sum
  LEFT[OBJECTIVE] += energy
}

/** Gradients of a group on one of its bodies, into the system from number w of `into`, and their forces. */
function placeRows(
  trees: Trees,
  e: number,
  group: Group,
  node: number,
  side: number,
  into: Float64Array,
  w: number,
): void {
  const { g } = trees
  const { J, multiplier } = trees.forest.batch[e].rows
  const lambda = trees.lambda[e]
  const base = trees.place[e]
  const free = trees.free[node]
  const i = SIX * node
  let f0 = 0
  let f1 = 0
  let f2 = 0
  let f3 = 0
  let f4 = 0
  let f5 = 0
  for (let k = group.start; k < group.start + group.size; k++, w += SIX) {
    const l = lambda[base + multiplier[k]]
    const o = 12 * k + SIX * side
    f0 += l * (into[w] = J[o])
    f1 += l * (into[w + 1] = J[o + 1])
    f2 += l * (into[w + 2] = J[o + 2])
    f3 += l * (into[w + 3] = J[o + 3])
    f4 += l * (into[w + 4] = J[o + 4])
    f5 += l * (into[w + 5] = J[o + 5])
    if (free !== ALL_FREE) holdLocked(into, w, free)
  }
  g[i] -= f0
  g[i + 1] -= f1
  g[i + 2] -= f2
  g[i + 3] -= f3
  g[i + 4] -= f4
  g[i + 5] -= f5
}

/** Residuals of a group's rows, their forces on both bodies, and, where they act, their place in the system. */
function addGroup(bodies: BodyColumns, trees: Trees, n: number, e: number, group: Group): void {
  const { forest } = trees
  const batch = forest.batch[e]
  const row = forest.row[e]
  const { rows, type } = batch
  const { c, multiplier } = rows
  const { lambda, regularization } = batch.common
  const { start, size, law } = group
  const h = trees.substep[0]
  const base = type.multipliers * row
  const scale = group.byMass ? rowMass(bodies, batch, row, group) : 1
  const s = law === 'position' ? 1 : law === 'force' ? group.stiffness * scale * h * h : 0
  const d = law === 'position' ? group.rayleigh / h : law === 'force' ? group.damping * scale * h : 1
  const a =
    law === 'position' ? group.compliance / (h * h) + regularization[row] : law === 'rate' ? regularization[row] : 1
  const inBall = group.radius < Infinity
  const isBounded = size === 1 && (group.lower > -Infinity || group.upper < Infinity)
  if (isBounded) keepSide(batch, row, group)
  for (let k = 0; k < size; k++) {
    errors[k] = s * c[start + k] + a * lambda[base + multiplier[start + k]]
    if (d > 0) errors[k] += d * (moved(bodies, batch, row, start + k) - h * rows.rate[start + k])
  }
  const acts = !inBall || isInside(batch, row, group, h)
  const first = forest.firstRow[n] + trees.rows[n]
  for (let k = 0; k < size; k++) {
    const l = base + multiplier[start + k]
    addForce(trees, n, e, start + k, lambda, l)
    if (!acts) continue
    const m = trees.firstMultiplier[e] + multiplier[start + k]
    if (isBounded && isHeld(group, lambda[l], errors[k], h, trees.released[m])) {
      LEFT[OBJECTIVE] -= lambda[l] * c[start + k]
      // One that sits out its solve and is violated is not met yet.
      const outside = (lambda[l] <= group.lower * h * h ? -errors[k] : errors[k]) / (s + d)
      if (trees.released[m] !== 0 && outside > LEFT[GAP]) LEFT[GAP] = outside
      continue
    }
    const at = forest.firstRow[n] + trees.rows[n]++
    trees.r[at] = errors[k] / (s + d)
    trees.a[at] = a / (s + d)
    trees.joint[at] = e
    trees.origin[at] = m
    trees.kind[at] = UNBOUNDED
    addRow(trees, n, e, start + k, at)
  }
  measure(trees, n, group, lambda, first)
  if (!isBounded && !inBall) return
  LEFT[BOUNDED]++
  for (let at = first; at < forest.firstRow[n] + trees.rows[n]; at++) {
    trees.kind[at] = inBall ? IN_BALL : BETWEEN
    trees.lower[at] = group.lower * h * h
    trees.upper[at] = (inBall ? group.radius : group.upper) * h * h
    trees.size[at] = at === first ? size : 0
  }
}

/**
 * A limit's row is that of the nearer end of its range. While the multiplier is that of the other end, it holds there, or the two
 * would take turns where the range is narrower than a step; what has no other end lets go.
 */
function keepSide({ rows, common: { lambda }, type }: Batch, row: number, group: Group): void {
  const { start, width } = group
  const l = type.multipliers * row + rows.multiplier[start]
  if (group.upper === 0 && lambda[l] > 0) {
    if (width === Infinity) lambda[l] = 0
    else {
      rows.c[start] += width
      group.lower = 0
      group.upper = Infinity
    }
  } else if (group.lower === 0 && lambda[l] < 0) {
    if (width === Infinity) lambda[l] = 0
    else {
      rows.c[start] -= width
      group.lower = -Infinity
      group.upper = 0
    }
  }
}

/** g −= Jᵀλ of row k of joint e, on both bodies. */
function addForce(trees: Trees, n: number, e: number, k: number, lambda: Float64Array, l: number): void {
  const f = lambda[l]
  if (f === 0) return
  const { forest, g } = trees
  const { J } = forest.batch[e].rows
  const side = forest.side[e]
  const i = SIX * forest.child[n]
  const o = 12 * k + SIX * side
  g[i] -= f * J[o]
  g[i + 1] -= f * J[o + 1]
  g[i + 2] -= f * J[o + 2]
  g[i + 3] -= f * J[o + 3]
  g[i + 4] -= f * J[o + 4]
  g[i + 5] -= f * J[o + 5]
  if (forest.parent[n] < 0) return
  const p = SIX * forest.parent[n]
  const u = 12 * k + SIX * (1 - side)
  g[p] -= f * J[u]
  g[p + 1] -= f * J[u + 1]
  g[p + 2] -= f * J[u + 2]
  g[p + 3] -= f * J[u + 3]
  g[p + 4] -= f * J[u + 4]
  g[p + 5] -= f * J[u + 5]
}

/** Gradients of row k of joint e into row `at` of the system. */
function addRow(trees: Trees, n: number, e: number, k: number, at: number): void {
  const { forest, Ji, Jp, free } = trees
  const { J } = forest.batch[e].rows
  const side = forest.side[e]
  const o = 12 * k + SIX * side
  const u = 12 * k + SIX * (1 - side)
  const i = SIX * at
  Ji[i] = J[o]
  Ji[i + 1] = J[o + 1]
  Ji[i + 2] = J[o + 2]
  Ji[i + 3] = J[o + 3]
  Ji[i + 4] = J[o + 4]
  Ji[i + 5] = J[o + 5]
  const child = forest.child[n]
  if (free[child] !== ALL_FREE) holdLocked(Ji, i, free[child])
  const up = forest.parent[n]
  if (up < 0) return
  Jp[i] = J[u]
  Jp[i + 1] = J[u + 1]
  Jp[i + 2] = J[u + 2]
  Jp[i + 3] = J[u + 3]
  Jp[i + 4] = J[u + 4]
  Jp[i + 5] = J[u + 5]
  if (free[up] !== ALL_FREE) holdLocked(Jp, i, free[up])
}

/** What rows from `first` on, those of a group, leave. */
function measure(trees: Trees, n: number, group: Group, lambda: Float64Array, first: number): void {
  const { forest, r, a, joint, origin, firstMultiplier } = trees
  const ease = trees.ease[2 * n + (group.unit === 'm' ? 0 : 1)]
  let worst = LEFT[GAP]
  let push = LEFT[PUSH]
  let energy = 0
  let sum = 0
  for (let at = first; at < forest.firstRow[n] + trees.rows[n]; at++) {
    const e = joint[at]
    const l = lambda[trees.place[e] + origin[at] - firstMultiplier[e]]
    const left = Math.abs(r[at])
    if (!(left <= worst)) worst = left
    if (ease * Math.abs(l) > push) push = ease * Math.abs(l)
    energy += 0.5 * a[at] * l * l
    sum += left
  }
  LEFT[GAP] = worst
  LEFT[PUSH] = push
  LEFT[OBJECTIVE] += energy
  LEFT[VIOLATION] += sum
}

/**
 * Whether a scalar's multiplier is at a bound that it would cross. One that has just come there stays for one solve: what
 * curvature left of its error would bring it back.
 */
function isHeld(group: Group, l: number, e: number, h: number, released: number): boolean {
  const slack = released !== 0 ? Infinity : MET
  return (l <= group.lower * h * h && e >= -slack) || (l >= group.upper * h * h && e <= slack)
}

/** Whether a vector's multiplier is inside its ball, or on its way there. */
function isInside(batch: Batch, row: number, group: Group, h: number): boolean {
  const { rows, type } = batch
  const { lambda } = batch.common
  const base = type.multipliers * row
  const radius = group.radius * h * h
  let squared = 0
  let outward = 0
  for (let k = 0; k < group.size; k++) {
    const l = lambda[base + rows.multiplier[group.start + k]]
    squared += l * l
    outward -= l * errors[k]
  }
  return squared < radius * radius * (1 - RIM) || outward <= 0
}

/** No row moves what is locked. */
function holdLocked(J: Float64Array, o: number, free: number): void {
  for (let c = 0; c < SIX; c++) if ((free & (1 << c)) === 0) J[o + c] = 0
}

/** M (X ⊖ X̂) + b into g, M into Ĥ. */
function addBody(bodies: BodyColumns, trees: Trees, n: number): void {
  const { forest, H, K, g, mass, inertia, free, start, base } = trees
  const i = 4 * forest.body[n]
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
  LEFT[OBJECTIVE] +=
    0.5 * (m * (x * x + y * y + z * z) + p * lx + q * ly + r * lz) +
    (x * base[o] + y * base[o + 1] + z * base[o + 2] + p * base[o + 3] + q * base[o + 4] + r * base[o + 5])
  g[o] += m * x + base[o]
  g[o + 1] += m * y + base[o + 1]
  g[o + 2] += m * z + base[o + 2]
  g[o + 3] += lx + base[o + 3]
  g[o + 4] += ly + base[o + 4]
  g[o + 5] += lz + base[o + 5]
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
  const w = position[i + 3]
  const e = (9 * i) / 4
  const gx = g[o + 3]
  const gy = g[o + 4]
  const gz = g[o + 5]
  const worst = Math.max(
    w * Math.max(Math.abs(g[o]), Math.abs(g[o + 1]), Math.abs(g[o + 2])),
    Math.abs(I[e] * gx + I[e + 1] * gy + I[e + 2] * gz),
    Math.abs(I[e + 3] * gx + I[e + 4] * gy + I[e + 5] * gz),
    Math.abs(I[e + 6] * gx + I[e + 7] * gy + I[e + 8] * gz),
  )
  if (worst > LEFT[UNBALANCE] || worst !== worst) LEFT[UNBALANCE] = worst
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
