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

import { BLOCK } from '@tautline/core/kernel'
import type { FullMass } from './full-mass.js'
import { type Bounds, findBounds } from './limits.js'
import { BALL, FREEDOMS, HINGE, SLIDER, UNIVERSAL } from './joints.js'
import type { Kinematics } from './kinematics.js'
import { blockDirection } from './metric.js'
import type { Subproblems } from './subproblems.js'
import type { GoalRows } from './rows.js'
import { System } from './system.js'

/** Solves with more and more bounds in force, at most. */
const PASSES = 5
/** Going past a bound by less than this [rad or m] is none. */
const STILL = 1e-12

/** Room for the steps of one rig and as many rows. */
export class Block {
  readonly kinematics: Kinematics
  readonly rows: GoalRows
  private readonly subproblems: Subproblems
  /** What the goals ask of the joints, and how easily these move. */
  readonly system: System
  /** Δq, and the Δq₀ that the joints would rather have. */
  readonly step: Float64Array
  readonly posture: Float64Array
  /** The whole mass in place of `mobility`, where the metric asks for it. */
  fullMass: FullMass | undefined
  /** What bounds prescribe of Δq. */
  private readonly fixed: Float64Array
  /** λ of the rows, summed over a solve. */
  readonly lambda: Float64Array
  private readonly delta: Float64Array
  /** The nearest bounds of each ball, and which are in force; of single coordinates the latter alone. */
  readonly bounds: readonly Bounds[]
  private readonly inForce: Uint8Array

  constructor(kinematics: Kinematics, rows: GoalRows, subproblems: Subproblems) {
    const D = kinematics.freedoms
    const E = rows.capacity
    this.kinematics = kinematics
    this.rows = rows
    this.subproblems = subproblems
    this.system = new System(kinematics, rows, subproblems)
    this.step = new Float64Array(D)
    this.posture = new Float64Array(D)
    this.fixed = new Float64Array(D)
    this.lambda = new Float64Array(E)
    this.delta = new Float64Array(E)
    this.bounds = Array.from({ length: kinematics.rig.count }, () => ({
      count: 0,
      room: new Float64Array(3),
      outward: new Float64Array(9),
    }))
    this.inForce = new Uint8Array(3 * kinematics.rig.count)
  }

  /** Finds `step` of a subproblem for its rows, the `mobility` and the `damping` at hand. */
  solve(p: number, limited: Uint8Array, hasPosture: boolean): void {
    const { subproblems, lambda, delta } = this
    this.lookAtBounds(p, limited)
    let isHeld = false
    for (let pass = 0; pass < PASSES; pass++) {
      this.system.assemble(p, this.fullMass)
      this.direct(p, hasPosture || isHeld)
      if (!this.enforce(p, limited)) break
      isHeld = true
    }
    for (let k = subproblems.firstRow[p]; k < subproblems.endRow[p]; k++) lambda[k] += delta[k]
  }

  /** None is in force yet, and none prescribes anything. */
  private lookAtBounds(p: number, limited: Uint8Array): void {
    const { kinematics, subproblems, bounds, inForce, fixed } = this
    const { rig, kinds, firstFreedom, world } = kinematics
    const { bones, firstBone } = subproblems
    for (let b = firstBone[p]; b < firstBone[p + 1]; b++) {
      const i = bones[b]
      if (limited[i] === 0) continue
      for (let d = firstFreedom[i]; d < firstFreedom[i + 1]; d++) fixed[d] = 0
      for (let c = 3 * i; c < 3 * i + 3; c++) inForce[c] = 0
      if (kinds[i] === BALL) findBounds(rig, i, world, bounds[i])
    }
  }

  /** Δλ and Δq. */
  private direct(p: number, hasPosture: boolean): void {
    const { kinematics, rows, subproblems, system, delta, lambda } = this
    const { firstFreedom } = kinematics
    const { from, to } = rows
    const { bones, firstBone } = subproblems
    const lo = subproblems.firstRow[p]
    const hi = subproblems.endRow[p]
    for (let k = lo; k < hi; k++) {
      delta[k] = -rows.error[k] - rows.compliance[k] * system.soft[rows.goal[k]] * lambda[k]
    }
    if (hasPosture) this.subtractPosture(p)
    this.system.divide(delta, lo, hi - lo)
    if (hi - lo === 3 && !hasPosture && this.fullMass === undefined) {
      this.stepThree(p)
      return
    }
    for (let b = firstBone[p]; b < firstBone[p + 1]; b++) {
      const i = bones[b]
      const f = firstFreedom[i]
      // The whole mass couples all joints.
      if (this.fullMass !== undefined) this.stepBone(f, firstFreedom[i + 1], lo, hi)
      else this.stepBone(f, firstFreedom[i + 1], from[i], to[i])
      if (hasPosture) this.addPosture(f, firstFreedom[i + 1])
    }
  }

