/**
 * Fixed joint: neither point nor orientation of b moves against a.
 *
 *   c = δp [m], multipliers 0–2 (Waterson 60–73);  c = φ [rad], multipliers 3–5
 *   φ: the rotation vector of (q_a f) q̄_b, f = q̄_a q_b when made;  ∂‖φ‖/∂θ = φ̂ on a, −φ̂ on b
 *
 * Not in the paper. Both are 3×3 blocks.
 */

import { type ConstraintType } from '@tautline/core'
import { compose, type ResolvedDef } from '@tautline/core/kernel'
import { articulateOrientation, articulatePoint } from './parts/articulate.js'
import { FRAMES } from './parts/frames.js'
import { POINT_FIELDS } from './parts/definition.js'
import type { PointDef } from './parts/definition.js'
import {
  ANGULAR_COLUMNS,
  type AngularDef,
  type ReferenceDef,
  requireInertia,
  resolveAnchorsOrCentre,
  resolveAngular,
  resolveReference,
  writeAngular,
  ANGULAR_FIELDS,
} from './parts/joint-definition.js'
import { LEVERS } from './parts/levers.js'
import { heldOrientationRows, holdOrientation, referred } from './parts/orientation.js'
import { OUTLINE, outlineAnchors, POINT_A, POINT_B } from './parts/outline.js'
import { PIVOT, pivotAt } from './parts/pivot.js'
import { pointCurvature, pointRows, solvePoint } from './parts/point.js'
import { keepsRotating } from './parts/momenta.js'

/** Two bodies as one. Without `point` and anchors they are joined at the centre of mass of `a`, or of `b`. */
export interface FixedDef extends PointDef, AngularDef, ReferenceDef {}

type Column = 'anchorA' | 'anchorB' | 'reference' | keyof typeof ANGULAR_COLUMNS

const MULTIPLIERS = 6

const g = /* @__PURE__ */ new Float64Array(LEVERS)
const pivot = /* @__PURE__ */ new Float64Array(PIVOT)
const F = /* @__PURE__ */ new Float64Array(FRAMES)
const q = /* @__PURE__ */ new Float64Array(4)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedFixed = ResolvedDef<FixedDef, 'anchorA' | 'anchorB' | 'reference'>

/** Joins two bodies as they stand: `world.add(fixed, { a, b })`. */
export const fixed: ConstraintType<FixedDef, Column, ResolvedFixed> = {
  name: 'fixed',
  order: 0,
  arity: 2,
  multipliers: MULTIPLIERS,
  joint: {
    curvature(_bodies, batch, row, out) {
      const { lambda } = batch.columns
      const l = MULTIPLIERS * row
      pointCurvature(lambda, l, out)
      out.couple(lambda, l + 3)
    },
    articulate(bodies, batch, row, out) {
      const { reference, angularCompliance } = batch.columns
      if (angularCompliance[row] !== 0 || !articulatePoint(bodies, batch, row, out)) return false
      referred(bodies, batch.ids[2 * row], batch.ids[2 * row + 1], reference, row, F)
      articulateOrientation(out, F, 3)
      return true
    },
  },
  fields: [...POINT_FIELDS, ...ANGULAR_FIELDS],
  columns: { anchorA: 3, anchorB: 3, reference: 4, ...ANGULAR_COLUMNS },

  resolve(def, { bodies, exists }) {
    const { point: _point, ...rest } = def
    if (exists !== true) requireInertia('fixed', def)
    return {
      ...rest,
      ...resolveAnchorsOrCentre('fixed', def, bodies),
      ...resolveAngular('fixed', def),
      reference: resolveReference('fixed', def, bodies),
    }
  },

  write({ columns }, row, def) {
    columns.anchorA.set(def.anchorA, 3 * row)
    columns.anchorB.set(def.anchorB, 3 * row)
    columns.reference.set(def.reference, 4 * row)
    writeAngular(columns, row, def)
  },

  evaluate(bodies, batch, row, out) {
    pointRows(bodies, batch, row, out, true)
    heldOrientationRows(bodies, batch.ids[2 * row], batch.ids[2 * row + 1], batch.columns, row, out, 3, true)
  },

  keepsMomenta: keepsRotating,
  outline(bodies, batch, row, out) {
    const { ids, columns } = batch
    outlineAnchors(bodies, batch, row, out)
    compose(bodies.orientation, 4 * ids[2 * row], columns.reference, 4 * row, q, 0)
    out.frame(OUTLINE, POINT_A, q, 0)
    out.frame(OUTLINE, POINT_B, bodies.orientation, 4 * ids[2 * row + 1])
  },
  loop: {
    sweep(bodies, batch, from, to, h) {
      const { ids, columns } = batch
      for (let row = from; row < to; row++) {
        const a = ids[2 * row]
        const b = ids[2 * row + 1]
        const l = MULTIPLIERS * row
        solvePoint(bodies, a, b, columns, row, l, g)
        holdOrientation(bodies, a, b, pivotAt(bodies, a, b, g, l, pivot), columns, row, l + 3, h)
      }
    },
  },
}
