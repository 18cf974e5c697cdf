/** Trees of joints that share a point, by the fast solution and by the general one, which is its oracle. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Body, solidBox, World } from '@tautline/core'
import { Random } from '../../../core/test/support/random.js'
import { runs } from '../../../core/test/support/runs.js'
import { SEED } from '../../../core/test/support/seed.js'
import { ballSocket, fixed, hinge, swingTwist, universal } from '../../src/index.js'

/** The same type without the fast solution: its trees are solved from `evaluate`. */
function general<Type extends { joint?: object }>(type: Type): Type {
  return { ...type, joint: { ...type.joint, articulate: undefined } }
}

const FAST = { ballSocket, fixed, hinge, swingTwist, universal }
const GENERAL = {
  ballSocket: general(ballSocket),
  fixed: general(fixed),
  hinge: general(hinge),
  swingTwist: general(swingTwist),
  universal: general(universal),
}

interface Options {
  readonly seed: number
  readonly links: number
  readonly masses: number
  readonly spin: number
  readonly grounded: boolean
}

/** A random tree of joints with limits, drives and friction, spun, in either way of solution. */
function tree(types: typeof FAST, { seed, links, masses, spin, grounded }: Options) {
  const random = new Random(seed)
  const world = new World({ substeps: 4, jointTolerance: EXACT, energyGuard: false })
  const bodies: Body[] = []
  const ends: [number, number, number][] = []
  for (let k = 0; k < links; k++) {
    const mass = 10 ** random.between(0, masses)
    const up = k === 0 ? -1 : Math.floor(random.between(0, k))
    const base = up < 0 ? ([0, 0, 0] as const) : ends[up]
    const way = random.vector(0.4)
    const [x, y, z] = base
    bodies.push(
      world.addBody({
        position: [x + 0.5 * way[0], y + 0.5 * way[1], z + 0.5 * way[2]],
        mass,
        inertia: solidBox(mass, [0.3, 0.2, 0.1]),
      }),
    )
    ends.push([x + way[0], y + way[1], z + way[2]])
    if (up < 0 && !grounded) continue
    const pair = { a: up < 0 ? null : bodies[up], b: bodies[k], point: base }
    const axis = random.vector(1)
    const range = { min: -0.3, max: 0.2 }
    switch (Math.floor(random.between(0, 6))) {
      case 0:
        world.add(types.ballSocket, pair)
        break
      case 1:
        world.add(types.fixed, pair)
        break
      case 2:
        world.add(types.hinge, { ...pair, axis, limits: range })
        break
      case 3:
        world.add(types.hinge, { ...pair, axis, drive: { stiffness: 5 * mass, damping: 0.5 * mass } })
        break
      case 4:
        world.add(types.swingTwist, { ...pair, axis, swing: { y: range, z: range }, twist: range })
        break
      default:
        world.add(types.universal, { ...pair, axisA: axis })
    }
  }
  for (const body of bodies) {
    body.setAngularVelocity(random.vector(spin))
    body.setVelocity(random.vector(0.1 * spin))
  }
  world.project()
  return { world, bodies }
}

/** `jointTolerance` that solves to round-off [m, rad]. */
const EXACT = 1e-9
/**
 * How far poses may differ after a step of four substeps, as a share of the way of the fastest body [-]: Newton's method ends in both when a step leaves 10⁻⁹ of
 * its second order, and light bodies are displaced by what heavy ones leave.
 */
const APART = 1e-5
const STEPS = 1

/** Largest difference of position, and largest way from the start [m]. */
function compare(options: Options): { difference: number; way: number } {
  const fast = tree(FAST, options)
  const slow = tree(GENERAL, options)
  const start = fast.bodies.map(({ position }) => [...position])
  for (let step = 0; step < STEPS; step++) {
    fast.world.step()
    slow.world.step()
  }
  let difference = 0
  let way = 1e-2
  fast.bodies.forEach((body, k) => {
    for (let c = 0; c < 3; c++) {
      difference = Math.max(difference, Math.abs(body.position[c] - slow.bodies[k].position[c]))
      way = Math.max(way, Math.abs(body.position[c] - start[k][c]))
    }
  })
  return { difference, way }
}

describe(`fast and general solution of a tree (seed ${SEED})`, () => {
  test('move bodies alike', () => {
    const property = fc.property(
      fc.record({
        seed: fc.integer({ min: 0, max: 1e6 }),
        links: fc.integer({ min: 2, max: 12 }),
        masses: fc.double({ min: 0, max: 6, noNaN: true }),
        spin: fc.double({ min: 0, max: 5, noNaN: true }),
        grounded: fc.boolean(),
      }),
      (options) => {
        const { difference, way } = compare(options)
        expect(difference).toBeLessThanOrEqual(APART * way)
      },
    )
    fc.assert(property, { seed: SEED, numRuns: runs(200) })
  })
})
