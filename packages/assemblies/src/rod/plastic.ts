/** What bends a rod beyond its yield stays bent. */

import type { Body, Constraint } from '@tautline/core'
import { compose } from '@tautline/core/kernel'

const relative = /* @__PURE__ */ new Float64Array(4)
const inverse = /* @__PURE__ */ new Float64Array(4)
const rest = /* @__PURE__ */ new Float64Array(4)

/** Angle of the turn of b against a from `reference` [rad]. */
export function strainOf(a: Body, b: Body, reference: ArrayLike<number>): number {
  turnOf(a, b)
  const s = relative
  let dot = 0
  for (let k = 0; k < 4; k++) dot += s[k] * reference[k]
  // 2 √(1 − dot²) = 2 sin(θ/2).
  return 2 * Math.sqrt(Math.max(0, 1 - dot * dot))
}

/** Brings the rest of a joint that is bent by more than `most` [rad] nearer to how it is, by `share` of what is too much. It gives energy away. */
export function yieldBeyond(spring: Constraint, a: Body, b: Body, most: number, share: number): boolean {
  const { reference } = spring.def as { reference: readonly number[] }
  const strain = strainOf(a, b, reference)
  if (strain <= most) return false
  const part = (share * (strain - most)) / strain
  let dot = 0
  for (let k = 0; k < 4; k++) dot += relative[k] * reference[k]
  const sign = dot < 0 ? -1 : 1
  for (let k = 0; k < 4; k++) rest[k] = (1 - part) * reference[k] + part * sign * relative[k]
  const size = Math.sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2] + rest[3] * rest[3])
  for (let k = 0; k < 4; k++) rest[k] /= size
  setReference(spring)
  return true
}

/** Writes `rest` into a spring. As energy only falls by it and nothing else changes, rows need not be put in order anew. */
function setReference({ batch, slot }: Constraint): void {
  const def = { ...batch.definition(slot), reference: [rest[0], rest[1], rest[2], rest[3]] }
  batch.setDef(slot, def)
  batch.type.write(batch, batch.slotRow[slot], def)
}

/** Orientation of b seen from a, into `relative`. */
function turnOf(a: Body, b: Body): void {
  const { orientation: q } = a.bodies.columns
  const o = 4 * a.index
  for (let k = 0; k < 3; k++) inverse[k] = -q[o + k]
  inverse[3] = q[o + 3]
  compose(inverse, 0, q, 4 * b.index, relative, 0)
}
