/** URDF by text and through `urdf-loader`: the same robot either way, and errors by line. */

import { DOMParser } from 'linkedom'
import { describe, expect, it, vi } from 'vitest'
import { Rig } from '../src/index.js'
import { type UrdfRobotLike, fromUrdfRobot, parseUrdf } from '../src/rigs/urdf.js'

const ARM = `<?xml version="1.0"?>
<robot name="arm">
  <link name="tool"/>
  <link name="base"><inertial><mass value="4"/><inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial></link>
  <link name="upper">
    <inertial>
      <origin xyz=".1 .2 .3" rpy="0 0 1.5707963267948966"/>
      <mass value="2"/>
      <inertia ixx="1" ixy="0.1" ixz="0" iyy="2" iyz="0" izz="2.5"/>
    </inertial>
  </link>
  <link name="slide"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1" rpy=".3 -.4 .5"/>
    <axis xyz="0 0 2"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="rail" type="prismatic">
    <parent link="upper"/><child link="slide"/>
    <axis xyz="0 1 0"/>
    <limit lower="0" upper=".5" effort="1" velocity="1"/>
    <mimic joint="shoulder" multiplier="2" offset=".1"/>
  </joint>
  <joint name="flange" type="fixed">
    <parent link="slide"/><child link="tool"/>
    <origin xyz="0 0 .2"/>
  </joint>
</robot>`

/** Sines and a product of four rotations. */
const ROUND_OFF = 1e-15

describe('parseUrdf', () => {
  it('makes a bone of a link, parents first', () => {
    const robot = parseUrdf(ARM)
    expect(robot.bones.map(({ name, parent, joint }) => [name, parent, joint])).toEqual([
      ['base', null, { kind: 'locked' }],
      ['upper', 'base', { kind: 'hinge', axis: [0, 0, 1], limits: { min: -1, max: 2 } }],
      ['slide', 'upper', { kind: 'slider', axis: [0, 1, 0], limits: { min: 0, max: 0.5 } }],
      ['tool', 'slide', { kind: 'locked' }],
    ])
    expect(robot.joints[1]).toEqual({
      name: 'rail',
      bone: 'slide',
      kind: 'prismatic',
      mimic: { of: 'shoulder', multiplier: 2, offset: 0.1 },
    })
    const upper = robot.bones[1]
    expect([upper.mass, upper.centre]).toEqual([2, [0.1, 0.2, 0.3]])
    // A quarter turn about z changes x and y over, and the sign of their product.
    const want = [2, -0.1, 0, -0.1, 1, 0, 0, 0, 2.5]
    want.forEach((x, k) => expect(Math.abs(upper.inertia![k] - x)).toBeLessThan(4 * ROUND_OFF))
    expect(Rig.from(robot.bones).names).toEqual(['base', 'upper', 'slide', 'tool'])
  })

  it('turns by roll, pitch and yaw about axes that stay', () => {
    const q = parseUrdf(ARM).bones[1].rotation!
    // The textbook's closed form.
    const [sr, sp, sy] = [0.15, -0.2, 0.25].map(Math.sin)
    const [cr, cp, cy] = [0.15, -0.2, 0.25].map(Math.cos)
    const want = [
      sr * cp * cy - cr * sp * sy,
      cr * sp * cy + sr * cp * sy,
      cr * cp * sy - sr * sp * cy,
      cr * cp * cy + sr * sp * sy,
    ]
    want.forEach((x, k) => expect(Math.abs(q[k] - x)).toBeLessThan(ROUND_OFF))
  })

  it('frees a floating root and turns a continuous joint without end', () => {
    const text = ARM.replace('type="revolute"', 'type="floating"').replace('type="prismatic"', 'type="continuous"')
    const robot = parseUrdf(text)
    expect(robot.free).toEqual(['upper'])
    expect(robot.bones[2].joint).toEqual({ kind: 'hinge', axis: [0, 1, 0] })
    expect(parseUrdf(ARM, { matter: 'none' }).bones[1].mass).toBeUndefined()
  })

  it.each([ARM.replace('<mass value="2"/>', ''), ARM.replace('value="2"', 'value="0"')])(
    "reads a file with a bad inertial by matter: 'none'",
    (text) => {
      expect(() => parseUrdf(text)).toThrow("matter: 'none'")
      expect(parseUrdf(text, { matter: 'none' }).bones).toEqual(parseUrdf(ARM, { matter: 'none' }).bones)
    },
  )

  it.each([
    ['no XML', ARM.replace('</robot>', ''), 'parseUrdf: '],
    ['another file', '<mujoco/>', 'the file must be a <robot>'],
    [
      'no limit',
      ARM.replace(/<limit lower="-1".*>/, ''),
      'line 13: <joint name="shoulder">: a revolute joint must have a <limit>',
    ],
    ['falling limit', ARM.replace('lower="-1"', 'lower="3"'), 'limit must rise, got 3 to 2'],
    [
      'an unknown link',
      ARM.replace('<child link="tool"/>', '<child link="hand"/>'),
      'must be links of the robot, got "hand"',
    ],
    [
      'two parents',
      ARM.replace('<child link="tool"/>', '<child link="upper"/>'),
      'a link must have one joint, got "upper"',
    ],
    [
      'a loop',
      ARM.replace('<parent link="upper"/>', '<parent link="tool"/>'),
      'must hang on the root link by joints, got a loop',
    ],
    ['a planar joint', ARM.replace('type="fixed"', 'type="planar"'), 'line 25: <joint name="flange">: type must be'],
    [
      'floating below',
      ARM.replace('type="fixed"', 'type="floating"'),
      'floating must hold to the root link, got "slide"',
    ],
    ['no axis', ARM.replace('xyz="0 0 2"', 'xyz="0 0 0"'), 'axis must have a length'],
    [
      'a bad number',
      ARM.replace('value="2"', 'value="two"'),
      'line 8: <mass>: value must be 1 finite numbers, got "two"',
    ],
    ['no mass', ARM.replace('<mass value="2"/>', ''), 'line 6: <inertial> must have a <mass>'],
    ['a mass of 0', ARM.replace('value="2"', 'value="0"'), 'mass and moments must be > 0, got mass 0'],
    [
      'an inertia of 0, and how to read the file without',
      ARM.replace('value="2"', 'value="0"'),
      "(matter: 'none' reads the file without masses and inertias)",
    ],
    ['no type', ARM.replace(' type="fixed"', ''), 'must have type, got none'],
  ])('says what is wrong and where: %s', (_, text, message) => {
    expect(() => parseUrdf(text)).toThrow(message)
    expect(() => parseUrdf(text)).toThrow(RangeError)
  })
})

