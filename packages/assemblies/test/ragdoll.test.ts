/** Ragdolls in a world: poses in and out, drives, pins, hits, cuts, what is saved. */

import { Collisions, box, collisionsFromJSON, plane } from '@tautline/collision'
import { angularDrive, fixed, hinge, pointDrive, swingTwist } from '@tautline/constraints'
import { type Body, fromJSON, World } from '@tautline/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assembliesFromJSON,
  Assemblies,
  type BonePose,
  type Ragdoll,
  ragdoll,
  ragdollAsset,
  ragdollKind,
  restPose,
} from '../src/index.js'
import { humanoid, random, randomTree } from './support/figures.js'
import { runs } from '../../core/test/support/runs.js'

const asset = ragdollAsset(humanoid())
const row = (name: string): number => asset.skeleton.names.indexOf(name)

/** The rest pose with bones turned about an axis of their own [rad]. */
function posed(turns: Readonly<Record<string, readonly [0 | 1 | 2, number]>>): BonePose {
  const pose = restPose(asset.skeleton)
  for (const [name, [axis, angle]] of Object.entries(turns)) {
    const q = [0, 0, 0, Math.cos(angle / 2)]
    q[axis] = Math.sin(angle / 2)
    pose.rotations.set(q, 4 * row(name))
  }
  return pose
}

/** Largest angle between the rotations of parts in two poses [rad]. */
function apart(a: BonePose, b: BonePose): number {
  return Math.max(
    ...asset.parts.map(({ bone }) => {
      let d = 0
      for (let k = 4 * bone; k < 4 * bone + 4; k++) d += a.rotations[k] * b.rotations[k]
      return 2 * Math.acos(Math.min(1, Math.abs(d)))
    }),
  )
}

/** Largest distance between the two ends of a joint [m]. */
function gap(doll: Ragdoll): number {
  return Math.max(
    ...doll.bodies.flatMap((_, part) => {
      const joint = doll.joint(doll.asset.parts[part].name)
      if (joint === undefined) return []
      const [a, b] = joint.bodies as [Body, Body]
      const { anchorA, anchorB } = joint.def as { anchorA: [number, number, number]; anchorB: [number, number, number] }
      const [p, q] = [a.toWorld(anchorA), b.toWorld(anchorB)]
      return [Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])]
    }),
  )
}

const BENT = posed({
  leftUpperArm: [2, -1],
  rightLowerArm: [1, 0.8],
  leftLowerLeg: [0, 0.9],
  head: [1, 0.4],
  chest: [0, 0.2],
})

describe('poses', () => {
  it('come back as they were given', () => {
    for (const pose of [restPose(asset.skeleton), BENT]) {
      const doll = ragdoll(new World(), asset, { pose, position: [1, 2, 3], orientation: [0, 0.6, 0, 0.8] })
      const back = doll.pose()
      back.positions.forEach((x, k) => expect(x).toBeCloseTo(pose.positions[k], 9))
      expect(apart(back, pose)).toBeLessThan(1e-6)
      expect(gap(doll)).toBeLessThan(1e-12)
    }
  })

  it('come back from mirrored and scaled bones', () => {
    const mirrored = humanoid(100).map((bone) => ({
      ...bone,
      ...(bone.parent === null ? { scale: [-0.01, 0.01, 0.01] as [number, number, number] } : {}),
      ...(bone.name === 'leftUpperArm' ? { rotation: [0, 0, 0.6, 0.8] as [number, number, number, number] } : {}),
    }))
    const made = ragdollAsset(mirrored)
    const pose = restPose(made.skeleton)
    pose.rotations.set([0.1, 0.2, 0.3, Math.sqrt(1 - 0.14)], 4 * made.skeleton.names.indexOf('leftLowerArm'))
    const doll = ragdoll(new World(), made, { pose })
    const back = doll.pose()
    back.positions.forEach((x, k) => expect(x).toBeCloseTo(pose.positions[k], 6))
    back.rotations.forEach((x, k) => expect(x).toBeCloseTo(pose.rotations[k], 9))
    const elbow = doll.body('leftLowerArm').position
    // Left is where right was.
    expect(Math.sign(elbow[0])).toBe(-1)
  })

  it('are taken over at the velocities of the motion', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const [before, now] = [posed({ leftUpperArm: [2, 0] }), posed({ leftUpperArm: [2, -0.05] })]
    const doll = ragdoll(world, asset)
    doll.setPose(now, { previous: before, dt: 1 / 60 })
    const [wx, wy, wz] = doll.body('leftUpperArm').angularVelocity
    expect([wx, wy, wz].map(Math.abs)).toEqual([expect.closeTo(0, 9), expect.closeTo(0, 9), expect.closeTo(3, 9)])
    expect(Math.hypot(...(doll.body('head').velocity as [number, number, number]))).toBeLessThan(1e-9)
    const energy = world.energy().kinetic
    world.step()
    expect(world.energy().kinetic).toBeLessThanOrEqual(energy * (1 + 1e-9))
  })

  it('outside their limits come back within half a second, without a kick', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 4 })
    const doll = ragdoll(world, asset, { pose: posed({ leftLowerLeg: [0, -0.52], rightLowerArm: [1, -0.52] }) })
    expect(doll.validate().map(({ bone }) => bone)).toEqual(['leftLowerLeg', 'rightLowerArm'])
    let fastest = 0
    for (let k = 0; k < 30; k++) {
      world.step()
      for (const body of doll.bodies)
        fastest = Math.max(fastest, Math.hypot(...(body.angularVelocity as [number, number, number])))
    }
    const over = doll.validate().map(({ value, min, max }) => Math.max(min - value, value - max))
    expect(Math.max(0, ...over)).toBeLessThan(1e-3)
    // The limits close at 1.5 rad/s; a hand on the forearm that they turn goes a little faster.
    expect(fastest).toBeLessThan(4)
    expect(fastest).toBeGreaterThan(0.1)
  })
})

