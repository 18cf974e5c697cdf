/** Where a pose puts points of bones. */

import { describe, expect, test } from 'vitest'
import { Pose, Rig, WorldPose } from '../src/index.js'

/** Of sums of a few products near 1. */
const ROUND_OFF = 1e-15

describe('where a point of a bone is', () => {
  const tip = [0.5, 0, 0] as const
  const rig = Rig.from([
    { name: 'a', parent: null, position: [0, 0, 0], tip },
    { name: 'b', parent: 'a', position: [0.5, 0, 0], tip },
    { name: 'c', parent: 'b', position: [0.5, 0, 0], tip },
  ])
  const pose = new Pose(rig)
  // a by a quarter about z, b by one about x.
  pose.rotations.set([0, 0, Math.SQRT1_2, Math.SQRT1_2, Math.SQRT1_2, 0, 0, Math.SQRT1_2])
  const world = new WorldPose(rig).update(rig, pose)

  test('by name or row, its joint or a point of it', () => {
    for (const bone of ['b', 1]) {
      near(world.point(bone), [0, 0.5, 0])
      // x → y; y → z by b's own turn; z → −y, and that → x by a's.
      near(world.point(bone, [0.1, 0.2, 0.3]), [0.3, 0.6, 0.2])
    }
  })

  test('into what is handed in, which is returned', () => {
    const out = new Float64Array(3)
    expect(world.point('c', [0.5, 0, 0], out)).toBe(out)
    near(out, [0, 1.5, 0])
    const same: [number, number, number] = [0.5, 0, 0]
    near(world.point('c', same, same), [0, 1.5, 0])
  })

  test('of no bone there is none', () => {
    expect(() => world.point('e')).toThrow('WorldPose.point: bone must be one of the rig, got e')
  })

  function near(got: ArrayLike<number>, want: readonly number[]): void {
    want.forEach((x, k) => expect(Math.abs(got[k] - x)).toBeLessThan(ROUND_OFF))
  }
})
