/**
 * A rig made of a scene's nodes, and its poses brought back to them: what three.js and glTF have in common.
 *
 * Bones are some of the nodes. Their parents in the rig are the nearest bones above them, or others by wish (the joints of a
 * WebXR hand all lie side by side); nodes in between and above stand still. A node's children are moved and scaled by
 *
 *   x ↦ p + s R x
 *
 * of which a rig knows no s: it must be 1, or one number a node, which is then baked into the lengths of the rig.
 *
 * From a pose to the nodes: the bones' places in the rig's space by going down the tree; then, with (p, s, R) of the node
 * that a bone hangs on, which is that of a bone above times one that stands still, local = R⁻¹ (x − p)/s and R⁻¹ Q.
 */

import { finiteVector, object, oneOf } from '@tautline/core/kernel'
import type { ReadonlyVec3 } from 'gl-matrix'
import type { BoneDef } from '../rig.js'
import { type LocalPose, NO_TURN, type Place, type Quat, type Vec3, cross, difference, dot } from './transform.js'
import { freshName, fromAxes, inverse, scaled, size, sum, times, rotated } from './transform.js'

/** A node as it stands, in its parent's space. */
export interface SceneNode {
  readonly name: string
  /** Row of the parent, before it; −1 for the rig's space. */
  readonly parent: number
  readonly position: Vec3
  readonly rotation: Quat
  readonly scale: Vec3
  readonly isBone: boolean
}

/** Wishes of a rig from a scene. */
export interface SceneOptions {
  /**
   * `refuse`: nodes that are not of unit scale are an error; `bake`: their scale, which must be the same along all axes, goes into the
   * rig's lengths. @defaultValue 'refuse'
   */
  scale?: 'refuse' | 'bake'
  /** Parents by name, other than those of the scene; `null` makes a root. @defaultValue those of the scene */
  parents?: Readonly<Record<string, string | null>>
  /** Far ends of bones by name, in the bone's space [m]. @defaultValue by the children */
  tips?: Readonly<Record<string, ReadonlyVec3>>
}

/** Difference from 1, and between axes, that counts as round-off of a scale: float32 through a chain of nodes. */
const UNIT = 1e-4

/** A frame with a scale. */
interface Scaled extends Place {
  readonly scale: number
}

const SPACE: Scaled = { position: [0, 0, 0], rotation: [0, 0, 0, 1], scale: 1 }

/** Bones, parents first, and the way between their poses and the nodes'. */
export class SceneRig {
  readonly bones: BoneDef[] = []
  /** Row of each bone in the list of nodes. */
  readonly rows: number[] = []
  /** Local places of the bones' nodes, as a scene has them: in and out of `toNodes` and `fromNodes`. */
  readonly position: Float64Array
  readonly rotation: Float64Array
  /** By row of the list of nodes: the bone that it is, −1 for none. */
  private boneAt = new Int32Array(0)
  private readonly parent: Int32Array
  /** The bone that carries the node each bone hangs on, −1 for none, and that node's place in it. */
  private readonly carrier: Int32Array
  private readonly offsetPosition: Float64Array
  private readonly offsetRotation: Float64Array
  /** Scale of all above a bone. */
  private readonly unit: Float64Array
  /** 1 where the node hangs on the bone's own parent, and so has the same rotation. */
  private readonly isDirect: Uint8Array
  /** 1 where all of them do. */
  private readonly isSimple: number
  /** Bones as the scene has them, parents of the scene first. */
  private readonly sceneOrder: Int32Array
  private readonly placePosition: Float64Array
  private readonly placeRotation: Float64Array

  constructor(where: string, nodes: readonly SceneNode[], options: SceneOptions) {
    const bakes = oneOf(`${where}: scale`, options.scale ?? 'refuse', ['refuse', 'bake']) === 'bake'
    const names = uniqueNames(nodes)
    const outer = nodes.map((node) => node.parent)
    const places: Scaled[] = []
    const carries = new Set(outer)
    nodes.forEach((node, i) => {
      const around = outer[i] < 0 ? SPACE : places[outer[i]]
      places.push(inside(around, node, carries.has(i) ? uniformScale(where, node, bakes) : 1))
    })
    const parents = this.order(
      where,
      nodes,
      names,
      object(`${where}: parents`, options.parents ?? {}) as NonNullable<SceneOptions['parents']>,
    )
    const n = this.rows.length
    this.position = new Float64Array(3 * n)
    this.rotation = new Float64Array(4 * n)
    this.parent = new Int32Array(n)
    this.carrier = new Int32Array(n)
    this.offsetPosition = new Float64Array(3 * n)
    this.offsetRotation = new Float64Array(4 * n)
    this.unit = new Float64Array(n)
    this.isDirect = new Uint8Array(n)
    this.placePosition = new Float64Array(3 * n)
    this.placeRotation = new Float64Array(4 * n)
    this.rows.forEach((row, i) => this.addBone(i, row, nodes, places, parents))
    this.sceneOrder = Int32Array.from(this.rows.keys()).sort((i, j) => this.rows[i] - this.rows[j])
    this.isSimple = this.isDirect.includes(0) ? 0 : 1
    this.giveTips(where, object(`${where}: tips`, options.tips ?? {}) as NonNullable<SceneOptions['tips']>)
  }