/** An arm whose elbow bends meanwhile is a little faster than a lone joint. */
const LED = 1.5

describe('driven', () => {
  it('it goes to a pose and holds it against gravity, with the root pinned', () => {
    const world = new World()
    const doll = ragdoll(world, asset)
    doll.setWeights({ pin: 1 }, 'hips')
    for (let k = 0; k < 90; k++) {
      doll.driveTo(BENT, { maxTorque: Infinity })
      world.step()
    }
    expect(apart(doll.pose(), BENT)).toBeLessThan(0.003)
    expect(gap(doll)).toBeLessThan(1e-6)
    doll.release()
    for (let k = 0; k < 60; k++) world.step()
    expect(apart(doll.pose(), BENT)).toBeGreaterThan(0.3)
  })

  it('it follows a moving pose at any number of substeps, without running after or ahead of it', () => {
    for (const substeps of [1, 4, 8]) {
      const world = new World({ substeps })
      const doll = ragdoll(world, asset)
      doll.setWeights({ pin: 1 }, 'hips')
      let worst = 0
      for (let k = 0; k < 120; k++) {
        const t = k / 60
        const pose = posed({
          leftUpperArm: [2, 0.6 * Math.sin(5 * t) - 0.3],
          rightUpperLeg: [0, -0.5 * Math.sin(4 * t)],
          leftLowerLeg: [0, 0.5 + 0.4 * Math.sin(6 * t)],
        })
        doll.driveTo(pose, { maxTorque: Infinity })
        world.step()
        if (k > 20) worst = Math.max(worst, apart(doll.pose(), pose))
      }
      expect(worst).toBeLessThan(0.015)
    }
  })

  it('a couple is no larger than it may be', () => {
    const world = new World()
    const doll = ragdoll(world, asset)
    doll.setWeights({ pin: 1 }, 'hips')
    doll.driveTo(posed({ leftUpperArm: [1, -1] }), { maxTorque: 0.5, gravityCompensation: 0 })
    for (let k = 0; k < 60; k++) world.step()
    // Half a newton metre does not bear an arm of 3.7 kg.
    expect(doll.body('leftHand').position[1]).toBeLessThan(doll.body('leftUpperArm').position[1] - 0.2)
  })

  it('what is caught is wound by no more than maxLead, gets there, and no faster than that lets it', () => {
    for (const maxLead of [0.1, 0.3, Infinity]) {
      const world = new World({ gravity: [0, 0, 0] })
      const doll = ragdoll(world, asset)
      doll.setWeights({ pin: 1 }, 'hips')
      const strength = 5
      const wanted = posed({ leftUpperArm: [1, -1], leftLowerArm: [1, -0.9] })
      doll.setWeights({ maxLead }, { below: 'leftUpperArm' })
      let fastest = 0
      for (let k = 0; k < 240; k++) {
        doll.driveTo(wanted, { dt: 0, maxTorque: Infinity, strength })
        world.step()
        const [arm, chest] = ['leftUpperArm', 'chest'].map((name) => doll.body(name).angularVelocity)
        fastest = Math.max(fastest, Math.hypot(...[0, 1, 2].map((i) => arm[i] - chest[i])))
      }
      expect(apart(doll.pose(), wanted), String(maxLead)).toBeLessThan(0.01)
      if (maxLead < Infinity) expect(fastest).toBeLessThan((LED * maxLead * 2 * Math.PI * strength) / 2)
      else expect(fastest).toBeGreaterThan(8)
    }
  })

  it('a part of it may fall while the rest is led by a moving figure', () => {
    const world = new World()
    const doll = ragdoll(world, asset)
    doll.setWeights({ pin: 1 })
    doll.setWeights({ pin: 0, muscle: 0 }, { below: 'leftUpperArm' })
    const pose = restPose(asset.skeleton)
    for (let k = 1; k <= 90; k++) {
      pose.positions[3 * row('hips') + 2] = k / 60
      doll.driveTo(pose)
      world.step()
    }
    const back = doll.pose()
    expect(back.positions[3 * row('hips') + 2]).toBeCloseTo(1.5, 6)
    expect(doll.body('leftHand').position[1]).toBeLessThan(1.2)
    expect(doll.body('rightHand').position[1]).toBeCloseTo(1.42, 3)
    expect(doll.body('hips').velocity[2]).toBeCloseTo(1, 6)
    expect(gap(doll)).toBeLessThan(1e-6)
  })

  it('mapping blends what it shows with the pose that leads it', () => {
    const world = new World()
    const doll = ragdoll(world, asset)
    doll.setWeights({ pin: 1 }, 'hips')
    doll.driveTo(restPose(asset.skeleton))
    doll.release()
    for (let k = 0; k < 40; k++) world.step()
    const free = doll.pose()
    doll.setWeights({ mapping: 0 })
    expect(apart(doll.pose(), restPose(asset.skeleton))).toBeLessThan(1e-6)
    doll.setWeights({ mapping: 0.5 })
    expect(apart(doll.pose(), restPose(asset.skeleton))).toBeCloseTo(apart(free, restPose(asset.skeleton)) / 2, 1)
  })

  it('a soft pin pulls it to its place', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const doll = ragdoll(world, asset)
    const pose = restPose(asset.skeleton)
    pose.positions[3 * row('hips')] = 0.3
    doll.setWeights({ pin: 0.3, strength: 3 })
    doll.driveTo(pose)
    for (let k = 0; k < 70; k++) world.step()
    expect(doll.pose().positions[3 * row('hips')]).toBeCloseTo(0.3, 2)
    doll.setWeights({ pin: 0 })
    expect(world.constraints().filter(({ typeName }) => typeName === 'pointDrive')).toEqual([])
  })

  it('a hit weakens muscles near it, and they come back', () => {
    const world = new World()
    const doll = ragdoll(world, asset)
    doll.setWeights({ pin: 1 }, 'hips')
    const pose = restPose(asset.skeleton)
    const run = (steps: number): number => {
      let worst = 0
      for (let k = 0; k < steps; k++) {
        doll.driveTo(pose)
        world.step()
        worst = Math.max(worst, apart(doll.pose(), pose))
      }
      return worst
    }
    run(30)
    doll.hit('leftHand', [0, 0, 6], { weaken: 0 })
    const firm = run(60)
    run(60)
    doll.hit('leftHand', [0, 0, 6], { weaken: 1, recovery: 0.6 })
    expect(run(60)).toBeGreaterThan(1.5 * firm)
    run(60)
    expect(apart(doll.pose(), pose)).toBeLessThan(0.02)
  })
})

