/**
 * What an element pushes its corners with, as a whole: with c_d and c_h of `neo-hookean.ts`, and k = 1/(compliance + h² α),
 *
 *   P = k_d c_d ∂c_d/∂F + k_h c_h ∂c_h/∂F [J];   c_d ∂c_d/∂F = F + (J − 2) C,  ∂c_h/∂F = C, the cofactors of F
 *   force on corner k = −P b_k, b_k row k of B; on corner 0 minus the sum of the others'
 *
 * and what damps it, from F₀ at the start of the substep, γ = β/h,
 *
 *   P = γ (2 k_d (3/I) F S + k_h (J − J₀) C),   S = ½ (FᵀF − F₀ᵀF₀),  I = tr FᵀF
 *
 * A row is damped along its own gradient. As a whole all rates of strain are (Kelvin and Voigt), which at rest is γ times the matrix of linear elasticity: there c_d has
 * no gradient, and its row damps nothing. S and J − J₀ are 0 where an element turns, however far, and P Fᵀ is symmetric: no couple acts on what is free. What would
 * give energy, as both do by less than the square of a small turn, is left out. Where J < 0.2 the deviatoric error is another one (element.ts).
 */

import { C, CRUSHED, deform, F, JACOBIAN, P, shapeStress, SQUARED, STEP } from './element.js'

/** What `stressAt` finds: P, and the two errors. F and J are in `F` and `STEP`. */
export const STRESS: Float64Array = /* @__PURE__ */ new Float64Array(11)
export const SHAPE = 9
export const VOLUME = 10

/** F₀, S and F S of the element in hand. */
const START = /* @__PURE__ */ new Float64Array(9)
const S = /* @__PURE__ */ new Float64Array(9)
const DAMPING = /* @__PURE__ */ new Float64Array(9)

/** What `stressAt` is told of an element: k_d [J], k_h [J], γ. */
export const MATERIAL: Float64Array = /* @__PURE__ */ new Float64Array(3)

/** P of an element at the positions `x` into `STRESS`, without damping; `o` and `n` are its places in `ids`, and of B in `inverse`. c_d is found where it is asked for. */
export function stressAt(
  x: Float64Array,
  ids: Int32Array,
  o: number,
  inverse: Float64Array,
  n: number,
  isAsked: boolean,
): void {
  deform(x, ids, o, inverse, n)
  const kd = MATERIAL[0]
  const J = STEP[JACOBIAN]
  STRESS[VOLUME] = J - 1
  if (isAsked || J < CRUSHED) {
    shapeStress()
    STRESS[SHAPE] = STEP[SQUARED] > 0 ? Math.sqrt(STEP[SQUARED]) : 0
    const kh = MATERIAL[1] * (J - 1)
    for (let k = 0; k < 9; k++) STRESS[k] = kd * P[k] + kh * C[k]
    return
  }
  // Of both: k_d F + (k_d (J − 2) + k_h (J − 1)) C.
  const both = kd * (J - 2) + MATERIAL[1] * (J - 1)
  for (let k = 0; k < 9; k++) STRESS[k] = kd * F[k] + both * C[k]
}

/** Adds what damps an element, since `y`, after `stressAt`. */
export function addDamping(y: Float64Array, ids: Int32Array, o: number, inverse: Float64Array, n: number): void {
  const p = 4 * ids[o]
  const q = 4 * ids[o + 1]
  const r = 4 * ids[o + 2]
  const s = 4 * ids[o + 3]
  for (let k = 0; k < 3; k++) {
    const a = y[q + k] - y[p + k]
    const b = y[r + k] - y[p + k]
    const c = y[s + k] - y[p + k]
    for (let l = 0; l < 3; l++) {
      START[3 * k + l] = a * inverse[n + l] + b * inverse[n + 3 + l] + c * inverse[n + 6 + l]
    }
  }
  for (let k = 0; k < 3; k++) {
    for (let l = k; l < 3; l++) {
      S[3 * k + l] = S[3 * l + k] =
        0.5 *
        (F[k] * F[l] +
          F[3 + k] * F[3 + l] +
          F[6 + k] * F[6 + l] -
          (START[k] * START[l] + START[3 + k] * START[3 + l] + START[6 + k] * START[6 + l]))
    }
  }
  let squared = 0
  let along = 0
  for (let k = 0; k < 9; k += 3) {
    for (let l = 0; l < 3; l++) {
      const p = F[k] * S[l] + F[k + 1] * S[3 + l] + F[k + 2] * S[6 + l]
      DAMPING[k + l] = p
      along += p * (F[k + l] - START[k + l])
      squared += F[k + l] * F[k + l]
    }
  }
  const shape = along > 0 ? (6 * MATERIAL[2] * MATERIAL[0]) / squared : 0
  for (let k = 0; k < 9; k++) STRESS[k] += shape * DAMPING[k]
  let widening = 0
  for (let k = 0; k < 9; k++) widening += C[k] * (F[k] - START[k])
  const change = STEP[JACOBIAN] - startJacobian()
  const volume = change * widening > 0 ? MATERIAL[2] * MATERIAL[1] * change : 0
  for (let k = 0; k < 9; k++) STRESS[k] += volume * C[k]
}

/** J₀ of `START`. */
function startJacobian(): number {
  return (
    START[0] * (START[4] * START[8] - START[5] * START[7]) +
    START[1] * (START[5] * START[6] - START[3] * START[8]) +
    START[2] * (START[3] * START[7] - START[4] * START[6])
  )
}
