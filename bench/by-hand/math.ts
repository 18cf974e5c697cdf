/**
 * What the loops by hand call: exp of a turn and an arc tangent, each one small enough for V8 to inline. Nothing else is
 * taken out of the loops.
 */

import type { Data } from '../lib/data.js'

/** q ← exp(δθ/2) q: series up to half a radian. */
export function turn(q: Float64Array, o: number, x: number, y: number, z: number): void {
  const u = x * x + y * y + z * z
  let s: number
  let c: number
  if (u <= 0.25) {
    s =
      0.5 -
      u * (0.020833333333333332 - u * (0.00026041666666666666 - u * (1.5500992063492063e-6 - u * 5.382288910934745e-9)))
    c = Math.sqrt(1 - s * s * u)
  } else {
    const angle = Math.sqrt(u)
    s = Math.sin(0.5 * angle) / angle
    c = Math.cos(0.5 * angle)
  }
  const ex = s * x
  const ey = s * y
  const ez = s * z
  const qx = q[o]
  const qy = q[o + 1]
  const qz = q[o + 2]
  const qw = q[o + 3]
  q[o] = c * qx + ex * qw + ey * qz - ez * qy
  q[o + 1] = c * qy - ex * qz + ey * qw + ez * qx
  q[o + 2] = c * qz + ex * qy - ey * qx + ez * qw
  q[o + 3] = c * qw - ex * qx - ey * qy - ez * qz
}

/** The same, from a vector in memory: for loops with more turns than V8 inlines. */
export function turnBy(q: Float64Array, o: number, theta: Float64Array): void {
  const x = theta[0]
  const y = theta[1]
  const z = theta[2]
  const u = x * x + y * y + z * z
  let s: number
  let c: number
  if (u <= 0.25) {
    s =
      0.5 -
      u * (0.020833333333333332 - u * (0.00026041666666666666 - u * (1.5500992063492063e-6 - u * 5.382288910934745e-9)))
    c = Math.sqrt(1 - s * s * u)
  } else {
    const angle = Math.sqrt(u)
    s = Math.sin(0.5 * angle) / angle
    c = Math.cos(0.5 * angle)
  }
  const ex = s * x
  const ey = s * y
  const ez = s * z
  const qx = q[o]
  const qy = q[o + 1]
  const qz = q[o + 2]
  const qw = q[o + 3]
  q[o] = c * qx + ex * qw + ey * qz - ez * qy
  q[o + 1] = c * qy - ex * qz + ey * qw + ez * qx
  q[o + 2] = c * qz + ex * qy - ey * qx + ez * qw
  q[o + 3] = c * qw - ex * qx - ey * qy - ez * qz
}

/** atan2(y, x) for 0 <= y: a polynomial where y <= 3 x. */
export function arc(y: number, x: number): number {
  if (y > 3 * x) return Math.atan2(y, x)
  const steep = 2 * y > x
  const t = steep ? (y - x) / (y + x) : y / x
  const z = t * t
  const w = z * z
  const odd =
    0.3333333333333299 +
    w *
      (0.14285714276429753 +
        w * (0.09090896264583832 + w * (0.06663810418539 + w * (0.05121919931716038 + w * 0.027428163207135592))))
  const even =
    -0.19999999999903795 +
    w *
      (-0.11111110660942909 +
        w * (-0.07692074047740645 + w * (-0.05858288085972918 + w * (-0.04186168068181147 - w * 0.010111210714265214))))
  const angle = t - t * (z * odd + w * even)
  return steep ? angle + Math.PI / 4 : angle
}

const PREDICTED = new Float64Array(4)

/** How far body i has turned since the start: what was predicted, and 2 vec(q q̂̄) of what the solve has added. */
export function turnedSinceStart({ q, q0, predicted }: Data, i: number, out: Float64Array): void {
  const o = 4 * i
  for (let k = 0; k < 4; k++) PREDICTED[k] = q0[o + k]
  for (let k = 0; k < 3; k++) out[k] = predicted[3 * i + k]
  turnBy(PREDICTED, 0, out)
  const bx = PREDICTED[0]
  const by = PREDICTED[1]
  const bz = PREDICTED[2]
  const bw = PREDICTED[3]
  const s = q[o + 3] * bw + q[o] * bx + q[o + 1] * by + q[o + 2] * bz < 0 ? -2 : 2
  out[0] += s * (q[o] * bw - q[o + 3] * bx - q[o + 1] * bz + q[o + 2] * by)
  out[1] += s * (q[o + 1] * bw - q[o + 3] * by - q[o + 2] * bx + q[o] * bz)
  out[2] += s * (q[o + 2] * bw - q[o + 3] * bz - q[o] * by + q[o + 1] * bx)
}

/** v turned by the orientation at `o` of `q`. */
function rotated(q: Float64Array, o: number, v: Float64Array, k: number, out: Float64Array): void {
  const x = q[o]
  const y = q[o + 1]
  const z = q[o + 2]
  const w = q[o + 3]
  const tx = 2 * (y * v[k + 2] - z * v[k + 1])
  const ty = 2 * (z * v[k] - x * v[k + 2])
  const tz = 2 * (x * v[k + 1] - y * v[k])
  out[0] = v[k] + w * tx + (y * tz - z * ty)
  out[1] = v[k + 1] + w * ty + (z * tx - x * tz)
  out[2] = v[k + 2] + w * tz + (x * ty - y * tx)
}

/**
 * Whether the way between two anchors, in `out`, points against that of the start: then the direction of the start is left there, and
 * the way along it after it.
 */
export function isThrough(
  { x0, q0, columns: { anchorA, anchorB } }: Data,
  p: number,
  u: number,
  row: number,
  out: Float64Array,
): boolean {
  const dx = out[0]
  const dy = out[1]
  const dz = out[2]
  rotated(q0, p, anchorA, 3 * row, out)
  let sx = x0[p] + out[0] - x0[u]
  let sy = x0[p + 1] + out[1] - x0[u + 1]
  let sz = x0[p + 2] + out[2] - x0[u + 2]
  rotated(q0, u, anchorB, 3 * row, out)
  sx -= out[0]
  sy -= out[1]
  sz -= out[2]
  const along = dx * sx + dy * sy + dz * sz
  const length = Math.sqrt(sx * sx + sy * sy + sz * sz)
  if (along >= 0 || length < 1e-12) return false
  out[0] = sx / length
  out[1] = sy / length
  out[2] = sz / length
  out[3] = along / length
  return true
}
