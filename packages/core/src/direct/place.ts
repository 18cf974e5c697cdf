/** Gradients and forces of a joint's rows, from what its type's `evaluate` wrote into the system of its tree. */

import type { Group } from '../define/rows.js'
import { SIX } from './body-block.js'
import { ALL_FREE, type Trees } from './trees.js'

/** Gradients of a group on one of its bodies, into the system from number w of `into`, and their forces; on one that it lacks, none. */
export function placeRows(
  trees: Trees,
  e: number,
  group: Group,
  node: number,
  side: number,
  into: Float64Array,
  w: number,
): void {
  const { g } = trees
  const { stride: strides, alone, side: own } = trees.forest
  const stride = strides[e]
  if (alone[e] !== 0 && side !== own[e]) {
    into.fill(0, w, w + SIX * group.size)
    return
  }
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
    const o = stride * k + SIX * side
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

/** g −= Jᵀλ of row k of joint e, on both bodies. */
export function addForce(trees: Trees, n: number, e: number, k: number): void {
  const { forest, g } = trees
  const { J, multiplier } = forest.batch[e].rows
  const f = trees.lambda[e][trees.place[e] + multiplier[k]]
  if (f === 0) return
  const side = forest.side[e]
  const stride = forest.stride[e]
  const i = SIX * forest.child[n]
  const o = stride * k + SIX * side
  for (let c = 0; c < SIX; c++) g[i + c] -= f * J[o + c]
  if (forest.parent[n] < 0 || forest.alone[e] !== 0) return
  const p = SIX * forest.parent[n]
  const u = stride * k + SIX * (1 - side)
  for (let c = 0; c < SIX; c++) g[p + c] -= f * J[u + c]
}

/** Gradients of row k of joint e into row `at` of the system. */
export function addGradient(trees: Trees, n: number, e: number, k: number, at: number): void {
  copyGradients(trees, n, e, k, trees.Ji, trees.Jp, SIX * at)
}

/** Gradients of row k of joint e on the child of edge n and on its parent, to `u` of `child` and of `parent`. */
export function copyGradients(
  { forest, free }: Trees,
  n: number,
  e: number,
  k: number,
  child: Float64Array,
  parent: Float64Array,
  u: number,
): void {
  const { J } = forest.batch[e].rows
  const stride = forest.stride[e]
  const side = forest.side[e]
  const i = forest.child[n]
  const p = forest.parent[n]
  copyGradient(J, stride * k + SIX * side, free[i], child, u)
  if (p < 0) return
  if (forest.alone[e] !== 0) parent.fill(0, u, u + SIX)
  else copyGradient(J, stride * k + SIX * (1 - side), free[p], parent, u)
}

/** One body's six numbers from `o` of J to `u` of `into`, without what is not `free`. */
export function copyGradient(J: Float64Array, o: number, free: number, into: Float64Array, u: number): void {
  for (let c = 0; c < SIX; c++) into[u + c] = J[o + c]
  if (free !== ALL_FREE) holdLocked(into, u, free)
}

/** How far a force of a group's unit moves the bodies of edge n, at most [1/kg, 1/(kg m²)]. */
export function inverseMassBoundOf(trees: Trees, n: number, group: Group): number {
  return trees.inverseMassBound[2 * n + (group.unit === 'm' ? 0 : 1)]
}

/** No row moves what is locked. */
function holdLocked(J: Float64Array, o: number, free: number): void {
  for (let c = 0; c < SIX; c++) if ((free & (1 << c)) === 0) J[o + c] = 0
}
