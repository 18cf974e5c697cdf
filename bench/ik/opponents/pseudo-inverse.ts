/**
 * Damped pseudo-inverse, Waterson (143)–(148) with a Levenberg term: the smallest sum of squared turns.
 *
 *   W = J Jᵀ = Σ (|s_k|² 1 − s_k s_kᵀ),  (W + d 1) Δλ = −δx,  δθ_k = s_k × Δλ
 */

import type { ChainSolver, Opponents, Solved } from '../solver.js'
import { RotatingChain, solveSymmetric } from './rotating-chain.js'

/** d as a share of the mean of W's diagonal. */
const DAMPING = 1e-3
/** Largest error that one iteration answers, as a share of the reach, and largest turn of a joint [rad]. */
const ERROR_CLAMP = 0.2
const TURN_CLAMP = 0.5

/** Share of the reach onto which a farther target is drawn in, by the one that does. */
const SOFT_REACH = 0.98

const W = new Float64Array(6)
const LAMBDA = new Float64Array(3)

class PseudoInverse extends RotatingChain {
  private readonly clamp: number
  /** Targets farther than this from the root are drawn in [m]. */
  private readonly farthest: number

  constructor(links: readonly number[], softReach: number) {
    super(links)
    const reach = links.reduce((sum, length) => sum + length, 0)
    this.clamp = ERROR_CLAMP * reach
    this.farthest = softReach * reach
  }

  override solve(target: ArrayLike<number>, iterations: number, tolerance: number): Solved {
    const away = Math.sqrt(target[0] * target[0] + target[1] * target[1] + target[2] * target[2])
    if (!(away > this.farthest)) return super.solve(target, iterations, tolerance)
    const share = this.farthest / away
    return super.solve([share * target[0], share * target[1], share * target[2]], iterations, tolerance)
  }

  protected override step(x: number, y: number, z: number): void {
    const { p, turns } = this
    const n = this.links.length
    const e = 3 * n
    W.fill(0)
    for (let k = 0; k < n; k++) {
      const sx = p[e] - p[3 * k]
      const sy = p[e + 1] - p[3 * k + 1]
      const sz = p[e + 2] - p[3 * k + 2]
      W[0] += sy * sy + sz * sz
      W[1] -= sx * sy
      W[2] -= sx * sz
      W[3] += sz * sz + sx * sx
      W[4] -= sy * sz
      W[5] += sx * sx + sy * sy
    }
    const damping = (DAMPING * (W[0] + W[3] + W[5])) / 3
    W[0] += damping
    W[3] += damping
    W[5] += damping
    const size = Math.sqrt(x * x + y * y + z * z)
    const share = size > this.clamp ? -this.clamp / size : -1
    solveSymmetric(W, share * x, share * y, share * z, LAMBDA, 0)
    let largest = 0
    for (let k = 0; k < n; k++) {
      const sx = p[e] - p[3 * k]
      const sy = p[e + 1] - p[3 * k + 1]
      const sz = p[e + 2] - p[3 * k + 2]
      const tx = (turns[3 * k] = sy * LAMBDA[2] - sz * LAMBDA[1])
      const ty = (turns[3 * k + 1] = sz * LAMBDA[0] - sx * LAMBDA[2])
      const tz = (turns[3 * k + 2] = sx * LAMBDA[1] - sy * LAMBDA[0])
      largest = Math.max(largest, tx * tx + ty * ty + tz * tz)
    }
    if (largest <= TURN_CLAMP * TURN_CLAMP) return
    const less = TURN_CLAMP / Math.sqrt(largest)
    for (let k = 0; k < 3 * n; k++) turns[k] *= less
  }
}

const NOTE = `damped by ${DAMPING} of the mean diagonal, error clamp ${ERROR_CLAMP}, turn clamp ${TURN_CLAMP} rad, own code`

const pseudoInverse: ChainSolver = {
  name: 'pseudoInverse',
  note: NOTE,
  limits: false,
  make: (links) => new PseudoInverse(links, Infinity),
}

const pseudoInverseSoft: ChainSolver = {
  name: 'pseudoInverseSoft',
  note: `targets drawn in to ${SOFT_REACH} of the reach, ${NOTE}`,
  limits: false,
  make: (links) => new PseudoInverse(links, SOFT_REACH),
}

export const opponents: Opponents = { chains: [pseudoInverse, pseudoInverseSoft] }
