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
