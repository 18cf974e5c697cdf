/** Points and turns of poses: x, y, z, then the quaternion x, y, z, w. */

import type { Quadruple, Triple } from '../../examples/scenes/contacts/layouts.js'

/** v turned by q. */
export function turned([x, y, z, w]: ArrayLike<number> & Iterable<number>, [a, b, c]: readonly number[]): Triple {
  const [s, t, u] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)]
  return [a + w * s + y * u - z * t, b + w * t + z * s - x * u, c + w * u + x * t - y * s]
}

/** Where a point of a body is in the world. */
export function placed(pose: Float64Array, point: readonly number[]): Triple {
  const [x, y, z] = turned(pose.subarray(3, 7), point)
  return [pose[0] + x, pose[1] + y, pose[2] + z]
}

/** p q: q first, then p. */
export function product([a, b, c, d]: readonly number[], [x, y, z, w]: readonly number[]): Quadruple {
  return [
    d * x + a * w + b * z - c * y,
    d * y - a * z + b * w + c * x,
    d * z + a * y - b * x + c * w,
    d * w - a * x - b * y - c * z,
  ]
}

export function conjugate([x, y, z, w]: readonly number[]): Quadruple {
  return [-x, -y, -z, w]
}
