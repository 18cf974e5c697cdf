/** Poses between steps, for drawing. */

import type { quat, vec3 } from 'gl-matrix'
import { addRotations, rotationBetween, rotate } from '../math/rotation.js'
import type { BodyColumns } from '../state/body-columns.js'

/** A body's pose at the share `t` of the last step of `dt` [s]; what spins fast, by as many turns as its ω says. */
export function interpolatePose(
  bodies: BodyColumns,
  i: number,
  t: number,
  dt: number,
  position: vec3,
  orientation: quat | undefined,
): void {
  for (let k = 0; k < 3; k++) {
    const from = bodies.previousPosition[3 * i + k]
    position[k] = from + t * (bodies.position[4 * i + k] - from)
  }
  if (orientation === undefined) return
  const turned = new Float64Array(3)
  rotationBetween(bodies.orientation, 4 * i, bodies.previousOrientation, 4 * i, turned, 0)
  addRotations(
    turned,
    bodies.angularVelocity.slice(3 * i, 3 * i + 3).map((w) => dt * w),
  )
  const q = bodies.previousOrientation.slice(4 * i, 4 * i + 4)
  rotate(q, 0, t * turned[0], t * turned[1], t * turned[2])
  for (let k = 0; k < 4; k++) orientation[k] = q[k]
}
