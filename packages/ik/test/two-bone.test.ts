/** Two bones in closed form: exact in reach, straight out of it, poles, hinges, limits, and no flips along a path. */

import { rotateVector, rotationBetween } from '@tautline/core/kernel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../core/test/support/runs.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { type BoneDef, IkSolver, type JointDef, Pose, PositionGoal, Rig, WorldPose } from '../src/index.js'
import { TwoBone, twoBone } from '../src/two-bone.js'

/** Sums of a few dozen products of numbers near 1. */
const EXACT = 1e-12
/** A bend that is never quite straight turns a bone by so much [rad]. */
const NEARLY_STRAIGHT = 2e-6
/** Round-off of an angle. */
const ANGLE = 1e-9

interface Wishes {
  middle?: JointDef
  start?: JointDef
  random?: Random
}

/** A torso, a limb whose bones point anywhere, a twist bone between shoulder and elbow, and a hand with a tip. */
function limb({ middle, start, random = new Random(1) }: Wishes = {}): Rig {
  const bones: BoneDef[] = [
    { name: 'torso', parent: null, position: random.vector(), rotation: random.rotation() },
    { name: 'start', parent: 0, position: random.vector(), rotation: random.rotation() },
    { name: 'twist', parent: 1, position: random.vector(0.5), rotation: random.rotation() },
    { name: 'middle', parent: 2, position: random.direction(), rotation: random.rotation() },
    { name: 'end', parent: 3, position: random.direction(), rotation: random.rotation(), tip: [0.1, 0.2, 0] },
  ]
  if (middle !== undefined) bones[3].joint = middle
  if (start !== undefined) bones[1].joint = start
  return Rig.from(bones)
}

const DEF = { start: 'start', middle: 'middle', end: 'end', point: [0, 0, 0] } as const

function place(rig: Rig, pose: Pose, bone: number, point: readonly [number, number, number] = [0, 0, 0]): number[] {
  const world = new WorldPose(rig).update(rig, pose)
  const out = new Float64Array(3)
  rotateVector(world.rotations, 4 * bone, point[0], point[1], point[2], out, 0)
  return [0, 1, 2].map((k) => world.positions[3 * bone + k] + out[k])
}

function turned(rig: Rig, pose: Pose, bone: number): Float64Array {
  return new WorldPose(rig).update(rig, pose).rotations.slice(4 * bone, 4 * bone + 4)
}

function randomPose(rig: Rig, random: Random): Pose {
  const pose = new Pose(rig)
  for (let i = 0; i < rig.count; i++) pose.rotations.set(random.rotation(), 4 * i)
  return pose
}

function sub(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [0, 1, 2].map((k) => a[k] - b[k])
}

function scaled(a: readonly number[], s: number): number[] {
  return a.map((x) => s * x)
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(...sub(a, b))
}

/** A target at a share of the way between the least and the largest distance. */
function targetFor(rig: Rig, pose: Pose, random: Random, share: number): [number, number, number] {
  const [s, m, e] = [1, 3, 4].map((bone) => place(rig, pose, bone))
  const [a, b] = [distance(s, m), distance(m, e)]
  const [least, most] = [Math.abs(a - b), a + b]
  const n = random.direction()
  const d = least + share * (most - least)
  return [s[0] + d * n[0], s[1] + d * n[1], s[2] + d * n[2]]
}

