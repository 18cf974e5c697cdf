import { Document } from '@gltf-transform/core'
import { ragdoll } from '@tautline/assemblies'
import { World } from '@tautline/core'
import { fromGltf } from '@tautline/ik/gltf'
import { expect, test } from 'vitest'
import { mannequinBones } from '../mannequin/skeleton.js'

/** Of positions in centimetres in single precision [m]. */
const SINGLE = 1e-6
/** Where the armature stands in the scene [m]. */
const OFFSET = [3, 0.5, -2] as const

/** Bones of the mannequin, lengths times `scale`. */
function humanoid(scale: number): { name: string; parent: string | null; position: [number, number, number] }[] {
  const bones = mannequinBones()
  return bones.map(({ name, parent, joint }) => {
    const from = bones.find((bone) => bone.name === parent)?.joint ?? [0, 0, 0]
    return { name, parent, position: [0, 1, 2].map((k) => scale * (joint[k] - from[k])) as [number, number, number] }
  })
}

/** A skin of the humanoid in centimetres, below an armature of scale 0.01. */
function inCentimetres(): Document {
  const document = new Document()
  const armature = document
    .createNode('Armature')
    .setScale([0.01, 0.01, 0.01])
    .setTranslation([...OFFSET])
  document.createScene().addChild(armature)
  const skin = document.createSkin('skin')
  const nodes = new Map<unknown, ReturnType<Document['createNode']>>([[null, armature]])
  for (const { name, parent, position } of humanoid(100)) {
    const node = document.createNode(name).setTranslation(position)
    nodes.get(parent)?.addChild(node)
    nodes.set(name, node)
    skin.addJoint(node)
  }
  return document
}

test('a ragdoll of a glTF file in centimetres with an offset root weighs and stands as one in metres', () => {
  const plain = ragdoll(new World(), humanoid(1))
  const doll = ragdoll(new World(), fromGltf(inCentimetres(), { scale: 'bake' }))
  expect(doll.bodies.length).toBe(plain.bodies.length)
  doll.bodies.forEach((body) => {
    const other = plain.bodies.find(({ name }) => name === body.name)!
    expect(body.mass / other.mass).toBeCloseTo(1, 5)
    Array.from(body.position).forEach((x, axis) =>
      expect(Math.abs(x - OFFSET[axis] - other.position[axis])).toBeLessThan(SINGLE),
    )
    Array.from(body.principalInertia).forEach((x, axis) => expect(x / other.principalInertia[axis]).toBeCloseTo(1, 4))
  })
})
