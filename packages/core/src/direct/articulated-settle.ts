/** What pushes leave of a tree after its solution (articulated-response.ts): multipliers that follow them, and whether it is to be solved again. */

import { MOST_ANGLES, MOST_COUPLES } from '../define/joint-rows.js'
import type { BodyColumns } from '../state/body-columns.js'
import { ANGLE, type Articulated, COUPLE, E, F, FACTORS, LEVER, UP } from './articulated-columns.js'
import { pointForce, pointMotion } from './articulated-point.js'
import { AT_LOWER, INSIDE, SLACK } from './articulated-rows.js'
import { hasMoved } from './poses.js'
import type { Trees } from './trees.js'

/** Share of its largest force by which a row that has one may change with pushes, and not be solved again. */
const UNCHANGED = 1e-2

const MOTION = /* @__PURE__ */ new Float64Array(6)
const FORCE = /* @__PURE__ */ new Float64Array(3)
const turned = /* @__PURE__ */ new Float64Array(3)
/** f and t of all nodes on the way up; grown and kept. */
let carried = /* @__PURE__ */ new Float64Array(0)

/** Adds to the multipliers of all joints what pushes since the last solution have changed; false where one is beyond its bounds then. */
export function settlePushes(trees: Trees): boolean {
  const t = trees.articulated as Articulated
  const { forest, nodeCount, lambda, place } = trees
  const { parent, firstMember } = forest
  const { response: factors, wrench, pushed } = t
  let isWithin = true
  if (carried.length < 6 * nodeCount) carried = new Float64Array(12 * nodeCount)
  for (let k = 0; k < 6 * nodeCount; k++) carried[k] = -wrench[k]
  for (let i = 0; i < nodeCount; i++) {
    const e = firstMember[i]
    if (firstMember[i + 1] === e) continue
    const k = FACTORS * i
    const o = 6 * i
    const q = 6 * parent[i]
    const x = factors[k + LEVER]
    const y = factors[k + LEVER + 1]
    const z = factors[k + LEVER + 2]
    const fx = carried[o]
    const fy = carried[o + 1]
    const fz = carried[o + 2]
    const tx = carried[o + 3] - y * fz + z * fy
    const ty = carried[o + 4] - z * fx + x * fz
    const tz = carried[o + 5] - x * fy + y * fx
    const E0 = k + E
    const ux = fx - factors[E0] * tx - factors[E0 + 3] * ty - factors[E0 + 6] * tz
    const uy = fy - factors[E0 + 1] * tx - factors[E0 + 4] * ty - factors[E0 + 7] * tz
    const uz = fz - factors[E0 + 2] * tx - factors[E0 + 5] * ty - factors[E0 + 8] * tz
    if (q >= 0) {
      const f = k + F
      const X = factors[k + UP]
      const Y = factors[k + UP + 1]
      const Z = factors[k + UP + 2]
      carried[q] += ux
      carried[q + 1] += uy
      carried[q + 2] += uz
      carried[q + 3] += factors[f] * tx + factors[f + 3] * ty + factors[f + 6] * tz + Y * uz - Z * uy
      carried[q + 4] += factors[f + 1] * tx + factors[f + 4] * ty + factors[f + 7] * tz + Z * ux - X * uz
      carried[q + 5] += factors[f + 2] * tx + factors[f + 5] * ty + factors[f + 8] * tz + X * uy - Y * ux
    }
    pointMotion(factors, k, pushed, q, MOTION)
    pointForce(factors, k, MOTION, FORCE)
    const side = forest.side[e] === 0 ? 1 : -1
    const to = lambda[e]
    const l = place[e]
    to[l] += side * (FORCE[0] + ux)
    to[l + 1] += side * (FORCE[1] + uy)
    to[l + 2] += side * (FORCE[2] + uz)
    turned[0] = pushed[o + 3] - MOTION[3]
    turned[1] = pushed[o + 4] - MOTION[4]
    turned[2] = pushed[o + 5] - MOTION[5]
    if (!settleRows(t, i, to, l, side)) isWithin = false
  }
  return isWithin
}

/** The same of the angles and couples of node n, whose child has turned by `turned` against its parent. */
function settleRows(t: Articulated, n: number, lambda: Float64Array, l: number, side: number): boolean {
  const { angles, lower, upper, state, angleMultiplier, couples, coupleMultiplier } = t
  let isWithin = true
  for (let r = 0; r < t.angleCount[n]; r++) {
    const k = MOST_ANGLES * n + r
    const at = ANGLE * k
    const way = angles[at] * turned[0] + angles[at + 1] * turned[1] + angles[at + 2] * turned[2]
    const m = l + angleMultiplier[k]
    const more = angles[at + 3] * way
    angles[at + 7] += way
    if (lower[k] > -Infinity && upper[k] < Infinity) {
      if (Math.abs(more) > UNCHANGED * upper[k]) isWithin = false
      continue
    }
    lambda[m] -= more
    const isOnSide =
      state[k] === INSIDE
        ? lambda[m] >= lower[k] && lambda[m] <= upper[k]
        : state[k] === AT_LOWER
          ? angles[at + 7] >= -SLACK
          : angles[at + 7] <= SLACK
    if (!isOnSide) isWithin = false
  }
  for (let r = 0; r < t.coupleCount[n]; r++) {
    const at = COUPLE * (MOST_COUPLES * n + r)
    const kappa = couples[at + 3]
    if (couples[at + 10] < Infinity) {
      const squared = turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]
      const most = UNCHANGED * couples[at + 10]
      if (kappa * kappa * squared > most * most) isWithin = false
      continue
    }
    const first = l + coupleMultiplier[MOST_COUPLES * n + r]
    for (let c = 0; c < 3; c++) lambda[first + c] -= side * kappa * turned[c]
  }
  return isWithin
}

/** Whether a limit that does not bear is passed by more than `far` [rad] by what pushes have done since the last solution. */
export function crossesBound(trees: Trees, far: number): boolean {
  const { forest, nodeCount } = trees
  const { angles, state, pushed, angleCount } = trees.articulated as Articulated
  for (let n = 0; n < nodeCount; n++) {
    if (angleCount[n] === 0 || forest.firstMember[n] === forest.firstMember[n + 1]) continue
    const o = 6 * n + 3
    const q = 6 * forest.parent[n] + 3
    for (let r = 0; r < angleCount[n]; r++) {
      const k = MOST_ANGLES * n + r
      if (state[k] === INSIDE) continue
      const at = ANGLE * k
      let left = angles[at + 7]
      for (let c = 0; c < 3; c++) left += angles[at + c] * (pushed[o + c] - (q < 3 ? 0 : pushed[q + c]))
      if (state[k] === AT_LOWER ? left < -far : left > far) return true
    }
  }
  return false
}

/** Whether joints may be open by more than `far` [m, rad]: by the second order of pushes, or by what others have moved. */
export function isPushedFar(bodies: BodyColumns, trees: Trees, far: number): boolean {
  if (hasMoved(bodies, trees, far)) return true
  const { pushed, reach, isPushed } = trees.articulated as Articulated
  if (!isPushed) return false
  const most = (2 * far) / (1 + Math.sqrt(reach[0]))
  for (let o = 3; o < 6 * trees.nodeCount; o += 6) {
    const squared = pushed[o] * pushed[o] + pushed[o + 1] * pushed[o + 1] + pushed[o + 2] * pushed[o + 2]
    if (squared > most) return true
  }
  return false
}
