/** Ragdolls of bones of three: made of them, and shown by them. */

import { Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { ragdollFromObject } from '../src/assemblies.js'
import { worldOf } from './support/three.js'

type Vec = [number, number, number]

/** Bones of a figure by Mixamo's names: parent, and place from it [cm]. */
const BONES: readonly [string, string, Vec][] = [
  ['Hips', '', [0, 95, 0]],
  ['Spine', 'Hips', [0, 10, 0]],
  ['Spine1', 'Spine', [0, 15, 0]],
  ['Neck', 'Spine1', [0, 25, 0]],
  ['Head', 'Neck', [0, 10, 0]],
  ['HeadTop_End', 'Head', [0, 20, 0]],
  ...(['Left', 'Right'] as const).flatMap((side): [string, string, Vec][] => {
    const s = side === 'Left' ? 1 : -1
    return [
      [`${side}Shoulder`, 'Spine1', [5 * s, 20, 0]],
      [`${side}Arm`, `${side}Shoulder`, [13 * s, 0, 0]],
      [`${side}ForeArm`, `${side}Arm`, [28 * s, 0, 0]],
      [`${side}Hand`, `${side}ForeArm`, [26 * s, 0, 0]],
      [`${side}UpLeg`, 'Hips', [9 * s, -4, 0]],
      [`${side}Leg`, `${side}UpLeg`, [0, -41, 0]],
      [`${side}Foot`, `${side}Leg`, [0, -42, 0]],
      [`${side}ToeBase`, `${side}Foot`, [0, -6, 13]],
    ]
  }),
]

/** A skinned figure in centimetres, below an armature that is scaled and stands somewhere. */
function figure(): { scene: THREE.Scene; mesh: THREE.SkinnedMesh; bone: (name: string) => THREE.Object3D } {
  const scene = new THREE.Scene()
  const armature = new THREE.Group()
  armature.scale.setScalar(0.01)
  armature.position.set(1, 0.5, -2)
  armature.rotation.y = 0.7
  scene.add(armature)
  const known = new Map<string, THREE.Bone>()
  for (const [name, parent, at] of BONES) {
    const bone = new THREE.Bone()
    bone.name = `mixamorig${name}`
    bone.position.set(...at)
    known.set(name, bone)
    ;(known.get(parent) ?? armature).add(bone)
  }
  scene.updateMatrixWorld(true)
  const bones = Array.from(known.values())
  const [positions, joints, weights]: number[][] = [[], [], []]
  // A tube of 7 cm about the left thigh.
  for (let k = 0; k < 60; k++) {
    positions.push(9 + 7 * Math.cos(k), 91 - (41 * k) / 60, 7 * Math.sin(k))
    joints.push(bones.indexOf(known.get('LeftUpLeg') as THREE.Bone), 0, 0, 0)
    weights.push(1, 0, 0, 0)
  }
  const geometry = new THREE.BufferGeometry()
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3))
  geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(joints, 4))
  geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weights, 4))
  const mesh = new THREE.SkinnedMesh(geometry)
  armature.add(mesh)
  scene.updateMatrixWorld(true)
  mesh.bind(new THREE.Skeleton(bones))
  return { scene, mesh, bone: (name) => known.get(name) as THREE.Bone }
}

describe('ragdollFromObject', () => {
  it('makes an adult of a figure in centimetres, fitted to its skin, and leaves its bones where they are', () => {
    const { scene, mesh, bone } = figure()
    bone('LeftArm').rotation.z = -1
    const before = BONES.map(([name]) => worldOf(bone(name)))
    const doll = ragdollFromObject(new World(), scene)
    const { asset } = doll.ragdoll
    expect(asset.parts.length).toBe(15)
    expect(asset.stature).toBeGreaterThan(1.6)
    expect(asset.mass).toBeGreaterThan(60)
    const thigh = asset.parts.find(({ role }) => role === 'leftUpperLeg')
    expect(thigh?.shape.params[0]).toBeCloseTo(0.07, 3)
    expect(mesh.frustumCulled).toBe(false)
    doll.update()
    BONES.forEach(([name], k) => {
      const { position, quaternion } = worldOf(bone(name))
      expect(position.distanceTo(before[k].position), name).toBeLessThan(1e-6)
      expect(1 - Math.abs(quaternion.dot(before[k].quaternion)), name).toBeLessThan(1e-6)
    })
  })

  it('shows where the bodies fall, and follows an animation', () => {
    const { scene, bone } = figure()
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    const doll = ragdollFromObject(world, scene)
    for (let k = 0; k < 40; k++) world.step()
    doll.update()
    for (const part of doll.ragdoll.asset.parts) {
      const body = doll.ragdoll.body(part.name)
      const joint = body.toWorld(part.matter.centre.map((x) => -x) as Vec)
      const { position } = worldOf(doll.nodes[part.bone])
      expect(position.distanceTo(new THREE.Vector3(...joint)), part.name).toBeLessThan(1e-5)
    }
    doll.update(0.5)
    doll.ragdoll.setWeights({ pin: 1 })
    bone('RightArm').rotation.z = 0.5
    doll.track()
    world.step()
    const { position } = worldOf(bone('RightHand'))
    doll.update()
    expect(worldOf(bone('RightHand')).position.distanceTo(position)).toBeLessThan(1e-6)
    doll.ragdoll.remove()
    doll.update()
  })

  it('refuses what has no bones', () => {
    expect(() => ragdollFromObject(new World(), new THREE.Group())).toThrow(/object must have bones/)
    expect(() => ragdollFromObject(new World(), 3 as unknown as THREE.Object3D)).toThrow(/Object3D of three, got 3/)
  })
})
