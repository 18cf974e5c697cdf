/**
 * A skeleton: bones in a tree, parents before children, each with a joint at its origin and the matter it carries.
 *
 * A bone's frame is its parent's frame moved by `position` and turned by `rotation`, at rest; a pose has other rotations, and
 * other positions where joints slide or the root is free. No convention of axes is asked: bones may point anywhere.
 */

import { principalAxes } from '@tautline/core'
import {
  finite,
  finiteVector,
  nonNegative,
  positive,
  unitQuaternion,
  shown,
  knownFields,
  array,
  object,
} from '@tautline/core/kernel'
import type { ReadonlyQuat, ReadonlyVec3 } from 'gl-matrix'
import { frameAlong, type Joint, type JointDef, resolveJoint, triple } from './joints.js'

/** What a user writes for a bone. Wrong fields are errors of {@link Rig.from}, which name the bone. */
export interface BoneDef {
  /** Unique in the skeleton. */
  name: string
  /** Name or row of the parent, which stands before it; `null` for a root, of which there may be several. */
  parent: string | number | null
  /** Of its joint in the parent's space, at rest [m]. */
  position: ReadonlyVec3
  /** Of its frame in the parent's space, at rest: [x, y, z, w] within 1 % of unit length. @defaultValue none */
  rotation?: ReadonlyQuat
  /** Its far end in its own space [m]. @defaultValue the mean of its children's joints; without any, its own joint */
  tip?: ReadonlyVec3
  /** How it moves against its parent. @defaultValue { kind: 'ball' } */
  joint?: JointDef
  /** [kg]; 0 for a bone that only stands between others. @defaultValue by {@link MassOptions} */
  mass?: number
  /** Centre of mass in its own space [m]. @defaultValue half way to its far end */
  centre?: ReadonlyVec3
  /**
   * About the centre, in its own space [kg m²]: three principal moments along its axes, or the nine numbers of a symmetric tensor.
   * @defaultValue that of a solid cylinder along the bone, by {@link MassOptions}
   */
  inertia?: ArrayLike<number>
}

/** How heavy bones are that say nothing of it: rods of a density, as thick as a share of their length. */
export interface MassOptions {
  /** Mass by length [kg/m]. @defaultValue 1 */
  density?: number
  /** Radius as a share of the length: what turning a bone about itself costs. @defaultValue 0.2 */
  thickness?: number
}

/** How roots may move: {@link Rig.root} says what each means. */
export type RootMode = 'pinned' | 'free' | 'prePull'

const BONE = ['name', 'parent', 'position', 'rotation', 'tip', 'joint', 'mass', 'centre', 'inertia']

/** Rods shorter than this share of the whole skeleton have the matter of one that long. */
const LEAST_LENGTH = 1e-3

/** Bones in flat arrays, a row a bone. Made by {@link Rig.from}. */
export class Rig {
  /** Of bones, by row. */
  readonly names: readonly string[]
  /** Of bones. */
  readonly count: number
  /** Row of each bone's parent; −1 for a root. */
  readonly parent: Int32Array
  /** Of joints in their parents' spaces, three numbers a bone [m]. */
  readonly restPosition: Float64Array
  /** Of bones in their parents' spaces, [x, y, z, w], four numbers a bone. */
  readonly restRotation: Float64Array
  /** Far ends in the bones' spaces, three numbers a bone [m]: as given, or the mean of the children's joints. */
  readonly tip: Float64Array
  /** As the solver reads them. Change one by {@link Rig.joint}. */
  readonly joints: Joint[]
  /** By bone [kg]. */
  readonly mass: Float64Array
  /** 1 for bones whose definition gives a mass, a centre, an inertia; 0 for those that got one by {@link MassOptions}. */
  readonly hasMass: Uint8Array
  readonly hasCentre: Uint8Array
  readonly hasInertia: Uint8Array
  /** Centres of mass in the bones' spaces, three numbers a bone [m]. */
  readonly centre: Float64Array
  /** Principal moments about the centre, three numbers a bone [kg m²]. */
  readonly moments: Float64Array
  /** Rotations from the principal axes to the bones' spaces, [x, y, z, w], four numbers a bone. */
  readonly inertiaFrame: Float64Array
  /** 1/‖centre‖ of bones that are rods along their centre, as those are that say nothing of it; 0 for others. */
  readonly rod: Float64Array
  /** {@link Rig.reach} as it was made [m]: what lengths and angles are measured by. */
  size: number = 0
  /** How its roots may move. Change it by {@link Rig.root}. */
  rootMode: RootMode = 'pinned'
  /** How often joints and root have changed: what solvers see that they have to make room anew by. */
  revision: number = 0
  /** Mobility of a free root against its natural one, translation and rotation. */
  rootMobility: [number, number] = [1, 1]

