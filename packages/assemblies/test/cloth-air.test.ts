import { expect, it } from 'vitest'
import { cloth } from '@tautline/assemblies'
import { World } from '@tautline/core'
import { uvSphere } from './support/meshes.js'

/** Speed that solver noise gives a balloon by its drag [m/s]: at 32 substeps 0.0003. */
const NOISE = 1e-3

it('drag does not take pressure away: a balloon in still air stays where it is', () => {
  const world = new World({ gravity: [0, 0, 0], substeps: 32 })
  const balloon = cloth(world, { ...uvSphere(24, 16, 0.3), pressure: 500, drag: 1 })
  const [x, y, z] = balloon.centre
  for (let step = 0; step < 60; step++) world.step()
  const [px, py, pz] = balloon.centre
  expect(Math.hypot(px - x, py - y, pz - z)).toBeLessThan(NOISE)
})
