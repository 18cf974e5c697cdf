/** Rows that push two bodies apart along a line: effective mass, displacement, and how far they have moved. */

import { type BodyColumns, turn, TURNED, turnedSinceStart } from '@tautline/core'

/** w of one body for a push along n at lever r: 1/m + (r×n)ᵀ I⁻¹ (r×n) [1/kg]. */
export function inverseMassAt(
  bodies: BodyColumns,
  i: number,
  rx: number,
  ry: number,
  rz: number,
  nx: number,
  ny: number,
  nz: number,
): number {
  const I = bodies.inverseInertia
  const e = 9 * i
  const tx = ry * nz - rz * ny
  const ty = rz * nx - rx * nz
  const tz = rx * ny - ry * nx
  return (
    bodies.position[4 * i + 3] * (nx * nx + ny * ny + nz * nz) +
    tx * (I[e] * tx + I[e + 1] * ty + I[e + 2] * tz) +
    ty * (I[e + 3] * tx + I[e + 4] * ty + I[e + 5] * tz) +
    tz * (I[e + 6] * tx + I[e + 7] * ty + I[e + 8] * tz)
  )
}

/** ΔX_i += M⁻¹ (n, r×n): displaces one body by a push n at lever r. */
export function displaceAt(
  bodies: BodyColumns,
  i: number,
  rx: number,
  ry: number,
  rz: number,
  nx: number,
  ny: number,
  nz: number,
): void {
  const x = bodies.position
  const I = bodies.inverseInertia
  const p = 4 * i
  const e = 9 * i
  const w = x[p + 3]
  x[p] += w * nx
  x[p + 1] += w * ny
  x[p + 2] += w * nz
  const tx = ry * nz - rz * ny
  const ty = rz * nx - rx * nz
  const tz = rx * ny - ry * nx
  const ox = I[e] * tx + I[e + 1] * ty + I[e + 2] * tz
  const oy = I[e + 3] * tx + I[e + 4] * ty + I[e + 5] * tz
  const oz = I[e + 6] * tx + I[e + 7] * ty + I[e + 8] * tz
  // Particles, fixed bodies and anchors at the centre do not turn.
  if (ox !== 0 || oy !== 0 || oz !== 0) turn(bodies.orientation, p, ox, oy, oz)
}

/** w of a pair for a push along n at the levers in `g`. */
export function pairInverseMass(
  bodies: BodyColumns,
  a: number,
  b: number,
  g: Float64Array,
  nx: number,
  ny: number,
  nz: number,
): number {
  return inverseMassAt(bodies, a, g[0], g[1], g[2], nx, ny, nz) + inverseMassAt(bodies, b, g[3], g[4], g[5], nx, ny, nz)
}

/** Displaces a by the push n at its lever and b by −n at its own. */
export function displacePair(
  bodies: BodyColumns,
  a: number,
  b: number,
  g: Float64Array,
  nx: number,
  ny: number,
  nz: number,
): void {
  displaceAt(bodies, a, g[0], g[1], g[2], nx, ny, nz)
  displaceAt(bodies, b, g[3], g[4], g[5], -nx, -ny, -nz)
}

/** Adds (1/m) 1 − [r]ₓ I⁻¹ [r]ₓ of one body to K, 3×3 row-major (64). */
export function addMassMatrix(
  bodies: BodyColumns,
  i: number,
  rx: number,
  ry: number,
  rz: number,
  K: Float64Array,
): void {
  const I = bodies.inverseInertia
  const e = 9 * i
  const w = bodies.position[4 * i + 3]
  // [r]ₓ I⁻¹, row by row.
  const a = ry * I[e + 6] - rz * I[e + 3]
  const b = ry * I[e + 7] - rz * I[e + 4]
  const c = ry * I[e + 8] - rz * I[e + 5]
  const d = rz * I[e] - rx * I[e + 6]
  const f = rz * I[e + 1] - rx * I[e + 7]
  const g = rz * I[e + 2] - rx * I[e + 8]
  const k = rx * I[e + 3] - ry * I[e]
  const l = rx * I[e + 4] - ry * I[e + 1]
  const m = rx * I[e + 5] - ry * I[e + 2]
  K[0] += w + c * ry - b * rz
  K[1] += a * rz - c * rx
  K[2] += b * rx - a * ry
  K[3] += g * ry - f * rz
  K[4] += w + d * rz - g * rx
  K[5] += f * rx - d * ry
  K[6] += m * ry - l * rz
  K[7] += k * rz - m * rx
  K[8] += w + l * rx - k * ry
}

/** How far a's matter at its lever has moved against b's in this substep, by components, into `out` [m]. */
export function movedPair(bodies: BodyColumns, a: number, b: number, g: Float64Array, out: Float64Array): void {
  out[0] = out[1] = out[2] = 0
  addMoved(bodies, a, 1, g[0], g[1], g[2], out)
  addMoved(bodies, b, -1, g[3], g[4], g[5], out)
}

function addMoved(
  bodies: BodyColumns,
  i: number,
  sign: number,
  rx: number,
  ry: number,
  rz: number,
  out: Float64Array,
): void {
  const { position, startPosition } = bodies
  const p = 4 * i
  turnedSinceStart(bodies, i)
  const ox = TURNED[0]
  const oy = TURNED[1]
  const oz = TURNED[2]
  out[0] += sign * (position[p] - startPosition[p] + oy * rz - oz * ry)
  out[1] += sign * (position[p + 1] - startPosition[p + 1] + oz * rx - ox * rz)
  out[2] += sign * (position[p + 2] - startPosition[p + 2] + ox * ry - oy * rx)
}
