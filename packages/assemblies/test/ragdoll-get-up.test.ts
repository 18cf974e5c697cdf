/** Ragdolls that fall, lie and get up: the nearest clip, where it is put, what interrupts it, what is kept. */

import { box, Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { type PoseClip, slerpPose } from '@tautline/ik/poses'
import { describe, expect, it } from 'vitest'
import {
  type BonePose,
  createGetUp,
  fallDown,
  type GetUp,
  type Ragdoll,
  ragdoll,
  ragdollAsset,
  restPose,
  startGetUp,
  updateGetUp,
  widenLimits,
} from '../src/index.js'
import { takeCare } from '../src/ragdoll/get-up/caution.js'
import { partsNow } from '../src/ragdoll/get-up/place.js'
import { humanoid } from './support/figures.js'

const bare = ragdollAsset(humanoid())
const row = (name: string): number => bare.skeleton.names.indexOf(name)
const HIP = 0.95

/** Hips at a height and place, turned about x. */
function leaning(angle: number, y: number, z: number): BonePose {
  const pose = restPose(bare.skeleton)
  pose.positions.set([0, y, z], 3 * row('hips'))
  pose.rotations.set([Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)], 4 * row('hips'))
  return pose
}

/** Up from the front (1) or the back (−1), stiff as a board: over the feet, which stay where they are. */
function getUpFrom(side: 1 | -1): PoseClip {
  const RATE = 30
  const poses = Array.from({ length: 46 }, (_, k) => {
    const s = k / 45
    const angle = 0.5 * Math.PI * (1 - s * s * (3 - 2 * s))
    return leaning(side * angle, 0.14 + (HIP - 0.14) * Math.cos(angle), side * HIP * Math.sin(angle))
  })
  return { poses, rate: RATE }
}

const clips = [getUpFrom(1), getUpFrom(-1)]
const asset = widenLimits(
  bare,
  clips.flatMap(({ poses }) => poses as BonePose[]),
)

interface Scene {
  readonly world: World
  readonly doll: Ragdoll
  readonly getUp: GetUp
}

function scene(options: Partial<Parameters<typeof createGetUp>[1]> = {}, collides = true): Scene {
  const world = new World({ substeps: 2 })
  if (collides) new Collisions(world).addCollider(null, { shape: plane([0, 1, 0], 0) })
  const doll = ragdoll(world, asset)
  return { world, doll, getUp: createGetUp(doll, { clips, lieTime: 0.1, ...options }) }
}

/** Steps until a state, or for so many steps; the states gone through. */
function until({ world, getUp }: Scene, state: string, most = 900, each?: () => void): string[] {
  const seen: string[] = []
  for (let k = 0; k < most; k++) {
    const now = updateGetUp(getUp)
    if (seen[seen.length - 1] !== now) seen.push(now)
    world.step()
    each?.()
    if (now === state) break
  }
  return seen
}

/** Lies as a clip begins, turned about up and somewhere else. */
function lay({ doll }: Scene, clip: number, angle: number, x: number, z: number): void {
  const pose = restPose(bare.skeleton)
  slerpPose(pose, clips[clip].poses[0], clips[clip].poses[0], 0)
  pose.positions.set([x, 0.02, z], 3 * row('root'))
  pose.rotations.set([0, Math.sin(angle / 2), 0, Math.cos(angle / 2)], 4 * row('root'))
  doll.setPose(pose)
}

describe('the plan', () => {
  it.each([
    [0, 0.4, 1, -2],
    [1, 2.9, -3, 0.5],
    [0, -1.7, 0, 4],
    [1, 0, 0, 0],
  ])('finds clip %i turned by %f, where it lies', (clip, angle, x, z) => {
    const made = scene()
    lay(made, clip, angle, x, z)
    fallDown(made.getUp)
    const plan = startGetUp(made.getUp)
    expect(plan.clip).toBe(clip)
    expect(plan.isClear).toBe(true)
    expect(plan.distance).toBeLessThan(1e-6)
    const [, sin, , cos] = plan.orientation
    expect(Math.abs(sin * Math.sin(angle / 2) + cos * Math.cos(angle / 2))).toBeCloseTo(1, 9)
    expect(plan.from[0]).toBeCloseTo(x, 6)
    expect(plan.from[1]).toBeCloseTo(0, 6)
    expect(plan.from[2]).toBeCloseTo(z, 6)
  })

  it('does so along any gravity', () => {
    const world = new World({ gravity: [-9.81, 0, 0] })
    new Collisions(world).addCollider(null, { shape: plane([1, 0, 0], 0) })
    const h = Math.SQRT1_2
    const doll = ragdoll(world, asset, { orientation: [0, 0, -h, h], pose: clips[0].poses[0] as BonePose })
    const plan = startGetUp(createGetUp(doll, { clips }))
    expect(plan.clip).toBe(0)
    expect(plan.distance).toBeLessThan(1e-6)
    expect(plan.from[0]).toBeCloseTo(0, 6)
  })

  it('stands on the step before it, and not in a wall', () => {
    const made = scene()
    const collisions = made.world.stages.find(({ name }) => name === 'collisions') as Collisions
    // Its feet, where it will stand, are at the origin.
    collisions.addCollider(null, { shape: box([1, 0.1, 0.3]), position: [0, 0.1, 0] })
    lay(made, 0, 0, 0, 0)
    expect(startGetUp(made.getUp).to[1]).toBeCloseTo(0.2, 6)
    collisions.addCollider(null, { shape: box([1, 1, 0.3]), position: [0, 1, 0] })
    const plan = startGetUp(made.getUp)
    expect(plan.isClear).toBe(true)
    expect(plan.to[2]).toBeGreaterThan(0.3)
  })
})

