/**
 * Waterson's section 11 as a scheme of its own: a scalar μ along the error, (151)–(154), as printed and with its signs put
 * right, M_k refreshed every iteration.
 *
 *   M_k = Σ_{i≥k} (I_i − m_i [d_ki]ₓ[d_ki]ₓ)                                                            (151)
 *   w = n·(Σ [s_k]ₓ M_k⁻¹ [s_k]ₓ) n,  negative;  J M⁻¹ Jᵀ = −w > 0                                       (153)
 *   printed       μ = 1/(w + α),   Δλ = −μ (δx − αλ)                                                    (154)
 *   signs right   μ = 1/(−w + α),  Δλ = −μ (δx + αλ)
 *   δθ_k = M_k⁻¹ (s_k × Δλ)                                                                             (154)
 *
 * The printed μ points away from the target wherever α < |w|. α is 0 here but for a floor that keeps μ finite.
 */

import type { ChainSolver, Opponents } from '../solver.js'
import { RotatingChain, solveSymmetric } from './rotating-chain.js'

/** Radius of a link as a share of its length: a ball joint needs an axial inertia. Density 1 kg/m. */
const THICKNESS = 0.2
/** α against a typical w, 1/m: 1e−9 of it. */
const ALPHA = 1e-9

const M = new Float64Array(6)
const X = new Float64Array(3)

class Seed extends RotatingChain {
  private readonly asPrinted: boolean
  /** M_k, six numbers a link. */
  private readonly inertia: Float64Array
  private readonly lambda: Float64Array

  constructor(links: readonly number[], asPrinted: boolean) {
    super(links)
    this.asPrinted = asPrinted
    this.inertia = new Float64Array(6 * links.length)
    this.lambda = new Float64Array(3)
  }

  protected override begin(): void {
    this.lambda.fill(0)
  }

  protected override step(x: number, y: number, z: number): void {
    const { inertia, lambda, p, turns } = this
    const n = this.links.length
    const e = 3 * n
    this.refreshInertia()
    const size = Math.sqrt(x * x + y * y + z * z)
    const [nx, ny, nz] = [x / size, y / size, z / size]
    let w = 0
    for (let k = 0; k < n; k++) {
      const [sx, sy, sz] = [p[e] - p[3 * k], p[e + 1] - p[3 * k + 1], p[e + 2] - p[3 * k + 2]]
      const [cx, cy, cz] = [sy * nz - sz * ny, sz * nx - sx * nz, sx * ny - sy * nx]
      M.set(inertia.subarray(6 * k, 6 * k + 6))
      solveSymmetric(M, cx, cy, cz, X, 0)
      w -= cx * X[0] + cy * X[1] + cz * X[2]
    }
    const sign = this.asPrinted ? 1 : -1
    const mu = 1 / (sign * w + ALPHA)
    for (let c = 0; c < 3; c++) {
      const error = c === 0 ? x : c === 1 ? y : z
      const change = -mu * (error - sign * ALPHA * lambda[c])
      lambda[c] += change
      X[c] = change
    }
    const [lx, ly, lz] = [X[0], X[1], X[2]]
    for (let k = 0; k < n; k++) {
      const [sx, sy, sz] = [p[e] - p[3 * k], p[e + 1] - p[3 * k + 1], p[e + 2] - p[3 * k + 2]]
      M.set(inertia.subarray(6 * k, 6 * k + 6))
      solveSymmetric(M, sy * lz - sz * ly, sz * lx - sx * lz, sx * ly - sy * lx, turns, 3 * k)
    }
  }

  /** (151) from the tip to the root: mass, centre and inertia about the centre of all that hangs on a pivot. */
  private refreshInertia(): void {
    const { inertia, links, p } = this
    let [mass, cx, cy, cz] = [0, 0, 0, 0]
    const own = new Float64Array(6)
    for (let k = links.length - 1; k >= 0; k--) {
      const length = links[k]
      const i = 3 * k
      const [ux, uy, uz] = [p[i + 3] - p[i], p[i + 4] - p[i + 1], p[i + 5] - p[i + 2]]
      const [mx, my, mz] = [p[i] + 0.5 * ux, p[i + 1] + 0.5 * uy, p[i + 2] + 0.5 * uz]
      const radius = THICKNESS * length
      const axial = 0.5 * length * radius * radius
      const across = 0.5 * axial + (length * length * length) / 12
      // A cylinder: across (1 − u uᵀ) + axial u uᵀ, the vector u not of unit length here.
      const along = (axial - across) / (length * length)
      const sum = mass + length
      // Both about the new common centre: I + I' + (m m'/(m + m')) (d² 1 − d dᵀ).
      const reduced = (mass * length) / sum
      const [dx, dy, dz] = [mx - cx, my - cy, mz - cz]
      own[0] += across + along * ux * ux + reduced * (dy * dy + dz * dz)
      own[1] += along * ux * uy - reduced * dx * dy
      own[2] += along * ux * uz - reduced * dx * dz
      own[3] += across + along * uy * uy + reduced * (dz * dz + dx * dx)
      own[4] += along * uy * uz - reduced * dy * dz
      own[5] += across + along * uz * uz + reduced * (dx * dx + dy * dy)
      cx += (length / sum) * dx
      cy += (length / sum) * dy
      cz += (length / sum) * dz
      mass = sum
      const [ax, ay, az] = [cx - p[i], cy - p[i + 1], cz - p[i + 2]]
      inertia[6 * k] = own[0] + mass * (ay * ay + az * az)
      inertia[6 * k + 1] = own[1] - mass * ax * ay
      inertia[6 * k + 2] = own[2] - mass * ax * az
      inertia[6 * k + 3] = own[3] + mass * (az * az + ax * ax)
      inertia[6 * k + 4] = own[4] - mass * ay * az
      inertia[6 * k + 5] = own[5] + mass * (ax * ax + ay * ay)
    }
  }
}

const NOTE = 'scalar μ along the error, M_k refreshed each iteration, own code'

const seedAsPrinted: ChainSolver = {
  name: 'seedAsPrinted',
  note: `Waterson (151)–(154) to the letter, ${NOTE}`,
  limits: false,
  make: (links) => new Seed(links, true),
}

const seedSigns: ChainSolver = {
  name: 'seedSigns',
  note: `Waterson (151)–(154), two signs put right, ${NOTE}`,
  limits: false,
  make: (links) => new Seed(links, false),
}

export const opponents: Opponents = { chains: [seedAsPrinted, seedSigns] }
