/**
 * Newton's method on a tree whose joints share points: displacements and multipliers downward, once the system is eliminated (articulated.ts has the equations). What it
 * does not solve is left to the general solution (newton.ts).
 */

import { rotateBy } from '../math/rotation.js'
import type { BodyColumns } from '../state/body-columns.js'
import { type Articulated, E, F, FACTORS, GAP, GU, LEVER, MUT, MUU, T0, UP } from './articulated-columns.js'
import { advanceRows } from './articulated-rows.js'
import { eliminateArticulated } from './articulated.js'
import { ALL_FREE, type Trees } from './trees.js'

/** Most solves: of those that end, one in a thousand takes more. */
const MOST = 8
/** Most that a body turns in one solve [rad]. */
const TURN = 0.5

const turned = /* @__PURE__ */ new Float64Array(3)
const SHARE = /* @__PURE__ */ new Float64Array(1)
/** Square of the largest turn [rad²], and of the largest displacement [m²]. */
const LARGEST = /* @__PURE__ */ new Float64Array(2)

/** Whether the substep in hand may be solved here. */
export function mayArticulate(trees: Trees): boolean {
  const { articulated, free, nodeCount } = trees
  if (articulated === undefined || trees.kept || trees.hasOffset || trees.touches.acts) return false
  for (let n = 0; n < nodeCount; n++) if (free[n] !== ALL_FREE) return false
  return true
}

/**
 * Solves from the present pose and multipliers, X̂ being in `start`; `isFirst` where that is the prediction, else bodies are balanced at it by the multipliers
 * that were found. False where it does not end, with poses and multipliers lost.
 */
export function solveArticulated(bodies: BodyColumns, trees: Trees, isFirst: boolean): boolean {
  const t = trees.articulated as Articulated
  t.isFirst = isFirst
  t.isReady = false
  if (isFirst) t.base.fill(0)
  else t.base.set(trees.found)
  for (let solve = 0; solve < MOST; solve++) {
    if (!eliminateArticulated(bodies, trees, t)) return false
    trees.solves++
    substituteArticulated(trees, t)
    measure(trees)
    if (!(LARGEST[0] + LARGEST[1] < Infinity)) return false
    SHARE[0] = LARGEST[0] > TURN * TURN ? TURN / Math.sqrt(LARGEST[0]) : 1
    displace(bodies, trees)
    advanceArticulated(trees, t, SHARE)
    // What a whole step leaves is of its second order: ½ θ² r of a lever r, ½ θ² of an angle. It may be half of the tolerance.
    if (t.isSettled && LARGEST[0] * (1 + Math.sqrt(t.reach[0])) <= trees.tolerance[0]) {
      t.isReady = true
      return true
    }
  }
  return false
}

function measure({ dX }: Trees): void {
  let turn = 0
  let shift = 0
  for (let o = 0; o < dX.length; o += 6) {
    const s = dX[o] * dX[o] + dX[o + 1] * dX[o + 1] + dX[o + 2] * dX[o + 2]
    const a = dX[o + 3] * dX[o + 3] + dX[o + 4] * dX[o + 4] + dX[o + 5] * dX[o + 5]
    // Not a number stays.
    if (s > shift || s !== s) shift = s
    if (a > turn || a !== a) turn = a
  }
  LARGEST[0] = turn
  LARGEST[1] = shift
}

function displace({ position, orientation }: BodyColumns, { forest: { body }, dX, nodeCount }: Trees): void {
  const s = SHARE[0]
  for (let n = 0; n < nodeCount; n++) {
    const i = 4 * body[n]
    const o = 6 * n
    position[i] += s * dX[o]
    position[i + 1] += s * dX[o + 1]
    position[i + 2] += s * dX[o + 2]
    turned[0] = s * dX[o + 3]
    turned[1] = s * dX[o + 4]
    turned[2] = s * dX[o + 5]
    rotateBy(orientation, i, turned)
  }
}

const MOTION = /* @__PURE__ */ new Float64Array(6)
const FORCE = /* @__PURE__ */ new Float64Array(3)

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

/** (U, θ_p) of a joint with factors at k, from six numbers a node; q < 0 where it holds to what does not move. */
export function pointMotion(factors: Float64Array, k: number, nodes: Float64Array, q: number, out: Float64Array): void {
  if (q < 0) {
    out[0] = out[1] = out[2] = out[3] = out[4] = out[5] = 0
    return
  }
  const X = factors[k + UP]
  const Y = factors[k + UP + 1]
  const Z = factors[k + UP + 2]
  const a = nodes[q + 3]
  const b = nodes[q + 4]
  const c = nodes[q + 5]
  out[0] = nodes[q] + b * Z - c * Y
  out[1] = nodes[q + 1] + c * X - a * Z
  out[2] = nodes[q + 2] + a * Y - b * X
  out[3] = a
  out[4] = b
  out[5] = c
}

/** M_UU U + M_Uθ θ_p of the (U, θ_p) in `motion`. */
export function pointForce(factors: Float64Array, k: number, motion: Float64Array, out: Float64Array): void {
  const M = k + MUU
  const T = k + MUT
  const U = motion[0]
  const V = motion[1]
  const W = motion[2]
  const a = motion[3]
  const b = motion[4]
  const c = motion[5]
  out[0] =
    factors[M] * U + factors[M + 1] * V + factors[M + 2] * W + factors[T] * a + factors[T + 1] * b + factors[T + 2] * c
  out[1] =
    factors[M + 1] * U +
    factors[M + 3] * V +
    factors[M + 4] * W +
    factors[T + 3] * a +
    factors[T + 4] * b +
    factors[T + 5] * c
  out[2] =
    factors[M + 2] * U +
    factors[M + 4] * V +
    factors[M + 5] * W +
    factors[T + 6] * a +
    factors[T + 7] * b +
    factors[T + 8] * c
}