describe('in pieces', () => {
  it('what is cut off falls away, and the pose says where it is', () => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    const doll = ragdoll(world, asset)
    doll.setWeights({ pin: 1 }, 'hips')
    doll.cut('leftLowerArm')
    expect(() => doll.cut('leftLowerArm')).toThrow(/must have a joint/)
    for (let k = 0; k < 90; k++) world.step()
    expect(doll.body('leftHand').position[1]).toBeLessThan(0.3)
    const pose = doll.pose()
    const again = ragdoll(new World(), asset, { pose })
    expect(again.pose().positions[3 * row('leftLowerArm')]).toBeCloseTo(pose.positions[3 * row('leftLowerArm')], 9)
    expect(
      Math.hypot(...pose.positions.subarray(3 * row('leftLowerArm'), 3 * row('leftLowerArm') + 3)),
    ).toBeGreaterThan(0.5)
  })

  it('what is cut off an animation that leads it falls, sleeps and has no limits, whatever drives the rest', () => {
    const world = new World()
    new Collisions(world).addCollider(null, { shape: plane([0, 1, 0], 0) })
    const doll = ragdoll(world, asset)
    doll.setWeights({ pin: 1 })
    doll.driveTo(BENT)
    world.step()
    doll.cut('leftUpperArm')
    doll.setWeights({ pin: 1, muscle: 1 })
    let slept = false
    for (let k = 0; k < 400; k++) {
      doll.driveTo(BENT)
      world.step()
      // The figure is led, and may touch it again.
      if (doll.body('leftHand').asleep) slept = true
    }
    expect(doll.body('leftHand').position[1]).toBeLessThan(0.3)
    expect(slept).toBe(true)
    expect(doll.body('rightHand').type).toBe('kinematic')
    expect(doll.validate().filter(({ bone }) => bone === 'leftUpperArm')).toEqual([])
  })

  it('a removed body takes its joints along, and nothing breaks', () => {
    const world = new World()
    const doll = ragdoll(world, asset)
    doll.driveTo(BENT)
    doll.body('leftLowerLeg').remove()
    for (let k = 0; k < 10; k++) {
      doll.driveTo(BENT)
      world.step()
    }
    expect(doll.joint('leftFoot')).toBeUndefined()
    expect(doll.pose().rotations.every(Number.isFinite)).toBe(true)
    doll.remove()
    expect(world.constraints()).toEqual([])
    expect(doll.alive).toBe(false)
  })

  it('holds a thing, and lets go', () => {
    const world = new World()
    const collisions = new Collisions(world)
    const doll = ragdoll(world, asset)
    doll.setWeights({ pin: 1 })
    const sword = collisions.addBody({ shape: box([0.4, 0.02, 0.02]), position: [1.1, 1.42, 0], mass: 1 })
    const grip = doll.hold('leftHand', sword)
    doll.driveTo(restPose(asset.skeleton))
    for (let k = 0; k < 30; k++) world.step()
    expect(sword.position[1]).toBeCloseTo(1.42, 6)
    grip.remove()
    for (let k = 0; k < 30; k++) world.step()
    expect(sword.position[1]).toBeLessThan(1)
  })
})

