/** Angles and couples of joints in the system of a tree (define/joint-rows.ts): what they add to it, and their multipliers after a solution. */

import type { BodyColumns } from '../state/body-columns.js'
import {
  ANGLE_DAMPING,
  ANGLE_ERROR,
  ANGLE_RATE,
  ANGLE_SCALE,
  ANGLE_SOFTNESS,
  ANGLE_STRIDE,
  COUPLE_DAMPING,
  COUPLE_RADIUS,
  COUPLE_RATE,
  COUPLE_SCALE,
  COUPLE_SOFTNESS,
  COUPLE_STRIDE,
  type JointRows,
  MOST_ANGLES,
  MOST_COUPLES,
} from '../define/joint-rows.js'
import { rotationSinceStart, TURNED } from '../step/moved.js'
import { ANGLE, type Articulated, COUPLE, FACTORS, LEVER } from './articulated-columns.js'
import type { Trees } from './trees.js'

/** κ of a rigid angle or couple, as a multiple of tr J/‖n‖². */
const RIGID = 1e6

/** Where a bounded row is. */
const INSIDE = 0
const AT_LOWER = 1
const AT_UPPER = 2

/**
 * ρ as a share of the inverse of a row's softness and inverse inertia, of which tr J knows the least: too large a share lets go of friction that holds, and takes up limits
 * that a body leaves.
 */
const RHO = 0.1
/** How far a bounded row may be on the wrong side at the end of a pass [m, rad], and a multiplier beyond its bound, as a share of what turns its body so far. */
const SLACK = 1e-8
/** Share of its radius by which the multiplier of a couple may be off. */
const OFF_RIM = 1e-2

const relative = /* @__PURE__ */ new Float64Array(3)

/** K and τ of a joint's angles and couples, and their numbers for the way down. */
export function addRows(bodies: BodyColumns, trees: Trees, t: Articulated, n: number, e: number): void {
  const { rows, K, J } = t
  K.fill(0, 9 * n, 9 * n + 9)
  t.angleCount[n] = rows.angleCount
  t.coupleCount[n] = rows.coupleCount
  if (rows.angleCount + rows.coupleCount === 0) return
  const { forest } = trees
  const side = forest.side[e] === 0 ? -1 : 1
  const k = FACTORS * n
  const o = 6 * n
  // J is that of the body about its centre of mass; its trace about the point is larger by m r².
  const { factors, A } = t
  const x = factors[k + LEVER]
  const y = factors[k + LEVER + 1]
  const z = factors[k + LEVER + 2]
  TRACE[0] = J[o] + J[o + 3] + J[o + 5] + (2 / 3) * (A[o] + A[o + 3] + A[o + 5]) * (x * x + y * y + z * z)
  if (hasDamping(rows)) measureTurn(bodies, trees, t, n, e)
  for (let r = 0; r < rows.angleCount; r++) addAngle(trees, t, n, e, r, side)
  for (let r = 0; r < rows.coupleCount; r++) addCouple(trees, t, n, e, r, -side)
}

/** tr J of the node in hand [kg m²]. */
const TRACE = /* @__PURE__ */ new Float64Array(1)

function hasDamping({ angleCount, angles, coupleCount, couples }: JointRows): boolean {
  for (let r = 0; r < angleCount; r++) if (angles[ANGLE_STRIDE * r + ANGLE_DAMPING] !== 0) return true
  for (let r = 0; r < coupleCount; r++) if (couples[COUPLE_STRIDE * r + COUPLE_DAMPING] !== 0) return true
  return false
}

/** How far the child has turned in the substep against its parent, or against what holds it. */
function measureTurn(bodies: BodyColumns, { forest }: Trees, t: Articulated, n: number, e: number): void {
  const { ids } = forest.batch[e]
  const o = 2 * forest.row[e]
  const child = forest.body[n]
  const other = ids[o] === child ? ids[o + 1] : ids[o]
  turnOf(bodies, t, child, n)
  relative[0] = TURNED[0]
  relative[1] = TURNED[1]
  relative[2] = TURNED[2]
  turnOf(bodies, t, other, forest.parent[n])
  relative[0] -= TURNED[0]
  relative[1] -= TURNED[1]
  relative[2] -= TURNED[2]
}

/** How far a body has turned in the substep: what was predicted, and X ⊖ X̂ where X̂ is the prediction. */
function turnOf(bodies: BodyColumns, { isFirst, offset }: Articulated, body: number, node: number): void {
  if (!isFirst || node < 0) {
    rotationSinceStart(bodies, body)
    return
  }
  const { predictedRotation } = bodies
  for (let k = 0; k < 3; k++) TURNED[k] = predictedRotation[3 * body + k] + offset[6 * node + 3 + k]
}

