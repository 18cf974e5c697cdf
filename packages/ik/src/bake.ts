/**
 * Inverse kinematics written down as keys: a solver is run over times, and of the local rotations and positions that come out as few
 * are kept as lie within a tolerance of all of them.
 *
 * Keys are dropped by splitting: of a span whose samples the interpolation between its ends misses, the worst sample becomes a key
 * (D. Douglas, T. Peucker 1973; U. Ramer 1972). Rotations go the short way at even speed, q(s) = exp(s log(q₁ q̄₀)) q₀ (K. Shoemake
 * 1985), and are missed by the angle [rad]; positions go straight, and are missed by the distance [m].
 */

import {
  finite,
  nonNegative,
  normalizeQuaternion,
  oneOf,
  rotationBetween,
  rotate,
  array,
  callable,
  instance,
  knownFields,
  shown,
  outVector,
} from '@tautline/core/kernel'
import { checkPose, Pose } from './pose.js'
import { Rig } from './rig.js'

/** Keys of a bone: `values` has four numbers a time for rotations, three for positions. */
export interface Track {
  /** Its name. */
  readonly bone: string
  /** Rising [s]; one alone where nothing moves. */
  readonly times: Float32Array | Float64Array
  /** [x, y, z, w] or [x, y, z] [m] a time: what a keyframe track of three.js or glTF takes. */
  readonly values: Float32Array | Float64Array
}

/** What a bake gives: plain data. */
export interface Baked {
  /** Time of the first sample [s]. */
  readonly start: number
  /** Time of the last sample [s]. */
  readonly end: number
  /** Local rotations [x, y, z, w] of bones that are not as at rest; neighbours are on one side, q·q′ >= 0. */
  readonly rotations: readonly Track[]
  /** Local positions [m] of bones that are not as at rest. */
  readonly positions: readonly Track[]
}

/** Options of {@link bake}. */
export interface BakeOptions {
  /** By how much keys may miss a rotation [rad]. @defaultValue 0.001 */
  angle?: number
  /** By how much keys may miss a position [m]. @defaultValue 0.0001 */
  distance?: number
  /** Of the keys' numbers. @defaultValue 'float32' */
  precision?: 'float32' | 'float64'
}

const q = /* @__PURE__ */ new Float64Array(4)
const r = /* @__PURE__ */ new Float64Array(4)
const s = /* @__PURE__ */ new Float64Array(4)
const v = /* @__PURE__ */ new Float64Array(3)

/**
 * Bakes the poses that `sample(time, k, pose)` makes, such as `(t) => { hand.target.set(at(t)); solver.solve(pose) }`: `pose` is the
 * same all the time, so that each solve starts from the last, and begins at rest. `times` are in seconds. Throws
 * `TypeError`/`RangeError` where an option is wrong or times do not rise.
 */
export function bake(
  rig: Rig,
  times: ArrayLike<number>,
  sample: (time: number, k: number, pose: Pose) => void,
  options: BakeOptions = {},
): Baked {
  instance('bake: rig', rig, Rig, 'a Rig')
  callable('bake: sample', sample)
  knownFields('bake: options', options, ['angle', 'distance', 'precision'])
  const angle = nonNegative('bake: angle', options.angle ?? 0.001)
  const distance = nonNegative('bake: distance', options.distance ?? 0.0001)
  const precision = oneOf('bake: precision', options.precision ?? 'float32', ['float32', 'float64'])
  checkTimes(times)
  const n = times.length
  const rotations = new Float64Array(4 * n * rig.count)
  const positions = new Float64Array(3 * n * rig.count)
  const pose = new Pose(rig)
  for (let k = 0; k < n; k++) {
    sample(times[k], k, pose)
    for (let i = 0; i < rig.count; i++) {
      const o = 4 * (n * i + k)
      rotations.set(pose.rotations.subarray(4 * i, 4 * i + 4), o)
      if (k > 0 && isOpposite(rotations, o - 4, o)) for (let c = o; c < o + 4; c++) rotations[c] = -rotations[c]
      positions.set(pose.positions.subarray(3 * i, 3 * i + 3), 3 * (n * i + k))
    }
  }
  const spans = { times: Float64Array.from(times), precision }
  const found = { rotations: [] as Track[], positions: [] as Track[] }
  for (let i = 0; i < rig.count; i++) {
    const bone = rig.names[i]
    const turns = rotations.subarray(4 * n * i, 4 * n * (i + 1))
    const ways = positions.subarray(3 * n * i, 3 * n * (i + 1))
    const turned = reduce(bone, spans, turns, rig.restRotation.subarray(4 * i, 4 * i + 4), angle)
    const moved = reduce(bone, spans, ways, rig.restPosition.subarray(3 * i, 3 * i + 3), distance)
    if (turned !== undefined) found.rotations.push(turned)
    if (moved !== undefined) found.positions.push(moved)
  }
  return { start: times[0], end: times[n - 1], ...found }
}

/**
 * Writes the pose of a bake at a time [s] to `pose`, and returns it; before its start and after its end, the one there. Throws
 * `RangeError` for a bone that the rig has not.
 */
