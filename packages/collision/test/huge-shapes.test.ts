/** Shapes of finite numbers that no step and no constructor may stall on. */

import { World } from '@tautline/core'
import { box, capsule, Collisions, convexHull, heightfield, sphere, triangleMesh } from '@tautline/collision'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { workOf } from '../../core/test/support/work-of.js'
import { endManifolds, beginManifolds, nextTriangle } from '../src/detect/narrow/surface-manifolds.js'
import { ManifoldList } from '../src/detect/narrow/manifold.js'

/** Growth of the work per triangle from one to eight times as many: 1 to 1.7 as n log n, 8 where it is quadratic. */
const LINEAR = 3

describe('huge shapes', () => {
  it('are refused by name and value', () => {
    const grid = { columns: 2, rows: 2, cellX: 1, cellZ: 1 }
    expect(() => heightfield({ ...grid, heights: [1e160, 0, 0, 0] })).toThrow(/heightfield: heights\[0\].*1e\+160/)
    expect(() => heightfield({ ...grid, cellX: 1e200, heights: [0, 0, 0, 0] })).toThrow(/cellX.*1e\+200/)
    expect(() => sphere(1e200)).toThrow(RangeError)
    expect(() => capsule(1, 1e31)).toThrow(/capsule: halfHeight.*1e\+31/)
    expect(() => box([1, 1e300, 1])).toThrow(/box: halfExtents\[1\].*1e\+300/)
    expect(() => triangleMesh([0, 0, 0, 1e40, 0, 0, 0, 1, 0], [0, 1, 2])).toThrow(/vertices\[3\].*1e\+40/)
    expect(() =>
      convexHull([
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1e40],
      ]),
    ).toThrow(/points\[3\]\[2\].*1e\+40/)
  })

  it('step to an end under a sphere, whatever the heights', () => {
    const size = fc
      .integer({ min: -30, max: 30 })
      .chain((e) => fc.double({ min: -1, max: 1, noNaN: true }).map((x) => x * 10 ** e))
    fc.assert(
      fc.property(fc.array(size, { minLength: 4, maxLength: 4 }), size, (heights, radius) => {
        const world = new World({ substeps: 1 })
        const collisions = new Collisions(world)
        collisions.addCollider(null, { shape: heightfield({ heights, columns: 2, rows: 2, cellX: 1, cellZ: 1 }) })
        const body = world.addBody({ mass: 1, inertia: 1, position: [0, heights[0], 0] })
        collisions.addCollider(body, { shape: sphere(Math.max(Math.abs(radius), 1e-3)) })
        world.step()
      }),
      { numRuns: 200, seed: 16 },
    )
  })
})

describe('patches', () => {
  it('take contacts whose normals are no unit vectors', () => {
    for (const normal of [
      [0, 0, 0],
      [NaN, 0, 0],
      [0.1, 0, 0],
    ]) {
      beginManifolds()
      for (let k = 0; k < 2; k++) {
        const manifold = nextTriangle()
        manifold.normal.set(normal)
        manifold.count = 1
        manifold.separation[0] = -0.1 * k
      }
      const list = new ManifoldList()
      endManifolds(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), list)
      expect(list.count).toBe(2)
    }
  })
})

describe('triangleMesh', () => {
  it('does work that is linear in triangles that are equal, share a corner or share an edge', async () => {
    const growth = await workOf(new URL('./support/mesh-work.ts', import.meta.url))
    for (const [name, work] of Object.entries(growth)) expect(work, name).toBeLessThan(LINEAR)
  })
})
