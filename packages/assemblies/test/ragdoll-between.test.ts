/** Bones between two parts of a doll bend with them. */

import { World } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import { type BonePose, type Ragdoll, ragdoll, type RagdollBone, restPose } from '../src/index.js'
import { humanoid } from './support/figures.js'

/** Round-off of a dozen turns and sums of lengths near 1 [1, m]. */
const ROUND_OFF = 1e-12
const BACK = ['back 0', 'back 1', 'back 2', 'back 3']

/** The humanoid with a back of five bones between its hips and its chest: 15 parts. */
function figure(): { world: World; doll: Ragdoll; row: (name: string) => number } {
  const bones = humanoid().flatMap((bone): RagdollBone[] => {
    if (bone.name === 'spine') {
      return BACK.map((name, k) => ({ name, parent: k === 0 ? 'hips' : BACK[k - 1], position: [0, 0.04, 0] }))
    }
    return [bone.name === 'chest' ? { ...bone, parent: 'back 3', position: [0, 0.08, 0] } : bone]
  })
  const world = new World({ gravity: [0, 0, 0] })
  const doll = ragdoll(world, bones)
  expect(doll.asset.parts).toHaveLength(15)
  return { world, doll, row: (name) => doll.asset.skeleton.names.indexOf(name) }
}

/** Rest with a bone turned about x [rad]. */
function turned(doll: Ragdoll, bone: string, angle: number): BonePose {
  const pose = restPose(doll.asset.skeleton)
  const at = 4 * doll.asset.skeleton.names.indexOf(bone)
  pose.rotations.set([Math.sin(0.5 * angle), 0, 0, Math.cos(0.5 * angle)], at)
  return pose
}

/** A chest bent forward by 0.5 rad, rest the pose that leads. */
function bent(): ReturnType<typeof figure> {
  const made = figure()
  made.doll.setPose(turned(made.doll, 'chest', 0.5))
  // A doll that is not driven is shown by the last pose it was given.
  made.doll.driveTo(restPose(made.doll.asset.skeleton))
  return made
}

const angleOf = (pose: BonePose, row: number): number => 2 * Math.asin(pose.rotations[4 * row])

describe('bones between two parts', () => {
  it('share the turn of the joint, and parts stay where they are', () => {
    const { doll, row } = bent()
    const pose = doll.pose()
    const angles = [...BACK, 'chest'].map((name) => angleOf(pose, row(name)))
    // Steps of a clamped rod: 3 s² − 2 s dips below 0 at first, and no joint takes more than half of the turn.
    expect(Math.max(...angles.map(Math.abs))).toBeLessThan(0.4)
    expect(angles.filter((angle) => Math.abs(angle) > 0.03).length).toBeGreaterThan(3)
    const again = figure()
    again.doll.setPose(pose)
    for (const { name } of doll.asset.parts) {
      for (let k = 0; k < 4; k++) {
        expect(Math.abs(again.doll.body(name).orientation[k] - doll.body(name).orientation[k])).toBeLessThan(ROUND_OFF)
      }
    }
  })

  it('do as the pose that leads, to the bit, where parts do', () => {
    const { doll } = figure()
    const lead = turned(doll, 'back 1', 0.3)
    doll.setWeights({ mapping: 0 })
    doll.setPose(lead)
    expect(doll.pose()).toEqual(lead)
  })

  it('do not reach for what was cut off', () => {
    const { world, doll, row } = bent()
    doll.cut('chest')
    doll.body('chest').setVelocity([0, 0, 5])
    for (let k = 0; k < 30; k++) world.step()
    const pose = doll.pose()
    for (const name of BACK) expect(angleOf(pose, row(name))).toBe(0)
  })

  it('keep still where they lead to one of a pair of limbs', () => {
    const { doll, row } = figure()
    doll.setPose(turned(doll, 'leftUpperArm', 0.8))
    doll.driveTo(restPose(doll.asset.skeleton))
    const pose = doll.pose()
    expect(angleOf(pose, row('leftShoulder'))).toBe(0)
    expect(angleOf(pose, row('leftUpperArm'))).toBeCloseTo(0.8, 6)
  })
})
