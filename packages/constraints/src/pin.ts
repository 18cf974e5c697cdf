/**
 * A particle that a body carries, at a point of it: cloth on a crate, on a figure, on a swing.
 *
 *   c = x_a − p_b [m],  p_b = x_b + R_b r;  κ = −K⁻¹ c as of a ball joint (Waterson 64, 71)
 *
 * What hangs on the particle feels the body: while rows of particles are swept, each pin has its share of the body with it (parts/pin-solver.ts).
 */

import type { Body, ConstraintType, PairDef } from '@tautline/core'
import { finiteVector, LENT, type ResolvedDef } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import { pairRows, pointInBody } from './parts/definition.js'
import { LEVERS } from './parts/levers.js'
import { keepsBetween } from './parts/momenta.js'
import { outlineAnchors } from './parts/outline.js'
import { PinSolver } from './parts/pin-solver.js'
import { pointRows, solvePoint } from './parts/point.js'

/** A particle, or the centre of a body, and a point of another body, or of the world. */
export interface PinDef extends PairDef {
  /** The particle that is carried. Of a body that turns its centre is, and it turns about that freely. */
  a: Body
  /** Where on `b`, in its space [m]; world space where `b` is `null`. @defaultValue where `a` is */
  anchorB?: ReadonlyVec3
}

type Column = 'anchorA' | 'anchorB'

const g = /* @__PURE__ */ new Float64Array(LEVERS)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedPin = ResolvedDef<PinDef, 'anchorB'>

const NAME = 'pin'

function pins(): PinSolver {
  return new PinSolver(NAME)
}

/**
 * Has a body carry a particle: `world.add(pin, { a: particle, b: crate })`. As a `ballSocket` it holds the two together and both feel it; in cloth, rows beside it find
 * the particle as heavy as what carries it.
 */
export const pin: ConstraintType<PinDef, Column, ResolvedPin> = {
  name: NAME,
  order: 0,
  arity: 2,
  multipliers: 3,
  blockSolver: pins,
  fields: ['a', 'b', 'anchorB'],
  columns: { anchorA: 3, anchorB: 3 },

  resolve(def, { bodies }) {
    const [a, b] = pairRows(def)
    if (a === 0) throw new TypeError('pin: a must be a body, got null')
    const x = bodies.position.subarray(4 * a, 4 * a + 3)
    const anchorB = def.anchorB === undefined ? pointInBody(bodies, b, x) : finiteVector('pin: anchorB', def.anchorB, 3)
    return { ...def, anchorB: [anchorB[0], anchorB[1], anchorB[2]] }
  },

  write({ columns }, row, def) {
    columns.anchorA.fill(0, 3 * row, 3 * row + 3)
    columns.anchorB.set(def.anchorB, 3 * row)
  },

  evaluate(bodies, batch, row, out) {
    pointRows(bodies, batch, row, out, true)
  },

  keepsMomenta: keepsBetween,
  outline: outlineAnchors,
  loop: {
    sweep(bodies, batch, from, to) {
      const { ids, columns } = batch
      for (let row = from; row < to; row++) {
        // Met by its block solver when the particle has given back its share of the body.
        if ((bodies.flags[ids[2 * row]] & LENT) === 0)
          solvePoint(bodies, ids[2 * row], ids[2 * row + 1], columns, row, 3 * row, g)
      }
    },
  },
}
