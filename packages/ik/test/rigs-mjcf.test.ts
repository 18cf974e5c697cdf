/** MJCF: what MuJoCo itself says of the same files (3.3, by `mujoco-js`), small documents by hand, and errors by line. */

import { describe, expect, it } from 'vitest'
import { type BoneDef, Rig } from '../src/index.js'
import { type Mjcf, parseMjcf } from '../src/rigs/mjcf.js'
import type { HingeJointDef } from '../src/joints.js'
import { dataFile } from './support/data.js'
import { places, restPose } from './support/pose.js'

/** Sums of a few dozen products near 1. */
const ROUND_OFF = 1e-13

function read(body: string, before = ''): Mjcf {
  return parseMjcf(`<mujoco model="m">\n${before}<worldbody>\n${body}\n</worldbody>\n</mujoco>`)
}

function bone({ bones }: Mjcf, name: string): BoneDef {
  return bones.find((candidate) => candidate.name === name)!
}

function total({ bones }: Mjcf): number {
  return bones.reduce((m, { mass }) => m + mass!, 0)
}

function expectNear(got: ArrayLike<number>, want: readonly number[]): void {
  want.forEach((x, k) => expect(Math.abs(got[k] - x), `[${Array.from(got).join(', ')}]`).toBeLessThan(ROUND_OFF))
}

