/**
 * Distance of a swing (θ_y, θ_z) to an elliptic limit [rad], positive inside, and its gradient. a_y, a_z are max or −min
 * by the sign of θ: four quarters of ellipses, a convex figure without corners.
 *
 *   inside   c = (√P − P)/√Q,  P = (θ_y/a_y)² + (θ_z/a_z)²,  Q = θ_y²/a_y⁴ + θ_z²/a_z⁴: to first order in c
 *   outside  c = −t ‖u‖, ∂c = −u/‖u‖,  u = (θ_y/(t + a_y²), θ_z/(t + a_z²)), with t > 0 the root of
 *            (a_y u_y)² + (a_z u_z)² = 1: exact
 *
 * The exact distance is what makes one sweep a projection: with P, or with the radial distance, a swing past the tip of a
 * slender ellipse is sent to and fro across it, and through.
 */

/** Least half-axis [rad]: the tip of a more slender ellipse is too sharp for Newton's method (at 10⁻³ a pass in a thousand stays unsolved). */
const LEAST = 5e-3
/** Below this P the swing is at the centre, where there is no direction and no need of one. */
const CENTRE = 1e-20
/** Newton's iteration for t rises to the root and doubles its digits: four or five from the start below. */
const MOST_ITERATIONS = 20

/** Half-axes handed on: as arguments they would be boxed. */
const AXES = /* @__PURE__ */ new Float64Array(2)

/**
 * Reads min and max of y at `o` and those of z at `o + stride`; writes the angle [c, n] (see joint-angles.ts) to `t`. Of the
 * angles `y` and `z`, as `swingAngles` writes them, the gradients may be of any frame.
 */
export function ellipseAngle(
  limits: Float64Array,
  o: number,
  stride: number,
  y: Float64Array,
  z: Float64Array,
  t: Float64Array,
): void {
  const ay = Math.max(y[0] < 0 ? -limits[o] : limits[o + 1], LEAST)
  const az = Math.max(z[0] < 0 ? -limits[o + stride] : limits[o + stride + 1], LEAST)
  const uy = y[0] / (ay * ay)
  const uz = z[0] / (az * az)
  const P = y[0] * uy + z[0] * uz
  if (P > 1) {
    AXES[0] = ay
    AXES[1] = az
    outside(y, z, t)
    return
  }
  if (!(P > CENTRE)) {
    t[0] = Math.min(ay, az)
    t[1] = t[2] = t[3] = 0
    return
  }
  const p = Math.sqrt(P)
  const q = Math.sqrt(uy * uy + uz * uz)
  t[0] = (p - P) / q
  const byP = (1 / p - 2) / q
  const byQ = (P - p) / (q * q * q)
  const cy = byP * uy + (byQ * uy) / (ay * ay)
  const cz = byP * uz + (byQ * uz) / (az * az)
  for (let i = 1; i < 4; i++) t[i] = cy * y[i] + cz * z[i]
}

function outside(y: Float64Array, z: Float64Array, t: Float64Array): void {
  const ay = AXES[0]
  const az = AXES[1]
  // Where the larger term alone is 1, from which a convex falling function is climbed.
  let root = Math.max(ay * Math.abs(y[0]) - ay * ay, az * Math.abs(z[0]) - az * az, 0)
  let uy = 0
  let uz = 0
  for (let k = 0; k < MOST_ITERATIONS; k++) {
    uy = y[0] / (root + ay * ay)
    uz = z[0] / (root + az * az)
    const fy = ay * ay * uy * uy
    const fz = az * az * uz * uz
    const more = (fy + fz - 1) / (2 * (fy / (root + ay * ay) + fz / (root + az * az)))
    if (!(root + more > root)) break
    root += more
  }
  const length = Math.sqrt(uy * uy + uz * uz)
  t[0] = -root * length
  const cy = -uy / length
  const cz = -uz / length
  for (let i = 1; i < 4; i++) t[i] = cy * y[i] + cz * z[i]
}