describe('fromUrdfRobot', () => {
  it('reads of urdf-loader what the text says', async () => {
    const { default: URDFLoader } = await import('urdf-loader')
    const loader = new URDFLoader()
    const dom = new DOMParser().parseFromString(ARM, 'text/xml')
    // The loader asks for these two of a page before it looks at what it was given.
    vi.stubGlobal('Document', Object)
    vi.stubGlobal('Element', Object)
    const robot = loader.parse(dom as unknown as Document)
    robot.setJointValue('shoulder', 1)
    const read = fromUrdfRobot(robot as unknown as UrdfRobotLike)
    const text = parseUrdf(ARM)
    expect(read.bones.map(({ name, parent, joint }) => [name, parent, joint])).toEqual(
      text.bones.map(({ name, parent, joint }) => [name, parent, joint]),
    )
    read.bones.forEach((bone, i) => {
      const same = text.bones[i]
      for (const key of ['position', 'rotation', 'centre', 'inertia'] as const) {
        const [got, want] = [bone[key], same[key]]
        Array.from(want ?? []).forEach((x, k) =>
          expect(Math.abs(got![k] - x), `${bone.name} ${key}`).toBeLessThan(4 * ROUND_OFF),
        )
      }
    })
    expect(read.joints).toEqual(text.joints)
    expect(read.name).toBe('arm')
  })

  it('refuses what is no robot', () => {
    expect(() => fromUrdfRobot({} as UrdfRobotLike)).toThrow(TypeError)
  })
})

describe('long and deep files', () => {
  it('a chain of 10 000 links is read', () => {
    const n = 10000
    const links = Array.from({ length: n }, (_, k) => `<link name="l${k}"/>`).join('\n')
    const joint = (k: number): string =>
      `<joint name="j${k}" type="fixed"><parent link="l${k}"/><child link="l${k + 1}"/></joint>`
    const joints = Array.from({ length: n - 1 }, (_, k) => joint(k)).join('\n')
    const { bones } = parseUrdf(`<robot name="r">\n${links}\n${joints}\n</robot>`)
    expect(bones).toHaveLength(n)
    expect(bones[n - 1].parent).toBe(`l${n - 2}`)
  })

  it('elements inside each other without end are refused', () => {
    const deep = `<robot name="r">${'<a b=">">'.repeat(5000)}${'</a>'.repeat(5000)}</robot>`
    expect(() => parseUrdf(deep)).toThrow(/elements must be at most 256 deep, got deeper/)
    const flat = `<robot name="r"><!-- ${'<a>'.repeat(5000)} --><link name="l"/>${'<a b=">"/>'.repeat(5000)}</robot>`
    expect(parseUrdf(flat).bones).toHaveLength(1)
  })
})
