/** What joints leave free, and how far they are from holding. */

import { type Body, type Constraint, type World } from '@tautline/core'
import { type Group, Rows } from '@tautline/core/kernel'

/** Worst error of all rows that hold a position: linear [m] and angular [rad]. */
export function worstErrors(world: World): { linear: number; angular: number } {
  let [linear, angular] = [0, 0]
  for (const residual of Object.values(world.residual())) {
    linear = Math.max(linear, residual.linear?.max ?? 0)
    angular = Math.max(angular, residual.angular?.max ?? 0)
  }
  return { linear, angular }
}

/** Length below which what is left of a gradient, of length 1 at first, depends on the others. */
const DEPENDENT = 1e-9

/**
 * Degrees of freedom that constraints leave to rigid bodies: six a body less the rank of J, over the rows that hold a position from
 * both sides. Drives, springs and limits take none.
 */
export function freedoms(bodies: readonly Body[], constraints: readonly Constraint[]): number {
  const isHeld = ({ law, lower, upper }: Group): boolean =>
    law === 'position' && lower === -Infinity && upper === Infinity
  return 6 * bodies.length - gradients(bodies, constraints, isHeld).length
}

/**
 * An orthonormal basis of the gradients of rows, six numbers a body: of those whose group, with the largest of its errors, is asked
 * for.
 */
export function gradients(
  bodies: readonly Body[],
  constraints: readonly Constraint[],
  isAskedFor: (group: Group, error: number) => boolean,
): number[][] {
  const basis: number[][] = []
  for (const constraint of constraints) {
    const { batch, world } = constraint
    const { arity, type } = batch
    const rows = new Rows(arity, type.multipliers, false)
    type.evaluate(world.bodies.columns, batch, constraint.row(), rows)
    const slots = constraint.bodies.map((body) => bodies.findIndex((other) => other.index === body?.index))
    for (const group of rows.groups.slice(0, rows.groupCount)) {
      const { start, size } = group
      const errors = Array.from(rows.c.subarray(start, start + size), Math.abs)
      if (!isAskedFor(group, Math.max(...errors))) continue
      for (let k = start; k < start + size; k++) {
        const gradient = new Array<number>(6 * bodies.length).fill(0)
        slots.forEach((slot, b) => {
          if (slot < 0) return
          for (let i = 0; i < 6; i++) gradient[6 * slot + i] = rows.J[6 * (arity * k + b) + i]
        })
        extend(basis, gradient)
      }
    }
  }
  return basis
}

/** Adds what of a vector is at right angles to a basis, if anything (Gram and Schmidt, twice for round-off). */
function extend(basis: number[][], vector: readonly number[]): void {
  let rest = vector.map((x) => x / Math.hypot(...vector))
  for (let pass = 0; pass < 2; pass++) {
    for (const unit of basis) {
      const share = unit.reduce((sum, x, i) => sum + x * rest[i], 0)
      rest = rest.map((x, i) => x - share * unit[i])
    }
  }
  const length = Math.hypot(...rest)
  if (length > DEPENDENT) basis.push(rest.map((x) => x / length))
}
