/**
 * Pulleys: a rope without mass that runs over points of bodies and of the world, without friction.
 *
 *   c = Σ ‖d_k‖ − L [m],  d_k = p_k − p_{k+1},  p_k = x + R a_k of its body, or a point of the world
 *   ∂c/∂p_k = d̂_k − d̂_{k−1}: both parts of the rope pull at a point with the same tension
 *
 * A body that the rope passes more than once feels it there more than once: a tackle of n falls has n tensions on its load. Source: ropeLength (Waterson 136–139), with points that
 * bodies carry. Unilateral by default: a slack rope does not push.
 */

import type { ConstraintType, ManyDef } from '@tautline/core'
import {
  array,
  type BodyColumns,
  finiteVector,
  integer,
  nonNegative,
  type ResolvedDef,
  rotateVector,
} from '@tautline/core/kernel'
import { lengthMode, type LengthMode, lowerForce, upperForce } from './parts/length-mode.js'
import { hasLever } from './parts/momenta.js'
import { TOO_SHORT } from './parts/levers.js'

/** The bodies that a rope passes, each once, and its way over them. */
export interface PulleyDef extends ManyDef {
  /** By point of the way: which of `bodies` it is on, −1 for the world. @defaultValue each body once */
  path?: readonly number[]
  /** By point of the way, three numbers each: where it is on its body, from its centre, or in the world [m]. @defaultValue centres */
  anchors?: readonly number[]
  /** Length of the rope [m]. @defaultValue that of the way at present */
  length?: number
  /** `rope` may be shorter, `strut` longer, `rigid` neither. @defaultValue 'rope' */
  mode?: LengthMode
}

type Column = 'points' | 'path' | 'anchor' | 'rest' | 'lower' | 'upper'

/** Points of a way at most. */
const MOST = 16

/** World places of two points, and their lever arms. */
const p = /* @__PURE__ */ new Float64Array(3)
const q = /* @__PURE__ */ new Float64Array(3)
const r = /* @__PURE__ */ new Float64Array(3)
const s = /* @__PURE__ */ new Float64Array(3)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedPulley = ResolvedDef<PulleyDef, 'mode' | 'path' | 'anchors' | 'length'>

/** Keeps the length of a rope over points of bodies: `world.add(pulley, { bodies: [block, crate], path: [-1, 0, 1], anchors })`. */
export const pulley: ConstraintType<PulleyDef, Column, ResolvedPulley> = {
  name: 'pulley',
  order: 2,
  multipliers: 1,
  fields: ['bodies', 'path', 'anchors', 'length', 'mode'],
  columns: { points: 1, path: MOST, anchor: 3 * MOST, rest: 1, lower: 1, upper: 1 },

  resolve(def, { bodies }) {
    const path = array('pulley: path', def.path ?? def.bodies.map((_, k) => k)).map((on, k) =>
      integer(`pulley: path[${k}]`, on as number, -1, def.bodies.length - 1),
    )
    if (path.length < 2 || path.length > MOST) {
      throw new RangeError(`pulley: path must have 2 to ${MOST} points, got ${path.length}`)
    }
    def.bodies.forEach((_, k) => {
      if (!path.includes(k)) throw new RangeError(`pulley: path must pass each of bodies, got none at ${k}`)
    })
    if (def.anchors === undefined && path.includes(-1)) {
      throw new TypeError('pulley: anchors must be given where a point is in the world')
    }
    const count = 3 * path.length
    const anchors = Array.from(finiteVector('pulley: anchors', def.anchors ?? new Array<number>(count).fill(0), count))
    const ids = Int32Array.from(def.bodies, (body) => body.index)
    let total = 0
    for (let k = 0; k + 1 < path.length; k++) {
      place(bodies, ids, 0, path, k, anchors, 3 * k, p, r)
      place(bodies, ids, 0, path, k + 1, anchors, 3 * k + 3, q, s)
      const [dx, dy, dz] = [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
      total += Math.sqrt(dx * dx + dy * dy + dz * dz)
    }
    const length = nonNegative('pulley: length', def.length ?? total)
    return { ...def, path, anchors, length, mode: lengthMode('pulley', def.mode ?? 'rope') }
  },

  write({ columns }, row, def) {
    const path = def.path
    columns.points[row] = path.length
    columns.path.fill(0, MOST * row, MOST * (row + 1))
    columns.path.set(path, MOST * row)
    columns.anchor.fill(0, 3 * MOST * row, 3 * MOST * (row + 1))
    columns.anchor.set(def.anchors, 3 * MOST * row)
    columns.rest[row] = def.length
    columns.lower[row] = lowerForce(def.mode)
    columns.upper[row] = upperForce(def.mode)
  },

  evaluate(bodies, batch, row, out) {
    const { points, path, anchor, rest, lower, upper, compliance, rayleigh } = batch.columns
    const { ids, arity } = batch
    const group = out.group('scalar', 'position', 'm')
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
    group.lower = lower[row]
    group.upper = upper[row]
    out.row(0, -rest[row])
    const at = out.count - 1
    for (let k = MOST * row; k + 1 < MOST * row + points[row]; k++) {
      place(bodies, ids, arity * row, path, k, anchor, 3 * k, p, r)
      place(bodies, ids, arity * row, path, k + 1, anchor, 3 * k + 3, q, s)
      const dx = p[0] - q[0]
      const dy = p[1] - q[1]
      const dz = p[2] - q[2]
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
      out.c[at] += length
      if (length < TOO_SHORT) continue
      if (path[k] >= 0) out.point(path[k], 1, r[0], r[1], r[2], dx / length, dy / length, dz / length)
      if (path[k + 1] >= 0) out.point(path[k + 1], -1, s[0], s[1], s[2], dx / length, dy / length, dz / length)
    }
  },

  /** Not where it runs over a point of the world. */
  keepsMomenta(bodies, { ids, arity, columns: { points, path, anchor } }, row) {
    for (let k = MOST * row; k < MOST * row + points[row]; k++) {
      if (path[k] < 0 || hasLever(bodies, ids[arity * row + path[k]], anchor, 3 * k)) return false
    }
    return true
  },

  outline(bodies, { ids, arity, columns: { points, path, anchor } }, row, out) {
    for (let k = MOST * row; k + 1 < MOST * row + points[row]; k++) {
      place(bodies, ids, arity * row, path, k, anchor, 3 * k, WAY, r)
      place(bodies, ids, arity * row, path, k + 1, anchor, 3 * k + 3, q, s)
      for (let n = 0; n < 3; n++) WAY[3 + n] = q[n]
      out.link(WAY, 0, 3)
    }
  },
}

const WAY = /* @__PURE__ */ new Float64Array(6)

/** World place of a point of the way, and its lever arm. */
function place(
  { position, orientation }: BodyColumns,
  ids: Int32Array,
  first: number,
  path: ArrayLike<number>,
  k: number,
  anchor: ArrayLike<number>,
  o: number,
  at: Float64Array,
  arm: Float64Array,
): void {
  if (path[k] < 0) {
    for (let n = 0; n < 3; n++) at[n] = anchor[o + n]
    return
  }
  const i = ids[first + path[k]]
  rotateVector(orientation, 4 * i, anchor[o], anchor[o + 1], anchor[o + 2], arm, 0)
  for (let n = 0; n < 3; n++) at[n] = position[4 * i + n] + arm[n]
}