/** One angle. Its bound holds where λ − ρ (e + a λ) is beyond it, ρ about the inverse of its softness and inverse inertia. */
function addAngle(trees: Trees, t: Articulated, n: number, e: number, r: number, side: number): void {
  const { angles: given, lower, upper, angleMultiplier } = t.rows
  const { angles, K, state, base } = t
  const o = ANGLE_STRIDE * r
  const k = MOST_ANGLES * n + r
  const at = ANGLE * k
  const x = side * given[o]
  const y = side * given[o + 1]
  const z = side * given[o + 2]
  const d = given[o + ANGLE_DAMPING]
  const gain = given[o + ANGLE_SCALE] + d
  let left = given[o + ANGLE_SCALE] * given[o + ANGLE_ERROR]
  if (d !== 0) left += d * (x * relative[0] + y * relative[1] + z * relative[2] - given[o + ANGLE_RATE])
  left /= gain
  const soft = given[o + ANGLE_SOFTNESS] / gain
  const m = angleMultiplier[r]
  const l = trees.lambda[e][trees.place[e] + m]
  const inverse = (x * x + y * y + z * z) / TRACE[0]
  const rigid = RIGID / inverse
  const isRigid = soft * rigid < 1
  let kappa = isRigid ? rigid : 1 / soft
  let value = (isRigid ? l * (1 - soft * kappa) : 0) - kappa * left
  const low = lower[r]
  const high = upper[r]
  state[k] = INSIDE
  if (low > -Infinity || high < Infinity) {
    const trial = l - (RHO * (left + soft * l)) / (inverse + soft)
    if (trial <= low || trial >= high) {
      state[k] = trial <= low ? AT_LOWER : AT_UPPER
      kappa = 0
      value = trial <= low ? low : high
    }
  }
  angles[at] = x
  angles[at + 1] = y
  angles[at + 2] = z
  angles[at + 3] = kappa
  angles[at + 4] = value
  angles[at + 5] = left
  angles[at + 6] = soft
  t.lower[k] = low
  t.upper[k] = high
  t.angleMultiplier[k] = m
  const push = value - base[trees.firstMultiplier[e] + m]
  const u = 9 * n
  K[u + 6] -= push * x
  K[u + 7] -= push * y
  K[u + 8] -= push * z
  if (kappa === 0) return
  const kx = kappa * x
  const ky = kappa * y
  K[u] += kx * x
  K[u + 1] += kx * y
  K[u + 2] += kx * z
  K[u + 3] += ky * y
  K[u + 4] += ky * z
  K[u + 5] += kappa * z * z
}

const trial = /* @__PURE__ */ new Float64Array(3)

/** One couple; outside its ball λ along ẑ is its radius, and across ẑ a softness holds it (balls.ts). Its gradient on the child is `side`. */
function addCouple(trees: Trees, t: Articulated, n: number, e: number, r: number, side: number): void {
  const { couples: given, coupleMultiplier } = t.rows
  const { couples, K, base } = t
  const o = COUPLE_STRIDE * r
  const at = COUPLE * (MOST_COUPLES * n + r)
  const s = given[o + COUPLE_SCALE]
  const d = given[o + COUPLE_DAMPING]
  const gain = s + d
  const soft = given[o + COUPLE_SOFTNESS] / gain
  const radius = given[o + COUPLE_RADIUS]
  const m = coupleMultiplier[r]
  const lambda = trees.lambda[e]
  const l = trees.place[e] + m
  const rigid = RIGID * TRACE[0]
  const isRigid = soft * rigid < 1
  const rho = RHO / (1 / TRACE[0] + soft)
  let squared = 0
  for (let c = 0; c < 3; c++) {
    let left = s * given[o + c]
    if (d !== 0) left += d * (side * relative[c] - given[o + COUPLE_RATE + c])
    left /= gain
    couples[at + 7 + c] = left
    trial[c] = lambda[l + c] - rho * (left + soft * lambda[l + c])
    squared += trial[c] * trial[c]
  }
  let kappa = isRigid ? rigid : 1 / soft
  const slides = squared > radius * radius
  if (slides) {
    const far = Math.sqrt(squared)
    kappa = radius > 0 ? Math.min(kappa, rho / (far / radius - 1)) : 0
    let along = 0
    for (let c = 0; c < 3; c++) {
      couples[at + 4 + c] = trial[c] / far
      along += (trial[c] / far) * couples[at + 7 + c]
    }
    for (let c = 0; c < 3; c++) {
      const direction = couples[at + 4 + c]
      couples[at + c] = radius * direction - kappa * (couples[at + 7 + c] - along * direction)
    }
  } else {
    const share = isRigid ? 1 - soft * kappa : 0
    for (let c = 0; c < 3; c++) {
      couples[at + 4 + c] = 0
      couples[at + c] = share * lambda[l + c] - kappa * couples[at + 7 + c]
    }
  }
  couples[at + 3] = kappa
  couples[at + 10] = radius
  couples[at + 11] = soft
  t.coupleMultiplier[MOST_COUPLES * n + r] = m
  const first = trees.firstMultiplier[e] + m
  for (let c = 0; c < 3; c++) K[9 * n + 6 + c] -= side * (couples[at + c] - base[first + c])
  const u = 9 * n
  const x = couples[at + 4]
  const y = couples[at + 5]
  const z = couples[at + 6]
  K[u] += kappa * (1 - x * x)
  K[u + 1] -= kappa * x * y
  K[u + 2] -= kappa * x * z
  K[u + 3] += kappa * (1 - y * y)
  K[u + 4] -= kappa * y * z
  K[u + 5] += kappa * (1 - z * z)
}

