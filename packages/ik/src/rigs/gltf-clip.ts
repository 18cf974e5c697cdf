/**
 * Clips of glTF: animations of a skin's joints, as poses of its rig at an even rate.
 *
 * glTF 2.0 specification, 3.11 (animations) and appendix C (interpolation): linear ones go straight, rotations the short way at even speed; stepped ones
 * stand; cubic ones are Hermite splines whose tangents are a second's. Scales and weights of morph targets are no part of a pose.
 */

import {
  flag,
  knownFields,
  normalizeQuaternion,
  object,
  positive,
  rotationBetween,
  shown,
  rotate,
} from '@tautline/core/kernel'
import type { PoseClip, PoseData } from '../poses/index.js'
import type { GltfNode, GltfRig } from './gltf-document.js'
import type { Quat, Vec3 } from './transform.js'

/** What is used of an `Accessor` of glTF-Transform: numbers as they are meant, not as they are packed. */
export interface GltfValues {
  getCount(): number
  getElement(index: number, target: number[]): number[]
}

/** What is used of a channel of an animation. */
export interface GltfChannel {
  getTargetNode(): GltfNode | null
  getTargetPath(): string | null
  getSampler(): {
    getInterpolation(): string
    getInput(): GltfValues | null
    getOutput(): GltfValues | null
  } | null
}

/** What is used of an `Animation` of glTF-Transform. */
export interface GltfAnimation {
  getName(): string
  listChannels(): GltfChannel[]
  getExtras(): Record<string, unknown>
}

/** A document with animations. */
export interface GltfAnimated {
  getRoot(): { listAnimations(): GltfAnimation[] }
}

/** A clip of a file. */
export interface GltfClip extends PoseClip {
  readonly name: string
  /** As in the file. */
  readonly extras: Readonly<Record<string, unknown>>
}

/** Options of {@link gltfClip}. */
export interface GltfClipOptions {
  /** Poses a second [1/s]. @defaultValue 30 */
  rate?: number
  /** Whether the last pose is the first again. @defaultValue what `extras.loops` of the animation says, else false */
  loops?: boolean
}

const p = /* @__PURE__ */ new Float64Array(4)
const q = /* @__PURE__ */ new Float64Array(4)
const v = /* @__PURE__ */ new Float64Array(3)

/**
 * Reads an animation by name or number, as poses of what {@link fromGltf} made of the file. Its length is rounded to whole poses; the file's nodes stand as
 * before. Throws `TypeError`/`RangeError` for an animation that there is not, or a channel without keys.
 */
export function gltfClip(
  document: GltfAnimated,
  rig: GltfRig,
  animation: string | number,
  options: GltfClipOptions = {},
): GltfClip {
  knownFields('gltfClip: options', object('gltfClip: options', options), ['rate', 'loops'])
  const { nodes } = object('gltfClip: rig', rig) as Partial<GltfRig>
  if (!Array.isArray(nodes)) throw new TypeError(`gltfClip: rig must be one that fromGltf made, got ${shown(rig)}`)
  if (typeof document?.getRoot !== 'function') {
    throw new TypeError(`gltfClip: document must be a Document of @gltf-transform/core, got ${shown(document)}`)
  }
  const rate = positive('gltfClip: rate', options.rate ?? 30)
  const found = chosen(document.getRoot().listAnimations(), animation)
  const extras = found.getExtras()
  const loops = options.loops !== undefined ? flag('gltfClip: loops', options.loops) : extras.loops === true
  const channels = found
    .listChannels()
    .flatMap((channel) => readChannel(`gltfClip: ${found.getName()}`, channel, rig.nodes))
  const end = Math.max(0, ...channels.map(({ times }) => times[times.length - 1]))
  const start = Math.min(end, ...channels.map(({ times }) => times[0]))
  const count = Math.max(1, Math.round((end - start) * rate))
  const stood = rig.nodes.map((node) => ({ at: [...node.getTranslation()], turned: [...node.getRotation()] }))
  try {
    const poses = Array.from({ length: end > start ? count + 1 : 1 }, (_, k): PoseData => {
      for (const channel of channels) setNode(channel, start + ((end - start) * k) / count)
      const n = rig.bones.length
      const pose = { positions: new Float64Array(3 * n), rotations: new Float64Array(4 * n) }
      rig.read(pose)
      return pose
    })
    // The rate at which that many poses take as long as the file's.
    return { name: found.getName(), extras, poses, rate: end > start ? count / (end - start) : rate, loops }
  } finally {
    rig.nodes.forEach((node, i) => {
      node.setTranslation(stood[i].at as Vec3)
      node.setRotation(stood[i].turned as Quat)
    })
  }
}

