/**
 * What the loops by hand call: exp of a turn and an arc tangent, each one small enough for V8 to inline. Nothing else is
 * taken out of the loops.
 */

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
