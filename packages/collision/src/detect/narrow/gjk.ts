/**
 * Distance of two cores (Gilbert, Johnson and Keerthi 1988): the point v nearest to the origin of the convex set of all
 * differences K = { a − b }, approached by simplices.
 *
 * The support w of K along −v bounds the distance from below by v·w/|v|. For polytopes the corners repeat after finitely
 * many steps; for curved cores the bounds meet.
 */

import type { Shape } from '../../shapes/shape.js'
import { coreSupport } from './core.js'
import { CLOSEST } from './closest-pair.js'
import { nearestOfSimplex, Simplex } from './simplex.js'

/** Share of the squared distance by which the bounds may differ where only rounding is in the way: polytopes. */
export const EXACT = 1e-13
/** More steps than any pair was seen to need; each step has come nearer, so that what has been reached is good. */
const MAX_STEPS = 100
/** Cores nearer than this share of their differences touch: the direction between them would be rounding. */
const TOUCH = 1e-7

/** The last one: what the nearest points are made of. */
export const simplex: Simplex = /* @__PURE__ */ new Simplex()
/** Share of the squared distance by which the last bounds differ. */
export const SLACK: Float64Array = /* @__PURE__ */ new Float64Array(1)

const v = /* @__PURE__ */ new Float64Array(3)
const down = /* @__PURE__ */ new Float64Array(3)
const local = /* @__PURE__ */ new Float64Array(3)
const p = /* @__PURE__ */ new Float64Array(3)
const q = /* @__PURE__ */ new Float64Array(3)

/**
 * Distance of the cores of a and b [m], b at `T` in the frame of a: 0 if they touch, `Infinity` if it is certain to be more
 * than `limit`. Unless those, `CLOSEST` gets normal (from b to a) and the nearest points of the cores. `tolerance` is the share
 * of the squared distance by which the bounds may differ.
 */
export function gjk(a: Shape, b: Shape, T: Float64Array, limit: number, tolerance: number): number {
  approach(a, b, T, limit, tolerance)
  return CLOSEST[9]
}

/** The same, the distance into `CLOSEST[9]`: what so large a function returns would be boxed. */
function approach(a: Shape, b: Shape, T: Float64Array, limit: number, tolerance: number): void {
  CLOSEST[9] = 0
  simplex.count = 0
  v[0] = -T[0]
  v[1] = -T[1]
  v[2] = -T[2]
  // Centres that coincide give no direction: any will do, the first support corrects it.
  if (v[0] === 0 && v[1] === 0 && v[2] === 0) v[0] = 1
  let square = Infinity
  let scale = 0
  for (let step = 0; step < MAX_STEPS; step++) {
    addSupport(a, b, T)
    const o = 3 * simplex.count
    const { w } = simplex
    const x = w[o]
    const y = w[o + 1]
    const z = w[o + 2]
    const along = v[0] * x + v[1] * y + v[2] * z
    const length = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    if (along > 0 && along * along > limit * limit * length) {
      CLOSEST[9] = Infinity
      return
    }
    if (step > 0) {
      SLACK[0] = (square - along) / square
      if (SLACK[0] <= tolerance || repeats(o)) break
    }
    scale = Math.max(scale, x * x + y * y + z * z)
    simplex.count++
    if (!nearestOfSimplex(simplex, v)) return
    const next = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    if (next <= TOUCH * TOUCH * scale) return
    // No nearer: rounding has the last word.
    if (next >= square) break
    square = next
    writeClosest()
  }
  const distance = Math.sqrt(square)
  for (let k = 0; k < 3; k++) CLOSEST[k] /= distance
  CLOSEST[9] = distance
}

/** Puts the support of the difference along −v behind the simplex. */
function addSupport(a: Shape, b: Shape, T: Float64Array): void {
  const x = v[0]
  const y = v[1]
  const z = v[2]
  down[0] = -x
  down[1] = -y
  down[2] = -z
  local[0] = T[3] * x + T[6] * y + T[9] * z
  local[1] = T[4] * x + T[7] * y + T[10] * z
  local[2] = T[5] * x + T[8] * y + T[11] * z
  coreSupport(a, down, p)
  coreSupport(b, local, q)
  const { w, a: onA, b: onB } = simplex
  const o = 3 * simplex.count
  for (let k = 0; k < 3; k++) {
    const r = T[k] + T[3 + 3 * k] * q[0] + T[4 + 3 * k] * q[1] + T[5 + 3 * k] * q[2]
    onA[o + k] = p[k]
    onB[o + k] = r
    w[o + k] = p[k] - r
  }
}

/** Whether the corner of the simplex at `at` is one of those before it. */
function repeats(at: number): boolean {
  const { w, count } = simplex
  for (let o = 0; o < 3 * count; o += 3) {
    if (w[o] === w[at] && w[o + 1] === w[at + 1] && w[o + 2] === w[at + 2]) return true
  }
  return false
}

/** v and the points that make it. */
function writeClosest(): void {
  const { a, b, share, count } = simplex
  for (let k = 0; k < 3; k++) {
    let onA = 0
    let onB = 0
    for (let i = 0; i < count; i++) {
      onA += share[i] * a[3 * i + k]
      onB += share[i] * b[3 * i + k]
    }
    CLOSEST[k] = v[k]
    CLOSEST[3 + k] = onA
    CLOSEST[6 + k] = onB
  }
}
