/** What a world does, to the bit, as one short text: for tests that must notice any change of it. */

import { createHash } from 'node:crypto'
import type { World } from '../../src/index.js'

/** What one step leaves, as text. Numbers are written so that they can be read back exactly. */
function left(world: World): string {
  const { nonFinite, skipped, broken, clampedRows, iterations, direct, guard } = world.report
  const { trees, joints, passes, solves, halved, unsolved, loops, cuts, singular } = direct
  const lists = [nonFinite, skipped, broken, loops, cuts, singular].map(({ length }) => length)
  return JSON.stringify([
    world.hash(),
    world.energy(),
    world.momentum(),
    world.residual(),
    [clampedRows, iterations, trees, joints, passes, solves, halved, unsolved, guard],
    lists,
  ])
}

/** Hash of all that `steps` steps of `dt` [s] leave in a world, of what `more` tells after each, and of a projection at the end. */
export function bitsOf(world: World, steps: number, dt: number = 1 / 60, more: () => unknown = () => null): string {
  const hash = createHash('sha256')
  for (let k = 0; k < steps; k++) {
    world.step(dt)
    hash.update(left(world)).update(JSON.stringify(more()))
  }
  hash.update(JSON.stringify(world.project({ iterations: 3 }))).update(world.hash())
  return hash.digest('hex').slice(0, 16)
}