function chosen(animations: readonly GltfAnimation[], wish: string | number): GltfAnimation {
  const found = typeof wish === 'number' ? animations[wish] : animations.find((each) => each.getName() === wish)
  if (found !== undefined) return found
  const names = animations.map((each) => `"${each.getName()}"`).join(', ')
  throw new RangeError(
    `gltfClip: animation must be one of the file's ${animations.length} (${names}), got ${shown(wish)}`,
  )
}

interface Channel {
  readonly node: GltfNode
  readonly size: 3 | 4
  readonly kind: string
  readonly times: Float64Array
  /** A value a key; of cubic ones three, with the tangents before and after. */
  readonly values: Float64Array
}

/** A channel of a bone's place; none for what poses have not. */
function readChannel(where: string, channel: GltfChannel, nodes: readonly GltfNode[]): Channel[] {
  const [node, path, sampler] = [channel.getTargetNode(), channel.getTargetPath(), channel.getSampler()]
  if (node === null || !nodes.includes(node) || (path !== 'translation' && path !== 'rotation')) return []
  const [input, output] = [sampler?.getInput(), sampler?.getOutput()]
  if (sampler === null || !input || !output || input.getCount() === 0) {
    throw new RangeError(`${where}: ${node.getName()}: ${path} must have keys, got none`)
  }
  const kind = sampler.getInterpolation()
  const size = path === 'rotation' ? 4 : 3
  const [keys, values] = [input.getCount(), output.getCount()]
  if (values !== (kind === 'CUBICSPLINE' ? 3 : 1) * keys) {
    throw new RangeError(`${where}: ${node.getName()}: ${path} must have a value a key, got ${values} of ${keys}`)
  }
  const read = (from: GltfValues, width: number): Float64Array =>
    Float64Array.from(Array.from({ length: from.getCount() }, (_, k) => from.getElement(k, []).slice(0, width)).flat())
  return [{ node, size, kind, times: read(input, 1), values: read(output, size) }]
}

/** Puts a node where its channel has it at a time [s]. */
function setNode({ node, size, kind, times, values }: Channel, time: number): void {
  let k = 0
  while (k + 2 < times.length && times[k + 1] <= time) k++
  const last = Math.min(k + 1, times.length - 1)
  const span = times[last] - times[k]
  const share = span > 0 ? Math.min(Math.max((time - times[k]) / span, 0), 1) : 0
  if (kind === 'CUBICSPLINE') hermite(values, size, k, last, share, span)
  else if (kind === 'STEP') load(values, size * (share < 1 ? k : last), size, p)
  else if (size === 4) {
    load(values, 4 * k, 4, p)
    load(values, 4 * last, 4, q)
    rotationBetween(q, 0, p, 0, v, 0)
    rotate(p, 0, share * v[0], share * v[1], share * v[2])
  } else for (let c = 0; c < 3; c++) p[c] = (1 - share) * values[3 * k + c] + share * values[3 * last + c]
  if (size === 3) node.setTranslation([p[0], p[1], p[2]])
  else {
    normalizeQuaternion(p, 0)
    node.setRotation([p[0], p[1], p[2], p[3]])
  }
}

/** Between two keys with the tangent after the first and the one before the second. */
function hermite(values: Float64Array, size: number, k: number, last: number, t: number, span: number): void {
  const [a, b] = [3 * size * k, 3 * size * last]
  const u = 1 - t
  for (let c = 0; c < size; c++) {
    const [x, out] = [values[a + size + c], span * values[a + 2 * size + c]]
    const [y, into] = [values[b + size + c], span * values[b + c]]
    p[c] = (1 + 2 * t) * u * u * x + t * u * u * out + t * t * (3 - 2 * t) * y - t * t * u * into
  }
}

function load(values: Float64Array, o: number, size: number, out: Float64Array): void {
  for (let c = 0; c < size; c++) out[c] = values[o + c]
}
