/** Figures that fall on floors of no thickness stay above them: what comes down on a foot is stopped by what stops the foot. */

import { ragdoll, ragdollAsset } from '@tautline/assemblies'
import { box, Collisions, heightfield, plane, type Shape, triangleMesh } from '@tautline/collision'
import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { mannequinFigure, random, randomTurn } from '../reports/ragdolls/figures.js'
import { IS_THOROUGH, sample } from '../lib/thorough.js'

/** A foot's middle is 0.04 m above its sole: one that is lower than this has gone through [m]. */
const THROUGH = 0
/** What a middle may be below at worst while it is struck, where there is ground all the way down: a foot's half height [m]. */
const SUNK = -0.04
const SECONDS = 1.4

const FLOORS: Readonly<Record<string, () => { shape: Shape; position?: [number, number, number] }>> = {
  plane: () => ({ shape: plane([0, 1, 0], 0) }),
  mesh: () => ({
    shape: triangleMesh([-20, 0, -20, 20, 0, -20, 20, 0, 20, -20, 0, 20], [0, 2, 1, 0, 3, 2]),
  }),
  heightfield: () => ({
    shape: heightfield({ heights: new Array<number>(1681).fill(0), rows: 41, columns: 41, cellX: 1, cellZ: 1 }),
  }),
  'board of 4 cm': () => ({ shape: box([20, 0.02, 20]), position: [0, -0.02, 0] }),
}

describe.each(Object.keys(FLOORS))('dropped on a %s', (floor) => {
  test.each(
    sample(
      [
        [4, 2.5],
        [8, 4],
      ],
      2,
    ),
  )('at %i substeps from %i m', async (substeps, height) => {
    const man = await mannequinFigure()
    const asset = ragdollAsset(man.source, man.options)
    for (let seed = 0; seed < (IS_THOROUGH ? 2 : 1); seed++) {
      const world = new World({ substeps })
      new Collisions(world).addCollider(null, FLOORS[floor]())
      const orientation = seed === 0 ? ([0, 0, 0, 1] as const) : randomTurn(random(seed))
      const doll = ragdoll(world, asset, { position: [0, height, 0], orientation })
      const start = world.energy().total
      let lowest = Infinity
      for (let k = 0; k < 60 * SECONDS; k++) {
        world.step()
        lowest = Math.min(lowest, ...doll.bodies.map(({ position }) => position[1]))
      }
      expect(Math.min(...doll.bodies.map(({ position }) => position[1])), `seed ${seed}`).toBeGreaterThan(THROUGH)
      expect(lowest, `seed ${seed}`).toBeGreaterThan(SUNK)
      expect(world.energy().total, `seed ${seed}`).toBeLessThanOrEqual(start)
    }
  })
})
