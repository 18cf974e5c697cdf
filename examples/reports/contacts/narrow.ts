/** Row 10: the narrow phase against a slow oracle. */

import {
  box,
  capsule,
  closest,
  convexHull,
  cylinder,
  plane,
  type Shape,
  sphere,
  taperedCapsule,
} from '@tautline/collision'
import { randomNumbers } from '../../lib/random.js'
import { anyRotation } from '../../scenes/contacts/layouts.js'
import { figure, type ReportRow } from '../report.js'
import { judge, solidOf, type Vector } from './oracle.js'

/** Asked: pairs of every two kinds, and how far off a depth may be [m]. */
const PAIRS = 100_000
const DEPTH = 1e-6

type Random = () => number

/** A shape of 0.1 to 2 m of a kind. */
const KINDS: Readonly<Record<string, (size: () => number, random: Random) => Shape>> = {
  sphere: (size) => sphere(size()),
  capsule: (size) => capsule(size(), size()),
  taperedCapsule: (size) => {
    const [top, bottom] = [size(), size()]
    return taperedCapsule(top, bottom, 0.5 * Math.abs(top - bottom) + size())
  },
  box: (size) => box([size(), size(), size()]),
  cylinder: (size) => cylinder(size(), size()),
  convexHull: (size, random) => {
    const count = 4 + Math.floor(4.5 * (1 + random()))
    const sides = [size(), size(), size()]
    return convexHull(Array.from({ length: count }, () => sides.map((side) => side * random()) as Vector))
  },
  plane: (_size, random) => plane([random(), random(), random() + 1.5]),
}

/** A random pose as twelve numbers, its place within `spread` [m]. */
function poseOf(spread: number, random: Random): Float64Array {
  const [x, y, z, w] = anyRotation(random)
  return Float64Array.of(
    spread * random(),
    spread * random(),
    spread * random(),
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  )
}

/** R p + t. */
function placed(T: ArrayLike<number>, p: ArrayLike<number>): Vector {
  const at = (i: number): number => T[i] + T[3 + 3 * i] * p[0] + T[4 + 3 * i] * p[1] + T[5 + 3 * i] * p[2]
  return [at(0), at(1), at(2)]
}

/** T ∘ U. */
function composed(T: Float64Array, U: Float64Array): Float64Array {
  const out = new Float64Array(12)
  out.set(placed(T, U.subarray(0, 3)))
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      out[3 + 3 * i + j] = T[3 + 3 * i] * U[3 + j] + T[4 + 3 * i] * U[6 + j] + T[5 + 3 * i] * U[9 + j]
    }
  }
  return out
}

interface Worst {
  depth: number
  swap: number
  motion: number
  bad: number
}

/** Worst of `count` random pairs of two kinds: against the oracle, swapped, and moved together by 10 m. */
export function fuzz(first: string, second: string, count: number, seed: number): Worst {
  const random = randomNumbers(seed)
  for (let k = 0; k < 8; k++) random()
  const size = (): number => 0.1 + 0.45 * (1 + random())
  const worst: Worst = { depth: 0, swap: 0, motion: 0, bad: 0 }
  const out = new Float64Array(10)
  for (let k = 0; k < count; k++) {
    const a = KINDS[first](size, random)
    const b = KINDS[second](size, random)
    const A = poseOf(1.5, random)
    const B = poseOf(1.5, random)
    closest(a, A, 0, b, B, 0, out)
    const distance = out[9]
    const claim = {
      distance,
      normal: [out[0], out[1], out[2]] as Vector,
      pointA: [out[3], out[4], out[5]] as Vector,
      pointB: [out[6], out[7], out[8]] as Vector,
    }
    const verdict = judge(solidOf(a, A), solidOf(b, B), claim)
    const off = Math.max(verdict.attained, verdict.optimal, verdict.points)
    if (!(off <= DEPTH)) worst.bad++
    worst.depth = Math.max(worst.depth, Number.isNaN(off) ? Infinity : off)
    closest(b, B, 0, a, A, 0, out)
    worst.swap = Math.max(worst.swap, Math.abs(out[9] - distance))
    const M = poseOf(10, random)
    closest(a, composed(M, A), 0, b, composed(M, B), 0, out)
    worst.motion = Math.max(worst.motion, Math.abs(out[9] - distance))
  }
  return worst
}

const fuzzed: ReportRow = {
  id: '10',
  claim: 'Narrow phase against a slow oracle: distance, depth, normal and points of every two convex kinds',
  asked: `${PAIRS} pairs of every two kinds; within ${DEPTH} m, never NaN, the same swapped and moved`,
  scene:
    'sphere, capsule, tapered capsule, box, cylinder, hull, plane of 0.1 to 2 m, apart and overlapping, seeds 1 to 27',
  slow: true,
  measure() {
    const kinds = Object.keys(KINDS)
    const found: { pair: string; worst: Worst }[] = []
    kinds.forEach((first, i) => {
      for (const second of kinds.slice(i)) {
        if (first === 'plane') continue
        const worst = fuzz(first, second, PAIRS, found.length + 1)
        found.push({ pair: `${first}–${second}`, worst })
      }
    })
    const most = (of: (worst: Worst) => number): string => {
      const { pair, worst } = found.reduce((r, s) => (of(s.worst) > of(r.worst) ? s : r))
      return `${figure(of(worst), 2)} (${pair})`
    }
    const bad = found.reduce((sum, { worst }) => sum + worst.bad, 0)
    return {
      figures: `${found.length} pairs of kinds: off by at most ${most((w) => w.depth)} m, swapped ${most((w) => w.swap)} m, moved ${most((w) => w.motion)} m; ${bad} of ${found.length * PAIRS} beyond`,
      holds: bad === 0 && found.every(({ worst }) => worst.swap <= DEPTH && worst.motion <= DEPTH),
    }
  },
}

export const narrow: readonly ReportRow[] = [fuzzed]
