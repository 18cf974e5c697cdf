/** Rows 3 and 4: clips that are tracked, and animations that are handed over. */

import { limitsFromClip, type RagdollAsset, ragdoll, type Ragdoll, restPose } from '@tautline/assemblies'
import { World } from '@tautline/core'
import type { Pose } from '@tautline/ik'
import { figure, type Measured, type ReportRow, skipped } from '../report.js'
import { adultFigure, clipOf, gapOf, mocap, overLimits } from './figures.js'

const DEGREE = Math.PI / 180
const FRAMES = 1200
/** Room beyond what the clip does [rad]. */
const MARGIN = 0.05

/** Angles between bones of parts in two poses [rad], joints only. */
function errors(asset: RagdollAsset, a: Pick<Pose, 'rotations'>, b: Pick<Pose, 'rotations'>): number[] {
  return asset.parts.flatMap(({ bone, joint }) => {
    if (joint === undefined) return []
    let d = 0
    for (let k = 4 * bone; k < 4 * bone + 4; k++) d += a.rotations[k] * b.rotations[k]
    return [2 * Math.acos(Math.min(1, Math.abs(d)))]
  })
}

interface Tracked {
  readonly mean: number
  readonly worst: number
  readonly gap: number
}

function track(asset: RagdollAsset, clip: readonly Pose[], substeps: number, isFree: boolean): Tracked {
  const world = new World({ substeps })
  const doll = ragdoll(world, asset, { pose: clip[0] })
  doll.setWeights({ pin: 1 }, 'hips')
  if (isFree) doll.setWeights({ maxTorque: Infinity })
  const out = restPose(asset.skeleton)
  const found: number[] = []
  let gap = 0
  for (let k = 1; k < clip.length; k++) {
    doll.driveTo(clip[k])
    world.step()
    found.push(...errors(asset, doll.pose(out), clip[k]))
    gap = Math.max(gap, gapOf(doll))
  }
  return { mean: found.reduce((sum, value) => sum + value, 0) / found.length, worst: Math.max(...found), gap }
}

function tracked(): Measured {
  const bvh = mocap()
  if (typeof bvh === 'string') return skipped(bvh)
  const { asset, clip } = clipOf(bvh, FRAMES)
  const fitted = limitsFromClip(asset, clip, MARGIN)
  const texts: string[] = []
  let holds = true
  for (const substeps of [1, 4]) {
    const { mean, worst, gap } = track(fitted, clip, substeps, true)
    holds &&= mean < DEGREE && gap <= 1e-6
    texts.push(
      `${substeps} substeps: mean ${figure(mean / DEGREE)}°, worst ${figure(worst / DEGREE)}°, gaps ${figure(gap)} m`,
    )
  }
  return { figures: texts.join('; '), holds }
}

/** By the couples that an adult has, and the ranges of the table. */
function humanly(): Measured {
  const bvh = mocap()
  if (typeof bvh === 'string') return skipped(bvh)
  const { asset, clip } = clipOf(bvh, FRAMES)
  const strong = track(limitsFromClip(asset, clip, MARGIN), clip, 1, false)
  const ranged = track(asset, clip, 1, true)
  return {
    figures: `human couples: mean ${figure(strong.mean / DEGREE)}°; human ranges: mean ${figure(ranged.mean / DEGREE)}°`,
    holds: strong.mean < DEGREE && ranged.mean < DEGREE,
  }
}

/** Largest speed of a centre of mass, and of a turn, in the world. */
function fastest(doll: Ragdoll): { speed: number; spin: number } {
  const size = (v: ArrayLike<number>): number => Math.hypot(v[0], v[1], v[2])
  return {
    speed: Math.max(...doll.bodies.map((body) => size(body.velocity))),
    spin: Math.max(...doll.bodies.map((body) => size(body.angularVelocity))),
  }
}

