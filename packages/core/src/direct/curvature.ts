/**
 * Geometric stiffness: −Σ λ_k ∂²c_k/∂X² of a pair's rows, as its type's `curvature` writes it, for the direct solve.
 *
 * X of a body is (x, θ), θ a rotation vector in the world frame that acts from the left. What rows are made of has only a few
 * second derivatives, by the direction they are taken in:
 *   lever   f·r, r carried by the body:      ½ θ×(θ×r)·f           →  (f·r) 1 − ½ (f rᵀ + r fᵀ)
 *   pair    u·v, u carried by a, v by b:     the two levers, and (θ_a×u)·(θ_b×v)
 *   couple  μ·log(q_A q̄_B):                  −½ μ·(θ_a×θ_b)        →  ½ [μ]ₓ between b and a
 *   swing   ‖δp‖ = l under tension σ:        σ/l (1 − n̂n̂ᵀ) on δp
 */

/** Numbers of a 6×6 block, row-major; only what lies on and below the diagonal of `a` and `b` is read. */
const BLOCK = 36
/** Of a symmetric 3×3 one: xx, yx, yy, zx, zy, zz. */
const TRIANGLE = 6

/** Scratch for one constraint. `safe` leaves out what may be indefinite between two bodies. */
export class Curvature {
  /** What stands in the rotations of a and b alone: all there is of most joints. */
  readonly turnA: Float64Array = new Float64Array(TRIANGLE)
  readonly turnB: Float64Array = new Float64Array(TRIANGLE)
  /** Blocks (a, a), (b, b) and (b, a) of the rest; nothing in the first two unless it `moves`, in the last unless `coupled`. */
  readonly a: Float64Array = new Float64Array(BLOCK)
  readonly b: Float64Array = new Float64Array(BLOCK)
  readonly ba: Float64Array = new Float64Array(BLOCK)
  moves = false
  coupled = false
  safe = false

  clear(): void {
    const { turnA, turnB } = this
    for (let k = 0; k < TRIANGLE; k++) turnA[k] = turnB[k] = 0
    if (this.moves) {
      this.a.fill(0)
      this.b.fill(0)
    }
    if (this.coupled) this.ba.fill(0)
    this.moves = this.coupled = false
  }

  /** The same for what a λ of three world directions does at a lever: ±λ at `l`, r at `o`. */
  leverAt(side: 0 | 1, lambda: Float64Array, l: number, r: Float64Array, o: number): void {
    const k = side === 0 ? this.turnA : this.turnB
    const s = side === 0 ? 1 : -1
    const fx = s * lambda[l]
    const fy = s * lambda[l + 1]
    const fz = s * lambda[l + 2]
    const rx = r[o]
    const ry = r[o + 1]
    const rz = r[o + 2]
    const x = fx * rx
    const y = fy * ry
    const z = fz * rz
    k[0] += y + z
    k[1] -= 0.5 * (fx * ry + fy * rx)
    k[2] += x + z
    k[3] -= 0.5 * (fx * rz + fz * rx)
    k[4] -= 0.5 * (fy * rz + fz * ry)
    k[5] += x + y
  }

  /** −λ f·r with r carried by body slot `side`; `f` is λ times what it is multiplied with. */
  lever(side: 0 | 1, fx: number, fy: number, fz: number, rx: number, ry: number, rz: number): void {
    const k = side === 0 ? this.turnA : this.turnB
    const x = fx * rx
    const y = fy * ry
    const z = fz * rz
    k[0] += y + z
    k[1] -= 0.5 * (fx * ry + fy * rx)
    k[2] += x + z
    k[3] -= 0.5 * (fx * rz + fz * rx)
    k[4] -= 0.5 * (fy * rz + fz * ry)
    k[5] += x + y
  }

  /** −λ u·v with u carried by a and v by b. */
  pair(lambda: number, u: Float64Array, i: number, v: Float64Array, j: number): void {
    const x = u[i]
    const y = u[i + 1]
    const z = u[i + 2]
    const p = v[j]
    const q = v[j + 1]
    const r = v[j + 2]
    this.lever(0, lambda * p, lambda * q, lambda * r, x, y, z)
    this.lever(1, lambda * x, lambda * y, lambda * z, p, q, r)
    this.between(-lambda, x, y, z, p, q, r)
  }

