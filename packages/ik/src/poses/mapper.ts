/**
 * Poses of one skeleton on another, of more bones or of fewer.
 *
 *   X_to = X_from K,   K = X̄_from,rest X_to,rest        a mapped bone, in the skeletons' spaces
 *
 * Unmapped bones between two mapped ones are a chain with both its ends given. What the lower end has turned beyond the chain is spread over it as over
 * an elastic rod that is clamped at both ends: twist in shares by length, bending by y' = 3 s² − 2 s, which leaves the end of a straight rod where it is, to
 * first order. The rest of the way is closed by turning the chain about its start, and stretching it.
 */

import {
  array,
  compose,
  finite,
  finiteVector,
  flag,
  knownFields,
  object,
  positive,
  rotateVectorInverse,
  shown,
} from '@tautline/core/kernel'
import { humanoidRoles, type Roles } from '../rigs/roles.js'
import { checkMapper, trustMapper } from './mapper-check.js'
import { CARRIED, FOLLOWS, IN_CHAIN, type MapperSide, moveToSide, placeBones, type PoseMapper } from './mapper-side.js'
import { boneRow, type BoneTree, checkTree, type PoseData } from './pose-data.js'

/** A skeleton and how it rests: a `Rig`, or the `skeleton` of a ragdoll's asset, whose bones may be scaled and mirrored. */
export type MapperSkeleton =
  | (BoneTree & { readonly restPosition: ArrayLike<number>; readonly restRotation: ArrayLike<number> })
  | (BoneTree & {
      /** Places at rest, in the parents' rigid spaces [m]. */
      readonly positions: ArrayLike<number>
      readonly rotations: ArrayLike<number>
      /** What local positions of a pose are multiplied by, three numbers a bone. @defaultValue 1 */
      readonly unit?: ArrayLike<number>
      /** The same of the first three numbers of local rotations. @defaultValue 1 */
      readonly mirror?: ArrayLike<number>
    })

/** Options of {@link createPoseMapper}. */
export interface PoseMapperOptions {
  /**
   * Which bone of the high skeleton each bone of the low one is; or a list, where both have the same names.
   * @defaultValue bones of the same name; where there are none, of the same role in a humanoid
   */
  bones?: Readonly<Record<string, string>> | readonly string[]
  /**
   * Bones that keep the lengths of the pose that leads: all below the topmost mapped ones, or some of the high skeleton and their partners.
   * @defaultValue false
   */
  lockTranslations?: boolean | readonly string[]
  /**
   * How much of what a chain's end has turned is spread over the chain, 0 … 1.
   * @defaultValue 1; 0 of chains that lead to one of a pair of limbs, such as collar bones
   */
  spread?: number
  /** Lengths of the high skeleton's space by those of the low one's. @defaultValue 1 */
  scale?: number
}

const OPTIONS: readonly (keyof PoseMapperOptions)[] = ['bones', 'lockTranslations', 'spread', 'scale']

/**
 * Maps poses of two skeletons on each other, such as a ragdoll's of 11 bones and a skin's of 67. Throws `TypeError`/`RangeError` where a bone is not there, is mapped
 * twice, or none is mapped.
 */
export function createPoseMapper(
  low: MapperSkeleton,
  high: MapperSkeleton,
  options: PoseMapperOptions = {},
): PoseMapper {
  const {
    bones,
    lockTranslations = false,
    spread,
    scale = 1,
  } = knownFields('createPoseMapper: options', options, OPTIONS) as PoseMapperOptions
  if (spread !== undefined && (finite('createPoseMapper: spread', spread) < 0 || spread > 1)) {
    throw new RangeError(`createPoseMapper: spread must be within [0, 1], got ${spread}`)
  }
  positive('createPoseMapper: scale', scale)
  const sides = {
    low: sideOf('createPoseMapper: low', low, 1 / scale),
    high: sideOf('createPoseMapper: high', high, scale),
  }
  for (const [l, h] of pairsOf(low, high, bones)) {
    pair(sides.low, l, h)
    pair(sides.high, h, l)
  }
  lock(sides, lockTranslations)
  placeBones(sides.low, sides.low.rest)
  placeBones(sides.high, sides.high.rest)
  relate(sides.low, sides.high)
  relate(sides.high, sides.low)
  return trustMapper({ low: withChains(sides.low, spread), high: withChains(sides.high, spread) })
}

/**
 * Writes the pose of the high skeleton that a pose of the low one makes to `out`, and returns it. Bones that are not mapped keep the places in their parents that they
 * have in `lead`, an animation's pose, which `out` may be. Throws `TypeError`/`RangeError` for poses of other skeletons.
 */
export function mapToHigh<P extends PoseData>(mapper: PoseMapper, out: P, pose: PoseData, lead?: PoseData): P {
  checkMapper('mapToHigh', mapper)
  moveToSide('mapToHigh', mapper.low, mapper.high, out, pose, lead === undefined ? mapper.high.rest : lead)
  return out
}

