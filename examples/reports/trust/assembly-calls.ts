/** Calls that go well, for assemblies and for poses: see valid-calls.ts. */

import * as assemblies from '@tautline/assemblies'
import type { Body, World } from '@tautline/core'
import type { Pose, Rig } from '@tautline/ik'
import { fromGltf } from '@tautline/ik/gltf'
import { SEEDS } from '../../fuzz/file-seeds.js'
import * as poses from '@tautline/ik/poses'
import { FIGURE } from './figure.js'

/** What of the fixture is used. */
interface Fixture {
  readonly world: World
  readonly rig: Rig
  readonly pose: Pose
  readonly ball: Body
  readonly other: Body
}

/** Two triangles, and a box of six tetrahedra about its diagonal. */
const SQUARE = { positions: [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1], indices: [0, 2, 1, 1, 2, 3] }
const TETRAHEDRA = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tetrahedra: [0, 1, 2, 3] }
const SURFACE = { positions: TETRAHEDRA.positions, indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }
const LINE = { from: [30, 0, 0], to: [32, 0, 0], segments: 4 }

const LIMBS = ['UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot']
/** Names of the fixture's figure by role. */
const ROLES = Object.fromEntries(
  ['head', 'chest', 'hips', ...['left', 'right'].flatMap((side) => LIMBS.map((bone) => side + bone))].map((name) => [
    name,
    name,
  ]),
)

/** A ragdoll with the bones of the fixture's figure. */
function doll(f: Fixture): assemblies.Ragdoll {
  return assemblies.ragdoll(f.world, f.rig, { position: [40, 0, 0], roles: ROLES })
}

/** A pose of the figure. */
const poseOf = (f: Fixture): assemblies.BonePose => ({
  positions: f.pose.positions.slice(),
  rotations: f.pose.rotations.slice(),
})

const clipOf = (f: Fixture): object => ({ poses: [poseOf(f), poseOf(f)], rate: 30 })

const LISTS: Readonly<Record<string, readonly number[]>> = {
  POSITION: [0, 1, 0],
  JOINTS_0: [0, 0, 0, 0],
  WEIGHTS_0: [1, 0, 0, 0],
}

/** A document of glTF with a skin of one bone and a mesh of one vertex, as far as it is used. */
function gltfDocument(): object {
  const bone = {
    getName: () => 'bone',
    getParentNode: () => null,
    listChildren: () => [],
    getTranslation: () => [0, 0, 0],
    getRotation: () => [0, 0, 0, 1],
    getScale: () => [1, 1, 1],
    setTranslation: () => undefined,
    setRotation: () => undefined,
  }
  const skin = { getName: () => 'skin', listJoints: () => [bone], getInverseBindMatrices: () => null }
  const getAttribute = (name: string): object => ({ getCount: () => 1, getElement: () => LISTS[name] })
  const node = { getSkin: () => skin, getMesh: () => ({ listPrimitives: () => [{ getAttribute }] }) }
  const list = { getArray: () => [0], getElement: () => [0, 0, 0], getCount: () => 1 }
  const sampler = { getInput: () => list, getOutput: () => list, getInterpolation: () => 'LINEAR' }
  const channel = { getTargetNode: () => bone, getTargetPath: () => 'translation', getSampler: () => sampler }
  const animation = { getName: () => 'clip', getExtras: () => ({}), listChannels: () => [channel] }
  return {
    getRoot: () => ({ listNodes: () => [node], listSkins: () => [skin], listAnimations: () => [animation] }),
  }
}

/** Values of types by their names, as in valid-calls.ts. */
export const ASSEMBLY_VALUES: Readonly<Record<string, (f: Fixture) => unknown>> = {
  Assemblies: (f) => assemblies.Assemblies.of(f.world),
  Assembly: (f) => assemblies.rope(f.world, LINE),
  Cloth: (f) => assemblies.cloth(f.world, { ...SQUARE, position: [50, 0, 0], pins: [0] }),
  Rope: (f) => assemblies.rope(f.world, LINE),
  Rod: (f) => assemblies.rod(f.world, LINE),
  Pulleys: (f) => assemblies.pulleys(f.world, { points: [{ point: [0, 5, 0] }, f.other] }),
  Vehicle: (f) => assemblies.vehicle(f.world, { chassis: f.ball, wheels: [{ position: [0, -1, 0] }] }),
  SoftBody: (f) => assemblies.softBody(f.world, { ...TETRAHEDRA, position: [60, 0, 0], pins: [0] }),
  'class Ragdoll': doll,
  Balance: (f) => assemblies.balance(doll(f)),
  GetUp: (f) => assemblies.createGetUp(doll(f), { clips: [clipOf(f) as never] }),
  RagdollAsset: (f) => assemblies.ragdollAsset(f.rig),
  RagdollSource: () => ({ bones: FIGURE }),
  '__type.map': () => [0, 0, 0, 0],
  '__type.bones': () => ['head'],
  'RagdollSkin.positions': () => [0, 1, 0],
  'RagdollSkin.joints': () => [0, 0, 0, 0],
  'RagdollSkin.weights': () => [1, 0, 0, 0],
  'RagdollSkin.bones': () => ['head'],
  Roles: () => ROLES,
  ClothAsset: () => assemblies.clothAsset(SQUARE),
  SoftBodyAsset: () => assemblies.softBodyAsset(TETRAHEDRA),
  Skeleton: (f) => assemblies.ragdollAsset(f.rig).skeleton,
  BonePose: poseOf,
  PoseData: poseOf,
  PoseClip: clipOf,
  BoneTree: (f) => f.rig,
  GltfFile: gltfDocument,
  GltfDocument: gltfDocument,
  GltfAnimated: gltfDocument,
  GltfIO: () => ({ binaryToJSON: () => Promise.resolve({ json: {} }), readJSON: () => Promise.resolve({}) }),
  AssemblyKind: () => assemblies.ropeKind,
  AttachPoint: (f) => f.other,
  'RopeDef.points': () => [30, 0, 0, 32, 0, 0],
  'RodDef.points': () => [30, 0, 0, 32, 0, 0],
  RopeEnd: () => 'world',
  RodEnd: () => 'world',
  PulleyPoint: (f) => f.other,
  BvhSkeleton: (f) => f.rig,
  'ClothDef.pose': () => SQUARE.positions,
  'SoftBodyDef.indices': () => SURFACE.indices,
  'SoftBodyMeshDef.indices': () => SURFACE.indices,
  'RagdollSkin.inverseBindMatrices': () => new Array<number>(16).fill(1),
  'SoftBody.pressure': (f) => assemblies.softBody(f.world, { ...SURFACE, model: 'balloon', position: [60, 0, 0] }),
}