  /** Turns a pose of the rig into local places of the nodes. */
  toNodes(pose: LocalPose): void {
    const { position, rotation, isDirect, unit } = this
    if (this.isSimple === 0) this.findPlaces(pose)
    for (let i = 0; i < isDirect.length; i++) {
      if (isDirect[i] === 1) {
        copyPlace(pose.positions, pose.rotations, i, position, rotation)
      } else {
        this.findHanger(i)
        localOf(this.placePosition, this.placeRotation, i, position, rotation)
      }
      for (let k = 3 * i; k < 3 * i + 3; k++) position[k] /= unit[i]
    }
  }

  /** Turns local places of the nodes into a pose of the rig. */
  fromNodes(pose: LocalPose): void {
    const { position, rotation, isDirect, unit, parent, sceneOrder, placePosition, placeRotation } = this
    for (let i = 0; i < isDirect.length; i++) {
      copyPlace(position, rotation, i, pose.positions, pose.rotations)
      for (let k = 3 * i; k < 3 * i + 3; k++) pose.positions[k] *= unit[i]
    }
    if (this.isSimple === 1) return
    for (let k = 0; k < sceneOrder.length; k++) {
      this.findHanger(sceneOrder[k])
      placeIn(pose.positions, pose.rotations, sceneOrder[k], placePosition, placeRotation, sceneOrder[k])
    }
    for (let i = 0; i < isDirect.length; i++) {
      if (isDirect[i] === 1) continue
      takeHanger(placePosition, placeRotation, parent[i])
      localOf(placePosition, placeRotation, i, pose.positions, pose.rotations)
    }
  }

  /** Bones with parents first, the scene's order otherwise; fills `rows`. Returns parents as rows of nodes. */
  private order(
    where: string,
    nodes: readonly SceneNode[],
    names: readonly string[],
    wishes: Readonly<Record<string, string | null>>,
  ): number[] {
    const rowOf = (name: string): number => {
      const row = names.indexOf(name)
      if (row < 0 || !nodes[row].isBone) throw new RangeError(`${where}: parents must name bones, got "${name}"`)
      return row
    }
    const parents = nodes.map((node) => {
      let up = node.parent
      while (up >= 0 && !nodes[up].isBone) up = nodes[up].parent
      return up
    })
    for (const [child, parent] of Object.entries(wishes)) parents[rowOf(child)] = parent === null ? -1 : rowOf(parent)
    // Children by their parents, the last first: a stack gives them in the order of the scene.
    const children = new Map<number, number[]>()
    for (let row = nodes.length - 1; row >= 0; row--) {
      if (!nodes[row].isBone) continue
      const list = children.get(parents[row])
      if (list === undefined) children.set(parents[row], [row])
      else list.push(row)
    }
    this.boneAt = new Int32Array(nodes.length).fill(-1)
    const open = [...(children.get(-1) ?? [])]
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      this.boneAt[row] = this.rows.length
      this.rows.push(row)
      this.bones.push({ name: names[row], parent: null, position: [0, 0, 0] })
      for (const child of children.get(row) ?? []) open.push(child)
    }
    const lost = nodes.findIndex((node, row) => node.isBone && this.boneAt[row] < 0)
    if (lost >= 0) throw new RangeError(`${where}: parents must not go round in a loop, got one with "${names[lost]}"`)
    if (this.rows.length === 0) throw new RangeError(`${where}: there must be a bone, got none`)
    return parents
  }

  private addBone(
    i: number,
    row: number,
    nodes: readonly SceneNode[],
    places: readonly Scaled[],
    parents: readonly number[],
  ): void {
    const up = parents[row]
    const hanger = nodes[row].parent
    let carrier = hanger
    while (carrier >= 0 && !nodes[carrier].isBone) carrier = nodes[carrier].parent
    this.parent[i] = up < 0 ? -1 : this.boneAt[up]
    this.carrier[i] = carrier < 0 ? -1 : this.boneAt[carrier]
    this.unit[i] = hanger < 0 ? 1 : places[hanger].scale
    this.isDirect[i] = hanger === up ? 1 : 0
    const offset = relative(carrier < 0 ? SPACE : places[carrier], hanger < 0 ? SPACE : places[hanger])
    this.offsetPosition.set(offset.position, 3 * i)
    this.offsetRotation.set(offset.rotation, 4 * i)
    const bone = this.bones[i]
    if (hanger === up) {
      // Not by way of the rig's space: the rest pose keeps the scene's own digits.
      bone.position = scaled(nodes[row].position, this.unit[i])
      bone.rotation = nodes[row].rotation
    } else {
      const own = relative(up < 0 ? SPACE : places[up], places[row])
      bone.position = own.position
      bone.rotation = own.rotation
    }
    bone.parent = up < 0 ? null : this.bones[this.parent[i]].name
  }

  private giveTips(where: string, tips: Readonly<Record<string, ReadonlyVec3>>): void {
    for (const [name, tip] of Object.entries(tips)) {
      const bone = this.bones.find((candidate) => candidate.name === name)
      if (bone === undefined) throw new RangeError(`${where}: tips must name bones, got "${name}"`)
      const v = finiteVector(`${where}: tips: "${name}"`, tip, 3)
      bone.tip = [v[0], v[1], v[2]]
    }
  }

  private findPlaces(pose: LocalPose): void {
    const { parent, placePosition, placeRotation } = this
    for (let i = 0; i < parent.length; i++) {
      takeHanger(placePosition, placeRotation, parent[i])
      placeIn(pose.positions, pose.rotations, i, placePosition, placeRotation, i)
    }
  }

  /** The place of the node that a bone hangs on, into HANGER. */
  private findHanger(i: number): void {
    takeHanger(this.placePosition, this.placeRotation, this.carrier[i])
    placeIn(this.offsetPosition, this.offsetRotation, i, HANGER_PLACE, HANGER_TURN, 0)
  }
}

