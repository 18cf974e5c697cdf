/** Rows of one constraint at the present pose, as plain data: for tests of a type, and to look at. */

import { instance } from '../define/assert.js'
import { Constraint } from '../edit/constraint.js'
import type { GroupKind, GroupLaw, Rows, Unit } from '../define/rows.js'

/** Derivative of a row's error with respect to one body's pose, in world axes; per unit of the group, written U here. */
export interface BodyGradient {
  /** ∂c/∂x, of the centre of mass [U/m]. */
  linear: [number, number, number]
  /** ∂c/∂θ, of a turn by the rotation vector θ, q ← exp(θ/2) q [U/rad]. */
  angular: [number, number, number]
}

/** One scalar row. */
export interface GradientRow {
  /** c [U]; of a `law` group −F [N or N m]. */
  error: number
  /** Index of its multiplier in {@link Constraint.multipliers}. */
  multiplier: number
  /** Wanted ċ of a `force` or `rate` row [U/s]. */
  rate: number
  /** Its gradient, a body of {@link Constraint.bodies} each; for `null`, the world, as if it could move. */
  bodies: BodyGradient[]
}

/** Rows that are solved together. What the kinds and laws mean is told in `rows.ts`. */
export interface GradientGroup {
  kind: GroupKind
  law: GroupLaw
  /** U: of c. */
  unit: Unit
  /** Bounds of a scalar's multiplier as a force [N or N m]. */
  lower: number
  upper: number
  /** Of a limit, the range between its two ends [U], of which the nearer is the row's; `Infinity` where there is one end. */
  width: number
  /** Largest magnitude of a vector's multiplier as a force [N or N m]. */
  radius: number
  /** Softness of a `position` group [m/N or rad/(N m)], and damping · compliance [s]. */
  compliance: number
  rayleigh: number
  rows: GradientRow[]
  /** −∂F/∂X of a `law` group, row by row; empty otherwise. */
  tangent: number[][]
}

/**
 * What a constraint's rows and gradients are at the present pose, as the solver reads them: groups in the order of its type's `evaluate`.
 *
 * A multiplier λ displaces by ΔX = M⁻¹ Jᵀ λ, so that a row with λ > 0 pushes c up; force is λ/h². The gradient of a vector of a
 * point is that of its length: row by row both bodies are pushed at the middle of their anchors, which keeps angular momentum.
 */
export function gradient<Def extends object>(constraint: Constraint<Def>): GradientGroup[] {
  const { batch, world } = instance('gradient: constraint', constraint, Constraint, 'a constraint')
  const row = constraint.row()
  const { rows, type } = batch
  rows.clear()
  type.evaluate(world.bodies.columns, batch, row, rows)
  return rows.groups.slice(0, rows.groupCount).map((group) => {
    const { kind, law, unit, start, size, lower, upper, width, radius, compliance, rayleigh } = group
    const own = Array.from({ length: size }, (_, k) => rowAt(rows, start + k))
    const tangent =
      law === 'implicitForce' ? own.map((_, k) => Array.from(rows.tangent.subarray(size * k, size * (k + 1)))) : []
    return { kind, law, unit, lower, upper, width, radius, compliance, rayleigh, rows: own, tangent }
  })
}

function rowAt({ c, J, multiplier, rate, arity }: Rows, k: number): GradientRow {
  const bodies = Array.from({ length: arity }, (_, b): BodyGradient => {
    const o = 6 * (arity * k + b)
    return { linear: [J[o], J[o + 1], J[o + 2]], angular: [J[o + 3], J[o + 4], J[o + 5]] }
  })
  return { error: c[k], multiplier: multiplier[k], rate: rate[k], bodies }
}
