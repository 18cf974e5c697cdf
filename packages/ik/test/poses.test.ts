/** Poses blended, masked, added, mirrored; clips sampled and read from glTF. */

import { Document } from '@gltf-transform/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromGltf, gltfClip } from '../src/rigs/gltf.js'
import { Pose, Rig, WorldPose } from '../src/index.js'
import {
  addPose,
  boneMask,
  clipDuration,
  mirrorPose,
  poseDifference,
  type PoseData,
  sampleClip,
  slerpPose,
} from '../src/poses/index.js'

const rig = Rig.from([
  { name: 'hips', parent: null, position: [0, 1, 0] },
  { name: 'chest', parent: 'hips', position: [0, 0.3, 0], rotation: [0, 0.6, 0, 0.8] },
  { name: 'leftArm', parent: 'chest', position: [0.2, 0.2, 0] },
  { name: 'leftHand', parent: 'leftArm', position: [0.5, 0, 0], rotation: [0, 0, 1, 0] },
  { name: 'rightArm', parent: 'chest', position: [-0.2, 0.2, 0], rotation: [0.6, 0, 0, 0.8] },
  { name: 'rightHand', parent: 'rightArm', position: [-0.5, 0, 0] },
]).root('free')

/** A pose that numbers in [−1, 1] decide. */
function posed(numbers: readonly number[]): Pose {
  const pose = new Pose(rig)
  pose.rotations.forEach((_, k) => (pose.rotations[k] = numbers[k % numbers.length] + (k % 4 === 3 ? 1.5 : 0)))
  for (let i = 0; i < rig.count; i++) {
    const q = pose.rotations.subarray(4 * i, 4 * i + 4)
    const length = Math.hypot(...q)
    for (let k = 0; k < 4; k++) q[k] /= length
  }
  for (let k = 0; k < 3; k++) pose.positions[k] += numbers[k]
  return pose
}

const arbPose = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 24, maxLength: 24 }).map(posed)

/** Angle between two rotations of a bone [rad]: round-off of a root near 1 is 1e-8. */
function angle(a: PoseData, b: PoseData, i: number): number {
  let d = 0
  for (let k = 4 * i; k < 4 * i + 4; k++) d += a.rotations[k] * b.rotations[k]
  return 2 * Math.acos(Math.min(1, Math.abs(d)))
}

/** Round-off of angles that are read by an arc cosine [rad]. */
const TINY = 1e-7
const bones = Array.from({ length: rig.count }, (_, i) => i)

describe('slerpPose', () => {
  it('goes from one pose to the other at even speed, the short way', () => {
    fc.assert(
      fc.property(arbPose, arbPose, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, t) => {
        const out = slerpPose(new Pose(rig), a, b, t)
        for (const i of bones) {
          const whole = angle(a, b, i)
          expect(Math.abs(angle(a, out, i) - t * whole)).toBeLessThan(TINY + 1e-12)
          expect(Math.abs(angle(out, b, i) - (1 - t) * whole)).toBeLessThan(TINY + 1e-12)
        }
        out.positions.forEach((x, k) => expect(x).toBeCloseTo((1 - t) * a.positions[k] + t * b.positions[k], 12))
      }),
    )
  })

  it('is to the bit what it comes from where it stays, also in place', () => {
    const [a, b] = [posed([0.3, -0.2, 0.8]), posed([-0.5, 0.1])]
    expect(slerpPose(new Pose(rig), a, b, 0).rotations).toEqual(a.rotations)
    expect(slerpPose(new Pose(rig), a, b, 1)).toEqual(b)
    const mask = boneMask(rig, { below: 'leftArm' })
    const out = slerpPose(new Pose(rig).copy(a), a, b, 1, mask)
    for (const i of bones) {
      const from = mask[i] === 1 ? b : a
      expect(out.rotations.subarray(4 * i, 4 * i + 4)).toEqual(from.rotations.subarray(4 * i, 4 * i + 4))
    }
    expect(slerpPose(a, a, b, 0.5)).toEqual(slerpPose(new Pose(rig), posed([0.3, -0.2, 0.8]), b, 0.5))
  })

  it('refuses what is no pose of as many bones, and shares out of range', () => {
    const pose = new Pose(rig)
    const short = { positions: new Float64Array(3), rotations: new Float64Array(4) }
    expect(() => slerpPose(pose, pose, short, 0.5)).toThrow(
      /slerpPose: b must have 3 positions .* of 6 bones, got 3 and 4/,
    )
    expect(() => slerpPose(pose, pose, pose, NaN)).toThrow(/slerpPose: t/)
    expect(() => slerpPose(pose, pose, pose, 1, [0, 0, 2, 0, 0, 0])).toThrow(/mask\[2\] must be within \[0, 1\], got 2/)
  })
})

