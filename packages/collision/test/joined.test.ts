/** Deep overlaps of what joints hold: pushed out without a speed that nothing gave. */

import { describe, expect, it } from 'vitest'
import { type Body, solidBox, World } from '@tautline/core'
import { ballSocket } from '../../constraints/src/index.js'
import { box, capsule, Collisions, plane } from '../src/index.js'

const LINKS = 6
const HALF = 0.15

/** A chain of capsules along x, of a tenth of the mass from link to link at its end, `depth` under the floor at its first. */
function chain(world: World, collisions: Collisions, height: number, velocity: [number, number, number]): Body[] {
  const links = Array.from({ length: LINKS }, (_, k) => {
    const mass = k === LINKS - 1 ? 0.4 : 4
    const body = world.addBody({
      position: [2 * HALF * k, height, 0],
      orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
      mass,
      inertia: solidBox(mass, [0.1, 2 * HALF, 0.1]),
      velocity,
    })
    collisions.addCollider(body, { shape: capsule(HALF - 0.04, 0.05) })
    return body
  })
  for (let k = 1; k < LINKS; k++)
    world.add(ballSocket, { a: links[k - 1], b: links[k], anchorA: [0, -HALF, 0], anchorB: [0, HALF, 0] })
  return links
}

describe('chains that begin deep in something', () => {
  it.each([1, 2, 4, 8])('of a moving one, no energy comes from what pushes it out: %d substeps', (substeps) => {
    const world = new World({ substeps })
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    // Steps up and down: each link is in by another depth, and the normals differ.
    for (let k = 0; k < 3; k++)
      collisions.addCollider(null, { shape: box([0.2, 0.25, 1]), position: [0.1 + 0.6 * k, 0.15, 0.9] })
    const links = chain(world, collisions, 0.2, [0.3, 0.5, 1.3])
    const start = world.energy()
    let gain = -Infinity
    let fastest = 0
    for (let k = 0; k < 60; k++) {
      world.step()
      const { kinetic, total } = world.energy()
      // Lifted out at rest it gains height, which was the user's to give; beyond that nothing.
      gain = Math.max(gain, kinetic - start.kinetic, kinetic > 1 ? total - start.total : -Infinity)
      for (const { velocity: v } of links) fastest = Math.max(fastest, Math.hypot(v[0], v[1], v[2]))
    }
    expect(gain).toBeLessThanOrEqual(0)
    expect(fastest).toBeLessThan(3)
  })

  it('two that overlap in the air keep their momenta, and gain nothing', () => {
    const world = new World({ substeps: 2 })
    const collisions = new Collisions(world)
    chain(world, collisions, 5, [0.3, 0.5, 1.3])
    chain(world, collisions, 5.03, [-0.2, 0, 1])
    const start = world.energy().total
    const before = world.momentum().linear
    const weight = before.map((_, k) => (world.settings.gravity[k] * 2 * (4 * (LINKS - 1) + 0.4)) / 60)
    for (let k = 1; k <= 30; k++) {
      world.step()
      const { linear } = world.momentum()
      for (let i = 0; i < 3; i++) expect(linear[i]).toBeCloseTo(before[i] + k * weight[i], 9)
      expect(world.energy().total).toBeLessThanOrEqual(start + 1e-9)
    }
  })
})