/** The way back of {@link mapToHigh}: writes the pose of the low skeleton that a pose of the high one makes to `out`. */
export function mapToLow<P extends PoseData>(mapper: PoseMapper, out: P, pose: PoseData, lead?: PoseData): P {
  checkMapper('mapToLow', mapper)
  moveToSide('mapToLow', mapper.high, mapper.low, out, pose, lead === undefined ? mapper.low.rest : lead)
  return out
}

/** Rows of bones that are each other's. */
function pairsOf(low: BoneTree, high: BoneTree, bones: PoseMapperOptions['bones']): [number, number][] {
  const where = 'createPoseMapper: bones'
  if (bones === undefined) {
    const named = low.names.flatMap((name, l): [number, number][] => {
      const h = high.names.indexOf(name)
      return h < 0 ? [] : [[l, h]]
    })
    const found = named.length > 0 ? named : pairsByRole(low, high)
    if (found.length === 0) throw new RangeError(`${where} must be given: no names and no roles are the same`)
    return found
  }
  const list = Array.isArray(bones)
    ? (array(where, bones) as string[]).map((name) => [name, name] as const)
    : Object.entries(object(where, bones) as Record<string, string>)
  if (list.length === 0) throw new RangeError(`${where} must map at least one bone, got none`)
  return list.map(([l, h]) => [boneRow(where, low, l), boneRow(where, high, h)])
}

function pairsByRole(low: BoneTree, high: BoneTree): [number, number][] {
  const [a, b] = [rolesOf(low), rolesOf(high)]
  return (Object.keys(a) as (keyof Roles)[]).flatMap((role): [number, number][] => {
    const [l, h] = [a[role], b[role]]
    return l === undefined || h === undefined ? [] : [[low.names.indexOf(l), high.names.indexOf(h)]]
  })
}

/** Roles of a skeleton's bones; none where no name is known. */
function rolesOf({ names }: BoneTree): Roles {
  try {
    return humanoidRoles(names)
  } catch (error) {
    if (error instanceof RangeError) return {}
    throw error
  }
}

function pair(side: MapperSide, row: number, partner: number): void {
  if (side.partner[row] >= 0) {
    throw new RangeError(`createPoseMapper: bones must map each bone once, got ${shown(side.names[row])} twice`)
  }
  side.partner[row] = partner
}

function lock({ low, high }: PoseMapper, locks: boolean | readonly string[]): void {
  const where = 'createPoseMapper: lockTranslations'
  if (Array.isArray(locks)) {
    for (const name of array(where, locks) as string[]) {
      const h = boneRow(where, high, name)
      high.locked[h] = 1
      if (high.partner[h] >= 0) low.locked[high.partner[h]] = 1
    }
  } else if (flag(where, locks as boolean)) {
    low.locked.fill(1)
    high.locked.fill(1)
  }
}

/** One skeleton, its rest as a pose of it; nothing is mapped yet. */
function sideOf(where: string, source: MapperSkeleton, scale: number): MapperSide {
  const { names, parent } = checkTree(where, source)
  const count = names.length
  const given = source as unknown as Readonly<Record<string, unknown>>
  const isRig = given.restPosition !== undefined
  if (!isRig && given.positions === undefined) {
    throw new TypeError(`${where} must have restPosition or positions, an array of numbers, got none`)
  }
  const read = (name: string, size: number, missing?: number): Float64Array => {
    if (isRig && missing !== undefined) return new Float64Array(size * count).fill(missing)
    if (given[name] === undefined && missing !== undefined) return new Float64Array(size * count).fill(missing)
    return Float64Array.from(finiteVector(`${where}: ${name}`, given[name], size * count))
  }
  const [unit, mirror] = [read('unit', 3, 1), read('mirror', 3, 1)]
  const positions = read(isRig ? 'restPosition' : 'positions', 3)
  const rotations = read(isRig ? 'restRotation' : 'rotations', 4)
  return {
    names: [...names],
    parent: Int32Array.from(parent),
    order: parentsFirst(where, parent),
    unit,
    mirror,
    rest: {
      positions: positions.map((value, k) => value / unit[k]),
      rotations: rotations.map((value, k) => (k % 4 === 3 ? value : value * mirror[3 * (k >> 2) + (k % 4)])),
    },
    partner: new Int32Array(count).fill(-1),
    offset: room(count),
    scale,
    locked: new Uint8Array(count),
    task: new Int32Array(count).fill(CARRIED),
    chainStart: new Int32Array(1),
    chainBones: new Int32Array(0),
    twist: new Float64Array(0),
    bend: new Float64Array(0),
    world: room(count),
  }
}

function room(count: number): PoseData {
  return { positions: new Float64Array(3 * count), rotations: new Float64Array(4 * count) }
}

/** Rows of bones, parents before children. */
function parentsFirst(where: string, parent: ArrayLike<number>): Int32Array {
  const depth = Array.from(parent, (_, i) => {
    let d = 0
    for (let p = parent[i]; p >= 0; p = parent[p]) {
      if (++d > parent.length) throw new RangeError(`${where}: parent must have no cycles, got one above bone ${i}`)
    }
    return d
  })
  return Int32Array.from([...depth.keys()].sort((a, b) => depth[a] - depth[b] || a - b))
}

