/**
 * BVH, the text format of motion capture: a skeleton, then a row of numbers a frame.
 *
 * A joint's frame stands at OFFSET from its parent's, unturned, and its rotation is the product of its channels in the order
 * they are named: `CHANNELS 3 Zrotation Yrotation Xrotation` is Rz Ry Rx. Angles are in degrees, lengths in units that the
 * file does not tell.
 *
 * M. Meredith and S. Maddock 2001, "Motion Capture File Formats Explained". They add a joint's position channels to its
 * OFFSET; programs in use write the whole position there (the root's OFFSET is then either zero or repeated), which is what
 * `positions` chooses.
 */

import {
  array,
  atan2,
  finite,
  finiteVector,
  integer,
  knownFields,
  object,
  oneOf,
  positive,
  shown,
} from '@tautline/core/kernel'
import type { JointDef } from '../joints.js'
import type { BoneDef } from '../rig.js'
import { DEGREE, type LocalPose, type NamedPoint, NO_TURN, type Quat, type Vec3, aboutAxis } from './transform.js'
import { freshName, inverse, scaled, times, rotated } from './transform.js'

export type { LocalPose, NamedPoint } from './transform.js'

/** Options of {@link parseBvh}. */
export interface BvhOptions {
  /** Metres a unit of the file: 0.01 for centimetres. @defaultValue 1 */
  scale?: number
  /** What position channels hold: the whole position, or what comes on top of OFFSET. @defaultValue 'whole' */
  positions?: 'whole' | 'fromOffset'
}

/** A read file. */
export interface Bvh {
  /** For `Rig.from`. Joints of three rotations are balls, of fewer hinges, universal joints or locked. */
  readonly bones: BoneDef[]
  /** End Sites, named after their joint with ` end` behind. */
  readonly ends: NamedPoint[]
  /** Frames of the motion. */
  readonly frameCount: number
  /** Time between frames [s]. */
  readonly frameTime: number
  /** Numbers a frame. */
  readonly width: number
  /** Frame after frame, as written: degrees and the file's units. */
  readonly motion: Float64Array
  /** What is wrong with the file but can be read, by line. Empty for most. */
  readonly warnings: readonly string[]
  /**
   * Writes a frame's rotation and position of every bone. Throws `RangeError` where there is no such frame or the pose has
   * another number of bones.
   */
  pose(frame: number, out: LocalPose): void
}

/** Channels: 0, 1, 2 positions along x, y, z; 3, 4, 5 rotations about them. */
const CHANNELS = ['xposition', 'yposition', 'zposition', 'xrotation', 'yrotation', 'zrotation']
const AXES: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** Of a joint whose channels are not named yet. */
const NONE = -1

interface Joint {
  name: string
  parent: number
  offset: Vec3 | undefined
  channels: number[]
  /** Column of its first channel; `NONE` until they are named. */
  first: number
  end: Vec3 | undefined
  hasChildren: boolean
}

/** Reads a BVH file's text. Throws `RangeError` that names the line, `TypeError` for what is no text. */
export function parseBvh(text: string, options: BvhOptions = {}): Bvh {
  if (typeof text !== 'string') throw new TypeError(`parseBvh: text must be a string, got ${shown(text)}`)
  knownFields('parseBvh: options', object('parseBvh: options', options), ['scale', 'positions'])
  const scale = positive('parseBvh: scale', options.scale ?? 1)
  const mode = oneOf('parseBvh: positions', options.positions ?? 'whole', ['whole', 'fromOffset'])
  const lines = new Lines(text)
  const joints = readHierarchy(lines)
  const width = joints.reduce((columns, { channels }) => columns + channels.length, 0)
  const { frameCount, frameTime, motion, warnings } = readMotion(lines, width)
  const ends: NamedPoint[] = []
  for (const { name, end } of joints) {
    if (end !== undefined)
      ends.push({ name: `${name} end`, bone: name, position: scaled(end, scale), rotation: [...NO_TURN] })
  }
  return {
    bones: joints.map((joint) => boneOf(joint, scale)),
    ends,
    frameCount,
    frameTime,
    width,
    motion,
    warnings,
    pose(frame, out) {
      if (!Number.isInteger(frame) || frame < 0 || frame >= frameCount) {
        throw new RangeError(`Bvh.pose: frame must be an integer in [0, ${frameCount}), got ${frame}`)
      }
      checkPose('Bvh.pose', out, joints.length)
      joints.forEach((joint, i) => poseJoint(joint, i, motion, frame * width, scale, mode === 'whole', out))
    },
  }
}