describe('parseMjcf', () => {
  it('makes hinges in series of several joints, outermost first, at their anchors', () => {
    const robot = read(`
      <body name="b" pos="1 0 0">
        <joint name="z" axis="0 0 1" pos="0 0 .1" range="-45 45"/>
        <joint name="y" type="slide" axis="0 2 0" pos="0 0 .3" range="-1 2"/>
        <geom size=".1"/>
        <site name="end" pos="0 0 1"/>
        <body name="c" pos="0 0 2"><geom size=".1" mass="3"/></body>
      </body>`)
    expect(robot.bones.map(({ name, parent }) => [name, parent])).toEqual([
      ['b:z', null],
      ['b', 'b:z'],
      ['c', 'b'],
    ])
    expectNear(bone(robot, 'b:z').position, [1, 0, 0.1])
    expectNear(bone(robot, 'b').position, [0, 0, 0.2])
    expectNear(bone(robot, 'c').position, [0, 0, 1.7])
    expectNear(bone(robot, 'b').centre!, [0, 0, -0.3])
    expect(bone(robot, 'b:z').joint).toEqual({
      kind: 'hinge',
      axis: [0, 0, 1],
      limits: { min: -Math.PI / 4, max: Math.PI / 4 },
    })
    expect(bone(robot, 'b').joint).toEqual({ kind: 'slider', axis: [0, 1, 0], limits: { min: -1, max: 2 } })
    expect(bone(robot, 'c').joint).toEqual({ kind: 'locked' })
    expect(robot.joints.map(({ name, bone: on, kind }) => [name, on, kind])).toEqual([
      ['z', 'b:z', 'hinge'],
      ['y', 'b', 'slide'],
    ])
    expect(robot.ends).toEqual([{ name: 'end', bone: 'b', position: [0, 0, 0.7], rotation: [0, 0, 0, 1] }])
    expect(Rig.from(robot.bones).count).toBe(3)
  })

  it('reads every way to say a rotation', () => {
    const half = Math.SQRT1_2
    const quarter = [half, 0, 0, half]
    for (const say of [
      'quat="2 2 0 0"',
      'axisangle="3 0 0 90"',
      'euler="90 0 0"',
      'xyaxes="1 0 0 0 0 1"',
      'zaxis="0 -1 0"',
    ]) {
      expectNear(bone(read(`<body name="b" ${say}><geom size="1"/></body>`), 'b').rotation!, quarter)
    }
    // Axes that go along, and those that stay: Rx(90) Ry(90) against Ry(90) Rx(90).
    const along = bone(read('<body name="b" euler="90 90 0"><geom size="1"/></body>'), 'b').rotation!
    expectNear(along, [0.5, 0.5, 0.5, 0.5])
    const stays = read('<body name="b" euler="90 90 0"><geom size="1"/></body>', '<compiler eulerseq="XYZ"/>')
    expectNear(bone(stays, 'b').rotation!, [0.5, 0.5, -0.5, 0.5])
  })

  it('lets classes inherit, childclass reach down, and elements win', () => {
    const classes = `<default><joint range="-10 10"/><default class="a"><joint axis="1 0 0"/><geom euler="90 0 0" type="box" size="1 1 1"/>
      <default class="aa"><joint range="-20 20"/></default></default></default>`
    const robot = read(
      `<body name="b" childclass="a"><joint/><geom quat="1 0 0 0" density="1"/>
        <body name="c"><joint class="aa"/><geom/></body>
        <body name="d"><joint class="main" limited="false"/><geom/></body></body>`,
      classes,
    )
    const joint = (name: string): HingeJointDef => bone(robot, name).joint as HingeJointDef
    expect([joint('b').axis, joint('c').axis, joint('d').axis]).toEqual([
      [1, 0, 0],
      [1, 0, 0],
      [0, 0, 1],
    ])
    expect(joint('b').limits!.max).toBeCloseTo(Math.PI / 18, 14)
    expect(joint('c').limits!.max).toBeCloseTo(Math.PI / 9, 14)
    expect(joint('d').limits).toBeUndefined()
    expect([bone(robot, 'b').mass, bone(robot, 'c').mass]).toEqual([8, 8000])
  })

  it('weighs geoms, and moves their moments to the common centre', () => {
    const robot = read(
      '<body name="b"><geom type="box" size=".5 1 1.5" pos="-1 0 0" mass="6"/><geom size="1" pos="2 0 0" mass="3"/></body>',
    )
    const { mass, centre, inertia } = bone(robot, 'b')
    expect(mass).toBe(9)
    expectNear(centre!, [0, 0, 0])
    // Box 6/12 (4 + 9), …; ball 0.4·3; and 6·1 + 3·4 across.
    expectNear(inertia!, [6.5 + 1.2, 0, 0, 0, 5 + 1.2 + 18, 0, 0, 0, 2.5 + 1.2 + 18])
    const long = read('<body name="b"><geom type="capsule" fromto="0 0 0 0 2 0" size=".5"/></body>')
    expect(bone(long, 'b').mass).toBeCloseTo(1000 * Math.PI * (0.25 * 2 + (4 / 3) * 0.125), 9)
    expectNear(bone(long, 'b').centre!, [0, 1, 0])
    const scaledMass = read('<body name="b"><geom size="1"/></body>', '<compiler settotalmass="5"/>')
    expect(total(scaledMass)).toBeCloseTo(5, 12)
  })

  it('counts limits from rest, and takes frames along', () => {
    const robot = read(`<frame pos="1 0 0" euler="0 0 90"><body name="b" pos="1 0 0"><joint range="10 30" ref="20"/>
      <frame pos="0 0 5"><geom size="1" mass="1"/><site name="s" pos="0 0 1"/></frame></body></frame>`)
    const limits = (bone(robot, 'b').joint as HingeJointDef).limits!
    expectNear([limits.min!, limits.max!], [-Math.PI / 18, Math.PI / 18])
    expect(robot.joints[0].ref).toBeCloseTo(Math.PI / 9, 14)
    expectNear(bone(robot, 'b').position, [1, 1, 0])
    expectNear(bone(robot, 'b').centre!, [0, 0, 5])
    expectNear(robot.ends[0].position, [0, 0, 6])
  })

  it('keeps a free joint apart and turns a bounded ball into swing and twist', () => {
    const robot = read(
      `<body name="b"><freejoint/><geom size="1"/><body name="c"><joint type="ball" range="0 90"/><geom size="1"/></body></body>`,
    )
    expect(robot.free).toEqual(['b'])
    expect(bone(robot, 'b').joint).toEqual({ kind: 'locked' })
    expect(bone(robot, 'c').joint).toMatchObject({
      kind: 'ball',
      swingShape: 'cone',
      twist: { min: -Math.PI / 2, max: Math.PI / 2 },
    })
  })

  it.each([
    ['no XML', '<mujoco', 'parseMjcf: '],
    ['another file', '<robot/>', 'the file must be a <mujoco>, got <robot>'],
    ['no body', '<mujoco><worldbody/></mujoco>', 'must have a body in its worldbody'],
    [
      'a bad number',
      '<mujoco>\n<worldbody>\n<body name="b" pos="1 x 0"/></worldbody></mujoco>',
      'line 3: <body name="b">: pos must be 3 finite numbers, got "1 x 0"',
    ],
    ['a bad range', body('<joint name="j" range="2 1"/>'), 'line 3: <joint name="j">: range must rise, got "2 1"'],
    ['limits without range', body('<joint limited="true"/>'), 'range must be 2 finite numbers'],
    ['no axis', body('<joint axis="0 0 0"/>'), 'axis must have a length'],
    ['an unknown joint', body('<joint type="screw"/>'), 'type must be hinge, slide, ball or free, got "screw"'],
    ['a free joint below', body('<body><freejoint/></body>'), 'must be the only joint of a body of the world'],
    ['an unknown class', body('<joint class="x"/>'), 'class must be one of the file, got "x"'],
    [
      'two rotations',
      body('<geom size="1" quat="1 0 0 0" euler="0 0 0"/>'),
      'must have one rotation, got quat and euler',
    ],
    ['a mesh without mass', body('<geom type="mesh" mesh="m"/>'), 'got "mesh", which has no mass without its file'],
    ['a flat geom', body('<geom type="box" size="1 1 0"/>'), 'size must be > 0'],
    ['a bad inertial', body('<inertial pos="0 0 0" mass="0" diaginertia="1 1 1"/>'), 'mass and moments must be > 0'],
    ['a replicate', body('<replicate count="3"/>'), 'line 3: <replicate> must be expanded first'],
    ['an include', '<mujoco><include file="a.xml"/></mujoco>', '<include> must be expanded first'],
  ])('says what is wrong and where: %s', (_, text, message) => {
    expect(() => parseMjcf(text)).toThrow(message)
    expect(() => parseMjcf(text)).toThrow(RangeError)
  })

  it('reads without matter where masses are in meshes', () => {
    for (const inside of ['<geom type="mesh" mesh="m"/>', '<inertial pos="0 0 0" mass="1"/>']) {
      expect(() => parseMjcf(body(inside))).toThrow("(matter: 'none' reads the file without masses and inertias)")
      expect(parseMjcf(body(inside), { matter: 'none' }).bones[0].mass).toBeUndefined()
    }
  })

  const humanoid = dataFile('robots/humanoid.xml')
  it.skipIf(humanoid === undefined)('reads the humanoid as MuJoCo does (skipped without ../shared/data)', () => {
    const robot = parseMjcf(new TextDecoder().decode(humanoid))
    expect(robot.name).toBe('Humanoid')
    expect(robot.joints.filter(({ kind }) => kind === 'hinge').length).toBe(21)
    expect(robot.free).toEqual(['torso'])
    expect(robot.joints.length).toBe(22)
    expect(Math.abs(total(robot) - 40.84402122162134)).toBeLessThan(1e-7)
    const knee = robot.joints.find(({ name }) => name === 'right_knee')!
    expect((bone(robot, knee.bone).joint as HingeJointDef).limits).toEqual({
      min: (-160 * Math.PI) / 180,
      max: (2 * Math.PI) / 180,
    })
    const rest = places(robot.bones, restPose(robot.bones))
    const foot = robot.bones.findIndex(({ name }) => name === 'right_foot')
    // The last joint of the ankle, 0.04 above the foot's origin: 1.5 − 0.26 − 0.165 − 0.04 − 0.403 − 0.39 + 0.04.
    expectNear(rest.position.slice(3 * foot, 3 * foot + 3), [-0.01, -0.09, 0.282])
    expect(Rig.from(robot.bones).count).toBe(25)
  })

  for (const [name, freedoms, mass, tool] of [
    ['iiwa14', 7, 30.61, 'attachment_site'],
    ['ur5e', 6, 20.9939, 'attachment_site'],
  ] as const) {
    const file = dataFile(`robots/${name}.xml`)
    it.skipIf(file === undefined)(`reads ${name} as MuJoCo does (skipped without ../shared/data)`, () => {
      const robot = parseMjcf(new TextDecoder().decode(file))
      expect(robot.joints.length).toBe(freedoms)
      expect(robot.joints.every(({ kind }) => kind === 'hinge')).toBe(true)
      expect(Math.abs(total(robot) - mass)).toBeLessThan(1e-9)
      expect(robot.ends.map((end) => end.name)).toEqual([tool])
      expect(
        robot.bones.every(({ joint }, i) =>
          i === 0 ? joint?.kind === 'locked' : (joint as HingeJointDef).limits !== undefined,
        ),
      ).toBe(true)
      expect(Rig.from(robot.bones).count).toBe(freedoms + 1)
    })
  }
})

function body(inside: string): string {
  return `<mujoco>\n<worldbody><body name="b">\n${inside}</body></worldbody></mujoco>`
}
