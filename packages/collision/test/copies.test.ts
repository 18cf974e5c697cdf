/**
 * A pile does the same as each of several in the same place that do not meet: manifolds and islands keep to their own numbers. Without
 * restitution: impacts are shared out over all that rebound at once.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ballSocket } from '../../constraints/src/index.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { box, plane, sphere } from '../src/index.js'
import { SHAPES } from './support/pile.js'
import { run, scene, type Scene } from './support/scene.js'

const COPIES = 2
/** Until the first have fallen and begun to lie still on each other. */
const STEPS = 30
const FLOOR = 1 << 30

/** What is thrown onto the floor of a world, on a layer of its own: it meets that and the floor. */
type Throw = (s: Scene, random: Random, layer: number) => void

const THROWS: Record<string, Throw> = {
  'a stack of boxes': ({ collisions }, random, layer) => {
    for (let k = 0; k < 5; k++) {
      const position = [random.between(-0.05, 0.05), 0.21 + 0.41 * k, random.between(-0.05, 0.05)] as const
      collisions.addBody({ shape: box([0.3, 0.2, 0.25]), position, friction: 0.6, layer, mask: layer | FLOOR })
    }
  },
  'one of every shape, which roll': ({ collisions }, random, layer) => {
    SHAPES.forEach((shape, k) => {
      collisions.addBody({
        shape: shape(),
        position: [random.between(-0.3, 0.3), 0.5 + 0.4 * k, random.between(-0.3, 0.3)],
        orientation: random.rotation(),
        velocity: random.vector(2),
        angularVelocity: random.vector(5),
        friction: 0.7,
        dynamicFriction: 0.5,
        rollingFriction: 0.02,
        torsionalFriction: 0.03,
        layer,
        mask: layer | FLOOR,
      })
    })
  },
  'a chain with weights': ({ world, collisions }, random, layer) => {
    const links = [0, 1, 2, 3].map((k) =>
      collisions.addBody({
        shape: sphere(0.15),
        position: [0.35 * k, 0.3, 0],
        velocity: random.vector(3),
        rollingFriction: 0.05,
        torsionalFriction: 0.05,
        layer,
        mask: layer | FLOOR,
      }),
    )
    for (let k = 1; k < links.length; k++) {
      world.add(ballSocket, { a: links[k - 1], b: links[k], point: [0.35 * k - 0.175, 0.3, 0] })
    }
  },
}

function numbers({ world }: Scene): number[][] {
  return world.bodies
    .all()
    .map((body) => [body.position, body.orientation, body.velocity, body.angularVelocity].flatMap((v) => Array.from(v)))
}

function thrown(what: Throw, seed: number, copies: number, substeps: number): Scene {
  const s = scene({ substeps })
  s.collisions.addCollider(null, { shape: plane([0, 1, 0]), layer: FLOOR })
  for (let k = 0; k < copies; k++) what(s, new Random(seed), 1 << k)
  run(s, STEPS)
  return s
}

describe.each(Object.keys(THROWS))('%s', (name) => {
  test(`of several is as it is alone (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(2, 4), (seed, substeps) => {
        const alone = numbers(thrown(THROWS[name], seed, 1, substeps))
        const several = numbers(thrown(THROWS[name], seed, COPIES, substeps))
        several.forEach((body, k) => expect(body).toEqual(alone[k % alone.length]))
      }),
      { seed: SEED, numRuns: 2 },
    )
  })
})
