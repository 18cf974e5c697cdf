/** Random mixed complementarity problems, built as a world builds them, and others that no world would. */

import { Random } from '../../../core/test/support/random.js'
import { mlcp, type Mlcp } from '../../src/mlcp/problem.js'

/** Coordinates of a body: three of translation, three of rotation. */
const DOF = 6

/** Kinds of problem whose λ is unique. */
export const UNIQUE = ['physical', 'definite', 'dominant', 'asymmetric'] as const

/**
 * - `physical`: A = J M⁻¹ Jᵀ + D: rows that join one to three bodies of random mass and inertia, softened a little
 * - `definite`: A = B Bᵀ + D, B dense
 * - `dominant`: symmetric, diagonally dominant
 * - `asymmetric`: diagonally dominant by rows, not symmetric: as laws of force make it
 */
export function uniqueProblem(kind: (typeof UNIQUE)[number], size: number, seed: number): Mlcp {
  const random = new Random(seed)
  const A =
    kind === 'physical'
      ? bodies(random, size)
      : kind === 'definite'
        ? gram(normals(random, size * size), size, size)
        : dominant(random, size, kind === 'dominant')
  // From stiff to soft, against the mean of the diagonal: so that λ is unique, and not beyond an iterative solver's
  // patience.
  if (kind === 'physical' || kind === 'definite') {
    let trace = 0
    for (let i = 0; i < size; i++) trace += A[i * size + i]
    for (let i = 0; i < size; i++) A[i * size + i] += (10 ** random.between(-3, 0) * trace) / size
  }
  const { lower, upper } = bounds(random, size, 0.3)
  return mlcp(A, targets(random, A, size), lower, upper)
}

/**
 * More contacts than the bodies have coordinates, nothing softened: A has no full rank and λ is not unique, w is.
 *
 * b = J v: a velocity that meets all rows exists, so that the problem has a solution.
 */
export function overdetermined(size: number, seed: number): Mlcp {
  const random = new Random(seed)
  const rank = 1 + random.below(Math.max(1, Math.ceil(size / 2)))
  // Rows from few directions, as the corners of one face give: combinations of `rank` rows.
  const base = normals(random, rank * rank)
  for (let i = 0; i < rank; i++) base[i * rank + i] += 3
  const J = new Float64Array(size * rank)
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < rank; k++) {
      const share = k === i % rank ? 1 : i < rank ? 0 : random.below(3) - 1
      for (let c = 0; c < rank; c++) J[i * rank + c] += share * base[k * rank + c]
    }
  }
  const v = normals(random, rank)
  const b = Float64Array.from({ length: size }, (_, i) => dot(J, i * rank, v, rank))
  // One equality among the first rows, which are independent; more could depend on each other, and be refused.
  const { lower, upper } = bounds(random, size, 0)
  if (random.chance(0.5)) {
    lower[0] = -Infinity
    upper[0] = Infinity
  }
  return mlcp(gram(J, size, rank), b, lower, upper)
}

/**
 * A = B Bᵀ + softness, of any rank, some b and λ ≥ 0: there may be a solution or not.
 *
 * Small integers, so that A is singular or clearly not, and that ties abound.
 */
export function semidefinite(size: number, seed: number, softness: number): Mlcp {
  const random = new Random(seed)
  const integers = (count: number): Float64Array => Float64Array.from({ length: count }, () => random.below(5) - 2)
  const rank = 1 + random.below(size)
  const A = gram(integers(size * rank), size, rank)
  for (let i = 0; i < size; i++) A[i * size + i] += softness
  return mlcp(A, integers(size), new Float64Array(size))
}

/** The same of real numbers, up to 12 rows, with no softness: A differs from a singular one by round-off. */
export function realSemidefinite(seed: number): Mlcp {
  const random = new Random(seed)
  const size = 1 + random.below(12)
  const rank = 1 + random.below(size)
  return mlcp(gram(normals(random, size * rank), size, rank), normals(random, size), new Float64Array(size))
}

/**
 * A cube of 1 kg and 1 m comes down flat on its four lower corners at 1 m/s, each contact `times` over.
 *
 * Corners (±½, ±½, −½), normal z: the row is z of the cube's velocity, ±½ of its spin about x, ∓½ about y; I = 1/6.
 */
