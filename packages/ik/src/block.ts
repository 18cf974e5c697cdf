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
  /** A as a share of the mean of W's diagonal. */
  readonly damping: Float64Array = new Float64Array(1)
  /** What bounds prescribe of Δq. */
  private readonly fixed: Float64Array
  /** λ of the rows, summed over a solve. */
  readonly lambda: Float64Array
  /** M⁻¹ Jᵀ, a row a degree of freedom. */
  private readonly T: Float64Array
  private readonly W: Float64Array
  private readonly delta: Float64Array
  /** By first row of a goal: the largest mobility of its rows. */
  private readonly soft: Float64Array
  /** The nearest bounds of each ball, and which are in force; of single coordinates the latter alone. */
  readonly bounds: readonly Bounds[]
  private readonly inForce: Uint8Array

  constructor(kinematics: Kinematics, rows: GoalRows) {
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
    this.delta = new Float64Array(E)
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
      findBounds(kinematics.rig, i, kinematics.world, kinematics.parents, bounds[i])
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
    const { rows, W } = this
    const { J, count: E, capacity: S } = rows
    W.fill(0, 0, E * E)
    if (this.fullMass === undefined) this.gather()
    else {
      this.fullMass.divide(J, this.T, E, S)
      this.multiply(0, this.kinematics.freedoms, 0, E)
    }
    let trace = 0
    for (let k = 0; k < E; k++) {
      trace += W[(E + 1) * k]
      this.soft[k] = 0
    }
    // A goal's rows are soft alike: one that its joints can hardly move would be rigid by its own mobility.
    for (let k = 0; k < E; k++) {
      const first = rows.goal[k]
      this.soft[first] = Math.max(this.soft[first], W[(E + 1) * k])
    }
    const unit = trace / E
    for (let k = 0; k < E; k++) {
      const weight = rows.weight[k]
      // A row of no weight asks nothing.
      const a = weight > 0 ? (LEAST_DAMPING + this.damping[0]) / weight : NO_WEIGHT
      W[(E + 1) * k] += a * unit + rows.compliance[k] * this.soft[rows.goal[k]]
    }
    this.factor()
  }

  /** T and W bone by bone: a bone moves the rows of the goals beyond it, and no others. */
  private gather(): void {
    const { kinematics, rows, mobility, T } = this
    const { rig, kinds, firstFreedom } = kinematics
    const { J, count: E, capacity: S } = rows
    T.fill(0)
    for (let i = 0; i < rig.count; i++) {
      const size = FREEDOMS[kinds[i]]
      if (size === 0) continue
      const f = firstFreedom[i]
      // Its rows, from the first to the last that it moves.
      let lo = E
      let hi = 0
      for (let d = f; d < f + size; d++) {
        for (let k = 0; k < E; k++) {
          if (J[S * d + k] === 0) continue
          if (k < lo) lo = k
          if (k >= hi) hi = k + 1
        }
      }
      if (size === 3) this.divideBall(BLOCK * i, f, lo, hi)
      else {
        for (let r = 0; r < size; r++) {
          for (let k = lo; k < hi; k++) {
            let sum = 0
            for (let c = 0; c < size; c++) sum += mobility[BLOCK * i + size * r + c] * J[S * (f + c) + k]
            T[S * (f + r) + k] = sum
          }
        }
      }
      if (E !== 3) this.multiply(f, f + size, lo, hi)
    }
    if (E === 3) this.multiplyThree()
  }

  /** Adds the degrees of freedom from `from` to `to` to W, whose rows they are `lo` to `hi`. */
  private multiply(from: number, to: number, lo: number, hi: number): void {
    const { rows, T, W } = this
    const { J, count: E, capacity: S } = rows
    for (let d = from; d < to; d++) {
      const o = S * d
      for (let k = lo; k < hi; k++) {
        const j = J[o + k]
        if (j === 0) continue
        for (let l = lo; l <= k; l++) W[E * k + l] += j * T[o + l]
      }
    }
  }

  /** W of three rows, a position's, which is what most rigs solve: the sums stay in locals. */
  private multiplyThree(): void {
    const { kinematics, rows, T, W } = this
    const { J, capacity: S } = rows
    let xx = 0
    let yx = 0
    let yy = 0
    let zx = 0
    let zy = 0
    let zz = 0
    for (let d = 0, o = 0; d < kinematics.freedoms; d++, o += S) {
      const x = J[o]
      const y = J[o + 1]
      const z = J[o + 2]
      const u = T[o]
      const v = T[o + 1]
      xx += x * u
      yx += y * u
      yy += y * v
      zx += z * u
      zy += z * v
      zz += z * T[o + 2]
    }
    W[0] = xx
    W[3] = yx
    W[4] = yy
    W[6] = zx
    W[7] = zy
    W[8] = zz
  }

  /** The rows of T of three degrees of freedom from `f`, their mobility at `o`: most of the work of most rigs. */
  private divideBall(o: number, f: number, lo: number, hi: number): void {
    const { rows, mobility: P, T } = this
    const { J, capacity: S } = rows
    const a = P[o]
    const b = P[o + 1]
    const c = P[o + 2]
    const d = P[o + 4]
    const e = P[o + 5]
    const g = P[o + 8]
    for (let t = S * f + lo; t < S * f + hi; t++) {
      const x = J[t]
      const y = J[t + S]
      const z = J[t + 2 * S]
      T[t] = a * x + b * y + c * z
      T[t + S] = b * x + d * y + e * z
      T[t + 2 * S] = c * x + e * y + g * z
    }
  }

  /** W = L Lᵀ in place; directions that nothing moves are left alone. */
  private factor(): void {
    const { W, rows } = this
    const E = rows.count
    for (let r = 0; r < E; r++) {
      for (let c = 0; c <= r; c++) {
        let sum = W[E * r + c]
        for (let k = 0; k < c; k++) sum -= W[E * r + k] * W[E * c + k]
        if (r === c) W[E * r + r] = sum > 0 ? Math.sqrt(sum) : Infinity
        else W[E * r + c] = sum / W[E * c + c]
      }
    }
  }

  /** (W + A + C)⁻¹ of `delta`, in place. */
  private divide(): void {
    const { W, rows, delta } = this
    const E = rows.count
    for (let r = 0; r < E; r++) {
      let sum = delta[r]
      for (let k = 0; k < r; k++) sum -= W[E * r + k] * delta[k]
      delta[r] = sum / W[E * r + r]
    }
    for (let r = E - 1; r >= 0; r--) {
      let sum = delta[r]
      for (let k = r + 1; k < E; k++) sum -= W[E * k + r] * delta[k]
      delta[r] = sum / W[E * r + r]
    }
  }

  /** Δλ and Δq. */
  private direct(wishes: boolean): void {
    const { kinematics, rows, T, step, wish, fixed, delta, lambda } = this
    const D = kinematics.freedoms
    const { J, count: E, capacity: S } = rows
    for (let k = 0; k < E; k++) {
      let sum = -rows.error[k] - rows.compliance[k] * this.soft[rows.goal[k]] * lambda[k]
      if (wishes) for (let d = 0; d < D; d++) sum -= J[S * d + k] * (wish[d] + fixed[d])
      delta[k] = sum
    }
    this.divide()
    for (let d = 0; d < D; d++) {
      let sum = wishes ? wish[d] + fixed[d] : 0
      for (let k = 0, o = S * d; k < E; k++) sum += T[o + k] * delta[k]
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
/** Damping of a row of weight 0, as a share of the mean of W's diagonal. */
const NO_WEIGHT = 1e30

/** Takes the part of a wish along n away. */
function takeAlong(wish: Float64Array, f: number, n: Float64Array, o: number): void {
  const squared = n[o] * n[o] + n[o + 1] * n[o + 1] + n[o + 2] * n[o + 2]
  const along = (wish[f] * n[o] + wish[f + 1] * n[o + 1] + wish[f + 2] * n[o + 2]) / squared
  for (let k = 0; k < 3; k++) wish[f + k] -= along * n[o + k]
}
