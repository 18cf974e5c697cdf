/** A figure from three and five points: points are met, limbs bend the right way, poses do not drift. */

import { rotationBetween } from '@tautline/core/kernel'
import { describe, expect, it } from 'vitest'
import { type BodyPoint, type FullBody, fullBody, type FullBodyBones, type FullBodyOptions } from '../src/full-body.js'
import { type BoneDef, IkSolver, Pose, Rig, WorldPose } from '../src/index.js'
import { parseBvh } from '../src/rigs/bvh.js'
import { humanoidJoints, humanoidRoles } from '../src/rigs/vrm.js'
import { dataFile } from './support/data.js'

/** Of a solve: its tolerance as a share of a reach of 1.4 m, and a little. */
const MET = 3e-4

const POINTS: BodyPoint[] = ['head', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot']

/** A figure of 1.7 m in a T, looking along z, its left at +x; all limbs straight. */
function figure(): Rig {
  const side = (s: number, name: string): BoneDef[] => [
    { name: `${name}UpperArm`, parent: 'chest', position: [0.18 * s, 0.2, 0] },
    { name: `${name}LowerArm`, parent: `${name}UpperArm`, position: [0.28 * s, 0, 0] },
    { name: `${name}Hand`, parent: `${name}LowerArm`, position: [0.26 * s, 0, 0], tip: [0.15 * s, 0, 0] },
    { name: `${name}UpperLeg`, parent: 'hips', position: [0.1 * s, -0.05, 0] },
    { name: `${name}LowerLeg`, parent: `${name}UpperLeg`, position: [0, -0.42, 0] },
    { name: `${name}Foot`, parent: `${name}LowerLeg`, position: [0, -0.42, 0], tip: [0, -0.07, 0.15] },
  ]
  return Rig.from([
    { name: 'hips', parent: null, position: [0, 0.96, 0] },
    { name: 'spine', parent: 'hips', position: [0, 0.12, 0] },
    { name: 'chest', parent: 'spine', position: [0, 0.15, 0] },
    { name: 'neck', parent: 'chest', position: [0, 0.28, 0] },
    { name: 'head', parent: 'neck', position: [0, 0.08, 0], tip: [0, 0.2, 0] },
    ...side(1, 'left'),
    ...side(-1, 'right'),
  ])
}

const BONES: FullBodyBones = {
  hips: 'hips',
  head: 'head',
  leftHand: 'leftHand',
  rightHand: 'rightHand',
  leftFoot: 'leftFoot',
  rightFoot: 'rightFoot',
}

function setUp(
  points: 3 | 5,
  options: FullBodyOptions = {},
): { rig: Rig; solver: IkSolver; body: FullBody; pose: Pose } {
  const rig = figure()
  const solver = new IkSolver(rig, { iterations: 60 })
  return { rig, solver, body: fullBody(rig, solver, BONES, points, options), pose: new Pose(rig) }
}

function place(rig: Rig, pose: Pose, bone: string): number[] {
  const i = rig.indexOf(bone)
  return [...new WorldPose(rig).update(rig, pose).positions.slice(3 * i, 3 * i + 3)]
}

function yaw(angle: number): [number, number, number, number] {
  return [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)]
}

function errors(body: FullBody, points: readonly BodyPoint[]): number {
  return Math.max(
    ...points.map((name) => Math.max(body.goals[name].position.error, body.goals[name].orientation.error)),
  )
}

