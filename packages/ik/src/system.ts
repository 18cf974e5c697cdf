/**
 * The dense system of one subproblem's rows: T = M⁻¹ Jᵀ, W = J T with its damping and compliance, and its factor.
 *
 * Most of a solve's time goes here. Rows come in threes, as places and turns have three: sums over all joints stay in locals.
 */

import { BLOCK } from '@tautline/core/kernel'
import type { FullMass } from './full-mass.js'
import { BALL, FREEDOMS } from './joints.js'
import type { Kinematics } from './kinematics.js'
import type { Subproblems } from './subproblems.js'
import type { GoalRows } from './rows.js'

/** Damping that every row has, as a share of the mean of W's diagonal: what keeps dependent rows apart. */
const LEAST_DAMPING = 1e-10
/** What divides the damping of rows of weight 0. */
const NO_WEIGHT = 1e-40

/** Room for the system of any subproblem of one rig. */
export class System {
  private readonly kinematics: Kinematics
  private readonly rows: GoalRows
  private readonly subproblems: Subproblems
  /** M_k⁻¹ in force, bounds taken out. */
  readonly mobility: Float64Array
  /** By subproblem of the rig: A as a share of the mean of W's diagonal. */
  readonly damping: Float64Array
  /** M⁻¹ Jᵀ, a row a degree of freedom. */
  readonly T: Float64Array
  /** By first row of a goal: the largest mobility of its rows. */
  readonly soft: Float64Array
  /** Of the subproblem at hand. */
  private readonly W: Float64Array

  constructor(kinematics: Kinematics, rows: GoalRows, subproblems: Subproblems) {
    const E = rows.capacity
    this.kinematics = kinematics
    this.rows = rows
    this.subproblems = subproblems
    this.mobility = new Float64Array(BLOCK * kinematics.rig.count)
    this.damping = new Float64Array(subproblems.count)
    this.T = new Float64Array(kinematics.freedoms * E)
    this.soft = new Float64Array(E)
    this.W = new Float64Array(E * E)
  }

  /** T = M⁻¹ Jᵀ and W = J T. */
  assemble(p: number, fullMass: FullMass | undefined): void {
    const { subproblems, rows, W, soft, damping } = this
    const { J, capacity: S, compliance, goal, weight } = rows
    const lo = subproblems.firstRow[p]
    const E = subproblems.endRow[p] - lo
    for (let k = 0; k < E * E; k++) W[k] = 0
    if (fullMass !== undefined) {
      fullMass.divide(J, this.T, E, S)
      this.multiply(p, 0, this.kinematics.freedoms, lo, lo + E)
    } else if (E === 3) this.gatherThree(p)
    else if (E === 6) this.gatherSix(p)
    else this.gather(p)
    let trace = 0
    for (let k = 0; k < E; k++) {
      trace += W[(E + 1) * k]
      soft[lo + k] = 0
    }
    // A goal's rows are soft alike: one that its joints can hardly move would be rigid by its own mobility.
    for (let k = 0; k < E; k++) soft[goal[lo + k]] = Math.max(soft[goal[lo + k]], W[(E + 1) * k])
    const unit = trace / E
    for (let k = 0; k < E; k++) {
      // A row of no weight asks nothing.
      const a = (LEAST_DAMPING + damping[p]) / Math.max(weight[lo + k], NO_WEIGHT)
      W[(E + 1) * k] += a * unit + compliance[lo + k] * soft[goal[lo + k]]
    }
    this.factor(E)
  }

