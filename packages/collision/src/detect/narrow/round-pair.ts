/**
 * Capsules and tapered capsules among each other, exactly and in closed form.
 *
 * The differences of two of them are the hull of four balls over a parallelogram: centres m + s u + t v, radii linear in s
 * and t. Along a unit n, the shapes are min over the four of (n·mᵢⱼ − Rᵢⱼ) apart; the separation is the largest such value.
 * It is attained at the normal of the nearest point of an edge of the parallelogram, or, with both balls of both shapes
 * equally near, at one of the two directions with n·u = ρ_u and n·v = ρ_v (ρ: the differences of the radii).
 */

import { CAPSULE, type Shape } from '../../shapes/shape.js'
import { CLOSEST } from './closest-pair.js'

/** sin of the angle of two axes that have no common perpendicular to speak of: the edges tell all. */
const PARALLEL = 1e-9

/** Share of an axis by which a foot may lie beyond its end, for rounding. */
const BESIDE = 1e-9
/** Distance [m] from an axis at which the direction from it is rounding. */
const ON_AXIS = 1e-9

/** Ends of both: centres (top, bottom) in the frame of a, and radii. */
const endA = /* @__PURE__ */ new Float64Array(8)
const endB = /* @__PURE__ */ new Float64Array(8)
/** The candidate at hand, then the best: normal (3), place s on a and t on b from top to bottom, separation, worth. */
const trial = /* @__PURE__ */ new Float64Array(7)
const best = /* @__PURE__ */ new Float64Array(7)

/** Signed distance of two capsules, tapered or not; writes `CLOSEST`. */
export function roundRound(a: Shape, b: Shape, T: Float64Array): number {
  writeEnds(a, endA)
  writeEnds(b, endB)
  for (let o = 0; o < 6; o += 3) {
    const y = endB[o + 1]
    endB[o] = T[4] * y + T[0]
    endB[o + 1] = T[7] * y + T[1]
    endB[o + 2] = T[10] * y + T[2]
  }
  best[6] = -Infinity
  for (let end = 0; end < 2; end++) {
    tryEdge(endA, end, endB, 1)
    tryEdge(endB, end, endA, -1)
  }
  tryFaces()
  const s = best[3]
  const t = best[4]
  const ra = endA[6] + s * (endA[7] - endA[6])
  const rb = endB[6] + t * (endB[7] - endB[6])
  for (let k = 0; k < 3; k++) {
    CLOSEST[k] = best[k]
    CLOSEST[3 + k] = endA[k] + s * (endA[3 + k] - endA[k]) - ra * best[k]
    CLOSEST[6 + k] = endB[k] + t * (endB[3 + k] - endB[k]) + rb * best[k]
  }
  return (CLOSEST[9] = best[5])
}

function writeEnds(shape: Shape, out: Float64Array): void {
  const { kind, params } = shape
  const round = kind === CAPSULE
  const h = params[round ? 1 : 2]
  out.fill(0)
  out[1] = h
  out[4] = -h
  out[6] = params[0]
  out[7] = params[round ? 0 : 1]
}

/** One ball of `p` against all of `q`. `sign` 1: p is a. The normal is that of q's surface where the ball's centre is nearest. */
function tryEdge(p: Float64Array, end: number, q: Float64Array, sign: number): void {
  const x = p[3 * end] - q[0]
  const y = p[3 * end + 1] - q[1]
  const z = p[3 * end + 2] - q[2]
  const ux = q[3] - q[0]
  const uy = q[4] - q[1]
  const uz = q[5] - q[2]
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz)
  const along = (x * ux + y * uy + z * uz) / length
  // Across the axis, and the tilt of the side's normal towards the far end: sin φ = (r_bottom − r_top)/length.
  const px = x - (along * ux) / length
  const py = y - (along * uy) / length
  const pz = z - (along * uz) / length
  const rho = Math.sqrt(px * px + py * py + pz * pz)
  const sin = (q[6] - q[7]) / length
  const cos = Math.sqrt(1 - sin * sin)
  const t = (along - (rho * sin) / cos) / length
  const share = t < 0 ? 0 : t > 1 ? 1 : t
  let nx = x - share * ux
  let ny = y - share * uy
  let nz = z - share * uz
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz)
  if (size <= ON_AXIS) {
    // The centre lies on q's axis: of the directions that its side has there, the one that leads the other ball out.
    const o = 3 - 3 * end
    writeAcross(
      p[o] - p[3 * end],
      p[o + 1] - p[3 * end + 1],
      p[o + 2] - p[3 * end + 2],
      ux / length,
      uy / length,
      uz / length,
    )
    nx = cos * trial[0] + (sin * ux) / length
    ny = cos * trial[1] + (sin * uy) / length
    nz = cos * trial[2] + (sin * uz) / length
  } else {
    nx /= size
    ny /= size
    nz /= size
  }
  trial[0] = sign * nx
  trial[1] = sign * ny
  trial[2] = sign * nz
  trial[3] = sign > 0 ? end : share
  trial[4] = sign > 0 ? share : end
  keepBetter()
}

