/** Vectors in memory, three numbers of an array from an index on. */

import { sinCos } from '@tautline/core/kernel'

/** Writes cos and sin of an angle [rad] to `out`. */
export function unitAt(angle: number, out: Float64Array): void {
  out[0] = angle
  sinCos(out, 0, out, 0)
  const sine = out[0]
  out[0] = out[1]
  out[1] = sine
}

/** u·v. */
export function dot(u: Float64Array, i: number, v: Float64Array, j: number): number {
  return u[i] * v[j] + u[i + 1] * v[j + 1] + u[i + 2] * v[j + 2]
}

/** Writes u × v, which may lie where one of them does. */
export function cross(u: Float64Array, i: number, v: Float64Array, j: number, out: Float64Array, o: number): void {
  const x = u[i + 1] * v[j + 2] - u[i + 2] * v[j + 1]
  const y = u[i + 2] * v[j] - u[i] * v[j + 2]
  out[o + 2] = u[i] * v[j + 1] - u[i + 1] * v[j]
  out[o] = x
  out[o + 1] = y
}

/** Writes a unit vector across the unit vector u. */
export function perpendicular(u: Float64Array, i: number, out: Float64Array, o: number): void {
  const least = Math.abs(u[i]) < Math.abs(u[i + 1]) ? 0 : 1
  for (let k = 0; k < 3; k++) out[o + k] = (k === least ? 1 : 0) - u[i + least] * u[i + k]
  const size = Math.sqrt(dot(out, o, out, o))
  for (let k = 0; k < 3; k++) out[o + k] /= size
}