/** Notes where mapped bones are at rest, seen from their partners. */
function relate(to: MapperSide, from: MapperSide): void {
  const [x, R] = [from.world.positions, from.world.rotations]
  to.partner.forEach((p, i) => {
    if (p < 0) return
    const apart = [0, 1, 2].map((k) => to.world.positions[3 * i + k] / to.scale - x[3 * p + k])
    rotateVectorInverse(R, 4 * p, apart[0], apart[1], apart[2], to.offset.positions, 3 * i)
    const inverse = Float64Array.of(-R[4 * p], -R[4 * p + 1], -R[4 * p + 2], R[4 * p + 3])
    compose(inverse, 0, to.world.rotations, 4 * i, to.offset.rotations, 4 * i)
  })
}

/** Finds the chains of unmapped bones between mapped ones, and what each bone of them takes of the end's turn. */
function withChains(side: MapperSide, given: number | undefined): MapperSide {
  const { parent, partner, task, locked, order } = side
  const { branches, mapped } = branchesOf(side)
  const [starts, bones, twist, bend]: number[][] = [[0], [], [], []]
  for (const end of order) {
    if (partner[end] < 0) continue
    task[end] = FOLLOWS
    let top = parent[end]
    while (top >= 0 && partner[top] < 0) top = parent[top]
    if (top < 0) locked[end] = 0
    const chain: number[] = []
    for (let i = parent[end]; top >= 0 && partner[i] < 0 && branches[i] === 1; i = parent[i]) chain.unshift(i)
    if (chain.length === 0) continue
    const spread = given ?? (isPaired(side, mapped, chain[0]) ? 0 : 1)
    for (const i of chain) task[i] = IN_CHAIN
    task[chain[0]] = starts.length - 1
    const shares = sharesOf(side, [...chain, end], spread)
    bones.push(...chain, end)
    twist.push(...shares.twist, spread)
    bend.push(...shares.bend, spread)
    starts.push(bones.length)
  }
  return {
    ...side,
    chainStart: Int32Array.from(starts),
    chainBones: Int32Array.from(bones),
    twist: Float64Array.from(twist),
    bend: Float64Array.from(bend),
  }
}

/**
 * Branches below each bone in which something is mapped: where there are several, the bone rides with what is above. And how many bones are mapped
 * from each on.
 */
function branchesOf({ parent, partner, order, names }: MapperSide): { branches: Int32Array; mapped: Int32Array } {
  const branches = new Int32Array(names.length)
  const mapped = new Int32Array(names.length)
  for (let n = order.length - 1; n >= 0; n--) {
    const i = order[n]
    if (partner[i] >= 0) mapped[i]++
    if (parent[i] < 0 || mapped[i] === 0) continue
    branches[parent[i]]++
    mapped[parent[i]] += mapped[i]
  }
  return { branches, mapped }
}

/** Lengths of a pair differ by less than this share of the longer one. */
const ALIKE = 0.2

/**
 * Whether a branch has a like beside it, with as many mapped bones as far away. What a limb of a pair turns is of its own joint, a shoulder or hip; what
 * a neck or a back turns is of the whole chain.
 */
function isPaired(side: MapperSide, mapped: Int32Array, branch: number): boolean {
  const { parent } = side
  const length = farthestMapped(side, branch)
  return parent.some((p, other) => {
    if (other === branch || p !== parent[branch] || mapped[other] !== mapped[branch]) return false
    const apart = Math.abs(farthestMapped(side, other) - length)
    return apart <= ALIKE * Math.max(farthestMapped(side, other), length)
  })
}

/** Distance at rest from where a branch hangs to the farthest mapped bone of it [m]. */
function farthestMapped({ parent, partner, world }: MapperSide, branch: number): number {
  const from = 3 * parent[branch]
  let most = 0
  partner.forEach((p, i) => {
    let up = i
    while (up >= 0 && up !== branch) up = parent[up]
    if (p < 0 || up < 0) return
    const [x, y, z] = [0, 1, 2].map((k) => world.positions[3 * i + k] - world.positions[from + k])
    most = Math.max(most, Math.sqrt(x * x + y * y + z * z))
  })
  return most
}

/** Means over each bone of s, and of 3 s² − 2 s, where s is the share of the chain's length at rest. */
function sharesOf(
  { world }: MapperSide,
  chain: readonly number[],
  spread: number,
): { twist: number[]; bend: number[] } {
  const lengths = chain.slice(1).map((to, n) => {
    const [x, y, z] = [0, 1, 2].map((k) => world.positions[3 * to + k] - world.positions[3 * chain[n] + k])
    return Math.sqrt(x * x + y * y + z * z)
  })
  const whole = lengths.reduce((sum, length) => sum + length, 0)
  const [twist, bend]: number[][] = [[], []]
  let s = 0
  for (const length of lengths) {
    const next = s + (whole > 0 ? length / whole : 1 / lengths.length)
    twist.push((spread * (s + next)) / 2)
    // [s³ − s²] between the two, by their distance.
    bend.push(spread * (next * next + next * s + s * s - next - s))
    s = next
  }
  return { twist, bend }
}
