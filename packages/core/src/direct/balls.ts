/**
 * Groups of two or three rows whose multiplier stays in a ball, ‖λ‖ <= R: friction torque, drives with a largest torque.
 *
 * With e = s c + d δ + a λ, what is left of the rows, and any ρ > 0 that is λ = Π(λ − ρ e), Π the projection onto the ball (Alart and
 * Curnier 1991). Where z = λ − ρ e is inside they are plain rows. Outside, λ along ẑ is R, and across ẑ the derivative of the
 * projection makes rows with a softness of their own:
 *
 *   de + ā dλ = −(e + ā λ),   ā = (‖z‖/R − 1)/ρ
 */

import { LARGEST_GROUP } from '../step/limits.js'
import type { Group } from '../define/rows.js'
import { SIX } from './body-block.js'
import { addGradient, copyGradient, inverseMassBoundOf } from './place.js'
import { noteResidual, type Trees } from './trees.js'

const THREE = 3
/**
 * Share of R by which λ of a group that slides may be off, along ẑ and across it. Bodies are balanced by the λ that it has, so that joints hold
 * as well; where limits bear a joint that hardly slides, the direction of its slip is what rounding makes it, and would be solved on and on.
 */
const OFF_RIM = 1e-3

/** e of the group in hand, and ā of the rows across it. */
const left = /* @__PURE__ */ new Float64Array(LARGEST_GROUP)
const softness = /* @__PURE__ */ new Float64Array(1)
const basis = /* @__PURE__ */ new Float64Array(9)

/** Adds a group; `y` and `gains` = (s + d, a) being known. */
export function addBall(trees: Trees, n: number, e: number, group: Group, y: Float64Array, gains: Float64Array): void {
  const { balls, place, firstMultiplier } = trees
  const { start, size } = group
  const { multiplier } = trees.forest.batch[e].rows
  const lambda = trees.lambda[e]
  const l = place[e] + multiplier[start]
  const h = trees.substep[0]
  const b = balls.count++
  balls.edge[b] = n
  balls.joint[b] = e
  balls.origin[b] = firstMultiplier[e] + multiplier[start]
  balls.size[b] = size
  balls.radius[b] = group.radius * h * h
  balls.change[b] = 0
  const radius = balls.radius[b]
  const rho = 1 / (gains[0] * inverseMassBoundOf(trees, n, group) + gains[1])
  let squared = 0
  for (let k = 0; k < size; k++) {
    left[k] = y[k] + gains[1] * lambda[l + k]
    basis[k] = lambda[l + k] - rho * left[k]
    squared += basis[k] * basis[k]
  }
  balls.slides[b] = squared > radius * radius ? 1 : 0
  if (balls.slides[b] === 0) {
    addInside(trees, n, e, group, gains)
    return
  }
  const far = Math.sqrt(squared)
  for (let k = 0; k < THREE; k++) basis[k] = k < size ? basis[k] / far : 0
  completeBasis(size)
  softness[0] = radius > 0 ? (far / radius - 1) / rho : Infinity
  if (softness[0] < Infinity) for (let t = 1; t < size; t++) addAcross(trees, n, e, group, gains, t)
  aim(trees, n, e, group, b)
}

/** Rows of a group inside its ball, `left` being known. */
function addInside(trees: Trees, n: number, e: number, group: Group, gains: Float64Array): void {
  const { forest, r, a, joint, origin, across, firstMultiplier } = trees
  const { multiplier } = forest.batch[e].rows
  for (let k = 0; k < group.size; k++) {
    const at = forest.firstRow[n] + trees.rows[n]++
    r[at] = left[k] / gains[0]
    a[at] = gains[1] / gains[0]
    joint[at] = e
    origin[at] = firstMultiplier[e] + multiplier[group.start + k]
    across[at] = 0
    addGradient(trees, n, e, group.start + k, at)
    const l = trees.lambda[e][trees.place[e] + multiplier[group.start + k]]
    noteResidual(Math.abs(r[at]), inverseMassBoundOf(trees, n, group) * Math.abs(l))
  }
}

