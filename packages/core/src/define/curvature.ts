/**
 * Geometric stiffness: −Σ λ_k ∂²c_k/∂X² of a pair's rows, as its type's `curvature` writes it, for the direct solve.
 *
 * X of a body is (x, θ), θ a rotation vector in the world frame that acts from the left. What rows are made of has only a few
 * second derivatives:
 *   lever    f·r, r carried by the body:      ½ θ×(θ×r)·f           →  (f·r) 1 − ½ (f rᵀ + r fᵀ)
 *   pair     u·v, u carried by a, v by b:     the two levers, and (θ_a×u)·(θ_b×v)
 *   ray      u·(x_a − p_b), u carried by a:   likewise, and (θ_a×u)·(dx_a − dx_b)
 *   couple   μ·log(q_A q̄_B):                  −½ μ·(θ_a×θ_b)        →  ½ [μ]ₓ between b and a
 *   length   ‖δp‖ with λ:                     the levers, and −λ/‖δp‖ (1 − n̂n̂ᵀ) on δp
 *
 * Multipliers and vectors come in memory, an array and an index: numbers handed to a function that is not inlined are boxed.
 */

/** Numbers of a 6×6 block, row-major; only what lies on and below the diagonal of `a` and `b` is read. */
const BLOCK = 36
/** Of a symmetric 3×3 one: xx, yx, yy, zx, zy, zz. */
const TRIANGLE = 6

const F = /* @__PURE__ */ new Float64Array(3)
const T = /* @__PURE__ */ new Float64Array(6)
/** Length of δp in hand [m], in memory: what a function is handed may be boxed. */
const SIZE = /* @__PURE__ */ new Float64Array(1)
const J = /* @__PURE__ */ new Float64Array(6)
const G = /* @__PURE__ */ new Float64Array(6)

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
  /** Whether the stiffness of the joint's scalar angles is in it. */
  hasAngles = false

  /** Forgets everything. */
  clear(): void {
    const { turnA, turnB } = this
    for (let k = 0; k < TRIANGLE; k++) turnA[k] = turnB[k] = 0
    if (this.moves) {
      this.a.fill(0)
      this.b.fill(0)
    }
    if (this.coupled) this.ba.fill(0)
    this.moves = this.coupled = this.hasAngles = false
  }

  /**
   * Scalar angles of b seen from a: `angles` has Σ λ n (3) and Σ λ N (9, row-major), n the gradient of an angle as b turns and N = ∂n/∂δ.
   *
   *   K_aa = K_bb = −Σ λ (N + Nᵀ)/2,    K_ba = Σ λ ([n]ₓ + N)
   */
  angles(angles: Float64Array): void {
    const { turnA, turnB, ba } = this
    this.hasAngles = true
    for (let i = 0, t = 0; i < 3; i++) {
      for (let j = 0; j <= i; j++, t++) {
        const s = 0.5 * (angles[3 + 3 * i + j] + angles[3 + 3 * j + i])
        turnA[t] -= s
        turnB[t] -= s
      }
    }
    if (this.safe) return
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) ba[21 + 6 * i + j] += angles[3 + 3 * i + j]
    skew(ba, 21, angles)
    this.coupled = true
  }

  /** Three rows along x, y and z, κ at `l`, that hold a point of a at lever g[0…2] to one of b at g[3…5]. */
  point(lambda: Float64Array, l: number, g: Float64Array): void {
    for (let k = 0; k < 3; k++) F[k] = lambda[l + k]
    lever(this.turnA, F, 0, g, 0)
    for (let k = 0; k < 3; k++) F[k] = -F[k]
    lever(this.turnB, F, 0, g, 3)
  }

  /** A row c = `sign` u·v, its λ at `l`; u at `i` is carried by a, v at `j` by b. */
  pair(lambda: Float64Array, l: number, sign: 1 | -1, u: Float64Array, i: number, v: Float64Array, j: number): void {
    const s = sign * lambda[l]
    for (let k = 0; k < 3; k++) F[k] = s * v[j + k]
    lever(this.turnA, F, 0, u, i)
    for (let k = 0; k < 3; k++) F[k] = s * u[i + k]
    lever(this.turnB, F, 0, v, j)
    if (this.safe) return
    for (let k = 0; k < 3; k++) F[k] = -F[k]
    between(this.ba, F, v, j)
    this.coupled = true
  }

  /**
   * A row c = u·(p_a − p_b), its λ at `l`: b's anchor stays on a plane that a carries. u at `i`; `g` has a's lever up to b's anchor
   * and b's lever.
   */
  ray(lambda: Float64Array, l: number, u: Float64Array, i: number, g: Float64Array): void {
    const f = lambda[l]
    for (let k = 0; k < 3; k++) F[k] = -f * g[k]
    lever(this.turnA, F, 0, u, i)
    for (let k = 0; k < 3; k++) F[k] = -f * u[i + k]
    lever(this.turnB, F, 0, g, 3)
    if (this.safe) return
    // −λ (θ_a×u)·(dx_a − dx_b): between the turn of u and the shift of either body.
    skew(this.a, 18, F)
    skew(this.ba, 3, F)
    for (let k = 0; k < 3; k++) F[k] = -F[k]
    between(this.ba, F, g, 3)
    this.moves = this.coupled = true
  }

  /** Three rows that hold the rotation vector from b to a, μ at `l`. */
  couple(lambda: Float64Array, l: number): void {
    if (this.safe) return
    for (let k = 0; k < 3; k++) F[k] = 0.5 * lambda[l + k]
    skew(this.ba, 21, F)
    this.coupled = true
  }

  /** A row c = ‖δp‖ − …, its λ at `l`; `g` has both levers and δp ≠ 0. What pushes would buckle: that is not safe. */
  length(lambda: Float64Array, l: number, g: Float64Array): void {
    const f = lambda[l]
    const size = Math.sqrt(g[6] * g[6] + g[7] * g[7] + g[8] * g[8])
    for (let k = 0; k < 3; k++) F[k] = (f * g[6 + k]) / size
    lever(this.turnA, F, 0, g, 0)
    for (let k = 0; k < 3; k++) F[k] = -F[k]
    lever(this.turnB, F, 0, g, 3)
    if (f === 0 || (this.safe && f > 0)) return
    SIZE[0] = size
    across(g)
    const stiffness = -f / size
    for (let t = 0; t < 6; t += 3) {
      gradient(J, t, g, 0)
      gradient(G, t, g, 3)
      for (let i = 0; i < 6; i++) {
        for (let j = 0; j < 6; j++) {
          this.a[6 * i + j] += stiffness * J[i] * J[j]
          this.b[6 * i + j] += stiffness * G[i] * G[j]
          this.ba[6 * i + j] -= stiffness * G[i] * J[j]
        }
      }
    }
    this.moves = this.coupled = true
  }
}