describe('a full body', () => {
  it('meets five points, knees forward and elbows back', () => {
    for (const hinges of [false, true]) {
      const { rig, solver, body, pose } = setUp(5, { hinges })
      body.setTarget('head', [0, 1.35, 0.05], [0, 0, 0, 1])
      body.setTarget('leftHand', [0.25, 1.1, 0.25])
      body.setTarget('rightHand', [-0.25, 1, 0.2])
      body.goals.leftHand.orientation.weight = body.goals.rightHand.orientation.weight = 0
      body.setTarget('leftFoot', [0.12, 0.07, 0.1], [0, 0, 0, 1])
      body.setTarget('rightFoot', [-0.12, 0.07, -0.1], [0, 0, 0, 1])
      body.prepare(pose)
      expect(solver.solve(pose).status).toBe('converged')
      expect(Math.max(...POINTS.map((name) => body.goals[name].position.error))).toBeLessThan(MET)
      for (const side of ['left', 'right']) {
        const [hip, knee, foot] = ['UpperLeg', 'LowerLeg', 'Foot'].map((part) => place(rig, pose, side + part))
        expect(knee[2]).toBeGreaterThan(0.5 * (hip[2] + foot[2]) + 0.05)
        const [shoulder, elbow, hand] = ['UpperArm', 'LowerArm', 'Hand'].map((part) => place(rig, pose, side + part))
        expect(elbow[1]).toBeLessThan(0.5 * (shoulder[1] + hand[1]))
      }
      expect(solver.violation(pose)).toBe(0)
    }
  })

  it('puts feet that are not tracked under the head, on the floor, facing as it does', () => {
    const floor = 0.4
    const { rig, solver, body, pose } = setUp(3, { floor })
    body.setTarget('head', [2, 1.45 + floor, -1], yaw(1))
    const ahead = [Math.sin(1), Math.cos(1)]
    const aside = [Math.cos(1), -Math.sin(1)]
    for (const [name, s] of [
      ['leftHand', 1],
      ['rightHand', -1],
    ] as const) {
      const at = [
        2 + 0.3 * ahead[0] + 0.2 * s * aside[0],
        1.1 + floor,
        -1 + 0.3 * ahead[1] + 0.2 * s * aside[1],
      ] as const
      body.setTarget(name, at)
      body.goals[name].orientation.weight = 0
    }
    body.prepare(pose)
    expect(solver.solve(pose).status).toBe('converged')
    for (const [name, s] of [
      ['leftFoot', 1],
      ['rightFoot', -1],
    ] as const) {
      const [x, y, z] = place(rig, pose, name)
      expect(x).toBeCloseTo(2 + 0.1 * s * aside[0], 2)
      expect(y).toBeCloseTo(0.07 + floor, 2)
      expect(z).toBeCloseTo(-1 + 0.1 * s * aside[1], 2)
    }
    const turned = new Float64Array(3)
    rotationBetween(pose.rotations, 0, Float64Array.from(yaw(1)), 0, turned, 0)
    expect(Math.hypot(...turned)).toBeLessThan(0.3)
  })

  it('leaves planted feet where they are', () => {
    const { rig, solver, body, pose } = setUp(3, { feet: 'pinned' })
    pose.positions[0] += 0.05
    body.plant(pose)
    const stood = place(rig, pose, 'leftFoot')
    body.setTarget('head', [0.1, 1.4, 0.1], yaw(0.2))
    body.setTarget('leftHand', [0.4, 1.1, 0.3])
    body.setTarget('rightHand', [-0.2, 1.1, 0.3])
    body.prepare(pose)
    solver.solve(pose)
    place(rig, pose, 'leftFoot').forEach((x, k) => expect(x).toBeCloseTo(stood[k], 2))
  })

  it('gives the same pose for the same points, whatever came before', () => {
    const { rig, solver, body, pose } = setUp(5)
    const path = (t: number): void => {
      body.setTarget('head', [0.1 * Math.sin(t), 1.45 + 0.05 * Math.cos(2 * t), 0], yaw(0.3 * Math.sin(t)))
      body.setTarget('leftHand', [0.3, 1.1 + 0.2 * Math.sin(t), 0.3], [0, 0, 0, 1])
      body.setTarget('rightHand', [-0.3, 1.1 + 0.2 * Math.cos(t), 0.25], [0, 0, 0, 1])
      body.prepare(pose)
      solver.solve(pose)
    }
    path(1)
    const first = new Pose(rig).copy(pose)
    for (let k = 0; k < 50; k++) path(0.37 * k)
    path(1)
    expect(pose).toEqual(first)
  })

  it('never flips along a continuous path', () => {
    const { rig, solver, body, pose } = setUp(5, { hinges: true })
    const frames = 600
    let most = 0
    let before: Float64Array | undefined
    for (let k = 0; k <= frames; k++) {
      const t = (2 * Math.PI * k) / frames
      body.setTarget('head', [0.1 * Math.sin(t), 1.42 + 0.06 * Math.cos(2 * t), 0], yaw(0.4 * Math.sin(t)))
      const reach = 0.35 + 0.15 * Math.sin(3 * t)
      body.setTarget('leftHand', [0.2 + reach * Math.cos(t), 1.2, 0.1 + reach * Math.abs(Math.sin(t))])
      body.setTarget('rightHand', [-0.3, 1.1 + 0.2 * Math.cos(t), 0.25])
      body.goals.leftHand.orientation.weight = body.goals.rightHand.orientation.weight = 0
      body.setTarget('leftFoot', [0.1, 0.07 + 0.15 * Math.max(0, Math.sin(2 * t)), 0.2 * Math.cos(2 * t)], [0, 0, 0, 1])
      body.setTarget('rightFoot', [-0.1, 0.07, 0], [0, 0, 0, 1])
      body.prepare(pose)
      solver.solve(pose)
      const { positions } = new WorldPose(rig).update(rig, pose)
      for (const name of ['leftLowerLeg', 'rightLowerLeg', 'rightLowerArm']) {
        const o = 3 * rig.indexOf(name)
        if (before !== undefined) {
          const was = before
          most = Math.max(most, Math.hypot(...[0, 1, 2].map((c) => positions[o + c] - was[o + c])))
        }
      }
      before = positions.slice()
    }
    // A knee that flips goes twice its bend, 0.2 m and more.
    expect(most).toBeLessThan(0.05)
  })

  it('follows a hand past the straight arm and a foot near full stretch without jumps, inside limits', () => {
    const rig = figure()
    const roles = humanoidRoles(rig.names, { convention: 'vrm' })
    rig.setJoints(humanoidJoints(rig, roles))
    const solver = new IkSolver(rig)
    const body = fullBody(rig, solver, roles as FullBodyBones, 5)
    const pose = new Pose(rig)
    const turned = (axis: number, angle: number): [number, number, number, number] => {
      const q: [number, number, number, number] = [0, 0, 0, Math.cos(angle / 2)]
      q[axis] = Math.sin(angle / 2)
      return q
    }
    const frames = 360
    const [swing, far] = [0.8, 0.56]
    let most = 0
    let before: Float64Array | undefined
    for (let k = 0; k < frames; k++) {
      const t = (2 * Math.PI * k) / frames
      // Arms are 0.54 m long, legs 0.84 m.
      const reach = 0.4 + (far - 0.4) * Math.sin(2 * t) ** 2
      const aside = 0.5 + 0.4 * Math.sin(t)
      const hand = [0.18 + reach * Math.cos(aside), 1.35 + 0.1 * Math.sin(t), reach * Math.sin(aside)] as const
      body.setTarget('head', [0.03 * Math.sin(t), 1.5 + 0.04 * Math.cos(2 * t), 0.05], yaw(0.3 * Math.sin(t)))
      body.setTarget('leftHand', hand, turned(0, swing * Math.sin(3 * t)))
      body.setTarget('rightHand', [-0.3, 1.1 + 0.2 * Math.cos(t), 0.25], turned(2, swing * Math.cos(2 * t)))
      const foot = [0.1, 0.07 + 0.15 * Math.max(0, Math.sin(2 * t)), 0.35 * Math.cos(2 * t)] as const
      body.setTarget('leftFoot', foot, turned(0, 0.6 * Math.sin(2 * t)))
      body.setTarget('rightFoot', [-0.1, 0.07, 0], [0, 0, 0, 1])
      body.prepare(pose)
      expect(solver.solve(pose).status).toBe('converged')
      const { positions } = new WorldPose(rig).update(rig, pose)
      for (const { middle } of body.poles) {
        const was = before
        if (was === undefined) continue
        const went = Math.hypot(...[0, 1, 2].map((c) => positions[3 * middle + c] - was[3 * middle + c]))
        most = Math.max(most, went)
      }
      before = positions.slice()
    }
    // Rigid orientations: 0.4 m and more.
    expect(most).toBeLessThan(0.1)
  })

  it('says what each goal of a missed pose lacks', () => {
    const { rig, solver, body, pose } = setUp(5)
    body.setTarget('leftHand', [1.6, 1.4, 0])
    body.setTarget('head', [0, 1.5, 0])
    body.prepare(pose)
    expect(solver.solve(pose).status).not.toBe('converged')
    const [x, y, z] = place(rig, pose, 'leftHand')
    expect(body.goals.leftHand.position.error).toBeCloseTo(Math.hypot(1.6 - x, 1.4 - y, z), 9)
  })

  const file = dataFile('mocap/01_01.bvh')
  it.skipIf(file === undefined)('rebuilds real motion from five points (needs mocap/01_01.bvh)', () => {
    const bvh = parseBvh(new TextDecoder().decode(file), { scale: 0.0564 })
    const rig = Rig.from(bvh.bones)
    const solver = new IkSolver(rig, { iterations: 30, tolerance: 1e-3 })
    const bones: FullBodyBones = {
      head: 'Head',
      leftHand: 'LeftHand',
      rightHand: 'RightHand',
      leftFoot: 'LeftFoot',
      rightFoot: 'RightFoot',
    }
    const body = fullBody(rig, solver, bones, 5, { hinges: true })
    const [pose, truth, world] = [new Pose(rig), new Pose(rig), new WorldPose(rig)]
    const v = new Float64Array(3)
    let [sum, count] = [0, 0]
    for (let k = 0; k < bvh.frameCount; k += 20) {
      bvh.pose(k, truth)
      world.update(rig, truth)
      for (const name of POINTS) {
        const i = body.goals[name].position.bone
        body.goals[name].position.target.set(world.positions.subarray(3 * i, 3 * i + 3))
        body.goals[name].orientation.target.set(world.rotations.subarray(4 * i, 4 * i + 4))
      }
      body.prepare(pose)
      solver.solve(pose)
      expect(errors(body, POINTS)).toBeLessThan(0.01)
      for (const { middle } of body.poles) {
        rotationBetween(pose.rotations, 4 * middle, truth.rotations, 4 * middle, v, 0)
        sum += Math.hypot(...v)
        count++
      }
    }
    expect(((180 / Math.PI) * sum) / count).toBeLessThan(15)
  })

  it('names what is wrong, and changes nothing then', () => {
    const rig = figure()
    const solver = new IkSolver(rig)
    const make = (bones: object, points: number, options: object = {}): (() => FullBody) => {
      return () => fullBody(rig, solver, { ...BONES, ...bones }, points as 3, options)
    }
    expect(() => fullBody(figure(), solver, BONES, 3)).toThrow(/solver must be one of the rig/)
    expect(make({}, 4)).toThrow(/points must be 3 or 5, got 4/)
    expect(make({ head: 'skull' }, 3)).toThrow(/fullBody: head.*got skull/)
    expect(make({ leftHand: 'hips' }, 3)).toThrow(/leftLowerArm must be above "hips", got a root/)
    expect(make({ leftLowerArm: 'head' }, 3)).toThrow(/must follow each other/)
    expect(make({}, 3, { feet: 'loose' })).toThrow(/feet must be under or pinned/)
    expect(make({}, 3, { orientationCompliance: 1 })).toThrow(/orientationCompliance must be < 1, got 1/)
    expect(make({}, 3, { orientationWeight: -1 })).toThrow(/orientationWeight must be >= 0/)
    expect(make({}, 3, { forward: [0, 0, 0] })).toThrow(/forward must be a direction/)
    expect(solver.goals).toEqual([])
    expect(rig.rootMode).toBe('pinned')
    const body = make({}, 3)()
    expect(() => body.setTarget('nose' as never, [0, 0, 0])).toThrow(/point must be one of head/)
    expect(() => body.setTarget('head', [0, NaN, 0])).toThrow(/position/)
    expect(() => body.setTarget('head', [0, 0, 0], [1, 1, 0, 0])).toThrow(/orientation must be a unit quaternion/)
  })
})
