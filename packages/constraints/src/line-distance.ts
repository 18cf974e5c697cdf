/**
 * Distance between two centres of mass (Waterson 134 with both anchors at the centre), solved with its neighbours by line relaxation:
 *
 *   c = ‖δp‖ − l [m],  δp = x_a − x_b,  ∂c/∂x_a = n̂, ∂c/∂x_b = −n̂
 *
 * Rows that go on nearly straight make a line (parts/line-cover.ts); the rows of a line form a tridiagonal system, which is solved at once
 * (parts/lines.ts). Threads of cloth, nets and ropes of particles hardly stretch by it.
 */

import type { ConstraintType, PairDef } from '@tautline/core'
import { type BodyColumns, finiteVector, nonNegative, type ResolvedDef } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { pairRows, pointInWorld } from './parts/definition.js'
import { lengthMode, type LengthMode } from './parts/length-mode.js'
import {
  hasDirection,
  LENGTH_COLUMNS,
  lengthCurvature,
  type LengthColumn,
  lengthRow,
  writeLength,
} from './parts/length-row.js'
import { coverByLines } from './parts/line-cover.js'
import { prepareLines, sweepLines } from './parts/lines.js'
import { manyLengths } from './parts/many-lengths.js'
import { outlineLink } from './parts/outline.js'
import { keepsAll } from './parts/momenta.js'

/** Two centres of mass at a distance, solved along lines. */
export interface LineDistanceDef extends PairDef {
  /** Distance of the two centres [m], >= 0. @defaultValue the present one */
  length?: number
  /** `rope` may be shorter, `strut` may be longer. @defaultValue 'rigid' */
  mode?: LengthMode
  /** Which way the row runs from `b` to `a`, of any length: rows that go on nearly straight make a line. @defaultValue the present way */
  direction?: ReadonlyVec3
}

const CENTRE = [0, 0, 0] as const

/** What `resolve` gives: what `write` reads is there. */
type ResolvedLineDistance = ResolvedDef<LineDistanceDef, 'length' | 'mode'>

/**
 * Keeps the centres of mass of two bodies at a distance, all rows of a thread at once: `world.add(lineDistance, { a, b })`. With
 * `solver: 'direct'`, and where a body that turns hangs on its line, it is solved with the joints instead.
 */
export const lineDistance: ConstraintType<LineDistanceDef, LengthColumn, ResolvedLineDistance> = {
  name: 'lineDistance',
  order: 0,
  arity: 2,
  multipliers: 1,
  joint: true,
  isJoint: hasDirection,
  warmStart: 'own',
  fields: ['a', 'b', 'length', 'mode', 'direction'],
  columns: LENGTH_COLUMNS,

  many: {
    columns: { length: 'rest' },
    numbers(def, rows, { length }, bodies) {
      const lengths = manyLengths(bodies, rows, length, def.length === undefined)
      if (lengths === undefined || def.direction !== undefined) return lengths
      return { ...lengths, fields: { ...lengths.fields, direction: ways(bodies, rows) } }
    },
  },

  resolve(def, { bodies }) {
    const [a, b] = pairRows(def)
    const mode = lengthMode('lineDistance', def.mode ?? 'rigid')
    const p = pointInWorld(bodies, a, CENTRE)
    const q = pointInWorld(bodies, b, CENTRE)
    const [x, y, z] = [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
    const length = nonNegative('lineDistance: length', def.length ?? Math.sqrt(x * x + y * y + z * z))
    const direction =
      def.direction === undefined ? [x, y, z] : finiteVector('lineDistance: direction', def.direction, 3)
    return Object.assign({}, def, { length, mode, direction: Array.from(direction) as [number, number, number] })
  },

  arrange: coverByLines,

  write(batch, row, { length, mode }) {
    writeLength(batch, row, length, mode, CENTRE, CENTRE)
  },

  evaluate: lengthRow,

  curvature(_bodies, batch, row, out) {
    lengthCurvature(batch, row, out)
  },

  prepare(_bodies, batch, from, to) {
    // Rows that trees have taken come last, and keep their λ.
    prepareLines(batch, from, Math.min(to, batch.swept))
  },

  keepsMomenta: keepsAll,
  outline: outlineLink,
  sweep: sweepLines,
}

/** Which way rows on pairs of bodies run, from the second body to the first. */
function ways({ position: x }: BodyColumns, pairs: Int32Array): Float64Array {
  const out = new Float64Array((3 * pairs.length) / 2)
  for (let row = 0; 2 * row < pairs.length; row++) {
    const p = 4 * pairs[2 * row]
    const q = 4 * pairs[2 * row + 1]
    // A sum with 0 is never −0, as where points of bodies are.
    for (let k = 0; k < 3; k++) out[3 * row + k] = x[p + k] + 0 - (x[q + k] + 0)
  }
  return out
}
