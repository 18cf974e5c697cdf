/**
 * Groups of two or three rows whose multiplier stays in a ball, ‖λ‖ <= R: friction torque, drives with a largest torque.
 *
 * Inside the ball they are plain rows. On its rim, and pushed outward, λ is opposed to y = s c + d δ, what the rows want undone,
 * λ = −R ŷ, whose derivative is that of rows across ŷ with the softness ‖y‖/R; along ŷ the multiplier is given.
 */

import { LARGEST_GROUP } from '../row-solver.js'
import type { Group } from '../rows.js'
import { SIX } from './body-block.js'
import { addGradient, copyGradient, easeOf } from './place.js'
import { noteResidual } from './residual.js'
import type { Trees } from './trees.js'

/** Share of its square by which a multiplier may be inside its ball and still count as on the rim. */
const RIM = 1e-9
/** Components of y below this [m, rad] give no direction: that of λ does. */
const STUCK = 1e-14
const THREE = 3

/** Scratch of the groups of one set of trees that are in a ball. */
export class Balls {
  count = 0
  /** Edge and joint of a group, its first multiplier among all, how many it has, and R [kg m, kg m²]. */
  readonly edge: Int32Array
  readonly joint: Int32Array
  readonly origin: Int32Array
  readonly size: Int32Array
  readonly radius: Float64Array
  /** On the rim: where λ goes, how far along it goes there, and its gradients; `slides` is 0 inside. */
  readonly slides: Uint8Array
  readonly toward: Float64Array
  readonly change: Float64Array
  readonly Ji: Float64Array
  readonly Jp: Float64Array

  constructor(capacity: number) {
    this.edge = new Int32Array(capacity)
    this.joint = new Int32Array(capacity)
    this.origin = new Int32Array(capacity)
    this.size = new Int32Array(capacity)
    this.radius = new Float64Array(capacity)
    this.slides = new Uint8Array(capacity)
    this.toward = new Float64Array(THREE * capacity)
    this.change = new Float64Array(capacity)
    this.Ji = new Float64Array(SIX * capacity)
    this.Jp = new Float64Array(SIX * capacity)
  }
}

const wanted = /* @__PURE__ */ new Float64Array(LARGEST_GROUP)
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
  let squared = 0
  let outward = 0
  let far = 0
  for (let k = 0; k < size; k++) {
    wanted[k] = y[k] + gains[1] * lambda[l + k]
    squared += lambda[l + k] * lambda[l + k]
    outward -= lambda[l + k] * wanted[k]
    far += y[k] * y[k]
  }
  far = Math.sqrt(far)
  balls.slides[b] = squared >= radius * radius * (1 - RIM) && outward > 0 ? 1 : 0
  if (balls.slides[b] === 0) {
    addInside(trees, n, e, group, gains)
    return
  }
  const s = far > STUCK ? -1 / far : 1 / Math.sqrt(squared)
  for (let k = 0; k < THREE; k++) basis[k] = k < size ? s * (far > STUCK ? y[k] : lambda[l + k]) : 0
  completeBasis(size)
  gains[1] = Math.max(gains[1], radius > 0 ? far / radius : 0)
  for (let t = 1; t < size; t++) addAcross(trees, n, e, group, y, gains, t)
  aim(trees, n, e, group, b)
}

/** Rows of a group inside its ball, `wanted` being known. */
function addInside(trees: Trees, n: number, e: number, group: Group, gains: Float64Array): void {
  const { forest, r, a, joint, origin, across, firstMultiplier } = trees
  const { multiplier } = forest.batch[e].rows
  for (let k = 0; k < group.size; k++) {
    const at = forest.firstRow[n] + trees.rows[n]++
    r[at] = wanted[k] / gains[0]
    a[at] = gains[1] / gains[0]
    joint[at] = e
    origin[at] = firstMultiplier[e] + multiplier[group.start + k]
    across[at] = 0
    addGradient(trees, n, e, group.start + k, at)
    const l = trees.lambda[e][trees.place[e] + multiplier[group.start + k]]
    noteResidual(Math.abs(r[at]), easeOf(trees, n, group) * Math.abs(l))
  }
}

/** The row across the ball along direction t of the basis. */
function addAcross(
  trees: Trees,
  n: number,
  e: number,
  group: Group,
  y: Float64Array,
  gains: Float64Array,
  t: number,
): void {
  const { forest, r, a, joint, origin, across, direction, Ji, Jp, firstMultiplier } = trees
  const { multiplier } = forest.batch[e].rows
  const at = forest.firstRow[n] + trees.rows[n]++
  const lambda = trees.lambda[e]
  const l = trees.place[e] + multiplier[group.start]
  let error = 0
  let force = 0
  for (let k = 0; k < group.size; k++) {
    error += basis[3 * t + k] * y[k]
    force += basis[3 * t + k] * lambda[l + k]
  }
  r[at] = (error + gains[1] * force) / gains[0]
  a[at] = gains[1] / gains[0]
  joint[at] = e
  origin[at] = firstMultiplier[e] + multiplier[group.start]
  across[at] = group.size
  for (let k = 0; k < 3; k++) direction[3 * at + k] = basis[3 * t + k]
  combine(trees, n, e, group, 3 * t, Ji, Jp, SIX * at)
  noteResidual(Math.abs(r[at]), easeOf(trees, n, group) * Math.abs(force))
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
  const ease = easeOf(trees, n, group)
  noteResidual(ease * Math.abs(balls.change[b]), ease * balls.radius[b])
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
  for (let end = 0; end < 2; end++) {
    const node = end === 0 ? forest.child[n] : forest.parent[n]
    if (node < 0) return
    const side = end === 0 ? forest.side[e] : 1 - forest.side[e]
    one.fill(0)
    for (let k = 0; k < group.size; k++) {
      const from = 12 * (group.start + k) + SIX * side
      for (let c = 0; c < SIX; c++) one[c] += basis[o + k] * J[from + c]
    }
    copyGradient(trees, node, one, 0, end === 0 ? Ji : Jp, u)
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
