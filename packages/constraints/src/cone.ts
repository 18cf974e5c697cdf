/**
 * Cone (Waterson 88–90): the angle between an axis of a and an axis of b stays below a limit.
 *
 *   c = limit − φ >= 0 [rad],  φ = atan2(‖n_a × n_b‖, n_a·n_b),  ŵ = n_a × n_b/‖n_a × n_b‖
 *   ∂c/∂θ_a = +ŵ, ∂c/∂θ_b = −ŵ,  λ >= 0
 *
 * The accumulated λ is clamped, not the increment of (90). Where the axes oppose each other any ŵ ⊥ n_a will do; where
 * they coincide there is no gradient, and no need of one.
 */

import { type ConstraintType } from '@tautline/core'
import { atan2, type BodyColumns, positive, type ResolvedDef, rotateVector } from '@tautline/core/kernel'
import { pairInverseInertia, pairRotation, rotatePair } from './parts/angular.js'
import { type AxisDef, resolveAxes, AXIS_FIELDS } from './parts/definition.js'
import { requireInertia } from './parts/joint-definition.js'
import { OUTLINE, outlineCentres, POINT_A, X_A, X_B } from './parts/outline.js'
import { perpendicular, PARALLEL } from './parts/frames.js'
import { IMMOVABLE } from './parts/vector.js'
import { isAtRest } from './parts/length-mode.js'
import { keepsRotating } from './parts/momenta.js'

/** An axis of `b` within a cone about an axis of `a`. `compliance` and `damping` are [rad/(N m)] and [N m s/rad]. */
export interface ConeDef extends AxisDef {
  /** Half the opening angle [rad], in (0, π]. */
  limit: number
}

type Column = 'axisA' | 'axisB' | 'limit'

/** [φ, ŵ (3)] */
const t = /* @__PURE__ */ new Float64Array(4)
const N = /* @__PURE__ */ new Float64Array(6)
const m = /* @__PURE__ */ new Float64Array(3)

/** What `resolve` gives: what `write` reads is there. */
type ResolvedCone = ResolvedDef<ConeDef, 'axisA' | 'axisB'>

/** Keeps an axis within a cone: `world.add(cone, { a, b, axis, limit: 0.5 })`. */
export const cone: ConstraintType<ConeDef, Column, ResolvedCone> = {
  name: 'cone',
  order: 0,
  arity: 2,
  multipliers: 1,
  joint: {},
  fields: [...AXIS_FIELDS, 'limit'],
  columns: { axisA: 3, axisB: 3, limit: 1 },

  resolve(def, { bodies, exists }) {
    const { axis: _axis, ...rest } = def
    if (exists !== true) requireInertia('cone', def)
    const limit = positive('cone: limit', def.limit)
    if (limit > Math.PI) throw new RangeError(`cone: limit must be <= π, got ${limit}`)
    return { ...rest, ...resolveAxes('cone', def, bodies), limit }
  },

  write({ columns }, row, def) {
    columns.axisA.set(def.axisA, 3 * row)
    columns.axisB.set(def.axisB, 3 * row)
    columns.limit[row] = def.limit
  },

  evaluate(bodies, batch, row, out) {
    const { axisA, axisB, limit, compliance, rayleigh } = batch.columns
    measure(bodies, batch.ids[2 * row], batch.ids[2 * row + 1], axisA, axisB, row)
    const group = out.group('scalar', 'position', 'rad')
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
    group.lower = 0
    out.row(0, limit[row] - t[0])
    out.rotations(1, t, 1)
  },

  keepsMomenta: keepsRotating,
  outline(bodies, { ids, columns }, row, out) {
    outlineCentres(bodies, ids, row, out)
    measure(bodies, ids[2 * row], ids[2 * row + 1], columns.axisA, columns.axisB, row)
    for (let k = 0; k < 3; k++) {
      OUTLINE[X_A + k] = N[k]
      OUTLINE[X_B + k] = N[3 + k]
    }
    out.coneRange(OUTLINE, POINT_A, X_A, X_B, columns.limit, row)
  },
  loop: {
    sweep(bodies, batch, from, to) {
      const { ids } = batch
      const { axisA, axisB, limit, lambda, softness, gamma, relaxation } = batch.columns
      for (let row = from; row < to; row++) {
        const a = ids[2 * row]
        const b = ids[2 * row + 1]
        measure(bodies, a, b, axisA, axisB, row)
        const old = lambda[row]
        if (isAtRest(limit[row] - t[0], old, 0, Infinity)) continue
        let error = limit[row] - t[0] + softness[row] * old
        let w = pairInverseInertia(bodies, a, b, t[1], t[2], t[3])
        if (gamma[row] > 0) {
          pairRotation(bodies, a, b, m)
          error += gamma[row] * (t[1] * m[0] + t[2] * m[1] + t[3] * m[2])
          w *= 1 + gamma[row]
        }
        if (w + softness[row] <= IMMOVABLE) continue
        const fresh = Math.max(old - (relaxation[row] * error) / (w + softness[row]), 0)
        lambda[row] = fresh
        const s = fresh - old
        if (s !== 0) rotatePair(bodies, a, b, s * t[1], s * t[2], s * t[3])
      }
    },
  },
}

/** Fills `t`. */
function measure(
  bodies: BodyColumns,
  a: number,
  b: number,
  axisA: Float64Array,
  axisB: Float64Array,
  row: number,
): void {
  const k = 3 * row
  rotateVector(bodies.orientation, 4 * a, axisA[k], axisA[k + 1], axisA[k + 2], N, 0)
  rotateVector(bodies.orientation, 4 * b, axisB[k], axisB[k + 1], axisB[k + 2], N, 3)
  t[1] = N[1] * N[5] - N[2] * N[4]
  t[2] = N[2] * N[3] - N[0] * N[5]
  t[3] = N[0] * N[4] - N[1] * N[3]
  const s = Math.sqrt(t[1] * t[1] + t[2] * t[2] + t[3] * t[3])
  const x = N[0] * N[3] + N[1] * N[4] + N[2] * N[5]
  t[0] = atan2(s, x)
  if (s > PARALLEL) {
    t[1] /= s
    t[2] /= s
    t[3] /= s
  } else if (x > 0) {
    t[1] = t[2] = t[3] = 0
  } else {
    perpendicular(N, 0, t, 1)
  }
}
