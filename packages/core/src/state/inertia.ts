/**
 * World inverse inertia of a body, and the effective inertia M̃ of Waterson (36, 65).
 *
 * I⁻¹ = R diag(I₀⁻¹) Rᵀ. With locked axes it is the inverse on the free ones: S (Sᵀ I S)⁻¹ Sᵀ.
 */

import { ANY_ROTATION_LOCK, type BodyColumns, DYNAMIC, LOCK_ROTATION, RESTS, ROTATES } from './body-columns.js'
import { rotateSymmetric } from '../math/rotation.js'
import { principalFrame } from './spin-frame.js'

const TENSOR = /* @__PURE__ */ new Float64Array(9)
const FRAME = /* @__PURE__ */ new Float64Array(4)
/** Inverse moments. */
const INVERSE = /* @__PURE__ */ new Float64Array(3)

/** Below this share of its scale a determinant counts as lost: M̃ is then replaced by M. */
const DEFINITE = 1e-3

/** Writes the world inertia [kg m²] of a body at its present orientation, 9 numbers, row-major. */
export function worldInertia(c: BodyColumns, row: number, out: Float64Array): void {
  principalFrame(c.orientation, c, row, FRAME)
  rotateSymmetric(FRAME, 0, c.principalInertia, 3 * row, out, 0)
}

/** Brings a body's `inverseInertia` up to date with its orientation; zeros where it does not turn. */
export function refreshInertia(c: BodyColumns, row: number): void {
  const flags = c.flags[row]
  const k = 9 * row
  if (c.kind[row] !== DYNAMIC || (flags & ROTATES) === 0 || (flags & RESTS) !== 0) {
    c.inverseInertia.fill(0, k, k + 9)
    return
  }
  if ((flags & ANY_ROTATION_LOCK) !== 0) {
    worldInertia(c, row, TENSOR)
    invertFree(TENSOR, flags, c.inverseInertia, k)
    return
  }
  for (let i = 0; i < 3; i++) INVERSE[i] = 1 / c.principalInertia[3 * row + i]
  principalFrame(c.orientation, c, row, FRAME)
  rotateSymmetric(FRAME, 0, INVERSE, 0, c.inverseInertia, k)
}

/**
 * Replaces a body's `inverseInertia` by the inverse of
 * M̃ = I − h [I ω]ₓ + h I [ω]ₓ   (65)
 * unless its symmetric part has lost definiteness, as it does for |ω|h ≳ 0.5 on slender bodies: then M stays.
 */
export function refreshEffectiveInertia(c: BodyColumns, row: number, h: number): void {
  refreshInertia(c, row)
  const flags = c.flags[row]
  if (c.kind[row] !== DYNAMIC || (flags & ROTATES) === 0 || (flags & (RESTS | ANY_ROTATION_LOCK)) !== 0) return
  worldInertia(c, row, TENSOR)
  const v = 3 * row
  const x = h * c.angularVelocity[v]
  const y = h * c.angularVelocity[v + 1]
  const z = h * c.angularVelocity[v + 2]
  const a = TENSOR[0]
  const b = TENSOR[1]
  const d = TENSOR[2]
  const e = TENSOR[4]
  const f = TENSOR[5]
  const g = TENSOR[8]
  const lx = a * x + b * y + d * z
  const ly = b * x + e * y + f * z
  const lz = d * x + f * y + g * z
  TENSOR[0] = a + b * z - d * y
  TENSOR[1] = b + lz - a * z + d * x
  TENSOR[2] = d - ly + a * y - b * x
  TENSOR[3] = b - lz + e * z - f * y
  TENSOR[4] = e - b * z + f * x
  TENSOR[5] = f + lx + b * y - e * x
  TENSOR[6] = d + ly + f * z - g * y
  TENSOR[7] = f - lx - d * z + g * x
  TENSOR[8] = g + d * y - f * x
  if (isDefinite(TENSOR)) invert(TENSOR, c.inverseInertia, 9 * row)
}

/** Whether the symmetric part of `m` is positive definite, with room to spare. */
function isDefinite(m: Float64Array): boolean {
  const a = m[0]
  const e = m[4]
  const i = m[8]
  const b = 0.5 * (m[1] + m[3])
  const d = 0.5 * (m[2] + m[6])
  const f = 0.5 * (m[5] + m[7])
  const minor = a * e - b * b
  const determinant = a * (e * i - f * f) - b * (b * i - f * d) + d * (b * f - e * d)
  const scale = (a + e + i) / 3
  return a > DEFINITE * scale && minor > DEFINITE * scale * scale * DEFINITE && determinant > DEFINITE * a * e * i
}

function invert(m: Float64Array, out: Float64Array, k: number): void {
  const a = m[0]
  const b = m[1]
  const c = m[2]
  const d = m[3]
  const e = m[4]
  const f = m[5]
  const g = m[6]
  const h = m[7]
  const i = m[8]
  const A = e * i - f * h
  const B = f * g - d * i
  const C = d * h - e * g
  const s = 1 / (a * A + b * B + c * C)
  out[k] = s * A
  out[k + 1] = s * (c * h - b * i)
  out[k + 2] = s * (b * f - c * e)
  out[k + 3] = s * B
  out[k + 4] = s * (a * i - c * g)
  out[k + 5] = s * (c * d - a * f)
  out[k + 6] = s * C
  out[k + 7] = s * (b * g - a * h)
  out[k + 8] = s * (a * e - b * d)
}

/** Inverse on the axes that are not locked: locked ones are made identity, inverted, and zeroed. */
function invertFree(m: Float64Array, flags: number, out: Float64Array, k: number): void {
  for (let axis = 0; axis < 3; axis++) {
    if ((flags & (LOCK_ROTATION << axis)) === 0) continue
    for (let j = 0; j < 3; j++) m[3 * axis + j] = m[3 * j + axis] = 0
    m[4 * axis] = 1
  }
  invert(m, out, k)
  for (let axis = 0; axis < 3; axis++) if ((flags & (LOCK_ROTATION << axis)) !== 0) out[k + 4 * axis] = 0
}
