/** The mannequin gets up by the clip of the way that it lies: front, back, left, right. */

import {
  createGetUp,
  fallDown,
  type GetUp,
  type Ragdoll,
  ragdoll,
  ragdollAsset,
  startGetUp,
  updateGetUp,
  widenLimits,
} from '@tautline/assemblies'
import { Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import { type Clip, mannequinClips } from '../mannequin/clips.js'
import { jump } from '../mannequin/jump.js'
import { mannequinBones, mannequinRig } from '../mannequin/skeleton.js'
import { rise } from '../reports/ragdolls/get-up.js'
import { mannequin, tumble, TUMBLES } from '../reports/ragdolls/tumbles.js'
import { sample } from '../lib/thorough.js'

const WAYS = ['getUpFront', 'getUpBack', 'getUpLeft', 'getUpRight'] as const
const RATE = 30
/** Over three times the fastest joint of the clips [m/s]. A free hand of seed 60 swings at 10.6; flung hands reached 13. */
const FLUNG = 12
const rig = mannequinRig(mannequinBones())
const all = mannequinClips(rig, jump)
const ups = WAYS.map((name) => all.find((clip) => clip.name === name) as Clip)
const asset = widenLimits(
  ragdollAsset(rig),
  ups.flatMap(({ poses }) => poses),
)

function lying(way: number, turn: number): { world: World; doll: Ragdoll; getUp: GetUp } {
  const world = new World({ substeps: 2 })
  new Collisions(world).addCollider(null, { shape: plane([0, 1, 0], 0) })
  const orientation = [0, Math.sin(0.5 * turn), 0, Math.cos(0.5 * turn)] as const
  const doll = ragdoll(world, asset, { pose: ups[way].poses[0], orientation })
  return { world, doll, getUp: createGetUp(doll, { clips: ups.map(({ poses }) => ({ poses, rate: RATE })) }) }
}

describe('the mannequin', () => {
  it.each(WAYS.map((name, way) => [name, way] as const))('lying as %s begins, gets up by that', (_, way) => {
    const { getUp } = lying(way, 0.7 * way - 1)
    fallDown(getUp)
    expect(startGetUp(getUp).clip).toBe(way)
  })

  it.each(sample([2, 3], 2))('left to itself on a side (%i), it stands up', (way) => {
    const { world, doll, getUp } = lying(way, 0.4)
    fallDown(getUp)
    for (let frame = 0; frame < 60 * 12 && updateGetUp(getUp) !== 'animated'; frame++) world.step()
    expect(getUp.progress.state).toBe('animated')
    expect(doll.body('hips').position[1]).toBeGreaterThan(0.9)
  })

  // Hands that were jammed at their limits flipped over in a substep (60 and 150: 15 and 13 m/s), and a leg that was wound by 2 rad got all its strength at once
  // (49: 124 m/s).
  it('flings nothing, fallen down stairs and blown away', { tags: ['thorough'] }, async () => {
    const read = await mannequin()
    const clips = WAYS.map((name) => read.clip(name))
    const poses = clips.flatMap(({ poses: of }) => of)
    const man = { ...read, asset: widenLimits(read.asset, poses) }
    const fastest = [49, 60, 150].map(
      (seed) => rise(tumble(man, clips, TUMBLES[(seed - 1) % TUMBLES.length], seed, 2), clips).fastest,
    )
    for (const speed of fastest) expect(speed).toBeLessThan(FLUNG)
  })
})
