/** One skeleton of a mapper of poses, and how a pose of the other comes to it: nothing is allocated here. */

import {
  compose,
  normalizeQuaternion,
  rotateVector,
  rotateVectorInverse,
  rotationBetween,
  rotate,
} from '@tautline/core/kernel'
import { checkPoseData, type PoseData } from './pose-data.js'

/** What becomes of a bone; from 0 on it begins the chain of that number. */
export const FOLLOWS = -1
export const CARRIED = -2
export const IN_CHAIN = -3

/** One skeleton of a mapper: rows of arrays are bones, in its own order. */
export interface MapperSide {
  readonly names: readonly string[]
  readonly parent: Int32Array
  /** Rows, parents before children. */
  readonly order: Int32Array
  /** What local positions of a pose are multiplied by, and the first three numbers of local rotations. */
  readonly unit: Float64Array
  readonly mirror: Float64Array
  readonly rest: PoseData
  /** Row of the other skeleton's bone that each is mapped on, or −1. */
  readonly partner: Int32Array
  /** Where each mapped bone is seen from its partner, at rest; lengths are the other skeleton's. */
  readonly offset: PoseData
  /** Lengths here by those of the other skeleton. */
  readonly scale: number
  /** 1 where a bone keeps the length of the pose that leads. */
  readonly locked: Uint8Array
  readonly task: Int32Array
  /** Chain c has the bones `chainBones[chainStart[c] … chainStart[c + 1]]`, the mapped one at its end last. */
  readonly chainStart: Int32Array
  readonly chainBones: Int32Array
  /** How much of the end's twist and bend each bone of a chain takes. */
  readonly twist: Float64Array
  readonly bend: Float64Array
  /** Room for places in the skeleton's space. */
  readonly world: PoseData
}

/** Two skeletons, mapped: made by `createPoseMapper`. It is data with room for work; a `structuredClone` of it maps alike. */
export interface PoseMapper {
  readonly low: MapperSide
  readonly high: MapperSide
}

const IDENTITY = /* @__PURE__ */ Float64Array.of(0, 0, 0, 1)
/** Least length by that of the way, and least 1 + cos, at which a direction is told from rounding. */
const NO_DIRECTION = 1e-9

const q = /* @__PURE__ */ new Float64Array(4)
const r = /* @__PURE__ */ new Float64Array(4)
const v = /* @__PURE__ */ new Float64Array(3)
const target = /* @__PURE__ */ new Float64Array(4)
const goal = /* @__PURE__ */ new Float64Array(3)

/** Writes to `out` the pose of `to` in which its mapped bones are where those of `from` have them in `pose`. */
export function moveToSide(
  where: string,
  from: MapperSide,
  to: MapperSide,
  out: PoseData,
  pose: PoseData,
  lead: PoseData,
): void {
  checkPoseData(`${where}: pose`, pose, from.names.length)
  checkPoseData(`${where}: out`, out, to.names.length)
  checkPoseData(`${where}: lead`, lead, to.names.length)
  placeBones(from, pose)
  const { order, task, locked } = to
  for (let n = 0; n < order.length; n++) {
    const i = order[n]
    if (task[i] === FOLLOWS) {
      follow(from, to, i)
      keepPosition(lead, i, out)
      if (locked[i] === 0) writePosition(to, i, out)
      else placePosition(to, lead, i, 1)
      writeRotation(to, i, out)
    } else if (task[i] === CARRIED) {
      keepPosition(lead, i, out)
      for (let k = 4 * i; k < 4 * i + 4; k++) out.rotations[k] = lead.rotations[k]
      placeBone(to, lead, i)
    } else if (task[i] >= 0) bendChain(from, to, task[i], lead, out)
  }
}

/** Places of all bones of a pose in the skeleton's space. */
export function placeBones(side: MapperSide, pose: PoseData): void {
  const { order } = side
  for (let n = 0; n < order.length; n++) placeBone(side, pose, order[n])
}

function placeBone(side: MapperSide, pose: PoseData, i: number): void {
  const { parent, mirror, world } = side
  placePosition(side, pose, i, 1)
  const p = parent[i]
  for (let k = 0; k < 3; k++) q[k] = mirror[3 * i + k] * pose.rotations[4 * i + k]
  q[3] = pose.rotations[4 * i + 3]
  if (p < 0) compose(IDENTITY, 0, q, 0, world.rotations, 4 * i)
  else compose(world.rotations, 4 * p, q, 0, world.rotations, 4 * i)
  normalizeQuaternion(world.rotations, 4 * i)
}

/** Where a bone's position in its parent, `stretch` times as far, is in the skeleton's space. */
function placePosition({ parent, unit, world }: MapperSide, pose: PoseData, i: number, stretch: number): void {
  const x = world.positions
  const p = parent[i]
  const o = 3 * i
  const lx = stretch * unit[o] * pose.positions[o]
  const ly = stretch * unit[o + 1] * pose.positions[o + 1]
  const lz = stretch * unit[o + 2] * pose.positions[o + 2]
  if (p < 0) {
    x[o] = lx
    x[o + 1] = ly
    x[o + 2] = lz
    return
  }
  rotateVector(world.rotations, 4 * p, lx, ly, lz, v, 0)
  for (let k = 0; k < 3; k++) x[o + k] = x[3 * p + k] + v[k]
}

