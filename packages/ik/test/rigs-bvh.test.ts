/** BVH: hierarchy, channels, frames, and the way back to text; the real file where it is at hand. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED } from '../../core/test/support/seed.js'
import { Rig } from '../src/index.js'
import { type LocalPose, parseBvh, writeBvh } from '../src/rigs/bvh.js'
import { humanoidRoles } from '../src/rigs/roles.js'
import { dataFile } from './support/data.js'
import { emptyPose, places } from './support/pose.js'
import { workOf } from '../../core/test/support/work-of.js'

const SMALL = `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Upper arm
  {
    OFFSET 0 2 0
    CHANNELS 3 Xrotation Zrotation Yrotation
    JOINT Elbow
    {
      OFFSET 3 0 0
      CHANNELS 1 Zrotation
      End Site
      {
        OFFSET 1 0 0
      }
    }
  }
}
MOTION
Frames: 2
Frame Time: .05
1 2 3 0 0 0 0 0 0 0
1 2 3 90 0 0 90 90 0 90
`

/** Of an angle written with eight decimals [°], and through sines of the twentieth digit. */
const ROUND_TRIP = 1e-8

/**
 * Of places [m] after a way through text: three angles a bone, each wrong by 5e-9°, turn at most fifteen lengths of 1.5 m in a chain of
 * six; that is 6e-9, and offsets of eight decimals add 1e-9.
 */
const WRITTEN = 1e-8

/** Sums of a dozen products near 1. */
const ROUND_OFF = 1e-14