describe('getting up', () => {
  it.each([0, 1])('goes from clip %i to standing, without a jump, and leads again', (clip) => {
    const made = scene()
    lay(made, clip, 1, 2, 1)
    fallDown(made.getUp)
    let fastest = 0
    const seen = until(made, 'animated', 900, () => {
      for (const { velocity } of made.doll.bodies)
        fastest = Math.max(fastest, Math.hypot(velocity[0], velocity[1], velocity[2]))
    })
    expect(seen).toEqual(['limp', 'lying', 'gettingUp', 'standing', 'animated'])
    expect(made.doll.body('hips').position[1]).toBeGreaterThan(0.9 * HIP)
    // The head of the clip goes 1.75 m · π/2 in 1.5 s, half again as fast in the middle.
    expect(fastest).toBeLessThan(1.5 * 2.8)
    expect(Math.max(...made.doll.bodies.map(({ type }) => Number(type !== 'kinematic')))).toBe(0)
    expect(made.getUp.progress.position[1]).toBeCloseTo(0, 6)
  })

  it('falls, is seen to rest, and gets up from there', () => {
    const world = new World()
    new Collisions(world).addCollider(null, { shape: plane([0, 1, 0], 0) })
    const doll = ragdoll(world, ragdollAsset(humanoid(), { detail: 11 }))
    const options = { clips, patience: 0.5, restSpeed: 0.5, restTime: 0.05, lieTime: 0, blendTime: 0.3 }
    const made = { world, doll, getUp: createGetUp(doll, options) }
    updateGetUp(made.getUp)
    made.world.step()
    fallDown(made.getUp)
    made.doll.hit('chest', [60, 0, 40])
    expect(until(made, 'animated', 400)).toEqual(['limp', 'lying', 'gettingUp', 'standing', 'animated'])
    expect(made.doll.body('head').position[1]).toBeGreaterThan(1.4)
  })

  it('is interrupted by a fall, and when its parts are far from the clip', () => {
    const made = scene({ letGo: 0.1, restSpeed: 100, restTime: 0, lieTime: 0, blendTime: 0.1 })
    lay(made, 0, 0, 0, 0)
    fallDown(made.getUp)
    until(made, 'gettingUp')
    until(made, 'standing', 20)
    fallDown(made.getUp)
    expect(made.getUp.progress.state).toBe('limp')
    until(made, 'gettingUp')
    until(made, 'standing', 50)
    made.doll.setWeights({ muscle: 0 })
    expect(until(made, 'limp', 60)).toContain('limp')
  })

  it('draws slowly what is caught, until it is near, and holds the rest with all its strength', () => {
    const doll = ragdoll(new World(), asset)
    doll.setWeights({ strength: 15 })
    const now = partsNow(doll)
    const part = asset.parts.findIndex(({ name }) => name === 'leftHand')
    const strengthAt = (error: number): number => {
      const wanted = partsNow(doll)
      const q = wanted.rotations
      const [x, y, z, w] = Array.from(q.subarray(4 * part, 4 * part + 4))
      const [s, c] = [Math.sin(error / 2), Math.cos(error / 2)]
      q.set([c * x + s * w, c * y + s * z, c * z - s * y, c * w - s * x], 4 * part)
      takeCare(doll, now, wanted, 15, 0.7)
      expect(doll.weights('rightHand').strength).toBe(15)
      return doll.weights('leftHand').strength
    }
    expect(strengthAt(0.5)).toBe(15)
    const speeds = [2.5, 1.5, 0.9, 0.5, 0.2].map((error) => 2 * Math.PI * error * strengthAt(error))
    // Sprung back from any of it, it is as slow as a limb that is led: e ω / 2.7.
    for (const speed of speeds) expect(speed / 2.7).toBeLessThan(5)
    // Near again it has its strength back by and by: within 0.4 s, and by no more than a step's share at once.
    const back = Array.from({ length: 24 }, () => strengthAt(0.1))
    expect(back[23]).toBe(15)
    back.reduce((before, after) => {
      expect(after).toBeLessThanOrEqual(before * (1 + 1 / 6) + 1e-9)
      return after
    })
  })

  it('gives legs that are far off their strength by and by, and at once where they are near', () => {
    const doll = ragdoll(new World(), asset)
    const now = partsNow(doll)
    const part = asset.parts.findIndex(({ name }) => name === 'leftUpperLeg')
    const wanted = partsNow(doll)
    const far = partsNow(doll)
    far.rotations.set([Math.sin(1), 0, 0, Math.cos(1)], 4 * part)
    doll.setWeights({ strength: 0.5 })
    takeCare(doll, now, far, 15, 0.7)
    expect(doll.weights('leftUpperLeg').strength).toBeCloseTo(0.5 * (1 + 1 / 6), 12)
    takeCare(doll, now, wanted, 15, 0.7)
    expect(doll.weights('leftUpperLeg').strength).toBe(15)
  })

  it('waits for a call, and goes to the animation where that stands', () => {
    const made = scene({ lieTime: Infinity, position: [3, 0, 0], orientation: [0, 1, 0, 0] })
    const idle = restPose(bare.skeleton)
    for (let k = 0; k < 3; k++) {
      updateGetUp(made.getUp, idle)
      made.world.step()
    }
    expect(made.doll.body('head').position[0]).toBeCloseTo(3, 1)
    lay(made, 1, 0, 0, 0)
    fallDown(made.getUp)
    expect(until(made, 'gettingUp', 200)).toEqual(['limp', 'lying'])
    startGetUp(made.getUp)
    expect(until(made, 'animated')).toEqual(['gettingUp', 'standing', 'animated'])
  })

  it('needs no collisions', () => {
    const made = scene({}, false)
    lay(made, 1, 0, 0, 0)
    const plan = startGetUp(made.getUp)
    expect(plan.clip).toBe(1)
    expect(Math.abs(plan.from[1])).toBeLessThan(0.2)
  })

  it('goes on to the bit from a snapshot and a copy of its progress', () => {
    const made = scene()
    lay(made, 0, 0.3, 0, 0)
    fallDown(made.getUp)
    until(made, 'gettingUp')
    for (let k = 0; k < 40; k++) {
      updateGetUp(made.getUp)
      made.world.step()
    }
    const snapshot = made.world.snapshot()
    const progress = structuredClone(made.getUp.progress)
    until(made, 'animated')
    const hash = made.world.hash()
    made.world.restore(snapshot)
    made.getUp.progress = progress
    until(made, 'animated')
    expect(made.world.hash()).toBe(hash)
  })

  it('refuses what it cannot use', () => {
    const { doll, getUp } = scene()
    expect(() => createGetUp({} as never, { clips })).toThrow(/createGetUp: doll must be a Ragdoll/)
    expect(() => createGetUp(doll, { clips: [] })).toThrow(/clips must be one at least, got none/)
    expect(() => createGetUp(doll, { clips, speed: 2 } as never)).toThrow(/speed/)
    expect(() => createGetUp(doll, { clips, restSpeed: -1 })).toThrow(/restSpeed must be >= 0 .*got -1/)
    expect(() => createGetUp(doll, { clips, rising: { pin: 2 } })).toThrow(/rising: pin must be within \[0, 1\], got 2/)
    const short = { positions: new Float64Array(3), rotations: new Float64Array(4) }
    expect(() => createGetUp(doll, { clips: [{ poses: [short], rate: 30 }] })).toThrow(/clips\[0\]: poses\[0\]/)
    expect(() => updateGetUp(getUp, short)).toThrow(/updateGetUp: animation/)
  })
})

describe('widenLimits', () => {
  it('makes room for what clips do, and leaves other limits', () => {
    const far = restPose(bare.skeleton)
    far.rotations.set([Math.sin(-0.4), 0, 0, Math.cos(-0.4)], 4 * row('leftLowerLeg'))
    const wide = widenLimits(bare, [far])
    const over = (of: typeof bare): number => ragdoll(new World(), of).validate(far).length
    expect(over(bare)).toBe(1)
    expect(over(wide)).toBe(0)
    const limits = (of: typeof bare, name: string): readonly number[] | undefined =>
      of.parts.find((part) => part.name === name)?.joint?.limits
    expect(limits(wide, 'rightLowerLeg')).toEqual(limits(bare, 'rightLowerLeg'))
    expect(() => widenLimits(bare, [])).toThrow(/widenLimits: poses must be at least one, got none/)
  })
})
