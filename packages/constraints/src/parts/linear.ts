/**
 * Rows that push two bodies apart along a line: effective mass, displacement, and how far they have moved. Directions come
 * in memory: numbers among the arguments of what V8 does not inline would go through the heap.
 */

import { type BodyColumns, RUNAWAY, rotate, TURNED, rotationSinceStart } from '@tautline/core/kernel'

/**
 * w of a pair for a push along n at the levers in `g`, n at `o` of `t`: the sum of both bodies'
 * 1/m + (r×n)ᵀ I⁻¹ (r×n) [1/kg], times n·n.
 */
export function pairInverseMass(
  bodies: BodyColumns,
  a: number,
  b: number,
  g: Float64Array,
  t: Float64Array,
  o: number,
): number {
  const { position, inverseInertia: I } = bodies
  const e = 9 * a
  const f = 9 * b
  const nx = t[o]
  const ny = t[o + 1]
  const nz = t[o + 2]
  const rx = g[0]
  const ry = g[1]
  const rz = g[2]
  const sx = g[3]
  const sy = g[4]
  const sz = g[5]
  const px = ry * nz - rz * ny
  const py = rz * nx - rx * nz
  const pz = rx * ny - ry * nx
  const qx = sy * nz - sz * ny
  const qy = sz * nx - sx * nz
  const qz = sx * ny - sy * nx
  return (
    (position[4 * a + 3] + position[4 * b + 3]) * (nx * nx + ny * ny + nz * nz) +
    px * (I[e] * px + I[e + 1] * py + I[e + 2] * pz) +
    py * (I[e + 3] * px + I[e + 4] * py + I[e + 5] * pz) +
    pz * (I[e + 6] * px + I[e + 7] * py + I[e + 8] * pz) +
    qx * (I[f] * qx + I[f + 1] * qy + I[f + 2] * qz) +
    qy * (I[f + 3] * qx + I[f + 4] * qy + I[f + 5] * qz) +
    qz * (I[f + 6] * qx + I[f + 7] * qy + I[f + 8] * qz)
  )
}

/** ΔX += M⁻¹ (n, r×n): displaces a by the push n at its lever and b by −n at its own; nothing where n is not finite. */
export function displacePair(bodies: BodyColumns, a: number, b: number, g: Float64Array, n: Float64Array): void {
  const { position: x, orientation, inverseInertia: I } = bodies
  const o = 4 * a
  const u = 4 * b
  const nx = n[0]
  const ny = n[1]
  const nz = n[2]
  if (!(Math.abs(nx) + Math.abs(ny) + Math.abs(nz) < RUNAWAY)) return
  const wa = x[o + 3]
  const wb = x[u + 3]
  if (wa !== 0) {
    const e = 9 * a
    const rx = g[0]
    const ry = g[1]
    const rz = g[2]
    x[o] += wa * nx
    x[o + 1] += wa * ny
    x[o + 2] += wa * nz
    const px = ry * nz - rz * ny
    const py = rz * nx - rx * nz
    const pz = rx * ny - ry * nx
    const ax = I[e] * px + I[e + 1] * py + I[e + 2] * pz
    const ay = I[e + 3] * px + I[e + 4] * py + I[e + 5] * pz
    const az = I[e + 6] * px + I[e + 7] * py + I[e + 8] * pz
    // Particles and anchors at the centre do not turn.
    if (ax !== 0 || ay !== 0 || az !== 0) rotate(orientation, o, ax, ay, az)
  }
  if (wb !== 0) {
    const f = 9 * b
    const sx = g[3]
    const sy = g[4]
    const sz = g[5]
    x[u] -= wb * nx
    x[u + 1] -= wb * ny
    x[u + 2] -= wb * nz
    const qx = sy * nz - sz * ny
    const qy = sz * nx - sx * nz
    const qz = sx * ny - sy * nx
    const bx = -(I[f] * qx + I[f + 1] * qy + I[f + 2] * qz)
    const by = -(I[f + 3] * qx + I[f + 4] * qy + I[f + 5] * qz)
    const bz = -(I[f + 6] * qx + I[f + 7] * qy + I[f + 8] * qz)
    if (bx !== 0 || by !== 0 || bz !== 0) rotate(orientation, u, bx, by, bz)
  }
}

/** K = Σ (1/m) 1 − [r]ₓ I⁻¹ [r]ₓ of both bodies at the levers in `g`, 3×3 row-major (64). */
export function massMatrix(bodies: BodyColumns, a: number, b: number, g: Float64Array, K: Float64Array): void {
  const w = bodies.position[4 * a + 3] + bodies.position[4 * b + 3]
  K[0] = K[4] = K[8] = w
  K[1] = K[2] = K[3] = K[5] = K[6] = K[7] = 0
  addTurning(bodies.inverseInertia, 9 * a, g, 0, K)
  addTurning(bodies.inverseInertia, 9 * b, g, 3, K)
}

/** Adds −[r]ₓ I⁻¹ [r]ₓ of one body, its lever at `o` of `g`. */
function addTurning(I: Float64Array, e: number, g: Float64Array, o: number, K: Float64Array): void {
  const rx = g[o]
  const ry = g[o + 1]
  const rz = g[o + 2]
  // [r]ₓ I⁻¹, row by row.
  const m0 = ry * I[e + 6] - rz * I[e + 3]
  const m1 = ry * I[e + 7] - rz * I[e + 4]
  const m2 = ry * I[e + 8] - rz * I[e + 5]
  const m3 = rz * I[e] - rx * I[e + 6]
  const m4 = rz * I[e + 1] - rx * I[e + 7]
  const m5 = rz * I[e + 2] - rx * I[e + 8]
  const m6 = rx * I[e + 3] - ry * I[e]
  const m7 = rx * I[e + 4] - ry * I[e + 1]
  const m8 = rx * I[e + 5] - ry * I[e + 2]
  K[0] += m2 * ry - m1 * rz
  K[1] += m0 * rz - m2 * rx
  K[2] += m1 * rx - m0 * ry
  K[3] += m5 * ry - m4 * rz
  K[4] += m3 * rz - m5 * rx
  K[5] += m4 * rx - m3 * ry
  K[6] += m8 * ry - m7 * rz
  K[7] += m6 * rz - m8 * rx
  K[8] += m7 * rx - m6 * ry
}

/** How far a's matter at its lever has moved against b's in this substep, by components, into `out` [m]. */
export function movedPair(bodies: BodyColumns, a: number, b: number, g: Float64Array, out: Float64Array): void {
  const { position: x, startPosition } = bodies
  const o = 4 * a
  const u = 4 * b
  const rx = g[0]
  const ry = g[1]
  const rz = g[2]
  const sx = g[3]
  const sy = g[4]
  const sz = g[5]
  rotationSinceStart(bodies, a)
  const ax = TURNED[0]
  const ay = TURNED[1]
  const az = TURNED[2]
  rotationSinceStart(bodies, b)
  const bx = TURNED[0]
  const by = TURNED[1]
  const bz = TURNED[2]
  const dx = x[o] - startPosition[o] - (x[u] - startPosition[u])
  const dy = x[o + 1] - startPosition[o + 1] - (x[u + 1] - startPosition[u + 1])
  const dz = x[o + 2] - startPosition[o + 2] - (x[u + 2] - startPosition[u + 2])
  out[0] = dx + (ay * rz - az * ry) - (by * sz - bz * sy)
  out[1] = dy + (az * rx - ax * rz) - (bz * sx - bx * sz)
  out[2] = dz + (ax * ry - ay * rx) - (bx * sy - by * sx)
}