  /** Takes off what the joints do of themselves, J Δq₀. */
  private subtractPosture(p: number): void {
    const { kinematics, rows, subproblems, posture, fixed, delta } = this
    const { firstFreedom } = kinematics
    const { J, capacity: S, from, to } = rows
    const { bones, firstBone } = subproblems
    for (let b = firstBone[p]; b < firstBone[p + 1]; b++) {
      const i = bones[b]
      for (let d = firstFreedom[i]; d < firstFreedom[i + 1]; d++) {
        const own = posture[d] + fixed[d]
        if (own === 0) continue
        for (let k = from[i]; k < to[i]; k++) delta[k] -= J[S * d + k] * own
      }
    }
  }

  /** Δq = T Δλ of degrees of freedom with rows `lo` to `hi`. */
  private stepBone(first: number, end: number, lo: number, hi: number): void {
    const { rows, system, step, delta } = this
    const { T } = system
    for (let d = first; d < end; d++) {
      const o = rows.capacity * d
      let sum = 0
      for (let k = lo; k < hi; k++) sum += T[o + k] * delta[k]
      step[d] = sum
    }
  }

  /** The same of all bones of a subproblem with three rows. */
  private stepThree(p: number): void {
    const { kinematics, rows, subproblems, system, step, delta } = this
    const { T } = system
    const { firstFreedom } = kinematics
    const { capacity: S, from, to } = rows
    const { bones, firstBone } = subproblems
    const lo = subproblems.firstRow[p]
    const x = delta[lo]
    const y = delta[lo + 1]
    const z = delta[lo + 2]
    for (let b = firstBone[p]; b < firstBone[p + 1]; b++) {
      const i = bones[b]
      const isMoved = from[i] < to[i]
      const end = firstFreedom[i + 1]
      for (let d = firstFreedom[i]; d < end; d++) {
        const o = S * d + lo
        step[d] = isMoved ? x * T[o] + y * T[o + 1] + z * T[o + 2] : 0
      }
    }
  }

  private addPosture(first: number, end: number): void {
    const { step, posture, fixed } = this
    for (let d = first; d < end; d++) step[d] += posture[d] + fixed[d]
  }

  /** Takes directions from joints that would leave their bounds; false when none would. */
  private enforce(p: number, limited: Uint8Array): boolean {
    const { kinematics, subproblems } = this
    const { bones, firstBone } = subproblems
    let found = false
    for (let b = firstBone[p]; b < firstBone[p + 1]; b++) {
      const i = bones[b]
      if (limited[i] === 0) continue
      const isHeld = kinematics.kinds[i] === BALL ? this.enforceBall(i) : this.enforceRanges(i)
      found = isHeld || found
    }
    return found
  }

  private enforceRanges(i: number): boolean {
    const { kinematics, step, posture, fixed, inForce } = this
    const { rig, kinds, firstFreedom, coordinates } = kinematics
    const kind = kinds[i]
    if (kind !== HINGE && kind !== SLIDER && kind !== UNIVERSAL) return false
    const { limits } = rig.joints[i]
    const f = firstFreedom[i]
    const size = FREEDOMS[kind]
    let found = false
    for (let c = 0; c < size; c++) {
      if (inForce[3 * i + c] === 1) continue
      const value = coordinates[2 * i + c]
      const wanted = value + step[f + c]
      if (wanted >= limits[2 * c] - STILL && wanted <= limits[2 * c + 1] + STILL) continue
      inForce[3 * i + c] = 1
      direction.fill(0)
      direction[c] = 1
      if (this.fullMass !== undefined) this.fullMass.block(f, size, direction, 0)
      else blockDirection(size, this.system.mobility, BLOCK * i, direction, 0)
      posture[f + c] = 0
      fixed[f + c] = (wanted < value ? limits[2 * c] : limits[2 * c + 1]) - value
      found = true
    }
    return found
  }

  private enforceBall(i: number): boolean {
    const f = this.kinematics.firstFreedom[i]
    const { step, posture, fixed, bounds, inForce } = this
    const { count, room, outward } = bounds[i]
    let found = false
    for (let b = 0; b < count; b++) {
      if (inForce[3 * i + b] === 1) continue
      const o = 3 * b
      const out = step[f] * outward[o] + step[f + 1] * outward[o + 1] + step[f + 2] * outward[o + 2]
      if (out <= room[b] + STILL) continue
      inForce[3 * i + b] = 1
      if (this.fullMass !== undefined) this.fullMass.block(f, 3, outward, o)
      else blockDirection(3, this.system.mobility, BLOCK * i, outward, o)
      takeAlong(posture, f, outward, o)
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
/** Takes the part of a posture along n away. */
function takeAlong(posture: Float64Array, f: number, n: Float64Array, o: number): void {
  const squared = n[o] * n[o] + n[o + 1] * n[o + 1] + n[o + 2] * n[o + 2]
  const along = (posture[f] * n[o] + posture[f + 1] * n[o + 1] + posture[f + 2] * n[o + 2]) / squared
  for (let k = 0; k < 3; k++) posture[f + k] -= along * n[o + k]
}
