/** Rows that turn two bodies against each other about an axis. */

import { type BodyColumns, RUNAWAY, rotate, TURNED, rotationSinceStart } from '@tautline/core/kernel'

/** nᵀ (I_a⁻¹ + I_b⁻¹) n [1/(kg m²)] (83). */
export function pairInverseInertia(
  bodies: BodyColumns,
  a: number,
  b: number,
  nx: number,
  ny: number,
  nz: number,
): number {
  const I = bodies.inverseInertia
  const e = 9 * a
  const f = 9 * b
  return (
    nx * ((I[e] + I[f]) * nx + (I[e + 1] + I[f + 1]) * ny + (I[e + 2] + I[f + 2]) * nz) +
    ny * ((I[e + 3] + I[f + 3]) * nx + (I[e + 4] + I[f + 4]) * ny + (I[e + 5] + I[f + 5]) * nz) +
    nz * ((I[e + 6] + I[f + 6]) * nx + (I[e + 7] + I[f + 7]) * ny + (I[e + 8] + I[f + 8]) * nz)
  )
}

/** Turns a by I_a⁻¹ n and b by −I_b⁻¹ n; nothing where n is not finite. */
export function rotatePair(bodies: BodyColumns, a: number, b: number, nx: number, ny: number, nz: number): void {
  if (!(Math.abs(nx) + Math.abs(ny) + Math.abs(nz) < RUNAWAY)) return
  rotateBody(bodies, a, nx, ny, nz)
  rotateBody(bodies, b, -nx, -ny, -nz)
}

function rotateBody(bodies: BodyColumns, i: number, nx: number, ny: number, nz: number): void {
  const I = bodies.inverseInertia
  if (bodies.position[4 * i + 3] === 0) return
  const e = 9 * i
  const ox = I[e] * nx + I[e + 1] * ny + I[e + 2] * nz
  const oy = I[e + 3] * nx + I[e + 4] * ny + I[e + 5] * nz
  const oz = I[e + 6] * nx + I[e + 7] * ny + I[e + 8] * nz
  if (ox !== 0 || oy !== 0 || oz !== 0) rotate(bodies.orientation, 4 * i, ox, oy, oz)
}

/** Rotation of a against b in this substep [rad], into `out`. */
export function pairRotation(bodies: BodyColumns, a: number, b: number, out: Float64Array): void {
  rotationSinceStart(bodies, a)
  out[0] = TURNED[0]
  out[1] = TURNED[1]
  out[2] = TURNED[2]
  rotationSinceStart(bodies, b)
  out[0] -= TURNED[0]
  out[1] -= TURNED[1]
  out[2] -= TURNED[2]
}
