/**
 * How easily each joint moves: M_k⁻¹ of its degrees of freedom (Waterson 150, 151, corrected), which weighs the step.
 *
 *   inertia   M_k is the inertia about pivot k of all that it carries, plus blend · tr(M_root)/3: light ends bend before the root.
 *             A hinge has 1/(aᵀ M a), which is not aᵀ M⁻¹ a; a slider 1/m; a free root all six with its centre's offset
 *   identity  1: the damped pseudo-inverse (143–148)
 *   fullMass  the whole joint-space mass, with the blocks between joints that (151) drops; for comparison, and slow
 */

import { BLOCK } from '@tautline/core/kernel'
import { BALL, FREE, FREEDOMS, SLIDER } from './joints.js'
import { CARRIED, type Kinematics } from './kinematics.js'

/** Which mass weighs a step. */
export type Metric = 'inertia' | 'identity' | 'fullMass'

/** What of a solver's settings the mobilities need. */
export interface MetricSettings {
  readonly metric: Metric
  readonly blend: number
}

const inertia = /* @__PURE__ */ new Float64Array(9)
const moment = /* @__PURE__ */ new Float64Array(3)
const M = /* @__PURE__ */ new Float64Array(BLOCK)
const factor = /* @__PURE__ */ new Float64Array(BLOCK)
/** What every joint has besides its own inertia. */
const share = /* @__PURE__ */ new Float64Array(1)

/** Writes M_k⁻¹ of every joint for `inertia` or `identity`, `BLOCK` numbers a bone, row-major of its size. */
export function writeMobility(k: Kinematics, settings: MetricSettings, out: Float64Array): void {
  if (settings.metric === 'identity') writeIdentity(k, out)
  else writeInertia(k, settings, out)
}

function writeIdentity({ rig, kinds, mobility }: Kinematics, out: Float64Array): void {
  for (let i = 0; i < rig.count; i++) {
    const size = FREEDOMS[kinds[i]]
    const o = BLOCK * i
    for (let e = 0; e < size * size; e++) out[o + e] = 0
    for (let e = 0; e < size; e++) out[o + (size + 1) * e] = mobility[i]
  }
}

function writeInertia(k: Kinematics, { blend }: MetricSettings, out: Float64Array): void {
  const { rig, kinds, mobility } = k
  k.carry()
  k.carriedAbout(0, inertia, moment)
  share[0] = (blend * (inertia[0] + inertia[4] + inertia[8])) / 3
  for (let i = 0; i < rig.count; i++) {
    const size = FREEDOMS[kinds[i]]
    if (size === 0) continue
    const o = BLOCK * i
    if (kinds[i] === BALL) ballMobility(k, i, out, o)
    else {
      k.carriedAbout(i, inertia, moment)
      inertia[0] += share[0]
      inertia[4] += share[0]
      inertia[8] += share[0]
      jointMass(k, i, size)
      invert(size, out, o)
    }
    if (mobility[i] < 1) for (let e = 0; e < size * size; e++) out[o + e] *= mobility[i]
    if (kinds[i] === FREE) scaleRoot(rig.rootMobility, out, o)
  }
}

/**
 * `carriedAbout` and its inverse by cofactors, in locals: half of all joints are balls, and most of their time went here. What
 * has no inertia about some axis, as a massless end, does not move.
 */
function ballMobility(k: Kinematics, i: number, out: Float64Array, o: number): void {
  const { carried } = k
  const { positions } = k.world
  const x = positions[3 * i] - positions[0]
  const y = positions[3 * i + 1] - positions[1]
  const z = positions[3 * i + 2] - positions[2]
  const t = CARRIED * i
  const m = carried[t]
  const hx = carried[t + 1]
  const hy = carried[t + 2]
  const hz = carried[t + 3]
  const diagonal = share[0] + m * (x * x + y * y + z * z) - 2 * (hx * x + hy * y + hz * z)
  const a = carried[t + 4] + diagonal + (2 * hx - m * x) * x
  const b = carried[t + 5] + hx * y + (hy - m * y) * x
  const c = carried[t + 6] + hx * z + (hz - m * z) * x
  const d = carried[t + 7] + diagonal + (2 * hy - m * y) * y
  const e = carried[t + 8] + hy * z + (hz - m * z) * y
  const f = carried[t + 9] + diagonal + (2 * hz - m * z) * z
  const A = d * f - e * e
  const B = c * e - b * f
  const C = b * e - c * d
  const determinant = a * A + b * B + c * C
  const s = determinant > 0 ? 1 / determinant : 0
  const yz = s * (b * c - a * e)
  out[o] = s * A
  out[o + 1] = s * B
  out[o + 2] = s * C
  out[o + 3] = s * B
  out[o + 4] = s * (a * f - c * c)
  out[o + 5] = yz
  out[o + 6] = s * C
  out[o + 7] = yz
  out[o + 8] = s * (a * d - b * b)
}