function boneOf({ name, parent, offset, channels, end, hasChildren }: Joint, scale: number): BoneDef {
  const bone: BoneDef = { name, parent: parent < 0 ? null : parent, position: scaled(offset!, scale) }
  if (end !== undefined && !hasChildren) bone.tip = scaled(end, scale)
  const axes = channels.filter((channel) => channel >= 3).map((channel) => AXES[channel - 3])
  // Three rotations are a ball, which a bone has anyway; fewer are what the file says of the joint.
  const joint: JointDef | undefined =
    axes.length === 0
      ? { kind: 'locked' }
      : axes.length === 1
        ? { kind: 'hinge', axis: axes[0] }
        : axes.length === 2
          ? { kind: 'universal', axisA: axes[0], axisB: axes[1] }
          : undefined
  if (joint !== undefined) bone.joint = joint
  return bone
}

function poseJoint(
  { offset, channels, first }: Joint,
  i: number,
  motion: Float64Array,
  row: number,
  scale: number,
  isWhole: boolean,
  out: LocalPose,
): void {
  const position: Vec3 = [...offset!]
  let rotation: Quat = [...NO_TURN]
  channels.forEach((channel, k) => {
    const value = motion[row + first + k]
    if (channel >= 3) rotation = times(rotation, aboutAxis(AXES[channel - 3], value * DEGREE))
    else position[channel] = isWhole ? value : position[channel] + value
  })
  out.positions.set(scaled(position, scale), 3 * i)
  out.rotations.set(rotation, 4 * i)
}

/** Lines that are not blank, as words. */
class Lines {
  number = 0
  private readonly lines: string[]

  constructor(text: string) {
    this.lines = text.split(/\r\n|\r|\n/)
  }

  /** The next line's words; none at the end of the file. */
  next(): string[] {
    while (this.number < this.lines.length) {
      const line = this.lines[this.number++].trim()
      if (line !== '') return line.split(/\s+/)
    }
    return []
  }

  fail(must: string, got: string | readonly string[]): never {
    const words = typeof got === 'string' ? got : got.length === 0 ? 'the end of the file' : `"${got.join(' ')}"`
    throw new RangeError(`parseBvh: line ${this.number}: ${must}, got ${words}`)
  }

  /** Numbers after `skip` words. */
  values(words: readonly string[], skip: number, count: number, what: string): number[] {
    const values = words.slice(skip).map(Number)
    if (values.length !== count || !values.every(Number.isFinite))
      this.fail(`${what} must be ${count} finite numbers`, words)
    return values
  }
}

