/** Work of the direct solver on random trees and nets: what recorded counters of passes and solves once guarded, as bounds. */

import { describe, expect, test } from 'vitest'
import { SMALL_WORLDS } from './support/small-worlds.js'

/** Worlds of each kind: enough that a change of one of them moves no mean by more than a few per cent. */
const WORLDS = 40

interface Effort {
  /** Solves of a tree or net in a substep. */
  solves: number
  /** Share of substeps that were halved. */
  halved: number
  /** Components in which the energy guard acted, a step. */
  guarded: number
  nonFinite: number
}

function effortOf(kind: string): Effort {
  const sum = { substeps: 0, steps: 0, solves: 0, halved: 0, guarded: 0, nonFinite: 0 }
  for (let k = 0; k < WORLDS; k++) {
    const { world, steps, dt } = SMALL_WORLDS[`${kind} ${k}`]()
    for (let step = 0; step < steps; step++) {
      world.step(dt)
      const { direct, guard, nonFinite } = world.report
      sum.steps++
      sum.substeps += world.settings.substeps * direct.trees
      sum.solves += direct.solves
      sum.halved += direct.halved
      sum.guarded += guard.components
      sum.nonFinite += nonFinite.length
    }
  }
  return {
    solves: sum.solves / sum.substeps,
    halved: sum.halved / sum.substeps,
    guarded: sum.guarded / sum.steps,
    nonFinite: sum.nonFinite,
  }
}

describe('small random worlds take no more work than they did', () => {
  // A tenth to a third above the measured 19.7, 0.030, 0.044 of trees, and 4.2, 0, 0.041 of nets, loops that `auto` takes included.
  test.each([
    ['tree', { solves: 22, halved: 0.04, guarded: 0.06 }],
    ['net', { solves: 4.7, halved: 0, guarded: 0.06 }],
  ])('%s', (kind, bounds) => {
    const { solves, halved, guarded, nonFinite } = effortOf(kind)
    expect(nonFinite).toBe(0)
    expect(solves).toBeLessThanOrEqual(bounds.solves)
    expect(halved).toBeLessThanOrEqual(bounds.halved)
    expect(guarded).toBeLessThanOrEqual(bounds.guarded)
  })
})
