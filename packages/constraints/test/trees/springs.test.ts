import { describe, expect, test } from 'vitest'
import { solidBox, World, type Body, type Constraint } from '@tautline/core'
import { Random } from '../../../core/test/support/random.js'
import { SEED } from '../../../core/test/support/seed.js'
import { ballSocket, hinge } from '../../src/index.js'
import { worst } from './support.js'

/** Links of half a metre in a row along x, every third joint a spring of 10⁻⁵ to 10⁻³ m/N. */
function softChain(random: Random, links: number, gravity: number) {
  const world = new World({ substeps: 1, gravity: [0, gravity, 0] })
  const bodies: Body[] = []
  const rigid: Constraint[] = []
  for (let k = 0; k < links; k++) {
    const mass = 10 ** random.between(0, 3)
    bodies.push(world.addBody({ position: [0.5 * k + 0.25, 0, 0], mass, inertia: solidBox(mass, [0.5, 0.1, 0.1]) }))
    if (k === 0) continue
    const compliance = k % 3 === 0 ? 10 ** random.between(-5, -3) : 0
    const pair = { a: bodies[k - 1], b: bodies[k], point: [0.5 * k, 0, 0] as const, compliance }
    const joint = k % 2 === 0 ? world.add(hinge, { ...pair, axis: [0, 1, 1] }) : world.add(ballSocket, pair)
    if (compliance === 0) rigid.push(joint)
  }
  return { world, bodies, rigid }
}

/** Most solves a pass in the mean of all chains; they are 4, and 35 by levers to the middle of δp. */
const SOLVES = 6
/** Share of the passes that may be repeated in halves; 0.001 is, and 0.29 by levers to the middle. */
const HALVED = 0.02
const CHAINS = 10
const STEPS = 60

describe(`springs in trees (seed ${SEED})`, () => {
  test('a chain that spins its soft points metres apart is solved in a few solves', () => {
    const passes = CHAINS * STEPS
    let solves = 0
    let halved = 0
    let unsolved = 0
    for (let seed = 1; seed <= CHAINS; seed++) {
      const random = new Random(SEED + seed)
      const { world, bodies } = softChain(random, 9, 0)
      const [x, y, z] = random.vector(30)
      for (const body of bodies) {
        const [px, py, pz] = body.position
        body.setVelocity([y * pz - z * py, z * px - x * pz, x * py - y * px])
        body.setAngularVelocity([x, y, z])
      }
      for (let step = 0; step < STEPS; step++) {
        world.step()
        solves += world.report.direct.solves
        halved += world.report.direct.halved
        unsolved += world.report.direct.unsolved
      }
    }
    expect(solves / passes).toBeLessThan(SOLVES)
    expect(halved / passes).toBeLessThan(HALVED)
    expect(unsolved).toBe(0)
  })

  test('a repair leaves springs as they are stretched', () => {
    for (let seed = 1; seed <= CHAINS; seed++) {
      const random = new Random(SEED + seed)
      const { world, bodies, rigid } = softChain(random, 9, 0)
      for (const body of bodies) {
        const off = random.vector(0.02)
        body.setPosition([body.position[0] + off[0], body.position[1] + off[1], body.position[2] + off[2]])
      }
      const before = world.energy().total
      world.step()
      expect(worst(rigid)).toBeLessThan(MET)
      expect(world.energy().total).toBeLessThan(before * (1 + ROUNDING))
    }
  })
})

/** A solved joint [m, rad]. */
const MET = 1e-8
/** Of what springs hold, in the sum. */
const ROUNDING = 1e-6