/** Place and rotation of what a bone is measured against. */
const HANGER_PLACE = /* @__PURE__ */ new Float64Array(3)
const HANGER_TURN = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1)

/** HANGER ← row `i`; the rig's space where it is −1. */
function takeHanger(position: Float64Array, rotation: Float64Array, i: number): void {
  for (let k = 0; k < 3; k++) HANGER_PLACE[k] = i < 0 ? 0 : position[3 * i + k]
  for (let k = 0; k < 4; k++) HANGER_TURN[k] = i < 0 ? (k === 3 ? 1 : 0) : rotation[4 * i + k]
}

function copyPlace(
  position: Float64Array,
  rotation: Float64Array,
  i: number,
  outPosition: Float64Array,
  outRotation: Float64Array,
): void {
  for (let k = 3 * i; k < 3 * i + 3; k++) outPosition[k] = position[k]
  for (let k = 4 * i; k < 4 * i + 4; k++) outRotation[k] = rotation[k]
}

/** Row `to` of the out arrays ← HANGER times row `i`. */
function placeIn(
  position: Float64Array,
  rotation: Float64Array,
  i: number,
  outPosition: Float64Array,
  outRotation: Float64Array,
  to: number,
): void {
  const hx = HANGER_TURN[0]
  const hy = HANGER_TURN[1]
  const hz = HANGER_TURN[2]
  const hw = HANGER_TURN[3]
  const vx = position[3 * i]
  const vy = position[3 * i + 1]
  const vz = position[3 * i + 2]
  const tx = 2 * (hy * vz - hz * vy)
  const ty = 2 * (hz * vx - hx * vz)
  const tz = 2 * (hx * vy - hy * vx)
  outPosition[3 * to] = HANGER_PLACE[0] + vx + hw * tx + (hy * tz - hz * ty)
  outPosition[3 * to + 1] = HANGER_PLACE[1] + vy + hw * ty + (hz * tx - hx * tz)
  outPosition[3 * to + 2] = HANGER_PLACE[2] + vz + hw * tz + (hx * ty - hy * tx)
  product(hx, hy, hz, hw, rotation, i, outRotation, to)
}

