/**
 * Φ of the bodies of a tree, from its root down (articulated.ts): by what a body answers a push on itself while its joints hold.
 *
 *   root:   θ = S⁻¹ (T − Eᵀ F),  x = A⁻¹ F − E θ
 *   child:  at its joint's point (a b; bᵀ c) of (U, θ_p) becomes, by θ = F θ_p − E U and what its own turn adds,
 *           Φ_uu = a,  Φ_uθ = b Fᵀ − a Eᵀ,  Φ_θθ = D⁻¹ − E Φ_uθ + F (c Fᵀ − bᵀ Eᵀ),  and x = u + r × θ
 */

import { type Articulated, E, F, FACTORS, INV, LEVER, MUU, UP } from './articulated-columns.js'
import type { Forest } from './forest.js'

/** 3 × 3 blocks, row-major: of a node's parent at the joint, and of the node. */
const a = /* @__PURE__ */ new Float64Array(9)
const b = /* @__PURE__ */ new Float64Array(9)
const m = /* @__PURE__ */ new Float64Array(9)
const q = /* @__PURE__ */ new Float64Array(9)
const s = /* @__PURE__ */ new Float64Array(9)

/** Φ of a root that nothing holds, from the factors at k. */
function placeRoot(f: Float64Array, k: number, phi: Float64Array, o: number): void {
  symmetric(f, k + INV, q)
  symmetric(f, k + MUU, a)
  // m = −E S⁻¹, a = A⁻¹ − m Eᵀ.
  for (let i = 0; i < 9; i += 3) {
    const x = f[k + E + i]
    const y = f[k + E + i + 1]
    const z = f[k + E + i + 2]
    for (let j = 0; j < 3; j++) m[i + j] = -(x * q[j] + y * q[3 + j] + z * q[6 + j])
  }
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) {
      const e = k + E + 3 * j
      a[i + j] -= m[i] * f[e] + m[i + 1] * f[e + 1] + m[i + 2] * f[e + 2]
    }
  }
  place(phi, o)
}

/** Φ of a node from that of its parent at p. */
function placeChild(f: Float64Array, k: number, phi: Float64Array, p: number, o: number): void {
  // (a b; bᵀ c) at the joint's point: U = x_p − r_p × θ_p.
  const X = f[k + UP]
  const Y = f[k + UP + 1]
  const Z = f[k + UP + 2]
  for (let j = 0; j < 3; j++) {
    const x = phi[p + 21 + j]
    const y = phi[p + 27 + j]
    const z = phi[p + 33 + j]
    b[j] = phi[p + 3 + j] - (Y * z - Z * y)
    b[3 + j] = phi[p + 9 + j] - (Z * x - X * z)
    b[6 + j] = phi[p + 15 + j] - (X * y - Y * x)
  }
  for (let j = 0; j < 3; j++) {
    const x = phi[p + 18 + j]
    const y = phi[p + 24 + j]
    const z = phi[p + 30 + j]
    a[j] = phi[p + j] - (Y * z - Z * y)
    a[3 + j] = phi[p + 6 + j] - (Z * x - X * z)
    a[6 + j] = phi[p + 12 + j] - (X * y - Y * x)
  }
  for (let i = 0; i < 9; i += 3) {
    // − b [r_p]ₓᵀ, whose columns are r_p × of the rows of b.
    a[i] -= Y * b[i + 2] - Z * b[i + 1]
    a[i + 1] -= Z * b[i] - X * b[i + 2]
    a[i + 2] -= X * b[i + 1] - Y * b[i]
  }
  // m = b Fᵀ − a Eᵀ, s = c Fᵀ − bᵀ Eᵀ.
  for (let j = 0; j < 3; j++) {
    const g = k + F + 3 * j
    const e = k + E + 3 * j
    for (let i = 0; i < 3; i++) {
      const c = p + 21 + 6 * i
      m[3 * i + j] =
        b[3 * i] * f[g] +
        b[3 * i + 1] * f[g + 1] +
        b[3 * i + 2] * f[g + 2] -
        (a[3 * i] * f[e] + a[3 * i + 1] * f[e + 1] + a[3 * i + 2] * f[e + 2])
      s[3 * i + j] =
        phi[c] * f[g] +
        phi[c + 1] * f[g + 1] +
        phi[c + 2] * f[g + 2] -
        (b[i] * f[e] + b[3 + i] * f[e + 1] + b[6 + i] * f[e + 2])
    }
  }
  symmetric(f, k + INV, q)
  for (let i = 0; i < 3; i++) {
    const g = k + F + 3 * i
    const e = k + E + 3 * i
    for (let j = 0; j < 3; j++) {
      q[3 * i + j] +=
        f[g] * s[j] +
        f[g + 1] * s[3 + j] +
        f[g + 2] * s[6 + j] -
        (f[e] * m[j] + f[e + 1] * m[3 + j] + f[e + 2] * m[6 + j])
    }
  }
  // x = u + r × θ: m += [r]ₓ q after a += [r]ₓ mᵀ + m [r]ₓᵀ + [r]ₓ q [r]ₓᵀ.
  const x = f[k + LEVER]
  const y = f[k + LEVER + 1]
  const z = f[k + LEVER + 2]
  for (let i = 0; i < 3; i++) {
    // Row i of m as a column of mᵀ.
    const u = m[3 * i]
    const v = m[3 * i + 1]
    const w = m[3 * i + 2]
    a[i] += y * w - z * v
    a[3 + i] += z * u - x * w
    a[6 + i] += x * v - y * u
  }
  for (let j = 0; j < 3; j++) {
    const u = q[j]
    const v = q[3 + j]
    const w = q[6 + j]
    m[j] += y * w - z * v
    m[3 + j] += z * u - x * w
    m[6 + j] += x * v - y * u
  }
  for (let i = 0; i < 9; i += 3) {
    a[i] += y * m[i + 2] - z * m[i + 1]
    a[i + 1] += z * m[i] - x * m[i + 2]
    a[i + 2] += x * m[i + 1] - y * m[i]
  }
  place(phi, o)
}

/** A symmetric 3 × 3 of six numbers in full. */
function symmetric(f: Float64Array, k: number, out: Float64Array): void {
  out[0] = f[k]
  out[1] = out[3] = f[k + 1]
  out[2] = out[6] = f[k + 2]
  out[4] = f[k + 3]
  out[5] = out[7] = f[k + 4]
  out[8] = f[k + 5]
}

/** (a m; mᵀ q) at o. */
function place(phi: Float64Array, o: number): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      phi[o + 6 * i + j] = a[3 * i + j]
      phi[o + 6 * i + 3 + j] = m[3 * i + j]
      phi[o + 18 + 6 * i + j] = m[3 * j + i]
      phi[o + 21 + 6 * i + j] = q[3 * i + j]
    }
  }
}

/** Brings Φ of node n, and of those above it, up to the version of the response. */
export function placePhi(forest: Forest, t: Articulated, n: number): void {
  const { parent, firstMember } = forest
  const { phi, phiVersion, version, response } = t
  if (phiVersion[n] === version) return
  if (firstMember[n] === firstMember[n + 1]) placeRoot(response, FACTORS * n, phi, 36 * n)
  else {
    placePhi(forest, t, parent[n])
    placeChild(response, FACTORS * n, phi, 36 * parent[n], 36 * n)
  }
  phiVersion[n] = version
}