  /** T bone by bone, then W: a bone moves the rows of the goals beyond it, and no others. */
  private gather(p: number): void {
    const { kinematics, rows, subproblems } = this
    const { firstFreedom } = kinematics
    const { bones, firstBone } = subproblems
    const first = subproblems.firstRow[p]
    const end = subproblems.endRow[p]
    const isInThrees = (end - first) % 3 === 0
    for (let b = firstBone[p]; b < firstBone[p + 1]; b++) {
      const i = bones[b]
      const f = firstFreedom[i]
      const lo = rows.from[i]
      const hi = rows.to[i]
      if (f === firstFreedom[i + 1] || lo >= hi) continue
      if (isInThrees) this.divideMass(i, lo - ((lo - first) % 3), hi + ((end - hi) % 3))
      else {
        this.divideMass(i, lo, hi)
        this.multiply(p, f, firstFreedom[i + 1], lo, hi)
      }
    }
    if (!isInThrees) return
    for (let k = first; k < end; k += 3) for (let l = first; l <= k; l += 3) this.multiplyThree(p, k, l)
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
  private multiply(p: number, from: number, to: number, lo: number, hi: number): void {
    const { subproblems, rows, T, W } = this
    const { J, capacity: S } = rows
    const first = subproblems.firstRow[p]
    const E = subproblems.endRow[p] - first
    for (let d = from; d < to; d++) {
      const o = S * d
      for (let k = lo; k < hi; k++) {
        const j = J[o + k]
        if (j === 0) continue
        const w = E * (k - first) - first
        for (let l = lo; l <= k; l++) W[w + l] += j * T[o + l]
      }
    }
  }

  /** Rows k to k + 2 of W by columns l to l + 2: places and turns have three rows, and their sums stay in locals. */
  private multiplyThree(p: number, k: number, l: number): void {
    const { kinematics, rows, subproblems, T, W } = this
    const { firstFreedom } = kinematics
    const { J, capacity: S, from, to } = rows
    const { bones, firstBone, firstRow, endRow } = subproblems
    let xu = 0
    let xv = 0
    let xw = 0
    let yu = 0
    let yv = 0
    let yw = 0
    let zu = 0
    let zv = 0
    let zw = 0
    for (let b = firstBone[p]; b < firstBone[p + 1]; b++) {
      const i = bones[b]
      if (from[i] > l + 2 || to[i] <= k) continue
      const end = S * firstFreedom[i + 1]
      for (let o = S * firstFreedom[i]; o < end; o += S) {
        const x = J[o + k]
        const y = J[o + k + 1]
        const z = J[o + k + 2]
        const u = T[o + l]
        const v = T[o + l + 1]
        const w = T[o + l + 2]
        xu += x * u
        xv += x * v
        xw += x * w
        yu += y * u
        yv += y * v
        yw += y * w
        zu += z * u
        zv += z * v
        zw += z * w
      }
    }
    const E = endRow[p] - firstRow[p]
    const o = E * (k - firstRow[p]) + l - firstRow[p]
    W[o] = xu
    W[o + 1] = xv
    W[o + 2] = xw
    W[o + E] = yu
    W[o + E + 1] = yv
    W[o + E + 2] = yw
    W[o + 2 * E] = zu
    W[o + 2 * E + 1] = zv
    W[o + 2 * E + 2] = zw
  }

  /** T and W of three rows, a position's, which is what most rigs solve: their sums stay in locals. */
  private gatherThree(p: number): void {
    const { kinematics, rows, subproblems, mobility: P, T, W } = this
    const { kinds, firstFreedom } = kinematics
    const { J, capacity: S, from, to } = rows
    const { bones, firstBone } = subproblems
    const lo = subproblems.firstRow[p]
    let xx = 0
    let yx = 0
    let yy = 0
    let zx = 0
    let zy = 0
    let zz = 0
    for (let n = firstBone[p]; n < firstBone[p + 1]; n++) {
      const i = bones[n]
      if (from[i] >= to[i]) continue
      let o = S * firstFreedom[i] + lo
      if (kinds[i] !== BALL) {
        this.divideMass(i, lo, lo + 3)
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

  /** The same of six rows, a place and a turn, as of the flange of a robot. */
  private gatherSix(p: number): void {
    const { kinematics, rows, subproblems, T, W } = this
    const { firstFreedom } = kinematics
    const { J, capacity: S, from, to } = rows
    const { bones, firstBone } = subproblems
    const lo = subproblems.firstRow[p]
    let w00 = 0
    let w10 = 0
    let w11 = 0
    let w20 = 0
    let w21 = 0
    let w22 = 0
    let w30 = 0
    let w31 = 0
    let w32 = 0
    let w33 = 0
    let w40 = 0
    let w41 = 0
    let w42 = 0
    let w43 = 0
    let w44 = 0
    let w50 = 0
    let w51 = 0
    let w52 = 0
    let w53 = 0
    let w54 = 0
    let w55 = 0
    for (let n = firstBone[p]; n < firstBone[p + 1]; n++) {
      const i = bones[n]
      if (from[i] >= to[i] || firstFreedom[i] === firstFreedom[i + 1]) continue
      // A goal of a nearer bone or of a shorter chain leaves some rows alone: their gradient is 0.
      this.divideMass(i, lo, lo + 6)
      const end = S * firstFreedom[i + 1] + lo
      for (let o = S * firstFreedom[i] + lo; o < end; o += S) {
        const j0 = J[o]
        const j1 = J[o + 1]
        const j2 = J[o + 2]
        const j3 = J[o + 3]
        const j4 = J[o + 4]
        const j5 = J[o + 5]
        const t0 = T[o]
        const t1 = T[o + 1]
        const t2 = T[o + 2]
        const t3 = T[o + 3]
        const t4 = T[o + 4]
        const t5 = T[o + 5]
        w00 += j0 * t0
        w10 += j1 * t0
        w11 += j1 * t1
        w20 += j2 * t0
        w21 += j2 * t1
        w22 += j2 * t2
        w30 += j3 * t0
        w31 += j3 * t1
        w32 += j3 * t2
        w33 += j3 * t3
        w40 += j4 * t0
        w41 += j4 * t1
        w42 += j4 * t2
        w43 += j4 * t3
        w44 += j4 * t4
        w50 += j5 * t0
        w51 += j5 * t1
        w52 += j5 * t2
        w53 += j5 * t3
        w54 += j5 * t4
        w55 += j5 * t5
      }
    }
    W[0] = w00
    W[6] = w10
    W[7] = w11
    W[12] = w20
    W[13] = w21
    W[14] = w22
    W[18] = w30
    W[19] = w31
    W[20] = w32
    W[21] = w33
    W[24] = w40
    W[25] = w41
    W[26] = w42
    W[27] = w43
    W[28] = w44
    W[30] = w50
    W[31] = w51
    W[32] = w52
    W[33] = w53
    W[34] = w54
    W[35] = w55
  }

  /** W = L Lᵀ in place, with 1/L on the diagonal; directions that nothing moves are left alone. */
  private factor(E: number): void {
    const { W } = this
    for (let c = 0; c < E; c++) {
      const u = E * c
      let square = W[u + c]
      for (let k = u; k < u + c; k++) square -= W[k] * W[k]
      const inverse = square > 0 ? 1 / Math.sqrt(square) : 0
      W[u + c] = inverse
      for (let o = u + E; o < E * E; o += E) {
        let sum = W[o + c]
        for (let k = 0; k < c; k++) sum -= W[o + k] * W[u + k]
        W[o + c] = sum * inverse
      }
    }
  }

  /** (W + A + C)⁻¹ of the E entries of `delta` from `lo` on, in place. */
  divide(delta: Float64Array, lo: number, E: number): void {
    const { W } = this
    for (let r = 0, o = 0; r < E; r++, o += E) {
      let sum = delta[lo + r]
      for (let k = 0; k < r; k++) sum -= W[o + k] * delta[lo + k]
      delta[lo + r] = sum * W[o + r]
    }
    for (let r = E - 1, o = E * r; r >= 0; r--, o -= E) {
      const value = delta[lo + r] * W[o + r]
      delta[lo + r] = value
      for (let k = 0; k < r; k++) delta[lo + k] -= W[o + k] * value
    }
  }
}
