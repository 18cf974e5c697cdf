/** The scenes on which the two schools are compared: a world, and one error [m] that says how far it is from what is right. */

import type { Body, WorldOptions } from '@tautline/core'
import type { ComparedWorld, ComparisonScene } from '@tautline/impulse-compat'
import type { Triple } from '../contacts/layouts.js'
import { gaps } from '../contacts/overlap.js'
import { cubeOnCubes, heavyTops } from '../contacts/ratios.js'
import { type ContactScene, positionsOf } from '../contacts/scene.js'
import { arch, cardHouse } from '../contacts/stacks.js'
import { bridge, freeChain, heavyChain, jointGap, jointGrid, stretchedChain } from './chains.js'
import { intersectingStack } from './cubes.js'
import { frictionRamp } from './friction-ramp.js'
import type { JointScene } from './joints.js'

/** Distance of the centres from where they have to be [m]; the farthest, or NaN. */
export function farthest(bodies: readonly Body[], places: readonly Triple[]): number {
  return bodies.reduce((most, { position }, k) => {
    const [x, y, z] = places[k]
    return Math.max(most, Math.hypot(position[0] - x, position[1] - y, position[2] - z))
  }, 0)
}

function jointed(name: string, seconds: number, make: (options: WorldOptions) => JointScene): ComparisonScene {
  const build = (options: WorldOptions): ComparedWorld => {
    const scene = make(options)
    return { world: scene.world, error: () => jointGap(scene) }
  }
  return { name, unit: 'm', seconds, about: 'worst joint gap', read: 'worst', build }
}

/** What has to stay where it is. Distance, not depth: a body that is thrown up is in error too. */
function standing(name: string, seconds: number, make: (options: WorldOptions) => ContactScene): ComparisonScene {
  const build = (options: WorldOptions): ComparedWorld => {
    const { world, bodies } = make(options)
    const starts = positionsOf(bodies)
    return { world, error: () => farthest(bodies, starts) }
  }
  return { name, unit: 'm', seconds, about: 'farthest from where it was put', read: 'last', build }
}

/** All of them. Options are the world's; nothing sleeps. */
export const comparisonScenes: readonly ComparisonScene[] = [
  jointed('chain 1:1', 5, (options) => heavyChain(1, options)),
  jointed('chain 1:100', 5, (options) => heavyChain(100, options)),
  jointed('chain 1:10 000', 5, (options) => heavyChain(10_000, options)),
  { ...jointed('free chain', 5, (options) => freeChain(options)), isolated: true },
  jointed('bridge', 5, (options) => bridge(160, options)),
  { ...jointed('stretched chain', 5, (options) => stretchedChain(40, options)), read: 'last' },
  jointed('joint grid', 5, (options) => jointGrid(20, options)),
  {
    name: 'overlap stack',
    unit: 'm',
    seconds: 2,
    about: 'largest gap or overlap of faces that have to touch',
    read: 'last',
    build(options) {
      const scene = intersectingStack(options)
      const error = (): number => {
        const { gap, overlap } = gaps(scene)
        return Math.max(gap, overlap)
      }
      return { world: scene.world, error }
    },
  },
  {
    name: 'friction ramp',
    unit: 'm',
    seconds: 4,
    about: 'farthest from where Coulomb has it stand or stop',
    read: 'last',
    build(options) {
      const { world, bodies, ends } = frictionRamp(options)
      return { world, error: () => farthest(bodies, ends) }
    },
  },
  standing('card house', 5, (options) => cardHouse(5, options)),
  standing('arch', 5, (options) => arch(options)),
  standing('high mass ratio 1', 3, (options) => heavyTops(options)),
  standing('high mass ratio 2', 5, (options) => cubeOnCubes(options)),
]
