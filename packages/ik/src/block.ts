/**
 * One step of the whole skeleton (Waterson 153, 154, signs corrected, all goals in one system):
 *
 *   W = J M⁻¹ Jᵀ                                        all rows of all goals
 *   (W + A + C) Δλ = −(e + C λ)                         A damping, C compliance
 *   Δq = M⁻¹ Jᵀ Δλ                                      each joint by its own M_k⁻¹
 *
 * and what the joints would rather do, Δq₀, in what that leaves free: Δq += Δq₀ − M⁻¹ Jᵀ (W + A + C)⁻¹ J Δq₀.
 * A joint that would be turned past a bound is turned up to it, loses that direction, and the system is solved again for
 * what the others have to do then.
 */

import type { FullMass } from './full-mass.js'
import { type Bounds, findBounds } from './limits.js'
import { BALL, FREEDOMS, HINGE, SLIDER, UNIVERSAL } from './joints.js'
import type { Kinematics } from './kinematics.js'
import { BLOCK, blockDirection } from './metric.js'
import type { GoalRows } from './rows.js'

/** Solves with more and more bounds in force, at most. */
const PASSES = 5
/** Going past a bound by less than this [rad or m] is none. */
const STILL = 1e-12
/** Damping that every row has, as a share of the mean of W's diagonal: what keeps dependent rows apart. */
const LEAST_DAMPING = 1e-10

/** Room for the steps of one rig and as many rows. */
export class Block {
  readonly kinematics: Kinematics
  readonly rows: GoalRows
  /** M_k⁻¹ in force, bounds taken out. */
  readonly mobility: Float64Array
  /** Δq, and the Δq₀ that the joints would rather have. */
  readonly step: Float64Array
  readonly wish: Float64Array
  /** The whole mass in place of `mobility`, where the metric asks for it. */
  fullMass: FullMass | undefined
  /** By part of the rig: A as a share of the mean of W's diagonal, and the sum and the number of its rows' entries there. */
  readonly damping: Float64Array
  private readonly trace: Float64Array
  private readonly size: Float64Array
  /** What bounds prescribe of Δq. */
  private readonly fixed: Float64Array
  /** λ of the rows, summed over a solve. */
  readonly lambda: Float64Array
  /** M⁻¹ Jᵀ, a row a degree of freedom. */
  private readonly T: Float64Array
  private readonly W: Float64Array
  /** By row of W: its first entry. Goals that share no joint have none between them. */
  private readonly left: Int32Array
  private readonly delta: Float64Array
  /** By first row of a goal: the largest mobility of its rows. */
  private readonly soft: Float64Array
  /** The nearest bounds of each ball, and which are in force; of single coordinates the latter alone. */
  readonly bounds: readonly Bounds[]
  private readonly inForce: Uint8Array

  constructor(kinematics: Kinematics, rows: GoalRows, parts = 1) {
    const D = kinematics.freedoms
    const E = rows.capacity
    this.kinematics = kinematics
    this.rows = rows
    this.mobility = new Float64Array(BLOCK * kinematics.rig.count)
    this.step = new Float64Array(D)
    this.wish = new Float64Array(D)
    this.fixed = new Float64Array(D)
    this.lambda = new Float64Array(E)
    this.T = new Float64Array(D * E)
    this.W = new Float64Array(E * E)
    this.left = new Int32Array(E)
    this.delta = new Float64Array(E)
    this.damping = new Float64Array(parts)
    this.trace = new Float64Array(parts)
    this.size = new Float64Array(parts)
    this.soft = new Float64Array(E)
    this.bounds = Array.from({ length: kinematics.rig.count }, () => ({
      count: 0,
      room: new Float64Array(3),
      outward: new Float64Array(9),
    }))
    this.inForce = new Uint8Array(3 * kinematics.rig.count)
  }

  /** Finds `step` for the rows, the `mobility` and the `damping` at hand. */
  solve(limited: Uint8Array, wishes: boolean): void {
    const { kinematics, bounds, inForce, fixed, lambda, delta, rows } = this
    inForce.fill(0)
    fixed.fill(0)
    if (!wishes) this.wish.fill(0)
    for (let i = 0; i < kinematics.rig.count; i++) {
      if (limited[i] === 0 || kinematics.kinds[i] !== BALL) continue
      findBounds(kinematics.rig, i, kinematics.world, bounds[i])
    }
    let isHeld = false
    for (let pass = 0; pass < PASSES; pass++) {
      this.assemble()
      this.direct(wishes || isHeld)
      if (!this.enforce(limited)) break
      isHeld = true
    }
    for (let k = 0; k < rows.count; k++) lambda[k] += delta[k]
  }

