/**
 * Tether (long-range attachment): a particle may not go farther from an anchor than the material between them reaches.
 *
 *   c = ‖x_a − p_b‖ − l (1 + stretch) ≤ 0 [m], λ ≤ 0
 *   ∂c/∂x_a = n̂, ∂c/∂x_b = −n̂, ∂c/∂θ_b = −r_b × n̂
 *
 * Source: Kim, Chentanez and Müller-Fischer, "Long range attachments" (2012). Departure: they project the particle alone,
 * after the solve; here it is a row like any other, run last in the sweep, so the anchor's body feels the pull, and linear
 * and angular momentum are kept. On a static anchor the two are the same.
 */

import type { Body, ConstraintType, PairDef } from '@tautline/core'
import { finiteVector, nonNegative, type ResolvedDef } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { pairRows, anchorAt, pointInWorld, triple, withoutPoint } from './parts/definition.js'
import {
  LENGTH_COLUMNS,
  type LengthColumn,
  lengthRow,
  lengthVariant,
  sweepLength,
  writeLength,
} from './parts/length-row.js'
import { isCentre, manyLengths } from './parts/many-lengths.js'
import { outlineLink } from './parts/outline.js'
import { keepsBetween } from './parts/momenta.js'

/** A tether from a body's centre to an anchor. */
export interface TetherDef extends PairDef {
  /** What is tethered, at its centre. */
  a: Body
  /** What carries the anchor; `null` is the world. @defaultValue null */
  b?: Body | null
  /** World point [m] of the anchor at the present pose; wins over `anchorB`. @defaultValue none */
  point?: ReadonlyVec3
  /** Body-space anchor on `b` [m]; world space, and needed, where `b` is `null`. @defaultValue b's centre */
  anchorB?: ReadonlyVec3
  /** How far it may go [m]; on cloth the distance along the cloth. @defaultValue the present distance */
  length?: number
  /** Share of the length that it may stretch beyond it. @defaultValue 0 */
  stretch?: number
}

const CENTRE = [0, 0, 0]

/** What `resolve` gives: what `write` reads is there. */
type ResolvedTether = ResolvedDef<TetherDef, 'anchorB' | 'length' | 'stretch'>

/** Tethers a particle to an anchor: `world.add(tether, { a: particle, b: hook })`. */
export const tether: ConstraintType<TetherDef, LengthColumn, ResolvedTether> = {
  name: 'tether',
  order: 3,
  arity: 2,
  multipliers: 1,
  fields: ['a', 'b', 'point', 'anchorB', 'length', 'stretch'],
  columns: LENGTH_COLUMNS,

  many: {
    columns: { length: 'rest' },
    numbers({ point, anchorB, stretch = 0, length: shared }, rows, { length }, bodies) {
      const isMeasured = length === undefined && shared === undefined && !isCentre(anchorB)
      // What stretches has another reach than its length, and points and present distances of anchors are another matter in each row.
      if (point !== undefined || stretch !== 0 || isMeasured) return undefined
      for (let k = 0; k < rows.length; k += 2) {
        if (rows[k] === 0 || (rows[k + 1] === 0 && anchorB === undefined)) return undefined
      }
      return manyLengths(bodies, rows, length, shared === undefined)
    },
  },

  resolve(def, { bodies }) {
    const { point } = def
    const [a, b] = pairRows(def)
    if (a === 0) throw new TypeError('tether: a must be a body, got null')
    if (b === 0 && point === undefined && def.anchorB === undefined) {
      throw new TypeError('tether: point or anchorB must be given where b is null, got none')
    }
    const anchorB =
      point === undefined
        ? triple(finiteVector('tether: anchorB', def.anchorB ?? CENTRE, 3))
        : anchorAt('tether: point', bodies, b, point)
    const p = pointInWorld(bodies, b, anchorB)
    const [x, y, z] = [0, 1, 2].map((k) => bodies.position[4 * a + k] - p[k])
    const length = nonNegative('tether: length', def.length ?? Math.sqrt(x * x + y * y + z * z))
    return Object.assign(withoutPoint(def), {
      anchorB,
      length,
      stretch: nonNegative('tether: stretch', def.stretch ?? 0),
    })
  },

  variant({ anchorB }) {
    return lengthVariant(CENTRE, anchorB)
  },

  write(batch, row, { length, stretch, anchorB }) {
    const reach = length * (1 + stretch)
    writeLength(batch, row, reach, 'rope', CENTRE, anchorB)
  },

  evaluate: lengthRow,
  keepsMomenta: keepsBetween,
  outline: outlineLink,
  loop: {
    sweep: sweepLength,
  },
}

/** @deprecated The name is `tether`; this one goes with the next version. */
export const longRange: typeof tether = tether

/** @deprecated The name is `TetherDef`; this one goes with the next version. */
export type LongRangeDef = TetherDef