function readHierarchy(lines: Lines): Joint[] {
  const first = lines.next()
  if (first[0]?.toUpperCase() !== 'HIERARCHY') lines.fail('the file must begin with HIERARCHY', first)
  const joints: Joint[] = []
  const names = new Map<string, number>()
  // Rows of the open joints; −1 is an open End Site.
  const open: number[] = []
  let width = 0
  for (;;) {
    const words = lines.next()
    const current = open.length > 0 ? joints[open[open.length - 1]] : undefined
    const isEnd = open[open.length - 1] === -1
    const keyword = words[0]?.toUpperCase()
    if (keyword === 'MOTION' && open.length === 0 && joints.length > 0) return joints
    if (keyword === 'ROOT' || keyword === 'JOINT') {
      if ((keyword === 'ROOT') !== (open.length === 0) || isEnd) lines.fail(`${keyword} must not stand here`, words)
      const parent = open.length > 0 ? open[open.length - 1] : -1
      if (parent >= 0) joints[parent].hasChildren = true
      // Files of hands and props repeat names.
      const name = freshName(words.slice(1).join(' ') || 'joint', names)
      open.push(joints.length)
      joints.push({ name, parent, offset: undefined, channels: [], first: NONE, end: undefined, hasChildren: false })
      openBrace(lines)
    } else if (keyword === 'END' && current !== undefined) {
      open.push(-1)
      openBrace(lines)
    } else if (keyword === 'OFFSET' && isEnd) {
      joints[open[open.length - 2]].end = lines.values(words, 1, 3, 'OFFSET') as Vec3
    } else if (keyword === 'OFFSET' && current !== undefined) {
      if (current.offset !== undefined) lines.fail(`joint "${current.name}" must have one OFFSET`, words)
      current.offset = lines.values(words, 1, 3, 'OFFSET') as Vec3
    } else if (keyword === 'CHANNELS' && current !== undefined) {
      if (current.first !== NONE) lines.fail(`joint "${current.name}" must have one list of CHANNELS`, words)
      // Columns are counted in the order of the file, and a joint's children come after its own.
      current.first = width
      current.channels = readChannels(lines, words)
      width += current.channels.length
    } else if (keyword === '}' && open.length > 0) {
      if (current !== undefined && current.offset === undefined)
        lines.fail(`joint "${current.name}" must have an OFFSET`, words)
      open.pop()
    } else {
      lines.fail('ROOT, JOINT, End Site, OFFSET, CHANNELS, } or MOTION must stand here', words)
    }
  }
}

function openBrace(lines: Lines): void {
  const words = lines.next()
  if (words[0] !== '{') lines.fail('{ must follow', words)
}

function readChannels(lines: Lines, words: readonly string[]): number[] {
  const channels = words.slice(2).map((word) => CHANNELS.indexOf(word.toLowerCase()))
  if (channels.includes(-1) || Number(words[1]) !== channels.length || new Set(channels).size !== channels.length) {
    lines.fail('CHANNELS must be a count and as many of Xposition … Zrotation, each once', words)
  }
  return channels
}

interface Motion {
  frameCount: number
  frameTime: number
  motion: Float64Array
  warnings: string[]
}

/** Frames that the header may be off by: programs that write files count the first one or the last one wrong. */
const MISCOUNT = 1

function readMotion(lines: Lines, width: number): Motion {
  const count = lines.next()
  if (count[0]?.toLowerCase() !== 'frames:') lines.fail('"Frames:" must follow MOTION', count)
  const [announced] = lines.values(count, 1, 1, 'Frames')
  if (!Number.isSafeInteger(announced) || announced < 0) lines.fail('Frames must be a count', count)
  const time = lines.next()
  if (time[0]?.toLowerCase() !== 'frame' || time[1]?.toLowerCase() !== 'time:')
    lines.fail('"Frame Time:" must follow', time)
  const [frameTime] = lines.values(time, 2, 1, 'Frame Time')
  if (!(frameTime > 0)) lines.fail('Frame Time must be > 0', time)
  // The text says how many there are, and the header what there should be: nothing is made for those that are not there.
  const numbers: number[] = []
  let frameCount = 0
  for (let words = lines.next(); words.length > 0; words = lines.next()) {
    if (++frameCount > announced + MISCOUNT) lines.fail(`the file must end after ${announced} frames`, 'another line')
    if (words.length !== width) lines.fail(`a frame must have ${width} numbers`, `${words.length}`)
    for (const word of words) {
      const value = Number(word)
      if (!Number.isFinite(value)) lines.fail('a frame must have finite numbers', `"${word}"`)
      numbers.push(value)
    }
  }
  if (frameCount < announced - MISCOUNT) lines.fail(`there must be ${announced} frames`, `${frameCount}`)
  const warnings: string[] = []
  if (frameCount !== announced)
    warnings.push(`Frames says ${announced}, and there are ${frameCount}: all that are there were read`)
  return { frameCount, frameTime, motion: Float64Array.from(numbers), warnings }
}

function checkPose(where: string, pose: LocalPose, count: number): void {
  if (pose.positions.length !== 3 * count || pose.rotations.length !== 4 * count) {
    throw new RangeError(`${where}: the pose must have ${count} bones, got ${pose.rotations.length / 4}`)
  }
}