/** (f·r) 1 − ½ (f rᵀ + r fᵀ). */
function lever(out: Float64Array, f: Float64Array, i: number, r: Float64Array, o: number): void {
  const fx = f[i]
  const fy = f[i + 1]
  const fz = f[i + 2]
  const rx = r[o]
  const ry = r[o + 1]
  const rz = r[o + 2]
  const x = fx * rx
  const y = fy * ry
  const z = fz * rz
  out[0] += y + z
  out[1] -= 0.5 * (fx * ry + fy * rx)
  out[2] += x + z
  out[3] -= 0.5 * (fx * rz + fz * rx)
  out[4] -= 0.5 * (fy * rz + fz * ry)
  out[5] += x + y
}

/** (θ_a×u)·(θ_b×v) = θ_bᵀ ((u·v) 1 − u vᵀ) θ_a. */
function between(ba: Float64Array, u: Float64Array, v: Float64Array, j: number): void {
  const dot = u[0] * v[j] + u[1] * v[j + 1] + u[2] * v[j + 2]
  for (let i = 0; i < 3; i++) {
    const o = 21 + 6 * i
    for (let k = 0; k < 3; k++) ba[o + k] -= u[i] * v[j + k]
    ba[o + i] += dot
  }
}

/** Adds [v]ₓ to the 3×3 block at `o` of a 6×6 one. */
function skew(out: Float64Array, o: number, v: Float64Array): void {
  out[o + 1] -= v[2]
  out[o + 2] += v[1]
  out[o + 6] += v[2]
  out[o + 8] -= v[0]
  out[o + 12] -= v[1]
  out[o + 13] += v[0]
}

/** Two unit vectors across δp, whose length is in `SIZE`, into `T`. */
function across(g: Float64Array): void {
  const size = SIZE[0]
  const x = g[6] / size
  const y = g[7] / size
  const z = g[8] / size
  const ax = Math.abs(x)
  const ay = Math.abs(y)
  const az = Math.abs(z)
  // n̂ × the axis that is farthest from it.
  const least = ax <= ay && ax <= az ? 0 : ay <= az ? 1 : 2
  const tx = least === 0 ? 0 : least === 1 ? -z : y
  const ty = least === 0 ? z : least === 1 ? 0 : -x
  const tz = least === 0 ? -y : least === 1 ? x : 0
  const s = 1 / Math.sqrt(tx * tx + ty * ty + tz * tz)
  T[0] = s * tx
  T[1] = s * ty
  T[2] = s * tz
  T[3] = y * T[2] - z * T[1]
  T[4] = z * T[0] - x * T[2]
  T[5] = x * T[1] - y * T[0]
}

/** (t, r × t) for the direction at `t` of `T` and the lever at `o`. */
function gradient(out: Float64Array, t: number, g: Float64Array, o: number): void {
  const x = T[t]
  const y = T[t + 1]
  const z = T[t + 2]
  out[0] = x
  out[1] = y
  out[2] = z
  out[3] = g[o + 1] * z - g[o + 2] * y
  out[4] = g[o + 2] * x - g[o] * z
  out[5] = g[o] * y - g[o + 1] * x
}