/** Arguments by place, as in valid-calls.ts. */
export const ASSEMBLY_ARGUMENTS: Readonly<Record<string, (f: Fixture) => Readonly<Record<string, unknown>>>> = {
  clothAsset: () => ({ def: SQUARE }),
  cloth: () => ({ def: SQUARE }),
  rope: () => ({ def: LINE }),
  rod: () => ({ def: LINE }),
  attach: (f) => ({ a: f.other, b: { point: [0, 0, 0] } }),
  pulleys: (f) => ({ def: { points: [{ point: [0, 5, 0] }, f.other] } }),
  vehicle: (f) => ({ def: { chassis: f.ball, wheels: [{ position: [0, -1, 0] }] } }),
  tetrahedralize: () => ({ mesh: SURFACE }),
  softBodyAsset: () => ({ def: TETRAHEDRA }),
  softBody: () => ({ def: { ...TETRAHEDRA, model: 'shape' } }),
  ragdoll: () => ({ source: { bones: FIGURE } }),
  gltfSkin: () => ({ skin: 0 }),
  gltfClip: () => ({ rig: fromGltf(gltfDocument() as never), animation: 0 }),
  readGlb: () => ({ bytes: new Uint8Array(0) }),
  createPoseMapper: (f) => ({ low: f.rig, high: f.rig, options: {} }),
  mapToHigh: (f) => ({ mapper: poses.createPoseMapper(f.rig, f.rig), out: poseOf(f), pose: poseOf(f) }),
  mapToLow: (f) => ({ mapper: poses.createPoseMapper(f.rig, f.rig), out: poseOf(f), pose: poseOf(f) }),
  addPose: (f) => ({ out: poseOf(f), mask: new Array<number>(f.rig.count).fill(1) }),
  poseDifference: (f) => ({ out: poseOf(f) }),
  slerpPose: (f) => ({ out: poseOf(f), mask: new Array<number>(f.rig.count).fill(1) }),
  sampleClip: (f) => ({ out: poseOf(f) }),
  mirrorPose: (f) => ({ out: poseOf(f), options: { pairs: {} } }),
  checkClip: (f) => ({ where: 'clip', count: f.rig.count }),
  boneMask: () => ({ entries: 'head' }),
  parseBvh: () => ({ text: SEEDS.bvh[0] }),
  parseUrdf: () => ({ text: SEEDS.urdf[0] }),
  parseMjcf: () => ({ text: SEEDS.mjcf[0] }),
  writeBvh: (f) => ({ frames: [poseOf(f)] }),
  humanoidRoles: () => ({ names: Object.keys(ROLES) }),
  humanoidJoints: () => ({ roles: ROLES }),
  fromUrdfRobot: () => ({ robot: { robotName: 'r', links: { base: { urdfName: 'base' } }, joints: {} } }),
  vrmRoles: () => ({
    json: { nodes: [{ name: 'a' }], extensions: { VRMC_vrm: { humanoid: { humanBones: { hips: { node: 0 } } } } } },
  }),

  readRagdollAsset: (f) => ({ data: assemblies.writeRagdollAsset(assemblies.ragdollAsset(f.rig)) }),
  'Cloth.movePin': () => ({ vertex: 0, target: [50, 0, 0] }),
  'Cloth.setSkin': () => ({ positions: new Array(12).fill(0), normals: new Array(12).fill(1) }),
  'Cloth.positions': () => ({ out: new Float64Array(12) }),
  'SoftBody.movePin': () => ({ vertex: 0, target: [60, 0, 0] }),
  'SoftBody.positions': () => ({ out: new Float64Array(12), normals: new Float64Array(12) }),
  'Ragdoll.profile': () => ({ name: 'limp', bones: 'head' }),
  'Ragdoll.setWeights': () => ({ bones: 'head' }),
  'Balance.lookAt': () => ({ point: [0, 1, 5] }),
  'Balance.reach': () => ({ point: [0, 1, 5] }),
  updateGetUp: (f) => ({ animation: poseOf(f) }),
}
