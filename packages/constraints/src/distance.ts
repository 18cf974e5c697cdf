/**
 * Distance between two points (Waterson 134).
 *
 *   c = ‖δp‖ − l [m],  δp = p_a − p_b
 *   ∂c/∂x_a = n̂, ∂c/∂θ_a = r_a × n̂, and the negatives at p_b for b,  n̂ = δp/‖δp‖
 *
 * `rigid` holds c = 0, `rope` c ≤ 0 (λ ≤ 0), `strut` c ≥ 0 (λ ≥ 0). Where both anchors are at the centres of mass, as in
 * cloth, nothing turns and a shorter loop runs. `lineDistance` solves such rows along lines.
 */

import type { ConstraintType } from '@tautline/core'
import { nonNegative, type ResolvedDef } from '@tautline/core/kernel'
import {
  lengthBetween,
  POINT_FIELDS,
  type PointDef,
  resolveAnchorsOrCentres,
  withoutPoint,
} from './parts/definition.js'
import { lengthMode, type LengthMode } from './parts/length-mode.js'
import {
  hasDirection,
  LENGTH_COLUMNS,
  lengthCurvature,
  type LengthColumn,
  lengthRow,
  lengthVariant,
  sweepLength,
  writeLength,
} from './parts/length-row.js'
import { isCentre, manyLengths } from './parts/many-lengths.js'
import { outlineLink } from './parts/outline.js'
import { keepsBetween } from './parts/momenta.js'

/** Two points at a distance. Without `point` and anchors it joins the centres of mass. */
export interface DistanceDef extends PointDef {
  /** Distance of the two points [m], >= 0. Rigid, and of 0, it is always swept: `ballSocket` holds points together. @defaultValue the present one */
  length?: number
  /** `rope` may be shorter, `strut` may be longer. @defaultValue 'rigid' */
  mode?: LengthMode
}

/** What `resolve` gives: what `write` reads is there. */
type ResolvedDistance = ResolvedDef<DistanceDef, 'anchorA' | 'anchorB' | 'length' | 'mode'>

/** Keeps two points at a distance: `world.add(distance, { a, b })`. */
export const distance: ConstraintType<DistanceDef, LengthColumn, ResolvedDistance> = {
  name: 'distance',
  order: 0,
  arity: 2,
  multipliers: 1,
  joint: true,
  isJoint: hasDirection,
  fields: [...POINT_FIELDS, 'length', 'mode'],
  columns: LENGTH_COLUMNS,

  many: {
    columns: { length: 'rest' },
    numbers(def, rows, { length }, bodies) {
      const isCentral = isCentre(def.anchorA) && isCentre(def.anchorB)
      // Points, and present distances of anchors, are another matter in each row.
      if (def.point !== undefined || (length === undefined && def.length === undefined && !isCentral)) return undefined
      return manyLengths(bodies, rows, length, def.length === undefined)
    },
  },

  resolve(def, { bodies }) {
    const anchors = resolveAnchorsOrCentres('distance', def, bodies)
    const mode = lengthMode('distance', def.mode ?? 'rigid')
    const length = nonNegative('distance: length', def.length ?? lengthBetween(bodies, def, anchors))
    return Object.assign(withoutPoint(def), anchors, { length, mode })
  },

  variant({ anchorA, anchorB }) {
    return lengthVariant(anchorA, anchorB)
  },

  write(batch, row, { length, mode, anchorA, anchorB }) {
    writeLength(batch, row, length, mode, anchorA, anchorB)
  },

  evaluate: lengthRow,

  curvature(_bodies, batch, row, out) {
    lengthCurvature(batch, row, out)
  },

  keepsMomenta: keepsBetween,
  outline: outlineLink,
  sweep: sweepLength,
}