function handOver(): Measured {
  const bvh = mocap()
  if (typeof bvh === 'string') return skipped(bvh)
  const { asset, clip } = clipOf(bvh, FRAMES)
  let [gained, faster, spinning, count] = [-Infinity, 0, 0, 0]
  for (let k = 1; k < clip.length; k += 7) {
    const world = new World({ substeps: 1 + (k % 4) })
    const doll = ragdoll(world, asset, { pose: clip[k], previous: clip[k - 1] })
    const before = fastest(doll)
    const start = world.energy().total
    world.step()
    const after = fastest(doll)
    const falls = 9.81 / 60
    faster = Math.max(faster, (after.speed - falls) / Math.max(before.speed, 0.5))
    spinning = Math.max(spinning, after.spin / Math.max(before.spin, 1))
    let most = world.energy().total
    for (let n = 0; n < 30; n++) {
      world.step()
      most = Math.max(most, world.energy().total)
    }
    gained = Math.max(gained, (most - start) / (9.81 * doll.mass))
    count++
  }
  return {
    figures: `${count} frames: gain ${figure(gained)} of m g · 1 m, speeds ${figure(faster)}×, spins ${figure(spinning)}×`,
    holds: gained <= 1e-9 && faster <= 1.2 && spinning <= 1.2,
  }
}

/** A pose with joints outside their limits comes back. */
function comeBack(): Measured {
  const adult = adultFigure()
  if ('missing' in adult) return skipped(adult.missing)
  const texts: string[] = []
  let holds = true
  for (const substeps of [1, 4]) {
    const world = new World({ substeps, gravity: [0, 0, 0] })
    const doll = ragdoll(world, adult.source)
    const pose = doll.pose()
    const turn = (name: string, axis: 0 | 1 | 2, angle: number): void => {
      const row = doll.asset.skeleton.names.indexOf(name)
      const q = [0, 0, 0, Math.cos(0.5 * angle)]
      q[axis] = Math.sin(0.5 * angle)
      pose.rotations.set(q, 4 * row)
    }
    turn('leftLowerLeg', 0, -30 * DEGREE)
    turn('rightLowerArm', 1, -30 * DEGREE)
    turn('leftUpperArm', 1, (45 + 30) * DEGREE)
    doll.setPose(pose)
    const over = overLimits(doll)
    let kick = 0
    for (let k = 0; k < 30; k++) {
      world.step()
      kick = Math.max(kick, fastest(doll).speed)
    }
    const left = overLimits(doll)
    // The limits close by 30° in 0.35 s; half a metre of limb at that rate goes 0.75 m/s.
    holds &&= over > 25 * DEGREE && left < 0.1 * DEGREE && kick < 1.5
    texts.push(
      `${substeps} substeps: from ${figure(over / DEGREE)}° to ${figure(left / DEGREE)}° over, at most ${figure(kick)} m/s`,
    )
  }
  return { figures: texts.join('; '), holds }
}

export const motionRows: readonly ReportRow[] = [
  {
    id: '3.1',
    claim: 'Clips are tracked',
    asked: 'mean joint error < 1°, gaps ≤ 1e-6 m',
    scene: `CMU 01_01, ${FRAMES} frames at 60 Hz, 15 parts; root pinned, drives of 15 Hz, ranges fitted to the clip + ${MARGIN} rad, couples unbounded`,
    measure: tracked,
  },
  {
    id: '3.2',
    claim: 'The same with an adult’s couples, and with an adult’s ranges, which know nothing of the clip',
    asked: 'mean joint error < 1°',
    scene: 'as 3.1; 1 substep',
    measure: humanly,
  },
  {
    id: '4.1',
    claim: 'Hand-over from an animation at any frame: no energy beyond the pose’s own, nothing faster than the clip',
    asked: 'gain 0; ≤ 1.2 × the clip’s speeds at the first frame',
    scene:
      'CMU 01_01, every 14th frame, 1 to 4 substeps, falling for 0.5 s; the fall of the first frame is not counted',
    measure: handOver,
  },
  {
    id: '4.2',
    claim: 'Poses 30° outside limits come back without a kick',
    asked: 'within 0.5 s; no part faster than twice what its limit closes by (1.5 m/s)',
    scene: 'adult, a knee, an elbow and a shoulder 30° out, no gravity',
    measure: comeBack,
  },
]
