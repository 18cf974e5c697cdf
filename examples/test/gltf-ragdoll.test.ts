import { Document } from '@gltf-transform/core'
import { ragdoll } from '@tautline/assemblies'
import { World } from '@tautline/core'
import { fromGltf } from '@tautline/ik/gltf'
import { expect, test } from 'vitest'
import { humanoid } from '../../packages/assemblies/test/support/figures.js'

/** Of positions in centimetres in single precision [m]. */
const SINGLE = 1e-6
/** Where the armature stands in the scene [m]. */
const OFFSET = [3, 0.5, -2] as const

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
    const node = document.createNode(name).setTranslation([position[0], position[1], position[2]])
    nodes.get(parent)?.addChild(node)
    nodes.set(name, node)
    skin.addJoint(node)
  }
  return document
}

test('a ragdoll of a glTF file in centimetres with an offset root weighs and stands as one in metres', () => {
  const plain = ragdoll(new World(), humanoid())
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