describe('falls', () => {
  it('of any figure keep limits and joints, and gain nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(1, 2, 4), (seed, substeps) => {
        const next = random(seed)
        const world = new World({ substeps })
        const collisions = new Collisions(world)
        collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
        const isHuman = next() < 0.5
        const doll = isHuman
          ? ragdoll(world, asset, { position: [0, 1, 0] })
          : ragdoll(world, randomTree(seed), { position: [0, 4, 0] })
        for (const body of doll.bodies) body.setVelocity([2 * next() - 1, 3 * next() - 1, 2 * next() - 1])
        const energy = world.energy().total
        for (let k = 0; k < 50; k++) {
          world.step()
          expect(world.energy().total).toBeLessThan(energy + 1e-9 * Math.abs(energy))
          const over = doll.validate().map(({ value, min, max }) => Math.max(min - value, value - max))
          expect(Math.max(0, ...over)).toBeLessThan(0.05)
          expect(gap(doll)).toBeLessThan(1e-3)
        }
      }),
      { numRuns: runs(3) },
    )
  })
})

describe('saved', () => {
  const types = [swingTwist, hinge, fixed, pointDrive, angularDrive]
  it('it goes on from snapshots and JSON to the same bits', () => {
    const world = new World({ substeps: 2 })
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    const doll = ragdoll(world, asset, { name: 'hero', pose: posed({ leftLowerLeg: [0, -0.4] }) })
    doll.setWeights({ pin: 0.2 }, 'chest')
    doll.setWeights({ pin: 1 }, 'rightHand')
    for (let k = 0; k < 8; k++) {
      doll.driveTo(BENT, { strength: 8 })
      world.step()
    }
    doll.hit('head', [0, 0, 5])
    doll.driveTo(BENT)
    const snapshot = world.snapshot()
    const read = fromJSON(JSON.parse(JSON.stringify(world.toJSON())), types, {
      collisions: collisionsFromJSON,
      assemblies: assembliesFromJSON([ragdollKind]),
    })
    const other = Assemblies.of(read).all[0] as Ragdoll
    expect(other.name).toBe('hero')
    expect(other.weights('chest')).toEqual(doll.weights('chest'))
    const run = (w: World, d: Ragdoll): string => {
      for (let k = 0; k < 20; k++) {
        if (k === 10) d.driveTo(restPose(asset.skeleton))
        w.step()
      }
      return w.hash()
    }
    const hash = run(world, doll)
    expect(run(read, other)).toBe(hash)
    world.restore(snapshot)
    expect(run(world, doll)).toBe(hash)
  })

  it('nothing is half-added', () => {
    const world = new World()
    expect(() => ragdoll(world, asset, { mass: 3 })).toThrow(/mass is that of the asset/)
    expect(() =>
      ragdoll(world, asset, { pose: { positions: new Float64Array(3), rotations: new Float64Array(4) } }),
    ).toThrow(/pose: positions must be/)
    expect(() => ragdoll(world, asset, { frction: 1 } as object)).toThrow(/frction/)
    const doll = ragdoll(world, asset)
    expect(() => doll.setWeights({ pin: 2 })).toThrow(/pin must be within \[0, 1\], got 2/)
    expect(() => doll.setWeights({ muscles: 1 } as object)).toThrow(/muscles/)
    expect(() => doll.body('tail')).toThrow(/bone must be one of a part, by name or role, got "tail"/)
    expect(() => doll.profile('drunk' as 'limp')).toThrow(/name must be one of limp/)
    expect(() => doll.hit('head', [0, 0, 1], { weaken: 2 })).toThrow(/weaken must be <= 1, got 2/)
    doll.remove()
    expect(world.constraints().length).toBe(0)
    expect(() => doll.pose()).toThrow(/must exist/)
  })
})

