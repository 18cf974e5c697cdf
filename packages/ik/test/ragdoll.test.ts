/** A rig handed over to the dynamics: the same joints, limits and matter; read back; pulled by a goal. */

import { type Constraint, World } from '@tautline/core'
import { rotationBetween, rotate } from '@tautline/core/kernel'
import { describe, expect, it } from 'vitest'
import { angleOf, type HingeDef, offsetOf, type SliderDef, type SwingTwistDef } from '../../constraints/src/index.js'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { type BoneDef, IkSolver, type JointDef, Pose, Rig, WorldPose } from '../src/index.js'
import { HINGE, SLIDER } from '../src/joints.js'
import { poseFromRagdoll, pullTo, toRagdoll } from '../src/ragdoll/index.js'

/** Round-off of angles and places through half a dozen rotations, each of angles near a right one known to a few 1e-13. */
const ROUND_OFF = 1e-11
/** The dynamics' limits are rows among others that a few sweeps have not quite brought to rest [rad, m]. */
const SETTLED = 0.02

/** Of every kind of joint one, by axes that point anywhere. */
function joints(random: Random): JointDef[] {
  const range = (): { min: number; max: number } => ({ min: random.between(-1, -0.1), max: random.between(0.1, 1) })
  const a = random.direction()
  const b = perpendicular(a, random)
  return [
    { kind: 'ball', axis: random.direction(), swing: { y: range(), z: range() }, twist: range() },
    { kind: 'ball', frame: random.rotation(), swing: { y: range(), z: range() }, swingShape: 'cone', twist: range() },
    { kind: 'ball' },
    { kind: 'hinge', axis: random.direction(), limits: range() },
    { kind: 'universal', axisA: a, axisB: b, limitsA: range(), limitsB: range() },
    { kind: 'slider', axis: random.direction(), limits: range() },
    { kind: 'locked' },
  ]
}

function perpendicular(a: ArrayLike<number>, random: Random): [number, number, number] {
  const r = random.direction()
  const c = [a[1] * r[2] - a[2] * r[1], a[2] * r[0] - a[0] * r[2], a[0] * r[1] - a[1] * r[0]]
  const length = Math.hypot(...c)
  return [c[0] / length, c[1] / length, c[2] / length]
}

function tree(random: Random): Rig {
  const bones: BoneDef[] = [
    { name: 'root', parent: null, position: random.vector(), rotation: random.rotation(), tip: random.direction() },
  ]
  joints(random).forEach((joint, k) => {
    const parent = random.below(k + 1)
    const named = { name: `${joint.kind} ${k}`, parent, joint }
    bones.push({ ...named, position: random.vector(0.5), rotation: random.rotation(), tip: random.direction() })
  })
  return Rig.from(bones)
}

/** Any pose, with what joints do not allow taken out; inside the limits. */
function poseInside(rig: Rig, random: Random): Pose {
  const pose = new Pose(rig)
  for (let i = 0; i < rig.count; i++) {
    pose.rotations.set(random.rotation(), 4 * i)
    if (i > 0 && rig.joints[i].kind !== SLIDER) continue
    for (let k = 0; k < 3; k++) pose.positions[3 * i + k] += random.between(-1, 1)
  }
  new IkSolver(rig).solve(pose)
  return pose
}

function still(): World {
  return new World({ gravity: [0, 0, 0] })
}

/** The same joint with nothing in its way. */
function without(joint: JointDef): JointDef {
  if (joint.kind === 'ball') return { kind: 'ball' }
  if (joint.kind === 'universal') return { kind: 'universal', axisA: joint.axisA, axisB: joint.axisB }
  return joint.kind === 'locked' ? joint : { kind: joint.kind, axis: joint.axis }
}

/** Largest difference of rotations [rad] and positions [m] of two poses. */
function apart(rig: Rig, a: Pose, b: Pose): number {
  const v = new Float64Array(3)
  let most = 0
  for (let i = 0; i < rig.count; i++) {
    rotationBetween(a.rotations, 4 * i, b.rotations, 4 * i, v, 0)
    most = Math.max(most, Math.hypot(...v))
    for (let k = 3 * i; k < 3 * i + 3; k++) most = Math.max(most, Math.abs(a.positions[k] - b.positions[k]))
  }
  return most
}