/** M_k into `M`, from `inertia` and `moment`. */
function jointMass(k: Kinematics, i: number, size: number): void {
  const { kinds, axes, firstFreedom, carried } = k
  if (kinds[i] === SLIDER) {
    M[0] = carried[CARRIED * i]
    return
  }
  if (kinds[i] === FREE) {
    freeMass(k, i)
    return
  }
  const o = 3 * firstFreedom[i]
  for (let r = 0; r < size; r++) {
    for (let c = 0; c < size; c++) {
      let sum = 0
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) sum += axes[o + 3 * r + a] * inertia[3 * a + b] * axes[o + 3 * c + b]
      }
      M[size * r + c] = sum
    }
  }
}

/** T = ½ m v² + v·(ω × m c) + ½ ω·I ω. */
function freeMass({ carried }: Kinematics, i: number): void {
  const m = carried[CARRIED * i]
  const x = moment[0]
  const y = moment[1]
  const z = moment[2]
  M.fill(0)
  for (let r = 0; r < 3; r++) {
    M[7 * r] = m
    for (let c = 0; c < 3; c++) M[6 * (3 + r) + 3 + c] = inertia[3 * r + c]
  }
  M[4] = M[24] = z
  M[5] = M[30] = -y
  M[9] = M[19] = -z
  M[11] = M[31] = x
  M[15] = M[20] = y
  M[16] = M[26] = -x
}

function scaleRoot(shares: readonly [number, number], out: Float64Array, o: number): void {
  const linear = shares[0]
  const angular = shares[1]
  for (let r = 0; r < 6; r++) {
    for (let c = 0; c < 6; c++) out[o + 6 * r + c] *= Math.sqrt((r < 3 ? linear : angular) * (c < 3 ? linear : angular))
  }
}

/** A pivot of a factorisation below this share of the largest is none: no mass, no motion. */
const MASSLESS = 1e-14

/** Inverse of the symmetric `M` by Cholesky; directions without mass do not move. */
function invert(n: number, out: Float64Array, o: number): void {
  if (n === 1) {
    out[o] = M[0] > 0 ? 1 / M[0] : 0
    return
  }
  let largest = 0
  for (let k = 0; k < n; k++) largest = Math.max(largest, M[(n + 1) * k])
  for (let r = 0; r < n; r++) {
    for (let c = 0; c <= r; c++) {
      let sum = M[n * r + c]
      for (let k = 0; k < c; k++) sum -= factor[n * r + k] * factor[n * c + k]
      if (c < r) factor[n * r + c] = sum / factor[n * c + c]
      else if (sum > MASSLESS * largest) factor[n * r + r] = Math.sqrt(sum)
      else factor[n * r + r] = Infinity
    }
  }
  for (let c = 0; c < n; c++) {
    for (let r = 0; r < n; r++) {
      let sum = r === c ? 1 : 0
      for (let k = 0; k < r; k++) sum -= factor[n * r + k] * out[o + n * k + c]
      out[o + n * r + c] = sum / factor[n * r + r]
    }
    for (let r = n - 1; r >= 0; r--) {
      let sum = out[o + n * r + c]
      for (let k = r + 1; k < n; k++) sum -= factor[n * k + r] * out[o + n * k + c]
      out[o + n * r + c] = sum / factor[n * r + r]
    }
  }
}

/** Takes the direction `n` (of `size` numbers at `at`) out of a mobility block: P − P n nᵀ P/(nᵀ P n). */
export function blockDirection(size: number, block: Float64Array, o: number, n: Float64Array, at: number): void {
  let along = 0
  for (let r = 0; r < size; r++) {
    let sum = 0
    for (let c = 0; c < size; c++) sum += block[o + size * r + c] * n[at + c]
    factor[r] = sum
    along += n[at + r] * sum
  }
  if (!(along > 0)) return
  for (let r = 0; r < size; r++) {
    for (let c = 0; c < size; c++) block[o + size * r + c] -= (factor[r] * factor[c]) / along
  }
}
