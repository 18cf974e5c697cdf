/** Linear momentum of free scenes: nothing that solves, scales or stops motion may change it. */

import { axle } from '@tautline/constraints'
import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { momentumOff } from '../scenes/attack/free-joints.js'

/** Round-off over sixty steps, as a share of Σ m ‖v‖. */
const ROUND_OFF = 1e-9
const SEEDS = Array.from({ length: 12 }, (_, k) => 40 * k + 1)

describe('linear momentum of free scenes', () => {
  test.each([true, false])('an axle between a body and a particle takes none (guard %s)', (energyGuard) => {
    const world = new World({ gravity: [0, 0, 0], substeps: 4, energyGuard })
    const b = world.addBody({ mass: 0.6, position: [-1.9, -0.5, -0.9], velocity: [1, 1.5, -0.4] })
    const inertia = [0.08, 0.25, 0.24] as const
    const a = world.addBody({ mass: 2.8, inertia, position: [1, 0.4, 0.2], velocity: [0.6, -0.1, -0.9] })
    const axes = { axisA: [0.74, -0.09, -0.66], axisB: [-0.77, -0.18, -0.61] } as const
    world.add(axle, { a, b, ...axes, compliance: 0.004, damping: 26 })
    const start = world.momentum().linear
    for (let step = 0; step < 40; step++) world.step()
    world.momentum().linear.forEach((p, k) => {
      expect(Math.abs(p - start[k])).toBeLessThan(ROUND_OFF)
    })
  })

  test.each(['particle', 'locked'] as const)('an axle turns a body by a %s as it does by the world', (kind) => {
    const spinOf = (other: 'particle' | 'locked' | 'world'): number[] => {
      const world = new World({ gravity: [0, 0, 0], substeps: 4, energyGuard: false })
      const inertia = [0.08, 0.25, 0.24] as const
      const a = world.addBody({ mass: 2.8, inertia, position: [1, 0.4, 0.2] })
      const lockRotation = [true, true, true] as const
      const b =
        other === 'world' ? null : world.addBody({ mass: 0.6, ...(other === 'locked' && { inertia: 1, lockRotation }) })
      const axes = { axisA: [0.74, -0.09, -0.66], axisB: [-0.77, -0.18, -0.61] } as const
      world.add(axle, { a, b, ...axes, compliance: 0.004, damping: 26 })
      for (let step = 0; step < 60; step++) world.step()
      return [...a.angularVelocity]
    }
    const right = spinOf('world')
    spinOf(kind).forEach((w, k) => {
      expect(w).toBeCloseTo(right[k], 2)
    })
  })

  test.each(SEEDS)('forty random scenes from seed %i on keep it', (from) => {
    for (let seed = from; seed < from + 40; seed++) expect(momentumOff(seed), `seed ${seed}`).toBeLessThan(ROUND_OFF)
  })
})
