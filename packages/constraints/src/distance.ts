/**
 * Distance between two points (Waterson 134).
 *
 *   c = ‖δp‖ − l [m],  δp = p_a − p_b
 *   ∂c/∂x_a = n̂, ∂c/∂θ_a = r_a × n̂, and the negatives at p_b for b,  n̂ = δp/‖δp‖
 *
 * `rigid` holds c = 0, `rope` c ≤ 0 (λ ≤ 0), `strut` c ≥ 0 (λ ≥ 0). Where both anchors are at the centres of mass, as in
 * cloth, nothing turns and a shorter loop runs. With `solver: 'lines'` such rows are covered by paths and solved path by path.
 */

import type { ConstraintType } from '@tautline/core'
import { direct, finiteVector, nonNegative } from '@tautline/core'
import type { ReadonlyVec3 } from 'gl-matrix'
import { pairRows, type PointDef, pointInWorld, resolveAnchors, POINT_FIELDS } from './parts/definition.js'
import { lengthMode, type LengthMode } from './parts/length-mode.js'
import { coverByLines } from './parts/line-cover.js'
import { prepareLines, sweepLines } from './parts/lines.js'
import {
  LENGTH_COLUMNS,
  lengthCurvature,
  type LengthColumn,
  lengthRow,
  lengthVariant,
  sweepLength,
  writeLength,
} from './parts/length-row.js'

/** Two points at a distance. Without `point` and anchors it joins the centres of mass. */
export interface DistanceDef extends PointDef {
  /** Distance of the two points [m], >= 0. @defaultValue the present one */
  length?: number
  /** `rope` may be shorter, `strut` may be longer. @defaultValue 'rigid' */
  mode?: LengthMode
  /**
   * With `solver: 'lines'`: which way the row runs from `b` to `a`, of any length; rows that go on nearly straight are solved
   * together. @defaultValue the present way
   */
  direction?: ReadonlyVec3
}

/** Variant of the rows that are solved by lines; the others are those of `lengthVariant`. */
const LINES = 2

/** Keeps two points at a distance: `world.add(distance, { a, b })`. */
export const distance: ConstraintType<DistanceDef, LengthColumn> = {
  name: 'distance',
  order: 0,
  arity: 2,
  multipliers: 1,
  joint: direct,
  fields: [...POINT_FIELDS, 'length', 'mode', 'direction'],
  columns: LENGTH_COLUMNS,

  resolve(def, { bodies }) {
    const { point: _point, ...rest } = def
    const [a, b] = pairRows(def)
    const centres = { anchorA: def.anchorA ?? [0, 0, 0], anchorB: def.anchorB ?? [0, 0, 0] }
    const anchors = resolveAnchors('distance', def.point === undefined ? { ...def, ...centres } : def, bodies)
    const mode = lengthMode('distance', def.mode ?? 'rigid')
    const p = pointInWorld(bodies, a, anchors.anchorA)
    const q = pointInWorld(bodies, b, anchors.anchorB)
    const [x, y, z] = [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
    const length = nonNegative('distance: length', def.length ?? Math.sqrt(x * x + y * y + z * z))
    if (def.solver !== 'lines') {
      if (def.direction === undefined) return { ...rest, ...anchors, length, mode }
      throw new TypeError(`distance: direction must go with solver lines, got it with ${def.solver ?? 'none'}`)
    }
    for (const [name, anchor] of Object.entries(anchors)) {
      if (anchor.every((value) => value === 0)) continue
      throw new RangeError(`distance: ${name} must be at the centre of mass with solver lines, got ${anchor.join()}`)
    }
    const direction = def.direction === undefined ? [x, y, z] : finiteVector('distance: direction', def.direction, 3)
    return { ...rest, ...anchors, length, mode, direction: Array.from(direction) as [number, number, number] }
  },

  variant({ anchorA, anchorB, solver }) {
    return solver === 'lines' ? LINES : lengthVariant(anchorA as number[], anchorB as number[])
  },

  ownsWarmStart(variant) {
    return variant === LINES
  },

  arrange(bodies, batch, rows, colour) {
    if (batch.variant !== LINES) return false
    coverByLines(bodies, batch, rows, colour)
    return true
  },

  write(batch, row, { length, mode, anchorA, anchorB }) {
    writeLength(batch, row, length as number, mode as LengthMode, anchorA as number[], anchorB as number[])
  },

  evaluate: lengthRow,

  curvature(_bodies, batch, row, out) {
    lengthCurvature(batch, row, out)
  },

  prepare(_bodies, batch, from, to) {
    // Rows that trees have taken come last, and keep their λ.
    if (batch.variant === LINES) prepareLines(batch, from, Math.min(to, batch.swept))
  },

  sweep(bodies, batch, from, to) {
    if (batch.variant === LINES) sweepLines(bodies, batch, from, to)
    else sweepLength(bodies, batch, from, to)
  },
}