/** The joint's own coordinate in a pose: an angle [rad] or a way [m]. */
function coordinate(rig: Rig, pose: Pose, i: number): number {
  const v = new Float64Array(3)
  if (rig.joints[i].kind === SLIDER) {
    return Math.hypot(...[0, 1, 2].map((k) => pose.positions[3 * i + k] - rig.restPosition[3 * i + k]))
  }
  rotationBetween(pose.rotations, 4 * i, rig.restRotation, 4 * i, v, 0)
  return Math.hypot(...v)
}

describe(`ragdolls (seed ${SEED})`, () => {
  it('stands as the rig does: joints at rest, angles and ways the same, and back again', () => {
    const random = new Random(SEED)
    for (let run = 0; run < 100; run++) {
      const rig = tree(random)
      const pose = poseInside(rig, random)
      const world = still()
      const ragdoll = toRagdoll(rig, pose, world, { root: random.chance(0.5) ? 'free' : 'pinned' })
      for (const residual of Object.values(world.residual())) {
        expect(residual.linear?.max ?? 0).toBeLessThan(ROUND_OFF)
        expect(residual.angular?.max ?? 0).toBeLessThan(ROUND_OFF)
      }
      const hingeJoint = ragdoll.joints[4] as Constraint<HingeDef>
      expect([rig.joints[4].kind, rig.joints[6].kind]).toEqual([HINGE, SLIDER])
      expect(Math.abs(angleOf(hingeJoint))).toBeCloseTo(coordinate(rig, pose, 4), 12)
      const sliderJoint = ragdoll.joints[6] as Constraint<SliderDef>
      expect(Math.abs(offsetOf(sliderJoint))).toBeCloseTo(coordinate(rig, pose, 6), 12)
      expect(apart(rig, poseFromRagdoll(rig, ragdoll, new Pose(rig)), pose)).toBeLessThan(ROUND_OFF)
      ragdoll.bodies.forEach((body, i) => expect(body.mass).toBeCloseTo(rig.mass[i], 12))
    }
  })

  it('has its limits where the rig has them', () => {
    const random = new Random(SEED)
    const worst: Record<string, number> = {}
    for (let run = 0; run < 300; run++) {
      const all = joints(random)
      const joint = all[run % all.length]
      const rig = Rig.from([
        { name: 'root', parent: null, position: [0, 0, 0], rotation: random.rotation(), joint: { kind: 'locked' } },
        {
          name: 'bone',
          parent: 0,
          position: random.vector(),
          rotation: random.rotation(),
          tip: random.direction(),
          joint,
        },
      ])
      const free = Rig.from([
        { name: 'root', parent: null, position: [0, 0, 0], rotation: [...rig.restRotation.slice(0, 4)] as never },
        {
          name: 'bone',
          parent: 0,
          position: [...rig.restPosition.slice(3)] as never,
          rotation: [...rig.restRotation.slice(4)] as never,
          tip: [...rig.tip.slice(3)] as never,
          joint: without(joint),
        },
      ])
      const pose = new Pose(rig)
      // Turned from rest by no more than keeps all angles within half a turn of the middle of their limits.
      const angle = random.between(0, 2.5)
      const turned = Array.from(random.direction(), (x) => angle * x)
      rotate(pose.rotations, 4, turned[0], turned[1], turned[2])
      if (joint.kind === 'slider') for (let k = 3; k < 6; k++) pose.positions[k] += random.between(-2, 2)
      // A joint of the same kind without limits takes out what the kind does not allow, and nothing else.
      new IkSolver(free).solve(pose)
      const expected = new IkSolver(rig).violation(pose)
      const world = still()
      toRagdoll(rig, pose, world, { root: 'free' })
      const found = Object.values(world.residual()).map(({ linear, angular }) =>
        Math.max(linear?.max ?? 0, angular?.max ?? 0),
      )
      expect(Math.max(0, ...found), joint.kind).toBeCloseTo(expected, 9)
      worst[joint.kind] = Math.max(worst[joint.kind] ?? 0, expected)
    }
    for (const kind of ['ball', 'hinge', 'universal', 'slider']) expect(worst[kind]).toBeGreaterThan(0.5)
  })

  it('falls, keeps its limits, and its pose is one of the rig', () => {
    const random = new Random(7)
    for (const root of ['free', 'pinned'] as const) {
      const rig = tree(random)
      const world = new World({ substeps: 20, iterations: 4, order: 'alternating' })
      const start = poseInside(rig, random)
      const ragdoll = toRagdoll(rig, start, world, { root, angularDamping: 1 })
      const solver = new IkSolver(rig)
      const pose = new Pose(rig)
      let worst = 0
      for (let step = 0; step < 120; step++) {
        world.step()
        worst = Math.max(worst, solver.violation(poseFromRagdoll(rig, ragdoll, pose)))
      }
      expect(worst).toBeLessThan(SETTLED)
      const fall = ragdoll.bodies.map((body) => body.position[1])
      if (root === 'free') expect(Math.max(...fall)).toBeLessThan(-10)
      else {
        const { positions } = new WorldPose(rig).update(rig, pose)
        expect(Math.hypot(...[0, 1, 2].map((k) => positions[k] - start.positions[k]))).toBeLessThan(SETTLED)
      }
    }
  })

  it('starts with the speed of an animation', () => {
    const rig = Rig.from([
      { name: 'a', parent: null, position: [0, 0, 0] },
      { name: 'b', parent: 0, position: [1, 0, 0], tip: [1, 0, 0] },
    ])
    const [before, now] = [new Pose(rig), new Pose(rig)]
    now.rotations.set([0, 0, Math.sin(0.005), Math.cos(0.005)])
    now.positions[0] = 0.02
    const { bodies } = toRagdoll(rig, now, still(), { previous: before, dt: 0.01, root: 'free' })
    expect(bodies[1].angularVelocity[2]).toBeCloseTo(1, 10)
    expect(bodies[1].velocity[0]).toBeCloseTo(2 + (1.5 * (Math.cos(0.01) - 1)) / 0.01, 10)
    expect(bodies[1].velocity[1]).toBeCloseTo((1.5 * Math.sin(0.01)) / 0.01, 10)
  })

  it('adds nothing when something is wrong', () => {
    const rig = tree(new Random(3))
    const world = still()
    const pose = new Pose(rig)
    expect(() => toRagdoll(rig, pose, world, { root: 'loose' as never })).toThrow(/root must be pinned or free/)
    expect(() => toRagdoll(rig, pose, world, { dt: 0 })).toThrow(/dt must be > 0/)
    expect(() => toRagdoll(rig, pose, world, { frictionTorque: -1 })).toThrow(/frictionTorque must be >= 0/)
    expect(() => toRagdoll(rig, pose, world, { linearDamping: NaN })).toThrow(/linearDamping/)
    expect(world.constraints()).toEqual([])
    expect(world.bodies.all()).toEqual([])
    const { bodies } = toRagdoll(rig, pose, world)
    expect(() => poseFromRagdoll(rig, { bodies: bodies.slice(1), joints: [] }, pose)).toThrow(/8 bones, got 7 and 0/)
  })

  it('passes angles past half a turn on: a range of a turn or more is none', () => {
    const wide: JointDef = { kind: 'hinge', axis: [0, 0, 1], limits: { min: -2 * Math.PI, max: 2 * Math.PI } }
    const rig = Rig.from([
      { name: 'a', parent: null, position: [0, 0, 0] },
      { name: 'b', parent: 0, position: [1, 0, 0], tip: [1, 0, 0], joint: wide },
      {
        name: 'c',
        parent: 1,
        position: [1, 0, 0],
        tip: [1, 0, 0],
        joint: { kind: 'ball', swing: { y: { min: -9 }, z: { max: 0.5 } }, twist: { min: -1 } },
      },
    ])
    const { joints: made } = toRagdoll(rig, new Pose(rig), still())
    expect((made[1]?.def as HingeDef).limits).toBeUndefined()
    expect((made[2]?.def as SwingTwistDef).swing).toMatchObject({ z: { min: -Math.PI, max: 0.5 } })
    expect((made[2]?.def as SwingTwistDef).swing?.y).toBeUndefined()
    expect((made[2]?.def as SwingTwistDef).twist).toMatchObject({ min: -1, max: Infinity })
    expect((made[1]?.def as SliderDef).reference).toEqual([0, 0, 0, 1])
  })
})

