/** Humanoids: names of several makers, VRM's own tables, and joints that bend the right way. */

import { describe, expect, it } from 'vitest'
import { type BoneDef, Rig } from '../src/index.js'
import type { BallJointDef, HingeJointDef, JointDef } from '../src/joints.js'
import { parseBvh } from '../src/rigs/bvh.js'
import { type Quat, type Vec3, aboutAxis, inverse, times, rotated } from '../src/rigs/transform.js'
import {
  ROLES,
  type Role,
  type Roles,
  humanoidJoints,
  humanoidRoles,
  threeVrmRoles,
  vrmRoles,
} from '../src/rigs/vrm.js'
import { dataFile } from './support/data.js'
import { places, restPose } from './support/pose.js'

/** Sines of three rotations, one after another. */
const ROUND_OFF = 1e-12

const DEGREE = Math.PI / 180

describe('humanoidRoles', () => {
  it.each([
    [
      'vrm',
      ['hips', 'leftUpperLeg', 'leftThumbMetacarpal', 'rightLittleDistal'],
      ['hips', 'leftUpperLeg', 'leftThumbMetacarpal', 'rightLittleDistal'],
    ],
    [
      'mixamo',
      ['mixamorig:Hips', 'mixamorigLeftUpLeg', 'mixamorig1:RightHandPinky3', 'mixamorig:Spine2'],
      ['hips', 'leftUpperLeg', 'rightLittleDistal', 'upperChest'],
    ],
    [
      'unreal',
      ['pelvis', 'thigh_l', 'clavicle_r', 'index_02_l', 'spine_01'],
      ['hips', 'leftUpperLeg', 'rightShoulder', 'leftIndexIntermediate', 'spine'],
    ],
    [
      'cmu',
      ['Hips', 'LeftUpLeg', 'LowerBack', 'Spine', 'LThumb'],
      ['hips', 'leftUpperLeg', 'spine', 'chest', 'leftThumbMetacarpal'],
    ],
    [
      'webxr',
      ['wrist', 'thumb-metacarpal', 'index-finger-phalanx-distal'],
      ['rightHand', 'rightThumbMetacarpal', 'rightIndexDistal'],
    ],
  ] as const)('knows the names of %s without being told', (convention, names, roles) => {
    const found = humanoidRoles(names, { side: 'right' })
    expect(found).toEqual(Object.fromEntries(roles.map((role, i) => [role, names[i]])))
    expect(humanoidRoles(names, { convention, side: 'right' })).toEqual(found)
  })

  it('knows all 55 roles of VRM, and its old thumbs', () => {
    expect(Object.keys(humanoidRoles(ROLES)).length).toBe(55)
    const old = ['leftThumbProximal', 'leftThumbIntermediate', 'leftThumbDistal', 'leftHand']
    expect(humanoidRoles(old)).toEqual({
      leftThumbMetacarpal: 'leftThumbProximal',
      leftThumbProximal: 'leftThumbIntermediate',
      leftThumbDistal: 'leftThumbDistal',
      leftHand: 'leftHand',
    })
  })

  it('refuses names that it does not know', () => {
    expect(() => humanoidRoles(['joint1', 'joint2'])).toThrow('humanoidRoles: names must be those of a humanoid')
    expect(() => humanoidRoles(['hips'], { convention: 'rigify' as 'vrm' })).toThrow(
      'convention must be one of vrm, vrm0',
    )
    expect(() => humanoidRoles(['hips'], { side: 'both' as 'left' })).toThrow('side must be left or right, got "both"')
  })
})

