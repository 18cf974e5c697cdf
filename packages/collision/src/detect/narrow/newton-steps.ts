/**
 * Newton's steps for the normal n of two features (`newton.ts`): on the sphere where no line is given, on a circle where one is; two
 * determine it.
 */

import { type Feature, featureA, featureB, lines } from './newton-features.js'

const MAX_STEPS = 30
/** Length of a step [rad] that ends the iteration: the next would be its square. */
const SETTLED = 1e-9
/** A slope [m] that is rounding: where all directions are as good, any place is. */
const LEVEL = 1e-14
/** The longest step [rad]: what is farther away belongs to other features. */
const LONGEST = 0.3
/** sin of the angle of two lines that do not determine n. */
export const PARALLEL = 1e-8

/** The normal, where it is and where it goes. */
export const n: Float64Array = /* @__PURE__ */ new Float64Array(3)
/** The gradient of the separation along it. */
export const w: Float64Array = /* @__PURE__ */ new Float64Array(3)
/** Directions across n. */
export const across: Float64Array = /* @__PURE__ */ new Float64Array(9)

/** Two lines: n·D and n·E are given; the solution on the side where n is. Gram and Schmidt's way, for lines at a small angle. */
export function solveTwoLines(): boolean {
  const lu = Math.sqrt(lines[0] * lines[0] + lines[1] * lines[1] + lines[2] * lines[2])
  const ex = lines[0] / lu
  const ey = lines[1] / lu
  const ez = lines[2] / lu
  const vx = lines[5]
  const vy = lines[6]
  const vz = lines[7]
  const ev = ex * vx + ey * vy + ez * vz
  let fx = vx - ev * ex
  let fy = vy - ev * ey
  let fz = vz - ev * ez
  const lf = Math.sqrt(fx * fx + fy * fy + fz * fz)
  if (lf <= PARALLEL * Math.sqrt(vx * vx + vy * vy + vz * vz)) {
    // Side by side: one of them determines as much as both.
    return maximizeOnCircle()
  }
  fx /= lf
  fy /= lf
  fz /= lf
  const ne = lines[3] / lu
  const nf = (lines[8] - ev * ne) / lf
  const rest = 1 - ne * ne - nf * nf
  if (rest <= 0) return false
  const gx = ey * fz - ez * fy
  const gy = ez * fx - ex * fz
  const gz = ex * fy - ey * fx
  const ng = gx * n[0] + gy * n[1] + gz * n[2] < 0 ? -Math.sqrt(rest) : Math.sqrt(rest)
  n[0] = ne * ex + nf * fx + ng * gx
  n[1] = ne * ey + nf * fy + ng * gy
  n[2] = ne * ez + nf * fz + ng * gz
  return true
}

/** One line: the maximum on the circle of n·D as given; false if it is not found. */
export function maximizeOnCircle(): boolean {
  if (!turnOntoCircle()) return false
  let step = 0
  while (step < MAX_STEPS && !stepOnCircle()) step++
  return step < MAX_STEPS
}

/** No line: the maximum on the sphere; false if it is not found. */
export function maximizeOnSphere(): boolean {
  let step = 0
  while (step < MAX_STEPS && !stepOnSphere()) step++
  return step < MAX_STEPS
}

/** One line: turns n the short way to where n·D is as given. */
function turnOntoCircle(): boolean {
  const length = Math.sqrt(lines[0] * lines[0] + lines[1] * lines[1] + lines[2] * lines[2])
  const x = lines[0] / length
  const y = lines[1] / length
  const z = lines[2] / length
  const k = lines[3] / length
  const along = n[0] * x + n[1] * y + n[2] * z
  const px = n[0] - along * x
  const py = n[1] - along * y
  const pz = n[2] - along * z
  const size = Math.sqrt(px * px + py * py + pz * pz)
  if (size === 0 || Math.abs(k) >= 1) return false
  const c = Math.sqrt(1 - k * k) / size
  n[0] = c * px + k * x
  n[1] = c * py + k * y
  n[2] = c * pz + k * z
  return true
}

/** w, the separation's gradient at n; returns s less the balls, which no direction changes. */
export function writeGradient(): number {
  let s = 0
  for (let k = 0; k < 3; k++) {
    w[k] = featureA.base[k] - featureB.base[k]
    s += n[k] * w[k]
  }
  return s - addRim(featureA) - addRim(featureB)
}

