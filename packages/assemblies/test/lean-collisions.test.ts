/** Assemblies in worlds whose collisions have some parts only. */

import { cloth, rope } from '@tautline/assemblies'
import { LeanCollisions, particles, plane, selfCollision, particleSets } from '@tautline/collision'
import { LeanWorld } from '@tautline/core'
import { expect, test } from 'vitest'
import { sheet } from './support/meshes.js'

test('cloth that collides is refused without particles, and made with them or where it does not collide', () => {
  const bare = new LeanWorld()
  new LeanCollisions(bare)
  expect(() => cloth(bare, { ...sheet(3, 3, 1) })).toThrow(/collides must be false in a world whose collisions are/)
  expect(bare.bodies.all()).toEqual([])
  expect(() => cloth(bare, { ...sheet(3, 3, 1), collides: false })).not.toThrow()

  const world = new LeanWorld()
  const collisions = new LeanCollisions(world, { parts: [particles] })
  cloth(world, { ...sheet(3, 3, 1) })
  expect(particleSets(collisions)).toHaveLength(1)
})

test('cloth and rope that touch themselves are refused without selfCollision', () => {
  const world = new LeanWorld()
  new LeanCollisions(world, { parts: [particles] })
  expect(() => cloth(world, { ...sheet(3, 3, 1), selfCollision: 'vertices' })).toThrow(/without the part selfCollision/)
  expect(world.bodies.all()).toEqual([])
  const points = [0, 1, 0, 1, 1, 0, 2, 1, 0]
  expect(() => rope(world, { points, selfCollision: true })).toThrow(/without the part selfCollision/)

  const whole = new LeanWorld()
  const collisions = new LeanCollisions(whole, { parts: [particles, selfCollision] })
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  cloth(whole, { ...sheet(3, 3, 1), selfCollision: 'surface' })
  whole.step()
  expect(particleSets(collisions)[0].selfCollision).toBe('surface')
})

test('a rope holds its load in a world without joint trees', () => {
  const world = new LeanWorld()
  const load = world.addParticle({ position: [0, 0, 0], mass: 5 })
  const hanging = rope(world, { points: [0, 1, 0, 0, 0, 0], start: 'world', end: load, mass: 0.2 })
  for (let step = 0; step < 120; step++) world.step()
  expect(world.solvers).toEqual([])
  // One line of segments is swept, so that a load of 25 times the mass of the rope stretches it a little.
  expect(load.position[1]).toBeGreaterThan(-0.03)
  expect(hanging.length).toBeCloseTo(1, 9)
})