describe('vrmRoles', () => {
  it('reads VRM 1.0 and 0', () => {
    const nodes = [{ name: 'J_Hips' }, { name: 'J_Thumb' }]
    const one = {
      nodes,
      extensions: { VRMC_vrm: { humanoid: { humanBones: { hips: { node: 0 }, leftThumbMetacarpal: { node: 1 } } } } },
    }
    const zero = {
      nodes,
      extensions: {
        VRM: {
          humanoid: {
            humanBones: [
              { bone: 'hips', node: 0 },
              { bone: 'leftThumbProximal', node: 1 },
            ],
          },
        },
      },
    }
    const roles = { hips: 'J_Hips', leftThumbMetacarpal: 'J_Thumb' }
    expect([vrmRoles(one), vrmRoles(zero)]).toEqual([roles, roles])
    expect(threeVrmRoles({ hips: { node: { name: 'J_Hips' } }, head: undefined })).toEqual({ hips: 'J_Hips' })
    expect(() => vrmRoles({ nodes })).toThrow('json must have the extension VRMC_vrm or VRM')
    expect(() => vrmRoles({ ...one, nodes: [] })).toThrow('hips must be a node with a name, got node 0')
  })
})

/** A figure facing +z, left +x; every bone's own frame is `frame`, so that no axis of a bone means anything. */
function figure(
  frame: Quat,
  arm: Vec3,
  kneeBend: number,
  facing: Quat = [0, 0, 0, 1],
): { bones: BoneDef[]; roles: Roles } {
  const at: [Role, Role | null, Vec3][] = [
    ['hips', null, [0, 1, 0]],
    ['spine', 'hips', [0, 1.2, 0]],
    ['head', 'spine', [0, 1.6, 0]],
  ]
  for (const [side, s] of [
    ['left', 1],
    ['right', -1],
  ] as const) {
    const out = (v: Vec3): Vec3 => [s * v[0], v[1], v[2]]
    const shin: Vec3 = [0.1, 0.55 - 0.45 * Math.cos(kneeBend), -0.45 * Math.sin(kneeBend)]
    at.push([`${side}UpperLeg`, 'hips', out([0.1, 1, 0])], [`${side}LowerLeg`, `${side}UpperLeg`, out([0.1, 0.55, 0])])
    at.push(
      [`${side}Foot`, `${side}LowerLeg`, out(shin)],
      [`${side}Toes`, `${side}Foot`, out([shin[0], shin[1] - 0.05, shin[2] + 0.15])],
    )
    const elbow: Vec3 = [0.2 + 0.3 * arm[0], 1.4 + 0.3 * arm[1], 0.3 * arm[2]]
    const hand: Vec3 = [0.2 + 0.55 * arm[0], 1.4 + 0.55 * arm[1], 0.55 * arm[2]]
    at.push(
      [`${side}UpperArm`, 'spine', out([0.2, 1.4, 0])],
      [`${side}LowerArm`, `${side}UpperArm`, out(elbow)],
      [`${side}Hand`, `${side}LowerArm`, out(hand)],
    )
  }
  const bones = at.map(([role, parent, place]): BoneDef => {
    const up = at.find(([other]) => other === parent)
    const [outerTurn, outerPlace] =
      up === undefined ? [[0, 0, 0, 1] as Quat, [0, 0, 0] as Vec3] : [frame, rotated(facing, up[2])]
    const spot = rotated(facing, place)
    const offset: Vec3 = [spot[0] - outerPlace[0], spot[1] - outerPlace[1], spot[2] - outerPlace[2]]
    return {
      name: role,
      parent,
      position: rotated(inverse(outerTurn), offset),
      rotation: times(inverse(outerTurn), frame),
    }
  })
  return { bones, roles: Object.fromEntries(at.map(([role]) => [role, role])) }
}

/** Where a bone's child goes when the bone turns about an axis of its own. */
function swung(bones: readonly BoneDef[], name: string, child: string, axis: Vec3, angle: number): Vec3 {
  const pose = restPose(bones)
  const i = bones.findIndex((bone) => bone.name === name)
  const own = Array.from(pose.rotations.slice(4 * i, 4 * i + 4)) as Quat
  pose.rotations.set(times(own, aboutAxis(axis, angle)), 4 * i)
  const [then, now] = [places(bones, restPose(bones)), places(bones, pose)]
  const c = bones.findIndex((bone) => bone.name === child)
  return [0, 1, 2].map((k) => now.position[3 * c + k] - then.position[3 * c + k]) as Vec3
}

