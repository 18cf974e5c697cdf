/**
 * B8: a hand of 25 joints (WebXR's), its wrist still, five fingertips to where random poses inside the limits have them.
 *
 * The joints' places come from a GLB of `@webxr-input-profiles/assets` where one is, else from the generic hand below. All
 * bones of a finger share the frame of its proximal phalanx, of the thumb and the wrist the thumb's metacarpal: −z towards the
 * tip, y to the back of the hand. So no joint that moves has a rotation at rest, and a box of Euler angles states its limits.
 */

import { existsSync, readFileSync } from 'node:fs'
import type { Bone, Joint, Range, Tree, Triple } from '../solver.js'
import { fromVector, multiply, rotate, treePositions } from './kinematics.js'
import { inside } from './limits.js'
import { Random } from './random.js'

export interface HandTask {
  readonly name: string
  readonly text: string
  readonly tree: Tree
  readonly start: Float64Array
  /** Three numbers an end, all ends of a pose together [m]. */
  readonly targets: Float64Array
  readonly poses: number
  readonly iterations: number
  /** [m] */
  readonly tolerance: number
}

/** World place of a joint. */
interface Place {
  readonly position: Triple
  readonly rotation: readonly [number, number, number, number]
}

const FINGERS = ['index-finger', 'middle-finger', 'ring-finger', 'pinky-finger'] as const
const THUMB_BONES = ['metacarpal', 'phalanx-proximal', 'phalanx-distal', 'tip']
const FINGER_BONES = ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip']

const DEGREE = Math.PI / 180
const X: Triple = [1, 0, 0]
const Y: Triple = [0, 1, 0]
/** Bending to the palm is negative about x. */
const degrees = (min: number, max: number): Range => ({ min: min * DEGREE, max: max * DEGREE })
const LOCKED: Joint = { kind: 'locked' }
const KNUCKLE: Joint = universal(degrees(-90, 20), degrees(-15, 15))
const BEND: Joint = { kind: 'hinge', axis: X, limits: degrees(-100, 5) }
const FINGER_JOINTS: readonly Joint[] = [
  LOCKED,
  KNUCKLE,
  BEND,
  { kind: 'hinge', axis: X, limits: degrees(-70, 5) },
  LOCKED,
]
const THUMB_JOINTS: readonly Joint[] = [
  universal(degrees(-40, 20), degrees(-35, 35)),
  { kind: 'hinge', axis: X, limits: degrees(-55, 5) },
  { kind: 'hinge', axis: X, limits: degrees(-80, 10) },
  LOCKED,
]

function universal(limitsA: Range, limitsB: Range): Joint {
  return { kind: 'universal', axisA: X, axisB: Y, limitsA, limitsB }
}

const SEED = 53

/** Of the hand in `file`, where it is; the generic one otherwise. */
export function handTask(poses: number, file?: string): HandTask {
  const isThere = file !== undefined && existsSync(file)
  const tree = handTree(isThere ? readPlaces(file) : genericPlaces())
  const { bones, ends } = tree
  const random = new Random(SEED)
  const start = Float64Array.from(bones.flatMap(({ rotation }) => rotation))
  const pose = new Float64Array(4 * bones.length)
  const positions = new Float64Array(3 * bones.length)
  const targets = new Float64Array(3 * ends.length * poses)
  for (let k = 0; k < poses; k++) {
    bones.forEach(({ rotation, joint }, i) => multiply(rotation, 0, inside(joint, random), 0, pose, 4 * i))
    treePositions(tree, pose, positions)
    ends.forEach((end, e) => targets.set(positions.subarray(3 * end, 3 * end + 3), 3 * (k * ends.length + e)))
  }
  const what = isThere ? 'WebXR hand' : 'generic hand'
  return {
    name: 'hand',
    text: `${what} of ${bones.length} joints, five fingertips, ${poses} poses inside limits, 0.1 mm, 200 iterations`,
    tree,
    start,
    targets,
    poses,
    iterations: 200,
    tolerance: 1e-4,
  }
}