describe('parseBvh', () => {
  it('reads bones, ends and frames', () => {
    const bvh = parseBvh(SMALL, { scale: 0.5 })
    expect(bvh.bones.map(({ name, parent }) => [name, parent])).toEqual([
      ['Hips', null],
      ['Upper arm', 0],
      ['Elbow', 1],
    ])
    expect(bvh.bones[1].position).toEqual([0, 1, 0])
    expect(bvh.bones[2].tip).toEqual([0.5, 0, 0])
    expect(bvh.bones[2].joint).toEqual({ kind: 'hinge', axis: [0, 0, 1] })
    expect(bvh.ends).toEqual([{ name: 'Elbow end', bone: 'Elbow', position: [0.5, 0, 0], rotation: [0, 0, 0, 1] }])
    expect([bvh.frameCount, bvh.frameTime, bvh.width]).toEqual([2, 0.05, 10])
    expect(Rig.from(bvh.bones).names).toEqual(['Hips', 'Upper arm', 'Elbow'])
  })

  it('turns by channels in their own order', () => {
    const bvh = parseBvh(SMALL)
    const pose = emptyPose(3)
    bvh.pose(1, pose)
    // By hand: the hips turn x to y. In them the arm is Rx(90) Rz(90): x → y → z, then out along it 3 to the elbow, whose
    // own turn takes x to y, and that is −x in the arm's outer frame.
    const world = places(bvh.bones, pose)
    expectNear(world.position.slice(0, 3), [1, 2, 3])
    expectNear(world.position.slice(3, 6), [1 - 2, 2, 3])
    expectNear(world.position.slice(6, 9), [-1, 2, 6])
    expectNear(world.point(2, [1, 0, 0]), [-1, 1, 6])
  })

  it('takes a position as whole or from the offset', () => {
    const text = SMALL.replace('OFFSET 0 0 0', 'OFFSET 10 0 0')
    const pose = emptyPose(3)
    parseBvh(text).pose(0, pose)
    expect(Array.from(pose.positions.slice(0, 3))).toEqual([1, 2, 3])
    parseBvh(text, { positions: 'fromOffset' }).pose(0, pose)
    expect(Array.from(pose.positions.slice(0, 3))).toEqual([11, 2, 3])
  })

  it.each([
    ['no header', 'ROOT a', 'line 1: the file must begin with HIERARCHY, got "ROOT a"'],
    ['bad offset', SMALL.replace('OFFSET 0 2 0', 'OFFSET 0 two 0'), 'line 8: OFFSET must be 3 finite numbers'],
    ['bad channel', SMALL.replace('1 Zrotation', '1 Wrotation'), 'line 13: CHANNELS must be'],
    ['bad channel count', SMALL.replace('1 Zrotation', '2 Zrotation'), 'line 13: CHANNELS must be'],
    [
      'channels twice',
      SMALL.replace('CHANNELS 1 Zrotation', 'CHANNELS 1 Zrotation\n      CHANNELS 1 Yrotation'),
      'line 14: joint "Elbow" must have one list of CHANNELS, got "CHANNELS 1 Yrotation"',
    ],
    [
      'offset twice',
      SMALL.replace('OFFSET 3 0 0', 'OFFSET 3 0 0\n      OFFSET 1 0 0'),
      'line 13: joint "Elbow" must have one OFFSET, got "OFFSET 1 0 0"',
    ],
    ['no brace', SMALL.replace('ROOT Hips\n{', 'ROOT Hips'), 'line 3: { must follow'],
    ['no offset', SMALL.replace('    OFFSET 0 2 0\n', '').replace('JOINT Elbow', 'JOINT B'), 'must have an OFFSET'],
    ['a stray root', SMALL.replace('JOINT Elbow', 'ROOT Elbow'), 'line 10: ROOT must not stand here'],
    ['short row', SMALL.replace('1 2 3 0 0 0 0 0 0 0', '1 2 3'), 'line 24: a frame must have 10 numbers, got 3'],
    [
      'no number',
      SMALL.replace('1 2 3 0 0 0 0 0 0 0', '1 2 3 0 0 x 0 0 0 0'),
      'line 24: a frame must have finite numbers, got "x"',
    ],
    ['few frames', SMALL.replace('Frames: 2', 'Frames: 4'), 'there must be 4 frames, got 2'],
    [
      'frames that no memory holds',
      SMALL.replace('Frames: 2', 'Frames: 1e15'),
      'there must be 1000000000000000 frames, got 2',
    ],
    ['many frames', SMALL.replace('Frames: 2', 'Frames: 0'), 'the file must end after 0 frames'],
    ['no time', SMALL.replace('.05', '0'), 'line 23: Frame Time must be > 0'],
    ['cut off', SMALL.slice(0, SMALL.indexOf('JOINT Elbow')), 'got the end of the file'],
  ])('says which line is wrong: %s', (_, text, message) => {
    expect(() => parseBvh(text)).toThrow(message)
    expect(() => parseBvh(text)).toThrow(RangeError)
  })

  it('refuses what is no text, scale or frame', () => {
    expect(() => parseBvh(undefined as unknown as string)).toThrow(TypeError)
    expect(() => parseBvh(SMALL, { scale: 0 })).toThrow('parseBvh: scale must be > 0')
    expect(() => parseBvh(SMALL).pose(2, emptyPose(3))).toThrow('Bvh.pose: frame must be an integer in [0, 2), got 2')
    expect(() => parseBvh(SMALL).pose(0, emptyPose(2))).toThrow('the pose must have 3 bones, got 2')
  })

  const file = dataFile('mocap/01_01.bvh')
  it.skipIf(file === undefined)('reads the CMU figure (skipped without ../shared/data)', () => {
    const bvh = parseBvh(new TextDecoder().decode(file), { scale: 0.0564 })
    expect([bvh.bones.length, bvh.frameCount, bvh.width, bvh.frameTime]).toEqual([31, 2752, 96, 0.0083333])
    expect(bvh.ends.map(({ bone }) => bone)).toContain('LeftToeBase')
    const pose = emptyPose(31)
    bvh.pose(1000, pose)
    const world = places(bvh.bones, pose)
    const head = bvh.bones.findIndex(({ name }) => name === 'Head')
    const foot = bvh.bones.findIndex(({ name }) => name === 'LeftFoot')
    // A man of some 1.7 m in metres, on his feet.
    const height = world.position[3 * head + 1] - world.position[3 * foot + 1]
    expect(height).toBeGreaterThan(1.2)
    expect(height).toBeLessThan(1.8)
  })
})