/** Adds a rim's part to w; returns its part of s. */
export function addRim({ rim, axis }: Feature): number {
  if (rim === 0) return 0
  const up = n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2]
  const x = n[0] - up * axis[0]
  const y = n[1] - up * axis[1]
  const z = n[2] - up * axis[2]
  const size = Math.sqrt(x * x + y * y + z * z)
  if (size === 0) return 0
  w[0] -= (rim * x) / size
  w[1] -= (rim * y) / size
  w[2] -= (rim * z) / size
  return rim * size
}

/** Part of t H u that a rim has: −(r/|n⊥|) (t·τ)(u·τ), τ = y × n⊥/|n⊥|. Vectors t and u at `across`. */
function rimCurvature({ rim, axis }: Feature, t: number, u: number): number {
  if (rim === 0) return 0
  const ax = axis[0]
  const ay = axis[1]
  const az = axis[2]
  const x = ay * n[2] - az * n[1]
  const y = az * n[0] - ax * n[2]
  const z = ax * n[1] - ay * n[0]
  const square = x * x + y * y + z * z
  if (square === 0) return 0
  const first = across[t] * x + across[t + 1] * y + across[t + 2] * z
  const second = across[u] * x + across[u + 1] * y + across[u + 2] * z
  return (-rim * first * second) / (square * Math.sqrt(square))
}

/** Newton's step around D; true once it is as small as can be. */
function stepOnCircle(): boolean {
  writeGradient()
  const length = Math.sqrt(lines[0] * lines[0] + lines[1] * lines[1] + lines[2] * lines[2])
  const x = lines[0] / length
  const y = lines[1] / length
  const z = lines[2] / length
  const k = lines[3] / length
  // n′ = D × n, n″ = k D − n by the angle around D.
  across[0] = y * n[2] - z * n[1]
  across[1] = z * n[0] - x * n[2]
  across[2] = x * n[1] - y * n[0]
  const slope = w[0] * across[0] + w[1] * across[1] + w[2] * across[2]
  const bend =
    rimCurvature(featureA, 0, 0) +
    rimCurvature(featureB, 0, 0) +
    w[0] * (k * x - n[0]) +
    w[1] * (k * y - n[1]) +
    w[2] * (k * z - n[2])
  const angle = newtonStep(slope, bend)
  for (let c = 0; c < 3; c++) n[c] += angle * across[c]
  return turnOntoCircle() && Math.abs(angle) <= SETTLED
}

/** −slope/bend where the function is concave, else a step uphill. */
function newtonStep(slope: number, bend: number): number {
  if (Math.abs(slope) <= LEVEL) return 0
  const step = bend < 0 ? -slope / bend : slope > 0 ? LONGEST : -LONGEST
  return Math.max(-LONGEST, Math.min(LONGEST, step))
}

/** Newton's step on the sphere; true once it is as small as can be. */
function stepOnSphere(): boolean {
  const s = writeGradient()
  writeTangents()
  const p = across[0] * w[0] + across[1] * w[1] + across[2] * w[2]
  const q = across[3] * w[0] + across[4] * w[1] + across[5] * w[2]
  const pp = rimCurvature(featureA, 0, 0) + rimCurvature(featureB, 0, 0) - s
  const pq = rimCurvature(featureA, 0, 3) + rimCurvature(featureB, 0, 3)
  const qq = rimCurvature(featureA, 3, 3) + rimCurvature(featureB, 3, 3) - s
  const determinant = pp * qq - pq * pq
  let i: number
  let j: number
  if (p * p + q * q <= LEVEL * LEVEL) return true
  if (pp < 0 && determinant > 0) {
    i = (pq * q - qq * p) / determinant
    j = (pq * p - pp * q) / determinant
  } else {
    // Not concave: uphill.
    const size = Math.sqrt(p * p + q * q)
    i = size > 0 ? (LONGEST * p) / size : 0
    j = size > 0 ? (LONGEST * q) / size : 0
  }
  const length = Math.sqrt(i * i + j * j)
  const scale = length > LONGEST ? LONGEST / length : 1
  for (let c = 0; c < 3; c++) n[c] += scale * (i * across[c] + j * across[3 + c])
  const size = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
  for (let c = 0; c < 3; c++) n[c] /= size
  return length <= SETTLED
}

/** Two unit vectors across n, to the first six numbers of `across`. */
export function writeTangents(): void {
  const sign = n[2] < 0 ? -1 : 1
  const p = -1 / (sign + n[2])
  const q = n[0] * n[1] * p
  across[0] = 1 + sign * n[0] * n[0] * p
  across[1] = sign * q
  across[2] = -sign * n[0]
  across[3] = q
  across[4] = sign + n[1] * n[1] * p
  across[5] = -n[1]
}