  /** T = M⁻¹ Jᵀ and W = J T. */
  private assemble(): void {
    const { rows, W, left, soft, damping, trace, size } = this
    const { J, count: E, capacity: S, compliance, goal, part, weight } = rows
    W.fill(0, 0, E * E)
    for (let k = 0; k < E; k++) left[k] = E === 3 || this.fullMass !== undefined ? 0 : k
    if (this.fullMass === undefined) this.gather()
    else {
      this.fullMass.divide(J, this.T, E, S)
      this.multiply(0, this.kinematics.freedoms, 0, E)
    }
    trace.fill(0)
    size.fill(0)
    for (let k = 0; k < E; k++) {
      trace[part[k]] += W[(E + 1) * k]
      size[part[k]]++
      soft[k] = 0
    }
    // A goal's rows are soft alike: one that its joints can hardly move would be rigid by its own mobility.
    for (let k = 0; k < E; k++) soft[goal[k]] = Math.max(soft[goal[k]], W[(E + 1) * k])
    for (let k = 0; k < E; k++) {
      const p = part[k]
      // A row of no weight asks nothing.
      const a = (LEAST_DAMPING + damping[p]) / Math.max(weight[k], NO_WEIGHT)
      W[(E + 1) * k] += (a * trace[p]) / size[p] + compliance[k] * soft[goal[k]]
    }
    this.factor()
  }

  /** T and W bone by bone: a bone moves the rows of the goals beyond it, and no others. */
  private gather(): void {
    const { kinematics, rows } = this
    const { rig, firstFreedom } = kinematics
    if (rows.count === 3) {
      this.gatherThree()
      return
    }
    for (let i = 0; i < rig.count; i++) {
      const lo = rows.from[i]
      const hi = rows.to[i]
      if (lo >= hi) continue
      this.divideMass(i, lo, hi)
      this.multiply(firstFreedom[i], firstFreedom[i + 1], lo, hi)
    }
  }

  /** A bone's rows of T. */
  private divideMass(i: number, lo: number, hi: number): void {
    const { kinematics, rows, mobility, T } = this
    const { J, capacity: S } = rows
    const size = FREEDOMS[kinematics.kinds[i]]
    const f = kinematics.firstFreedom[i]
    const o = BLOCK * i
    if (size === 1) {
      for (let t = S * f + lo; t < S * f + hi; t++) T[t] = mobility[o] * J[t]
      return
    }
    for (let r = 0; r < size; r++) {
      for (let k = lo; k < hi; k++) {
        let sum = 0
        for (let c = 0; c < size; c++) sum += mobility[o + size * r + c] * J[S * (f + c) + k]
        T[S * (f + r) + k] = sum
      }
    }
  }

  /** Adds the degrees of freedom from `from` to `to` to W, whose rows they are `lo` to `hi`. */
  private multiply(from: number, to: number, lo: number, hi: number): void {
    const { rows, T, W, left } = this
    const { J, count: E, capacity: S } = rows
    for (let k = lo; k < hi; k++) if (lo < left[k]) left[k] = lo
    for (let d = from; d < to; d++) {
      const o = S * d
      for (let k = lo; k < hi; k++) {
        const j = J[o + k]
        if (j === 0) continue
        const w = E * k
        for (let l = lo; l <= k; l++) W[w + l] += j * T[o + l]
      }
    }
  }