  /** s (θ_a×u)·(θ_b×v) = s θ_bᵀ ((u·v) 1 − u vᵀ) θ_a. */
  between(s: number, x: number, y: number, z: number, p: number, q: number, r: number): void {
    if (this.safe) return
    const { ba } = this
    const dot = s * (x * p + y * q + z * r)
    ba[21] += dot - s * x * p
    ba[22] -= s * x * q
    ba[23] -= s * x * r
    ba[27] -= s * y * p
    ba[28] += dot - s * y * q
    ba[29] -= s * y * r
    ba[33] -= s * z * p
    ba[34] -= s * z * q
    ba[35] += dot - s * z * r
    this.coupled = true
  }

  /**
   * −λ u·(x_a − x_b − s), u carried by a and s, b's lever, by b: a direction of a on which b's anchor is held. `g` is a pair's
   * scratch: a's lever up to b's anchor (3), s (3).
   */
  ray(lambda: number, u: Float64Array, i: number, g: Float64Array): void {
    const x = lambda * u[i]
    const y = lambda * u[i + 1]
    const z = lambda * u[i + 2]
    // x_a − x_b − s is minus a's lever to b's anchor.
    this.lever(0, -lambda * g[0], -lambda * g[1], -lambda * g[2], u[i], u[i + 1], u[i + 2])
    this.lever(1, -x, -y, -z, g[3], g[4], g[5])
    this.between(1, x, y, z, g[3], g[4], g[5])
    if (this.safe) return
    // Between the turn of u and the shift of either body: −λ (θ_a × u)·(dx_a − dx_b).
    skew(this.a, 18, -x, -y, -z)
    skew(this.ba, 3, -x, -y, -z)
    this.moves = this.coupled = true
  }

  /** ½ θ_b·(μ × θ_a). */
  couple(x: number, y: number, z: number): void {
    if (this.safe) return
    const { ba } = this
    ba[22] -= 0.5 * z
    ba[23] += 0.5 * y
    ba[27] += 0.5 * z
    ba[29] -= 0.5 * x
    ba[33] -= 0.5 * y
    ba[34] += 0.5 * x
    this.coupled = true
  }

  /** σ/l (1 − n̂n̂ᵀ) on the relative motion of two anchors with levers `r` and `s`; `stiffness` is σ/l; where it is negative what pushes buckles. */
  swing(
    stiffness: number,
    nx: number,
    ny: number,
    nz: number,
    rx: number,
    ry: number,
    rz: number,
    sx: number,
    sy: number,
    sz: number,
  ): void {
    if (this.safe && stiffness < 0) return
    // Two directions across n̂, from its smallest component.
    const small =
      Math.abs(nx) <= Math.abs(ny) && Math.abs(nx) <= Math.abs(nz) ? 0 : Math.abs(ny) <= Math.abs(nz) ? 1 : 2
    let tx = small === 0 ? 0 : small === 1 ? -nz : ny
    let ty = small === 0 ? nz : small === 1 ? 0 : -nx
    let tz = small === 0 ? -ny : small === 1 ? nx : 0
    const s = 1 / Math.sqrt(tx * tx + ty * ty + tz * tz)
    tx *= s
    ty *= s
    tz *= s
    this.along(stiffness, tx, ty, tz, rx, ry, rz, sx, sy, sz)
    this.along(stiffness, ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx, rx, ry, rz, sx, sy, sz)
    this.moves = this.coupled = true
  }

  /** k j jᵀ, j the gradient of δp·t. */
  private along(
    k: number,
    tx: number,
    ty: number,
    tz: number,
    rx: number,
    ry: number,
    rz: number,
    sx: number,
    sy: number,
    sz: number,
  ): void {
    write(J, tx, ty, tz, rx, ry, rz)
    write(G, tx, ty, tz, sx, sy, sz)
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j < 6; j++) {
        this.a[6 * i + j] += k * J[i] * J[j]
        this.b[6 * i + j] += k * G[i] * G[j]
        this.ba[6 * i + j] -= k * G[i] * J[j]
      }
    }
  }
}

/** Adds [v]ₓ to the 3×3 block at `o` of a 6×6 one. */
function skew(out: Float64Array, o: number, x: number, y: number, z: number): void {
  out[o + 1] -= z
  out[o + 2] += y
  out[o + 6] += z
  out[o + 8] -= x
  out[o + 12] -= y
  out[o + 13] += x
}

const J = /* @__PURE__ */ new Float64Array(6)
const G = /* @__PURE__ */ new Float64Array(6)

/** (t, r × t). */
function write(out: Float64Array, tx: number, ty: number, tz: number, rx: number, ry: number, rz: number): void {
  out[0] = tx
  out[1] = ty
  out[2] = tz
  out[3] = ry * tz - rz * ty
  out[4] = rz * tx - rx * tz
  out[5] = rx * ty - ry * tx
}
