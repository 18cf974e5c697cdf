/**
 * Spring and damper (Waterson 108–127).
 *
 *   length 0   f = −k δp − ν dδp/dt on a at p_a, −f on b at p_b: the vector form (123), all directions together
 *   length l   f = −(k (‖δp‖ − l) + ν d‖δp‖/dt) δp̂: along the line only, as a coil-over is built
 *
 * with δp = p_a − p_b; the printed (109) is reversed. λ accumulates the spring's own impulse, λ = h² f at the fixed point:
 *   Δλ = −ξ (1 + (k h² + ν h) K)⁻¹ (k h² c + ν h δ + λ)
 * The force form: k = 0 is a pure damper. ±f acts at the midpoint of the anchors, which keeps angular momentum.
 */

import type { ConstraintType } from '@tautline/core'
import type { BodyColumns, Columns, CommonColumn, ResolvedDef } from '@tautline/core/kernel'
import { nonNegative } from '@tautline/core/kernel'
import {
  lengthBetween,
  POINT_FIELDS,
  type PointDef,
  resolveAnchorsOrCentres,
  withoutPoint,
} from './parts/definition.js'
import { isThrough, levers, LEVERS, meetHalfway, TOO_SHORT } from './parts/levers.js'
import { displacePair, movedPair, pairInverseMass } from './parts/linear.js'
import { outlineLink } from './parts/outline.js'
import { solveLinearBlock, STEP } from './parts/vector.js'
import { ERROR, RELAXATION, ROW_DAMPING, ROW_SOFTNESS, ROW_STIFFNESS } from './parts/registers.js'
import { keepsBetween } from './parts/momenta.js'

/** A spring between two points. Without `point` and anchors it joins the centres of mass. */
export interface SpringDef extends PointDef {
  /** Rest length [m]; 0 acts in all directions, more along the line only. @defaultValue the present distance */
  length?: number
  /** Stiffness k [N/m]; 0 leaves a pure damper. */
  stiffness: number
  /** Damping ν [N s/m]. @defaultValue 0 */
  damping?: number
}

type Column = 'rest' | 'stiffness' | 'damping' | 'anchorA' | 'anchorB'

const g = /* @__PURE__ */ new Float64Array(LEVERS)
const m = /* @__PURE__ */ new Float64Array(3)
/** A direction, and δp along it. */
const n = /* @__PURE__ */ new Float64Array(4)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedSpring = ResolvedDef<SpringDef, 'length' | 'damping' | 'anchorA' | 'anchorB'>

/** Pulls two points to a distance: `world.add(spring, { a, b, stiffness: 100 })`. */
export const spring: ConstraintType<SpringDef, Column, ResolvedSpring> = {
  name: 'spring',
  order: 1,
  joint: {
    neverRigid: true,
  },
  arity: 2,
  multipliers: 3,
  traits: {
    ownsSoftness: true,
  },
  fields: [...POINT_FIELDS, 'length'],
  columns: { rest: 1, stiffness: 1, damping: 1, anchorA: 3, anchorB: 3 },

  resolve(def, { bodies }) {
    const anchors = resolveAnchorsOrCentres('spring', def, bodies)
    return Object.assign(withoutPoint(def), anchors, {
      length: nonNegative('spring: length', def.length ?? lengthBetween(bodies, def, anchors)),
      stiffness: nonNegative('spring: stiffness', def.stiffness),
      damping: nonNegative('spring: damping', def.damping ?? 0),
    })
  },

  write({ columns }, row, def) {
    columns.rest[row] = def.length
    columns.stiffness[row] = def.stiffness
    columns.damping[row] = def.damping
    columns.anchorA.set(def.anchorA, 3 * row)
    columns.anchorB.set(def.anchorB, 3 * row)
  },

  evaluate(bodies, batch, row, out) {
    const { rest, stiffness, damping, anchorA, anchorB } = batch.columns
    levers(bodies, batch.ids[2 * row], batch.ids[2 * row + 1], anchorA, anchorB, row, g)
    meetHalfway(g)
    const length = Math.sqrt(g[6] * g[6] + g[7] * g[7] + g[8] * g[8])
    const isVector = rest[row] === 0
    if (!isVector && length < TOO_SHORT) return
    const group = out.group(isVector ? 'block' : 'scalar', 'force', 'm')
    group.stiffness = stiffness[row]
    group.damping = damping[row]
    const push = (x: number, y: number, z: number): void => {
      out.point(0, 1, g[0], g[1], g[2], x, y, z)
      out.point(1, -1, g[3], g[4], g[5], x, y, z)
    }
    if (isVector) {
      for (let k = 0; k < 3; k++) {
        out.row(k, g[6 + k])
        push(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0)
      }
    } else {
      out.row(0, length - rest[row])
      push(g[6] / length, g[7] / length, g[8] / length)
    }
  },

  keepsMomenta: keepsBetween,
  outline: outlineLink,
  loop: {
    sweep(bodies, batch, from, to, h) {
      const { ids, columns } = batch
      const { rest, anchorA, anchorB } = columns
      for (let row = from; row < to; row++) {
        const a = ids[2 * row]
        const b = ids[2 * row + 1]
        levers(bodies, a, b, anchorA, anchorB, row, g)
        meetHalfway(g)
        movedPair(bodies, a, b, g, m)
        if (rest[row] === 0) solveVector(bodies, columns, row, a, b, h)
        else solveAlong(bodies, columns, row, a, b, h)
      }
    },
  },
}

/** The vector form at the levers in `g`, with `m` what they have moved. */
function solveVector(
  bodies: BodyColumns,
  columns: Columns<Column | CommonColumn>,
  row: number,
  a: number,
  b: number,
  h: number,
): void {
  const { lambda } = columns
  const l = 3 * row
  const s = columns.stiffness[row] * h * h
  const d = columns.damping[row] * h
  STEP[ROW_STIFFNESS] = s
  STEP[ROW_DAMPING] = d
  STEP[ROW_SOFTNESS] = 1
  STEP[RELAXATION] = columns.relaxation[row]
  STEP[ERROR] = s * g[6] + d * m[0] + lambda[l]
  STEP[ERROR + 1] = s * g[7] + d * m[1] + lambda[l + 1]
  STEP[ERROR + 2] = s * g[8] + d * m[2] + lambda[l + 2]
  solveLinearBlock(bodies, a, b, g, lambda, l)
}

/** The scalar form along the line between the anchors; pressed through 0 along that of the start (length-row.ts). */
function solveAlong(
  bodies: BodyColumns,
  columns: Columns<Column | CommonColumn>,
  row: number,
  a: number,
  b: number,
  h: number,
): void {
  const { anchorA, anchorB, lambda, rest } = columns
  const length = Math.sqrt(g[6] * g[6] + g[7] * g[7] + g[8] * g[8])
  if (length < TOO_SHORT) return
  let c = length - rest[row]
  if (c < 0 && isThrough(bodies, a, b, anchorA, anchorB, row, g, n)) c = n[3] - rest[row]
  else for (let k = 0; k < 3; k++) n[k] = g[6 + k] / length
  const s = columns.stiffness[row] * h * h
  const d = columns.damping[row] * h
  const w = pairInverseMass(bodies, a, b, g, n, 0)
  const error = s * c + d * (n[0] * m[0] + n[1] * m[1] + n[2] * m[2]) + lambda[3 * row]
  const delta = (-columns.relaxation[row] * error) / ((s + d) * w + 1)
  lambda[3 * row] += delta
  n[0] *= delta
  n[1] *= delta
  n[2] *= delta
  displacePair(bodies, a, b, g, n)
}