  /** T and W of three rows, a position's, which is what most rigs solve: their sums stay in locals. */
  private gatherThree(): void {
    const { kinematics, rows, mobility: P, T, W } = this
    const { rig, kinds, firstFreedom } = kinematics
    const { J, capacity: S, from, to } = rows
    let xx = 0
    let yx = 0
    let yy = 0
    let zx = 0
    let zy = 0
    let zz = 0
    for (let i = 0; i < rig.count; i++) {
      let o = S * firstFreedom[i]
      if (from[i] >= to[i]) {
        T.fill(0, o, S * firstFreedom[i + 1])
        continue
      }
      if (kinds[i] !== BALL) {
        this.divideMass(i, 0, 3)
        for (; o < S * firstFreedom[i + 1]; o += S) {
          xx += J[o] * T[o]
          yx += J[o + 1] * T[o]
          yy += J[o + 1] * T[o + 1]
          zx += J[o + 2] * T[o]
          zy += J[o + 2] * T[o + 1]
          zz += J[o + 2] * T[o + 2]
        }
        continue
      }
      const u = o + S
      const v = u + S
      const m = BLOCK * i
      const a = P[m]
      const b = P[m + 1]
      const c = P[m + 2]
      const d = P[m + 4]
      const e = P[m + 5]
      const f = P[m + 8]
      const ox = J[o]
      const oy = J[o + 1]
      const oz = J[o + 2]
      const ux = J[u]
      const uy = J[u + 1]
      const uz = J[u + 2]
      const vx = J[v]
      const vy = J[v + 1]
      const vz = J[v + 2]
      const tox = a * ox + b * ux + c * vx
      const tux = b * ox + d * ux + e * vx
      const tvx = c * ox + e * ux + f * vx
      const toy = a * oy + b * uy + c * vy
      const tuy = b * oy + d * uy + e * vy
      const tvy = c * oy + e * uy + f * vy
      const toz = a * oz + b * uz + c * vz
      const tuz = b * oz + d * uz + e * vz
      const tvz = c * oz + e * uz + f * vz
      T[o] = tox
      T[o + 1] = toy
      T[o + 2] = toz
      T[u] = tux
      T[u + 1] = tuy
      T[u + 2] = tuz
      T[v] = tvx
      T[v + 1] = tvy
      T[v + 2] = tvz
      xx += ox * tox + ux * tux + vx * tvx
      yx += oy * tox + uy * tux + vy * tvx
      yy += oy * toy + uy * tuy + vy * tvy
      zx += oz * tox + uz * tux + vz * tvx
      zy += oz * toy + uz * tuy + vz * tvy
      zz += oz * toz + uz * tuz + vz * tvz
    }
    W[0] = xx
    W[3] = yx
    W[4] = yy
    W[6] = zx
    W[7] = zy
    W[8] = zz
  }

  /** W = L Lᵀ in place, from the first entry of each row on; directions that nothing moves are left alone. */
  private factor(): void {
    const { W, rows, left } = this
    const E = rows.count
    for (let r = 0; r < E; r++) {
      const o = E * r
      for (let c = left[r]; c <= r; c++) {
        const p = E * c
        let sum = W[o + c]
        for (let k = Math.max(left[r], left[c]); k < c; k++) sum -= W[o + k] * W[p + k]
        if (c < r) W[o + c] = sum / W[p + c]
        else if (sum > 0) W[o + r] = Math.sqrt(sum)
        else W[o + r] = Infinity
      }
    }
  }

  /** (W + A + C)⁻¹ of `delta`, in place. */
  private divide(): void {
    const { W, rows, delta, left } = this
    const E = rows.count
    for (let r = 0; r < E; r++) {
      let sum = delta[r]
      for (let k = left[r]; k < r; k++) sum -= W[E * r + k] * delta[k]
      delta[r] = sum / W[E * r + r]
    }
    for (let r = E - 1; r >= 0; r--) {
      const value = delta[r] / W[E * r + r]
      delta[r] = value
      for (let k = left[r]; k < r; k++) delta[k] -= W[E * r + k] * value
    }
  }

  /** Δλ and Δq. */
  private direct(wishes: boolean): void {
    const { kinematics, rows, delta, lambda } = this
    const { rig, firstFreedom } = kinematics
    const { count: E, from, to } = rows
    for (let k = 0; k < E; k++) {
      delta[k] = -rows.error[k] - rows.compliance[k] * this.soft[rows.goal[k]] * lambda[k]
    }
    if (wishes) this.takeWishes()
    this.divide()
    const isFull = this.fullMass !== undefined
    if (E === 3) this.stepThree()
    else
      for (let i = 0; i < rig.count; i++) {
        // The whole mass couples all joints.
        this.stepBone(firstFreedom[i], firstFreedom[i + 1], isFull ? 0 : from[i], isFull ? E : to[i])
      }
    if (!wishes) return
    const { step, wish, fixed } = this
    for (let d = 0; d < kinematics.freedoms; d++) step[d] += wish[d] + fixed[d]
  }

