/** Baking: keys lie within the tolerance of every sample, and there are few of them. */

import { rotationBetween, rotate } from '@tautline/core/kernel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { bake, readBaked } from '../src/bake.js'
import { IkSolver, Pose, PositionGoal, Rig } from '../src/index.js'

/** What float32 leaves of a unit quaternion [rad], and of a time times the speed of a motion. */
const SINGLE = 1e-6

function chain(count: number): Rig {
  return Rig.from(
    Array.from({ length: count }, (_, i) => ({
      name: `bone ${i}`,
      parent: i === 0 ? null : i - 1,
      position: [i === 0 ? 0 : 1, 0, 0] as const,
      tip: [1, 0, 0] as const,
    })),
  )
}

const times = (n: number, rate = 60): number[] => Array.from({ length: n }, (_, k) => k / rate)

/** Largest difference of a bake from poses [rad or m]. */
function missed(
  rig: Rig,
  baked: ReturnType<typeof bake>,
  at: readonly number[],
  poses: readonly Pose[],
): [number, number] {
  const v = new Float64Array(3)
  const pose = new Pose(rig)
  let [angle, distance] = [0, 0]
  poses.forEach((given, k) => {
    readBaked(rig, baked, at[k], pose)
    for (let i = 0; i < rig.count; i++) {
      rotationBetween(pose.rotations, 4 * i, given.rotations, 4 * i, v, 0)
      angle = Math.max(angle, Math.hypot(...v))
      const off = [0, 1, 2].map((c) => pose.positions[3 * i + c] - given.positions[3 * i + c])
      distance = Math.max(distance, Math.hypot(...off))
    }
  })
  return [angle, distance]
}

describe(`baking (seed ${SEED})`, () => {
  it('stays within its tolerance of every sample, whatever the motion', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.constantFrom('float32', 'float64'),
        fc.constantFrom(0, 1e-3, 0.05),
        (seed, precision, tolerance) => {
          const random = new Random(seed)
          const rig = chain(3)
          const at = times(1 + random.below(60))
          const poses: Pose[] = []
          const baked = bake(
            rig,
            at,
            (_time, _k, pose) => {
              for (let i = 0; i < 2; i++) {
                rotate(
                  pose.rotations,
                  4 * i,
                  ...(random.vector(random.chance(0.1) ? 3 : 0.1) as [number, number, number]),
                )
                if (random.chance(0.1)) for (let c = 4 * i; c < 4 * i + 4; c++) pose.rotations[c] *= -1
              }
              pose.positions[0] += random.between(-0.1, 0.1)
              poses.push(new Pose(rig).copy(pose))
            },
            { angle: tolerance, distance: tolerance, precision },
          )
          const slack = precision === 'float32' ? 50 * SINGLE : 1e-9
          const [angle, distance] = missed(rig, baked, at, poses)
          expect(angle).toBeLessThanOrEqual(tolerance + slack)
          expect(distance).toBeLessThanOrEqual(tolerance + slack)
          for (const { times: kept, values } of baked.rotations) {
            for (let k = 1; k < kept.length; k++) {
              expect(kept[k]).toBeGreaterThan(kept[k - 1])
              let dot = 0
              for (let c = 0; c < 4; c++) dot += values[4 * k + c] * values[4 * k - 4 + c]
              expect(dot).toBeGreaterThanOrEqual(0)
            }
          }
          expect(baked.rotations.map(({ bone }) => bone)).not.toContain('bone 2')
        },
      ),
      { seed: SEED, numRuns: runs(200) },
    )
  })

  it('needs two keys for an even turn, one for a pose that is held, none for rest', () => {
    const rig = chain(3)
    const baked = bake(rig, times(101), (time, _k, pose) => {
      pose.rotations.set([0, 0, Math.sin(time / 2), Math.cos(time / 2)], 0)
      pose.rotations.set([Math.SQRT1_2, 0, 0, Math.SQRT1_2], 4)
      pose.positions.set([time, 0, 2 * time], 0)
    })
    expect(baked.rotations.map(({ bone, times: kept }) => [bone, kept.length])).toEqual([
      ['bone 0', 2],
      ['bone 1', 1],
    ])
    expect(baked.positions.map(({ bone, times: kept }) => [bone, kept.length])).toEqual([['bone 0', 2]])
    expect([baked.start, baked.end]).toEqual([0, 100 / 60])
    expect(baked.rotations[0].values).toBeInstanceOf(Float32Array)
    const pose = new Pose(rig)
    expect(readBaked(rig, baked, -5, pose).positions[2]).toBe(0)
    expect(readBaked(rig, baked, 5, pose).positions[2]).toBeCloseTo(200 / 60, 6)
    expect(readBaked(rig, baked, 0.5, pose).rotations[2]).toBeCloseTo(Math.sin(0.25), 6)
  })

  it('writes a solver’s motion down with a fraction of the keys', () => {
    const rig = chain(6)
    const solver = new IkSolver(rig, { tolerance: 1e-6 })
    const hand = solver.add(new PositionGoal(rig, 'bone 5', [4, 0, 0]))
    const at = times(240)
    const poses: Pose[] = []
    const sample = (time: number, _k: number, pose: Pose): void => {
      hand.target.set([4 * Math.cos(time), 3 * Math.sin(time), Math.sin(2 * time)])
      solver.solve(pose)
      poses.push(new Pose(rig).copy(pose))
    }
    const angle = 0.01
    const baked = bake(rig, at, sample, { angle, precision: 'float64' })
    const keys = baked.rotations.reduce((sum, track) => sum + track.times.length, 0)
    expect(missed(rig, baked, at, poses)[0]).toBeLessThanOrEqual(angle * (1 + 1e-9))
    expect(keys).toBeLessThan(0.25 * at.length * rig.count)
    expect(structuredClone(baked)).toEqual(baked)
  })

  it('checks what it is given', () => {
    const rig = chain(1)
    const sample = (): void => {}
    expect(() => bake(rig, [], sample)).toThrow(/times must be an array with at least one, got 0 entries/)
    expect(() => bake(rig, [0, NaN], sample)).toThrow(/times\[1\]/)
    expect(() => bake(rig, [0, 0], sample)).toThrow(/times must rise, got 0 after 0/)
    expect(() => bake(rig, [0], sample, { angle: -1 })).toThrow(/angle must be >= 0/)
    expect(() => bake(rig, [0], sample, { distance: NaN })).toThrow(/distance/)
    expect(() => bake(rig, [0], sample, { precision: 'half' as never })).toThrow(/precision must be/)
    const baked = bake(chain(2), [0], (_t, _k, pose) => pose.rotations.set([1, 0, 0, 0], 4))
    expect(() => readBaked(rig, baked, 0, new Pose(rig))).toThrow(
      /readBaked: baked: bone must be one of the rig, got bone 1/,
    )
    expect(() => readBaked(rig, baked, NaN, new Pose(rig))).toThrow(/readBaked: time/)
  })
})