describe('boneMask', () => {
  it('has shares of bones and of branches, later ones first', () => {
    const mask = boneMask(rig, [
      { below: 'chest' },
      { below: 'rightArm', weight: 0.5 },
      'hips',
      { bone: 'rightHand', weight: 0 },
    ])
    expect([...mask]).toEqual([1, 1, 1, 1, 0.5, 0])
  })

  it('refuses bones that there are not', () => {
    expect(() => boneMask(rig, 'tail')).toThrow(/entries\[0\] must be a bone of the skeleton, got "tail"/)
    expect(() => boneMask(rig, { bone: 'hips', weight: 2 })).toThrow(/weight must be within \[0, 1\], got 2/)
    expect(() => boneMask(rig, {} as never)).toThrow(/either bone or below/)
  })
})

describe('additive poses', () => {
  it('put a difference on another pose, in part', () => {
    fc.assert(
      fc.property(arbPose, arbPose, (pose, reference) => {
        const difference = poseDifference(new Pose(rig), pose, reference)
        const back = addPose(new Pose(rig), reference, difference)
        const half = addPose(new Pose(rig), reference, difference, 0.5)
        const none = addPose(new Pose(rig), reference, difference, 1, new Float64Array(rig.count))
        for (const i of bones) {
          expect(angle(back, pose, i)).toBeLessThan(TINY)
          expect(Math.abs(angle(half, reference, i) - 0.5 * angle(pose, reference, i))).toBeLessThan(2 * TINY)
          expect(angle(none, reference, i)).toBeLessThan(TINY)
        }
        back.positions.forEach((x, k) => expect(x).toBeCloseTo(pose.positions[k], 12))
      }),
    )
  })
})

describe('mirrorPose', () => {
  const rest = new Pose(rig)

  it('puts the bones of a side where those of the other were, mirrored', () => {
    fc.assert(
      fc.property(arbPose, (pose) => {
        const mirrored = mirrorPose(new Pose(rig), pose, rig, rest)
        const [a, b] = [new WorldPose(rig).update(rig, pose), new WorldPose(rig).update(rig, mirrored)]
        // The rig is symmetric but for the chest's turn, which puts the arms out of the plane: hips and chest only.
        for (const bone of ['hips', 'chest']) {
          const [p, q] = [a.point(bone), b.point(bone)]
          expect(q[0]).toBeCloseTo(-p[0], 9)
          expect(q[1]).toBeCloseTo(p[1], 9)
          expect(q[2]).toBeCloseTo(p[2], 9)
        }
        const twice = mirrorPose(new Pose(rig), mirrored, rig, rest)
        for (const i of bones) expect(angle(twice, pose, i)).toBeLessThan(TINY)
        twice.positions.forEach((x, k) => expect(x).toBeCloseTo(pose.positions[k], 9))
      }),
    )
  })

  it('leaves the pose of rest as it is', () => {
    const mirrored = mirrorPose(new Pose(rig), rest, rig, rest)
    for (const i of bones) expect(angle(mirrored, rest, i)).toBeLessThan(TINY)
    mirrored.positions.forEach((x, k) => expect(x).toBeCloseTo(rest.positions[k], 12))
  })

  it('takes pairs by name, and refuses those that there are not', () => {
    const pose = posed([0.2, -0.7, 0.1, 0.4, 0.9])
    const plain = mirrorPose(new Pose(rig), pose, rig, rest)
    const pairs = { leftArm: 'rightArm', rightHand: 'leftHand' }
    expect(mirrorPose(new Pose(rig), pose, rig, rest, { pairs })).toEqual(plain)
    expect(() => mirrorPose(pose, pose, rig, rest, { pairs: { leftArm: 'tail' } })).toThrow(/got "tail"/)
  })
})

