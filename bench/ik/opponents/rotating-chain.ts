/**
 * A chain whose coordinates are world rotation vectors, one a pivot, each turning the whole rest of the chain: what the
 * pseudo-inverse and Waterson's (149)–(154) work on.
 *
 *   s_k = e − p_k,  δe = Σ δθ_k × s_k,  R_j ← exp(δθ_1) … exp(δθ_j) R_j
 */

import { multiply, rotate } from '../tasks/kinematics.js'
import type { ChainRun, Solved } from '../solver.js'

const TURN = new Float64Array(4)
const SUM = new Float64Array(4)

export abstract class RotatingChain implements ChainRun {
  protected readonly links: readonly number[]
  /** World rotations of the links. */
  protected readonly q: Float64Array
  /** World positions of the joints and the end. */
  protected readonly p: Float64Array
  /** Rotation vectors of one step. */
  protected readonly turns: Float64Array

  constructor(links: readonly number[]) {
    this.links = links
    this.q = new Float64Array(4 * links.length)
    this.p = new Float64Array(3 * links.length + 3)
    this.turns = new Float64Array(3 * links.length)
  }

  /** Writes `turns` for an error e − x_T. */
  protected abstract step(x: number, y: number, z: number): void

  /** A new target: what is summed over iterations begins anew. */
  protected begin(): void {}

  reset(rotations: Float64Array): void {
    const { q } = this
    q.set(rotations.subarray(0, 4))
    for (let k = 1; k < this.links.length; k++) multiply(q, 4 * k - 4, rotations, 4 * k, q, 4 * k)
    this.place()
  }

  solve(target: ArrayLike<number>, iterations: number, tolerance: number): Solved {
    const { p } = this
    const e = p.length - 3
    this.begin()
    for (let count = 0; ; count++) {
      const [x, y, z] = [p[e] - target[0], p[e + 1] - target[1], p[e + 2] - target[2]]
      const error = Math.sqrt(x * x + y * y + z * z)
      if (error <= tolerance || count === iterations) return { iterations: count, error }
      this.step(x, y, z)
      this.apply()
    }
  }

  positions(out: Float64Array): void {
    out.set(this.p)
  }

  rotations(out: Float64Array): void {
    const { q } = this
    const back = new Float64Array(4)
    out.set(q.subarray(0, 4))
    for (let k = 1; k < this.links.length; k++) {
      for (let c = 0; c < 4; c++) back[c] = (c < 3 ? -1 : 1) * q[4 * k - 4 + c]
      multiply(back, 0, q, 4 * k, out, 4 * k)
    }
  }

  private apply(): void {
    const { q, turns } = this
    SUM[0] = SUM[1] = SUM[2] = 0
    SUM[3] = 1
    for (let k = 0; k < this.links.length; k++) {
      const x = turns[3 * k]
      const y = turns[3 * k + 1]
      const z = turns[3 * k + 2]
      const angle = Math.sqrt(x * x + y * y + z * z)
      const s = angle > 0 ? Math.sin(0.5 * angle) / angle : 0.5
      TURN[0] = s * x
      TURN[1] = s * y
      TURN[2] = s * z
      TURN[3] = Math.cos(0.5 * angle)
      multiply(SUM, 0, TURN, 0, SUM, 0)
      multiply(SUM, 0, q, 4 * k, q, 4 * k)
      normalise(q, 4 * k)
    }
    this.place()
  }

  private place(): void {
    const { links, p, q } = this
    for (let k = 0; k < links.length; k++) {
      rotate(q, 4 * k, links[k], 0, 0, p, 3 * k + 3)
      p[3 * k + 3] += p[3 * k]
      p[3 * k + 4] += p[3 * k + 1]
      p[3 * k + 5] += p[3 * k + 2]
    }
  }
}

function normalise(q: Float64Array, i: number): void {
  const size = 1 / Math.sqrt(q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2] + q[i + 3] * q[i + 3])
  for (let c = i; c < i + 4; c++) q[c] *= size
}

/** x = A⁻¹ b of a symmetric A = [xx, xy, xz, yy, yz, zz], by cofactors. */
export function solveSymmetric(a: Float64Array, b0: number, b1: number, b2: number, x: Float64Array, i: number): void {
  const c00 = a[3] * a[5] - a[4] * a[4]
  const c01 = a[2] * a[4] - a[1] * a[5]
  const c02 = a[1] * a[4] - a[2] * a[3]
  const scale = 1 / (a[0] * c00 + a[1] * c01 + a[2] * c02)
  x[i] = scale * (c00 * b0 + c01 * b1 + c02 * b2)
  x[i + 1] = scale * (c01 * b0 + (a[0] * a[5] - a[2] * a[2]) * b1 + (a[1] * a[2] - a[0] * a[4]) * b2)
  x[i + 2] = scale * (c02 * b0 + (a[1] * a[2] - a[0] * a[4]) * b1 + (a[0] * a[3] - a[1] * a[1]) * b2)
}