export function readBaked(rig: Rig, baked: Baked, time: number, pose: Pose): Pose {
  const at = finite('readBaked: time', time)
  checkPose('readBaked: pose', pose, instance('readBaked: rig', rig, Rig, 'a Rig').count)
  knownFields('readBaked: baked', baked, ['start', 'end', 'rotations', 'positions'])
  finite('readBaked: start', baked.start)
  finite('readBaked: end', baked.end)
  for (const track of array('readBaked: rotations', baked.rotations)) checkTrack('rotations', track, 4)
  for (const track of array('readBaked: positions', baked.positions)) checkTrack('positions', track, 3)
  pose.rotations.set(rig.restRotation)
  pose.positions.set(rig.restPosition)
  for (const [tracks, size, out] of [
    [baked.rotations, 4, pose.rotations],
    [baked.positions, 3, pose.positions],
  ] as const) {
    for (const { bone, times, values } of tracks) {
      const i = rig.indexOf(bone, 'readBaked: baked')
      let k = 0
      while (k + 2 < times.length && times[k + 1] <= at) k++
      const last = Math.min(k + 1, times.length - 1)
      const share = last > k ? Math.min(Math.max((at - times[k]) / (times[last] - times[k]), 0), 1) : 0
      between(values, size, k, last, share, q)
      out.set(q.subarray(0, size), size * i)
    }
  }
  return pose
}

interface Spans {
  times: Float64Array
  precision: 'float32' | 'float64'
}

/** The keys of a bone's samples; none where they are all as at rest. */
function reduce(
  bone: string,
  { times, precision }: Spans,
  given: Float64Array,
  rest: Float64Array,
  tolerance: number,
): Track | undefined {
  const size = rest.length
  const n = times.length
  const store = precision === 'float32' ? Float32Array : Float64Array
  // What is compared is what is stored.
  const values = store.from(given)
  const stamps = store.from(times)
  const misses = (k: number, from: ArrayLike<number>, o: number): number => {
    load(from, o, size, r)
    return miss(given, size * k, size, r)
  }
  let isStill = true
  for (let k = 0; k < n && isStill; k++) isStill = misses(k, rest, 0) <= tolerance
  if (isStill) return undefined
  let isConstant = true
  for (let k = 1; k < n && isConstant; k++) isConstant = misses(k, values, 0) <= tolerance
  if (isConstant) return { bone, times: stamps.slice(0, 1), values: values.slice(0, size) }
  const keep = new Uint8Array(n)
  keep[0] = keep[n - 1] = 1
  const open: [number, number][] = [[0, n - 1]]
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const [first, last] = span
    let [worst, at] = [tolerance, -1]
    for (let k = first + 1; k < last; k++) {
      const share = (times[k] - stamps[first]) / (stamps[last] - stamps[first])
      between(values, size, first, last, share, r)
      const error = miss(given, size * k, size, r)
      if (error > worst) [worst, at] = [error, k]
    }
    if (at < 0) continue
    keep[at] = 1
    open.push([first, at], [at, last])
  }
  const kept = Array.from(keep.keys()).filter((k) => keep[k] === 1)
  return {
    bone,
    times: store.from(kept.map((k) => stamps[k])),
    values: store.from(kept.flatMap((k) => Array.from(values.subarray(size * k, size * (k + 1))))),
  }
}

/** The value at `share` of the way between two keys. */
function between(
  values: ArrayLike<number>,
  size: number,
  first: number,
  last: number,
  share: number,
  out: Float64Array,
): void {
  if (size === 3) {
    for (let c = 0; c < 3; c++) out[c] = (1 - share) * values[3 * first + c] + share * values[3 * last + c]
    return
  }
  load(values, 4 * first, 4, out)
  load(values, 4 * last, 4, s)
  normalizeQuaternion(out, 0)
  normalizeQuaternion(s, 0)
  rotationBetween(s, 0, out, 0, v, 0)
  rotate(out, 0, share * v[0], share * v[1], share * v[2])
}

/** How far a sample is from a value [rad or m]. */
function miss(samples: Float64Array, o: number, size: number, value: Float64Array): number {
  if (size === 4) rotationBetween(samples, o, value, 0, v, 0)
  else for (let c = 0; c < 3; c++) v[c] = samples[o + c] - value[c]
  return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
}

function load(values: ArrayLike<number>, o: number, size: number, out: Float64Array): void {
  for (let c = 0; c < size; c++) out[c] = values[o + c]
}

function isOpposite(values: Float64Array, a: number, b: number): boolean {
  let sum = 0
  for (let c = 0; c < 4; c++) sum += values[a + c] * values[b + c]
  return sum < 0
}

function checkTrack(kind: string, track: unknown, size: number): void {
  const where = `readBaked: ${kind}`
  const { times, values } = knownFields(where, track, ['bone', 'times', 'values']) as unknown as Track
  outVector(`${where}: times`, times, 1)
  outVector(`${where}: values`, values, size * times.length)
}

function checkTimes(times: ArrayLike<number>): void {
  if (typeof times !== 'object' || times === null || !(times.length > 0)) {
    const got = (times as ArrayLike<number> | null)?.length === 0 ? '0 entries' : shown(times)
    throw new TypeError(`bake: times must be an array with at least one, got ${got}`)
  }
  for (let k = 0; k < times.length; k++) {
    finite(`bake: times[${k}]`, times[k])
    if (k > 0 && !(times[k] > times[k - 1])) {
      throw new RangeError(`bake: times must rise, got ${times[k]} after ${times[k - 1]}`)
    }
  }
}
