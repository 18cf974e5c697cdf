/**
 * The joint-space mass of a rig: M_de between any two degrees of freedom (Waterson 150 with the blocks that 151 drops).
 *
 *   e moves what its bone j carries with the momentum p and L about pivot j:
 *     angular  p = a_e × h_j, L = I_j a_e        linear  p = m_j a_e, L = h_j × a_e
 *   M_de = a_d·(L + (x_j − x_i) × p) for an angular d of bone i, j or an ancestor of it; a_d·p for a linear one
 *
 * (composite rigid bodies: Featherstone 1983). Cubic in the degrees of freedom: for comparison, not for frames.
 */

import { CARRIED, type Kinematics } from './kinematics.js'

/** Mass that a blocked direction gets, as a share of the largest. */
const BLOCKED = 1e12

const inertia = /* @__PURE__ */ new Float64Array(9)
const moment = /* @__PURE__ */ new Float64Array(3)

/** M and its factor, for one rig. */
export class FullMass {
  /** Row-major, freedoms². */
  readonly M: Float64Array
  private readonly L: Float64Array
  private readonly kinematics: Kinematics

  constructor(kinematics: Kinematics) {
    const D = kinematics.freedoms
    this.kinematics = kinematics
    this.M = new Float64Array(D * D)
    this.L = new Float64Array(D * D)
  }

  /** M at the present pose, which has been carried; `blend` as in the other metrics. */
  update(blend: number): void {
    const { kinematics, M } = this
    const { rig, world, firstFreedom, axes, angular, carried, freedoms: D } = kinematics
    M.fill(0)
    kinematics.carriedAbout(0, inertia, moment)
    const share = (blend * (inertia[0] + inertia[4] + inertia[8])) / 3
    for (let j = 0; j < rig.count; j++) {
      kinematics.carriedAbout(j, inertia, moment)
      for (let e = firstFreedom[j]; e < firstFreedom[j + 1]; e++) {
        const [ax, ay, az] = [axes[3 * e], axes[3 * e + 1], axes[3 * e + 2]]
        const [hx, hy, hz] = moment
        const turns = angular[e] === 1
        const m = carried[CARRIED * j]
        const p = turns ? [ay * hz - az * hy, az * hx - ax * hz, ax * hy - ay * hx] : [m * ax, m * ay, m * az]
        const L = turns
          ? [0, 1, 2].map((r) => inertia[3 * r] * ax + inertia[3 * r + 1] * ay + inertia[3 * r + 2] * az)
          : [hy * az - hz * ay, hz * ax - hx * az, hx * ay - hy * ax]
        for (let i = j; i >= 0; i = rig.parent[i]) {
          const [rx, ry, rz] = [0, 1, 2].map((k) => world.positions[3 * j + k] - world.positions[3 * i + k])
          const about = [L[0] + ry * p[2] - rz * p[1], L[1] + rz * p[0] - rx * p[2], L[2] + rx * p[1] - ry * p[0]]
          for (let d = firstFreedom[i]; d < firstFreedom[i + 1]; d++) {
            const v = angular[d] === 1 ? about : p
            M[D * d + e] = M[D * e + d] = axes[3 * d] * v[0] + axes[3 * d + 1] * v[1] + axes[3 * d + 2] * v[2]
          }
        }
        if (turns) M[(D + 1) * e] += share
        M[(D + 1) * e] *= 1 + rig.joints[j].stiffness
      }
    }
  }

  /** Makes a direction of `size` degrees of freedom from `f` on as good as immovable. */
  block(f: number, size: number, n: Float64Array, o: number): void {
    const { M, kinematics } = this
    const D = kinematics.freedoms
    let largest = 0
    for (let d = 0; d < D; d++) largest = Math.max(largest, Math.min(M[(D + 1) * d], BLOCKED))
    for (let r = 0; r < size; r++) {
      for (let c = 0; c < size; c++) M[D * (f + r) + f + c] += BLOCKED * largest * n[o + r] * n[o + c]
    }
  }

  /** T = M⁻¹ Jᵀ for E rows; degree of freedom d of row k is at `stride * d + k` of both. */
  divide(J: Float64Array, T: Float64Array, E: number, stride: number): void {
    const { M, L, kinematics } = this
    const D = kinematics.freedoms
    for (let r = 0; r < D; r++) {
      for (let c = 0; c <= r; c++) {
        let sum = M[D * r + c]
        for (let k = 0; k < c; k++) sum -= L[D * r + k] * L[D * c + k]
        L[D * r + c] = r === c ? Math.sqrt(sum) : sum / L[D * c + c]
      }
    }
    for (let k = 0; k < E; k++) {
      for (let r = 0; r < D; r++) {
        let sum = J[stride * r + k]
        for (let c = 0; c < r; c++) sum -= L[D * r + c] * T[stride * c + k]
        T[stride * r + k] = sum / L[(D + 1) * r]
      }
      for (let r = D - 1; r >= 0; r--) {
        let sum = T[stride * r + k]
        for (let c = r + 1; c < D; c++) sum -= L[D * c + r] * T[stride * c + k]
        T[stride * r + k] = sum / L[(D + 1) * r]
      }
    }
  }
}
