/** A world in the worker of a page, in a real browser: the bits of this thread, with shared memory and without. */

import { box, Collisions, plane } from '@tautline/collision'
import { hinge } from '@tautline/constraints'
import { World } from '@tautline/core'
import { expect, test } from 'vitest'
import { findChromium } from '../lib/chromium.js'
import { openWorkerPage } from '../lib/worker-page.js'
import type { WorkerPage } from '../worker-page/page.js'

declare const workerPage: WorkerPage

const STEPS = 90

function scene(): World {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  const bodies = [0, 1, 2, 3].map((k) =>
    collisions.addBody({ shape: box([0.4, 0.2, 0.3]), origin: [0.9 * k, 1 + k, 0] }),
  )
  world.add(hinge, { a: bodies[0], b: bodies[1], point: [0.45, 1.5, 0], axis: [0, 0, 1] })
  return world
}

test.skipIf(findChromium() === undefined).each([true, false])(
  'a page that is cross-origin isolated (%s)',
  async (isolated) => {
    const { page, close } = await openWorkerPage(isolated)
    try {
      const world = scene()
      const text = JSON.stringify(world)
      for (let step = 0; step < STEPS; step++) world.step()
      expect(await page.evaluate(() => workerPage.isolated)).toBe(isolated)
      for (const poses of ['auto', 'transferred'] as const) {
        const found = await page.evaluate(
          ([json, steps, way]) => workerPage.hash(json as string, steps as number, way as 'auto'),
          [text, STEPS, poses],
        )
        expect(found).toEqual({ hash: world.hash(), shared: isolated && poses === 'auto', shown: STEPS })
      }
      const counted = await page.evaluate((json) => workerPage.frames(json, 0.5, 'worker'), text)
      expect(counted.due).toBeGreaterThan(20)
      expect(counted.steps).toBeGreaterThan(0)
    } finally {
      await close()
    }
  },
  120_000,
)
