/**
 * The mannequin as a .glb: bones, a skinned mesh of two materials, clips. Nothing in it needs an extension.
 *
 * Rotations are shorts (glTF 2.0, 3.11: normalized), fine to 3e-5 rad; `extras` of each clip has `loops`, `speed` and `contacts`.
 */

import { type Accessor, type Animation, type Buffer, Document, type Node, NodeIO } from '@gltf-transform/core'
import type { Rig } from '@tautline/ik'
import type { Clip } from './clips.js'
import type { Skin } from './mesh.js'
import { type Bone, MASS, STATURE } from './skeleton.js'
import { minus } from './vectors.js'

/** Largest of a normalized short. */
const SHORT = 32767

const MATERIALS = {
  body: { color: [0.79, 0.66, 0.5, 1], roughness: 0.62 },
  joints: { color: [0.165, 0.125, 0.1, 1], roughness: 0.5 },
} as const

/** The bytes of the file; the same for the same input. */
export async function mannequinGlb(
  bones: readonly Bone[],
  rig: Rig,
  skin: Skin,
  clips: readonly Clip[],
): Promise<Uint8Array> {
  const document = new Document()
  const buffer = document.createBuffer()
  const root = document.getRoot()
  root.getAsset().copyright = 'MIT license, the authors of Tautline'
  const nodes = addBones(document, bones)
  const mesh = addSkin(document, buffer, bones, nodes, skin)
  const scene = document.createScene('mannequin').addChild(nodes[0]).addChild(mesh)
  scene.setExtras({ stature: STATURE, mass: MASS })
  root.setDefaultScene(scene)
  for (const clip of clips) addClip(document, buffer, nodes, rig, clip)
  return new NodeIO().writeBinary(document)
}

function addBones(document: Document, bones: readonly Bone[]): Node[] {
  const nodes: Node[] = []
  for (const { name, parent, joint } of bones) {
    const node = document.createNode(name)
    const row = bones.findIndex((bone) => bone.name === parent)
    node.setTranslation(row < 0 ? [...joint] : [...minus(joint, bones[row].joint)])
    if (row >= 0) nodes[row].addChild(node)
    nodes.push(node)
  }
  return nodes
}

function addSkin(
  document: Document,
  buffer: Buffer,
  bones: readonly Bone[],
  nodes: readonly Node[],
  { positions, normals, joints, weights, body, dark }: Skin,
): Node {
  const bind = bones.flatMap(({ joint: [x, y, z] }) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1])
  const accessor = (type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4', array: NonNullable<ReturnType<Accessor['getArray']>>) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer)
  const skin = document.createSkin('mannequin').setInverseBindMatrices(accessor('MAT4', Float32Array.from(bind)))
  for (const node of nodes) skin.addJoint(node)
  skin.setSkeleton(nodes[0])
  const shared = {
    POSITION: accessor('VEC3', positions),
    NORMAL: accessor('VEC3', normals),
    JOINTS_0: accessor('VEC4', joints),
    WEIGHTS_0: accessor('VEC4', weights).setNormalized(true),
  }
  const mesh = document.createMesh('mannequin')
  for (const [name, triangles] of [
    ['body', body],
    ['joints', dark],
  ] as const) {
    const { color, roughness } = MATERIALS[name]
    const material = document.createMaterial(name).setBaseColorFactor([...color])
    material.setRoughnessFactor(roughness).setMetallicFactor(0)
    const part = document.createPrimitive().setMaterial(material)
    part.setIndices(accessor('SCALAR', Uint16Array.from(triangles)))
    for (const [semantic, attribute] of Object.entries(shared)) part.setAttribute(semantic, attribute)
    mesh.addPrimitive(part)
  }
  return document.createNode('mannequin').setMesh(mesh).setSkin(skin)
}

function addClip(document: Document, buffer: Buffer, nodes: readonly Node[], rig: Rig, clip: Clip): void {
  const { name, loops, speed, contacts, times, poses } = clip
  const animation = document.createAnimation(name).setExtras({ loops, speed, contacts })
  const input = document.createAccessor().setType('SCALAR').setArray(Float32Array.from(times)).setBuffer(buffer)
  const add = (node: Node, path: 'translation' | 'rotation', output: Accessor): Animation => {
    const sampler = document.createAnimationSampler().setInput(input).setOutput(output.setBuffer(buffer))
    const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler)
    return animation.addSampler(sampler).addChannel(channel)
  }
  const hips = Float32Array.from(poses.flatMap(({ positions }) => [...positions.subarray(0, 3)]))
  add(nodes[0], 'translation', document.createAccessor().setType('VEC3').setArray(hips))
  for (let bone = 0; bone < rig.count; bone++) {
    const keys = shorts(poses.map(({ rotations }) => rotations.subarray(4 * bone, 4 * bone + 4)))
    const output = document.createAccessor().setType('VEC4').setArray(keys).setNormalized(true)
    add(nodes[bone], 'rotation', output)
  }
}

/** Quaternions as shorts, each on the side of the one before. */
function shorts(turns: readonly Float64Array[]): Int16Array {
  const out = new Int16Array(4 * turns.length)
  let sign = 1
  turns.forEach((q, k) => {
    if (k > 0) {
      const before = turns[k - 1]
      if (q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3] < 0) sign = -sign
    }
    q.forEach((value, c) => (out[4 * k + c] = Math.round(sign * SHORT * value)))
  })
  return out
}
