/**
 * Attachment: a weighted point of some bodies holds to a weighted point of others. A point of an edge, a triangle, a tetrahedron, or of a body that turns.
 *
 *   p = Σ w_k (x_k + R_k a_k), Σ w_k = 1, likewise q;  c = p − q [m], three rows solved along the present error
 *   ∂c/∂x_k = ±w_k 1, ∂c/∂θ_k = ±w_k [R_k a_k]×ᵀ: the force on a body is its share of one force
 *
 * Weights of both sides add up to the same, so linear momentum is kept; along the error it has no couple either, and angular momentum is kept.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import {
  type Batch,
  type BodyColumns,
  finite,
  finiteVector,
  integer,
  type ResolvedDef,
  rotateVector,
} from '@tautline/core/kernel'
import { hasLever } from './parts/momenta.js'

/** Some bodies, the first `count` of them on one side. */
export interface AttachmentDef extends ManyDef {
  /** How many of `bodies` are on the first side. @defaultValue 1 */
  count?: number
  /** Share of each body in the point of its side. Those of a side add up to 1. @defaultValue even */
  weights?: readonly number[]
  /** Where the point is on each body, three numbers each, in the body's space [m]. @defaultValue its centre */
  anchors?: readonly number[]
  /** World point [m] that the first side holds to where all bodies are on it. @defaultValue where it is at present */
  target?: readonly number[]
}

/** Bodies of an attachment at most. */
const MOST = 8
/** How far weights of a side may be from 1: round-off of what made them. */
const EVEN = 1e-9

/** Of weights that add up to 1: round-off. */
const BALANCED = 1e-12

type Column = 'count' | 'weight' | 'anchor' | 'target'

const r = /* @__PURE__ */ new Float64Array(3)
const c = /* @__PURE__ */ new Float64Array(3)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedAttachment = ResolvedDef<AttachmentDef, 'count' | 'weights' | 'anchors'>

