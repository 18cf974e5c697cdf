/** The spin of a rigid body of given inertia and angular momentum. */

/** Below this share of the trace a determinant belongs to bodies in a line: Ω along it is nothing. */
const FLAT = 1e-12
/** Share of that on the diagonal, where it is so. */
const RIDGE = 1e3

/** Ω = I⁻¹ L by cofactors of the upper triangle of I, row-major; of what lies in a line, or one point, the least Ω. `L` may be `out`. */
export function solveSpin(I: Float64Array, L: Float64Array, at: number, out: Float64Array, to: number): void {
  const a = I[0]
  const b = I[1]
  const c = I[2]
  const e = I[4]
  const f = I[5]
  const i = I[8]
  const determinant = a * (e * i - f * f) + b * (c * f - b * i) + c * (b * f - c * e)
  const trace = a + e + i
  const ridge = FLAT * trace
  if (determinant > ridge * trace * trace) {
    solveWith(a, b, c, e, f, i, L, at, out, to)
    return
  }
  if (!(ridge > 0)) {
    out[to] = out[to + 1] = out[to + 2] = 0
    return
  }
  // A trace on the diagonal picks the least, and what it takes from the rest is asked for once more.
  const share = RIDGE * ridge
  for (let k = 0; k < 3; k++) left[k] = L[at + k]
  solveWith(a + share, b, c, e + share, f, i + share, left, 0, first, 0)
  left[0] -= a * first[0] + b * first[1] + c * first[2]
  left[1] -= b * first[0] + e * first[1] + f * first[2]
  left[2] -= c * first[0] + f * first[1] + i * first[2]
  solveWith(a + share, b, c, e + share, f, i + share, left, 0, out, to)
  for (let k = 0; k < 3; k++) out[to + k] += first[k]
}

const left = /* @__PURE__ */ new Float64Array(3)
const first = /* @__PURE__ */ new Float64Array(3)

function solveWith(
  a: number,
  b: number,
  c: number,
  e: number,
  f: number,
  i: number,
  L: Float64Array,
  at: number,
  out: Float64Array,
  to: number,
): void {
  const A = e * i - f * f
  const B = c * f - b * i
  const C = b * f - c * e
  const s = 1 / (a * A + b * B + c * C)
  const x = L[at]
  const y = L[at + 1]
  const z = L[at + 2]
  out[to] = s * (A * x + B * y + C * z)
  out[to + 1] = s * (B * x + (a * i - c * c) * y + (b * c - a * f) * z)
  out[to + 2] = s * (C * x + (b * c - a * f) * y + (a * e - b * b) * z)
}
