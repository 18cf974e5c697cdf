/** Constraint types for the tests of the core, which knows none: the distance of two centres, with and without a loop. */

import { type ConstraintType, custom, type PairDef } from '../../src/index.js'
import { nonNegative, type Rows } from '../../src/kernel.js'

/** Two centres at a distance. */
export interface LinkDef extends PairDef {
  /** [m] @defaultValue the present distance */
  length?: number
}

type Column = 'rest'

/** c = ‖x_a − x_b‖ − l through the core's slower loop over `evaluate`. */
export const rowLink: ConstraintType<LinkDef, Column> = {
  name: 'rowLink',
  order: 1,
  arity: 2,
  multipliers: 1,
  columns: { rest: 1 },

  resolve(def, { bodies }) {
    const [x, p, q] = [bodies.position, 4 * (def.a?.index ?? 0), 4 * (def.b?.index ?? 0)]
    const present = Math.hypot(x[p] - x[q], x[p + 1] - x[q + 1], x[p + 2] - x[q + 2])
    return { ...def, length: nonNegative('rowLink: length', def.length ?? present) }
  },

  write({ columns }, row, def) {
    columns.rest[row] = def.length as number
  },

  evaluate(bodies, batch, row, out: Rows) {
    const { rest, compliance, rayleigh } = batch.columns
    const x = bodies.position
    const p = 4 * batch.ids[2 * row]
    const q = 4 * batch.ids[2 * row + 1]
    const dx = x[p] - x[q]
    const dy = x[p + 1] - x[q + 1]
    const dz = x[p + 2] - x[q + 2]
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (length === 0) return
    const group = out.group('scalar', 'position', 'm')
    group.compliance = compliance[row]
    group.rayleigh = rayleigh[row]
    out.row(0, length - rest[row])
    out.linear(0, dx / length, dy / length, dz / length)
    out.linear(1, -dx / length, -dy / length, -dz / length)
  },
}

/** The same with a loop of its own. It takes no damping. */
export const link: ConstraintType<LinkDef, Column> = {
  ...rowLink,
  name: 'link',
  loop: {
    ...rowLink.loop,
    sweep(bodies, batch, from, to) {
      const { ids } = batch
      const { rest, lambda, softness, relaxation } = batch.columns
      const x = bodies.position
      for (let row = from; row < to; row++) {
        const p = 4 * ids[2 * row]
        const q = 4 * ids[2 * row + 1]
        const dx = x[p] - x[q]
        const dy = x[p + 1] - x[q + 1]
        const dz = x[p + 2] - x[q + 2]
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
        const w = x[p + 3] + x[q + 3]
        if (length === 0 || w === 0) continue
        const dl = (-relaxation[row] * (length - rest[row] + softness[row] * lambda[row])) / (w + softness[row])
        lambda[row] += dl
        const s = dl / length
        x[p] += s * x[p + 3] * dx
        x[p + 1] += s * x[p + 3] * dy
        x[p + 2] += s * x[p + 3] * dz
        x[q] -= s * x[q + 3] * dx
        x[q + 1] -= s * x[q + 3] * dy
        x[q + 2] -= s * x[q + 3] * dz
      }
    },
  },
}

/** A body-space point of the first body and one of the second, at a distance: it turns the bodies. */
export interface RodParams {
  p: readonly [number, number, number]
  q: readonly [number, number, number]
  length: number
}

/** The rod as a user would write it, gradient by differences. */
export const rod = custom<RodParams>({
  name: 'rod',
  bodies: 2,
  error: ([a, b], { p, q, length }) => {
    const u = a.point(p)
    const v = b.point(q)
    const [x, y, z] = [u[0] - v[0], u[1] - v[1], u[2] - v[2]]
    return Math.sqrt(x * x + y * y + z * z) - length
  },
})

/** Types with the generics forgotten, for `World.fromJSON`. */
export const TYPES = [rowLink, link, rod] as unknown as ConstraintType<never>[]
