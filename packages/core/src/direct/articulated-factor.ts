/** Elimination of one node of a tree's system, and the solution of a root (articulated.ts has the equations). */

import { type Articulated, E, F, FACTORS, GAP, GU, LEVER, MUT, MUU, T0, UP } from './articulated-columns.js'

/** Inverse of a symmetric 3 × 3 at `o` into `inverse`; false where it is not positive definite. */
function invert(M: Float64Array, o: number, inverse: Float64Array): boolean {
  const a = M[o]
  const b = M[o + 1]
  const c = M[o + 2]
  const l10 = b / a
  const l20 = c / a
  const p11 = M[o + 3] - l10 * b
  const q12 = M[o + 4] - l20 * b
  const l21 = q12 / p11
  const p22 = M[o + 5] - l20 * c - l21 * q12
  if (!(a > 0 && p11 > 0 && p22 > 0)) return false
  const w1 = 1 / p11
  const w2 = 1 / p22
  const m20 = l10 * l21 - l20
  inverse[0] = 1 / a + l10 * l10 * w1 + m20 * m20 * w2
  inverse[1] = -l10 * w1 - l21 * m20 * w2
  inverse[2] = m20 * w2
  inverse[3] = w1 + l21 * l21 * w2
  inverse[4] = -l21 * w2
  inverse[5] = w2
  return true
}

const turned = /* @__PURE__ */ new Float64Array(3)
const V = /* @__PURE__ */ new Float64Array(6)
const S = /* @__PURE__ */ new Float64Array(6)

/** A root that nothing holds: x and θ of its whole tree into θ₀ and g_U of its factors, with the sign of the way down. */
export function solveRoot({ A, B, J, g, factors }: Articulated, n: number): boolean {
  const o = 6 * n
  const u = 9 * n
  const k = FACTORS * n
  if (!invert(A, o, V)) return false
  // E = A⁻¹ B, S = J − Bᵀ E.
  for (let i = 0; i < 3; i++) {
    const x = B[u + i]
    const y = B[u + 3 + i]
    const z = B[u + 6 + i]
    factors[k + E + i] = V[0] * x + V[1] * y + V[2] * z
    factors[k + E + 3 + i] = V[1] * x + V[3] * y + V[4] * z
    factors[k + E + 6 + i] = V[2] * x + V[4] * y + V[5] * z
  }
  let at = 0
  for (let i = 0; i < 3; i++) {
    turned[i] = g[o + 3 + i]
    for (let c = 0; c < 3; c++) turned[i] -= factors[k + E + 3 * c + i] * g[o + c]
    for (let j = i; j < 3; j++, at++) {
      S[at] = J[o + at]
      for (let c = 0; c < 3; c++) S[at] -= B[u + 3 * c + i] * factors[k + E + 3 * c + j]
    }
  }
  const x = V[0] * g[o] + V[1] * g[o + 1] + V[2] * g[o + 2]
  const y = V[1] * g[o] + V[3] * g[o + 1] + V[4] * g[o + 2]
  const z = V[2] * g[o] + V[4] * g[o + 1] + V[5] * g[o + 2]
  if (!invert(S, 0, V)) return false
  const p = -(V[0] * turned[0] + V[1] * turned[1] + V[2] * turned[2])
  const q = -(V[1] * turned[0] + V[3] * turned[1] + V[4] * turned[2])
  const r = -(V[2] * turned[0] + V[4] * turned[1] + V[5] * turned[2])
  factors[k + T0] = p
  factors[k + T0 + 1] = q
  factors[k + T0 + 2] = r
  factors[k + GU] = -x - factors[k + E] * p - factors[k + E + 1] * q - factors[k + E + 2] * r
  factors[k + GU + 1] = -y - factors[k + E + 3] * p - factors[k + E + 4] * q - factors[k + E + 5] * r
  factors[k + GU + 2] = -z - factors[k + E + 6] * p - factors[k + E + 7] * q - factors[k + E + 8] * r
  return true
}

