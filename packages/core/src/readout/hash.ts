/** A hash of a world's state: two FNV-1a lanes over the bits of its numbers. */

import { DEAD } from '../state/body-columns.js'
import type { WorldState } from '../state/world-state.js'

const NUMBER = /* @__PURE__ */ new Float64Array(1)

/** FNV-1a's 32-bit prime and offset basis; the second lane starts elsewhere. */
const PRIME = 0x01000193
const BASIS = [0x811c9dc5, 0x050c5d1f]

/**
 * 16 hexadecimal digits that depend on every bit of the poses, velocities and multipliers of a world; −0 counts as 0, so that JSON can carry a
 * state.
 */
export function hashOf(world: WorldState): string {
  world.refreshOrder()
  const words = new Uint32Array(NUMBER.buffer)
  let a = BASIS[0]
  let b = BASIS[1]
  const add = (column: Float64Array, from: number, to: number): void => {
    for (let k = from; k < to; k++) {
      NUMBER[0] = column[k] + 0
      a = Math.imul(Math.imul(a ^ words[0], PRIME) ^ words[1], PRIME)
      b = Math.imul(Math.imul(b ^ words[1], PRIME) ^ words[0], PRIME)
    }
  }
  const { position, orientation, velocity, angularVelocity, kind } = world.bodies.columns
  for (let i = 0; i < world.bodies.count; i++) {
    if (kind[i] === DEAD) continue
    add(position, 4 * i, 4 * i + 4)
    add(orientation, 4 * i, 4 * i + 4)
    add(velocity, 3 * i, 3 * i + 3)
    add(angularVelocity, 3 * i, 3 * i + 3)
  }
  for (const batch of world.batches) {
    add(batch.common.lambda, 0, batch.type.multipliers * batch.count)
    add(batch.common.enabled, 0, batch.count)
    for (const name of batch.type.state ?? []) {
      add(batch.columns[name], 0, batch.type.columns[name] * batch.count)
    }
  }
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
}
