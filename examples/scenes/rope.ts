/**
 * A rope with a weight a thousand times as heavy as one of its links, let go from the horizontal.
 *
 * Particles joined by distance rows. With masses so far apart, row by row the weight would pull the links out long before
 * the rows have told each other about it, so two things carry the load at once: one row over the whole length (Waterson
 * 10.1), and a tether from the hook to each node, no longer than the rope up to there.
 */

import { type Body, World } from '@tautline/core'
import { distance, tether, ropeLength } from '@tautline/constraints'
import { distanceBetween, type Scene, stepsIn, type Timing, withDefaults } from './scene.js'

export interface RopeParameters extends Timing {
  links: number
  /** [m] */
  linkLength: number
  /** [kg] */
  linkMass: number
  /** Mass of the weight at the end, in links. */
  ratio: number
  /** Whether one row holds the whole length. */
  totalLength: boolean
  /** Whether each node is tethered to the hook. */
  tethers: boolean
}

export const ROPE: RopeParameters = {
  links: 20,
  linkLength: 0.1,
  linkMass: 0.1,
  ratio: 1000,
  totalLength: true,
  tethers: true,
  dt: 1 / 60,
  substeps: 8,
  iterations: 1,
  seconds: 10,
}

/** The rope, hung up at the origin and stretched out along x. */
export function ropeScene(given: Partial<RopeParameters> = {}): Scene<RopeParameters> {
  const parameters = withDefaults('ropeScene', ROPE, given, ['links', 'linkLength', 'linkMass', 'ratio', 'seconds'])
  const { links, linkLength, linkMass, ratio, totalLength, tethers, dt, substeps, iterations } = parameters
  if (!Number.isInteger(links)) throw new RangeError(`ropeScene: links must be an integer, got ${links}`)
  const world = new World({ dt, substeps, iterations })
  const nodes: Body[] = [world.addParticle({ name: 'hook', mass: Infinity })]
  for (let i = 1; i <= links; i++) {
    const mass = i === links ? ratio * linkMass : linkMass
    nodes.push(world.addParticle({ position: [i * linkLength, 0, 0], mass }))
  }
  for (let i = 0; i < links; i++) world.add(distance, { a: nodes[i], b: nodes[i + 1] })
  if (totalLength) world.add(ropeLength, { bodies: nodes, mode: 'rope' })
  if (tethers) for (const node of nodes.slice(2)) world.add(tether, { a: node, b: nodes[0] })

  const rest = links * linkLength
  return {
    name: 'rope',
    parameters,
    world,
    dt,
    steps: stepsIn(parameters),
    picture: {
      shapes: [{ kind: 'sphere', body: nodes[links], radius: linkLength }],
      lines: nodes.slice(1).map((node, i) => [nodes[i], node] as const),
    },
    measure() {
      let length = 0
      let longest = 0
      for (let i = 0; i < links; i++) {
        const link = distanceBetween(world, nodes[i], nodes[i + 1])
        length += link
        longest = Math.max(longest, link)
      }
      return {
        stretch: length / rest - 1,
        figures: { 'longest link': { value: 100 * (longest / linkLength - 1), unit: '% over' } },
      }
    },
  }
}