const FRAMES: [string, Quat][] = [
  ['as the world', [0, 0, 0, 1]],
  ['turned somehow', [0.5, -0.5, 0.1, 0.7]],
]

describe('humanoidJoints', () => {
  const down: Vec3 = [0, -1, 0]
  const aside: Vec3 = [1, 0, 0]

  for (const [title, raw] of FRAMES) {
    const l = Math.hypot(...raw)
    const frame = raw.map((x) => x / l) as Quat
    const along = (name: 'x' | 'y' | 'z', def: JointDef): Vec3 =>
      rotated((def as BallJointDef).frame as Quat, [name === 'x' ? 1 : 0, name === 'y' ? 1 : 0, name === 'z' ? 1 : 0])

    it(`bends knees back and elbows to the front, bones ${title}`, () => {
      for (const arm of [down, aside, [Math.SQRT1_2, -Math.SQRT1_2, 0] as Vec3]) {
        const { bones, roles } = figure(frame, arm, 0)
        const joints = humanoidJoints(Rig.from(bones), roles)
        for (const side of ['left', 'right'] as const) {
          const [knee, elbow] = [joints[`${side}LowerLeg`] as HingeJointDef, joints[`${side}LowerArm`] as HingeJointDef]
          expect([knee.kind, elbow.kind]).toEqual(['hinge', 'hinge'])
          expect(swung(bones, `${side}LowerLeg`, `${side}Foot`, knee.axis as Vec3, 0.5)[2]).toBeLessThan(-0.1)
          expect(swung(bones, `${side}LowerArm`, `${side}Hand`, elbow.axis as Vec3, 0.5)[2]).toBeGreaterThan(0.1)
          near(knee.limits!.min!, 0)
          near(knee.limits!.max!, 135 * DEGREE)
          near(elbow.limits!.max!, 150 * DEGREE)
        }
      }
    })

    it(`swings hips and shoulders the right way, bones ${title}`, () => {
      const { bones, roles } = figure(frame, aside, 0)
      const joints = humanoidJoints(Rig.from(bones), roles)
      for (const [side, s] of [
        ['left', 1],
        ['right', -1],
      ] as const) {
        const hip = joints[`${side}UpperLeg`] as BallJointDef
        expect(swung(bones, `${side}UpperLeg`, `${side}LowerLeg`, along('y', hip), 0.5)[2]).toBeGreaterThan(0.1)
        near(hip.swing!.y!.min!, -30 * DEGREE)
        near(hip.swing!.y!.max!, 120 * DEGREE)
        // The larger bound of z, 45°, is away from the other leg.
        const z = hip.swing!.z!
        const out = z.max! > -z.min! ? 1 : -1
        near(Math.max(z.max!, -z.min!), 45 * DEGREE)
        expect(s * swung(bones, `${side}UpperLeg`, `${side}LowerLeg`, along('z', hip), 0.5 * out)[0]).toBeGreaterThan(
          0.1,
        )
        // Held out sideways, an arm goes 90° up, 140° down, 130° to the front and 45° back.
        const shoulder = joints[`${side}UpperArm`] as BallJointDef
        near(shoulder.swing!.y!.max!, 130 * DEGREE)
        expect(swung(bones, `${side}UpperArm`, `${side}LowerArm`, along('y', shoulder), 0.5)[2]).toBeGreaterThan(0.1)
        const w = shoulder.swing!.z!
        near(Math.min(w.max!, -w.min!), 90 * DEGREE)
        const rises = w.max! < -w.min! ? 1 : -1
        expect(
          swung(bones, `${side}UpperArm`, `${side}LowerArm`, along('z', shoulder), 0.5 * rises)[1],
        ).toBeGreaterThan(0.1)
      }
      const foot = joints['leftFoot'] as BallJointDef
      expect(swung(bones, 'leftFoot', 'leftToes', along('y', foot), 0.3)[1]).toBeGreaterThan(0.01)
      near(foot.swing!.y!.max!, 20 * DEGREE)
    })
  }

  it('takes a bend at rest off the range, and its plane for the axis', () => {
    const { bones, roles } = figure([0, 0, 0, 1], down, 30 * DEGREE)
    const knee = humanoidJoints(Rig.from(bones), roles)['leftLowerLeg'] as HingeJointDef
    near(knee.limits!.min!, -30 * DEGREE)
    near(knee.limits!.max!, 105 * DEGREE)
    nearAll(knee.axis, [1, 0, 0])
    // Bent a little backwards, it still bends back: the front decides.
    const wrong = figure([0, 0, 0, 1], down, -10 * DEGREE)
    const other = humanoidJoints(Rig.from(wrong.bones), wrong.roles)['leftLowerLeg'] as HingeJointDef
    nearAll(other.axis, [1, 0, 0])
    near(other.limits!.max!, 145 * DEGREE)
  })

  it('makes a ball of an elbow that shows no axis, and turns with the figure', () => {
    const { bones, roles } = figure([0, 0, 0, 1], [0, 0, 1], 0)
    expect(humanoidJoints(Rig.from(bones), roles)['leftLowerArm'].kind).toBe('ball')
    const turnedRound = figure([0, 0, 0, 1], down, 0, [0, 1, 0, 0])
    const knee = humanoidJoints(Rig.from(turnedRound.bones), turnedRound.roles)['leftLowerLeg'] as HingeJointDef
    nearAll(knee.axis, [-1, 0, 0])
  })

  it('shares the back among its bones and leaves others alone', () => {
    const { bones, roles } = figure([0, 0, 0, 1], down, 0)
    const rig = Rig.from(bones)
    const before = [...rig.joints]
    const joints = humanoidJoints(rig, { ...roles, chest: 'head' })
    expect(rig.joints).toEqual(before)
    rig.setJoints(joints)
    expect(rig.joints).not.toEqual(before)
    const given = [...rig.joints]
    expect(() => rig.setJoints({ hips: { kind: 'ball' }, head: { kind: 'hinge' } as never })).toThrow('bone "head"')
    expect(() => rig.setJoints({ nobody: { kind: 'ball' } })).toThrow(
      'Rig.setJoints: bone must be one of the rig, got nobody',
    )
    expect(rig.joints).toEqual(given)
    near((joints['spine'] as BallJointDef).swing!.y!.max!, 40 * DEGREE)
    expect(joints['hips']).toBeUndefined()
    expect(() => humanoidJoints(rig, { ...roles, jaw: 'chin' })).toThrow(
      'humanoidJoints: roles: jaw: bone must be one of the rig, got chin',
    )
    expect(() => humanoidJoints(rig, { leftLowerLeg: 'leftLowerLeg' })).toThrow(
      'humanoidJoints: leftLowerLeg must have hips',
    )
  })

  const file = dataFile('mocap/01_01.bvh')
  it.skipIf(file === undefined)('fits the CMU figure (skipped without ../shared/data)', () => {
    const { bones } = parseBvh(new TextDecoder().decode(file), { scale: 0.0564 })
    const roles = humanoidRoles(bones.map(({ name }) => name))
    expect(Object.keys(roles).length).toBe(24)
    const joints = humanoidJoints(Rig.from(bones), roles)
    const knee = joints['RightLeg'] as HingeJointDef
    expect(swung(bones, 'RightLeg', 'RightFoot', knee.axis as Vec3, 0.5)[2]).toBeLessThan(-0.1)
    expect((joints['LeftForeArm'] as HingeJointDef).kind).toBe('hinge')
  })
})

function near(got: number, want: number): void {
  expect(Math.abs(got - want), `${got} for ${want}`).toBeLessThan(ROUND_OFF)
}

function nearAll(got: ArrayLike<number>, want: readonly number[]): void {
  want.forEach((x, k) => near(got[k], x))
}