describe(`writeBvh (seed ${SEED})`, () => {
  const unit = fc.double({ min: -1, max: 1, noNaN: true })
  const quaternion = fc
    .tuple(unit, unit, unit, unit)
    .filter((q) => Math.hypot(...q) > 0.1)
    .map((q) => q.map((x) => x / Math.hypot(...q)) as [number, number, number, number])

  it('writes poses of any rig, whose bones end up where they were', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(quaternion, quaternion, unit, unit), { minLength: 2, maxLength: 6 }),
        fc.nat(),
        (rows, branch) => {
          const bones = rows.map(([rotation, , x, y], i) => ({
            name: `b${i}`,
            parent: i === 0 ? null : (branch + i) % i,
            position: [x, y, 0.5] as const,
            rotation,
            tip: [0, 0.3, 0] as const,
          }))
          const rig = Rig.from(bones)
          const pose: LocalPose = { positions: rig.restPosition.slice(), rotations: rig.restRotation.slice() }
          rows.forEach(([, rotation], i) => pose.rotations.set(rotation, 4 * i))
          pose.positions.set([1, 2, 3])
          const read = parseBvh(writeBvh(rig, [pose], { scale: 0.01, frameTime: 0.02 }), { scale: 0.01 })
          const back = emptyPose(rows.length)
          read.pose(0, back)
          const [then, now] = [places(bones, pose), places(read.bones, back)]
          read.bones.forEach(({ name }, i) => {
            const j = rig.indexOf(name)
            for (let k = 0; k < 3; k++) {
              expect(Math.abs(now.position[3 * i + k] - then.position[3 * j + k])).toBeLessThan(WRITTEN)
            }
          })
          expect(read.frameTime).toBe(0.02)
        },
      ),
      { seed: SEED, numRuns: 200 },
    )
  })

  it.each([0, 1e-14, 1e-11, 1e-9, 1e-8, 1e-7, 1e-5])(
    'holds a bone that points along the axis of the first angle, but for %f rad',
    (off) => {
      const bones = [
        { name: 'a', parent: null, position: [0, 0, 0] as const },
        { name: 'b', parent: 'a', position: [0, 0, 1] as const, tip: [1, 1, 1] as const },
      ]
      const rig = Rig.from(bones)
      const pose: LocalPose = { positions: rig.restPosition.slice(), rotations: rig.restRotation.slice() }
      // A quarter about y, less what it is off, after 0.7 rad about x.
      const [s, c] = [Math.sin(Math.PI / 4 - off / 2), Math.cos(Math.PI / 4 - off / 2)]
      pose.rotations.set([c * Math.sin(0.35), s * Math.cos(0.35), -s * Math.sin(0.35), c * Math.cos(0.35)])
      const read = parseBvh(writeBvh(rig, [pose]))
      const back = emptyPose(2)
      read.pose(0, back)
      const [then, now] = [places(bones, pose).point(1, [1, 1, 1]), places(read.bones, back).point(1, [1, 1, 1])]
      for (let k = 0; k < 3; k++) expect(Math.abs(now[k] - then[k])).toBeLessThan(WRITTEN)
    },
  )

  it('gives back the angles it was given', () => {
    const bvh = parseBvh(SMALL)
    const rig = Rig.from(bvh.bones)
    const poses = [0, 1].map((frame) => {
      const pose = emptyPose(3)
      bvh.pose(frame, pose)
      return pose
    })
    const again = parseBvh(writeBvh(rig, poses, { frameTime: 0.05 }))
    const pose = emptyPose(3)
    again.pose(1, pose)
    for (let k = 0; k < 12; k++) expect(Math.abs(pose.rotations[k] - poses[1].rotations[k])).toBeLessThan(ROUND_TRIP)
    expect(again.ends.map(({ position }) => position)).toEqual([[1, 0, 0]])
  })
})

function expectNear(got: ArrayLike<number>, want: readonly number[]): void {
  want.forEach((x, k) => expect(Math.abs(got[k] - x), `[${Array.from(got).join(', ')}]`).toBeLessThan(10 * ROUND_OFF))
}

describe('files of other programs', () => {
  it.each([1, 3])('that count %i frames of two are read, with a warning', (announced) => {
    const bvh = parseBvh(SMALL.replace('Frames: 2', `Frames: ${announced}`))
    expect(bvh.frameCount).toBe(2)
    expect(bvh.motion).toEqual(parseBvh(SMALL).motion)
    expect(bvh.warnings).toEqual([`Frames says ${announced}, and there are 2: all that are there were read`])
    expect(parseBvh(SMALL).warnings).toEqual([])
  })

  it('bones that are named after joints have roles', () => {
    const names = ['Hips', 'Chest', 'Neck', 'Head']
    for (const side of ['Left', 'Right']) {
      for (const part of ['Collar', 'Shoulder', 'Elbow', 'Wrist', 'Hip', 'Knee', 'Ankle']) names.push(side + part)
    }
    const roles = humanoidRoles(names)
    expect(roles).toMatchObject({ leftUpperArm: 'LeftShoulder', leftLowerArm: 'LeftElbow', leftHand: 'LeftWrist' })
    expect(roles).toMatchObject({ rightUpperLeg: 'RightHip', rightLowerLeg: 'RightKnee', rightFoot: 'RightAnkle' })
    expect(Object.keys(roles)).toHaveLength(18)
  })

  it('reading is linear in joints of one name, side by side and in a chain', async () => {
    const growth = await workOf(new URL('./support/bvh-work.ts', import.meta.url))
    for (const [name, work] of Object.entries(growth)) expect(work, name).toBeLessThan(LINEAR)
  })
})

/** Growth of the work per joint from one to eight times as many: 1, and 8 where it is quadratic. */
const LINEAR = 1.5
