/**
 * Rows against bending that are switched off and on while everything moves, without energy.
 *
 * Off, what a row has stored is set aside. On, it stores U = Σ ½ c²/α at once: from what was set aside, or motion has to pay for it. Along g = ∂U/∂X the speed
 * is s = g · v, and an impulse −p g changes the kinetic energy by −p s + ½ p² w, w = g · M⁻¹ g. That is −U for
 *
 *   p = (s ∓ √(s² − 2 w U))/w,  the smaller one
 *
 * where s² >= 2 w U; else the row waits until it moves more or is bent less. Gradients of a row add up to none, so that momentum stays.
 */

import type { Constraint } from '@tautline/core'
import { type BodyColumns, DYNAMIC } from '@tautline/core/kernel'

const gradient = /* @__PURE__ */ new Float64Array(24)
const speed = /* @__PURE__ */ new Float64Array(2)

/** Switches a row off, or on. */
function switchRow({ batch, slot, world }: Constraint, enabled: boolean): void {
  const { common, type, slotRow } = batch
  const row = slotRow[slot]
  batch.setDef(slot, { ...batch.definition(slot), enabled })
  common.enabled[row] = enabled ? 1 : 0
  common.lambda.fill(0, type.multipliers * row, type.multipliers * (row + 1))
  world.markOrderStale(batch)
}

/** Whether a row is off that has not broken. */
export function isOff({ batch, slot }: Constraint): boolean {
  const { enabled, broken } = batch.common
  const row = batch.slotRow[slot]
  return enabled[row] === 0 && broken[row] === 0
}

/** Switches rows off that act, and returns what they had stored [J]. */
export function suspendRows(rows: readonly Constraint[]): number {
  let sum = 0
  for (const row of rows) {
    if (!row.enabled) continue
    const stored = storedAlong(row)
    if (stored < Infinity) sum += stored
    switchRow(row, false)
  }
  return sum
}

/** Switches rows on that are paid for, by `credit` [J] or by motion, and returns what is left of the credit. */
export function returnRows(waiting: readonly Constraint[], credit: number): number {
  let left = credit
  for (const constraint of waiting) {
    const stored = storedAlong(constraint)
    if (stored === Infinity) repair(constraint)
    else if (stored <= left) left -= stored
    else if (!pay(constraint, stored)) continue
    switchRow(constraint, true)
  }
  return left
}

/** Takes what a row is going to store [J] out of the motion along `gradient`; whether there is enough. */
function pay(constraint: Constraint, stored: number): boolean {
  const c = constraint.world.bodies.columns
  measureSpeed(c, constraint)
  const [s, w] = speed
  if (!(w > 0)) return true
  const left = s * s - 2 * w * stored
  if (!(left >= 0)) return false
  const root = Math.sqrt(left)
  const p = (s > 0 ? s - root : s + root) / w
  const { batch, slot } = constraint
  const { arity, common } = batch
  const first = arity * batch.slotRow[slot]
  for (let b = 0; b < arity; b++) push(c, common.body[first + b], 6 * b, -p)
  return true
}

/** Has the error of a row that does not give way repaired without speed. */
function repair({ batch, slot, world }: Constraint): void {
  const first = batch.arity * batch.slotRow[slot]
  for (let b = first; b < first + batch.arity; b++) world.bodies.disturb(batch.common.body[b])
}

/** U of a row [J], its gradient into `gradient`; Infinity for one that does not give way. */
function storedAlong({ batch, slot, world }: Constraint): number {
  const { rows, type, arity, slotRow } = batch
  const { columns } = world.bodies
  rows.clear()
  type.evaluate(columns, batch, slotRow[slot], rows)
  gradient.fill(0)
  let stored = 0
  for (let g = 0; g < rows.groupCount; g++) {
    const { start, size, compliance, stiffness, law } = rows.groups[g]
    const isSpring = law === 'force'
    if (!isSpring && law !== 'position') continue
    if (!isSpring && compliance === 0) return Infinity
    for (let k = start; k < start + size; k++) {
      const force = isSpring ? stiffness * rows.c[k] : rows.c[k] / compliance
      stored += 0.5 * force * rows.c[k]
      for (let e = 0; e < 6 * arity; e++) gradient[e] += force * rows.J[6 * arity * k + e]
    }
  }
  return stored
}

/** g · v and g · M⁻¹ g into `speed`. */
function measureSpeed(c: BodyColumns, { batch, slot }: Constraint): void {
  const { arity, common } = batch
  const first = arity * batch.slotRow[slot]
  let [s, w] = [0, 0]
  for (let b = 0; b < arity; b++) {
    const i = common.body[first + b]
    if (c.kind[i] !== DYNAMIC) continue
    const m = c.position[4 * i + 3]
    for (let k = 0; k < 3; k++) {
      const g = gradient[6 * b + k]
      const turn = gradient[6 * b + 3 + k]
      s += g * c.velocity[3 * i + k] + turn * c.angularVelocity[3 * i + k]
      w += m * g * g
      for (let e = 0; e < 3; e++) w += turn * c.inverseInertia[9 * i + 3 * k + e] * gradient[6 * b + 3 + e]
    }
  }
  speed[0] = s
  speed[1] = w
}

/** Adds `p` times the gradient at `o`, as an impulse, to a body. */
function push(c: BodyColumns, i: number, o: number, p: number): void {
  if (c.kind[i] !== DYNAMIC) return
  const m = c.position[4 * i + 3]
  for (let k = 0; k < 3; k++) {
    c.velocity[3 * i + k] += p * m * gradient[o + k]
    for (let e = 0; e < 3; e++)
      c.angularVelocity[3 * i + k] += p * c.inverseInertia[9 * i + 3 * k + e] * gradient[o + 3 + e]
  }
}
