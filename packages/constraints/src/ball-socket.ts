/**
 * Ball and socket (Waterson 60–73): two anchors at one point, free to turn.
 *
 *   c = δp = p_a − p_b [m]
 *   scalar form (61): along the present error, κ = −μ δp, μ = (δp̂ᵀ K δp̂)⁻¹;
 *   block form (71): κ = −K⁻¹ δp, K the 3×3 inverse effective mass (64).
 *
 * Both apply ±κ at the midpoint of the anchors, where the printed (70) keeps angular momentum only for κ ∥ δp.
 */

import { type ConstraintType } from '@tautline/core'
import { type ResolvedDef, shown } from '@tautline/core/kernel'
import { articulatePoint } from './parts/articulate.js'
import { POINT_FIELDS, type PointDef, resolveAnchors, withoutPoint } from './parts/definition.js'
import { LEVERS } from './parts/levers.js'
import { outlineAnchors } from './parts/outline.js'
import { pointCurvature, pointRows, solvePoint, solvePointAlong } from './parts/point.js'
import { keepsBetween } from './parts/momenta.js'

/** Two bodies joined at a point. */
export interface BallSocketDef extends PointDef {
  /** `scalar` is the paper's (61), `block` solves the three directions together. @defaultValue 'block' */
  form?: 'scalar' | 'block'
}

type Column = 'anchorA' | 'anchorB'

const SCALAR = 0
const BLOCK = 1

const g = /* @__PURE__ */ new Float64Array(LEVERS)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedBallSocket = ResolvedDef<BallSocketDef, 'anchorA' | 'anchorB'>

/**
 * Joins two bodies at a point: `world.add(ballSocket, { a, b, point })`.
 *
 * A `World` solves it as part of a joint tree by default (it has `joint`; core, direct/direct.ts), from `evaluate` and `curvature`. `sweep` runs where the
 * definition or the world says `solver: 'sweep'`, and in a `LeanWorld` without `jointTrees`.
 */
export const ballSocket: ConstraintType<BallSocketDef, Column, ResolvedBallSocket> = {
  name: 'ballSocket',
  order: 0,
  arity: 2,
  multipliers: 3,
  joint: {
    curvature(_bodies, batch, row, out) {
      pointCurvature(batch.columns.lambda, 3 * row, out)
    },
    articulate(bodies, batch, row, out) {
      return batch.variant === BLOCK && articulatePoint(bodies, batch, row, out)
    },
  },
  fields: [...POINT_FIELDS, 'form'],
  columns: { anchorA: 3, anchorB: 3 },

  resolve(def, { bodies }) {
    const form = def.form ?? 'block'
    if (form !== 'scalar' && form !== 'block') {
      throw new TypeError(`ballSocket: form must be scalar or block, got ${shown(form)}`)
    }
    return Object.assign(withoutPoint(def), resolveAnchors('ballSocket', def, bodies), { form })
  },

  variant({ form }) {
    return form === 'scalar' ? SCALAR : BLOCK
  },

  write({ columns }, row, def) {
    columns.anchorA.set(def.anchorA, 3 * row)
    columns.anchorB.set(def.anchorB, 3 * row)
  },

  evaluate(bodies, batch, row, out) {
    pointRows(bodies, batch, row, out, batch.variant === BLOCK)
  },

  keepsMomenta: keepsBetween,
  outline: outlineAnchors,
  loop: {
    sweep(bodies, batch, from, to) {
      const { ids, columns, variant } = batch
      for (let row = from; row < to; row++) {
        if (variant === BLOCK) solvePoint(bodies, ids[2 * row], ids[2 * row + 1], columns, row, 3 * row, g)
        else solvePointAlong(bodies, ids[2 * row], ids[2 * row + 1], columns, row, 3 * row, g)
      }
    },
  },
}