/** The row across the ball along direction t of the basis. */
function addAcross(trees: Trees, n: number, e: number, group: Group, gains: Float64Array, t: number): void {
  const { forest, r, a, joint, origin, across, direction, Ji, Jp, firstMultiplier } = trees
  const { multiplier } = forest.batch[e].rows
  const at = forest.firstRow[n] + trees.rows[n]++
  const lambda = trees.lambda[e]
  const l = trees.place[e] + multiplier[group.start]
  let error = 0
  let force = 0
  let slip = 0
  for (let k = 0; k < group.size; k++) {
    slip += basis[k] * left[k]
    error += basis[3 * t + k] * left[k]
    force += basis[3 * t + k] * lambda[l + k]
  }
  r[at] = (error + softness[0] * force) / gains[0]
  a[at] = (gains[1] + softness[0]) / gains[0]
  joint[at] = e
  origin[at] = firstMultiplier[e] + multiplier[group.start]
  across[at] = group.size
  for (let k = 0; k < 3; k++) direction[3 * at + k] = basis[3 * t + k]
  combine(trees, n, e, group, 3 * t, Ji, Jp, SIX * at)
  const miss = Math.abs(r[at])
  noteResidual(
    miss * gains[0] <= OFF_RIM * Math.abs(slip) ? 0 : miss,
    inverseMassBoundOf(trees, n, group) * Math.abs(force),
  )
}

/** Notes where λ of a group that slides goes along ŷ, and what that pushes. */
function aim(trees: Trees, n: number, e: number, group: Group, b: number): void {
  const { balls } = trees
  const lambda = trees.lambda[e]
  const l = trees.place[e] + trees.forest.batch[e].rows.multiplier[group.start]
  let along = 0
  for (let k = 0; k < 3; k++) {
    balls.toward[3 * b + k] = basis[k]
    if (k < group.size) along += basis[k] * lambda[l + k]
  }
  balls.change[b] = balls.radius[b] - along
  combine(trees, n, e, group, 0, balls.Ji, balls.Jp, SIX * b)
  const inverseMass = inverseMassBoundOf(trees, n, group)
  const miss = Math.abs(balls.change[b])
  noteResidual(miss <= OFF_RIM * balls.radius[b] ? 0 : inverseMass * miss, inverseMass * balls.radius[b])
}

const one = /* @__PURE__ */ new Float64Array(SIX)

/** Σ_k basis_k J_k of both bodies, from `o` of the basis into `u` of `Ji` and `Jp`. */
function combine(
  trees: Trees,
  n: number,
  e: number,
  group: Group,
  o: number,
  Ji: Float64Array,
  Jp: Float64Array,
  u: number,
): void {
  const { forest } = trees
  const { J } = forest.batch[e].rows
  const stride = forest.stride[e]
  for (let end = 0; end < 2; end++) {
    const node = end === 0 ? forest.child[n] : forest.parent[n]
    if (node < 0) return
    const side = end === 0 ? forest.side[e] : 1 - forest.side[e]
    one.fill(0)
    // One that the joint lacks or does not push keeps 0.
    for (let k = 0; k < group.size && (end === 0 || forest.alone[e] === 0); k++) {
      const from = stride * (group.start + k) + SIX * side
      for (let c = 0; c < SIX; c++) one[c] += basis[o + k] * J[from + c]
    }
    copyGradient(one, 0, trees.free[node], end === 0 ? Ji : Jp, u)
  }
}

/** Unit vectors across the first of the basis, in two or three dimensions. */
function completeBasis(size: number): void {
  const x = basis[0]
  const y = basis[1]
  const z = basis[2]
  if (size === 2) {
    basis[3] = -y
    basis[4] = x
    basis[5] = 0
    return
  }
  // Across the coordinate axis that is farthest from it.
  const alongX = Math.abs(x) < 0.6
  let a = alongX ? 0 : -z
  let b = alongX ? z : 0
  let c = alongX ? -y : x
  const s = 1 / Math.sqrt(a * a + b * b + c * c)
  a *= s
  b *= s
  c *= s
  basis[3] = a
  basis[4] = b
  basis[5] = c
  basis[6] = y * c - z * b
  basis[7] = z * a - x * c
  basis[8] = x * b - y * a
}
