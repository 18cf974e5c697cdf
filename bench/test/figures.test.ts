import { describe, expect, it } from 'vitest'
import type { BodyData, SceneData } from '../rigid/data.js'
import { ballFigures, limitedFigures } from '../rigid/figures.js'
import { engine } from '../rigid/engines/tautline.js'
import { symmetric } from '../rigid/joints.js'
import { penetrationOf } from '../rigid/penetration.js'
import { placed, product } from '../rigid/pose.js'

/** What f64 leaves of a frame that is turned a few times. */
const ROUNDING = 1e-9

const poseOf = ({ position, orientation }: BodyData): Float64Array => Float64Array.of(...position, ...orientation)

function gapOf({ bodies, joints }: SceneData): number {
  const gaps = joints.map(({ a, b, anchorA, anchorB }) => {
    const p = placed(poseOf(bodies[a as number]), anchorA)
    const q = placed(poseOf(bodies[b]), anchorB)
    return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
  })
  return Math.max(...gaps)
}

describe.each([
  ['11 boxes', 11, () => ballFigures(3)],
  ['11 parts', 11, () => limitedFigures(3, 11)],
  ['15 parts', 15, () => limitedFigures(3, 15)],
  ['20 parts', 20, () => limitedFigures(3, 20)],
] as const)('figures of %s', (_, parts, make) => {
  const scene = make()
  const poses = scene.bodies.map(poseOf)

  it('hang together, and touch nothing', () => {
    expect(scene.bodies).toHaveLength(3 * parts)
    expect(scene.joints).toHaveLength(3 * (parts - 1))
    expect(gapOf(scene)).toBeLessThan(ROUNDING)
    expect(penetrationOf(scene, poses)).toBe(0)
  })

  it('are where Tautline makes them', () => {
    engine.setup(scene, 4)
    const pose = new Float64Array(7)
    for (const [i, expected] of poses.entries()) {
      engine.pose(i, pose)
      for (let k = 0; k < 3; k++) expect(pose[k]).toBeCloseTo(expected[k], 9)
      // q and −q are the same turn.
      const same = [3, 4, 5, 6].reduce((sum, k) => sum + pose[k] * expected[k], 0)
      expect(Math.abs(same)).toBeCloseTo(1, 9)
    }
  })
})

it('a swing made symmetric is as wide, about its middle', () => {
  const upright = [0, 0, 0, 1] as const
  const limits = { frameA: [...upright], frameB: [...upright], swingY: [-0.2, 0.6], swingZ: [0, 0], twist: [-1, 1] }
  const { frameA, halfY, halfZ } = symmetric(limits as never)
  expect(halfY).toBeCloseTo(0.4, 12)
  expect(halfZ).toBe(0)
  expect(product(frameA, [0, -Math.sin(0.1), 0, Math.cos(0.1)])[3]).toBeCloseTo(1, 12)
})
