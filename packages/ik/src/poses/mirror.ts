/**
 * Poses mirrored, left for right.
 *
 *   R'_j = M D_i M R_j,rest,   D_i = R_i R̄_i,rest        what a bone has turned since rest, mirrored, of its fellow on the other side
 *   x'   = rest + M (x − rest of the fellow), in the skeleton's space
 *
 * The rest pose need not be symmetric in its axes, only in its shape.
 */

import {
  compose,
  knownFields,
  normalizeQuaternion,
  object,
  oneOf,
  rotateVector,
  rotateVectorInverse,
} from '@tautline/core/kernel'
import { boneRow, type BoneTree, checkPoseData, checkTree, type PoseData } from './pose-data.js'

/** Options of {@link mirrorPose}. */
export interface MirrorOptions {
  /** Axis of the skeleton's space that is turned round. @defaultValue 'x' */
  axis?: 'x' | 'y' | 'z'
  /** Bones that change places, by name. @defaultValue those whose names differ by left and right, Left and Right, or an L and R apart */
  pairs?: Readonly<Record<string, string>>
}

const q = /* @__PURE__ */ new Float64Array(4)
const v = /* @__PURE__ */ new Float64Array(3)

/**
 * Writes a pose with left and right exchanged to `out`, and returns it; `rest` is the skeleton's pose of rest. Throws `TypeError`/`RangeError` for poses of
 * other skeletons, and for pairs of bones that there are not.
 */
export function mirrorPose<P extends PoseData>(
  out: P,
  pose: PoseData,
  tree: BoneTree,
  rest: PoseData,
  options: MirrorOptions = {},
): P {
  checkTree('mirrorPose: tree', tree)
  const count = tree.names.length
  for (const [name, each] of Object.entries({ out, pose, rest })) checkPoseData(`mirrorPose: ${name}`, each, count)
  const { axis: given = 'x', pairs } = knownFields('mirrorPose: options', options, ['axis', 'pairs']) as MirrorOptions
  const axis = AXES.indexOf(oneOf('mirrorPose: axis', given, AXES))
  const fellow = fellows(tree, pairs)
  const order = parentsFirst(tree.parent)
  const [posed, resting] = [worldOf(tree, order, pose), worldOf(tree, order, rest)]
  const made = { positions: new Float64Array(3 * count), rotations: new Float64Array(4 * count) }
  const x = new Float64Array(3 * count)
  for (const j of order) {
    const i = fellow[j]
    turnedSinceRest(posed.rotations, resting.rotations, i, q)
    mirrorTurn(q, axis)
    compose(q, 0, resting.rotations, 4 * j, made.rotations, 4 * j)
    // A place in the parent is that of rest, and what its fellow has moved from its own in turned and mirrored space.
    movedInParent(tree.parent, pose, rest, resting.rotations, i, v)
    v[axis] = -v[axis]
    const p = tree.parent[j]
    if (p >= 0) rotateVectorInverse(resting.rotations, 4 * p, v[0], v[1], v[2], v, 0)
    for (let k = 0; k < 3; k++) x[3 * j + k] = rest.positions[3 * j + k] + v[k]
  }
  for (let j = 0; j < count; j++) {
    const p = tree.parent[j]
    if (p < 0) for (let k = 0; k < 4; k++) q[k] = made.rotations[4 * j + k]
    else {
      const [a, b, c, w] = made.rotations.subarray(4 * p, 4 * p + 4)
      compose(Float64Array.of(-a, -b, -c, w), 0, made.rotations, 4 * j, q, 0)
    }
    normalizeQuaternion(q, 0)
    out.rotations.set(q, 4 * j)
  }
  out.positions.set(x)
  return out
}

const AXES = ['x', 'y', 'z'] as const

/** What a bone's place in its parent has moved since rest, in the axes that the parent's rest has in the skeleton's space. */
function movedInParent(
  parent: ArrayLike<number>,
  pose: PoseData,
  rest: PoseData,
  world: Float64Array,
  i: number,
  to: Float64Array,
): void {
  for (let k = 0; k < 3; k++) to[k] = pose.positions[3 * i + k] - rest.positions[3 * i + k]
  if (parent[i] >= 0) rotateVector(world, 4 * parent[i], to[0], to[1], to[2], to, 0)
}

/** D = R R̄_rest of a bone. */
function turnedSinceRest(rotations: Float64Array, rest: Float64Array, i: number, to: Float64Array): void {
  const [x, y, z, w] = rest.subarray(4 * i, 4 * i + 4)
  compose(rotations, 4 * i, Float64Array.of(-x, -y, -z, w), 0, to, 0)
}

/** M R M: of the vector of a quaternion, the numbers across the axis change sign. */
function mirrorTurn(turned: Float64Array, axis: number): void {
  for (let k = 0; k < 3; k++) if (k !== axis) turned[k] = -turned[k]
}

/** Rows of bones, parents before children. */
function parentsFirst(parent: ArrayLike<number>): number[] {
  const depth = Array.from(parent, (_, i) => {
    let d = 0
    for (let p = parent[i]; p >= 0 && d < parent.length; p = parent[p]) d++
    return d
  })
  return Array.from(depth.keys()).sort((a, b) => depth[a] - depth[b] || a - b)
}

function worldOf({ parent }: BoneTree, order: readonly number[], pose: PoseData): { rotations: Float64Array } {
  const rotations = pose.rotations.slice()
  for (const i of order) if (parent[i] >= 0) compose(rotations, 4 * parent[i], pose.rotations, 4 * i, rotations, 4 * i)
  return { rotations }
}

/** Row of each bone's counterpart; its own where it has none. */
function fellows(tree: BoneTree, pairs: Readonly<Record<string, string>> | undefined): Int32Array {
  const rows = Int32Array.from(tree.names.keys())
  if (pairs === undefined) {
    tree.names.forEach((name, i) => {
      const other = tree.names.indexOf(otherSide(name))
      if (other >= 0) rows[i] = other
    })
    return rows
  }
  for (const [a, b] of Object.entries(object('mirrorPose: pairs', pairs) as Record<string, string>)) {
    const [i, j] = [boneRow('mirrorPose: pairs', tree, a), boneRow('mirrorPose: pairs', tree, b)]
    rows[i] = j
    rows[j] = i
  }
  return rows
}

const SIDES: Readonly<Record<string, string>> = {
  left: 'right',
  right: 'left',
  Left: 'Right',
  Right: 'Left',
  LEFT: 'RIGHT',
  RIGHT: 'LEFT',
  l: 'r',
  r: 'l',
  L: 'R',
  R: 'L',
}

/** The name with left and right exchanged. */
function otherSide(name: string): string {
  return name.replace(/left|right|Left|Right|LEFT|RIGHT|(?<![A-Za-z])[lrLR](?![A-Za-z])/, (side) => SIDES[side])
}