/** The unit vector across (ux, uy, uz) that goes with (x, y, z), to the first three of `trial`; any where that is along it. */
function writeAcross(x: number, y: number, z: number, ux: number, uy: number, uz: number): void {
  const along = x * ux + y * uy + z * uz
  let px = x - along * ux
  let py = y - along * uy
  let pz = z - along * uz
  let length = Math.sqrt(px * px + py * py + pz * pz)
  if (length <= ON_AXIS) {
    const onX = Math.abs(ux) < 0.6
    px = onX ? 0 : -uy
    py = onX ? -uz : ux
    pz = onX ? uy : 0
    length = Math.sqrt(px * px + py * py + pz * pz)
  }
  trial[0] = px / length
  trial[1] = py / length
  trial[2] = pz / length
}

/** The two directions in which all four balls are equally near. */
function tryFaces(): void {
  // a − b over s and t: m + s u − t v.
  const ux = endA[3] - endA[0]
  const uy = endA[4] - endA[1]
  const uz = endA[5] - endA[2]
  const vx = endB[3] - endB[0]
  const vy = endB[4] - endB[1]
  const vz = endB[5] - endB[2]
  // n·u = r_a' − r_a and n·v = r_b − r_b', primes for the bottom ends. By Gram and Schmidt: what is lost grows with the inverse
  // of the angle of u and v, not of its square.
  const lu = Math.sqrt(ux * ux + uy * uy + uz * uz)
  const lv = Math.sqrt(vx * vx + vy * vy + vz * vz)
  const ex = ux / lu
  const ey = uy / lu
  const ez = uz / lu
  const ev = ex * vx + ey * vy + ez * vz
  let fx = vx - ev * ex
  let fy = vy - ev * ey
  let fz = vz - ev * ez
  const lf = Math.sqrt(fx * fx + fy * fy + fz * fz)
  if (lf <= PARALLEL * lv) return
  fx /= lf
  fy /= lf
  fz /= lf
  const ne = (endA[7] - endA[6]) / lu
  const nf = (endB[6] - endB[7] - ev * ne) / lf
  const rest = 1 - ne * ne - nf * nf
  // One ball of the four is always nearer.
  if (rest <= 0) return
  const ng = Math.sqrt(rest)
  const mx = endA[0] - endB[0]
  const my = endA[1] - endB[1]
  const mz = endA[2] - endB[2]
  for (let sign = -1; sign <= 1; sign += 2) {
    const nx = ne * ex + nf * fx + sign * ng * (ey * fz - ez * fy)
    const ny = ne * ey + nf * fy + sign * ng * (ez * fx - ex * fz)
    const nz = ne * ez + nf * fz + sign * ng * (ex * fy - ey * fx)
    // m + s u − t v is along n: across n, (v × n) and (u × n) pick s and t.
    const cx = uy * nz - uz * ny
    const cy = uz * nx - ux * nz
    const cz = ux * ny - uy * nx
    const dx = vy * nz - vz * ny
    const dy = vz * nx - vx * nz
    const dz = vx * ny - vy * nx
    const determinant = cx * vx + cy * vy + cz * vz
    const s = (mx * dx + my * dy + mz * dz) / determinant
    const t = (mx * cx + my * cy + mz * cz) / determinant
    // Elsewhere than on the parallelogram, an edge of it is nearer.
    if (!(s >= -BESIDE && s <= 1 + BESIDE && t >= -BESIDE && t <= 1 + BESIDE)) continue
    trial[0] = nx
    trial[1] = ny
    trial[2] = nz
    trial[3] = s
    trial[4] = t
    keepBetter()
  }
}

/**
 * Keeps the trial if it is better. A normal can be right for other balls than the two it was made from: by how much those are
 * farther apart than the nearest counts against it, which at the maximum is nothing.
 */
function keepBetter(): void {
  const x = trial[0]
  const y = trial[1]
  const z = trial[2]
  const a0 = x * endA[0] + y * endA[1] + z * endA[2] - endA[6]
  const a1 = x * endA[3] + y * endA[4] + z * endA[5] - endA[7]
  const b0 = x * endB[0] + y * endB[1] + z * endB[2] + endB[6]
  const b1 = x * endB[3] + y * endB[4] + z * endB[5] + endB[7]
  trial[5] = Math.min(a0, a1) - Math.max(b0, b1)
  trial[6] = 2 * trial[5] - (a0 + trial[3] * (a1 - a0) - b0 - trial[4] * (b1 - b0))
  if (trial[6] > best[6]) best.set(trial)
}
