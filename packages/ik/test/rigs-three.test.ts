/** three.js: bones of real Skeletons, hierarchies and hands, and poses brought back to them. */

import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { type LocalPose, fromThree } from '../src/rigs/three.js'
import type { Vec3 } from '../src/rigs/transform.js'
import { Pose, Rig } from '../src/index.js'
import { places } from './support/pose.js'

/** A dozen rotations and sums of numbers near 1, through three's matrices. */
const ROUND_OFF = 1e-13

/** Random bones below a holder: a chain with a branch at every third. */
function figure(
  random: Random,
  count: number,
): { holder: THREE.Object3D; bones: THREE.Bone[]; skeleton: THREE.Skeleton } {
  const holder = new THREE.Object3D()
  holder.position.set(1, 2, 3)
  const bones: THREE.Bone[] = []
  for (let i = 0; i < count; i++) {
    const bone = new THREE.Bone()
    bone.name = `b${i}`
    bone.position.fromArray(random.vector() as number[])
    bone.quaternion.fromArray(random.rotation() as number[])
    if (i === 0) holder.add(bone)
    else bones[i % 3 === 0 ? random.below(i) : i - 1].add(bone)
    bones.push(bone)
  }
  holder.updateMatrixWorld(true)
  return { holder, bones, skeleton: new THREE.Skeleton(bones) }
}

function randomPose(random: Random, rig: Rig): Pose {
  const pose = new Pose(rig)
  for (let i = 0; i < rig.count; i++) {
    pose.rotations.set(random.rotation(), 4 * i)
    pose.positions.set(random.vector(), 3 * i)
  }
  return pose
}

/** Where three puts its nodes in `space` must be where the rig's tree puts its bones. */
function expectSamePlaces(
  rig: { bones: Parameters<typeof places>[0]; nodes: readonly unknown[] },
  pose: LocalPose,
  space: THREE.Object3D,
): void {
  const root = space.parent ?? space
  root.updateMatrixWorld(true)
  const want = places(rig.bones, pose)
  const back = space.matrixWorld.clone().invert()
  rig.nodes.forEach((node, i) => {
    const at = new THREE.Vector3().setFromMatrixPosition((node as THREE.Object3D).matrixWorld).applyMatrix4(back)
    expectNear(at.toArray(), want.position.slice(3 * i, 3 * i + 3))
    const x = new THREE.Vector3(1, 0, 0)
      .transformDirection((node as THREE.Object3D).matrixWorld)
      .transformDirection(back)
    const ownX = want.point(i, [1, 0, 0]).map((v, k) => v - want.position[3 * i + k])
    expectNear(x.toArray(), ownX)
  })
}

function expectNear(got: ArrayLike<number>, want: readonly number[]): void {
  want.forEach((x, k) => expect(Math.abs(got[k] - x), `[${Array.from(got).join(', ')}]`).toBeLessThan(ROUND_OFF))
}