  /** Takes off what the joints do of themselves, J Δq₀. */
  private takeWishes(): void {
    const { kinematics, rows, wish, fixed, delta } = this
    const { rig, firstFreedom } = kinematics
    const { J, capacity: S, from, to } = rows
    for (let i = 0; i < rig.count; i++) {
      for (let d = firstFreedom[i]; d < firstFreedom[i + 1]; d++) {
        const own = wish[d] + fixed[d]
        if (own === 0) continue
        for (let k = from[i]; k < to[i]; k++) delta[k] -= J[S * d + k] * own
      }
    }
  }

  private stepThree(): void {
    const { kinematics, rows, T, step, delta } = this
    const S = rows.capacity
    const x = delta[0]
    const y = delta[1]
    const z = delta[2]
    for (let d = 0, o = 0; d < kinematics.freedoms; d++, o += S) step[d] = x * T[o] + y * T[o + 1] + z * T[o + 2]
  }

  private stepBone(first: number, end: number, lo: number, hi: number): void {
    const { rows, T, step, delta } = this
    for (let d = first; d < end; d++) {
      const o = rows.capacity * d
      let sum = 0
      for (let k = lo; k < hi; k++) sum += T[o + k] * delta[k]
      step[d] = sum
    }
  }

  /** Takes directions from joints that would leave their bounds; false when none would. */
  private enforce(limited: Uint8Array): boolean {
    const { kinematics, mobility, step, wish, fixed, inForce } = this
    const { rig, kinds, firstFreedom, coordinates } = kinematics
    let found = false
    for (let i = 0; i < rig.count; i++) {
      if (limited[i] === 0) continue
      const kind = kinds[i]
      const f = firstFreedom[i]
      if (kind === BALL) {
        found = this.enforceBall(i, f) || found
        continue
      }
      if (kind !== HINGE && kind !== SLIDER && kind !== UNIVERSAL) continue
      const { limits } = rig.joints[i]
      const size = FREEDOMS[kind]
      for (let c = 0; c < size; c++) {
        if (inForce[3 * i + c] === 1) continue
        const value = coordinates[2 * i + c]
        const wanted = value + step[f + c]
        if (wanted >= limits[2 * c] - STILL && wanted <= limits[2 * c + 1] + STILL) continue
        inForce[3 * i + c] = 1
        direction.fill(0)
        direction[c] = 1
        if (this.fullMass !== undefined) this.fullMass.block(f, size, direction, 0)
        else blockDirection(size, mobility, BLOCK * i, direction, 0)
        wish[f + c] = 0
        fixed[f + c] = (wanted < value ? limits[2 * c] : limits[2 * c + 1]) - value
        found = true
      }
    }
    return found
  }

  private enforceBall(i: number, f: number): boolean {
    const { mobility, step, wish, fixed, bounds, inForce } = this
    const { count, room, outward } = bounds[i]
    let found = false
    for (let b = 0; b < count; b++) {
      if (inForce[3 * i + b] === 1) continue
      const o = 3 * b
      const out = step[f] * outward[o] + step[f + 1] * outward[o + 1] + step[f + 2] * outward[o + 2]
      if (out <= room[b] + STILL) continue
      inForce[3 * i + b] = 1
      if (this.fullMass !== undefined) this.fullMass.block(f, 3, outward, o)
      else blockDirection(3, mobility, BLOCK * i, outward, o)
      takeAlong(wish, f, outward, o)
      const squared = outward[o] * outward[o] + outward[o + 1] * outward[o + 1] + outward[o + 2] * outward[o + 2]
      for (let k = 0; k < 3; k++) fixed[f + k] += (room[b] / squared) * outward[o + k]
      found = true
    }
    return found
  }

  /** Whether a bone's joint had a bound in force in the last step. */
  isHeld(i: number): boolean {
    return this.inForce[3 * i] + this.inForce[3 * i + 1] + this.inForce[3 * i + 2] > 0
  }
}

const direction = /* @__PURE__ */ new Float64Array(3)
/** What divides the damping of rows of weight 0. */
const NO_WEIGHT = 1e-40

/** Takes the part of a wish along n away. */
function takeAlong(wish: Float64Array, f: number, n: Float64Array, o: number): void {
  const squared = n[o] * n[o] + n[o + 1] * n[o + 1] + n[o + 2] * n[o + 2]
  const along = (wish[f] * n[o] + wish[f + 1] * n[o + 1] + wish[f + 2] * n[o + 2]) / squared
  for (let k = 0; k < 3; k++) wish[f + k] -= along * n[o + k]
}