/** λ of the angles and couples of node n, those of its joint at `l`, by a share of the way to those of the last substitution; the child turns by `turn` against its parent. */
export function advanceRows(
  t: Articulated,
  n: number,
  lambda: Float64Array,
  l: number,
  share: Float64Array,
  side: number,
  turn: Float64Array,
): void {
  relative.set(turn)
  advanceAngles(t, n, lambda, l, share[0])
  advanceCouples(t, n, lambda, l, share[0], side)
}

function advanceAngles(t: Articulated, n: number, lambda: Float64Array, l: number, s: number): void {
  const { angles, state, lower, upper, angleMultiplier } = t
  for (let r = 0; r < t.angleCount[n]; r++) {
    const k = MOST_ANGLES * n + r
    const at = ANGLE * k
    const way = angles[at] * relative[0] + angles[at + 1] * relative[1] + angles[at + 2] * relative[2]
    const at6 = l + angleMultiplier[k]
    let value = angles[at + 4]
    if (state[k] === INSIDE) {
      value -= angles[at + 3] * way
      const low = lower[k]
      const high = upper[k]
      if (value < low || value > high) {
        const over = value < low ? low - value : value - high
        // What is over may be round-off of what the row bears.
        if (over > SLACK * Math.abs(lambda[at6])) t.isSettled = false
        value = value < low ? low : high
      }
    } else {
      const left = angles[at + 5] + way + angles[at + 6] * value
      if (state[k] === AT_LOWER ? left < -SLACK : left > SLACK) t.isSettled = false
    }
    lambda[at6] += s * (value - lambda[at6])
  }
}

function advanceCouples(t: Articulated, n: number, lambda: Float64Array, l: number, s: number, side: number): void {
  const { couples, coupleMultiplier } = t
  for (let r = 0; r < t.coupleCount[n]; r++) {
    const at = COUPLE * (MOST_COUPLES * n + r)
    const first = l + coupleMultiplier[MOST_COUPLES * n + r]
    const kappa = couples[at + 3]
    const radius = couples[at + 10]
    const along = couples[at + 4] * relative[0] + couples[at + 5] * relative[1] + couples[at + 6] * relative[2]
    let squared = 0
    for (let c = 0; c < 3; c++) {
      const value = couples[at + c] - side * kappa * (relative[c] - along * couples[at + 4 + c])
      squared += value * value
      lambda[first + c] += s * (value - lambda[first + c])
    }
    if (radius === Infinity) continue
    const off = Math.sqrt(squared) - radius
    const slides = couples[at + 4] !== 0 || couples[at + 5] !== 0 || couples[at + 6] !== 0
    if (slides ? Math.abs(off) > OFF_RIM * radius : off > OFF_RIM * radius) t.isSettled = false
    // One that slides goes on doing so: what is left of e along ẑ is against λ.
    if (!slides) continue
    let left = side * along
    for (let c = 0; c < 3; c++) left += couples[at + 4 + c] * couples[at + 7 + c]
    if (left + couples[at + 11] * radius > SLACK) t.isSettled = false
  }
}
