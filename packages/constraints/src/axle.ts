/**
 * Axle (Waterson 80–87): an axis of a parallel to an axis of b, free to turn about it and to move.
 *
 *   c = −φ ŵ [rad] on the two directions ⊥ n_a,  φ = atan2(‖n_a × n_b‖, n_a·n_b),  ŵ = n_a × n_b/‖n_a × n_b‖
 *   ∂‖c‖/∂θ_a = −ŵ, ∂‖c‖/∂θ_b = +ŵ: the signs of (81) and (85) are reversed in print, and asin (80) folds at 90°
 *
 * Where the axes oppose each other any ŵ ⊥ n_a will do. Solved as a 2×2 block (parts/plane.ts).
 */

import { type ConstraintType } from '@tautline/core'
import { type ResolvedDef } from '@tautline/core/kernel'
import { ALIGNMENT, alignmentCurvature, alignmentRows, measureAlignment, solveAlignment } from './parts/alignment.js'
import { freely } from './parts/pivot.js'
import { STEP } from './parts/vector.js'
import { type AxisDef, resolveAxes, AXIS_FIELDS } from './parts/definition.js'
import { FRAMES, jointFrames } from './parts/frames.js'
import { frameAlong, requireInertia } from './parts/joint-definition.js'
import { AT_REST } from './parts/orientation.js'
import { outlineAlignment } from './parts/outline.js'
import { RADIUS, RELAXATION, ROW_DAMPING, ROW_SOFTNESS, ROW_STIFFNESS } from './parts/registers.js'
import { keepsRotating } from './parts/momenta.js'

/** Two axes held parallel. `compliance` and `damping` are [rad/(N m)] and [N m s/rad]. */
export type AxleDef = AxisDef

type Column = 'frameA' | 'frameB'

const F = /* @__PURE__ */ new Float64Array(FRAMES)
const A = /* @__PURE__ */ new Float64Array(ALIGNMENT)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedAxle = ResolvedDef<AxleDef, 'axisA' | 'axisB'>

/** Holds two axes parallel: `world.add(axle, { a, b, axis })`. */
export const axle: ConstraintType<AxleDef, Column, ResolvedAxle> = {
  name: 'axle',
  order: 0,
  arity: 2,
  multipliers: 2,
  joint: true,
  fields: AXIS_FIELDS,
  columns: { frameA: 4, frameB: 4 },

  resolve(def, { bodies, exists }) {
    const { axis: _axis, ...rest } = def
    if (exists !== true) requireInertia('axle', def)
    return { ...rest, ...resolveAxes('axle', def, bodies) }
  },

  write({ columns }, row, def) {
    columns.frameA.set(frameAlong(def.axisA), 4 * row)
    columns.frameB.set(frameAlong(def.axisB), 4 * row)
  },

  evaluate(bodies, batch, row, out) {
    const { frameA, frameB, compliance, rayleigh } = batch.columns
    jointFrames(bodies, batch.ids[2 * row], batch.ids[2 * row + 1], frameA, frameB, row, F)
    measureAlignment(F, A)
    const group = alignmentRows(out, A, 0, 'position', AT_REST, out.isExact(compliance, rayleigh, row))
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
  },

  curvature(_bodies, batch, row, out) {
    alignmentCurvature(A, batch.columns.lambda, 2 * row, out)
  },

  keepsMomenta: keepsRotating,
  outline: outlineAlignment,

  sweep(bodies, batch, from, to, h) {
    const { ids } = batch
    const { frameA, frameB, lambda, softness, gamma, relaxation } = batch.columns
    for (let row = from; row < to; row++) {
      const a = ids[2 * row]
      const b = ids[2 * row + 1]
      jointFrames(bodies, a, b, frameA, frameB, row, F)
      measureAlignment(F, A)
      STEP[ROW_STIFFNESS] = 1
      STEP[ROW_DAMPING] = gamma[row]
      STEP[ROW_SOFTNESS] = softness[row]
      STEP[RELAXATION] = relaxation[row]
      STEP[RADIUS] = Infinity
      solveAlignment(bodies, a, b, freely(bodies, a, b), A, lambda, 2 * row, AT_REST, h)
    }
  },
}