describe('sampleClip', () => {
  const poses = [posed([0.1, 0.5]), posed([-0.4, 0.2, 0.6]), posed([0.1, 0.5])]

  it('reads between poses, stands beyond its ends, or goes round', () => {
    const clip = { poses, rate: 2 }
    const out = new Pose(rig)
    expect(clipDuration(clip)).toBe(1)
    expect(sampleClip(out, clip, 0.25)).toEqual(slerpPose(new Pose(rig), poses[0], poses[1], 0.5))
    expect(sampleClip(out, clip, -3)).toEqual(poses[0])
    expect(sampleClip(out, clip, 7)).toEqual(poses[2])
    const round = { ...clip, loops: true }
    expect(sampleClip(out, round, 1.25)).toEqual(sampleClip(new Pose(rig), clip, 0.25))
    expect(sampleClip(out, round, -0.25)).toEqual(sampleClip(new Pose(rig), clip, 0.75))
    expect(sampleClip(out, { poses: [poses[1]], rate: 30, loops: true }, 4)).toEqual(poses[1])
  })

  it('refuses clips without poses', () => {
    expect(() => sampleClip(new Pose(rig), { poses: [], rate: 1 }, 0)).toThrow()
    expect(() => sampleClip(new Pose(rig), { poses, rate: 0 }, 0)).toThrow(/rate/)
  })
})

describe('gltfClip', () => {
  /** Two bones, an animation of each kind of interpolation. */
  function file(kind: 'LINEAR' | 'STEP' | 'CUBICSPLINE'): { document: Document } {
    const document = new Document()
    const [a, b] = [
      document.createNode('a').setTranslation([0, 2, 0]),
      document.createNode('b').setTranslation([0, 1, 0]),
    ]
    a.addChild(b)
    document.createScene().addChild(a)
    document.createSkin().addJoint(a).addJoint(b)
    const buffer = document.createBuffer()
    const values = (type: 'SCALAR' | 'VEC3' | 'VEC4', list: number[]) =>
      document.createAccessor().setType(type).setArray(Float32Array.from(list)).setBuffer(buffer)
    const cubic = kind === 'CUBICSPLINE'
    const places = cubic ? [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0] : [0, 2, 0, 1, 2, 0]
    const h = Math.SQRT1_2
    const turns = cubic
      ? [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, h, h, 0, 0, 0, 0]
      : [0, 0, 0, 1, 0, 0, h, h]
    const input = values('SCALAR', [0, 1])
    const animation = document.createAnimation('move').setExtras({ loops: true, speed: 3 })
    for (const [node, path, output] of [
      [a, 'translation', values('VEC3', places)],
      [b, 'rotation', values('VEC4', turns)],
    ] as const) {
      const sampler = document.createAnimationSampler().setInput(input).setOutput(output).setInterpolation(kind)
      animation.addSampler(sampler)
      animation.addChannel(
        document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler),
      )
    }
    return { document }
  }

  it.each([
    ['LINEAR', 0.25, 0.25],
    ['STEP', 0, 0],
    ['CUBICSPLINE', 0.15625, undefined],
  ] as const)('reads %s keys, and leaves the nodes as they stood', (kind, x, turned) => {
    const { document } = file(kind)
    const gltf = fromGltf(document)
    const clip = gltfClip(document, gltf, 'move', { rate: 4 })
    expect(clip).toMatchObject({ name: 'move', rate: 4, loops: true, extras: { speed: 3 } })
    expect(clip.poses).toHaveLength(5)
    expect(clip.poses[1].positions[0]).toBeCloseTo(x, 6)
    expect(clip.poses[1].positions[1]).toBeCloseTo(2, 6)
    if (turned !== undefined) expect(2 * Math.asin(clip.poses[1].rotations[6])).toBeCloseTo((turned * Math.PI) / 2, 6)
    expect(clip.poses[4].rotations[6]).toBeCloseTo(Math.SQRT1_2, 6)
    expect(gltf.nodes[0].getTranslation()).toEqual([0, 2, 0])
  })

  it('refuses animations that there are not', () => {
    const { document } = file('LINEAR')
    expect(() => gltfClip(document, fromGltf(document), 'fly')).toThrow(/one of the file's 1 \("move"\), got "fly"/)
    expect(() => gltfClip(document, fromGltf(document), 0, { rate: 0 })).toThrow(/rate/)
  })
})
