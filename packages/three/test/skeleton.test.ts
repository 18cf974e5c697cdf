/** Skeletons: poses to and fro, and ragdolls shown by bones. */

import { World } from '@tautline/core'
import { Pose, PositionGoal, IkSolver } from '@tautline/ik'
import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { SkeletonBinding } from '../src/index.js'
import { bindRagdoll, RagdollBinding } from '../src/ragdoll.js'
import { worldOf } from './support/three.js'

function figure(
  random: Random,
  count: number,
): { scene: THREE.Scene; holder: THREE.Object3D; skeleton: THREE.Skeleton } {
  const scene = new THREE.Scene()
  const holder = new THREE.Object3D()
  holder.position.set(1, 2, 3)
  holder.quaternion.fromArray(random.rotation() as number[])
  scene.add(holder)
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
  scene.updateMatrixWorld(true)
  return { scene, holder, skeleton: new THREE.Skeleton(bones) }
}

const placesOf = (skeleton: THREE.Skeleton): { x: THREE.Vector3; q: THREE.Quaternion }[] =>
  skeleton.bones.map((bone) => {
    const { position, quaternion } = worldOf(bone)
    return { x: position, q: quaternion }
  })

function expectSame(skeleton: THREE.Skeleton, want: ReturnType<typeof placesOf>, tolerance: number): void {
  placesOf(skeleton).forEach(({ x, q }, i) => {
    expect(x.distanceTo(want[i].x)).toBeLessThan(tolerance)
    expect(1 - Math.abs(q.dot(want[i].q))).toBeLessThan(tolerance)
  })
}

describe(`SkeletonBinding (seed ${SEED})`, () => {
  const random = new Random(SEED)

  it('reads bones and writes them', () => {
    const { skeleton, holder } = figure(random, 9)
    const binding = new SkeletonBinding(skeleton)
    expect(binding.space).toBe(holder)
    const before = placesOf(skeleton)
    for (const bone of skeleton.bones) bone.quaternion.fromArray(random.rotation() as number[])
    const moved = placesOf(skeleton)
    const pose = binding.read(new Pose(binding.rig))
    binding.write()
    expectSame(skeleton, before, 1e-12)
    binding.write(pose)
    expectSame(skeleton, moved, 1e-12)
    expect(binding.read()).toBe(binding.pose)
    expect(binding.pose).toEqual(pose)
  })

  it('poses a skinned mesh by goals', () => {
    const { skeleton, holder } = figure(random, 4)
    const mesh = new THREE.SkinnedMesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial())
    mesh.skeleton = skeleton
    const binding = new SkeletonBinding(mesh)
    const solver = new IkSolver(binding.rig)
    // Where it comes to when all turn a little: within reach.
    const moved = new Pose(binding.rig)
    for (let i = 0; i < 4; i++) {
      const q = new THREE.Quaternion().fromArray(moved.rotations, 4 * i)
      moved.rotations.set(q.multiply(new THREE.Quaternion(0.1, -0.05, 0.05, 1).normalize()).toArray(), 4 * i)
    }
    binding.write(moved)
    const target = holder.worldToLocal(worldOf(skeleton.bones[3]).position.clone())
    const row = binding.rig.indexOf('b3')
    solver.add(new PositionGoal(binding.rig, row, target.toArray(), { point: [0, 0, 0] }))
    for (let k = 0; k < 20; k++) solver.solve(binding.pose)
    binding.write()
    expect(mesh.frustumCulled).toBe(true)
    bindRagdoll(binding, new World())
    expect(mesh.frustumCulled).toBe(false)
    const at = holder.worldToLocal(worldOf(skeleton.bones[3]).position.clone())
    expect(at.distanceTo(target)).toBeLessThan(1e-3)
  })

  it('makes a ragdoll where the figure stands, and shows it, wherever its holder goes', () => {
    for (const kind of ['ball', 'hinge', 'slider', 'universal', 'locked'] as const) {
      const { skeleton, holder } = figure(random, 7)
      const binding = new SkeletonBinding(skeleton)
      binding.rig.root('free')
      for (let i = 1; i < 7; i++) {
        if (kind === 'hinge') binding.rig.joint(i, { kind, axis: [1, 0, 0] })
        if (kind === 'slider') binding.rig.joint(i, { kind, axis: [1, 0, 0], limits: { min: -0.2, max: 0.2 } })
        if (kind === 'universal') binding.rig.joint(i, { kind, axisA: [1, 0, 0], axisB: [0, 1, 0] } as never)
        if (kind === 'locked') binding.rig.joint(i, { kind })
      }
      const before = placesOf(skeleton)
      const world = new World({ gravity: [0, 0, 0] })
      const ragdoll = bindRagdoll(binding, world)
      ragdoll.update()
      expectSame(skeleton, before, 1e-9)
      const { bodies } = ragdoll.ragdoll
      for (const body of bodies) body.setAngularVelocity(random.vector(1) as [number, number, number])
      for (let k = 0; k < 30; k++) world.step()
      holder.position.x += 1
      holder.rotation.y += 0.5
      ragdoll.update()
      const rig = binding.rig
      skeleton.bones.forEach((bone) => {
        const i = rig.indexOf(bone.name)
        const { quaternion, position } = worldOf(bone)
        const [x, y, z, w] = bodies[i].orientation
        expect(1 - Math.abs(quaternion.dot(new THREE.Quaternion(x, y, z, w)))).toBeLessThan(1e-9)
        const centre = new THREE.Vector3()
          .fromArray(rig.centre, 3 * i)
          .applyQuaternion(quaternion)
          .add(position)
        // As far as joints hold: bones stay hung on each other.
        expect(centre.distanceTo(new THREE.Vector3().fromArray(bodies[i].position as number[]))).toBeLessThan(1e-2)
      })
      ragdoll.update(0.5)
      ragdoll.remove()
      const last = placesOf(skeleton)
      ragdoll.update()
      expectSame(skeleton, last, 1e-12)
      expect(world.bodies.all()).toEqual([])
    }
  })

  it('keeps the speed of the animation', () => {
    const { skeleton } = figure(random, 3)
    const binding = new SkeletonBinding(skeleton)
    binding.rig.root('free')
    const previous = new Pose(binding.rig)
    previous.positions[0] -= 0.1
    const { ragdoll } = bindRagdoll(binding, new World(), { previous, dt: 0.1 })
    for (const body of ragdoll.bodies) expect(Math.hypot(...body.velocity)).toBeCloseTo(1, 6)
  })

  it('refuses what it can not use', () => {
    const { skeleton, holder } = figure(random, 3)
    expect(() => new SkeletonBinding(new THREE.Object3D())).toThrow('fromThree: source must have bones')
    const binding = new SkeletonBinding(skeleton)
    const other = bindRagdoll(new SkeletonBinding(figure(random, 4).skeleton), new World())
    expect(() => new RagdollBinding(binding, other.ragdoll)).toThrow('a joint for each of 3 bones, got 4 and 4')
    expect(() => new RagdollBinding(binding, null as never)).toThrow('ragdoll must be a ragdoll, got null')
    holder.scale.setScalar(0.01)
    const world = new World()
    expect(() => bindRagdoll(binding, world)).toThrow('space must have a world scale of 1')
    expect(world.bodies.all()).toEqual([])
    // Metres of a figure in centimetres.
    const scene = holder.parent as THREE.Object3D
    const baked = new SkeletonBinding(skeleton, { space: scene, scale: 'bake' })
    const before = placesOf(skeleton)
    bindRagdoll(baked, world).update()
    expectSame(skeleton, before, 1e-9)
  })
})