/** A pose with numbers for as many bones; they may be any. */
function checkFrame(where: string, frame: unknown, count: number): void {
  const { positions, rotations } = object(where, frame)
  numbers(`${where}: positions`, positions, 3 * count)
  numbers(`${where}: rotations`, rotations, 4 * count)
}

function numbers(where: string, list: unknown, count: number): void {
  if (!ArrayBuffer.isView(list)) throw new TypeError(`${where} must be a Float64Array, got ${shown(list)}`)
  const { length } = list as Float64Array
  if (length !== count) throw new RangeError(`${where} must be ${count} numbers, got ${length}`)
}

/** Names of bones, parents before children, and as many places. */
function checkSkeleton(where: string, rig: BvhSkeleton): void {
  const { names, parent, restPosition, restRotation, tip } = object(where, rig) as unknown as BvhSkeleton
  array(`${where}: names`, names).forEach((name, k) => {
    if (typeof name !== 'string') throw new TypeError(`${where}: names[${k}] must be a text, got ${shown(name)}`)
  })
  finiteVector(`${where}: parent`, parent, names.length)
  for (let i = 0; i < names.length; i++) integer(`${where}: parent[${i}]`, parent[i], -1, i - 1)
  numbers(`${where}: restPosition`, restPosition, 3 * names.length)
  numbers(`${where}: restRotation`, restRotation, 4 * names.length)
  numbers(`${where}: tip`, tip, 3 * names.length)
}

/** Options of {@link writeBvh}. */
export interface WriteBvhOptions {
  /** Time between frames [s]. @defaultValue 1/60 */
  frameTime?: number
  /** Metres a unit of the file. @defaultValue 1 */
  scale?: number
}

/** What is written of a skeleton: a `Rig` has it. */
export interface BvhSkeleton {
  /** By row. */
  readonly names: readonly string[]
  /** Rows, before their children's; −1 for a root. */
  readonly parent: ArrayLike<number>
  /** In the parents' spaces, three numbers a bone [m]. */
  readonly restPosition: Float64Array
  /** In the parents' spaces, [x, y, z, w] a bone. */
  readonly restRotation: Float64Array
  /** Far ends in the bones' spaces, three numbers a bone [m]. */
  readonly tip: Float64Array
}

/**
 * Writes frames as a BVH file, channels Z, Y, X.
 *
 * A BVH joint is unturned at rest, whatever the bone's frame is: with G_i the bone's rotation in the skeleton at rest and q_i
 * its rotation from the parent, the file has G_p q_i G_i⁻¹, and offsets turned by G_p. Throws `RangeError` for a pose of another
 * rig or one that is not finite.
 */