export function boxOnCorners(times: number): Mlcp {
  const rows: number[][] = []
  for (let k = 0; k < times; k++) {
    for (const x of [-0.5, 0.5]) for (const y of [-0.5, 0.5]) rows.push([1, y * Math.sqrt(6), -x * Math.sqrt(6)])
  }
  const size = rows.length
  return mlcp(gram(Float64Array.from(rows.flat()), size, 3), new Float64Array(size).fill(1), new Float64Array(size))
}

/** A = J M⁻¹ Jᵀ of random rows on random bodies. */
function bodies(random: Random, size: number): Float64Array {
  const count = 1 + random.below(4)
  const columns = DOF * count
  // J M^(-1/2): A is the Gram matrix of its rows.
  const inverseRoot = new Float64Array(columns)
  for (let body = 0; body < count; body++) {
    const mass = 10 ** random.between(-1, 1)
    const moments = random.moments(mass)
    for (let k = 0; k < 3; k++) {
      inverseRoot[body * DOF + k] = 1 / Math.sqrt(mass)
      inverseRoot[body * DOF + 3 + k] = 1 / Math.sqrt(moments[k])
    }
  }
  const J = new Float64Array(size * columns)
  for (let i = 0; i < size; i++) {
    const joined = 1 + random.below(Math.min(3, count))
    for (let k = 0; k < joined; k++) {
      const body = random.below(count)
      const sign = k === 0 ? 1 : -1
      const [n, r] = [random.direction(), random.vector(0.5)]
      const row = [...n, r[1] * n[2] - r[2] * n[1], r[2] * n[0] - r[0] * n[2], r[0] * n[1] - r[1] * n[0]]
      for (let c = 0; c < DOF; c++) {
        J[i * columns + body * DOF + c] += sign * row[c] * inverseRoot[body * DOF + c]
      }
    }
  }
  return gram(J, size, columns)
}

function dominant(random: Random, size: number, symmetric: boolean): Float64Array {
  const A = normals(random, size * size)
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) if (symmetric) A[j * size + i] = A[i * size + j]
  for (let i = 0; i < size; i++) {
    let others = 0
    for (let j = 0; j < size; j++) if (j !== i) others += Math.abs(A[i * size + j])
    A[i * size + i] = random.between(1.1, 2) * (others + 0.1)
  }
  return A
}

/** Equalities, contacts, rows that only pull, boxes of all widths, prescribed rows. */
function bounds(random: Random, size: number, equalities: number): { lower: Float64Array; upper: Float64Array } {
  const lower = new Float64Array(size)
  const upper = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    const [kind, a, width] = [random.next(), random.between(-1, 1), 10 ** random.between(-3, 1)]
    if (kind < equalities) [lower[i], upper[i]] = [-Infinity, Infinity]
    else if (kind < 0.65) [lower[i], upper[i]] = [random.chance(0.8) ? 0 : a, Infinity]
    else if (kind < 0.75) [lower[i], upper[i]] = [-Infinity, random.chance(0.8) ? 0 : a]
    else if (kind < 0.85) [lower[i], upper[i]] = [-width, width]
    else if (kind < 0.97) [lower[i], upper[i]] = [a, a + width]
    else lower[i] = upper[i] = a
  }
  return { lower, upper }
}

/** b: random, with some zeros; or A λ of a λ with zeros, which is degenerate wherever 0 is a bound. */
function targets(random: Random, A: Float64Array, size: number): Float64Array {
  const x = normals(random, size)
  const sparse = random.next()
  for (let i = 0; i < size; i++) if (random.chance(sparse * sparse)) x[i] = 0
  if (random.chance(0.7)) return x
  return Float64Array.from({ length: size }, (_, i) => dot(A, i * size, x, size))
}

function normals(random: Random, count: number): Float64Array {
  return Float64Array.from({ length: count }, () => random.next() + random.next() + random.next() - 1.5)
}

/** B Bᵀ of the rows of B. */
function gram(B: Float64Array, size: number, columns: number): Float64Array {
  const A = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) A[i * size + j] = dot(B, i * columns, B.subarray(j * columns), columns)
  }
  return A
}

function dot(a: Float64Array, offset: number, b: Float64Array, count: number): number {
  let sum = 0
  for (let k = 0; k < count; k++) sum += a[offset + k] * b[k]
  return sum
}
