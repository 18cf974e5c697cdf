/**
 * A skeleton as ragdolls see it: bones in a tree, in any order, each at rest in its parent's space.
 *
 * A bone's space may be scaled and mirrored: what is local to it is moved by x ↦ p + R s F x, with one length s and mirrors F = diag(±1). As
 * F R(q) F is a rotation again, all of that goes into factors of what is local, and the rest is a rigid skeleton:
 *
 *   p' = s F p,   q' = (f_y f_z q_x, f_x f_z q_y, f_x f_y q_z, q_w),   with s and F of all above the bone
 */

import { array, finiteVector, knownFields, object, positive, shown, unitQuaternion } from '@tautline/core/kernel'
import type { BoneDef, Rig } from '@tautline/ik'
import type { ReadonlyVec3 } from 'gl-matrix'
import { listed } from '../parts/mesh.js'
import { type OwnJoint, readJoint } from './own-joint.js'
import { type Quat, size, sum, times, rotationAt, rotated, type Vec3, vectorAt } from './algebra.js'

/** A bone as readers of rigs give it; lists of bones may be in any order. */
export interface RagdollBone extends BoneDef {
  /** Scale of its space: one number, or one an axis, of one size but for bones without children; below 0 it mirrors. @defaultValue 1 */
  scale?: number | ReadonlyVec3
}

/** What a ragdoll is made of: a rig, what a reader of rigs returned (glTF, BVH, URDF, MJCF, three.js), or bones. */
export type RagdollSource = Rig | { readonly bones: readonly RagdollBone[] } | readonly RagdollBone[]

/** Matter of a bone that its file says, in the bone's rigid frame. */
export interface OwnMatter {
  /** [kg] */
  readonly mass: number
  /** [m]; none where the shape decides. */
  readonly centre: Vec3 | undefined
  /** Nine numbers about the centre [kg m²]; none where the shape decides. */
  readonly inertia: readonly number[] | undefined
}

/** Bones in flat arrays, a row a bone, in the order given. */
export interface Skeleton {
  readonly names: readonly string[]
  /** Row of each bone's parent; −1 for a root. */
  readonly parent: Int32Array
  /** Rows, parents before children. */
  readonly order: Int32Array
  /** Local places at rest, rigid [m]. */
  readonly positions: Float64Array
  readonly rotations: Float64Array
  /** What a local position of a pose is multiplied by, and the first three numbers of a local rotation: three numbers a bone. */
  readonly unit: Float64Array
  readonly mirror: Float64Array
  /** What a point of the bone's own space is multiplied by: three numbers a bone. */
  readonly own: Float64Array
  /** Places at rest in the skeleton's space [m]. */
  readonly worldPositions: Float64Array
  readonly worldRotations: Float64Array
  /** Far ends in the bones' rigid frames [m]; NaN where none was given. */
  readonly tips: Float64Array
  readonly matter: readonly (OwnMatter | undefined)[]
  readonly joints: readonly (OwnJoint | undefined)[]
}

const FIELDS = ['name', 'parent', 'position', 'rotation', 'tip', 'joint', 'mass', 'centre', 'inertia', 'scale']
const KINDS = ['locked', 'ball', 'hinge', 'universal', 'slider'] as const
/** Difference of scales that is round-off of float32. */
const SAME = 1e-4

/** Reads bones of anything that has them. Throws `TypeError`/`RangeError` with what, which bone and the value. */
export function skeletonOf(where: string, source: RagdollSource, scale: number): Skeleton {
  if (isRig(source)) return fromRig(where, source, scale)
  const list = Array.isArray(source) ? source : (object(`${where}: source`, source) as { bones?: unknown }).bones
  return fromBones(where, array(`${where}: bones`, list) as readonly RagdollBone[], scale)
}

function isRig(source: unknown): source is Rig {
  const rig = source as Partial<Rig> | null
  return typeof rig === 'object' && rig?.restPosition instanceof Float64Array && Array.isArray(rig.names)
}

function fromRig(where: string, rig: Rig, scale: number): Skeleton {
  const bones = rig.names.map((name, i): RagdollBone => {
    const p = rig.parent[i]
    const tip = vectorAt(rig.tip, i)
    return {
      name,
      parent: p < 0 ? null : p,
      position: vectorAt(rig.restPosition, i),
      rotation: rotationAt(rig.restRotation, i),
      ...(size(tip) > 0 && { tip }),
      // Matter that the rig made up is a rod by length; shapes of parts are better.
      ...(rig.hasMass[i] === 1 && { mass: rig.mass[i] }),
      ...(rig.hasCentre[i] === 1 && { centre: vectorAt(rig.centre, i) }),
      ...(rig.hasInertia[i] === 1 && { inertia: tensorOf(vectorAt(rig.moments, i), rotationAt(rig.inertiaFrame, i)) }),
    }
  })
  const made = fromBones(where, bones, scale)
  const joints = rig.joints.map((joint): OwnJoint | undefined => {
    const { kind, frame, limits, isCone } = joint
    // A ball that says nothing is what a rig makes of bones without a joint.
    if (kind === 1 && limits.every((value) => !Number.isFinite(value))) return undefined
    return { kind: KINDS[kind], frame: rotationAt(frame, 0), limits: Array.from(limits), cone: isCone }
  })
  return { ...made, joints }
}