export function writeBvh(rig: BvhSkeleton, frames: readonly LocalPose[], options: WriteBvhOptions = {}): string {
  knownFields('writeBvh: options', object('writeBvh: options', options), ['frameTime', 'scale'])
  checkSkeleton('writeBvh: rig', rig)
  const frameTime = positive('writeBvh: frameTime', options.frameTime ?? 1 / 60)
  const unit = 1 / positive('writeBvh: scale', options.scale ?? 1)
  const count = rig.names.length
  array('writeBvh: frames', frames).forEach((frame, k) => checkFrame(`writeBvh: frames[${k}]`, frame, count))
  const rest: Quat[] = []
  for (let i = 0; i < count; i++) {
    const own = row4(rig.restRotation, i)
    rest.push(rig.parent[i] < 0 ? own : times(rest[rig.parent[i]], own))
  }
  const outer = (i: number): Readonly<Quat> => (rig.parent[i] < 0 ? NO_TURN : rest[rig.parent[i]])
  // What slides needs its position in every frame; the rest of the file is shorter without.
  const slides = rig.names.map((_, i) => rig.parent[i] < 0 || frames.some((frame) => moves(frame, rig, i)))
  const order: number[] = []
  const out: string[] = ['HIERARCHY']
  const text = (v: Vec3): string => v.map((x) => number(unit * x)).join(' ')
  const childrenOf: number[][] = rig.names.map(() => [])
  for (let i = 0; i < count; i++) if (rig.parent[i] >= 0) childrenOf[rig.parent[i]].push(i)
  const open = (i: number, depth: number): void => {
    const indent = '\t'.repeat(depth)
    order.push(i)
    out.push(`${indent}${rig.parent[i] < 0 ? 'ROOT' : 'JOINT'} ${rig.names[i]}`, `${indent}{`)
    out.push(`${indent}\tOFFSET ${text(rotated(outer(i), row3(rig.restPosition, i)))}`)
    const moved = slides[i] ? '6 Xposition Yposition Zposition' : '3'
    out.push(`${indent}\tCHANNELS ${moved} Zrotation Yrotation Xrotation`)
    if (childrenOf[i].length === 0) {
      out.push(`${indent}\tEnd Site`, `${indent}\t{`)
      out.push(`${indent}\t\tOFFSET ${text(rotated(rest[i], row3(rig.tip, i)))}`, `${indent}\t}`)
    }
  }
  const roots = rig.names.map((_, i) => i).filter((i) => rig.parent[i] < 0)
  for (const root of roots) {
    // Bones that are open, each with how many of its children are written.
    const path: { bone: number; written: number }[] = [{ bone: root, written: 0 }]
    open(root, 0)
    while (path.length > 0) {
      const last = path[path.length - 1]
      const child = childrenOf[last.bone][last.written++] as number | undefined
      if (child === undefined) {
        path.pop()
        out.push(`${'\t'.repeat(path.length)}}`)
      } else {
        open(child, path.length)
        path.push({ bone: child, written: 0 })
      }
    }
  }
  out.push('MOTION', `Frames: ${frames.length}`, `Frame Time: ${number(frameTime)}`)
  for (const frame of frames) {
    const values: number[] = []
    for (const i of order) {
      if (slides[i]) values.push(...scaled(rotated(outer(i), row3(frame.positions, i)), unit))
      values.push(...anglesZyx(times(times(outer(i), row4(frame.rotations, i)), inverse(rest[i]))))
    }
    out.push(values.map(number).join(' '))
  }
  return `${out.join('\n')}\n`
}

/** Share of a bone's length by which its joint may leave its place before it counts as sliding: round-off. */
const STAYS = 1e-9

function moves(frame: LocalPose, rig: BvhSkeleton, i: number): boolean {
  const [now, then] = [row3(frame.positions, i), row3(rig.restPosition, i)]
  return now.some((x, k) => Math.abs(x - then[k]) > STAYS * (1 + Math.abs(then[k])))
}

function number(x: number): string {
  const text = finite('writeBvh: pose', x).toFixed(8)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function row3(a: Float64Array, i: number): Vec3 {
  return [a[3 * i], a[3 * i + 1], a[3 * i + 2]]
}

function row4(a: Float64Array, i: number): Quat {
  return [a[4 * i], a[4 * i + 1], a[4 * i + 2], a[4 * i + 3]]
}

/** Cosine of the middle angle below which the direction that tells the first is round-off; the last then does it all. */
const GIMBAL = 1e-12

/**
 * Angles a, b, c [°] of R = Rz(a) Ry(b) Rx(c). c is read off Rz(a)⁻¹ R, not off R: where b is near a right angle a is rough, by
 * round-off over cos b, and c then makes up for it.
 */
function anglesZyx(q: Quat): Vec3 {
  const x = rotated(q, AXES[0])
  const y = rotated(q, AXES[1])
  const z = rotated(q, AXES[2])
  const cosB = Math.sqrt(x[0] * x[0] + x[1] * x[1])
  const cosA = cosB < GIMBAL ? 1 : x[0] / cosB
  const sinA = cosB < GIMBAL ? 0 : x[1] / cosB
  const c = atan2(sinA * z[0] - cosA * z[1], cosA * y[1] - sinA * y[0])
  return [atan2(sinA, cosA) / DEGREE, atan2(-x[2], cosB) / DEGREE, c / DEGREE]
}