/** Eliminates the turn of node n, and adds what is left of it to its parent `up`, or to nothing when that is −1. False where D is not positive definite. */
export function eliminateNode(t: Articulated, n: number, up: number): boolean {
  const { A, B, J, g, K, factors } = t
  const o = 6 * n
  const u = 9 * n
  const k = FACTORS * n
  const x = factors[k + LEVER]
  const y = factors[k + LEVER + 1]
  const z = factors[k + LEVER + 2]
  const a00 = A[o]
  const a01 = A[o + 1]
  const a02 = A[o + 2]
  const a11 = A[o + 3]
  const a12 = A[o + 4]
  const a22 = A[o + 5]
  const h00 = B[u]
  const h01 = B[u + 1]
  const h02 = B[u + 2]
  const h10 = B[u + 3]
  const h11 = B[u + 4]
  const h12 = B[u + 5]
  const h20 = B[u + 6]
  const h21 = B[u + 7]
  const h22 = B[u + 8]
  // About the point: B = H + A [r]ₓ, J = H + [r]ₓᵀ B + Bᵀ[r]ₓ.
  const b00 = h00 + a01 * z - a02 * y
  const b01 = h01 + a02 * x - a00 * z
  const b02 = h02 + a00 * y - a01 * x
  const b10 = h10 + a11 * z - a12 * y
  const b11 = h11 + a12 * x - a01 * z
  const b12 = h12 + a01 * y - a11 * x
  const b20 = h20 + a12 * z - a22 * y
  const b21 = h21 + a22 * x - a02 * z
  const b22 = h22 + a02 * y - a12 * x
  const j00 = J[o] + z * (b10 + h10) - y * (b20 + h20)
  const j01 = J[o + 1] + z * b11 - y * b21 + x * h20 - z * h00
  const j02 = J[o + 2] + z * b12 - y * b22 + y * h00 - x * h10
  const j11 = J[o + 3] + x * (b21 + h21) - z * (b01 + h01)
  const j12 = J[o + 4] + x * b22 - z * b02 + y * h01 - x * h11
  const j22 = J[o + 5] + y * (b02 + h02) - x * (b12 + h12)
  const d00 = j00 + K[u]
  const d01 = j01 + K[u + 1]
  const d02 = j02 + K[u + 2]
  const d11 = j11 + K[u + 3]
  const d12 = j12 + K[u + 4]
  const d22 = j22 + K[u + 5]
  const fx = g[o]
  const fy = g[o + 1]
  const fz = g[o + 2]
  const cx = factors[k + GAP]
  const cy = factors[k + GAP + 1]
  const cz = factors[k + GAP + 2]
  const tx = g[o + 3] - y * fz + z * fy - b00 * cx - b10 * cy - b20 * cz
  const ty = g[o + 4] - z * fx + x * fz - b01 * cx - b11 * cy - b21 * cz
  const tz = g[o + 5] - x * fy + y * fx - b02 * cx - b12 * cy - b22 * cz
  const sx = tx + K[u + 6]
  const sy = ty + K[u + 7]
  const sz = tz + K[u + 8]
  // D⁻¹ by LDLᵀ.
  const l10 = d01 / d00
  const l20 = d02 / d00
  const p11 = d11 - l10 * d01
  const q12 = d12 - l20 * d01
  const l21 = q12 / p11
  const p22 = d22 - l20 * d02 - l21 * q12
  if (!(d00 > 0 && p11 > 0 && p22 > 0)) return false
  const w0 = 1 / d00
  const w1 = 1 / p11
  const w2 = 1 / p22
  const m20 = l10 * l21 - l20
  const i22 = w2
  const i12 = -l21 * w2
  const i02 = m20 * w2
  const i11 = w1 + l21 * l21 * w2
  const i01 = -l10 * w1 - l21 * m20 * w2
  const i00 = w0 + l10 * l10 * w1 + m20 * m20 * w2
  // E = D⁻¹ Bᵀ.
  const e00 = i00 * b00 + i01 * b01 + i02 * b02
  const e01 = i00 * b10 + i01 * b11 + i02 * b12
  const e02 = i00 * b20 + i01 * b21 + i02 * b22
  const e10 = i01 * b00 + i11 * b01 + i12 * b02
  const e11 = i01 * b10 + i11 * b11 + i12 * b12
  const e12 = i01 * b20 + i11 * b21 + i12 * b22
  const e20 = i02 * b00 + i12 * b01 + i22 * b02
  const e21 = i02 * b10 + i12 * b11 + i22 * b12
  const e22 = i02 * b20 + i12 * b21 + i22 * b22
  const t0 = i00 * sx + i01 * sy + i02 * sz
  const t1 = i01 * sx + i11 * sy + i12 * sz
  const t2 = i02 * sx + i12 * sy + i22 * sz
  factors[k + E] = e00
  factors[k + E + 1] = e01
  factors[k + E + 2] = e02
  factors[k + E + 3] = e10
  factors[k + E + 4] = e11
  factors[k + E + 5] = e12
  factors[k + E + 6] = e20
  factors[k + E + 7] = e21
  factors[k + E + 8] = e22
  factors[k + T0] = t0
  factors[k + T0 + 1] = t1
  factors[k + T0 + 2] = t2
  const m00 = a00 - b00 * e00 - b01 * e10 - b02 * e20
  const m01 = a01 - b00 * e01 - b01 * e11 - b02 * e21
  const m02 = a02 - b00 * e02 - b01 * e12 - b02 * e22
  const m11 = a11 - b10 * e01 - b11 * e11 - b12 * e21
  const m12 = a12 - b10 * e02 - b11 * e12 - b12 * e22
  const m22 = a22 - b20 * e02 - b21 * e12 - b22 * e22
  const ux = fx - a00 * cx - a01 * cy - a02 * cz - b00 * t0 - b01 * t1 - b02 * t2
  const uy = fy - a01 * cx - a11 * cy - a12 * cz - b10 * t0 - b11 * t1 - b12 * t2
  const uz = fz - a02 * cx - a12 * cy - a22 * cz - b20 * t0 - b21 * t1 - b22 * t2
  factors[k + MUU] = m00
  factors[k + MUU + 1] = m01
  factors[k + MUU + 2] = m02
  factors[k + MUU + 3] = m11
  factors[k + MUU + 4] = m12
  factors[k + MUU + 5] = m22
  factors[k + GU] = ux
  factors[k + GU + 1] = uy
  factors[k + GU + 2] = uz
  // Without rows F = 0.
  let f00 = 0
  let f01 = 0
  let f02 = 0
  let f10 = 0
  let f11 = 0
  let f12 = 0
  let f20 = 0
  let f21 = 0
  let f22 = 0
  if (t.angleCount[n] + t.coupleCount[n] > 0) {
    f00 = 1 - i00 * j00 - i01 * j01 - i02 * j02
    f01 = -i00 * j01 - i01 * j11 - i02 * j12
    f02 = -i00 * j02 - i01 * j12 - i02 * j22
    f10 = -i01 * j00 - i11 * j01 - i12 * j02
    f11 = 1 - i01 * j01 - i11 * j11 - i12 * j12
    f12 = -i01 * j02 - i11 * j12 - i12 * j22
    f20 = -i02 * j00 - i12 * j01 - i22 * j02
    f21 = -i02 * j01 - i12 * j11 - i22 * j12
    f22 = 1 - i02 * j02 - i12 * j12 - i22 * j22
  }
  factors[k + F] = f00
  factors[k + F + 1] = f01
  factors[k + F + 2] = f02
  factors[k + F + 3] = f10
  factors[k + F + 4] = f11
  factors[k + F + 5] = f12
  factors[k + F + 6] = f20
  factors[k + F + 7] = f21
  factors[k + F + 8] = f22
  const v00 = b00 * f00 + b01 * f10 + b02 * f20
  const v01 = b00 * f01 + b01 * f11 + b02 * f21
  const v02 = b00 * f02 + b01 * f12 + b02 * f22
  const v10 = b10 * f00 + b11 * f10 + b12 * f20
  const v11 = b10 * f01 + b11 * f11 + b12 * f21
  const v12 = b10 * f02 + b11 * f12 + b12 * f22
  const v20 = b20 * f00 + b21 * f10 + b22 * f20
  const v21 = b20 * f01 + b21 * f11 + b22 * f21
  const v22 = b20 * f02 + b21 * f12 + b22 * f22
  factors[k + MUT] = v00
  factors[k + MUT + 1] = v01
  factors[k + MUT + 2] = v02
  factors[k + MUT + 3] = v10
  factors[k + MUT + 4] = v11
  factors[k + MUT + 5] = v12
  factors[k + MUT + 6] = v20
  factors[k + MUT + 7] = v21
  factors[k + MUT + 8] = v22
  if (up < 0) return true
  const P = 6 * up
  const Q = 9 * up
  const X = factors[k + UP]
  const Y = factors[k + UP + 1]
  const Z = factors[k + UP + 2]
  A[P] += m00
  A[P + 1] += m01
  A[P + 2] += m02
  A[P + 3] += m11
  A[P + 4] += m12
  A[P + 5] += m22
  // N = M_Uθ − M_UU [r_p]ₓ.
  const n00 = v00 - m01 * Z + m02 * Y
  const n01 = v01 - m02 * X + m00 * Z
  const n02 = v02 - m00 * Y + m01 * X
  const n10 = v10 - m11 * Z + m12 * Y
  const n11 = v11 - m12 * X + m01 * Z
  const n12 = v12 - m01 * Y + m11 * X
  const n20 = v20 - m12 * Z + m22 * Y
  const n21 = v21 - m22 * X + m02 * Z
  const n22 = v22 - m02 * Y + m12 * X
  B[Q] += n00
  B[Q + 1] += n01
  B[Q + 2] += n02
  B[Q + 3] += n10
  B[Q + 4] += n11
  B[Q + 5] += n12
  B[Q + 6] += n20
  B[Q + 7] += n21
  B[Q + 8] += n22
  // J F − [r_p]ₓᵀ N − M_Uθᵀ [r_p]ₓ.
  J[P] += j00 * f00 + j01 * f10 + j02 * f20 - Z * (n10 + v10) + Y * (n20 + v20)
  J[P + 1] += j00 * f01 + j01 * f11 + j02 * f21 - Z * n11 + Y * n21 - X * v20 + Z * v00
  J[P + 2] += j00 * f02 + j01 * f12 + j02 * f22 - Z * n12 + Y * n22 - Y * v00 + X * v10
  J[P + 3] += j01 * f01 + j11 * f11 + j12 * f21 - X * (n21 + v21) + Z * (n01 + v01)
  J[P + 4] += j01 * f02 + j11 * f12 + j12 * f22 - X * n22 + Z * n02 - Y * v01 + X * v11
  J[P + 5] += j02 * f02 + j12 * f12 + j22 * f22 - Y * (n02 + v02) + X * (n12 + v12)
  g[P] += ux
  g[P + 1] += uy
  g[P + 2] += uz
  g[P + 3] += tx - j00 * t0 - j01 * t1 - j02 * t2 + Y * uz - Z * uy
  g[P + 4] += ty - j01 * t0 - j11 * t1 - j12 * t2 + Z * ux - X * uz
  g[P + 5] += tz - j02 * t0 - j12 * t1 - j22 * t2 + X * uy - Y * ux
  return true
}
