/**
 * Principal moments and axes of an inertia tensor: I = R diag(moments) Rᵀ.
 *
 * Eigenvalues and eigenvectors by cyclic Jacobi rotations: G. Golub and C. Van Loan, "Matrix Computations", section
 * 8.5; the stable tangent is H. Rutishauser's, 1966. A rotation in the plane (p, q) that zeroes a_pq has
 *
 *   θ = (a_qq - a_pp) / (2 a_pq),  t = sign(θ) / (|θ| + √(θ² + 1)),  c = 1/√(t² + 1),  s = t c
 *
 * The columns of R come out in no useful order and with any sign: 24 of these choices are proper rotations. Where two
 * moments are equal, any pair of axes in their plane will do. Of all these, taken is the R nearest to identity, which
 * is the one of largest trace (trace R = 1 + 2 cos of its angle).
 */

import { symmetric } from './tensor.js'
import type { Moments } from './shapes.js'

/** The frame in which an inertia tensor is diagonal. */
export interface PrincipalAxes {
  /** About the x, y and z axes of that frame [kg m²]. */
  readonly moments: Moments
  /** From that frame to the axes of the tensor: unit quaternion [x, y, z, w], w > 0. */
  readonly orientation: readonly [number, number, number, number]
}

/** Sweeps of three rotations; convergence is quadratic, five or six reach round-off. */
const MAX_SWEEPS = 24

/** Off-diagonal entries below this share of the largest entry are round-off: half an ulp. */
const DIAGONAL = 1.1e-16

/** Moments closer than this share of the largest entry are equal: what summing over a mesh leaves. */
const EQUAL = 1e-12

/** Share of the largest entry by which moments may break the rules of a real body: a tensor from float32 passes. */
const UNREAL = 1e-6

const ORDERS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
] as const
const SIGNS = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const
const PLANES = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const

/**
 * Principal moments [kg m²] and the orientation of the principal axes of a full inertia tensor.
 *
 * The orientation is the one nearest to identity: a diagonal tensor gives the identity and its own diagonal, in order.
 * @param inertia - nine numbers, symmetric [kg m²]
 * @param where - names the tensor in error messages
 * @defaultValue where `'principalAxes: inertia'`
 */
export function principalAxes(inertia: ArrayLike<number>, where: string = 'principalAxes: inertia'): PrincipalAxes {
  const I = symmetric(where, inertia)
  const scale = Math.max(...I.map(Math.abs))
  const { values, vectors } = eigen(I, DIAGONAL * scale)
  checkReal(where, values, UNREAL * scale)
  const { order, R } = nearestToIdentity(values, vectors, EQUAL * scale)
  return {
    moments: [Math.max(0, values[order[0]]), Math.max(0, values[order[1]]), Math.max(0, values[order[2]])],
    orientation: quaternionOf(R),
  }
}

/** Eigenvalues, and eigenvectors as the columns of a row-major matrix. */
function eigen(I: ArrayLike<number>, negligible: number): { values: Moments; vectors: number[] } {
  const a = Array.from(I)
  const v = [1, 0, 0, 0, 1, 0, 0, 0, 1]
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    if (Math.abs(a[1]) <= negligible && Math.abs(a[2]) <= negligible && Math.abs(a[5]) <= negligible) break
    for (const [p, q] of PLANES) if (a[3 * p + q] !== 0) jacobi(a, v, p, q)
  }
  return { values: [a[0], a[4], a[8]], vectors: v }
}

/** Zeroes a_pq by a rotation, p < q; only the upper triangle of `a` is read. */
function jacobi(a: number[], v: number[], p: number, q: number): void {
  const apq = a[3 * p + q]
  const theta = (a[4 * q] - a[4 * p]) / (2 * apq)
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  a[4 * p] -= t * apq
  a[4 * q] += t * apq
  a[3 * p + q] = 0
  const r = 3 - p - q
  const pr = 3 * Math.min(p, r) + Math.max(p, r)
  const qr = 3 * Math.min(q, r) + Math.max(q, r)
  turn(a, pr, qr, c, -s)
  for (let i = 0; i < 9; i += 3) turn(v, i + p, i + q, c, -s)
}

/** (x_i, x_j) ← (c x_i + s x_j, c x_j - s x_i). */
function turn(x: number[], i: number, j: number, c: number, s: number): void {
  const xi = x[i]
  const xj = x[j]
  x[i] = c * xi + s * xj
  x[j] = c * xj - s * xi
}

/** The rotation of largest trace whose columns are eigenvectors; `order` says which. */
function nearestToIdentity(
  values: Moments,
  vectors: readonly number[],
  equal: number,
): { order: readonly [number, number, number]; R: number[] } {
  const same = (i: number, j: number): boolean => Math.abs(values[i] - values[j]) <= equal
  if (same(0, 1) && same(1, 2) && same(0, 2)) return { order: ORDERS[0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1] }
  let best = { order: ORDERS[0] as readonly [number, number, number], R: [] as number[], trace: -Infinity }
  for (const order of ORDERS) {
    for (const [signA, signB] of SIGNS) {
      const R = frame(vectors, order[0], signA, order[1], signB)
      for (const [p, q] of PLANES) if (same(order[p], order[q])) level(R, p, q)
      const trace = R[0] + R[4] + R[8]
      if (trace > best.trace) best = { order, R, trace }
    }
  }
  return best
}

/** Two signed columns of `v` and their cross product, as a rotation matrix. */
function frame(v: readonly number[], colA: number, signA: number, colB: number, signB: number): number[] {
  const [ax, ay, az] = [signA * v[colA], signA * v[colA + 3], signA * v[colA + 6]]
  const [bx, by, bz] = [signB * v[colB], signB * v[colB + 3], signB * v[colB + 6]]
  return [ax, bx, ay * bz - az * by, ay, by, az * bx - ax * bz, az, bz, ax * by - ay * bx]
}

/** Turns columns p and q of R in their plane until R_pp + R_qq is largest. */
function level(R: number[], p: number, q: number): void {
  const cos = R[4 * p] + R[4 * q]
  const sin = R[3 * p + q] - R[3 * q + p]
  const length = Math.sqrt(cos * cos + sin * sin)
  if (length === 0) return // R_pp + R_qq is 0 whatever the angle
  for (let i = 0; i < 9; i += 3) turn(R, i + p, i + q, cos / length, sin / length)
}

/** The quaternion of a rotation by less than 180°: nearest to identity means less than 63°. */
function quaternionOf(R: readonly number[]): readonly [number, number, number, number] {
  const x = R[7] - R[5]
  const y = R[2] - R[6]
  const z = R[3] - R[1]
  const w = 1 + R[0] + R[4] + R[8]
  const length = Math.sqrt(x * x + y * y + z * z + w * w)
  return [x / length, y / length, z / length, w / length]
}

/**
 * Refuses moments [kg m²] that no body has: below 0, or one above the sum of the other two, by more than `slack` [kg m²].
 * With coordinates from the centre of mass, I_x + I_y - I_z = 2 ∫ ρ z² dV.
 */
export function checkReal(where: string, moments: ArrayLike<number>, slack: number): void {
  const [low, middle, high] = Array.prototype.slice.call(moments).sort((a: number, b: number) => a - b) as number[]
  if (high <= low + middle + slack) return // and so low >= high - middle - slack >= -slack
  const rule = low < -slack ? 'principal moments >= 0' : 'no principal moment above the sum of the other two'
  const list = Array.prototype.join.call(moments, ', ')
  throw new RangeError(`${where} must have ${rule}, as a real body does, got moments [${list}]`)
}
