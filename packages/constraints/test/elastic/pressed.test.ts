/** What the guard lets swept elements give back: what was lost to them, and what they were made with; not what surfaces pressed into them. */

import { type Body, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { neoHookean } from '../../src/index.js'
import { addBlock, block } from '../support/blocks.js'

/** What T may grow by of itself, and what is too slow to be looked at [J]: `GROWTH` and `SLOW` of the guard. */
const GROWTH = 3e-3
const SLIGHT = 1e-5
/** Share of a release that a scheme of first order keeps in its first swing. */
const KEPT = 0.3

const DT = 1 / 60

/** Moves all bodies towards their middle, and so that they seem to have been there: what surfaces do after all sweeps. */
function press(world: World, bodies: readonly Body[], scale: number): void {
  const columns = world.bodies.columns
  let isDone = false
  world.solvers.push({
    name: 'presses',
    gather() {},
    solve() {},
    endSubstep() {
      if (isDone) return
      isDone = true
      const { position, startPosition } = columns
      for (let axis = 0; axis < 3; axis++) {
        const middle = bodies.reduce((sum, { index }) => sum + position[4 * index + axis], 0) / bodies.length
        for (const { index } of bodies) {
          const moved = (scale - 1) * (position[4 * index + axis] - middle)
          position[4 * index + axis] += moved
          startPosition[4 * index + axis] += moved
        }
      }
    },
  } as never)
}

describe('swept elements give back', () => {
  test('nothing of what they were pressed to after all sweeps', () => {
    const world = new World({ gravity: [0, 0, 0], solver: 'sweep' })
    const bodies = addBlock(world, block(2, 2, 2), 0.1, 1000, { youngsModulus: 1e5 })
    for (const body of bodies.slice(0, 9)) body.setVelocity([0, 0, -0.2])
    const start = world.energy().kinetic
    for (let k = 0; k < 10; k++) world.step(DT)
    press(world, bodies, 0.8)
    world.step(DT)
    // It was pressed: there would be much to give.
    expect(world.energy().elastic).toBeGreaterThan(100 * start)
    for (let k = 0; k < 60; k++) {
      world.step(DT)
      expect(world.energy().kinetic).toBeLessThan((1 + GROWTH) * start + SLIGHT)
    }
  })

  test('what they were made with', () => {
    const world = new World({ gravity: [0, 0, 0], solver: 'sweep' })
    const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    const bodies = [0, 1, 2, 3].map((k) =>
      world.addParticle({ position: corners.slice(3 * k, 3 * k + 3).map((x) => 0.8 * x), mass: 1 }),
    )
    world.add(neoHookean, { bodies, youngsModulus: 1e3, edges: corners.slice(3) })
    const stored = world.energy().elastic
    let most = 0
    for (let k = 0; k < 60; k++) {
      world.step(DT)
      most = Math.max(most, world.energy().kinetic)
    }
    expect(stored).toBeGreaterThan(1)
    expect(most).toBeGreaterThan(KEPT * stored)
  })

  test('what a load stored in them, however long it lay there', () => {
    const world = new World({ gravity: [0, 0, -10], solver: 'sweep' })
    const foot = [0, 1, 2].map((k) =>
      world.addParticle({ position: [k === 1 ? 1 : 0, k === 2 ? 1 : 0, 0], mass: Infinity }),
    )
    const top = world.addParticle({ position: [0, 0, 1], mass: 1 })
    world.add(neoHookean, { bodies: [...foot, top], youngsModulus: 500, damping: 0.05 })
    for (let k = 0; k < 180 * 60; k++) world.step(DT)
    const sag = 1 - top.position[2]
    expect(sag).toBeGreaterThan(0.05)
    world.settings.gravity.fill(0)
    let most = 0
    for (let k = 0; k < 60; k++) {
      world.step(DT)
      most = Math.max(most, top.position[2] - 1)
    }
    expect(most).toBeGreaterThan(KEPT * sag)
  })
})