describe(`two bones (seed ${SEED})`, () => {
  it('reaches any target in reach to round-off, from any pose, by any axes', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0.02, max: 1, noNaN: true }), (seed, share) => {
        const random = new Random(seed)
        const rig = limb({ random })
        const pose = randomPose(rig, random)
        const target = targetFor(rig, pose, random, share)
        const before = pose.rotations.slice()
        expect(twoBone(rig, pose, { ...DEF, target })).toBe('converged')
        expect(distance(place(rig, pose, 4), target)).toBeLessThan(EXACT)
        for (const still of [0, 2, 4]) expect(pose.rotations[4 * still]).toBe(before[4 * still])
      }),
      { seed: SEED, numRuns: runs(2000) },
    )
  })

  it('takes a point of the end there, and keeps its orientation where asked', () => {
    const random = new Random(SEED)
    for (let k = 0; k < 200; k++) {
      const rig = limb({ random })
      const pose = randomPose(rig, random)
      const kept = turned(rig, pose, 4)
      const near = targetFor(rig, pose, random, 0.5)
      expect(twoBone(rig, pose, { ...DEF, point: [0.1, 0.2, 0], target: near })).toBe('converged')
      expect(distance(place(rig, pose, 4, [0.1, 0.2, 0]), near)).toBeLessThan(EXACT)
      const again = randomPose(rig, random)
      kept.set(turned(rig, again, 4))
      const status = twoBone(rig, again, { ...DEF, point: [0.01, 0.02, 0], keepOrientation: true, target: near })
      const turn = new Float64Array(3)
      rotationBetween(turned(rig, again, 4), 0, kept, 0, turn, 0)
      expect(Math.hypot(...turn)).toBeLessThan(EXACT)
      if (status === 'converged') expect(distance(place(rig, again, 4, [0.01, 0.02, 0]), near)).toBeLessThan(EXACT)
    }
  })

  it('points straight at what is too far, and folds for what is too near', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(1.001, 1.5, 30, -0.4), (seed, share) => {
        const random = new Random(seed)
        const rig = limb({ random })
        const pose = randomPose(rig, random)
        const [s, m, e] = [1, 3, 4].map((bone) => place(rig, pose, bone))
        const [a, b] = [distance(s, m), distance(m, e)]
        if (share < 0 && Math.abs(a - b) < 0.1) return
        const target = targetFor(rig, pose, random, 0)
        const d = share < 0 ? 0.5 * Math.abs(a - b) : share * (a + b)
        const n = scaled(sub(target, s), 1 / distance(target, s))
        const far = [0, 1, 2].map((k) => s[k] + d * n[k]) as [number, number, number]
        expect(twoBone(rig, pose, { ...DEF, target: far })).toBe('unreachable')
        const reached = sub(place(rig, pose, 4), s)
        expect(Math.hypot(...reached)).toBeCloseTo(share < 0 ? Math.abs(a - b) : a + b, 10)
        expect(Math.hypot(...cross(reached, n))).toBeLessThan(EXACT)
      }),
      { seed: SEED, numRuns: runs(300) },
    )
  })

  it('puts the middle on the pole’s side', () => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), (seed, isHinge) => {
        const random = new Random(seed)
        const rig = limb({ random, ...(isHinge && { middle: { kind: 'hinge', axis: random.direction() } }) })
        const pose = randomPose(rig, random)
        const target = targetFor(rig, pose, random, 0.6)
        const pole = random.vector(3) as [number, number, number]
        if (twoBone(rig, pose, { ...DEF, target, pole }) !== 'converged') return
        const [s, m, e] = [1, 3, 4].map((bone) => place(rig, pose, bone))
        expect(distance(e, target)).toBeLessThan(EXACT)
        const t = scaled(sub(target, s), 1 / distance(target, s))
        const [bend, aim] = [m, pole].map((p) => {
          const v = sub(p, s)
          return sub(v, scaled(t, dot(v, t)))
        })
        if (Math.hypot(...bend) < 0.01 || Math.hypot(...aim) < 0.01) return
        expect(dot(bend, aim) / Math.hypot(...bend) / Math.hypot(...aim)).toBeCloseTo(1, 10)
      }),
      { seed: SEED, numRuns: runs(500) },
    )
  })

  it('bends a hinge about its own axis alone, inside its limits', () => {
    let converged = 0
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed)
        const min = random.between(-2, 0.5)
        const limits = { min, max: min + random.between(0, 2.5) }
        const rig = limb({ random, middle: { kind: 'hinge', axis: random.direction(), limits } })
        const pose = randomPose(rig, random)
        const target = targetFor(rig, pose, random, random.next())
        const status = twoBone(rig, pose, { ...DEF, target })
        expect(new IkSolver(rig).violation(pose)).toBe(0)
        const turn = new Float64Array(3)
        rotationBetween(pose.rotations, 12, rig.restRotation, 12, turn, 0)
        const axis = new Float64Array(3)
        const { frame } = rig.joints[3]
        rotateVector(frame, 0, 1, 0, 0, axis, 0)
        rotateVector(rig.restRotation, 12, axis[0], axis[1], axis[2], axis, 0)
        expect(Math.hypot(...cross([...turn], [...axis]))).toBeLessThan(ANGLE)
        if (status !== 'converged') return
        converged++
        expect(distance(place(rig, pose, 4), target)).toBeLessThan(EXACT)
      }),
      { seed: SEED, numRuns: runs(1000) },
    )
    expect(converged).toBeGreaterThan(runs(100))
  })

  it('holds limits of the balls, and says so', () => {
    const random = new Random(SEED)
    let held = 0
    for (let k = 0; k < 300; k++) {
      const start: JointDef = { kind: 'ball', swing: { y: { min: -1, max: 1 }, z: { min: -1, max: 1 } } }
      const rig = limb({ random, start })
      const pose = randomPose(rig, random)
      const target = targetFor(rig, pose, random, 0.7)
      const status = twoBone(rig, pose, { ...DEF, target })
      expect(new IkSolver(rig).violation(pose)).toBe(0)
      if (status === 'converged') expect(distance(place(rig, pose, 4), target)).toBeLessThan(EXACT)
      else held++
    }
    expect(held).toBeGreaterThan(0)
  })

  it('never flips along a path through straight and out of reach and back', () => {
    for (const middle of [{ kind: 'ball' }, { kind: 'hinge', axis: [0, 0, 1] }] as const) {
      const rig = Rig.from([
        { name: 'start', parent: null, position: [0, 0, 0] },
        { name: 'middle', parent: 0, position: [1, 0, 0], joint: middle },
        { name: 'end', parent: 1, position: [1, 0, 0] },
      ])
      for (const hasPole of [false, true]) {
        const arm = new TwoBone(rig, DEF)
        const pose = new Pose(rig)
        twoBone(rig, pose, { ...DEF, target: [1.4, 0.2, 0], pole: [0, 1, 0.3] })
        arm.hasPole = hasPole
        arm.pole.set([0, 1, 0.3])
        const steps = 4000
        let before = new WorldPose(rig).update(rig, pose).positions.slice()
        let most = 0
        for (let k = 0; k <= steps; k++) {
          const t = (2 * Math.PI * k) / steps
          arm.target.set([1.9 - 0.5 * Math.cos(3 * t), 0.2 * Math.cos(t), 0.3 * Math.sin(t)])
          arm.solve(pose)
          const now = new WorldPose(rig).update(rig, pose).positions.slice()
          if (k > 0) most = Math.max(most, distance(now.subarray(3), before.subarray(3)))
          before = now
        }
        // A target's step is 0.0025; a bend goes as the root of what is missing to straight: √(2 · 0.0025).
        expect(most).toBeLessThan(0.075)
      }
    }
  })

  it('eases targets within soft reach, as a goal does', () => {
    const rig = Rig.from([
      { name: 'start', parent: null, position: [0, 0, 0] },
      { name: 'middle', parent: 0, position: [1, 0, 0] },
      { name: 'end', parent: 1, position: [1, 0, 0] },
    ])
    const pose = new Pose(rig)
    expect(twoBone(rig, pose, { ...DEF, softReach: 0.9, target: [0, 1.7, 0] })).toBe('converged')
    expect(place(rig, pose, 2)[1]).toBeCloseTo(1.7, 12)
    for (const d of [1.85, 2, 2.5]) {
      const target = [0, d, 0] as const
      expect(twoBone(rig, pose, { ...DEF, softReach: 0.9, target })).toBe('converged')
      const x = (d - 1.8) / 0.2
      expect(place(rig, pose, 2)[1]).toBeCloseTo(1.8 + (0.2 * x) / (1 + x), 12)
      const solver = new IkSolver(rig, { iterations: 100, tolerance: 1e-9 })
      const goal = solver.add(new PositionGoal(rig, 'end', target, { point: [0, 0, 0], softReach: 0.9 }))
      solver.solve(pose)
      expect(solver.result.iterations).toBe(0)
      expect(goal.error).toBeLessThan(EXACT)
    }
  })

  it('is a seed that leaves the block nothing to do', () => {
    const random = new Random(SEED)
    for (let k = 0; k < 50; k++) {
      const rig = limb({ random })
      const pose = randomPose(rig, random)
      const target = targetFor(rig, pose, random, 0.6)
      twoBone(rig, pose, { ...DEF, target })
      const solver = new IkSolver(rig)
      solver.add(new PositionGoal(rig, 'end', target, { point: [0, 0, 0] }))
      expect(solver.solve(pose)).toMatchObject({ status: 'converged', iterations: 0 })
    }
  })

  it('leaves the pose alone for what makes no sense', () => {
    const rig = limb()
    const pose = new Pose(rig)
    const [x, y, z] = place(rig, pose, 1)
    for (const target of [
      [x, y, z],
      [NaN, 0, 0],
      [0, Infinity, 0],
    ] as [number, number, number][]) {
      expect(twoBone(rig, pose, { ...DEF, target })).toBe('invalid')
    }
    expect(twoBone(rig, pose, { ...DEF, target: [1, 2, 3], pole: [0, NaN, 0] })).toBe('invalid')
    const flat = Rig.from([
      { name: 'start', parent: null, position: [0, 0, 0] },
      { name: 'middle', parent: 0, position: [0, 0, 0] },
      { name: 'end', parent: 1, position: [1, 0, 0] },
    ])
    const still = new Pose(flat)
    expect(twoBone(flat, still, { ...DEF, target: [1, 0, 0] })).toBe('invalid')
    expect(pose).toEqual(new Pose(rig))
    expect(still).toEqual(new Pose(flat))
  })

  it('names what is wrong with a limb', () => {
    const rig = limb()
    expect(() => new TwoBone(rig, { ...DEF, start: 'knee' })).toThrow(/twoBone: start.*got knee/)
    expect(() => new TwoBone(rig, { ...DEF, start: 'end', end: 'start' })).toThrow(
      /must follow each other.*got end, middle, start/,
    )
    expect(() => new TwoBone(rig, { ...DEF, softReach: 0 })).toThrow(/softReach must be > 0 and finite, got 0/)
    expect(() => new TwoBone(rig, { ...DEF, point: [0, NaN, 0] })).toThrow(/point/)
    const short = [1, 1] as unknown as [number, number, number]
    expect(() => twoBone(rig, new Pose(rig), { ...DEF, target: short })).toThrow(
      /twoBone: target must be an array of 3 numbers, got 2 entries/,
    )
    expect(() => twoBone(rig, new Pose(rig), { ...DEF, target: [0, 1, 0], pole: short })).toThrow(/twoBone: pole/)
    rig.joint('middle', { kind: 'slider', axis: [1, 0, 0] })
    expect(() => new TwoBone(rig, DEF)).toThrow(/middle must be a ball or a hinge, got "middle"/)
    rig.joint('start', { kind: 'locked' })
    expect(() => new TwoBone(rig, DEF)).toThrow(/start must be a ball/)
    const hand = limb().joint('end', { kind: 'locked' })
    expect(() => new TwoBone(hand, { ...DEF, keepOrientation: true })).toThrow(/end must be a ball/)
  })

  it('needs no more than a bend that cannot be seen to keep its side', () => {
    const rig = Rig.from([
      { name: 'start', parent: null, position: [0, 0, 0] },
      { name: 'middle', parent: 0, position: [1, 0, 0] },
      { name: 'end', parent: 1, position: [1, 0, 0] },
    ])
    const pose = new Pose(rig)
    twoBone(rig, pose, { ...DEF, target: [9, 0, 0], pole: [0, 0, 1] })
    expect(Math.hypot(...place(rig, pose, 1).slice(1))).toBeLessThan(NEARLY_STRAIGHT)
    twoBone(rig, pose, { ...DEF, target: [1.5, 0, 0] })
    expect(place(rig, pose, 1)[2]).toBeCloseTo(Math.sqrt(1 - 0.75 ** 2), 9)
  })
})