/** R diag(m) Rᵀ. */
function tensorOf(moments: Vec3, frame: Quat): number[] {
  const axes = [0, 1, 2].map((k) => rotated(frame, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0]))
  return Array.from({ length: 9 }, (_, n) => {
    const [r, c] = [(n - (n % 3)) / 3, n % 3]
    return axes.reduce((total, axis, k) => total + moments[k] * axis[r] * axis[c], 0)
  })
}

function fromBones(where: string, bones: readonly RagdollBone[], scale: number): Skeleton {
  const n = bones.length
  if (n === 0) throw new RangeError(`${where}: bones must be at least one, got none`)
  const names = bones.map((bone: unknown, i) => {
    const { name } = knownFields(`${where}: bones[${i}]`, object(`${where}: bones[${i}]`, bone), FIELDS, [
      'parent',
    ]) as Partial<RagdollBone>
    if (typeof name !== 'string') throw new TypeError(`${where}: bones[${i}]: name must be a text, got ${shown(name)}`)
    return name
  })
  const parent = parentsOf(where, bones, names)
  const order = orderOf(where, parent, names)
  const made: Skeleton = {
    names,
    parent,
    order,
    positions: new Float64Array(3 * n),
    rotations: new Float64Array(4 * n),
    unit: new Float64Array(3 * n),
    mirror: new Float64Array(3 * n),
    own: new Float64Array(3 * n),
    worldPositions: new Float64Array(3 * n),
    worldRotations: new Float64Array(4 * n),
    tips: new Float64Array(3 * n).fill(NaN),
    matter: [],
    joints: [],
  }
  const hasChild = new Uint8Array(n)
  for (const p of parent) if (p >= 0) hasChild[p] = 1
  for (const i of order) placeBone(`${where}: bone "${names[i]}"`, made, i, bones[i], scale, hasChild[i] === 1)
  const ends = meanEnds(made)
  const read = bones.map((bone, i) => {
    const at = `${where}: bone "${names[i]}"`
    const along = directionOf(made, ends, i)
    return { matter: ownMatter(at, made, i, bone), joint: ownJoint(at, made, i, bone, along) }
  })
  return { ...made, matter: read.map(({ matter }) => matter), joints: read.map(({ joint }) => joint) }
}

function parentsOf(where: string, bones: readonly RagdollBone[], names: readonly string[]): Int32Array {
  const rowOf = new Map<string, number>()
  names.forEach((name, i) => {
    if (rowOf.has(name)) throw new RangeError(`${where}: bone "${name}": name must be unique, got it twice`)
    rowOf.set(name, i)
  })
  return Int32Array.from(bones, ({ parent }, i) => {
    if (parent === null) return -1
    const p = typeof parent === 'number' ? parent : (rowOf.get(parent) ?? -1)
    if (!Number.isInteger(p) || p < 0 || p >= bones.length) {
      throw new RangeError(`${where}: bone "${names[i]}": parent must be a bone or null, got ${shown(parent)}`)
    }
    return p
  })
}

/** Rows, parents first; throws for a circle. */
function orderOf(where: string, parent: Int32Array, names: readonly string[]): Int32Array {
  const order: number[] = []
  const seen = new Uint8Array(parent.length)
  for (let i = 0; i < parent.length; i++) {
    const chain: number[] = []
    for (let k = i; k >= 0 && seen[k] === 0; k = parent[k]) {
      seen[k] = 1
      chain.push(k)
    }
    order.push(...chain.reverse())
  }
  const place = new Int32Array(parent.length)
  order.forEach((row, k) => (place[row] = k))
  const lost = order.find((row) => parent[row] >= 0 && place[parent[row]] >= place[row])
  if (lost !== undefined) {
    throw new RangeError(`${where}: bones must not go round in a circle, got one with "${names[lost]}"`)
  }
  return Int32Array.from(order)
}

function placeBone(at: string, s: Skeleton, i: number, bone: RagdollBone, scale: number, hasChild: boolean): void {
  const p = s.parent[i]
  const x = finiteVector(`${at}: position`, bone.position, 3)
  const q = unitQuaternion(`${at}: rotation`, bone.rotation ?? [0, 0, 0, 1])
  const outer: Vec3 = p < 0 ? [scale, scale, scale] : vectorAt(s.own, p)
  const f = outer.map(Math.sign)
  s.unit.set(outer, 3 * i)
  s.mirror.set([f[1] * f[2], f[0] * f[2], f[0] * f[1]], 3 * i)
  s.positions.set([outer[0] * x[0], outer[1] * x[1], outer[2] * x[2]], 3 * i)
  const m = vectorAt(s.mirror, i)
  s.rotations.set([m[0] * q[0], m[1] * q[1], m[2] * q[2], q[3]], 4 * i)
  const own = scaleOf(at, bone.scale, hasChild)
  s.own.set([outer[0] * own[0], outer[1] * own[1], outer[2] * own[2]], 3 * i)
  const [lx, lq] = [vectorAt(s.positions, i), rotationAt(s.rotations, i)]
  const [wx, wq] = p < 0 ? [lx, lq] : within(vectorAt(s.worldPositions, p), rotationAt(s.worldRotations, p), lx, lq)
  s.worldPositions.set(wx, 3 * i)
  s.worldRotations.set(wq, 4 * i)
  if (bone.tip === undefined) return
  const tip = finiteVector(`${at}: tip`, bone.tip, 3)
  for (let k = 0; k < 3; k++) s.tips[3 * i + k] = s.own[3 * i + k] * tip[k]
}