describe('a goal that pulls', () => {
  const arm = (): { rig: Rig; world: World; hand: ReturnType<typeof toRagdoll>['bodies'][number] } => {
    const elbow: JointDef = { kind: 'hinge', axis: [0, 0, 1], limits: { min: 0, max: 2.5 } }
    const rig = Rig.from([
      { name: 'upper', parent: null, position: [0, 0, 0], joint: { kind: 'ball' }, mass: 2 },
      { name: 'lower', parent: 0, position: [0.3, 0, 0], joint: elbow, mass: 1.5 },
      { name: 'hand', parent: 1, position: [0.3, 0, 0], tip: [0.1, 0, 0], joint: { kind: 'ball' }, mass: 0.5 },
    ])
    const pose = new Pose(rig)
    pose.rotations.set([0, 0, Math.sin(0.5), Math.cos(0.5)], 4)
    const world = new World({ substeps: 10 })
    const { bodies } = toRagdoll(rig, pose, world, { angularDamping: 2 })
    return { rig, world, hand: bodies[2] }
  }
  const dt = 1 / 60

  it('leads a hand along a moving target within its force, and lets go', () => {
    const { world, hand } = arm()
    const at = (t: number): [number, number, number] => [
      0.35 + 0.1 * Math.cos(t),
      0.1 * Math.sin(t),
      0.05 * Math.sin(2 * t),
    ]
    const pull = pullTo(world, hand, [0, 0, 0], at(0), { frequency: 3, mass: 4, maxForce: 150 })
    let [farthest, strongest] = [0, 0]
    for (let k = 1; k <= 400; k++) {
      pull.moveTo(at(k * dt), dt)
      world.step()
      strongest = Math.max(strongest, Math.hypot(...pull.force))
      if (k > 60) farthest = Math.max(farthest, Math.hypot(...[0, 1, 2].map((j) => hand.position[j] - at(k * dt)[j])))
    }
    // The arm hangs on a spring of k = 4 kg · (6π Hz)²: half of 4 kg · 9.81 m/s² and a little for its motion.
    expect(farthest).toBeLessThan(0.03)
    expect(strongest).toBeLessThan(150 + 1e-6)
    pull.release()
    expect(world.constraints().some(({ typeName }) => typeName === 'pointDrive')).toBe(false)
    for (let k = 0; k < 120; k++) world.step()
    expect(hand.position[1]).toBeLessThan(-0.4)
  })

  it('never pulls harder than it may', () => {
    const { world, hand } = arm()
    const pull = pullTo(world, hand, [0.05, 0, 0], [0, 5, 0], {
      stiffness: 1e5,
      damping: 100,
      maxForce: 10,
    })
    let strongest = 0
    for (let k = 0; k < 100; k++) {
      world.step()
      strongest = Math.max(strongest, Math.hypot(...pull.force))
    }
    expect(strongest).toBeLessThan(10 * (1 + 1e-6))
    expect(strongest).toBeGreaterThan(9.99)
    // 10 N does not lift an arm of 4 kg.
    expect(hand.position[1]).toBeLessThan(0)
    pull.limit(500)
    for (let k = 0; k < 100; k++) world.step()
    expect(hand.position[1]).toBeGreaterThan(0.5)
  })

  it('checks what it is given', () => {
    const { world, hand } = arm()
    const add = (options: object): void => {
      pullTo(world, hand, [0, 0, 0], [0, 0, 0], options)
    }
    const before = world.constraints().length
    expect(() => add({ stiffness: -1 })).toThrow(/stiffness must be >= 0/)
    expect(() => add({ stiffness: 1, frequency: 2 })).toThrow(/give stiffness and damping, or frequency/)
    expect(() => add({ damping: 1 })).toThrow(/damping must go with stiffness/)
    expect(() => add({ frequency: 0 })).toThrow(/frequency must be > 0/)
    expect(() => add({ maxForce: -1 })).toThrow(/maxForce must be >= 0/)
    expect(() => pullTo(world, hand, [0, NaN, 0], [0, 0, 0])).toThrow(/pullTo: point/)
    expect(world.constraints()).toHaveLength(before)
    const pull = pullTo(world, hand, [0, 0, 0], [0, 0, 0])
    expect(() => pull.moveTo([0, 0, Infinity])).toThrow(/pull: target/)
    expect(() => pull.moveTo([0, 0, 1], 0)).toThrow(/pull: dt/)
    expect(() => pull.limit(NaN)).toThrow(/maxForce/)
    expect(pullTo(world, hand, [0, 0, 0], [1, 0, 0]).constraint.typeName).toBe('pointDrive')
  })
})
