/** Symmetric 3×3 matrices, as blocks of larger ones: whether a sum is definite, and what is left of one without its negative part. */

/** Rotations of Jacobi's method: a cycle of three, so often; it converges quadratically, and is exact to round-off in five. */
const CYCLES = 6

const A = /* @__PURE__ */ new Float64Array(9)
const V = /* @__PURE__ */ new Float64Array(9)

/** Whether s I + K is positive definite: I full at `u`, K a lower triangle at `k` in rows of `stride`. */
export function isDefinite(s: number, I: Float64Array, u: number, K: Float64Array, k: number, stride: number): boolean {
  const a = s * I[u] + K[k]
  const b = s * I[u + 3] + K[k + stride]
  const c = s * I[u + 6] + K[k + 2 * stride]
  const e = s * I[u + 4] + K[k + stride + 1]
  const f = s * I[u + 7] + K[k + 2 * stride + 1]
  const i = s * I[u + 8] + K[k + 2 * stride + 2]
  return a > 0 && a * e - b * b > 0 && a * (e * i - f * f) - b * (b * i - c * f) + c * (b * f - c * e) > 0
}

/** Takes the negative eigenvalues out of the lower triangle at `k`. */
export function clip(K: Float64Array, k: number, stride: number): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j <= i; j++) A[3 * i + j] = A[3 * j + i] = K[k + stride * i + j]
    for (let j = 0; j < 3; j++) V[3 * i + j] = i === j ? 1 : 0
  }
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    rotate(0, 1)
    rotate(0, 2)
    rotate(1, 2)
  }
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let c = 0; c < 3; c++) sum += Math.max(A[4 * c], 0) * V[3 * i + c] * V[3 * j + c]
      K[k + stride * i + j] = sum
    }
  }
}

/** One rotation that clears A_pq, and what it makes of the eigenvectors. */
function rotate(p: number, q: number): void {
  const apq = A[3 * p + q]
  if (apq === 0) return
  const theta = (A[4 * q] - A[4 * p]) / (2 * apq)
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let i = 0; i < 3; i++) {
    const x = A[3 * i + p]
    const y = A[3 * i + q]
    A[3 * i + p] = c * x - s * y
    A[3 * i + q] = s * x + c * y
  }
  for (let i = 0; i < 3; i++) {
    const x = A[3 * p + i]
    const y = A[3 * q + i]
    A[3 * p + i] = c * x - s * y
    A[3 * q + i] = s * x + c * y
  }
  for (let i = 0; i < 3; i++) {
    const x = V[3 * i + p]
    const y = V[3 * i + q]
    V[3 * i + p] = c * x - s * y
    V[3 * i + q] = s * x + c * y
  }
}