describe('profiles of a user', () => {
  const profiles = {
    hurt: [
      { muscle: 0.5, maxTorque: Infinity, maxLead: 0.5 },
      { muscle: 0, bones: { below: 'leftUpperLeg' } },
    ],
    limp: { muscle: 0.1 },
  }

  it('set weights of parts by name, before those that there are', () => {
    const doll = ragdoll(new World(), asset, { profiles })
    doll.profile('hurt')
    expect(doll.weights('rightFoot')).toMatchObject({ muscle: 0.5, maxTorque: Infinity, maxLead: 0.5 })
    expect(doll.weights('leftFoot').muscle).toBe(0)
    doll.profile('limp', 'head')
    expect(doll.weights('head').muscle).toBe(0.1)
    expect(doll.weights('chest').muscle).toBe(0.5)
  })

  it('come back from JSON', () => {
    const world = new World()
    const doll = ragdoll(world, asset, { profiles })
    const types = [swingTwist, hinge, fixed, pointDrive, angularDrive]
    const there = fromJSON(JSON.parse(JSON.stringify(world.toJSON())), types, {
      assemblies: assembliesFromJSON([ragdollKind]),
    })
    const back = Assemblies.of(there).all[0] as Ragdoll
    expect(back.settings.profiles).toEqual(doll.settings.profiles)
    back.profile('hurt')
    expect(back.weights('leftFoot').muscle).toBe(0)
  })

  it('are refused where they are wrong', () => {
    const made = (wrong: object) => () => ragdoll(new World(), asset, { profiles: wrong as never })
    expect(made({ a: { muscle: 2 } })).toThrow(/profiles\.a\[0\]: muscle must be within \[0, 1\], got 2/)
    expect(made({ a: { bones: 'tail' } })).toThrow(/profiles\.a\[0\]: bones: bone must be one of a part/)
    expect(made({ a: { speed: 2 } })).toThrow(/speed/)
    expect(() => ragdoll(new World(), asset, { profiles }).profile('brave')).toThrow(
      /name must be one of .*hurt.* got "brave"/,
    )
  })
})