/** Puts a mapped bone where its partner has it. */
function follow(from: MapperSide, to: MapperSide, i: number): void {
  const { offset, scale, world } = to
  const p = to.partner[i]
  const x = from.world.positions
  rotateVector(
    from.world.rotations,
    4 * p,
    offset.positions[3 * i],
    offset.positions[3 * i + 1],
    offset.positions[3 * i + 2],
    v,
    0,
  )
  for (let k = 0; k < 3; k++) world.positions[3 * i + k] = scale * (x[3 * p + k] + v[k])
  compose(from.world.rotations, 4 * p, offset.rotations, 4 * i, world.rotations, 4 * i)
  normalizeQuaternion(world.rotations, 4 * i)
}

/** Bends, turns and stretches a chain so that it goes from its start to where its end is mapped. */
function bendChain(from: MapperSide, to: MapperSide, c: number, lead: PoseData, out: PoseData): void {
  const { chainStart, chainBones, twist, bend, world, locked } = to
  const begin = chainStart[c]
  const end = chainStart[c + 1] - 1
  const first = chainBones[begin]
  const last = chainBones[end]
  const { positions: x, rotations: R } = world
  follow(from, to, last)
  for (let k = 0; k < 3; k++) goal[k] = x[3 * last + k]
  for (let k = 0; k < 4; k++) target[k] = R[4 * last + k]
  let stretches = true
  for (let n = begin; n <= end; n++) {
    placeBone(to, lead, chainBones[n])
    if (n > begin && locked[chainBones[n]] !== 0) stretches = false
  }

  // What the end turns beyond the chain: along the chord it is twist.
  rotationBetween(target, 0, R, 4 * last, v, 0)
  const dx = x[3 * last] - x[3 * first]
  const dy = x[3 * last + 1] - x[3 * first + 1]
  const dz = x[3 * last + 2] - x[3 * first + 2]
  const dd = dx * dx + dy * dy + dz * dz
  const along = dd > 0 ? (v[0] * dx + v[1] * dy + v[2] * dz) / dd : 0
  const tx = along * dx
  const ty = along * dy
  const tz = along * dz
  const bx = v[0] - tx
  const by = v[1] - ty
  const bz = v[2] - tz
  for (let n = begin; n < end; n++) {
    const i = chainBones[n]
    const t = twist[n]
    const b = bend[n]
    if (n > begin) placePosition(to, lead, i, 1)
    rotate(R, 4 * i, t * tx + b * bx, t * ty + b * by, t * tz + b * bz)
  }
  placePosition(to, lead, last, 1)

  const stretch = swingTo(x, first, last)
  const isFar = stretch > 0
  keepPosition(lead, first, out)
  for (let n = begin; n < end; n++) {
    const i = chainBones[n]
    if (isFar) {
      compose(r, 0, R, 4 * i, q, 0)
      for (let k = 0; k < 4; k++) R[4 * i + k] = q[k]
    }
    normalizeQuaternion(R, 4 * i)
    if (n > begin) {
      const far = stretches && isFar ? stretch : 1
      placePosition(to, lead, i, far)
      for (let k = 3 * i; k < 3 * i + 3; k++) out.positions[k] = far * lead.positions[k]
    }
    writeRotation(to, i, out)
  }
}

/** Turns r from the way first → last to first → goal; returns their lengths' ratio, 0 where one has no direction or they are opposed. */
function swingTo(x: Float64Array, first: number, last: number): number {
  const o = 3 * first
  const l = 3 * last
  const ex = x[l] - x[o]
  const ey = x[l + 1] - x[o + 1]
  const ez = x[l + 2] - x[o + 2]
  const tx = goal[0] - x[o]
  const ty = goal[1] - x[o + 1]
  const tz = goal[2] - x[o + 2]
  const ee = ex * ex + ey * ey + ez * ez
  const tt = tx * tx + ty * ty + tz * tz
  const et = Math.sqrt(ee * tt)
  const w = et + (ex * tx + ey * ty + ez * tz)
  if (!(w > NO_DIRECTION * et) || ee < NO_DIRECTION * tt || tt < NO_DIRECTION * ee) return 0
  r[0] = ey * tz - ez * ty
  r[1] = ez * tx - ex * tz
  r[2] = ex * ty - ey * tx
  r[3] = w
  normalizeQuaternion(r, 0)
  return Math.sqrt(tt / ee)
}

function keepPosition(lead: PoseData, i: number, out: PoseData): void {
  for (let k = 3 * i; k < 3 * i + 3; k++) out.positions[k] = lead.positions[k]
}

/** A bone's place in its parent, from their places in the skeleton's space. */
function writePosition({ parent, unit, world }: MapperSide, i: number, out: PoseData): void {
  const x = world.positions
  const p = parent[i]
  for (let k = 0; k < 3; k++) v[k] = p < 0 ? x[3 * i + k] : x[3 * i + k] - x[3 * p + k]
  if (p >= 0) rotateVectorInverse(world.rotations, 4 * p, v[0], v[1], v[2], v, 0)
  for (let k = 0; k < 3; k++) out.positions[3 * i + k] = v[k] / unit[3 * i + k]
}

/** A bone's rotation in its parent, of the same sign as it has in the skeleton's space. */
function writeRotation({ parent, mirror, world }: MapperSide, i: number, out: PoseData): void {
  const R = world.rotations
  const p = parent[i]
  for (let k = 0; k < 4; k++) q[k] = R[4 * i + k]
  if (p >= 0) {
    for (let k = 0; k < 3; k++) target[k] = -R[4 * p + k]
    target[3] = R[4 * p + 3]
    compose(target, 0, R, 4 * i, q, 0)
    normalizeQuaternion(q, 0)
  }
  for (let k = 0; k < 3; k++) out.rotations[4 * i + k] = mirror[3 * i + k] * q[k]
  out.rotations[4 * i + 3] = q[3]
}