  private constructor(names: readonly string[]) {
    const n = names.length
    this.names = names
    this.count = n
    this.parent = new Int32Array(n)
    this.restPosition = new Float64Array(3 * n)
    this.restRotation = new Float64Array(4 * n)
    this.tip = new Float64Array(3 * n)
    this.joints = []
    this.mass = new Float64Array(n)
    this.hasMass = new Uint8Array(n)
    this.hasCentre = new Uint8Array(n)
    this.hasInertia = new Uint8Array(n)
    this.centre = new Float64Array(3 * n)
    this.moments = new Float64Array(3 * n)
    this.inertiaFrame = new Float64Array(4 * n)
    this.rod = new Float64Array(n)
  }

  /** Makes a rig of bones, parents before children. Throws `TypeError`/`RangeError` with what, which bone and the value. */
  static from(bones: readonly BoneDef[], options: MassOptions = {}): Rig {
    if (array('Rig.from: bones', bones).length === 0) {
      throw new TypeError('Rig.from: bones must be an array with at least one, got 0 entries')
    }
    bones.forEach((bone: unknown, i) => {
      const name = (bone as Partial<BoneDef> | null)?.name
      knownFields(`Rig.from: bone ${typeof name === 'string' ? `"${name}"` : i}`, bone, BONE, ['parent'])
    })
    knownFields('Rig.from: options', options, ['density', 'thickness'])
    const rig = new Rig(bones.map(({ name }) => name))
    const density = positive('Rig.from: density', options.density ?? 1)
    const thickness = positive('Rig.from: thickness', options.thickness ?? 0.2)
    bones.forEach((bone, i) => rig.place(bone, i))
    bones.forEach((bone, i) => rig.findTip(bone, i))
    rig.size = rig.reach()
    if (!(rig.size > 0)) {
      throw new RangeError('Rig.from: bones must have a length, by the position of a child or a tip, got none that has')
    }
    const least = LEAST_LENGTH * rig.size
    bones.forEach((bone, i) => {
      rig.giveMatter(bone, i, density, thickness, least)
      const where = `Rig.from: bone "${bone.name}"`
      const along = rig.direction(i)
      rig.joints.push(resolveJoint(where, bone.joint ?? { kind: 'ball' }, along))
    })
    return rig
  }

  /** The row of a bone by its name or row. Throws `RangeError` when there is none; `where` is how it begins. */
  indexOf(bone: string | number, where = 'Rig.indexOf'): number {
    const i = typeof bone === 'number' ? bone : this.names.indexOf(bone)
    if (!Number.isInteger(i) || i < 0 || i >= this.count) {
      const got = typeof bone === 'string' ? bone : shown(bone)
      throw new RangeError(`${where}: bone must be one of the rig, got ${got}`)
    }
    return i
  }

  /**
   * Gives a bone another joint, with the fields of the dynamic joints. Throws `TypeError`/`RangeError` that names the bone and the
   * field, and changes nothing then.
   */
  joint(bone: string | number, def: JointDef): this {
    const i = this.indexOf(bone, 'Rig.joint')
    this.joints[i] = resolveJoint(`Rig.joint: bone "${this.names[i]}"`, def, this.direction(i))
    this.revision++
    return this
  }

  /** Gives bones other joints, by their names: see {@link Rig.joint}. Throws as that does, and changes nothing then. */
  setJoints(joints: Readonly<Record<string, JointDef>>): this {
    const where = 'Rig.setJoints'
    const made = Object.entries(object(`${where}: joints`, joints)).map(([bone, def]) => {
      const i = this.indexOf(bone, where)
      return [i, resolveJoint(`${where}: bone "${bone}"`, def as JointDef, this.direction(i))] as const
    })
    for (const [i, joint] of made) this.joints[i] = joint
    this.revision++
    return this
  }

  /**
   * How roots may move: `pinned` not at all but by their joint, `free` in six directions, `prePull` carried along by the
   * goals before the solve and then free. `linear` and `angular`, by default 1, scale how easily a free one does; 0 is not at all.
   * Throws `TypeError`/`RangeError`, and changes nothing then.
   */
  root(mode: RootMode, mobility: { linear?: number; angular?: number } = {}): this {
    if (mode !== 'pinned' && mode !== 'free' && mode !== 'prePull') {
      throw new TypeError(`Rig.root: mode must be pinned, free or prePull, got ${shown(mode)}`)
    }
    knownFields('Rig.root: mobility', mobility, ['linear', 'angular'])
    const linear = nonNegative('Rig.root: linear', mobility.linear ?? 1)
    const angular = nonNegative('Rig.root: angular', mobility.angular ?? 1)
    this.rootMode = mode
    this.rootMobility = [linear, angular]
    this.revision++
    return this
  }

