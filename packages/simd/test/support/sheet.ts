/** Sheets of particles with rows of every kind that has a kernel, of random numbers. */

import { type LengthMode, distance, isometricBend, lineBend, lineDistance } from '@tautline/constraints'
import { type Body, type Kernels, World, type WorldOptions } from '@tautline/core'
import type { Random } from '../../../core/test/support/random.js'

/** Apart [m]. */
const SPACING = 0.1

/** Fields, at a chance. */
export function sometimes<T extends object>(random: Random, share: number, fields: () => T): T | object {
  return random.chance(share) ? fields() : {}
}

/** How a row gives way. */
export function softness(random: Random): object {
  return {
    ...sometimes(random, 0.3, () => ({ compliance: 10 ** random.between(-8, -2) })),
    ...sometimes(random, 0.2, () => ({ relaxation: random.between(0.3, 1) })),
  }
}

/** Options of a world. */
export function optionsOf(random: Random): WorldOptions {
  return { substeps: 1 + random.below(5), iterations: 1 + random.below(3), warmStart: random.chance(0.3) ? 0.5 : 0 }
}

/** A sheet of `n` by `m` particles, crumpled a little; drawn from `random` alone, so that two worlds get the same. */
export function addSheet(world: World, random: Random, n: number, m: number): Body[] {
  const isDamped = random.chance(0.3)
  const pinned = random.below(4)
  const nodes: Body[] = []
  for (let j = 0; j < m; j++) {
    for (let i = 0; i < n; i++) {
      const isPinned = j === 0 && (pinned === 3 || (pinned > 0 && i === 0) || (pinned > 1 && i === n - 1))
      nodes.push(
        world.addParticle({
          position: [
            SPACING * i + random.between(-0.02, 0.02),
            random.between(-0.05, 0.05),
            SPACING * j + random.between(-0.02, 0.02),
          ],
          mass: isPinned ? Infinity : 10 ** random.between(-2, 0),
          velocity: isPinned ? [0, 0, 0] : [random.between(-3, 3), random.between(-3, 3), random.between(-3, 3)],
          ...sometimes(random, 0.1, () => ({ linearDamping: random.between(0, 300) })),
          ...sometimes(random, 0.02, () => ({ lockTranslation: [true, false, true] as const })),
        }),
      )
    }
  }
  const at = (i: number, j: number): Body => nodes[n * j + i]
  const isLines = random.chance(0.6)
  const modes: readonly LengthMode[] = random.chance(0.3) ? ['rigid', 'rope', 'strut'] : ['rigid']
  const link = (a: Body, b: Body, length: number): void => {
    const def = {
      a,
      b,
      length,
      mode: modes[random.below(modes.length)],
      ...softness(random),
      ...(isDamped && { compliance: 1e-4, damping: random.between(0, 1) }),
    }
    if (isLines) world.add(lineDistance, def)
    else world.add(distance, def)
  }
  const stiffness = 10 ** random.between(-4, 1)
  for (let j = 0; j < m; j++) {
    for (let i = 0; i < n; i++) {
      if (i + 1 < n) link(at(i, j), at(i + 1, j), SPACING)
      if (j + 1 < m) link(at(i, j), at(i, j + 1), SPACING)
      if (i + 1 < n && j + 1 < m) {
        world.add(distance, { a: at(i, j), b: at(i + 1, j + 1), ...softness(random) })
        const bodies = [at(i + 1, j), at(i, j + 1), at(i, j), at(i + 1, j + 1)]
        world.add(isometricBend, { bodies, stiffness, ...sometimes(random, 0.5, () => ({ rest: 0 })), damping: 0.01 })
      }
      if (i + 2 < n) {
        const bodies = [at(i, j), at(i + 1, j), at(i + 2, j)]
        world.add(lineBend, { bodies, stiffness, ...sometimes(random, 0.5, () => ({ rest: 0 })), damping: 0.01 })
      }
    }
  }
  return nodes
}

/** A world with a sheet. */
export function sheetWorld(random: Random, kernels?: Kernels): World {
  const world = new World({ ...optionsOf(random), ...(kernels !== undefined && { kernels }) })
  addSheet(world, random, 3 + random.below(8), 3 + random.below(8))
  return world
}