function handTree(places: ReadonlyMap<string, Place>): Tree {
  const placeOf = (name: string): Place => {
    const place = places.get(name)
    if (place === undefined) throw new Error(`handTask: hand has no joint "${name}"`)
    return place
  }
  const bones: Bone[] = []
  const ends: number[] = []
  const wrist: Place = { position: placeOf('wrist').position, rotation: placeOf('thumb-metacarpal').rotation }
  bones.push({ name: 'wrist', parent: -1, position: wrist.position, rotation: wrist.rotation, joint: LOCKED })
  const addFinger = (finger: string, parts: readonly string[], joints: readonly Joint[], frameOf: string): void => {
    const frame = placeOf(`${finger}-${frameOf}`).rotation
    let before = wrist
    parts.forEach((part, k) => {
      const place: Place = { position: placeOf(`${finger}-${part}`).position, rotation: frame }
      const parent = k === 0 ? 0 : bones.length - 1
      bones.push({ name: `${finger}-${part}`, parent, ...seenFrom(before, place), joint: joints[k] })
      before = place
    })
    ends.push(bones.length - 1)
  }
  addFinger('thumb', THUMB_BONES, THUMB_JOINTS, 'metacarpal')
  for (const finger of FINGERS) addFinger(finger, FINGER_BONES, FINGER_JOINTS, 'phalanx-proximal')
  return { bones, ends }
}

/** A place in the frame of another. */
function seenFrom(a: Place, b: Place): Pick<Bone, 'position' | 'rotation'> {
  const back = [-a.rotation[0], -a.rotation[1], -a.rotation[2], a.rotation[3]]
  const out = new Float64Array(7)
  const [x, y, z] = b.position.map((coordinate, c) => coordinate - a.position[c])
  rotate(back, 0, x, y, z, out, 0)
  multiply(back, 0, b.rotation, 0, out, 3)
  return { position: [out[0], out[1], out[2]], rotation: [out[3], out[4], out[5], out[6]] }
}

/** Part of a glTF file that matters here. */
interface Gltf {
  readonly nodes: readonly { name?: string; translation?: number[]; rotation?: number[] }[]
}

/** Joints of a GLB whose nodes all stand in one space, as those of the WebXR hands do. */
function readPlaces(file: string): Map<string, Place> {
  const bytes = readFileSync(file)
  // Header of 12 bytes, then the JSON chunk: its length, its type, its text.
  const { nodes } = JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12))) as Gltf
  const places = new Map<string, Place>()
  for (const { name, translation, rotation } of nodes) {
    if (name === undefined || translation === undefined || rotation === undefined) continue
    const [x, y, z, w] = rotation
    const size = Math.sqrt(x * x + y * y + z * z + w * w)
    const [px, py, pz] = translation
    places.set(name, { position: [px, py, pz], rotation: [x / size, y / size, z / size, w / size] })
  }
  return places
}

/** Sideways place of the knuckle [m], lengths of metacarpal and phalanges [m]: an adult's right hand, palm down, −z ahead. */
const GENERIC: Record<(typeof FINGERS)[number], readonly [number, readonly number[]]> = {
  'index-finger': [-0.022, [0.068, 0.045, 0.025, 0.018]],
  'middle-finger': [0, [0.066, 0.05, 0.029, 0.019]],
  'ring-finger': [0.02, [0.062, 0.046, 0.028, 0.019]],
  'pinky-finger': [0.038, [0.058, 0.035, 0.02, 0.017]],
}
const GENERIC_THUMB = [0.04, 0.035, 0.025]

function genericPlaces(): Map<string, Place> {
  const none: Place['rotation'] = [0, 0, 0, 1]
  const places = new Map<string, Place>([['wrist', { position: [0, 0, 0], rotation: none }]])
  for (const finger of FINGERS) {
    const [aside, lengths] = GENERIC[finger]
    let ahead = 0.03
    FINGER_BONES.forEach((part, k) => {
      places.set(`${finger}-${part}`, { position: [aside, 0, -ahead], rotation: none })
      ahead += lengths[k] ?? 0
    })
  }
  // The thumb points aside, ahead and down, its nail turned outwards.
  const rotation = new Float64Array(4)
  multiply(fromVector(0, 0.8, 0), 0, fromVector(-0.3, 0, 1.1), 0, rotation, 0)
  const at = new Float64Array([-0.02, -0.01, -0.02, 0, 0, 0])
  THUMB_BONES.forEach((part, k) => {
    const [x, y, z, w] = rotation
    places.set(`thumb-${part}`, { position: [at[0], at[1], at[2]], rotation: [x, y, z, w] })
    rotate(rotation, 0, 0, 0, -(GENERIC_THUMB[k] ?? 0), at, 3)
    for (let c = 0; c < 3; c++) at[c] += at[c + 3]
  })
  return places
}