/** Where something local is in the skeleton's space. */
function within(x: Vec3, q: Quat, local: Vec3, turn: Quat): [Vec3, Quat] {
  return [sum(x, rotated(q, local)), times(q, turn)]
}

function scaleOf(at: string, scale: RagdollBone['scale'], hasChild: boolean): Vec3 {
  if (scale === undefined) return [1, 1, 1]
  const three = typeof scale === 'number' ? [scale, scale, scale] : Array.from(finiteVector(`${at}: scale`, scale, 3))
  const [x, y, z] = three.map((value) => Math.abs(value))
  for (const value of [x, y, z]) positive(`${at}: scale, by size,`, value)
  if (hasChild && (Math.abs(y - x) > SAME * x || Math.abs(z - x) > SAME * x)) {
    throw new RangeError(
      `${at}: scale must be of one size on all axes where a bone has children, which would shear, got ${three.join(', ')}`,
    )
  }
  return hasChild
    ? [Math.sign(three[0]) * x, Math.sign(three[1]) * x, Math.sign(three[2]) * x]
    : (three as unknown as Vec3)
}

function ownMatter(at: string, s: Skeleton, i: number, bone: RagdollBone): OwnMatter | undefined {
  const { centre: middle, inertia } = bone
  const given = middle === undefined ? undefined : finiteVector(`${at}: centre`, middle, 3)
  if (inertia !== undefined) finiteVector(`${at}: inertia`, inertia, listed(`${at}: inertia`, inertia).length)
  if (bone.mass === undefined) return undefined
  if (!(Number.isFinite(bone.mass) && bone.mass >= 0))
    throw new RangeError(`${at}: mass must be >= 0, got ${shown(bone.mass)}`)
  if (bone.mass === 0) return undefined
  const own = vectorAt(s.own, i)
  const centre: Vec3 | undefined = given && [own[0] * given[0], own[1] * given[1], own[2] * given[2]]
  if (inertia === undefined) return { mass: bone.mass, centre, inertia: undefined }
  if (inertia.length !== 3 && inertia.length !== 9) {
    throw new RangeError(`${at}: inertia must be 3 or 9 numbers, got ${inertia.length}`)
  }
  const full = inertia.length === 9 ? Array.from(inertia) : [inertia[0], 0, 0, 0, inertia[1], 0, 0, 0, inertia[2]]
  const tensor = full.map((value, n) => value * own[(n - (n % 3)) / 3] * own[n % 3])
  return { mass: bone.mass, centre, inertia: tensor.some((value) => value !== 0) ? tensor : undefined }
}

function ownJoint(at: string, s: Skeleton, i: number, bone: RagdollBone, along: Vec3): OwnJoint | undefined {
  if (bone.joint === undefined) return undefined
  const own = vectorAt(s.own, i)
  const isMirrored = own[0] < 0 || own[1] < 0 || own[2] < 0
  if (isMirrored) {
    throw new RangeError(`${at}: joint must be left out where the bone is mirrored, got one of ${bone.joint.kind}`)
  }
  return readJoint(at, bone.joint, along)
}

/** Mean of the children's joints in each bone's frame [m]; NaN without children. */
export function meanEnds({ parent, positions }: Skeleton): Float64Array {
  const ends = new Float64Array(positions.length)
  const count = new Int32Array(parent.length)
  parent.forEach((p, i) => {
    if (p < 0) return
    count[p]++
    for (let k = 0; k < 3; k++) ends[3 * p + k] += positions[3 * i + k]
  })
  return ends.map((value, k) => value / count[(k - (k % 3)) / 3])
}

/** Unit vector along a bone in its frame: to its tip, or the mean of its children; x̂ for one without length. */
function directionOf({ tips }: Skeleton, ends: Float64Array, i: number): Vec3 {
  const end = Number.isNaN(tips[3 * i]) ? vectorAt(ends, i) : vectorAt(tips, i)
  const length = size(end)
  return length > 0 ? [end[0] / length, end[1] / length, end[2] / length] : [1, 0, 0]
}

/** Length of the longest chain of bones, tips included [m]. */
export function reachOf({ order, parent, positions, tips }: Skeleton): number {
  const from = new Float64Array(parent.length)
  let longest = 0
  for (const i of order) {
    if (parent[i] >= 0) from[i] = from[parent[i]] + size(vectorAt(positions, i))
    const tip = Number.isNaN(tips[3 * i]) ? 0 : size(vectorAt(tips, i))
    longest = Math.max(longest, from[i] + tip)
  }
  return longest
}
