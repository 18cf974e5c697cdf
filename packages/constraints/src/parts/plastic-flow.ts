/** Plastic flow of a cluster: how its rest shape goes after the shape that it is in (Müller, Heidelberger, Teschner and Gross, 2005, 5.1). */

/** Σ w q qᵀ of the rest shape as it is at present, its inverse, the strain RᵀF − 1, and the next S_p, row by row. */
const Q = /* @__PURE__ */ new Float64Array(9)
const I = /* @__PURE__ */ new Float64Array(9)
const E = /* @__PURE__ */ new Float64Array(9)
const T = /* @__PURE__ */ new Float64Array(9)

/** What the flow in hand reads: strain up to which nothing flows, share of a substep, strain of the rest shape at most. */
export const FLOW: Float64Array = /* @__PURE__ */ new Float64Array(3)

/** Share of the trace cubed below which a determinant belongs to a flat cluster, which has no F. */
const FLAT = 1e-9
/** Newton steps of a cube root from 1; S_p stays near there. */
const ROOT_STEPS = 8

/** Moves S_p, in `S`, towards the present shape A, R; whether it has moved. `weights` and `shape` are of the cluster as it was made. */
export function creep(
  A: Float64Array,
  R: Float64Array,
  S: Float64Array,
  weights: readonly number[],
  shape: readonly number[],
): boolean {
  momentsOf(S, weights, shape)
  if (!invert(Q, I)) return false
  // Rᵀ A Q⁻¹ − 1, its symmetric half: what is left is rotation.
  multiply(A, I, Q)
  for (let r = 0; r < 3; r++) {
    for (let s = 0; s < 3; s++) {
      E[3 * r + s] = R[r] * Q[s] + R[3 + r] * Q[3 + s] + R[6 + r] * Q[6 + s] - (r === s ? 1 : 0)
    }
  }
  const xy = 0.5 * (E[1] + E[3])
  const xz = 0.5 * (E[2] + E[6])
  const yz = 0.5 * (E[5] + E[7])
  E[1] = E[3] = xy
  E[2] = E[6] = xz
  E[5] = E[7] = yz
  const strain = size(E)
  if (!(strain > FLOW[0]) || !(strain < Infinity)) return false
  const share = (FLOW[1] * (strain - FLOW[0])) / strain
  for (let k = 0; k < 9; k++) E[k] = share * E[k] + (k % 4 === 0 ? 1 : 0)
  multiply(E, S, T)
  const volume = determinant(T)
  if (!(volume > FLAT)) return false
  const root = cubeRoot(volume)
  for (let k = 0; k < 9; k++) T[k] = T[k] / root - (k % 4 === 0 ? 1 : 0)
  const bent = size(T)
  const kept = bent > FLOW[2] ? FLOW[2] / bent : 1
  for (let k = 0; k < 9; k++) S[k] = kept * T[k] + (k % 4 === 0 ? 1 : 0)
  return true
}

/** Σ w q qᵀ of q = S q⁰, into Q. */
function momentsOf(S: Float64Array, weights: readonly number[], shape: readonly number[]): void {
  Q.fill(0)
  for (let k = 0; k < weights.length; k++) {
    const x = shape[3 * k]
    const y = shape[3 * k + 1]
    const z = shape[3 * k + 2]
    const u = S[0] * x + S[1] * y + S[2] * z
    const v = S[3] * x + S[4] * y + S[5] * z
    const w = S[6] * x + S[7] * y + S[8] * z
    const m = weights[k]
    Q[0] += m * u * u
    Q[1] += m * u * v
    Q[2] += m * u * w
    Q[4] += m * v * v
    Q[5] += m * v * w
    Q[8] += m * w * w
  }
  Q[3] = Q[1]
  Q[6] = Q[2]
  Q[7] = Q[5]
}

function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let r = 0; r < 9; r += 3) {
    for (let s = 0; s < 3; s++) out[r + s] = a[r] * b[s] + a[r + 1] * b[3 + s] + a[r + 2] * b[6 + s]
  }
}

function determinant(m: Float64Array): number {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6])
}

function invert(m: Float64Array, out: Float64Array): boolean {
  const d = determinant(m)
  const trace = m[0] + m[4] + m[8]
  if (!(Math.abs(d) > FLAT * trace * trace * trace)) return false
  out[0] = (m[4] * m[8] - m[5] * m[7]) / d
  out[1] = (m[2] * m[7] - m[1] * m[8]) / d
  out[2] = (m[1] * m[5] - m[2] * m[4]) / d
  out[3] = (m[5] * m[6] - m[3] * m[8]) / d
  out[4] = (m[0] * m[8] - m[2] * m[6]) / d
  out[5] = (m[2] * m[3] - m[0] * m[5]) / d
  out[6] = (m[3] * m[7] - m[4] * m[6]) / d
  out[7] = (m[1] * m[6] - m[0] * m[7]) / d
  out[8] = (m[0] * m[4] - m[1] * m[3]) / d
  return true
}

function size(m: Float64Array): number {
  let squared = 0
  for (let k = 0; k < 9; k++) squared += m[k] * m[k]
  return Math.sqrt(squared)
}

/** Of a number above 0, by Newton's method: a step uses no other elementary function. */
function cubeRoot(x: number): number {
  let root = 1
  for (let k = 0; k < ROOT_STEPS; k++) root -= (root * root * root - x) / (3 * root * root)
  return root
}