  /** Length of the longest chain of bones, tips included [m]. */
  reach(): number {
    const from = new Float64Array(this.count)
    let longest = 0
    for (let i = 0; i < this.count; i++) {
      const p = this.parent[i]
      if (p >= 0) from[i] = from[p] + length(this.restPosition, 3 * i)
      longest = Math.max(longest, from[i] + length(this.tip, 3 * i))
    }
    return longest
  }

  /** Unit vector along a bone in its space; x̂ for one without length. */
  private direction(i: number): [number, number, number] {
    const l = length(this.tip, 3 * i)
    if (!(l > 0)) return [1, 0, 0]
    return [this.tip[3 * i] / l, this.tip[3 * i + 1] / l, this.tip[3 * i + 2] / l]
  }

  private place(bone: BoneDef, i: number): void {
    const where = `Rig.from: bone ${i}`
    if (typeof bone.name !== 'string') throw new TypeError(`${where}: name must be a string, got ${shown(bone.name)}`)
    const named = `Rig.from: bone "${bone.name}"`
    if (this.names.indexOf(bone.name) !== i) throw new RangeError(`${named}: name must be unique, got it twice`)
    const parent =
      bone.parent === null ? -1 : typeof bone.parent === 'number' ? bone.parent : this.names.indexOf(bone.parent)
    if (!Number.isInteger(parent) || parent >= i || parent < -1 || (parent === -1 && bone.parent !== null)) {
      throw new RangeError(`${named}: parent must be a bone before it or null, got ${shown(bone.parent)}`)
    }
    this.parent[i] = parent
    this.restPosition.set(triple(`${named}: position`, bone.position), 3 * i)
    this.restRotation.set(unitQuaternion(`${named}: rotation`, bone.rotation ?? [0, 0, 0, 1]), 4 * i)
  }

  /** What was said, else the mean of the children's joints, else the bone's own joint. */
  private findTip(bone: BoneDef, i: number): void {
    if (bone.tip !== undefined) {
      this.tip.set(triple(`Rig.from: bone "${bone.name}": tip`, bone.tip), 3 * i)
      return
    }
    let children = 0
    for (let c = i + 1; c < this.count; c++) {
      if (this.parent[c] !== i) continue
      children++
      for (let k = 0; k < 3; k++) this.tip[3 * i + k] += this.restPosition[3 * c + k]
    }
    if (children > 0) for (let k = 0; k < 3; k++) this.tip[3 * i + k] /= children
  }

  private giveMatter(bone: BoneDef, i: number, density: number, thickness: number, least: number): void {
    const named = `Rig.from: bone "${bone.name}"`
    this.hasMass[i] = Number(bone.mass !== undefined)
    this.hasCentre[i] = Number(bone.centre !== undefined)
    this.hasInertia[i] = Number(bone.inertia !== undefined)
    const size = Math.max(length(this.tip, 3 * i), least)
    const radius = thickness * size
    const m = bone.mass === undefined ? density * size : nonNegative(`${named}: mass`, bone.mass)
    this.mass[i] = m
    const [x, y, z] =
      bone.centre === undefined
        ? [0, 1, 2].map((k) => 0.5 * this.tip[3 * i + k])
        : triple(`${named}: centre`, bone.centre)
    this.centre.set([x, y, z], 3 * i)
    if (bone.inertia !== undefined) {
      const given = tensor(`${named}: inertia`, bone.inertia)
      this.inertiaFrame[4 * i + 3] = 1
      if (given.every((value) => value === 0)) return
      const { moments, orientation } = principalAxes(given, `${named}: inertia`)
      this.moments.set(moments, 3 * i)
      this.inertiaFrame.set(orientation, 4 * i)
      return
    }
    // A cylinder along the bone: along it m r²/2, across m (3r² + l²)/12.
    const along = 0.5 * m * radius * radius
    const across = (m * (3 * radius * radius + size * size)) / 12
    this.moments.set([along, across, across], 3 * i)
    this.inertiaFrame.set(frameAlong(this.direction(i)), 4 * i)
    const half = length(this.centre, 3 * i)
    if (bone.centre === undefined && half > 0) this.rod[i] = 1 / half
  }
}

function tensor(where: string, given: ArrayLike<number>): number[] {
  if (given.length === 3) {
    const [a, b, c] = finiteVector(where, given, 3) as ArrayLike<number> & [number, number, number]
    return [nonNegative(where, a), 0, 0, 0, nonNegative(where, b), 0, 0, 0, nonNegative(where, c)]
  }
  const full = finiteVector(where, given, 9)
  return Array.from({ length: 9 }, (_, k) => finite(where, full[k]))
}

function length(v: Float64Array, o: number): number {
  return Math.sqrt(v[o] * v[o] + v[o + 1] * v[o + 1] + v[o + 2] * v[o + 2])
}