describe(`fromThree (seed ${SEED})`, () => {
  const random = new Random(SEED)

  it('takes a Skeleton, a SkinnedMesh and a hierarchy alike, in the bones’ own digits', () => {
    const { holder, bones, skeleton } = figure(random, 9)
    const mesh = new THREE.SkinnedMesh()
    mesh.skeleton = skeleton
    for (const source of [skeleton, mesh, holder, bones[0]]) {
      const { bones: defs, nodes } = fromThree(source)
      expect(new Set(nodes)).toEqual(new Set(bones))
      defs.forEach((def, i) => {
        const node = nodes[i] as THREE.Bone
        expect(def.position).toEqual(node.position.toArray())
        expect(def.rotation).toEqual(node.quaternion.toArray())
        expect(def.parent).toBe(i === 0 ? null : node.parent!.name)
      })
      expect(Rig.from(defs).count).toBe(9)
    }
  })

  it('sorts bones that stand in any order', () => {
    const { bones } = figure(random, 9)
    const shuffled = new THREE.Skeleton([...bones].reverse(), [])
    expect(Rig.from(fromThree(shuffled).bones).count).toBe(9)
  })

  it('writes poses and reads them', () => {
    const { holder, skeleton } = figure(random, 12)
    const three = fromThree(skeleton)
    const rig = Rig.from(three.bones)
    const [pose, back] = [randomPose(random, rig), new Pose(rig)]
    three.write(pose)
    expectSamePlaces(three, pose, holder)
    three.read(back)
    expect(back).toEqual(pose)
  })

  it('writes poses of a rig with other parents than the scene, in the space of any node above', () => {
    const { holder, skeleton, bones } = figure(random, 12)
    const world = new THREE.Scene()
    world.add(holder)
    const between = new THREE.Object3D()
    between.position.set(0.1, 0.2, 0.3)
    between.rotation.set(0.3, 0.2, 0.1)
    bones[4].parent!.add(between)
    between.add(bones[4])
    // b5 hangs on b2 in the scene's stead, and b2 on b9, a bone below it.
    const three = fromThree(skeleton, { space: world, parents: { b9: 'b0', b2: 'b9', b5: 'b2', b7: null } })
    const rig = Rig.from(three.bones)
    const [pose, back] = [randomPose(random, rig), new Pose(rig)]
    three.write(pose)
    expectSamePlaces(three, pose, world)
    three.read(back)
    pose.positions.forEach((x, k) => expect(Math.abs(back.positions[k] - x)).toBeLessThan(ROUND_OFF))
    for (let i = 0; i < rig.count; i++) {
      let dot = 0
      for (let k = 4 * i; k < 4 * i + 4; k++) dot += back.rotations[k] * pose.rotations[k]
      expect(1 - Math.abs(dot)).toBeLessThan(ROUND_OFF)
    }
    // The rest pose is the scene as it stood.
    const rest = new Pose(rig)
    three.write(rest)
    expectSamePlaces(three, rest, world)
  })

  it('bakes scale into lengths, or refuses it', () => {
    const { holder, skeleton, bones } = figure(random, 6)
    holder.scale.setScalar(0.01)
    bones[1].scale.setScalar(2)
    const world = new THREE.Scene()
    world.add(holder)
    const wish = { space: world, scale: 'bake' } as const
    expect(() => fromThree(skeleton, { space: world })).toThrow(
      `fromThree: node "": scale must be 1 (or wish scale: 'bake'), got 0.01, 0.01, 0.01`,
    )
    expect(() => fromThree(skeleton)).toThrow('fromThree: node "b1": scale must be 1')
    const three = fromThree(skeleton, wish)
    const pose = randomPose(random, Rig.from(three.bones))
    expectSamePlaces(three, new Pose(Rig.from(three.bones)), world)
    three.write(pose)
    expectSamePlaces(three, pose, world)
    bones[1].scale.set(1, 2, 1)
    expect(() => fromThree(skeleton, wish)).toThrow('scale must be one number > 0 for all axes, got 1, 2, 1')
    bones[1].scale.set(-1, -1, -1)
    expect(() => fromThree(skeleton, wish)).toThrow('scale must be one number > 0')
  })

  it('goes back to the pose of the bind', () => {
    const { skeleton, bones } = figure(random, 8)
    const [bound, present] = [fromThree(skeleton), fromThree(skeleton, { rest: 'bind' })]
    bound.bones.forEach((bone, i) => expectNear(present.bones[i].position, bone.position as Vec3))
    for (const bone of bones) bone.quaternion.fromArray(random.rotation() as number[])
    const moved = fromThree(skeleton, { rest: 'bind' })
    for (let i = 1; i < 8; i++) {
      const [p, q] = [moved.bones[i].rotation!, bound.bones[i].rotation!]
      expect(1 - Math.abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3])).toBeLessThan(ROUND_OFF)
    }
  })

  it('gives tips, and names to what has none or another’s', () => {
    const { skeleton, bones } = figure(random, 3)
    bones[1].name = ''
    bones[2].name = 'b0'
    const three = fromThree(skeleton, { tips: { b0_2: [0, 1, 0] } })
    expect(three.bones.map(({ name }) => name)).toEqual(['b0', 'bone', 'b0_2'])
    expect(three.bones[2].tip).toEqual([0, 1, 0])
  })

  it('refuses what it can not use', () => {
    const { skeleton, bones, holder } = figure(random, 4)
    expect(() => fromThree(null as unknown as THREE.Bone)).toThrow(TypeError)
    expect(() => fromThree(new THREE.Object3D())).toThrow('fromThree: source must have bones (isBone), got none')
    expect(() => fromThree(bones[0], { rest: 'bind' })).toThrow("rest 'bind' must have a skeleton")
    expect(() => fromThree(skeleton, { rest: 'now' as 'bind' })).toThrow("fromThree: rest must be 'present' or 'bind'")
    expect(() => fromThree(skeleton, { space: new THREE.Object3D() })).toThrow('space must be above bone "b0"')
    expect(() => fromThree(skeleton, { parents: { b1: 'b9' } })).toThrow('parents must name bones, got "b9"')
    expect(() => fromThree(skeleton, { parents: { b0: 'b1' } })).toThrow('parents must not go round in a loop')
    expect(() => fromThree(skeleton, { tips: { nose: [0, 0, 1] } })).toThrow('tips must name bones, got "nose"')
    const other = new THREE.Bone()
    new THREE.Object3D().add(other)
    expect(() => fromThree(new THREE.Skeleton([...bones, other]))).toThrow('roots must hang on one node')
    expect(holder.children.length).toBe(1)
  })
})
