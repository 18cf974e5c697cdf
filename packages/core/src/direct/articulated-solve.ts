/** Solution of a tree's system downward: displacements and multipliers (articulated.ts). */

import { type Articulated, E, F, FACTORS, GAP, GU, LEVER, T0 } from './articulated-columns.js'
import { pointForce, pointMotion } from './articulated-point.js'
import { advanceRows } from './articulated-rows.js'
import type { Trees } from './trees.js'

const MOTION = /* @__PURE__ */ new Float64Array(6)
const FORCE = /* @__PURE__ */ new Float64Array(3)
const turned = /* @__PURE__ */ new Float64Array(3)

/** dX of all nodes, roots first. */
export function substituteArticulated(trees: Trees, t: Articulated): void {
  const { forest, nodeCount, dX } = trees
  const { parent, firstMember } = forest
  const { factors } = t
  for (let n = nodeCount - 1; n >= 0; n--) {
    const o = 6 * n
    const k = FACTORS * n
    if (firstMember[n] === firstMember[n + 1]) {
      for (let c = 0; c < 3; c++) {
        dX[o + c] = factors[k + GU + c]
        dX[o + 3 + c] = factors[k + T0 + c]
      }
      continue
    }
    pointMotion(factors, k, dX, 6 * parent[n], MOTION)
    const U = MOTION[0]
    const V = MOTION[1]
    const W = MOTION[2]
    const p0 = MOTION[3]
    const p1 = MOTION[4]
    const p2 = MOTION[5]
    const f = k + F
    const e = k + E
    const a =
      factors[f] * p0 +
      factors[f + 1] * p1 +
      factors[f + 2] * p2 -
      (factors[e] * U + factors[e + 1] * V + factors[e + 2] * W) -
      factors[k + T0]
    const b =
      factors[f + 3] * p0 +
      factors[f + 4] * p1 +
      factors[f + 5] * p2 -
      (factors[e + 3] * U + factors[e + 4] * V + factors[e + 5] * W) -
      factors[k + T0 + 1]
    const c =
      factors[f + 6] * p0 +
      factors[f + 7] * p1 +
      factors[f + 8] * p2 -
      (factors[e + 6] * U + factors[e + 7] * V + factors[e + 8] * W) -
      factors[k + T0 + 2]
    const x = factors[k + LEVER]
    const y = factors[k + LEVER + 1]
    const z = factors[k + LEVER + 2]
    dX[o] = U - factors[k + GAP] - (b * z - c * y)
    dX[o + 1] = V - factors[k + GAP + 1] - (c * x - a * z)
    dX[o + 2] = W - factors[k + GAP + 2] - (a * y - b * x)
    dX[o + 3] = a
    dX[o + 4] = b
    dX[o + 5] = c
  }
}

/** λ of all joints, by a share s of the way to those of the last substitution, and whether bounded rows are on their side. */
export function advanceArticulated(trees: Trees, t: Articulated, share: Float64Array): void {
  const { forest, nodeCount, lambda, place, firstMultiplier, dX } = trees
  const { parent, firstMember } = forest
  const { factors, base } = t
  const s = share[0]
  t.isSettled = true
  for (let n = 0; n < nodeCount; n++) {
    const e = firstMember[n]
    if (firstMember[n + 1] === e) continue
    const k = FACTORS * n
    const l = place[e]
    const m = firstMultiplier[e]
    const to = lambda[e]
    pointMotion(factors, k, dX, 6 * parent[n], MOTION)
    pointForce(factors, k, MOTION, FORCE)
    const side = forest.side[e] === 0 ? 1 : -1
    to[l] += s * (base[m] + side * (FORCE[0] + factors[k + GU]) - to[l])
    to[l + 1] += s * (base[m + 1] + side * (FORCE[1] + factors[k + GU + 1]) - to[l + 1])
    to[l + 2] += s * (base[m + 2] + side * (FORCE[2] + factors[k + GU + 2]) - to[l + 2])
    if (t.angleCount[n] + t.coupleCount[n] === 0) continue
    const o = 6 * n
    turned[0] = dX[o + 3] - MOTION[3]
    turned[1] = dX[o + 4] - MOTION[4]
    turned[2] = dX[o + 5] - MOTION[5]
    advanceRows(t, n, to, l, share, side, turned)
  }
}
