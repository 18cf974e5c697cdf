import { describe, expect, it } from 'vitest'
import { cloth } from '@tautline/assemblies'
import { World } from '@tautline/core'
import { uvSphere } from './support/meshes.js'

/** Drift of a balloon in five seconds [m]. */
const DRIFT = 1e-3
/** Stretch of rigid threads at the default substeps, at 500 Pa [-]. */
const STRETCH = 0.12

describe('a balloon of cloth in still air', () => {
  it('stays where it is: drag of the quivers of its vertices does not push it', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const balloon = cloth(world, { ...uvSphere(20, 14, 0.3), pressure: 500, drag: 1 })
    const [x, y, z] = balloon.centre
    for (let step = 0; step < 300; step++) world.step()
    const [px, py, pz] = balloon.centre
    expect(Math.hypot(px - x, py - y, pz - z)).toBeLessThan(DRIFT)
  })

  it('does not open along a seam of its rings', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const balloon = cloth(world, { ...uvSphere(20, 14, 0.3), pressure: 500 })
    for (let step = 0; step < 60; step++) world.step()
    expect(balloon.measure().stretch.max).toBeLessThan(STRETCH)
  })
})
