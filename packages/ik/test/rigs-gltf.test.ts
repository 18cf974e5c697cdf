/** glTF: skins made here and written as bytes, the hands of an npm package, and poses back to nodes. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Document, WebIO } from '@gltf-transform/core'
import { describe, expect, it } from 'vitest'
import { Pose, Rig } from '../src/index.js'
import { fromGltf, readGlb } from '../src/rigs/gltf.js'
import type { BallJointDef, HingeJointDef } from '../src/joints.js'
import { type Quat, aboutAxis, times } from '../src/rigs/transform.js'
import { WEBXR_HAND_PARENTS, humanoidJoints, humanoidRoles } from '../src/rigs/vrm.js'
import { places } from './support/pose.js'

const IO = new WebIO()

/** Components of single precision, through five rotations. */
const SINGLE = 1e-6

/** An armature, unit 1 cm, turned upright, with three joints; the skin lists the last first. */
function figure(): Document {
  const document = new Document()
  document.createBuffer()
  const armature = document
    .createNode('Armature')
    .setScale([0.01, 0.01, 0.01])
    .setRotation([-Math.SQRT1_2, 0, 0, Math.SQRT1_2])
  const names = ['root', 'middle', 'end']
  const joints = names.map((name, i) => document.createNode(name).setTranslation(i === 0 ? [0, 0, 100] : [0, 50, 0]))
  armature.addChild(joints[0])
  joints[0].addChild(joints[1])
  joints[1].addChild(joints[2])
  document.createScene().addChild(armature)
  const skin = document.createSkin('skin')
  for (const joint of [...joints].reverse()) skin.addJoint(joint)
  // Bound with the middle turned a quarter about x: B⁻¹ of each, the last first, column-major.
  const matrices = [
    [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -50, 50, 1],
    [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 50, 1],
    [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  ]
  skin.setInverseBindMatrices(
    document
      .createAccessor()
      .setType('MAT4')
      .setArray(new Float32Array(matrices.flat()))
      .setBuffer(document.getRoot().listBuffers()[0]),
  )
  document.createNode('mesh').setSkin(skin)
  return document
}

describe('fromGltf', () => {
  it('takes joints parents first, in metres of the scene', async () => {
    const { document } = await readGlb(IO, await IO.writeBinary(figure()))
    expect(() => fromGltf(document)).toThrow(
      `fromGltf: node "Armature": scale must be 1 (or wish scale: 'bake'), got 0.0`,
    )
    const gltf = fromGltf(document, { scale: 'bake', tips: { end: [0, 0.2, 0] } })
    expect(gltf.bones.map(({ name, parent }) => [name, parent])).toEqual([
      ['root', null],
      ['middle', 'root'],
      ['end', 'middle'],
    ])
    const rig = Rig.from(gltf.bones)
    const pose = new Pose(rig)
    // z of the armature is up in the scene; y of its bones then points away, along −z.
    expectNear(places(gltf.bones, pose).position, [0, 1, 0, 0, 1, -0.5, 0, 1, -1])
    pose.rotations.set([0, 0, Math.SQRT1_2, Math.SQRT1_2], 4)
    pose.positions.set([1, 2, 3])
    gltf.write(pose)
    expectNear(gltf.nodes[1].getRotation(), [0, 0, Math.SQRT1_2, Math.SQRT1_2])
    expectNear(gltf.nodes[0].getTranslation(), [100, -300, 200])
    const back = new Pose(rig)
    gltf.read(back)
    expectNear(back.positions, Array.from(pose.positions))
    expectNear(back.rotations, Array.from(pose.rotations))
  })

  it('goes back to the pose of the bind', () => {
    const { bones } = fromGltf(figure(), { scale: 'bake', rest: 'bind' })
    expectNear(bones[1].rotation!, [Math.SQRT1_2, 0, 0, Math.SQRT1_2])
    expectNear(bones[1].position, [0, 0.5, 0])
    expectNear(bones[2].position, [0, 0.5, 0])
  })

  it('refuses nodes that are above themselves', () => {
    const node = (name: string): Record<string, unknown> => ({
      getName: () => name,
      listChildren: () => [],
      getTranslation: () => [0, 0, 0],
      getRotation: () => [0, 0, 0, 1],
      getScale: () => [1, 1, 1],
    })
    const [hips, spine, head] = ['hips', 'spine', 'head'].map(node)
    hips.getParentNode = () => spine
    spine.getParentNode = () => hips
    head.getParentNode = () => spine
    const skin = { getName: () => 'skin', listJoints: () => [head], getInverseBindMatrices: () => null }
    const document = { getRoot: () => ({ listSkins: () => [skin], listNodes: () => [head], listAnimations: () => [] }) }
    expect(() => fromGltf(document as never)).toThrow(/nodes must form trees, got "spine" above itself/)
  })

  it('refuses what is no document, skin or file', async () => {
    expect(() => fromGltf({} as Document)).toThrow(TypeError)
    expect(() => fromGltf(figure(), { skin: 'hand' })).toThrow(
      'fromGltf: skin must be one of the file\'s 1 ("skin"), got "hand"',
    )
    expect(() => fromGltf(new Document())).toThrow("fromGltf: skin must be one of the file's 0 (), got 0")
    await expect(readGlb(IO, 'text' as unknown as Uint8Array)).rejects.toThrow(TypeError)
  })

  for (const side of ['left', 'right'] as const) {
    it(`reads the ${side} hand, whose joints lie side by side`, async ({ skip }) => {
      const file = handFile(side)
      if (file === undefined) return skip('@webxr-input-profiles/assets is not installed: npm run setup -- hands')
      const { document } = await readGlb(IO, file)
      expect(fromGltf(document).bones.filter(({ parent }) => parent === null).length).toBe(25)
      const hand = fromGltf(document, { parents: WEBXR_HAND_PARENTS })
      const rig = Rig.from(hand.bones)
      expect([rig.count, hand.bones[0].name]).toEqual([25, 'wrist'])
      expect(rig.parent.filter((p) => p < 0).length).toBe(1)
      const before = hand.nodes.map((node) => [...node.getTranslation(), ...node.getRotation()])
      // A hand is 15 to 25 cm long, and its own rest pose leaves it as it was.
      expect(rig.reach()).toBeGreaterThan(0.15)
      expect(rig.reach()).toBeLessThan(0.25)
      hand.write(new Pose(rig))
      hand.nodes.forEach((node, i) => expectNear([...node.getTranslation(), ...node.getRotation()], before[i]))
      const roles = humanoidRoles(rig.names, { side })
      expect(roles[`${side}LittleDistal`]).toBe('pinky-finger-phalanx-distal')
      expect(Object.keys(roles).length).toBe(16)
      // Fingers bend into the palm, where the thumb is, and the thumb towards them.
      const joints = humanoidJoints(rig, roles)
      const gap = (angle: number, moved: readonly string[]): number => {
        const pose = new Pose(rig)
        for (const name of moved) {
          const [k, axis] = [4 * rig.indexOf(name), (joints[name] as HingeJointDef).axis]
          const own = Array.from(pose.rotations.slice(k, k + 4)) as Quat
          pose.rotations.set(times(own, aboutAxis([axis[0], axis[1], axis[2]], angle)), k)
        }
        const { position } = places(hand.bones, pose)
        const tip = (name: string): number[] => position.slice(3 * rig.indexOf(name), 3 * rig.indexOf(name) + 3)
        const [a, b] = [tip('thumb-tip'), tip('index-finger-tip')]
        return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
      }
      for (const moved of [['index-finger-phalanx-intermediate'], ['thumb-phalanx-distal']]) {
        expect(gap(0.5, moved)).toBeLessThan(gap(0, moved))
        expect(gap(-0.5, moved)).toBeGreaterThan(gap(0, moved))
      }
      const knuckle = joints['index-finger-phalanx-proximal'] as BallJointDef
      expect(knuckle.swing!.y!.max).toBeCloseTo(Math.PI / 2, 12)
    })
  }
})

/** WebXR's generic hand: `@webxr-input-profiles/assets`, MIT. Nothing where that is not installed. */
function handFile(side: 'left' | 'right'): Uint8Array | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('@webxr-input-profiles/assets/package.json'))
    return new Uint8Array(readFileSync(join(folder, `dist/profiles/generic-hand/${side}.glb`)))
  } catch {
    return undefined
  }
}

function expectNear(got: ArrayLike<number>, want: readonly number[]): void {
  want.forEach((x, k) => expect(Math.abs(got[k] - x), `[${Array.from(got).join(', ')}]`).toBeLessThan(SINGLE))
}