/** Row `i` of the out arrays ← HANGER⁻¹ times row `i` of places. */
function localOf(
  position: Float64Array,
  rotation: Float64Array,
  i: number,
  outPosition: Float64Array,
  outRotation: Float64Array,
): void {
  const hx = -HANGER_TURN[0]
  const hy = -HANGER_TURN[1]
  const hz = -HANGER_TURN[2]
  const hw = HANGER_TURN[3]
  const vx = position[3 * i] - HANGER_PLACE[0]
  const vy = position[3 * i + 1] - HANGER_PLACE[1]
  const vz = position[3 * i + 2] - HANGER_PLACE[2]
  const tx = 2 * (hy * vz - hz * vy)
  const ty = 2 * (hz * vx - hx * vz)
  const tz = 2 * (hx * vy - hy * vx)
  outPosition[3 * i] = vx + hw * tx + (hy * tz - hz * ty)
  outPosition[3 * i + 1] = vy + hw * ty + (hz * tx - hx * tz)
  outPosition[3 * i + 2] = vz + hw * tz + (hx * ty - hy * tx)
  product(hx, hy, hz, hw, rotation, i, outRotation, i)
}

/** Row `to` of out ← (hx, hy, hz, hw) times row `i`; small enough to be inlined. */
function product(
  hx: number,
  hy: number,
  hz: number,
  hw: number,
  rotation: Float64Array,
  i: number,
  out: Float64Array,
  to: number,
): void {
  const x = rotation[4 * i]
  const y = rotation[4 * i + 1]
  const z = rotation[4 * i + 2]
  const w = rotation[4 * i + 3]
  out[4 * to] = hw * x + hx * w + hy * z - hz * y
  out[4 * to + 1] = hw * y - hx * z + hy * w + hz * x
  out[4 * to + 2] = hw * z + hx * y - hy * x + hz * w
  out[4 * to + 3] = hw * w - hx * x - hy * y - hz * z
}

function uniqueNames(nodes: readonly SceneNode[]): string[] {
  const taken = new Map<string, number>()
  return nodes.map((node) => (node.isBone ? freshName(node.name || 'bone', taken) : node.name))
}

function uniformScale(where: string, { name, scale }: SceneNode, bakes: boolean): number {
  const [x, y, z] = scale
  const isUniform = Math.abs(y - x) <= UNIT * Math.abs(x) && Math.abs(z - x) <= UNIT * Math.abs(x)
  if (!isUniform || !(x > 0)) {
    throw new RangeError(`${where}: node "${name}": scale must be one number > 0 for all axes, got ${scale.join(', ')}`)
  }
  if (Math.abs(x - 1) <= UNIT) return 1
  if (!bakes)
    throw new RangeError(`${where}: node "${name}": scale must be 1 (or wish scale: 'bake'), got ${scale.join(', ')}`)
  return x
}

function inside(outer: Scaled, node: SceneNode, scale: number): Scaled {
  return {
    position: sum(outer.position, rotated(outer.rotation, scaled(node.position, outer.scale))),
    rotation: times(outer.rotation, node.rotation),
    scale: outer.scale * scale,
  }
}

/** Where `inner` is, seen from `outer`, in the rig's lengths. */
function relative(outer: Place, inner: Place): Place {
  if (outer === inner) return { position: [0, 0, 0], rotation: [...NO_TURN] }
  const back = inverse(outer.rotation)
  return { position: rotated(back, difference(inner.position, outer.position)), rotation: times(back, inner.rotation) }
}

/**
 * A bone's place in its parent bone at the moment a skin was bound: B_p⁻¹ B_c, of which the inverses are at hand
 * (column-major, the last row 0 0 0 1).
 */
export function boundPlace(
  parentInverse: ArrayLike<number>,
  childInverse: ArrayLike<number>,
): Pick<SceneNode, 'position' | 'rotation' | 'scale'> {
  const outer = columns(parentInverse)
  const [a, b, c, d] = columns(childInverse)
  // Rows of the inverse of (a b c), by its cofactors.
  const one = 1 / dot(a, cross(b, c))
  const [u, v, w] = [scaled(cross(b, c), one), scaled(cross(c, a), one), scaled(cross(a, b), one)]
  const apply = (x: Vec3): Vec3 => sum(sum(scaled(outer[0], x[0]), scaled(outer[1], x[1])), scaled(outer[2], x[2]))
  const axes = [0, 1, 2].map((k) => apply([u[k], v[k], w[k]]))
  const scale: Vec3 = [size(axes[0]), size(axes[1]), size(axes[2])]
  const [x, y, z] = axes.map((axis, k) => scaled(axis, 1 / scale[k]))
  const position = sum(apply([-dot(u, d), -dot(v, d), -dot(w, d)]), outer[3])
  return { position, rotation: fromAxes(x, y, z), scale }
}

function columns(m: ArrayLike<number>): [Vec3, Vec3, Vec3, Vec3] {
  const column = (k: number): Vec3 => [m[4 * k], m[4 * k + 1], m[4 * k + 2]]
  return [column(0), column(1), column(2), column(3)]
}
