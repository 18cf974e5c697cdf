/**
 * Cores: a round shape is a smaller one, its core, with a ball of constant radius rolled around it. Distances of cores are
 * those of shapes but for the radii; what overlaps only with its rounding is still told exactly.
 *
 * Sphere: a point. Capsule: a segment. Tapered capsule: its two balls, less the radius of the smaller. Others: themselves.
 */

import { CAPSULE, type Shape, SPHERE, TAPERED_CAPSULE } from '../../shapes/shape.js'
import { support } from '../../shapes/support.js'

/** Radius of the ball around the core [m]. */
export function coreRadius(shape: Shape): number {
  const { kind, params } = shape
  if (kind === SPHERE || kind === CAPSULE) return params[0]
  return kind === TAPERED_CAPSULE ? Math.min(params[0], params[1]) : 0
}

/** Writes the point of the core that lies farthest along d (any length), in the frame of the shape. */
export function coreSupport(shape: Shape, d: Float64Array, out: Float64Array): void {
  switch (shape.kind) {
    case SPHERE:
      out[0] = out[1] = out[2] = 0
      return
    case CAPSULE:
      out[0] = out[2] = 0
      out[1] = d[1] > 0 ? shape.params[1] : -shape.params[1]
      return
    case TAPERED_CAPSULE:
      taperedCore(shape.params, d, out)
      return
    default:
      support(shape, d, 0, out, 0)
  }
}

/** The ball that is left of the larger end, and the point that is left of the smaller. */
function taperedCore(params: Float64Array, d: Float64Array, out: Float64Array): void {
  const h = params[2]
  const x = d[0]
  const y = d[1]
  const z = d[2]
  const length = Math.sqrt(x * x + y * y + z * z)
  const top = 2 * h * y > (params[1] - params[0]) * length
  const left = params[top ? 0 : 1] - Math.min(params[0], params[1])
  const scale = length > 0 ? left / length : 0
  out[0] = scale * x
  out[1] = (top ? h : -h) + scale * y
  out[2] = scale * z
}