/** Holds a point among bodies to a point among others: `world.add(attachment, { bodies: [a, b, box], count: 2 })`. */
export const attachment: ConstraintType<AttachmentDef, Column, ResolvedAttachment> = {
  name: 'attachment',
  order: 0,
  multipliers: 3,
  fields: ['bodies', 'count', 'weights', 'anchors', 'target'],
  columns: { count: 1, weight: MOST, anchor: 3 * MOST, target: 3 },

  resolve(def, { bodies }) {
    const n = def.bodies.length
    if (n > MOST) throw new RangeError(`attachment: bodies must be ${MOST} at most, got ${n}`)
    const count = integer('attachment: count', def.count ?? 1, 1, n)
    const weights =
      def.weights === undefined
        ? def.bodies.map((_, k) => 1 / (k < count ? count : n - count))
        : Array.from(finiteVector('attachment: weights', def.weights, n))
    for (const [from, to] of [
      [0, count],
      [count, n],
    ]) {
      const sum = weights.slice(from, to).reduce((total, weight) => total + weight, 0)
      if (from < to && Math.abs(sum - 1) > EVEN) {
        throw new RangeError(`attachment: weights of a side must add up to 1, got ${sum}`)
      }
    }
    const anchors = Array.from(
      finiteVector('attachment: anchors', def.anchors ?? new Array<number>(3 * n).fill(0), 3 * n),
    )
    if (count < n) {
      if (def.target !== undefined) {
        const [x, y, z] = Array.from(finiteVector('attachment: target', def.target, 3))
        throw new TypeError(`attachment: target must be left out where both sides have bodies, got [${x}, ${y}, ${z}]`)
      }
      return { ...def, count, weights, anchors }
    }
    const target = [0, 0, 0]
    if (def.target === undefined) {
      for (let k = 0; k < n; k++) {
        addPoint(bodies, def.bodies[k].index, anchors, 3 * k)
        for (let axis = 0; axis < 3; axis++)
          target[axis] += weights[k] * (r[axis] + bodies.position[4 * def.bodies[k].index + axis])
      }
    } else target.splice(0, 3, ...Array.from(finiteVector('attachment: target', def.target, 3)))
    for (const x of target) finite('attachment: target', x)
    return { ...def, count, weights, anchors, target }
  },

  write({ columns }, row, def) {
    columns.count[row] = def.count
    columns.weight.fill(0, MOST * row, MOST * (row + 1))
    columns.anchor.fill(0, 3 * MOST * row, 3 * MOST * (row + 1))
    columns.weight.set(def.weights, MOST * row)
    columns.anchor.set(def.anchors, 3 * MOST * row)
    columns.target.set(def.target ?? [0, 0, 0], 3 * row)
  },

  evaluate(bodies, batch, row, out) {
    const { count, weight, anchor, target, compliance, rayleigh } = batch.columns
    const { ids, arity } = batch
    const group = out.group('line', 'position', 'm')
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
    for (let axis = 0; axis < 3; axis++) c[axis] = count[row] < arity ? 0 : -target[3 * row + axis]
    for (let k = 0; k < arity; k++) {
      const share = (k < count[row] ? 1 : -1) * weight[MOST * row + k]
      addPoint(bodies, ids[arity * row + k], anchor, 3 * (MOST * row + k))
      for (let axis = 0; axis < 3; axis++)
        c[axis] += share * (bodies.position[4 * ids[arity * row + k] + axis] + r[axis])
    }
    for (let axis = 0; axis < 3; axis++) {
      out.rowAt(axis, c, axis)
      for (let k = 0; k < arity; k++) {
        const share = (k < count[row] ? 1 : -1) * weight[MOST * row + k]
        addPoint(bodies, ids[arity * row + k], anchor, 3 * (MOST * row + k))
        out.point(k, share, r[0], r[1], r[2], axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0)
      }
    }
  },

  /** Not where it holds on to a point of the world, where its two sides do not weigh the same, or where a damper acts across the gap between them. */
  keepsMomenta(bodies, { ids, arity, columns: { count, weight, anchor, rayleigh } }, row) {
    if (count[row] === arity || rayleigh[row] > 0) return false
    let sum = 0
    for (let k = 0; k < arity; k++) {
      if (hasLever(bodies, ids[arity * row + k], anchor, 3 * (MOST * row + k))) return false
      sum += (k < count[row] ? 1 : -1) * weight[MOST * row + k]
    }
    return Math.abs(sum) <= BALANCED
  },

  outline(bodies, batch, row, out) {
    const { ids, arity, columns } = batch
    const count = columns.count[row]
    placeSide(bodies, batch, row, 0, count, 0)
    if (count < arity) placeSide(bodies, batch, row, count, arity, OTHER)
    else for (let axis = 0; axis < 3; axis++) drawn[OTHER + axis] = columns.target[3 * row + axis]
    out.link(drawn, 0, OTHER)
    if (count === arity) out.target(drawn, OTHER)
    for (let k = 0; k < arity; k++) {
      for (let axis = 0; axis < 3; axis++) drawn[CENTRE + axis] = bodies.position[4 * ids[arity * row + k] + axis]
      out.link(drawn, k < count ? 0 : OTHER, CENTRE)
    }
  },
}

/** The two points, then a body's centre. */
const drawn = /* @__PURE__ */ new Float64Array(9)
const OTHER = 3
const CENTRE = 6

/** Places the point of the bodies from `from` to `to` of a row at `o` of `drawn`. */
function placeSide(bodies: BodyColumns, batch: Batch<Column>, row: number, from: number, to: number, o: number): void {
  const { ids, arity, columns } = batch
  for (let axis = 0; axis < 3; axis++) drawn[o + axis] = 0
  for (let k = from; k < to; k++) {
    const i = ids[arity * row + k]
    const share = columns.weight[MOST * row + k]
    addPoint(bodies, i, columns.anchor, 3 * (MOST * row + k))
    for (let axis = 0; axis < 3; axis++) drawn[o + axis] += share * (bodies.position[4 * i + axis] + r[axis])
  }
}

/** Arm of a body at its anchor in the world, into `r`. */
function addPoint(
  { orientation }: Pick<BodyColumns, 'orientation'>,
  i: number,
  anchor: ArrayLike<number>,
  o: number,
): void {
  rotateVector(orientation, 4 * i, anchor[o], anchor[o + 1], anchor[o + 2], r, 0)
}
