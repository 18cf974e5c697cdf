/** Solids of particles with rows of four bodies of every kind that has a kernel, of random numbers. */

import { dihedralBend, neoHookean, tetraVolume } from '@tautline/constraints'
import { type Body, type Kernels, World } from '@tautline/core'
import type { Random } from '../../../core/test/support/random.js'
import { cells } from './meshes.js'
import { optionsOf, softness, sometimes } from './sheet.js'

/** Edge of a cell [m]. */
const SIZE = 0.1
const TYPES = [tetraVolume, neoHookean, dihedralBend]

/** How a row gives way, with a damper at times. */
function yielding(random: Random): object {
  return {
    ...softness(random),
    ...sometimes(random, 0.3, () => ({ compliance: 10 ** random.between(-8, -2), damping: random.between(0, 10) })),
  }
}

/** Rows of one type on tetrahedra of `nodes`, all of them or some. */
function addRows(world: World, random: Random, type: (typeof TYPES)[number], bodies: Body[]): void {
  if (type === tetraVolume) {
    world.add(tetraVolume, {
      bodies,
      ...yielding(random),
      ...sometimes(random, 0.2, () => ({ volume: SIZE ** 3 / 6 })),
    })
  } else if (type === dihedralBend) {
    world.add(dihedralBend, { bodies, ...yielding(random), ...sometimes(random, 0.2, () => ({ angle: 0 })) })
  } else {
    world.add(neoHookean, {
      bodies,
      youngsModulus: 10 ** random.between(2, 6),
      ...sometimes(random, 0.5, () => ({ poissonRatio: random.chance(0.3) ? 0 : random.between(0, 0.499) })),
      ...sometimes(random, 0.3, () => ({ damping: 10 ** random.between(-4, -1) })),
      ...sometimes(random, 0.2, () => ({ relaxation: random.between(0.3, 1) })),
    })
  }
}

/** A cube of `n` cells an edge, thrown and squeezed; drawn from `random` alone, so that two worlds get the same. */
export function addSolid(world: World, random: Random, n: number): Body[] {
  const { positions, tetrahedra } = cells(n, SIZE)
  const [isPinned, isTwisted] = [random.chance(0.5), random.chance(0.5)]
  const nodes: Body[] = []
  for (let k = 0; k < positions.length; k += 3) {
    const [x, y, z] = positions.slice(k, k + 3)
    const isHeld = isPinned && y === 0
    nodes.push(
      world.addParticle({
        position: [x + random.between(-0.02, 0.02), y + random.between(-0.02, 0.02), z + random.between(-0.02, 0.02)],
        mass: isHeld ? Infinity : 10 ** random.between(-2, 0),
        velocity: isHeld ? [0, 0, 0] : [random.between(-3, 3), random.between(-3, 3), random.between(-3, 3)],
      }),
    )
  }
  for (let k = 0; k < tetrahedra.length; k += 4) {
    const bodies = tetrahedra.slice(k, k + 4).map((v) => nodes[v])
    for (const type of TYPES) if (random.chance(0.6)) addRows(world, random, type, bodies)
  }
  // Pressed flat, turned inside out, or drawn to a line after it was made.
  if (isTwisted) {
    const scale = [0, 1, 2].map(() => (random.chance(0.3) ? 0 : random.between(-1.5, 1.5)))
    for (const body of nodes) {
      if (body.type !== 'dynamic') continue
      const [x, y, z] = body.position
      body.setPosition([x * scale[0], y * scale[1], z * scale[2]])
    }
  }
  return nodes
}

/** A world with a solid or two. */
export function solidWorld(random: Random, kernels?: Kernels): World {
  const order = random.chance(0.2) ? 'given' : 'outward'
  const world = new World({ ...optionsOf(random), order, ...(kernels !== undefined && { kernels }) })
  addSolid(world, random, 1 + random.below(3))
  if (random.chance(0.3)) addSolid(world, random, 1)
  return world
}
